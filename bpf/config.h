/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* The BPF programs' configuration, set by user space before they are loaded. */
#ifndef RETSNOOP_BPF_CONFIG_H
#define RETSNOOP_BPF_CONFIG_H

#include <linux/types.h>

#define CONFIG_ERRNO_WORDS 64	/* bits 0 (NULL) and 1..4095 */

/* Verdicts in the maps of process ids and command names. */
#define FILTER_ALLOW 1
#define FILTER_DENY 2

/* Stacks at entry: of the outermost calls, the frames of each up to the next traced call. */
#define ENTRY_STACK_DEPTH 64
#define ENTRY_STACK_IPS 64
/* Of a chain's innermost calls: what is kept when it breaks, since later calls have their own there. */
#define BROKEN_STACKS 8

/* The fentry and fexit programs have this immediate in place of a function's cookie. */
#define COOKIE_MARKER 0x5265745f6d61726bull
#define COOKIE_MARKER_STRING "0x5265745f6d61726b"

/*
 * Programs have these in place of what the kernel's BTF has an id for: the variable with the preempt count,
 * and kfuncs, which are called as helpers with these numbers. To resolve them, libbpf would read all of
 * that BTF.
 */
#define PREEMPT_MARKER 0x5265745f70726565ull
#define PREEMPT_MARKER_STRING "0x5265745f70726565"
#define KFUNC_IS_RETURN 0x52650001
#define KFUNC_SESSION_COOKIE 0x52650002

#define CONFIG_RETURN_HOOKS 3

#define CONFIG_CGROUPS 64

/* Where applications' spans are read from. */
#define TRACE_CONTEXT_MAP 1	/* a pinned map, which another program fills */
#define TRACE_CONTEXT_THREADS 2 /* the threads' own memory (bpf/thread_context_place.h) */

/* A condition on a result: it holds if one of the terms holds. */
#define CONFIG_TERMS 8

enum term_op {
	TERM_EQ,
	TERM_NE,
	TERM_LT,
	TERM_LE,
	TERM_GT,
	TERM_GE,
};

struct config_term {
	__s64 value;
	__u32 op;	/* enum term_op: result OP value */
	__u32 spare;
};

struct config_terms {
	__u32 nr;
	__u32 spare;
	struct config_term terms[CONFIG_TERMS];
};

#define CONFIG_RULES 64		/* of --error-if; COOKIE_RULE() has 8 bits */

/*
 * Bits of the preempt count that say what a CPU is doing. All 0: not known, and everything counts
 * as a task.
 */
struct config_contexts {
	__u32 softirq;		/* a softirq runs; PREEMPT_RT has this in the task instead */
	__u32 hardirqs;		/* number of nested hardirqs */
	__u32 nmis;		/* number of nested NMIs */
	__u32 any;		/* all of these */
	__u32 breakpoint;	/* added to the two while a breakpoint is handled */
};

/*
 * How a return's program computes the stack pointer that the call had at its entry: from the stack
 * pointer in the registers. Where that is wrong (fprobe in 6.14 to 6.18.12), on x86 from the end of
 * the registers, which are on the stack of the returning call; on arm64 the caller's frame pointer
 * replaces the stack pointer, at the entry too: it points into the caller's frame, at the stack
 * pointer or above, and below the next frame.
 */
struct config_exit_sp {
	__u8 by_context;
	__u8 delta;	/* to subtract: the return instruction popped the return address */
	__u8 by_frame;
};

/*
 * With kept_at, the upper half of an int's result that was kept: in an object that was complete, or that somebody else
 * completes. Its lower half is the error. What a function returns has other numbers there, if any.
 */
#define KEPT_MARK 0x6b657074u
#define KEPT_ELSEWHERE_MARK 0x6b657075u

struct bpf_config {
	/* Features of the kernel. */
	__u8 attach_cookies;	/* bpf_get_attach_cookie() for single kprobes, 5.15 */
	__u8 func_ret;		/* bpf_get_func_ret(), 5.17 */
	__u8 entry_stacks;	/* return probes cannot unwind: keep stacks of entries */
	__u8 callers_by_link;	/* these lack the caller, which is in a register: arm64's 5.10 */
	__u8 late_hooks;	/* return_hooks may be set only after the entry program: fprobe */
	__u8 entries_break;	/* kprobes at entries are breakpoints: no CONFIG_KPROBES_ON_FTRACE */
	__u8 kprobe_ip_offset;	/* of a kprobe's instruction pointer, from the function's start */

	/* The user's request. */
	__u8 successes;
	__u8 interim;
	__u8 filter_pids;
	__u8 only_listed_pids;
	__u8 filter_comms;
	__u8 only_listed_comms;
	__u8 allow_errnos_used;
	__u8 deny_errnos_used;
	__u8 nr_cgroups;	/* in the cgroups map; 0: any cgroup */
	__u8 filter_uids;
	__u8 filter_result;	/* the entry call's result must meet `result` */
	__u8 stacks;		/* take kernel stacks */
	__u8 trace;		/* record traces */
	__u8 summary;		/* sessions are counted, not sent */
	__u8 summary_by;	/* enum summary_by: what rows are grouped by */
	__u8 summary_producers;	/* and by producer, too */
	__u8 nmi;		/* BPF is safe in NMIs */
	__u8 preempt_variable;	/* the programs know the variable with the preempt count */
	__u8 nr_rules;		/* in error_rules */
	__u8 args;		/* capture arguments, in traces */
	__u8 wheres;		/* there are conditions on arguments */
	__u8 branches;		/* take snapshots of the CPU's last branches */
	__u8 probes;		/* there are probes inside sessions */
	__u8 cgroup_ids;	/* bpf_get_current_cgroup_id(): CONFIG_CGROUPS */
	__u8 pid_namespace;	/* show ids of retsnoop's namespace, not the kernel's own */
	__u8 trace_context;	/* TRACE_CONTEXT_x: read applications' spans (bpf/trace_context.bpf.h) */
	__u8 budget;		/* count costs, and skip entry calls (bpf/budget.bpf.h) */
	__u16 wheres_inside;	/* bit per condition that some call inside must meet */
	struct config_exit_sp kprobe_exit, multi_exit, session_exit;
	__u32 own_pid;		/* process whose calls are ignored; 0 none */
	__u32 kept_at;		/* where entry functions' first parameter has their error (bpf/kept.bpf.h); 0: they return it */
	__u32 max_depth;	/* up to EVENT_MAX_DEPTH */
	__u32 trace_size;	/* edges in a session's buffer; a power of two */
	struct config_contexts contexts;
	/*
	 * The preempt count's offset in the per-CPU variable of the loaded programs (preempt_variable).
	 * For kernels whose BTF lacks it: the address of __per_cpu_offset (0: not needed or not
	 * known), and of __preempt_count within a CPU's part. Where tasks have the count: its
	 * offset in task_struct.
	 */
	__u64 per_cpu_offsets;
	__u64 preempt_count;
	/* The PID namespace, for kernels without BTF: device and inode of /proc/self/ns/pid. */
	__u64 pid_namespace_dev;
	__u64 pid_namespace_ino;
	__u64 longer_ns;
	__u64 fn_longer_ns;	/* some call inside took at least this long; 0 any */
	struct config_terms result;
	struct config_terms error_rules[CONFIG_RULES];
	/* Addresses that return probes put in place of a return address; 0: none, or not known. */
	__u64 return_hooks[CONFIG_RETURN_HOOKS];
	__u64 allow_errnos[CONFIG_ERRNO_WORDS];
	__u64 deny_errnos[CONFIG_ERRNO_WORDS];
};

#endif
