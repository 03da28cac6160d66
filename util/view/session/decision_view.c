// SPDX-License-Identifier: BSD-2-Clause
/* Why a call failed, as text and as JSON. */
#include "util/view/session/decision_view.h"

#include <string.h>

#include "util/base/macros.h"
#include "util/base/style.h"
#include "util/explain/condition.h"
#include "util/kernel/code/routine.h"
#include "util/kernel/debug/source_text.h"
#include "util/view/parts/json.h"
#include "util/view/session/code_place.h"
#include "util/view/session/condition_view.h"
#include "util/view/session/result_json.h"
#include "util/view/session/result_text.h"
#include "util/view/session/view.h"

/*
 * Source lines shown before and after a place; lines up to the second place are shown, too, if it
 * is close.
 */
#define LINES_AROUND 2
#define MAX_LINES_ON 10
/* A read further away than this is not shown. */
#define LINES_NEAR 3

static bool same_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

/* The kind of the decision's result: an error that was stored is an int. */
static enum return_kind kind_of(const struct view_context *context, const struct decision *decision)
{
	return decision->stored_param ? RETURN_INT32 : context->explain.plan->funcs.data[decision->func].returns;
}

static void add_result(struct strbuf *text, const struct view_context *context, uint64_t result,
		       enum return_kind returns)
{
	size_t at = text->len;

	/* The result without its brackets. */
	result_add(text, result, returns);
	if (text->failed || text->len < at + 2)
		return;
	memmove(text->s + at, text->s + at + 1, text->len - at - 2);
	text->len -= 2;
	text->s[text->len] = '\0';
	style_since(text, at, context->color, STYLE_BAD);
}

static void add_symbol(struct strbuf *text, const struct view_context *context,
		       const struct decision_place *place)
{
	if (!place->symbol) {
		strbuf_addf(text, "0x%llx", (unsigned long long)place->addr);
		return;
	}
	strbuf_addstr(text, place->symbol);
	strbuf_addf(text, context->explain.settings->stacks_dec_offs ? "+%llu" : "+0x%llx",
		    (unsigned long long)place->offset);
}

/* "kernel/bpf/arraymap.c:57:6"; ":57:6" in the same file as @near, which may be NULL. */
static void add_place(struct strbuf *text, const struct view_context *context,
		      const struct decision_place *place, const struct decision_place *near)
{
	size_t start = text->len;

	if (!place->file || !place->line) {
		add_symbol(text, context, place);
		return;
	}
	if (!near || !same_text(near->file, place->file))
		strbuf_addstr(text, place->file);
	strbuf_addf(text, ":%u", place->line);
	if (place->column)
		strbuf_addf(text, ":%u", place->column);
	style_since(text, start, context->color, STYLE_PLACE);
}

/* Name the inlined function if the reader would not expect it from the outer function's name. */
static void add_inlined(struct strbuf *text, const struct decision_place *place)
{
	if (place->inlined && place->function)
		strbuf_addf(text, " in %s", place->function);
	if (place->header_function && place->header_file)
		strbuf_addf(text, " (%s, %s:%u)", place->header_function, place->header_file,
			    place->header_line);
}

static void add_remarks(struct strbuf *text, const struct decision *decision)
{
	bool merged = decision->to_merged && decision->to.line > decision->from.line;

	if (!merged && !decision->skipped_first)
		return;
	strbuf_addstr(text, "  (");
	if (merged)
		strbuf_addf(text, "merged with others%s", decision->skipped_first ? "; " : "");
	if (decision->skipped_first && decision->skipped_first == decision->skipped_last)
		strbuf_addf(text, "line %u not reached", decision->skipped_first);
	else if (decision->skipped_first)
		strbuf_addf(text, "lines %u-%u not reached", decision->skipped_first,
			    decision->skipped_last);
	strbuf_addch(text, ')');
}

static void add_to(struct strbuf *text, const struct view_context *context,
		   const struct decision *decision)
{
	const struct decision_place *from = &decision->from, *to = &decision->to;
	size_t start;

	/* A branch that was not taken continues on the same line: nothing to add. */
	if (decision->kind == DECISION_NOT_TAKEN &&
	    (!to->file || (same_text(from->file, to->file) && to->line == from->line)))
		return;
	strbuf_addstr(text, "   -> ");
	start = text->len;
	if (!to->file && same_text(from->symbol, to->symbol))
		strbuf_addf(text, context->explain.settings->stacks_dec_offs ? "+%llu" : "+0x%llx",
			    (unsigned long long)to->offset);
	else if (!to->file)
		add_symbol(text, context, to);
	else if (!to->line || (decision->to_merged && to->line <= from->line))
		strbuf_addstr(text, "code merged from several lines");
	else if (same_text(from->file, to->file))
		strbuf_addf(text, ":%u", to->line);
	else
		strbuf_addf(text, "%s:%u", to->file, to->line);
	style_since(text, start, context->color, STYLE_PLACE);
	if (to->function && from->function && !same_text(to->function, from->function))
		strbuf_addf(text, " in %s", to->function);
	add_remarks(text, decision);
}

