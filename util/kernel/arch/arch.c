// SPDX-License-Identifier: BSD-2-Clause
/* Finding an architecture's table. */
#include "util/kernel/arch/arch.h"

#include <string.h>

#include "util/base/macros.h"
#include "util/base/text/glob.h"

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

const struct arch *arch_of_wrapper(const char *func)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		const char *prefix = archs[i]->syscall_prefix;

		if (startswith(func, prefix) && startswith(func + strlen(prefix), "sys_"))
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

static bool is_insn(const struct arch_insn *like, uint32_t insn)
{
	return like->mask && (insn & like->mask) == like->value;
}

enum kprobe_insn arch_kprobe_insn(const void *code, size_t size)
{
	uint32_t insn = 0;

	memcpy(&insn, code, size < sizeof(insn) ? size : sizeof(insn));
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		const struct kprobe_code *probes = &archs[i]->kprobe_code;

		if (probes->size != size)
			continue;
		if (is_insn(&probes->jump, insn))
			return KPROBE_JUMP;
		for (size_t k = 0; k < ARRAY_SIZE(probes->breakpoints); k++) {
			if (is_insn(&probes->breakpoints[k], insn))
				return KPROBE_BREAKPOINT;
		}
	}
	return KPROBE_NONE;
}

const struct interrupt_label *arch_interrupt_label(const char *symbol)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		const struct interrupt_label *label = archs[i]->interrupt_labels;

		for (; label && label->glob; label++) {
			if (glob_matches(label->glob, symbol))
				return label;
		}
	}
	return NULL;
}

const char *arch_arg_register(const struct arch *arch, uint32_t index)
{
	return index < arch->nr_arg_registers ? arch->arg_registers[index] : "?";
}
