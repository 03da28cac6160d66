// SPDX-License-Identifier: BSD-2-Clause
/*
 * Traces in the Trace Event Format, which Perfetto, speedscope and chrome://tracing read: a call is
 * a complete event ("X"), a probe or a gap an instant ("i"). The array form is used: readers accept
 * it without its end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/report.h"
#include "util/base/search.h"
#include "util/base/units.h"
#include "util/base/vec.h"
#include "util/base/wall_clock.h"
#include "util/plan/plan.h"
#include "util/plan/points/probes.h"
#include "util/trace/session/outcome.h"
#include "util/trace/session/session.h"
#include "util/view/parts/context_name.h"
#include "util/view/parts/json.h"
#include "util/view/parts/output.h"
#include "util/view/parts/times.h"
#include "util/view/session/origin.h"
#include "util/view/session/result_text.h"
#include "util/view/session/trace_json.h"
#include "util/view/session/view.h"

/* A thread whose names were written. */
struct named_thread {
	uint64_t pid, tid;		/* ids as they are shown */
	char comm[EVENT_COMM_LEN + 1];
	char proc_comm[EVENT_COMM_LEN + 1];
};

struct chrome_view {
	struct view view;
	VEC(uint32_t) open;	/* calls entered, by index into session->calls */
	VEC(struct named_thread) named;	/* by ids */
	int64_t base_ns;	/* of several recordings: where times begin, since the epoch */
};

/* Microseconds, as the format needs them, with all nanoseconds. */
static void add_us(struct json *json, const char *key, uint64_t ns)
{
	json_thousandths(json, key, ns / 1000, ns % 1000);
}

static void next_event(struct chrome_view *self)
{
	strbuf_addstr(&self->view.text, self->view.begun ? ",\n" : "\n");
	self->view.begun = true;
}

/*
 * The idle tasks of all CPUs have thread id 0, so simultaneous calls of two CPUs would look nested.
 * Each CPU's idle task gets an id of its own, larger than any thread's; its name has the CPU.
 */
#define IDLE_THREADS 0x70000000

/* Added to the ids of each further host: ids of one host are smaller (PID_MAX_LIMIT). */
#define HOST_IDS (1ull << 22)

static uint64_t host_ids(const struct chrome_view *self)
{
	const struct view_origin *origin = self->view.context->origin;

	return origin && origin->number ? (origin->number - 1) * HOST_IDS : 0;
}

static uint64_t thread_id(const struct chrome_view *self, const struct session *session)
{
	unsigned int cpu;

	if (session->tid || sscanf(session->comm, "swapper/%u", &cpu) != 1 || !cpu)
		return host_ids(self) + session->tid;
	return host_ids(self) + IDLE_THREADS + cpu % IDLE_THREADS;
}

static uint64_t process_id(const struct chrome_view *self, const struct session *session)
{
	return host_ids(self) + session->pid;
}

static void add_thread(struct json *json, const struct chrome_view *self,
		       const struct session *session)
{
	json_uint(json, "pid", process_id(self, session));
	json_uint(json, "tid", thread_id(self, session));
}

/*
 * Monotonic clocks of several hosts have nothing in common. Readers keep microseconds as doubles,
 * which have no room for nanoseconds since the epoch.
 */
static uint64_t shown_time(const struct chrome_view *self, uint64_t ns)
{
	int64_t wall_ns;

	if (!self->view.context->several)
		return ns;
	wall_ns = wall_clock_at(self->view.context->clock, ns);
	return wall_ns > self->base_ns ? wall_ns - self->base_ns : 0;
}

/* The second in which the first recording began. Readers ignore the name, people can read it. */
static void add_base(struct chrome_view *self, const struct view_origin *origin)
{
	struct json json = JSON_INIT(&self->view.text);

	self->base_ns = origin->start_ns - origin->start_ns % (int64_t)NSEC_PER_SEC;
	strbuf_clear(&self->view.scratch);
	day_time_add(&self->view.scratch, self->base_ns);
	next_event(self);
	json_object(&json, NULL);
	json_string(&json, "ph", "M");
	json_string(&json, "name", "time_base");
	json_uint(&json, "pid", 0);
	json_uint(&json, "tid", 0);
	json_object(&json, "args");
	json_string(&json, "name", strbuf_str(&self->view.scratch));
	json_uint(&json, "epoch_ns", self->base_ns);
	json_close(&json);
	json_close(&json);
}

static void add_name(struct chrome_view *self, const struct session *session, const char *what,
		     const char *name)
{
	struct json json = JSON_INIT(&self->view.text);

	next_event(self);
	json_object(&json, NULL);
	json_string(&json, "ph", "M");
	json_string(&json, "name", what);
	add_thread(&json, self, session);
	json_object(&json, "args");
	json_string(&json, "name", name);
	json_close(&json);
	json_close(&json);
}

