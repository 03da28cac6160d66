/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of trimming: each marks what it finds, for the ones after it. */
#ifndef RETSNOOP_TRACE_BRANCHES_BRANCH_TRIM_INTERNAL_H
#define RETSNOOP_TRACE_BRANCHES_BRANCH_TRIM_INTERNAL_H

#include "util/trace/branches/branch_trim.h"

/* Facts about a record while records are sorted out; bits above the marks. */
enum {
	FROM_INSIDE = 1 << 16,	/* an interrupt */
	TO_INSIDE = 1 << 17,
	OPENS = 1 << 18,	/* begins an interrupt that has not ended */
	REOPENS = 1 << 19,	/* one that seemed to end, but returned to another place */
	AROUND = 1 << 20,	/* of tracing, which returned to the interrupted code */
};

static inline bool is_blank(const struct branch *branch)
{
	return branch->marks & BRANCH_IS_BLANK;
}

/* Whether neither end is in an interrupt. */
static inline bool is_outside(const struct branch *branch)
{
	return !is_blank(branch) && !(branch->marks & (FROM_INSIDE | TO_INSIDE));
}

/* Whether code runs only for tracing. */
static inline bool is_tracings(const struct code_place *place)
{
	return place->kind == CODE_TRAMPOLINE || place->kind == CODE_TRACING ||
	       place->kind == CODE_TRACING_PROGRAM;
}

void find_interrupts(struct branches *branches, const struct branch_place_rules *rules);

/* The return that begins tracing's last records, if it is known; or NULL. */
struct branch *find_tracing(struct branches *branches, const struct branch_place_rules *rules);

#endif
