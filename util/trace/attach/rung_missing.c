// SPDX-License-Identifier: BSD-2-Clause
/* Why an attach method is missing. */
#include "util/trace/attach/rung_missing.h"

#include "util/kernel/arch/arch.h"
#include "util/kernel/machine/machine.h"

static const struct {
	unsigned int since;
	bool typed;	/* needs BTF */
	const char *config;
} needs[NR_RUNGS] = {
	[RUNG_FSESSION_MULTI] = { KERNEL_VERSION_OF(7, 2), true,
				  "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS" },
	[RUNG_KPROBE_SESSION] = { KERNEL_VERSION_OF(6, 10), true, "CONFIG_FPROBE" },
	[RUNG_KPROBE_MULTI] = { KERNEL_VERSION_OF(5, 18), false, "CONFIG_FPROBE" },
	[RUNG_FENTRY] = { KERNEL_VERSION_OF(5, 5), true,
			  "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS" },
	[RUNG_KPROBE] = { 0, false, "CONFIG_KPROBES" },
};

void rung_missing_add(struct strbuf *sb, const struct features *features, enum rung rung,
		      unsigned int version)
{
	if (features->lacks[rung][0])
		strbuf_addstr(sb, features->lacks[rung]);
	else if (rung == RUNG_FSESSION_MULTI && !arch_native->has_multi_trampolines)
		strbuf_addf(sb, "kernels for %s do not have it", arch_native->name);
	else if (version && version < needs[rung].since)
		strbuf_addf(sb, "from Linux %u.%u on", needs[rung].since >> 16,
			    needs[rung].since & 0xffff);
	else if (rung_is_session(rung) && features->session_needs_jit)
		strbuf_addstr(sb, "needs BPF's JIT compiler, which is off");
	else if (needs[rung].typed && !features->btf)
		strbuf_addstr(sb, "needs BTF");
	else
		strbuf_addf(sb, "this kernel was built without %s", needs[rung].config);
}
