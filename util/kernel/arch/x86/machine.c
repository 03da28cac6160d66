// SPDX-License-Identifier: BSD-2-Clause
/* The machine this runs on is x86-64. */
#include <cpuid.h>

#include "util/kernel/arch/arch.h"
#include "util/kernel/machine/cpu.h"

const struct arch *const arch_native = &arch_x86;

bool cpu_is_virtual(void)
{
	unsigned int a, b, c = 0, d;

	return __get_cpuid(1, &a, &b, &c, &d) && c & 1u << 31;
}
