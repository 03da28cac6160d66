/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of riscv's registers with a role. For the mapping of riscv only. */
#ifndef RETSNOOP_KERNEL_ARCH_RISCV_REGISTERS_H
#define RETSNOOP_KERNEL_ARCH_RISCV_REGISTERS_H

#include "util/kernel/code/instruction_effect.h"

/* As instructions number them. */
#define RISCV_RA 1
#define RISCV_SP 2
#define RISCV_T0 5
#define RISCV_S0 8
#define RISCV_A0 10

/* The number of x1 to x31; x0 is always 0. */
static inline int riscv_x(uint32_t n)
{
	switch (n) {
	case RISCV_A0:
		return REG_RESULT;
	case RISCV_SP:
		return REG_STACK;
	case RISCV_S0:
		return REG_FRAME;
	default:
		return REG_FIRST_OTHER + n - 1 - (n > RISCV_SP) - (n > RISCV_S0) - (n > RISCV_A0);
	}
}

#endif
