// SPDX-License-Identifier: BSD-2-Clause
/* Looks up the functions of a stack. */
#include "util/why/reasons/taken_stack.h"

#include <string.h>

#include "util/base/strbuf.h"
#include "util/explain/place.h"
#include "util/kernel/symbols/syscall_name.h"
#include "util/view/parts/json.h"
#include "util/view/session/code_place.h"
#include "util/view/session/view.h"

/* Rows that are shown without -v. */
#define FEW_ROWS 8
/* Functions from the innermost that may tell what happened. */
#define TELLING_FRAMES 8

/* Functions that run what is due, with what they were called for below them (kernel/softirq.c). */
static bool begins_softirq(const char *name)
{
	return !strcmp(name, "handle_softirqs") || !strcmp(name, "__do_softirq");
}

/* The first address of all is where the probe was, which may be the beginning of a function; others are returns. */
static void look_up(const struct view_context *context, const struct taken_stack *stack, uint32_t i,
		    struct symbolized *found)
{
	symbolizer_lookup(context->explain.symbolizer, stack->addrs[i], stack->addrs + i != stack->begin, found);
}

struct taken_stack taken_stack_of(const struct view_context *context, const __u64 *addrs, uint32_t max,
				  bool (*passes_on)(const char *name))
{
	struct taken_stack stack = { .begin = addrs, .addrs = addrs };
	struct symbolized found;

	while (stack.addrs + stack.nr < addrs + max && stack.addrs[stack.nr]) {
		const char *name;

		/*
		 * The program that took the stack is gone by now. Reading all symbols again to find it would take
		 * seconds on a slow machine.
		 */
		if (!stack.nr && !symbolizer_knows(context->explain.symbolizer, *stack.addrs)) {
			stack.addrs++;
			continue;
		}
		look_up(context, &stack, stack.nr, &found);
		name = found.symbol ? found.symbol->name : "";
		if (!stack.nr && (!found.symbol || passes_on(name))) {
			stack.addrs++;
			continue;
		}
		stack.softirq = begins_softirq(name);
		if (stack.softirq)
			break;
		stack.nr++;
		if (syscall_of_entry(name))
			break;
	}
	return stack;
}

static bool has_function(const struct symbolized *found, const char *name)
{
	if (found->symbol && !strcmp(found->symbol->name, name))
		return true;
	for (int i = 0; i < found->nr_frames; i++) {
		if (found->frames[i].function && !strcmp(found->frames[i].function, name))
			return true;
	}
	return false;
}

const char *taken_stack_event(const struct view_context *context, const struct taken_stack *stack,
			      const struct taken_event *events, size_t nr, int number)
{
	struct symbolized found;
	size_t first = nr;

	for (uint32_t k = 0; k < stack->nr && k < TELLING_FRAMES; k++) {
		look_up(context, stack, k, &found);
		for (size_t i = 0; i < first; i++) {
			if ((!events[i].number || events[i].number == number) &&
			    has_function(&found, events[i].function))
				first = i;
		}
	}
	return first < nr ? events[first].event : NULL;
}

const char *taken_stack_syscall(const struct view_context *context, const struct taken_stack *stack)
{
	struct symbolized found;

	if (!stack->nr)
		return NULL;
	look_up(context, stack, stack->nr - 1, &found);
	return found.symbol ? syscall_of_entry(found.symbol->name) : NULL;
}

static void add_row(struct strbuf *text, const struct view_context *context, const struct taken_stack *stack,
		    uint32_t row)
{
	struct place place = { .addr = stack->addrs[row] };
	const struct source_frame *own;
	struct symbolized found;

	look_up(context, stack, row, &found);
	own = found.nr_frames ? &found.frames[found.nr_frames - 1] : NULL;
	place.offset = found.offset;
	if (found.symbol) {
		place.name = found.symbol->name;
		place.module = found.symbol->module;
	}
	for (int i = 0; i + 1 < found.nr_frames; i++) {
		strbuf_addstr(text, "    ");
		code_inlined_add(text, context, &found.frames[i]);
		strbuf_addstr(text, "  ");
		code_source_add(text, &found.frames[i]);
		strbuf_addch(text, '\n');
	}
	strbuf_addstr(text, "    ");
	code_symbol_add(text, context, &place);
	if (own)
		strbuf_addstr(text, "  ");
	code_source_add(text, own);
	strbuf_addch(text, '\n');
}

void taken_stack_text_add(struct strbuf *text, const struct view_context *context,
			  const struct taken_stack *stack)
{
	uint32_t rows = context->verbose || stack->nr <= FEW_ROWS ? stack->nr : FEW_ROWS;

	for (uint32_t i = 0; i < rows; i++)
		add_row(text, context, stack, i);
	if (rows < stack->nr)
		strbuf_addstr(text, "    ...\n");
}

void taken_stack_json_add(struct json *json, const struct view_context *context,
			  const struct taken_stack *stack)
{
	struct symbolized found;

	json_array(json, "stack");
	for (uint32_t i = 0; i < stack->nr; i++) {
		look_up(context, stack, i, &found);
		json_object(json, NULL);
		json_address(json, stack->addrs[i], found.symbol ? found.symbol->name : NULL, found.offset);
		json_string(json, "module", found.symbol ? found.symbol->module : NULL);
		code_frames_json_add(json, found.frames, found.nr_frames);
		json_close(json);
	}
	json_close(json);
}
