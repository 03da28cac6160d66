/* SPDX-License-Identifier: BSD-2-Clause */
/* Where machine instructions begin: kprobes go nowhere else. */
#ifndef RETSNOOP_KERNEL_INSTRUCTION_H
#define RETSNOOP_KERNEL_INSTRUCTION_H

#include <stddef.h>
#include <stdint.h>

/*
 * Bytes that the x86-64 instruction at @code takes; 0: it is none that a kernel has, or it goes on
 * beyond @size.
 */
size_t x86_instruction_length(const uint8_t *code, size_t size);

/* The same for the machine that this is built for. */
size_t instruction_length(const uint8_t *code, size_t size);

#endif
