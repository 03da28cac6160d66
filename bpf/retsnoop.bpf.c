// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/*
 * The programs in the kernel: sessions.
 *
 * A traced function's entry and exit reach on_entry() and on_return() from one of five kinds of
 * programs (the rungs); all else is shared. Built in variants:
 *
 *   SESSION_KFUNCS_VOID	bpf_session_is_return(void), 6.10 and on
 *   SESSION_KFUNCS_CTX		bpf_session_is_return(ctx), 7.2 and on
 *   NO_KERNEL_BTF		no kernel types or variables
 */
#include <linux/types.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <stdbool.h>
#include <stddef.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "bpf/engine.bpf.h"
#include "bpf/kernel_types.h"
#include "bpf/probe.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/*
 * The rungs. Program types and attach types are set by user space: libbpf 1.1 does not know the
 * newer ones, so section names are plain.
 */

/* Kernels before 5.15 have no attach cookies: look them up by address. */
static __always_inline __u64 kprobe_cookie(struct pt_regs *ctx, __u64 *ret_known)
{
	__u64 ip, *cookie;

	*ret_known = 1;
	if (config.attach_cookies)
		return bpf_get_attach_cookie(ctx);
	ip = PT_REGS_IP(ctx) - config.kprobe_ip_offset;
	cookie = bpf_map_lookup_elem(&cookies, &ip);
	if (!cookie) {
		*ret_known = 0;
		return 0;
	}
	return *cookie;
}

SEC("entry/kprobe")
int entry_kprobe(struct pt_regs *ctx)
{
	__u64 known, cookie = kprobe_cookie(ctx, &known);

	if (!known)
		return 0;
	budget_hit(cookie, HIT_KPROBE);
	on_entry(ctx, cookie, false, call_sp(ctx, &config.kprobe_exit));
	return 0;
}

SEC("exit/kprobe")
int exit_kprobe(struct pt_regs *ctx)
{
	__u64 snapshot = snapshot_take(ctx), cookie = COOKIE_ANY;
	__u64 sp = entry_sp(ctx, &config.kprobe_exit);

	if (exit_matters(sp)) {
		if (config.attach_cookies)
			cookie = bpf_get_attach_cookie(ctx);
		on_return(ctx, cookie, sp, PT_REGS_RC(ctx), snapshot);
	}
	snapshot_release(snapshot);
	return 0;
}

SEC("entry/kprobe_multi")
int entry_kprobe_multi(struct pt_regs *ctx)
{
	__u64 cookie = bpf_get_attach_cookie(ctx);

	budget_hit(cookie, HIT_KPROBE_MULTI);
	on_entry(ctx, cookie, false, call_sp(ctx, &config.multi_exit));
	return 0;
}

SEC("exit/kprobe_multi")
int exit_kprobe_multi(struct pt_regs *ctx)
{
	__u64 snapshot = snapshot_take(ctx), sp = entry_sp(ctx, &config.multi_exit);

	if (exit_matters(sp))
		on_return(ctx, bpf_get_attach_cookie(ctx), sp, PT_REGS_RC(ctx), snapshot);
	snapshot_release(snapshot);
	return 0;
}

#ifdef SESSION_KFUNCS_VOID
static bool (*const bpf_session_is_return)(void) = (void *)KFUNC_IS_RETURN;
static __u64 *(*const bpf_session_cookie)(void) = (void *)KFUNC_SESSION_COOKIE;
#define session_is_return(ctx) bpf_session_is_return()
#define session_cookie(ctx) bpf_session_cookie()
#endif
#ifdef SESSION_KFUNCS_CTX
static bool (*const bpf_session_is_return)(void *ctx) = (void *)KFUNC_IS_RETURN;
static __u64 *(*const bpf_session_cookie)(void *ctx) = (void *)KFUNC_SESSION_COOKIE;
#define session_is_return(ctx) bpf_session_is_return(ctx)
#define session_cookie(ctx) bpf_session_cookie(ctx)
#endif

