/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * --budget: counts the cost of tracing, and follows only a part of the entry calls.
 *
 * Without --budget the programs contain none of this.
 */
#ifndef RETSNOOP_BPF_BUDGET_BPF_H
#define RETSNOOP_BPF_BUDGET_BPF_H

#include "bpf/context.bpf.h"
#include "bpf/cost.h"
#include "bpf/define_map.bpf.h"
#include "bpf/maps.bpf.h"

MAP(budget_cpus, PERCPU_ARRAY, 1, __u32, struct budget_cpu);

MAP(budget_funcs, PERCPU_ARRAY, 1, __u32, struct budget_func);

/*
 * Tasks and interrupts in an entry call that is not followed. Entry functions called inside it open
 * no session: that would lack its beginning. Of two tasks that share a mark, the later one has it.
 */
struct budget_mark {
	__u64 key;
	__u64 sp;	/* of that call */
};

MAP(budget_marks, ARRAY, 1, __u32, struct budget_mark);

/* Written by user space while running. */
volatile struct budget_control budget_control SEC(".data.budget");

/* A stack pointer further below a marked call's than this is on another stack. */
#define BUDGET_STACK_SPAN (64 << 10)

static __always_inline struct budget_cpu *budget_cpu(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&budget_cpus, &zero);
}

/*
 * A traced function was entered. Samples are chosen at random: with a fixed step, a loop would
 * always show the same function.
 */
static __always_inline void budget_hit(__u64 cookie, enum hit_kind kind)
{
	struct budget_func *func;
	struct budget_cpu *cpu;
	__u32 index;

	if (!config.budget)
		return;
	cpu = budget_cpu();
	if (!cpu)
		return;
	cpu->hits_ns += budget_control.hit_ns[kind];
	cpu->random = cpu->random * 6364136223846793005ull + 1442695040888963407ull;
	if (cpu->random >> (64 - BUDGET_SAMPLE_SHIFT))
		return;
	index = COOKIE_FUNC(cookie);
	func = bpf_map_lookup_elem(&budget_funcs, &index);
	if (func)
		func->samples++;
}

static __always_inline void budget_spent(__u64 start_ns, bool in_session)
{
	__u64 ns = bpf_ktime_get_ns() - start_ns;
	struct budget_cpu *cpu = budget_cpu();

	if (!cpu)
		return;
	if (ns > BUDGET_MAX_NS)
		ns = BUDGET_MAX_NS;
	ns += budget_control.bracket_ns;
	if (in_session)
		cpu->session_ns += ns;
	else
		cpu->outside_ns += ns;
}

/* A return that the kernel would have skipped. */
static __always_inline void budget_exit_hit(void)
{
	struct budget_cpu *cpu = config.budget ? budget_cpu() : NULL;

	if (cpu)
		cpu->hits_ns += budget_control.exit_ns;
}

static __always_inline void budget_failed(__u32 index)
{
	struct budget_func *func;

	if (!config.budget)
		return;
	func = bpf_map_lookup_elem(&budget_funcs, &index);
	if (func)
		func->failures++;
}

static __always_inline struct budget_mark *budget_mark_of(__u64 key)
{
	__u32 index = key * 0x9e3779b97f4a7c15ull >> 48 & (BUDGET_MARKS - 1);

	return bpf_map_lookup_elem(&budget_marks, &index);
}

/* To the verifier a trampoline's stack pointer is a pointer, which it does not compare or store. */
static __always_inline __u64 budget_sp(__u64 sp)
{
	struct budget_cpu *cpu = budget_cpu();

	if (!cpu)
		return 0;
	*(volatile __u64 *)&cpu->scratch = sp;
	return *(volatile __u64 *)&cpu->scratch;
}

/* Whether to skip an entry call that would open a session. Marks a skipped call. */
static __noinline int budget_sheds(__u64 key, __u64 sp)
{
	struct budget_mark *mark = budget_mark_of(key);
	struct event_stats *all;
	__u32 zero = 0, keep = budget_control.keep;

	if (!mark)
		return 0;
	if (mark->key == key) {
		/* The marked call is over if this one is at or above it, or on another stack. */
		if (mark->sp - sp - 1 < BUDGET_STACK_SPAN - 1)
			return 1;
		mark->key = 0;
	}
	if (keep == BUDGET_KEEP_ALL || bpf_get_prandom_u32() < keep)
		return 0;
	all = bpf_map_lookup_elem(&stats, &zero);
	if (all)
		__sync_fetch_and_add(&all->shed, 1);
	mark->sp = sp;
	mark->key = key;
	return 1;
}

/* Whether the call at @sp is the marked one: its return must be seen. */
static __always_inline bool budget_is_marked(__u64 key, __u64 sp)
{
	struct budget_mark *mark = budget_mark_of(key);

	return mark && mark->key == key && mark->sp == sp;
}

/* A traced function returns. */
static __noinline int budget_returned(__u64 sp)
{
	__u64 key = session_key(current_context());
	struct budget_mark *mark = budget_mark_of(key);

	if (mark && mark->key == key && mark->sp == sp)
		mark->key = 0;
	return 0;
}

/* A task ends: another task will get its task_struct. */
static __always_inline void budget_forget(__u64 key)
{
	struct budget_mark *mark;

	if (!config.budget)
		return;
	mark = budget_mark_of(key);
	if (mark && mark->key == key)
		mark->key = 0;
}

#endif
