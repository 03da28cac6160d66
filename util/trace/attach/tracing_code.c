// SPDX-License-Identifier: BSD-2-Clause
/* Recognises code that runs because functions are traced. */
#include "util/trace/attach/tracing_code.h"

#include <string.h>

#include "util/base/macros.h"
#include "util/base/text/glob.h"

/*
 * Functions that run between a traced function and a BPF program, ours or another tool's.
 * Generated code (trampolines, programs) is recognised by its module instead.
 */
static const char *const tracing_globs[] = {
	"bpf_get_branch_snapshot*",
	"bpf_get_stack",
	"bpf_get_stack_*",
	"bpf_get_stackid*",
	"bpf_trace_run*",
	"__bpf_trace_*",
	"__bpf_prog_enter*",
	"__bpf_prog_exit*",
	"__bpf_tramp_*",
	"trace_call_bpf*",
	"perf_trace_run_bpf_submit",
	/* function tracer */
	"arch_ftrace_ops_list_func",
	"ftrace_call",
	"ftrace_caller*",
	"ftrace_graph_call",
	"ftrace_graph_caller",
	"ftrace_graph_func",
	"ftrace_ops_assist_func",
	"ftrace_ops_list_func",
	"__ftrace_ops_list_func",
	"ftrace_regs_call",
	"ftrace_regs_caller*",
	"ftrace_return_to_handler",
	"__ftrace_return_to_handler*",
	"ftrace_stub*",
	"function_graph_enter*",
	"prepare_ftrace_return",
	"return_to_handler",
	/* fprobe, kprobe-multi */
	"fprobe_entry",
	"fprobe_exit_handler",
	"fprobe_fgraph_entry",
	"fprobe_ftrace_entry",
	"fprobe_handler",
	"fprobe_kprobe_handler",
	"fprobe_return",
	"__fprobe_handler",
	"__fprobe_kprobe_handler",
	"kprobe_multi_link_exit_handler*",
	"kprobe_multi_link_handler*",
	"kprobe_multi_link_prog_run*",
	/* kprobes and return probes */
	"aggr_post_handler",
	"aggr_pre_handler",
	"arch_rethook_prepare",
	"arch_rethook_trampoline*",
	"asm_exc_int3",
	"do_int3",
	"exc_int3",
	"kprobe_dispatcher",
	"kprobe_ftrace_handler",
	"kprobe_int3_handler",
	"kprobe_perf_func",
	"kprobe_trace_func",
	"kretprobe_dispatcher",
	"kretprobe_perf_func",
	"kretprobe_rethook_handler",
	"kretprobe_trace_func",
	"kretprobe_trampoline*",
	"__kretprobe_trampoline*",
	"opt_pre_handler",
	"optimized_callback",
	"pre_handler_kretprobe",
	"rethook_hook",
	"rethook_recycle",
	"rethook_trampoline_handler",
	"rethook_try_get",
	"trampoline_handler",
	"trampoline_probe_handler",
};

/* Trampolines, BPF programs, copies of probed instructions. */
static bool is_made_code(const char *module)
{
	return module &&
	       (!strcmp(module, "bpf") || !strcmp(module, "ftrace") || !strcmp(module, "kprobes"));
}

bool is_tracing_name(const char *symbol)
{
	/*
	 * This runs for each address of each stack. No glob has a wildcard in its first
	 * characters.
	 */
	for (size_t i = 0; i < ARRAY_SIZE(tracing_globs); i++) {
		const char *glob = tracing_globs[i];

		if (glob[0] == symbol[0] && glob[1] == symbol[1] && glob_matches(glob, symbol))
			return true;
	}
	return false;
}

bool is_bpf_program(const char *symbol, const char *module)
{
	return is_made_code(module) && startswith(symbol, "bpf_prog_");
}

bool is_tracing_program(const char *symbol, const char *module)
{
	/* As in "bpf_prog_4fa3b7dd1c0dcd1f_exit_tracing"; some kernels cut the name. */
	static const char *const names[] = {
		"entry_kprobe*",   "exit_kprobe*",     "session_kprobe",
		"session_tracing", "entry_tracing",    "exit_tracing",
		"probe_kprobe",	   "probe_tracepoin*", "probe_raw_trac*",
	};
	const char *name;

	if (!is_bpf_program(symbol, module))
		return false;
	name = strchr(symbol + strlen("bpf_prog_"), '_');
	return name && array_find(known, names, glob_matches(*known, name + 1));
}

bool is_tracing_code(const char *symbol, const char *module)
{
	if (is_made_code(module))
		return !is_bpf_program(symbol, module);
	return is_tracing_name(symbol);
}
