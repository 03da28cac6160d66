/* SPDX-License-Identifier: BSD-2-Clause */
/* The attachment's state, for attach*.c and give_up.c only. */
#ifndef RETSNOOP_TRACE_ATTACH_ATTACH_INTERNAL_H
#define RETSNOOP_TRACE_ATTACH_ATTACH_INTERNAL_H

#include "bpf/cost.h"
#include "util/base/progress.h"
#include "util/base/vec.h"
#include "util/kernel/machine/kprobe_pmu.h"
#include "util/trace/attach/attach.h"

/*
 * A link whose functions can be given up: all functions of a method, or one function; or the copy of a
 * program that such links are of.
 */
struct loose_link {
	int fd;
	enum rung rung;
	uint32_t func;		/* index into the plan's functions; FUNC_ALL */
	bool is_program;
};

#define FUNC_ALL UINT32_MAX
#define FUNC_HOT (UINT32_MAX - 1)	/* entry functions of PART_HOT that share a link */
#define FUNC_ENTRIES (UINT32_MAX - 2)	/* all other entry functions, with --budget */

/* Functions of the plan that are attached together. */
enum part {
	PART_ALL,
	PART_ENTRIES,
	PART_HOT,	/* entry functions that are detached for a part of the time */
	PART_LOOSE,	/* functions that can be given up */
};

struct attachment {
	struct kernel *kernel;
	const struct features *features;
	const struct plan *plan;
	struct attached *attached;
	enum rung forced;
	uint32_t first;		/* functions before this one are attached already */
	struct programs *programs;
	struct kprobe_pmu pmu;
	struct kept_kprobes *kept;	/* NULL: perf events are closed with their links */
	VEC(int) links;
	VEC(struct loose_link) loose;	/* kprobes of modules, with --budget others: not in links */
	bool *given_up;		/* by function; NULL without --budget. Of entry functions: PART_HOT */
	uint32_t nr_given_up;
	uint64_t missed;	/* misses of links that were closed */
	uint64_t recursion_misses;	/* of programs that were closed */
	struct budget_control control;	/* as last written to BPF */
	VEC(int) copies;	/* programs of single rungs and of modules, then of probes */
	size_t first_probe_link, first_probe_copy, end_probe_link, end_probe_copy;
	VEC(int) breakpoints;	/* of the links */
	uint32_t nr_attached;
	uint32_t refused;	/* refusals reported by name, or counted */
	struct progress progress;
	uint32_t wanted;	/* functions to attach */
	uint64_t attach_ms;
	interrupted_fn interrupted;
	void *arg;
};

/*
 * The kernel refuses to attach to a function: move it to the next rung below. If there is none,
 * or the user chose the rung, it stays unattached; warnings name the first refused
 * functions.
 *
 * @index	into the plan's functions
 * @err		the kernel's negative errno
 * @return	0; -ENOMEM (reported)
 */
int attachment_refuse(struct attachment *a, uint32_t index, int err);
/* After all: how many no warning named. */
void attachment_say_refused(const struct attachment *a);

/*
 * A new descriptor of a module's BTF, for loading a program; the caller closes it. 0 for vmlinux,
 * whose programs need none. -ENOENT the module has no BTF; -errno.
 *
 * @module	btf_module of a function in the plan
 */
int attachment_btf_fd(struct attachment *a, int module);

/* Keep @fd, the descriptor of a program's copy, or a negative errno. Returns @fd; -ENOMEM. */
int attachment_keep_copy(struct attachment *a, int fd);

/*
 * Move the links from @first on to the loose links, whose functions can be given up, with their programs.
 *
 * @first	index into links
 * @first_copy	index into copies
 * @func	the one function that has these links, or FUNC_ALL
 * @return	0; -ENOMEM (reported)
 */
int attachment_loosen(struct attachment *a, size_t first, size_t first_copy, enum rung rung, uint32_t func);

/* Close it; what it missed is kept. */
void attachment_close_loose(struct attachment *a, const struct loose_link *link);

/* Attach a function by its assigned method, one that has links for each function. 0; -errno (not reported). */
int attach_one(struct attachment *a, uint32_t index);

/* Attach the functions from a->first on by their assigned methods. 0; -EINTR; -errno (reported). */
int attach_functions(struct attachment *a);

/* Attach the functions of a part that have this method. @module: index of their BTF; -1 any */
int attach_multi(struct attachment *a, enum rung rung, int module, enum part part);

#endif