#ifdef session_is_return
SEC("session/kprobe")
int session_kprobe(struct pt_regs *ctx)
{
	__u64 snapshot, cookie, sp;

	if (session_is_return(ctx)) {
		snapshot = snapshot_take(ctx);
		budget_exit_hit();
		sp = entry_sp(ctx, &config.session_exit);
		if (exit_matters(sp))
			on_return(ctx, *session_cookie(ctx), sp, PT_REGS_RC(ctx), snapshot);
		snapshot_release(snapshot);
		return 0;
	}
	/* The kernel searches all functions for it: once for a call is enough. */
	cookie = bpf_get_attach_cookie(ctx);
	budget_hit(cookie, HIT_KPROBE_SESSION);
	if (on_entry(ctx, cookie, false, call_sp(ctx, &config.session_exit)))
		return 1;
	*session_cookie(ctx) = cookie;
	return 0;
}
#endif

#ifdef SESSION_KFUNCS_CTX
SEC("session/tracing")
int session_tracing(__u64 *ctx)
{
	/*
	 * The exit cannot be skipped (returning 1 is refused): remember it in the session cookie.
	 */
	__u64 *of_interest = session_cookie(ctx);
	__u64 result = 0, snapshot, cookie;

	if (session_is_return(ctx)) {
		if (!*of_interest)
			return 0;
		snapshot = snapshot_take(ctx);
		bpf_get_func_ret(ctx, &result);
		on_return(ctx, bpf_get_attach_cookie(ctx), (__u64)ctx, result, snapshot);
		snapshot_release(snapshot);
		return 0;
	}
	cookie = bpf_get_attach_cookie(ctx);
	budget_hit(cookie, HIT_FSESSION_MULTI);
	*of_interest = !on_entry(ctx, cookie, true, (__u64)ctx);
	return 0;
}
#endif

/*
 * Programs that are loaded once and copied for each function or probe, with its cookie in place of
 * the marker: fentry and fexit need one program per function, and kernels before 5.15 have no
 * attach cookies.
 */
static __always_inline __u64 patched_cookie(void)
{
	return PATCHED(COOKIE_MARKER_STRING);
}

/* Probes; loaded as kprobe, perf event, tracepoint and raw tracepoint programs. */
SEC("probe/kprobe")
int probe_kprobe(struct pt_regs *ctx)
{
	__u64 probe = config.attach_cookies ? bpf_get_attach_cookie(ctx) : patched_cookie();

	on_probe(ctx, probe, kprobe_context(PT_REGS_SP(ctx)), PT_REGS_SP(ctx), false);
	return 0;
}

/* Runs at a breakpoint of the CPU: in an exception, like kprobes. */
SEC("probe/breakpoint")
int probe_breakpoint(void *ctx)
{
	__u64 sp = 0;
	struct pt_regs *regs = NULL;

	count(breakpoints);
	/* struct bpf_perf_event_data_kern (linux/perf_event.h, 5.10 to 7.2) begins with regs. */
	bpf_probe_read_kernel(&regs, sizeof(regs), ctx);
	bpf_probe_read_kernel(&sp, sizeof(sp), &PT_REGS_SP(regs));
	on_probe(regs, patched_cookie(), kprobe_context(sp), sp, false);
	return 0;
}

SEC("probe/tracepoint")
int probe_tracepoint(void *ctx)
{
	on_probe(ctx, patched_cookie(), current_context(), 0, false);
	return 0;
}

SEC("probe/raw_tracepoint")
int probe_raw_tracepoint(void *ctx)
{
	on_probe(ctx, patched_cookie(), current_context(), 0, true);
	return 0;
}

#ifndef NO_KERNEL_BTF
SEC("entry/tracing")
int entry_tracing(__u64 *ctx)
{
	__u64 cookie = patched_cookie();

	budget_hit(cookie, HIT_FENTRY);
	on_entry(ctx, cookie, true, (__u64)ctx);
	return 0;
}