/*
 * Whether the line of an earlier read helps to find the compared value. For a condition over
 * several lines, debug info has the operator's line, and the operator precedes its right operand.
 */
static bool is_near(const struct decision_place *tested, const struct decision_place *from)
{
	if (!tested->line || tested->header_file || !same_text(tested->file, from->file) ||
	    !same_text(tested->function, from->function))
		return false;
	return tested->line != from->line && tested->line + LINES_NEAR >= from->line &&
	       from->line + LINES_NEAR >= tested->line;
}

static void add_tested(struct strbuf *text, const struct view_context *context,
		       const struct decision *decision)
{
	if (decision->tested_callee) {
		strbuf_addf(text, "  on what %s returned\n", decision->tested_callee);
	} else if (is_near(&decision->tested, &decision->from)) {
		strbuf_addstr(text, "  on what was read at ");
		add_place(text, context, &decision->tested, &decision->from);
		strbuf_addch(text, '\n');
	}
}

/*
 * The last line that a branch can belong to. If debug info has the branch at the operator, and the
 * operator ends a line, this is the next line: the branch may belong to the text before or after
 * the operator.
 */
static uint32_t operand_line(const struct view_context *context, const struct decision_place *from)
{
	const char *line = source_text_line(context->source, from->file, from->line);

	if (!line || !from->column || strlen(line) != from->column + 1)
		return from->line;
	line += from->column - 1;
	return !strcmp(line, "||") || !strcmp(line, "&&") ? from->line + 1 : from->line;
}

static void add_source(struct strbuf *text, const struct view_context *context,
		       const struct decision *decision)
{
	const struct decision_place *from = &decision->from, *to = &decision->to;
	uint32_t first, last, mark, mark_last;

	if (!context->source || !from->file || !from->line)
		return;
	mark_last = operand_line(context, from);
	/* The line of the read decides which. */
	mark = decision->tested.line == mark_last && same_text(decision->tested.file, from->file) ?
		       mark_last :
		       from->line;
	first = from->line > LINES_AROUND ? from->line - LINES_AROUND : 1;
	last = from->line + LINES_AROUND;
	if (same_text(from->file, to->file) && to->line > last &&
	    to->line - from->line <= MAX_LINES_ON)
		last = to->line;
	for (uint32_t line = first; line <= last; line++) {
		const char *s = source_text_line(context->source, from->file, line);
		bool marked = line >= mark && line <= mark_last;
		size_t start = text->len;

		if (!s)
			break;
		strbuf_addf(text, "    %c %5u:", marked ? '>' : ' ', line);
		if (*s && *s != '\t')
			strbuf_addch(text, ' ');
		strbuf_addstr(text, s);
		style_since(text, start, context->color, marked ? STYLE_NAME : STYLE_ASIDE);
		strbuf_addch(text, '\n');
	}
}

static void add_callees(struct strbuf *text, const struct view_context *context,
			const struct decision *decision)
{
	bool likely = decision->kind == DECISION_CALLEE && decision->likely;

	vec_foreach(callee, &decision->callees) {
		strbuf_addf(text, "  %s%s %s, called at ", likely ? "likely " : "",
			    callee->stored_param ? "stored by" : "from",
			    callee->name ?: "a function that is not known");
		add_place(text, context, &callee->call, NULL);
		add_inlined(text, &callee->call);
		strbuf_addch(text, '\n');
	}
}

/* " in *err", or " by the address in its parameter 4". */
static void add_stored_in(struct strbuf *text, const struct decision *decision)
{
	if (decision->stored_param && decision->stored_name && decision->stored_member)
		strbuf_addf(text, " in %s->%s", decision->stored_name, decision->stored_member);
	else if (decision->stored_param && decision->stored_name)
		strbuf_addf(text, " in *%s", decision->stored_name);
	else if (decision->stored_param)
		strbuf_addf(text, " at the address in its parameter %u", decision->stored_param);
}

static const char *const kind_texts[] = {
	[DECISION_TAKEN] = "branch taken at ",
	[DECISION_NOT_TAKEN] = "branch not taken at ",
	[DECISION_SET] = "set at ",
	[DECISION_READ] = "read from memory at ",
	[DECISION_COMPUTED] = "computed, without a branch, at ",
	[DECISION_SELECTED] = "decided, without a branch, at ",
	[DECISION_FAULTED] = "access to memory failed at ",
};