static bool is_before(const struct named_thread *a, const struct named_thread *b)
{
	return a->pid != b->pid ? a->pid < b->pid : a->tid < b->tid;
}

/* The names given to a thread; a new thread has none. NULL: out of memory. */
static struct named_thread *find_thread(struct chrome_view *self, uint64_t pid, uint64_t tid)
{
	struct named_thread thread = { .pid = pid, .tid = tid };
	size_t at = bisect(i, self->named.len, is_before(&self->named.data[i], &thread));

	if (at < self->named.len && !is_before(&thread, &self->named.data[at]))
		return &self->named.data[at];
	if (vec_push(&self->named, thread))
		return NULL;
	/* Ids mostly grow: then no element has to be moved. */
	memmove(self->named.data + at + 1, self->named.data + at,
		(self->named.len - 1 - at) * sizeof(thread));
	self->named.data[at] = thread;
	return &self->named.data[at];
}

/* With several hosts, the host comes before the name. */
static void add_process_name(struct chrome_view *self, const struct session *session,
			     const char *process)
{
	if (self->view.context->explain.settings->show & SHOW_HOST) {
		strbuf_clear(&self->view.scratch);
		strbuf_addf(&self->view.scratch, "%s: %s", origin_host(self->view.context) ?: "?",
			    process);
		process = strbuf_str(&self->view.scratch);
	}
	add_name(self, session, "process_name", process);
}

/*
 * The first session of a thread names the thread and its process. So does a session with other
 * names, after execve(2): readers keep the last names.
 */
static int add_names(struct chrome_view *self, const struct session *session)
{
	struct named_thread *thread =
		find_thread(self, process_id(self, session), thread_id(self, session));
	const char *comm = session->comm[0] ? session->comm : "?", *process = comm;

	if (!thread)
		return -ENOMEM;
	if (!session->pid)
		process = "swapper";
	else if (session->proc_comm[0])
		process = session->proc_comm;
	if (strcmp(thread->proc_comm, process)) {
		strcpy(thread->proc_comm, process);
		add_process_name(self, session, process);
	}
	if (strcmp(thread->comm, comm)) {
		strcpy(thread->comm, comm);
		add_name(self, session, "thread_name", comm);
	}
	return 0;
}

/* Add the owner of the task, as far as it is known, to the entry call. */
static void add_owner(struct json *json, const struct view_context *context,
		      const struct session *session)
{
	struct origin origin;

	origin_find(context, session, &origin);
	if (origin.path)
		json_string(json, "cgroup", origin.path);
	if (*origin.owner.pod)
		json_string(json, "pod", origin.owner.pod);
	if (*origin.owner.container)
		json_string(json, "container", origin.owner.container);
	if (*origin.owner.unit)
		json_string(json, "unit", origin.owner.unit);
	origin_trace_json_add(json, session);
}

/*
 * @enter	the line of the call, which has its arguments; the same as @exit for leaves
 * @exit	the line of its return; NULL: it did not return, or that was not seen
 * @over_ns	when it was over at the latest, in that case
 */
static void add_call(struct chrome_view *self, const struct session *session,
		     const struct traced_call *enter, const struct traced_call *exit,
		     uint64_t over_ns)
{
	const struct view_context *context = self->view.context;
	const struct plan_func *func = &context->explain.plan->funcs.data[enter->func];
	bool failed = exit && result_failed(func, context->error_rules, exit->result);
	uint64_t end = exit ? exit->time_ns : over_ns, start = enter->time_ns;
	struct json json = JSON_INIT(&self->view.text);

	if (exit && exit->has_duration)
		start = end - exit->duration_ns;
	/* Start and end are out of order if one of them was not known. */
	if (!start || end < start)
		return;
	next_event(self);
	json_object(&json, NULL);
	json_string(&json, "ph", "X");
	json_string(&json, "name", func->name);
	json_string(&json, "cat", context_key(session->context));
	add_us(&json, "ts", shown_time(self, start));
	add_us(&json, "dur", end - start);
	add_thread(&json, self, session);
	if (failed)
		json_string(&json, "cname", "terrible");
	json_object(&json, "args");
	if (!enter->depth)
		add_owner(&json, context, session);
	if (func->module)
		json_string(&json, "module", func->module);
	if (exit) {
		strbuf_clear(&self->view.scratch);
		result_add(&self->view.scratch, exit->result, func->returns);
		json_string(&json, "result", strbuf_str(&self->view.scratch));
		json_bool(&json, "failed", failed);
	} else {
		json_string(&json, "result", "not returned");
	}
	if (enter->args_size)
		trace_json_add_args(&json, context, session, enter);
	json_close(&json);
	json_close(&json);
}

