/* SPDX-License-Identifier: BSD-2-Clause */
/* Capstone, shared by what looks at instructions of x86-64. For x86_*.c only. */
#ifndef RETSNOOP_KERNEL_CODE_X86_DECODE_H
#define RETSNOOP_KERNEL_CODE_X86_DECODE_H

#include <capstone/capstone.h>
#include <stddef.h>
#include <stdint.h>

#define NO_REGISTER 0xff

/* The instruction as Capstone sees it, valid until the next one; NULL: it knows none there. */
const cs_insn *x86_decode(const uint8_t *code, size_t size);

/* The number of a general register or of a part of it; NO_REGISTER: it is none. */
uint8_t x86_register(unsigned int reg);

#endif
