/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branches as they are shown: in the order they were taken, each with what is to be said of it.
 * Pure code: what is where comes from callbacks.
 */
#ifndef RETSNOOP_CAPTURE_BRANCHES_BRANCH_TRIM_H
#define RETSNOOP_CAPTURE_BRANCHES_BRANCH_TRIM_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/event.h"
#include "util/base/vec.h"

struct session;

/* What there is to say of a record; bits. */
enum branch_marks {
	BRANCH_IS_TRACING = 1 << 0,	/* on the way to tracing's programs, or back */
	BRANCH_IS_BLANK = 1 << 1,	/* from or to 0: the rest of a filtered ring */
	BRANCH_IS_DUPLICATE = 1 << 2,	/* as the record before it: a loop went round */
	BRANCH_IS_INTERRUPT = 1 << 3,	/* of an interrupt that cut in; shown, and marked */
};

/* Those that are not worth a line. */
#define BRANCH_LEFT_OUT (BRANCH_IS_TRACING | BRANCH_IS_BLANK | BRANCH_IS_DUPLICATE)

#define BRANCH_NO_NR UINT32_MAX

/* What code is for, as far as that matters here. Exceptions are interrupts. */
enum code_kind {
	CODE_OTHER,
	CODE_INTERRUPT_ENTRY,	/* where one begins: the CPU goes there by itself */
	CODE_INTERRUPT,		/* further in */
	CODE_INTERRUPT_EXIT,	/* on the way back; the last branch from there goes back */
	CODE_TRAMPOLINE,	/* made for tracing: around calls of a traced function */
	CODE_PROGRAM,		/* a BPF program, whoever calls it */
	CODE_TRACING_PROGRAM,	/* one that tracing calls */
	CODE_TRACING,		/* a function of the kernel that runs for tracing only */
	CODE_THUNK,		/* that returns go by */
};

struct code_place {
	enum code_kind kind;
	bool is_breakpoint;	/* the interrupt is a breakpoint: a probe's */
	uint64_t offset;	/* in the function */
};

struct branch {
	uint64_t from;
	uint64_t to;
	uint64_t flags;	/* as struct event_branch */
	uint32_t nr;	/* its number: 0 is the newest one shown; BRANCH_NO_NR: left out */
	uint32_t marks;	/* enum branch_marks */
	uint32_t times;	/* it was taken in a row, duplicates after it included; 0 of those */
	struct code_place from_place, to_place;
};

struct branch_place_rules {
	/* Whether an address is in the function whose return it was, its cold parts included. */
	bool (*in_function)(void *arg, uint64_t addr);
	/* Whether an address is in a traced function; may be NULL: not known. */
	bool (*is_traced)(void *arg, uint64_t addr);
	/* May be NULL: nothing is known. */
	struct code_place (*place)(void *arg, uint64_t addr);
	void *arg;
};

struct branches {
	VEC(struct branch) v;	/* oldest first, those left out included */
	uint32_t nr_shown;	/* not left out */
	uint32_t nr_recorded;	/* not blank */
	bool none_left;		/* nothing to show: all of it is tracing's, or blank */
};

/* Fill @branches, which may have been filled before, from a session's. 0; -ENOMEM. */
int branches_trim(const struct session *session, const struct branch_place_rules *rules,
		  struct branches *branches);
void branches_release(struct branches *branches);

#endif
