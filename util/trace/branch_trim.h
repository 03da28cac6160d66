/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branches as they are shown: in the order they were taken, each with what is to be said of it. Pure
 * code: what is where comes from callbacks.
 */
#ifndef RETSNOOP_TRACE_BRANCH_TRIM_H
#define RETSNOOP_TRACE_BRANCH_TRIM_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/event.h"
#include "util/base/vec.h"

struct session;

/* Why a record is not worth a line; bits. */
enum branch_marks {
	BRANCH_IS_TRACING = 1 << 0,	/* newer than the function's own end: how tracing got here */
	BRANCH_IS_BLANK = 1 << 1,	/* from or to 0: the rest of a filtered ring */
	BRANCH_IS_DUPLICATE = 1 << 2,	/* the same record again, without anything between */
	BRANCH_IS_INTERRUPT = 1 << 3,	/* inside an interrupt that cut in; shown, and marked */
};

#define BRANCH_LEFT_OUT (BRANCH_IS_TRACING | BRANCH_IS_BLANK | BRANCH_IS_DUPLICATE)

struct branch {
	uint64_t from;
	uint64_t to;
	uint64_t flags;		/* as struct event_branch */
	uint32_t nr;		/* its number: 0 is the newest one that is left after trimming */
	uint32_t marks;		/* enum branch_marks */
};

struct branch_place_rules {
	/* Whether an address is in the function whose return it was, its cold parts included. */
	bool (*in_function)(void *arg, uint64_t addr);
	/* Whether an interrupt's or exception's entry begins at the address. */
	bool (*is_interrupt_entry)(void *arg, uint64_t addr);
	void *arg;
};

struct branches {
	VEC(struct branch) v;	/* oldest first, those left out included */
	uint32_t nr_shown;	/* not left out */
	bool none_left;		/* nothing of the function is left: all of it is tracing's, or older */
};

/* Fill @branches, which may have been filled before, from a session's. 0; -ENOMEM. */
int branches_trim(const struct session *session, const struct branch_place_rules *rules,
		  struct branches *branches);
void branches_release(struct branches *branches);

#endif
