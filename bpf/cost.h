/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* What tracing costs, as BPF counts it for --budget. */
#ifndef RETSNOOP_BPF_COST_H
#define RETSNOOP_BPF_COST_H

#include <linux/types.h>

/* The attach method of a hit, in the order of util/ask/rung.h. */
enum hit_kind {
	HIT_FSESSION_MULTI,
	HIT_KPROBE_SESSION,
	HIT_KPROBE_MULTI,
	HIT_FENTRY,
	HIT_KPROBE,
	NR_HIT_KINDS,
};

/* One set for each CPU. */
struct budget_cpu {
	__u64 hits_ns;		/* cost of the functions' hits before a program does anything */
	__u64 outside_ns;	/* programs' time for entry calls that were not followed */
	__u64 session_ns;	/* programs' time in sessions */
	__u64 random;
	__u64 scratch;
	__u64 spare[3];
};
_Static_assert(sizeof(struct budget_cpu) == 64, "a cache line");

/* On average one of BUDGET_SAMPLE hits is counted by function. */
#define BUDGET_SAMPLE_SHIFT 4
#define BUDGET_SAMPLE (1u << BUDGET_SAMPLE_SHIFT)

/* One for each function and CPU. Both wrap around. */
struct budget_func {
	__u32 samples;	/* sampled hits */
	__u32 failures;	/* failed calls in sessions */
};

/* Entry calls whose random number is below `keep` are followed; this value: all. */
#define BUDGET_KEEP_ALL (~0u)

/*
 * Written by user space while BPF runs. Times are measured when programs are loaded (hit_cost.h).
 */
struct budget_control {
	__u32 keep;
	__u32 bracket_ns;		/* time of a program outside the part that it times */
	__u32 hit_ns[NR_HIT_KINDS];	/* a hit without effect: kernel's and program's part */
	__u32 exit_ns;			/* RUNG_KPROBE_SESSION: a return that is not skipped */
};
_Static_assert(sizeof(struct budget_control) == 32, "without padding");

/* Tasks whose outermost entry call is not followed, by hash. A power of two. */
#define BUDGET_MARKS (1u << 16)

/* No program runs longer than this: the task was preempted, or the machine was stopped. */
#define BUDGET_MAX_NS (1u << 20)

#endif
