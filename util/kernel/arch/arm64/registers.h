/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of arm64's general registers. For the mapping of arm64 and its tests only. */
#ifndef RETSNOOP_KERNEL_ARCH_ARM64_REGISTERS_H
#define RETSNOOP_KERNEL_ARCH_ARM64_REGISTERS_H

#include "util/kernel/code/instruction_effect.h"

/* Other registers in between have the numbers that follow: ARM64_X(n). */
enum {
	ARM64_X0 = REG_RESULT,
	ARM64_SP = REG_STACK,
	ARM64_X29 = REG_FRAME,
	ARM64_X1 = REG_FIRST_OTHER,
	ARM64_X28 = ARM64_X1 + 27,
	ARM64_X30,
	/* Reads as 0; writes have no effect. */
	ARM64_ZERO = 0xff,
};

_Static_assert(ARM64_X30 == NR_REGISTERS - 1, "each register has a number");

/* Of x0 to x30. */
static inline uint8_t arm64_x(uint32_t n)
{
	return n == 0 ? ARM64_X0 : n == 29 ? ARM64_X29 : n == 30 ? ARM64_X30 : ARM64_X1 + n - 1;
}

static inline reg_set arm64_bit(uint8_t reg)
{
	return reg == ARM64_ZERO ? 0 : REG_BIT(reg);
}

#endif
