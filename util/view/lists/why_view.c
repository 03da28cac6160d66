// SPDX-License-Identifier: BSD-2-Clause
/*
 * Failures of a recording; similar failures are listed once. The explanation of each kind is
 * written when its last session arrives, since only the end shows which one is printed.
 */
#include "util/view/lists/why_view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/report.h"
#include "util/base/strmap.h"
#include "util/base/style.h"
#include "util/base/text/errnames.h"
#include "util/base/text/quote.h"
#include "util/base/wall_clock.h"
#include "util/kernel/symbols/syscall_name.h"
#include "util/plan/plan.h"
#include "util/trace/session/outcome.h"
#include "util/view/lists/failed_list.h"
#include "util/view/lists/summary_text.h"
#include "util/view/parts/json.h"
#include "util/view/parts/output.h"
#include "util/view/parts/times.h"
#include "util/view/session/branches_text.h"
#include "util/view/session/decision_view.h"

static const char no_branches[] =
	"no branches were recorded; 'record --lbr' does, and 'retsnoop why -- COMMAND' needs none";
static const char no_decision[] = "the recorded branches do not tell";

/* Calls of one function that failed alike in programs of one name. */
struct failure {
	char *key; /* of by_key */
	struct strbuf head; /* call and result of the last session */
	struct strbuf body; /* the explanation: text, or members of JSON */
	struct plan_func func; /* the entry; a copy: the plan's move when functions are added */
	int err; /* frame_errno() */
	char comm[EVENT_COMM_LEN + 1];
	uint32_t pid, tid;
	uint64_t number; /* number of the last session */
	uint64_t count;
	bool noise; /* programs expect it */
	bool known; /* the explanation names the deciding branch */
};

struct why_view {
	struct view view;
	bool json;
	VEC(struct failure) failures; /* in the order of their first session */
	struct strmap by_key;
	int64_t last; /* the last failure that is not expected, or of all; -1: none */
};

/* Whether programs expect that the call fails so. */
static bool is_noise(const struct plan_func *func, int err)
{
	const char *syscall = syscall_of_entry(func->name);

	return errno_is_expected(err) && (err != EAGAIN || !syscall || syscall_waits(syscall));
}

static struct failure *find_failure(struct why_view *self, const struct session *session, int err)
{
	const struct plan_func *funcs = self->view.context->explain.plan->funcs.data;
	char *key = strf("%u %d %s", session->frames[0].func, err, session->comm);
	uint32_t *index = key ? strmap_put(&self->by_key, key, self->failures.len) : NULL;

	if (!index) {
		free(key);
		return NULL;
	}
	if (*index < self->failures.len) {
		free(key);
	} else if (vec_push(&self->failures,
			    (struct failure){ .key = key,
					      .func = funcs[session->frames[0].func],
					      .err = err,
					      .noise = is_noise(&funcs[session->frames[0].func], err) })) {
		return NULL;
	}
	return &self->failures.data[*index];
}

/* "__x64_sys_mount() = -ENODEV" */
static void add_call(struct why_view *self, const struct failure *failure, struct strbuf *text)
{
	size_t at;

	strbuf_addf(text, "%s() = ", failure->func.name);
	at = text->len;
	if (errno_name(failure->err))
		strbuf_addch(text, '-');
	outcome_word_add(text, &failure->func, failure->err);
	style_since(text, at, self->view.context->color, STYLE_BAD);
}

static void add_head(struct why_view *self, const struct session *session, struct failure *failure)
{
	struct strbuf *text = &failure->head;

	add_call(self, failure, text);
	strbuf_addstr(text, "    ");
	quote_name_add(text, session->comm);
	strbuf_addf(text, " (pid %u), ", session->pid);
	clock_add(text, wall_clock_at(self->view.context->clock, session->start_ns));
	strbuf_addf(text, ", session %" PRIu64 "\n\n", session->number);
}

/* Why no branch is told. NULL: out of memory. @scratch may hold the text. */
static const char *unknown_reason(const struct explained *explained, struct strbuf *scratch)
{
	if (explained->has_decision)
		return explained->decision.reason ?: no_decision;
	if (!(explained->parts & MODE_BRANCHES))
		return no_branches;
	/* They were asked for. */
	strbuf_clear(scratch);
	branches_missing_add(scratch, explained);
	if (scratch->failed)
		return NULL;
	return scratch->len ? scratch->s : no_decision;
}

/* 0; -ENOMEM. */
static int add_body(struct why_view *self, const struct explained *explained,
		    struct failure *failure)
{
	struct decision origin = {};
	const struct decision *decision = &explained->decision;
	struct json json = JSON_INIT(&failure->body);
	int err = 0;

	failure->known = explained->has_decision && decision->kind != DECISION_NONE;
	if (!failure->known) {
		err = explain_origin(explained, &origin);
		origin.reason = unknown_reason(explained, &self->view.scratch);
		if (!origin.reason)
			err = -ENOMEM;
		decision = &origin;
	}
	if (!err && self->json)
		decision_json_add(&json, "decision", self->view.context, decision);
	else if (!err)
		decision_text_add(&failure->body, self->view.context, decision);
	decision_release(&origin);
	return err;
}