static void add_reason(struct strbuf *text, const struct view_context *context, const struct decision *decision)
{
	const char *innermost = NULL;

	if (decision->kind == DECISION_CALLEE)
		innermost = decision->callees.data[decision->callees.len - 1].name;
	if (decision->kind == DECISION_NONE) {
		strbuf_addf(text, "  what decided that is not known: %s\n", decision->reason);
		return;
	}
	if (decision->reason)
		strbuf_addf(text, "  (%s)\n", decision->reason);
	/* What is in assembly cannot be traced. */
	if (innermost && !context->no_hints && !asm_routine_by_name(innermost))
		strbuf_addf(text, "  (to see into it: -a %s)\n", innermost);
}

/* The kernel defines these hooks as `return DEFAULT;`. A program that refuses replaces the result. */
static void add_hook_default(struct strbuf *text, const struct decision *decision, const char *function)
{
	if (decision->kind == DECISION_SET && startswith(function, "bpf_lsm_"))
		strbuf_addstr(text, "  (the default of a hook for BPF programs: none of these gave the error)\n");
}

/* The functions that handed the result up, and where it became another result. */
static void add_steps(struct strbuf *text, const struct view_context *context,
		      const struct decision *decision)
{
	const struct plan_func *funcs = context->explain.plan->funcs.data;
	const struct decision_place *near = NULL;
	uint64_t result = decision->result;
	enum return_kind returns = kind_of(context, decision);
	bool first = true;

	vec_foreach(step, &decision->steps) {
		if (step->changed) {
			if (!first)
				strbuf_addch(text, '\n');
			result = step->frame->result;
			returns = funcs[step->frame->func].returns;
			/* Another failure may have followed; no record shows it. */
			strbuf_addstr(text, "  likely became ");
			add_result(text, context, result, returns);
			strbuf_addf(text, " in %s", step->function ?: "?");
			near = NULL;
		} else if (first) {
			strbuf_addstr(text, "  ");
			add_result(text, context, result, returns);
			strbuf_addf(text, " went up through %s", step->function ?: "?");
		} else {
			strbuf_addf(text, ", %s", step->function ?: "?");
		}
		first = false;
		if (step->place.file && step->place.line) {
			size_t start;

			strbuf_addstr(text, " (");
			start = text->len;
			if (!near || !same_text(near->file, step->place.file))
				strbuf_addstr(text, step->place.file);
			strbuf_addf(text, ":%u", step->place.line);
			style_since(text, start, context->color, STYLE_PLACE);
			strbuf_addch(text, ')');
			near = &step->place;
		}
	}
	if (!first)
		strbuf_addch(text, '\n');
}

static bool has_changed(const struct decision *decision)
{
	return vec_find(step, &decision->steps, step->changed);
}

static bool says_nothing(const struct decision *decision)
{
	return decision->kind == DECISION_NONE && !decision->reason && !decision->steps_known &&
	       !has_changed(decision);
}

void decision_text_add(struct strbuf *text, const struct view_context *context,
		       const struct decision *decision)
{
	const struct plan_func *func = &context->explain.plan->funcs.data[decision->func];

	if (says_nothing(decision))
		return;
	style_add(text, context->color, STYLE_NAME, func->name);
	if (func->module)
		strbuf_addf(text, " [%s]", func->module);
	strbuf_addstr(text, decision->stored_param ? " stored " : " returned ");
	add_result(text, context, decision->result, kind_of(context, decision));
	add_stored_in(text, decision);
	strbuf_addch(text, '\n');
	add_callees(text, context, decision);
	if (kind_texts[decision->kind]) {
		strbuf_addf(text, "  %s%s", decision->likely ? "likely " : "",
			    kind_texts[decision->kind]);
		add_place(text, context, &decision->from, NULL);
		add_inlined(text, &decision->from);
		if (decision->to.addr)
			add_to(text, context, decision);
		strbuf_addch(text, '\n');
		if (decision->condition && decision->condition->text)
			condition_text_add(text, decision->condition);
		else if (decision->condition && decision->condition->origin)
			strbuf_addf(text, "  from %s\n", decision->condition->origin);
		else
			add_tested(text, context, decision);
		add_source(text, context, decision);
	}
	if (decision->reason || decision->kind == DECISION_CALLEE)
		add_reason(text, context, decision);
	add_hook_default(text, decision, func->name);
	if (decision->kind != DECISION_NONE || decision->steps_known || has_changed(decision))
		add_steps(text, context, decision);
	if (decision->of_calls > 1)
		strbuf_addf(text, "  (in call %u of %u of %s)\n", decision->of_call, decision->of_calls,
			    decision->of_function);
}

