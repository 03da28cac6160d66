// SPDX-License-Identifier: BSD-2-Clause
/*
 * Sessions as folded stacks, for flame graph programs. Frames are named as perf script names them:
 * inlined frames end in "_[i]".
 */
#include "util/view/formats/folded.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/ask/request.h"
#include "util/base/report.h"
#include "util/base/strmap.h"
#include "util/base/text/quote.h"
#include "util/explain/stack_rows.h"
#include "util/plan/plan.h"
#include "util/trace/session/session.h"
#include "util/view/parts/output.h"
#include "util/view/session/result_text.h"
#include "util/view/session/view.h"

/* The limit for all texts: a crafted recording could have any number of stacks. */
#define MAX_BYTES (512u << 20)

struct folded_stack {
	char *text;	/* owned */
	uint64_t weight;
};

/* An open call at the line of the trace that is being read. */
struct folded_open {
	size_t len;		/* length of the path that ends with this call */
	uint32_t depth;		/* after a gap, calls around it may be missing */
	uint64_t inside_ns;	/* time spent in traced calls inside this call */
};

struct folded_view {
	struct view view;
	enum folded_by by;
	struct strbuf path;
	VEC(struct folded_stack) stacks;
	VEC(struct folded_open) open;
	struct strmap by_text;	/* index into stacks */
	size_t bytes;		/* bytes of all texts */
	uint64_t others;	/* weight of stacks that had no room */
};

/* Replace characters that would end a frame or a line. */
static void add_frame(struct strbuf *path, const char *name, const char *suffix)
{
	size_t start;

	if (path->len)
		strbuf_addch(path, ';');
	start = path->len;
	quote_name_add(path, name);
	for (size_t i = start; i < path->len; i++) {
		if (path->s[i] == ';')
			path->s[i] = ':';
	}
	strbuf_addstr(path, suffix);
}

static int add_weight(struct folded_view *self, uint64_t weight)
{
	struct folded_stack stack = { .weight = weight };
	uint32_t *found;

	if (self->path.failed)
		return -ENOMEM;
	if (!weight)
		return 0;
	found = strmap_get(&self->by_text, strbuf_str(&self->path));
	if (found) {
		self->stacks.data[*found].weight += weight;
		return 0;
	}
	if (self->bytes + self->path.len > MAX_BYTES) {
		self->others += weight;
		return 0;
	}
	self->bytes += self->path.len;
	stack.text = strdup(strbuf_str(&self->path));
	if (!stack.text || vec_push(&self->stacks, stack)) {
		free(stack.text);
		return -ENOMEM;
	}
	return strmap_put(&self->by_text, stack.text, self->stacks.len - 1) ? 0 : -ENOMEM;
}

/* Cut the path back to @len. */
static void cut_path(struct strbuf *path, size_t len)
{
	path->len = len;
	if (path->s)
		path->s[len] = '\0';
}

static void add_row(struct folded_view *self, const struct places *places,
		    const struct stack_row *row)
{
	char address[20];

	snprintf(address, sizeof(address), "0x%" PRIx64, row->place.addr);
	add_frame(&self->path, row->place.name ?: address, "");
	for (uint32_t i = 1; i < row->place.nr_sources; i++)
		add_frame(&self->path, place_source(places, &row->place, i)->function ?: "?",
			  "_[i]");
}

/* Sessions by their stacks. */
static int fold_stack(struct folded_view *self, const struct explained *explained)
{
	const struct event_frame *last = NULL;
	const struct plan_func *func;

	vec_foreach(row, &explained->stack.v) {
		if (row->left_out && !self->view.context->explain.settings->stacks_unfiltered)
			continue;
		last = row->frame ?: last;
		add_row(self, &explained->places, row);
	}
	if (self->by == FOLDED_ERRNO && last) {
		func = &self->view.context->explain.plan->funcs.data[last->func];
		strbuf_addch(&self->path, ';');
		result_add(&self->path, last->result, func->returns);
	}
	return add_weight(self, 1);
}

