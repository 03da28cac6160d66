/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of trimming: each marks what it finds, for the ones after it. */
#ifndef RETSNOOP_CAPTURE_BRANCHES_BRANCH_TRIM_INTERNAL_H
#define RETSNOOP_CAPTURE_BRANCHES_BRANCH_TRIM_INTERNAL_H

#include "util/capture/branches/branch_trim.h"

/* What is known of a record while they are sorted out; above the marks. */
enum {
	FROM_INSIDE = 1 << 16,	/* an interrupt */
	TO_INSIDE = 1 << 17,
	OPENS = 1 << 18,	/* begins an interrupt that is not over */
	REOPENS = 1 << 19,	/* one that seemed to be over, but went back to elsewhere */
	AROUND = 1 << 20,	/* of tracing, which went back to what it had interrupted */
};

static inline bool is_blank(const struct branch *branch)
{
	return branch->marks & BRANCH_IS_BLANK;
}

/* Whether none of it is of an interrupt. */
static inline bool is_outside(const struct branch *branch)
{
	return !is_blank(branch) && !(branch->marks & (FROM_INSIDE | TO_INSIDE));
}

/* Whether code runs for nothing but tracing. */
static inline bool is_tracings(const struct code_place *place)
{
	return place->kind == CODE_TRAMPOLINE || place->kind == CODE_TRACING ||
	       place->kind == CODE_TRACING_PROGRAM;
}

void find_interrupts(struct branches *branches, const struct branch_place_rules *rules);

/* The return with which the last of tracing begins, as far as it is known; or NULL. */
struct branch *find_tracing(struct branches *branches, const struct branch_place_rules *rules);

#endif