static void add_instant(struct chrome_view *self, const struct session *session,
			const struct traced_call *call, const char *name)
{
	struct json json = JSON_INIT(&self->view.text);

	if (!call->time_ns)
		return;
	next_event(self);
	json_object(&json, NULL);
	json_string(&json, "ph", "i");
	json_string(&json, "s", "t");
	json_string(&json, "name", name);
	json_string(&json, "cat", context_key(session->context));
	add_us(&json, "ts", shown_time(self, call->time_ns));
	add_thread(&json, self, session);
	json_object(&json, "args");
	if (call->args_size)
		trace_json_add_args(&json, self->view.context, session, call);
	json_close(&json);
	json_close(&json);
}

static void add_gap(struct chrome_view *self, const struct session *session,
		    const struct traced_call *call, const char *what)
{
	strbuf_clear(&self->view.scratch);
	strbuf_addf(&self->view.scratch, "%u %s", call->count, what);
	add_instant(self, session, call, strbuf_str(&self->view.scratch));
}

/* Calls still open from @depth inward will not get a return any more. */
static void leave_open(struct chrome_view *self, const struct session *session, uint32_t depth,
		       uint64_t over_ns)
{
	while (self->open.len &&
	       session->calls[self->open.data[self->open.len - 1]].depth >= depth)
		add_call(self, session, &session->calls[self->open.data[--self->open.len]], NULL,
			 over_ns ?: session->end_ns);
}

static int add_line(struct chrome_view *self, const struct session *session, uint32_t i)
{
	const struct traced_call *call = &session->calls[i];

	switch (call->kind) {
	case TRACED_CALL:
		leave_open(self, session, call->depth, call->time_ns);
		return vec_push(&self->open, i);
	case TRACED_LEAF:
		add_call(self, session, call, call, 0);
		return 0;
	case TRACED_RETURN:
		leave_open(self, session, call->depth + 1, call->time_ns);
		/* Without a duration it may be another call's, which began in a gap. */
		if (call->has_duration && self->open.len &&
		    session->calls[self->open.data[self->open.len - 1]].depth == call->depth) {
			add_call(self, session, &session->calls[self->open.data[--self->open.len]],
				 call, 0);
			return 0;
		}
		leave_open(self, session, call->depth, call->time_ns);
		add_call(self, session, call, call, 0);
		return 0;
	case TRACED_PROBE:
		add_instant(self, session, call,
			    self->view.context->explain.plan->probes->v.data[call->func].text);
		return 0;
	case TRACED_LOST:
		add_gap(self, session, call, "calls lost");
		return 0;
	case TRACED_UNSEEN:
		add_gap(self, session, call, "returns not seen");
		leave_open(self, session, call->depth, call->time_ns);
		return 0;
	case TRACED_DEEP:
		add_gap(self, session, call, "deeper calls not kept");
		return 0;
	}
	return 0;
}

static int chrome_begin(struct view *view)
{
	struct chrome_view *self = (struct chrome_view *)view;

	strbuf_reset(&self->view.text);
	strbuf_addch(&self->view.text, '[');
	if (self->view.context->several && self->view.context->origin)
		add_base(self, self->view.context->origin);
	return output_data(self->view.context->out, &self->view.text);
}

static int chrome_session(struct view *view, const struct explained *explained)
{
	const struct session *session = explained->session;
	struct chrome_view *self = (struct chrome_view *)view;
	int err;

	if (session->interim)
		return 0;
	strbuf_reset(&self->view.text);
	self->open.len = 0;
	err = add_names(self, session);
	for (uint32_t i = 0; i < session->nr_calls && !err; i++)
		err = add_line(self, session, i);
	leave_open(self, session, 0, session->end_ns);
	if (err || self->view.scratch.failed)
		return report_oom();
	return output_data(self->view.context->out, &self->view.text);
}

static int chrome_end(struct view *view, const struct ledger *ledger)
{
	struct chrome_view *self = (struct chrome_view *)view;

	strbuf_reset(&self->view.text);
	strbuf_addstr(&self->view.text, "\n]\n");
	return output_data(self->view.context->out, &self->view.text);
}

static void chrome_free(struct view *view)
{
	struct chrome_view *self = (struct chrome_view *)view;

	vec_release(&self->open);
	vec_release(&self->named);
	view_free(view);
}

struct view *view_chrome_new(const struct view_context *context)
{
	struct chrome_view *self = view_new(sizeof(*self), context);

	if (!self)
		return NULL;
	self->view.begin = chrome_begin;
	self->view.session = chrome_session;
	self->view.end = chrome_end;
	self->view.free = chrome_free;
	return &self->view;
}
