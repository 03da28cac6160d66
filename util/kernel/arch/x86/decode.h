/* SPDX-License-Identifier: BSD-2-Clause */
/* Capstone, shared by the code for x86-64's instructions. For x86_*.c only. */
#ifndef RETSNOOP_KERNEL_ARCH_X86_DECODE_H
#define RETSNOOP_KERNEL_ARCH_X86_DECODE_H

#include <capstone/capstone.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/kernel/code/operands.h"

#define NO_REGISTER 0xff

/* Open once an instruction has been decoded. */
extern csh x86_decoder;

/* The instruction as decoded by Capstone, valid until the next one; NULL: not decoded. */
const cs_insn *x86_decode(const uint8_t *code, size_t size);

/* The number of a general register or of a part of it; NO_REGISTER: another register. */
uint8_t x86_register(unsigned int reg);

/*
 * Whether this is the second byte of a register, for which x86_register() returns the register's
 * number.
 */
bool x86_is_high_byte(unsigned int reg);

/* The opcode after prefixes. Version 5 of Capstone leaves out a byte of longer ones. *ret_size: bytes from there on. */
const uint8_t *x86_opcode_of(const uint8_t *code, size_t size, size_t *ret_size);

bool x86_is_in_group(const cs_insn *insn, uint8_t group);

/*
 * Fill in all but `effect->writes` of calls and returns, which is 0. 0; -EINVAL: the instruction
 * may do anything.
 */
int x86_fill_effect(const cs_insn *insn, struct insn_effect *effect);

#endif
