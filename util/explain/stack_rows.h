/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A session's stack as rows, outermost first: the kernel stack side by side with the chain of
 * traced calls. All views of stacks use it.
 */
#ifndef RETSNOOP_EXPLAIN_STACK_ROWS_H
#define RETSNOOP_EXPLAIN_STACK_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/explain/place.h"
#include "util/trace/session/session.h"

struct stack_row {
	const struct event_frame *frame;	/* the traced call it is, or NULL; of the session */
	bool on_stack;
	bool left_out;		/* tracing put it there; never with a frame */
	bool gone;		/* a traced call was here, and ended in a tail call */
	bool is_return;		/* the place is a return address */
	struct place place;	/* addr and offset 0 when not on the stack */
};

/* Kept from session to session; strings in it live as long as plan and symbolizer. */
struct stack_rows {
	VEC(struct stack_row) v;
	const struct places *places;	/* has the rows' sources; borrowed */
	VEC(uint32_t) matches;	/* scratch */
};

/* All rows; rows that tracing added are marked. 0; -ENOMEM. */
int stack_rows_fill(struct stack_rows *rows, struct places *places, const struct session *session);
void stack_rows_release(struct stack_rows *rows);

#endif
