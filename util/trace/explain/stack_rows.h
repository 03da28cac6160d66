/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A session's stack as rows, outermost first: the kernel stack and the chain of traced calls laid
 * side by side. What all that is told of stacks has in common.
 */
#ifndef RETSNOOP_TRACE_EXPLAIN_STACK_ROWS_H
#define RETSNOOP_TRACE_EXPLAIN_STACK_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/trace/plan/plan.h"
#include "util/trace/plan/plan_index.h"
#include "util/trace/session/session.h"

struct stack_row {
	const struct event_frame *frame;	/* the traced call it is, or NULL; of the session */
	bool on_stack;
	bool left_out;		/* tracing put it there; never with a frame */
	bool gone;		/* a traced call was here, and left by a tail call */
	bool is_return;		/* `ip` is a return address */
	uint64_t ip;		/* 0 when not on the stack */
	const char *name;	/* NULL: not in any symbol; of the plan or the symbol table */
	const char *module;	/* NULL for vmlinux */
	uint64_t offset;	/* of ip, from the name's address; 0 when not on the stack */
	uint32_t first_source;	/* in `sources`: innermost first, as the symbolizer has them */
	uint32_t nr_sources;
};

/* Kept from session to session; strings in it live as long as plan and symbolizer. */
struct stack_rows {
	VEC(struct stack_row) rows;
	VEC(struct source_frame) sources;
	struct plan_index index;
	VEC(uint32_t) matches;	/* scratch */
};

/* All rows, those that tracing put there included, which are marked. 0; -ENOMEM. */
int stack_rows_fill(struct stack_rows *rows, struct symbolizer *symbolizer,
		    const struct plan *plan, const struct session *session);
void stack_rows_release(struct stack_rows *rows);

#endif
