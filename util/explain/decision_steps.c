// SPDX-License-Identifier: BSD-2-Clause
/*
 * How an errno went up: the functions between the one that failed and the entry call, from the
 * kernel stack, with untraced and inlined functions. The results of traced functions are known.
 */
#include "util/explain/decision_steps.h"

#include <errno.h>
#include <string.h>

#include "bpf/result_rule.h"
#include "util/base/macros.h"

/* A call's result as a number: an errno is the same in results of any size. */
static int64_t code_of(const struct event_frame *frame, const struct plan *plan)
{
	return result_number(frame->result, plan->funcs.data[frame->func].returns);
}

/* The call whose branches were recorded: the innermost one that fits; NULL: none. */
static const struct event_frame *failing_frame(const struct session *session)
{
	for (uint32_t i = session->nr_frames; i-- > 0;) {
		const struct event_frame *frame = &session->frames[i];

		if (frame->func == session->branches_func &&
		    frame->result == session->branches_result &&
		    !(frame->flags & EVENT_FRAME_UNFINISHED))
			return frame;
	}
	return NULL;
}

/* Whether the function is a part of a system call's wrapper. */
static bool is_wrapper_part(const char *function)
{
	return function &&
	       (startswith(function, "__do_sys_") || startswith(function, "__se_sys_"));
}

/* Add a row's inlined calls, then its own function. */
static int add_row(const struct stack_rows *rows, const struct stack_row *row,
		   const struct event_frame *frame, struct decision *decision)
{
	const struct place *place = &row->place;

	for (uint32_t i = place->nr_sources ?: 1; i-- > 0;) {
		const struct source_frame *source = place_source(rows->places, place, i);
		struct decision_step step = {
			.function = place->name,
			.inlined = i,
			.frame = i ? NULL : frame,
			.place = { .addr = place->addr, .symbol = place->name,
				   .offset = place->offset },
		};

		if (source) {
			if (i)
				step.function = source->function;
			step.place.function = source->function;
			step.place.file = source->file;
			step.place.line = source->line;
			step.place.column = source->column;
			step.place.inlined = i;
		}
		if (step.inlined && is_wrapper_part(step.function))
			continue;
		if (vec_push(&decision->steps, step))
			return -ENOMEM;
	}
	return 0;
}

/* Fill in results, and mark where one result became another. */
static void compare_codes(const struct plan *plan, const struct event_frame *failing,
			  struct decision *decision)
{
	int64_t code = code_of(failing, plan);

	vec_foreach(step, &decision->steps) {
		if (!step->frame)
			continue;
		step->code = code_of(step->frame, plan);
		/* A call that did not fail did not pass an error on. */
		if (!(step->frame->flags & EVENT_FRAME_FAILED))
			continue;
		step->changed = step->code != code;
		code = step->code;
	}
}

int decision_steps_fill(const struct stack_rows *stack, const struct session *session,
			struct decision *decision)
{
	const struct event_frame *failing = failing_frame(session), *last = NULL;
	const struct stack_row *row;
	size_t inner;
	int err;

	if (!failing)
		return 0;
	for (inner = stack->v.len; inner-- > 0;) {
		if (stack->v.data[inner].frame == failing)
			break;
	}
	if (inner >= stack->v.len)
		return 0;
	for (size_t i = inner; i-- > 0 && last != session->frames;) {
		row = &stack->v.data[i];
		if (row->frame && row->frame->flags & EVENT_FRAME_UNFINISHED)
			break;
		if (!row->frame && row->left_out)
			continue;
		last = row->frame ?: last;
		err = add_row(stack, row, row->frame, decision);
		if (err)
			return err;
	}
	/* Frames outside the entry function are ignored. */
	while (decision->steps.len && !decision->steps.data[decision->steps.len - 1].frame)
		decision->steps.len--;
	compare_codes(stack->places->plan, failing, decision);
	return 0;
}
