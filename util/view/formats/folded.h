/* SPDX-License-Identifier: BSD-2-Clause */
/* Sessions as folded stacks, for flame graphs: "comm;outer;inner 42". */
#ifndef RETSNOOP_VIEW_FORMATS_FOLDED_H
#define RETSNOOP_VIEW_FORMATS_FOLDED_H

/* What the number behind a stack is. */
enum folded_by {
	FOLDED_COUNT,	/* sessions that ended there */
	FOLDED_ERRNO,	/* the same, with the result as one more frame: "[-EINVAL]" */
	FOLDED_LATENCY,	/* nanoseconds in that call, but not in traced calls inside it */
};

struct view;
struct view_context;

/* Stacks that are the same are one line, printed at the end. NULL when out of memory. */
struct view *view_folded_new(const struct view_context *context, enum folded_by by);

#endif
