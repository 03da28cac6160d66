/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prepares branches for views: in the order they were taken, each with marks. Pure code:
 * callbacks tell which code is at an address.
 */
#ifndef RETSNOOP_TRACE_BRANCHES_BRANCH_TRIM_H
#define RETSNOOP_TRACE_BRANCHES_BRANCH_TRIM_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/event.h"
#include "util/base/vec.h"

struct session;

/* Marks of a record; bits. */
enum branch_marks {
	BRANCH_IS_TRACING = 1 << 0,	/* on the way to tracing's programs, or back */
	BRANCH_IS_BLANK = 1 << 1,	/* from or to 0: the rest of a filtered ring */
	BRANCH_IS_DUPLICATE = 1 << 2,	/* as the record before it: a loop went round */
	BRANCH_IS_INTERRUPT = 1 << 3,	/* of an interrupt; shown, and marked */
};

/* Records with these marks are not shown. */
#define BRANCH_LEFT_OUT (BRANCH_IS_TRACING | BRANCH_IS_BLANK | BRANCH_IS_DUPLICATE)

#define BRANCH_NO_NR UINT32_MAX

/* Kinds of code that matter for trimming. Exceptions count as interrupts. */
enum code_kind {
	CODE_OTHER,
	CODE_INTERRUPT_ENTRY,	/* its beginning: the CPU goes there by itself */
	CODE_INTERRUPT,		/* further in */
	CODE_INTERRUPT_EXIT,	/* on the way back; the last branch from there goes back */
	CODE_TRAMPOLINE,	/* generated for tracing: around calls of a traced function */
	CODE_PROGRAM,		/* a BPF program with any caller */
	CODE_TRACING_PROGRAM,	/* a program that tracing calls */
	CODE_TRACING,		/* a function of the kernel that runs for tracing only */
	CODE_THUNK,		/* used for returns */
};

struct code_place {
	enum code_kind kind;
	bool is_breakpoint;	/* the interrupt is a breakpoint: a probe's */
	uint64_t offset;	/* in the function */
};

struct branch {
	uint64_t from;
	uint64_t to;	/* its landing */
	uint64_t flags;	/* as struct event_branch */
	uint32_t nr;	/* its number: 0 is the newest shown; BRANCH_NO_NR: left out */
	uint32_t marks;	/* enum branch_marks */
	uint32_t times;	/* how often it was taken in a row, with duplicates; 0 for a duplicate */
	struct code_place from_place, to_place;
};

struct branch_place_rules {
	/* Whether an address is in the function that returned, or in its cold parts. */
	bool (*in_function)(void *arg, uint64_t addr);
	/* Whether an address is in a traced function; may be NULL: not known. */
	bool (*is_traced)(void *arg, uint64_t addr);
	/* May be NULL: nothing is known. */
	struct code_place (*place)(void *arg, uint64_t addr);
	/*
	 * The function that a branch to @to leads into, where it leads to code before it (call depth tracking); else @to.
	 * May be NULL: not known.
	 */
	uint64_t (*landing)(void *arg, uint64_t to);
	void *arg;
};

struct branches {
	VEC(struct branch) v;	/* oldest first, including records left out */
	uint32_t nr_shown;	/* not left out */
	uint32_t nr_recorded;	/* not blank */
	bool none_left;		/* nothing to show: all records are tracing's, or blank */
};

/* Fill @branches, which may have been filled before, from a session's. 0; -ENOMEM. */
int branches_trim(const struct session *session, const struct branch_place_rules *rules,
		  struct branches *branches);
void branches_release(struct branches *branches);

#endif
