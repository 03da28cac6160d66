/* SPDX-License-Identifier: BSD-2-Clause */
/* Sessions as folded stacks, for flame graphs: "comm;outer;inner 42". */
#ifndef RETSNOOP_VIEW_FORMATS_FOLDED_H
#define RETSNOOP_VIEW_FORMATS_FOLDED_H

/* The number after a stack. */
enum folded_by {
	FOLDED_COUNT,	/* sessions with this stack */
	FOLDED_ERRNO,	/* the same, with the result as another frame: "[-EINVAL]" */
	FOLDED_LATENCY,	/* nanoseconds in that call, but not in traced calls inside it */
};

struct view;
struct view_context;

/* Equal stacks are one line, printed at the end. NULL: out of memory. */
struct view *view_folded_new(const struct view_context *context, enum folded_by by);

#endif