static void json_place(struct json *json, const char *key, const struct decision_place *place)
{
	if (!place->addr) {
		json_null(json, key);
		return;
	}
	json_object(json, key);
	json_address(json, place->addr, place->symbol, place->offset);
	json_string(json, "function", place->function);
	json_string(json, "file", place->file);
	json_uint(json, "line", place->line);
	json_uint(json, "column", place->column);
	json_bool(json, "inlined", place->inlined);
	if (place->header_function) {
		json_object(json, "inlined_from_header");
		json_string(json, "function", place->header_function);
		json_string(json, "file", place->header_file);
		json_uint(json, "line", place->header_line);
		json_close(json);
	}
	json_close(json);
}

static void json_callees(struct json *json, const struct decision *decision)
{
	json_array(json, "handed_on_from");
	vec_foreach(callee, &decision->callees) {
		json_object(json, NULL);
		json_string(json, "function", callee->name);
		if (callee->addr)
			json_hex(json, "addr", callee->addr);
		if (callee->stored_param)
			json_uint(json, "stored_parameter", callee->stored_param);
		json_place(json, "call", &callee->call);
		json_close(json);
	}
	json_close(json);
}

static void json_steps(struct json *json, const struct view_context *context,
		       const struct decision *decision)
{
	json_array(json, "went_up_through");
	vec_foreach(step, &decision->steps) {
		json_object(json, NULL);
		json_string(json, "function", step->function);
		json_bool(json, "inlined", step->inlined);
		json_bool(json, "traced", step->frame);
		if (step->frame) {
			json_bool(json, "changed", step->changed);
			result_json_add(json, step->frame->result,
					context->explain.plan->funcs.data[step->frame->func].returns);
		}
		json_place(json, "call", &step->place);
		json_close(json);
	}
	json_close(json);
}

static void json_branch(struct json *json, const struct decision *decision)
{
	json_place(json, "from", &decision->from);
	if (decision->to.addr) {
		json_place(json, "to", &decision->to);
		json_bool(json, "to_shared", decision->to_shared);
		json_bool(json, "to_merged", decision->to_merged);
	}
	if (decision->skipped_first) {
		json_object(json, "not_reached");
		json_uint(json, "first", decision->skipped_first);
		json_uint(json, "last", decision->skipped_last);
		json_close(json);
	}
	if (decision->tested_callee)
		json_string(json, "tested_result_of", decision->tested_callee);
	if (decision->tested.addr)
		json_place(json, "tested_read_at", &decision->tested);
	if (decision->condition)
		condition_json_add(json, decision->condition);
	if (decision->condition && decision->condition->origin)
		json_string(json, "read_from", decision->condition->origin);
}

const char *decision_kind_word(enum decision_kind kind)
{
	static const char *const kinds[] = {
		[DECISION_NONE] = "unknown",
		[DECISION_TAKEN] = "branch_taken",
		[DECISION_NOT_TAKEN] = "branch_not_taken",
		[DECISION_CALLEE] = "callee",
		[DECISION_SET] = "set",
		[DECISION_READ] = "read",
		[DECISION_COMPUTED] = "computed",
		[DECISION_SELECTED] = "selected",
		[DECISION_FAULTED] = "faulted",
	};

	return kinds[kind];
}

void decision_json_add(struct json *json, const char *key, const struct view_context *context,
		       const struct decision *decision)
{
	const struct plan_func *func = &context->explain.plan->funcs.data[decision->func];

	if (says_nothing(decision))
		return;
	json_object(json, key);
	json_string(json, "function", func->name);
	json_string(json, "module", func->module);
	result_json_add(json, decision->result, kind_of(context, decision));
	if (decision->stored_param) {
		json_uint(json, "stored_parameter", decision->stored_param);
		json_string(json, "stored_in", decision->stored_name);
		if (decision->stored_member)
			json_string(json, "stored_member", decision->stored_member);
	}
	json_string(json, "kind", decision_kind_word(decision->kind));
	json_bool(json, "likely", decision->likely);
	json_string(json, "reason", decision->reason);
	json_callees(json, decision);
	if (decision->kind != DECISION_NONE && decision->from.addr)
		json_branch(json, decision);
	json_steps(json, context, decision);
	if (decision->of_calls > 1) {
		json_object(json, "in_call");
		json_string(json, "function", decision->of_function);
		json_uint(json, "number", decision->of_call);
		json_uint(json, "of", decision->of_calls);
		json_close(json);
	}
	json_close(json);
}
