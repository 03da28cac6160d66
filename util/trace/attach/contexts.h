/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How to tell tasks, softirqs, hardirqs and NMIs apart on a kernel: by the place of its preempt
 * count, and the meaning of the count's bits. Either may be known without the other.
 */
#ifndef RETSNOOP_TRACE_ATTACH_CONTEXTS_H
#define RETSNOOP_TRACE_ATTACH_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/config.h"

struct btf;
struct symbols;

/* Location of a CPU's preempt count. */
struct preempt_count {
	uint32_t var;		/* BTF's id of the per-CPU variable; 0 BTF does not have it */
	uint32_t offset;	/* of the count in the variable */
	/* Without var: addresses as in struct bpf_config; 0 not known. */
	uint64_t per_cpu_offsets, addr;
	bool in_task; /* addr is an offset in task_struct */
};

/* Facts about the layout of a kernel's preempt count. */
struct context_facts {
	bool found;		/* the count can be read */
	bool typed;		/* the kernel describes its types */
	bool counts_disabling;	/* it counts how often interrupts were disabled (7.3) */
	bool realtime;		/* PREEMPT_RT */
	uint32_t bytes;		/* of the count, as typed; 0 not typed (BTF up to 5.10 has no variables) */
	uint32_t seen_hardirq;	/* what a hardirq adds, measured; 0 not tried, or failed */
};

enum contexts_told {
	CONTEXTS_TOLD,		/* all are told apart */
	CONTEXTS_NO_SOFTIRQS,	/* softirqs count as the task that runs them */
	CONTEXTS_UNKNOWN_LAYOUT,	/* everything counts as the task */
	CONTEXTS_UNKNOWN_PLACE,	/* everything counts as the task */
};

struct contexts {
	enum contexts_told told;
	struct config_contexts bits;	/* all 0 if everything counts as the task */
	struct preempt_count count;
};

/* The value that one hardirq adds to the count; 0: the facts do not say. Pure code. */
uint32_t contexts_hardirq(const struct context_facts *facts);
/* Fill in how contexts are told apart. Pure code; @ret->count is not changed. */
void contexts_choose(const struct context_facts *facts, struct contexts *ret);
/* The reason and its effect; NULL if all are told apart. Static. */
const char *contexts_problem(enum contexts_told told);
const char *contexts_effect(enum contexts_told told);

/* Warn before a run if not all are told apart. */
void contexts_warn(const struct contexts *contexts);

/*
 * Find out about the running kernel. If BTF and symbols do not give the layout, it is measured
 * with contexts_try().
 *
 * @btf		the kernel's types; NULL not known
 * @has_ids	the kernel knows their ids
 * @symbols	NULL: not known; then the count is found only through BTF
 */
void contexts_find(const struct btf *btf, bool has_ids, const struct symbols *symbols, struct contexts *ret);

/**
 * Measure what a timer interrupt adds to the preempt count. Mostly takes one period of 50 us.
 *
 * @return	the value; 0 it makes no sense; -ETIME no interrupt in 50 ms; -errno it cannot be
 *		measured
 */
int64_t contexts_try(const struct preempt_count *count);

#endif