static int why_session(struct view *view, const struct explained *explained)
{
	struct why_view *self = (struct why_view *)view;
	const struct session *session = explained->session;
	struct failure *failure;
	int err;

	if (!session->failed || session->interim || !session->nr_frames)
		return 0;
	err = frame_errno(self->view.context->explain.plan, self->view.context->error_rules,
			  session->frames);
	failure = find_failure(self, session, err);
	if (!failure)
		return report_oom();
	failure->count++;
	failure->number = session->number;
	failure->pid = session->pid;
	failure->tid = session->tid;
	memcpy(failure->comm, session->comm, sizeof(failure->comm));
	strbuf_reset(&failure->head);
	strbuf_reset(&failure->body);
	add_head(self, session, failure);
	if (self->last < 0 || !failure->noise || self->failures.data[self->last].noise)
		self->last = failure - self->failures.data;
	return add_body(self, explained, failure) ? report_oom() : 0;
}

/* Choose the failure to explain: *ret_index, -1: none. 0; -EINVAL (reported). */
static int choose_failure(const struct why_view *self, int64_t *ret_index)
{
	struct why_choice *why = self->view.context->why;

	if (why->call > self->failures.len)
		return report(-EINVAL, "--call %u: only %zu kinds of calls failed", why->call,
			      self->failures.len);
	*ret_index = why->call ? (int64_t)why->call - 1 : self->last;
	why->known = *ret_index >= 0 && self->failures.data[*ret_index].known;
	return 0;
}

static void add_others(struct why_view *self, int64_t index)
{
	if (self->failures.len < (index < 0 ? 1 : 2))
		return;
	failed_list_begin(&self->view.text, index >= 0);
	for (size_t i = 0; i < self->failures.len; i++) {
		const struct failure *failure = &self->failures.data[i];

		if ((int64_t)i == index)
			continue;
		failed_list_row(&self->view.text, i + 1, failure->count);
		add_call(self, failure, &self->view.text);
		strbuf_addstr(&self->view.text, "  ");
		quote_name_add(&self->view.text, failure->comm);
		strbuf_addf(&self->view.text, ", the last in session %" PRIu64 "\n",
			    failure->number);
	}
}

static int why_end_text(struct view *view, const struct ledger *ledger)
{
	struct why_view *self = (struct why_view *)view;
	int64_t index;
	int err = choose_failure(self, &index);

	if (err)
		return err;
	if (index >= 0) {
		const struct failure *failure = &self->failures.data[index];

		strbuf_addstr(&self->view.text, strbuf_str(&failure->head));
		strbuf_addstr(&self->view.text, strbuf_str(&failure->body));
	}
	add_others(self, index);
	return output_text(self->view.context->out, &self->view.text);
}

static void json_failure(struct json *json, const struct failure *failure)
{
	json_string(json, "syscall", syscall_of_entry(failure->func.name));
	json_string(json, "call", failure->func.name);
	json_string(json, "errno", errno_name(failure->err));
	json_string(json, "comm", failure->comm);
	json_uint(json, "pid", failure->pid);
	json_uint(json, "tid", failure->tid);
	json_array(json, "kernel_said");
	json_close(json);
	json_uint(json, "session", failure->number);
}

static int why_end_json(struct view *view, const struct ledger *ledger)
{
	struct why_view *self = (struct why_view *)view;
	struct json json = JSON_INIT(&self->view.text);
	int64_t index;
	int err = choose_failure(self, &index);

	if (err)
		return err;
	json_object(&json, NULL);
	json_string(&json, "type", "why");
	if (index >= 0) {
		const struct failure *failure = &self->failures.data[index];

		json_failure(&json, failure);
		json_string(&json, "chosen_by", self->view.context->why->call ? "asked" : "last");
		json_string(&json, "function", failure->func.name);
		json_bool(&json, "known", failure->known);
		json_members(&json, &failure->body);
	}
	json_array(&json, "runs");
	json_close(&json);
	json_array(&json, "failed");
	for (size_t i = 0; i < self->failures.len; i++) {
		json_object(&json, NULL);
		failed_list_json(&json, i + 1, self->failures.data[i].count, (int64_t)i == index);
		json_failure(&json, &self->failures.data[i]);
		json_close(&json);
	}
	json_close(&json);
	json_close(&json);
	strbuf_addch(&self->view.text, '\n');
	return output_data(self->view.context->out, &self->view.text);
}

static void why_free(struct view *view)
{
	struct why_view *self = (struct why_view *)view;

	vec_foreach(failure, &self->failures) {
		free(failure->key);
		strbuf_release(&failure->head);
		strbuf_release(&failure->body);
	}
	vec_release(&self->failures);
	strmap_release(&self->by_key);
	view_free(view);
}

static struct view *new_view(const struct view_context *context, bool json)
{
	struct why_view *self = view_new(sizeof(*self), context);

	if (!self)
		return NULL;
	self->view.session = why_session;
	self->view.end = json ? why_end_json : why_end_text;
	self->view.free = why_free;
	self->view.needs = MODE_STACK | MODE_BRANCHES;
	self->json = json;
	self->last = -1;
	return &self->view;
}

struct view *view_why_new(const struct view_context *context)
{
	return new_view(context, false);
}

struct view *view_why_json_new(const struct view_context *context)
{
	return new_view(context, true);
}
