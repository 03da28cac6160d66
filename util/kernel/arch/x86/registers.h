/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of x86-64's general registers. For the mapping, x86_*.c, and its tests only. */
#ifndef RETSNOOP_KERNEL_ARCH_X86_REGISTERS_H
#define RETSNOOP_KERNEL_ARCH_X86_REGISTERS_H

#include "util/kernel/code/instruction_effect.h"

enum {
	X86_RAX = REG_RESULT,
	X86_RSP = REG_STACK,
	X86_RBP = REG_FRAME,
	X86_RCX = REG_FIRST_OTHER,
	X86_RDX,
	X86_RBX,
	X86_RSI,
	X86_RDI,
	X86_R8,
	X86_R9,
	X86_R10,
	X86_R11,
	X86_R12,
	X86_R13,
	X86_R14,
	X86_R15,
};

#endif