SEC("exit/tracing")
int exit_tracing(__u64 *ctx)
{
	__u64 snapshot = snapshot_take(ctx), cookie = patched_cookie(), result = 0;

	if (exit_matters((__u64)ctx)) {
		/*
		 * bpf_get_func_ret() needs 5.17. Before that the result follows the arguments. Copy
		 * it: a direct load would have each function's own type.
		 */
		if (config.func_ret)
			bpf_get_func_ret(ctx, &result);
		else
			bpf_probe_read_kernel(&result, sizeof(result),
					      ctx + COOKIE_ARG_SLOTS(cookie));
		on_return(ctx, cookie, (__u64)ctx, result, snapshot);
	}
	snapshot_release(snapshot);
	return 0;
}

/* Run by retsnoop itself, before all else. Returns 0 on success. */
SEC("process/namespace")
int namespace_learn(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct pid *pid = BPF_CORE_READ(task, thread_pid);
	__u32 level = BPF_CORE_READ(pid, level);
	struct upid *id = (void *)&pid->numbers[0] + level * bpf_core_type_size(struct upid);

	namespace_level = level;
	namespace_address = (__u64)BPF_CORE_READ(id, ns);
	return !namespace_address;
}

/* The same: the first task is every task's ancestor, and its own parent. */
SEC("process/mounts")
int mounts_learn(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	for (int i = 0; i < 64 && BPF_CORE_READ(task, pid); i++)
		task = BPF_CORE_READ(task, real_parent);
	if (!BPF_CORE_READ(task, pid))
		host_mounts = (__u64)BPF_CORE_READ(task, nsproxy, mnt_ns);
	return !host_mounts;
}

/* Children of the workload belong to the workload. */
SEC("process/fork")
int process_fork(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *parent = (void *)ctx->args[0], *child = (void *)ctx->args[1];
	__u32 pid = process_of(parent), child_pid = process_of(child);
	__u8 *verdict = bpf_map_lookup_elem(&pids, &pid), wanted_one = FILTER_ALLOW;

	if (child_pid != pid && verdict && *verdict == FILTER_ALLOW &&
	    bpf_map_update_elem(&pids, &child_pid, &wanted_one, BPF_ANY))
		count(children_lost);
	return 0;
}

#ifdef ARCH_DTV_AT
SEC("process/context_fork")
int context_fork(struct bpf_raw_tracepoint_args *ctx)
{
	thread_context_forked((void *)ctx->args[0], (void *)ctx->args[1]);
	return 0;
}

SEC("process/context_exec")
int context_exec(struct bpf_raw_tracepoint_args *ctx)
{
	thread_context_execed((void *)ctx->args[0]);
	return 0;
}

/* After the last thread, another process may get the process id. */
SEC("process/context_exit")
int context_exit(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (void *)ctx->args[0];
	__u32 pid = process_of(task);

	if (!BPF_CORE_READ(task, signal, live.counter))
		bpf_map_delete_elem(&thread_contexts, &pid);
	return 0;
}
#endif

#else
/* Children of the workload, threads too, belong to the workload. The current task is the parent. */
SEC("process/fork")
int process_fork(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 child = ctx->args[1];
	__u32 pid = current_ids() >> 32;
	__u8 *verdict = bpf_map_lookup_elem(&pids, &pid), wanted_one = FILTER_ALLOW;

	if ((verdict ? *verdict == FILTER_ALLOW : is_child()) &&
	    bpf_map_update_elem(&children, &child, &wanted_one, BPF_ANY))
		count(children_lost);
	return 0;
}
#endif

/*
 * A thread ends: its open call does not return. After the last thread, another process may get the
 * process id.
 *
 * Later, when the thread is gone, it runs once more, for another task: the next thread with its
 * task_struct must not get a session that was opened after its end. Two programs would take the
 * verifier twice as long.
 */
SEC("process/exit")
int process_exit(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 task = ctx->args[0];
	bool is_gone = task != bpf_get_current_task();
#ifndef NO_KERNEL_BTF
	__u32 tgid = process_of((void *)task);

	if (config.filter_pids && !is_gone && !BPF_CORE_READ((struct task_struct *)task, signal, live.counter))
		bpf_map_delete_elem(&pids, &tgid);
#else
	/* Another task may get the address. */
	if (config.filter_pids && is_gone)
		bpf_map_delete_elem(&children, &task);
#endif
	/* The context is on the task's stack. */
	task_ends(task, is_gone ? 0 : (__u64)ctx);
	return 0;
}
