// SPDX-License-Identifier: BSD-2-Clause
/* Finding an architecture's table. */
#include "util/kernel/arch/arch.h"

#include <string.h>

#include "util/base/macros.h"

static const struct arch *const archs[] = { &arch_x86, &arch_arm64, &arch_riscv };

const struct arch *arch_of_machine(const char *machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		if (!strcmp(archs[i]->machine, machine))
			return archs[i];
	}
	return NULL;
}

const struct arch *arch_of_registers(size_t nr)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		if (archs[i]->nr_registers == nr)
			return archs[i];
	}
	return NULL;
}

bool arch_calls_syscalls(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		for (const char *const *caller = archs[i]->syscall_callers; *caller; caller++) {
			if (!strcmp(name, *caller))
				return true;
		}
	}
	return false;
}

const char *arch_arg_register(const struct arch *arch, uint32_t index)
{
	return index < arch->nr_arg_registers ? arch->arg_registers[index] : "?";
}