/* A call has ended: its own time is its duration without the traced calls inside it. */
static int leave_call(struct folded_view *self, const struct traced_call *call)
{
	struct folded_open *open = &self->open.data[self->open.len - 1];
	uint64_t inside = open->inside_ns, took = call->has_duration ? call->duration_ns : inside;
	int err;

	cut_path(&self->path, open->len);
	err = add_weight(self, took > inside ? took - inside : 0);
	self->open.len--;
	if (self->open.len) {
		open--;
		open->inside_ns += took;
		cut_path(&self->path, open->len);
	}
	return err;
}

static int enter_call(struct folded_view *self, const struct traced_call *call)
{
	struct folded_open open = { .depth = call->depth };

	add_frame(&self->path, self->view.context->explain.plan->funcs.data[call->func].name, "");
	open.len = self->path.len;
	return self->path.failed ? -ENOMEM : vec_push(&self->open, open);
}

/* Whether the innermost open call is at that depth or deeper. */
static bool is_open_from(const struct folded_view *self, uint32_t depth)
{
	return self->open.len && self->open.data[self->open.len - 1].depth >= depth;
}

/* Count all calls of the trace by their own time. */
static int fold_trace(struct folded_view *self, const struct session *session)
{
	size_t outermost = self->path.len;
	int err = 0;

	self->open.len = 0;
	for (uint32_t i = 0; i < session->nr_calls && !err; i++) {
		const struct traced_call *call = &session->calls[i];
		bool returns = call->kind == TRACED_RETURN || call->kind == TRACED_LEAF;

		if (call->kind != TRACED_CALL && !returns)
			continue;
		/* If a return was missed, its call is still open here: it has ended. */
		while (!err && is_open_from(self, call->depth + (call->kind == TRACED_RETURN)))
			err = leave_call(self, &(struct traced_call){});
		if (err)
			break;
		if (!self->open.len)
			cut_path(&self->path, outermost);
		/* A return whose call is not in the trace counts as a call by itself. */
		if (call->kind != TRACED_RETURN || !is_open_from(self, call->depth))
			err = enter_call(self, call);
		if (!err && returns)
			err = leave_call(self, call);
	}
	while (!err && self->open.len)
		err = leave_call(self, &(struct traced_call){});
	return err;
}

static int folded_session(struct view *view, const struct explained *explained)
{
	struct folded_view *self = (struct folded_view *)view;
	const struct session *session = explained->session;
	int err;

	if (session->interim)
		return 0;
	strbuf_reset(&self->path);
	add_frame(&self->path, session->comm[0] ? session->comm : "?", "");
	err = self->by == FOLDED_LATENCY ? fold_trace(self, session) : fold_stack(self, explained);
	return err ? report_oom() : 0;
}

static int by_text(const void *a, const void *b)
{
	const struct folded_stack *left = a, *right = b;

	return strcmp(left->text, right->text);
}

static int folded_end(struct view *view, const struct ledger *ledger)
{
	struct folded_view *self = (struct folded_view *)view;

	vec_sort(&self->stacks, by_text);
	strbuf_reset(&self->path);
	vec_foreach(stack, &self->stacks)
		strbuf_addf(&self->path, "%s %" PRIu64 "\n", stack->text, stack->weight);
	if (self->others)
		strbuf_addf(&self->path, "(other stacks) %" PRIu64 "\n", self->others);
	return output_data(self->view.context->out, &self->path);
}

static void folded_free(struct view *view)
{
	struct folded_view *self = (struct folded_view *)view;

	vec_foreach(stack, &self->stacks)
		free(stack->text);
	vec_release(&self->stacks);
	vec_release(&self->open);
	strmap_release(&self->by_text);
	strbuf_release(&self->path);
	view_free(view);
}

struct view *view_folded_new(const struct view_context *context, enum folded_by by)
{
	struct folded_view *self = view_new(sizeof(*self), context);

	if (!self)
		return NULL;
	self->view.session = folded_session;
	self->view.needs = by == FOLDED_LATENCY ? 0 : MODE_STACK;
	self->view.end = folded_end;
	self->view.free = folded_free;
	self->by = by;
	return &self->view;
}
