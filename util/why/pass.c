// SPDX-License-Identifier: BSD-2-Clause
/* A trace of one system call, with probes inside functions, kept. */
#include "util/why/pass.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/capture/points/probes.h"
#include "util/kernel/kernel.h"
#include "util/trace/ask/settings.h"
#include "util/trace/plan/plan.h"
#include "util/trace/run/run.h"
#include "util/why/watch/watch.h"

/* Calls of a command that are alike. */
#define MAX_ALIKE 4096
/* Sessions at once: memory for traces is there from the start. */
#define SESSIONS 256
#define SESSION_BUF_SIZE (64 * 1024)

struct keeper {
	const struct pass_ask *ask;
	struct pass *pass;
};

static void *copy(const void *data, size_t size)
{
	void *p = data && size ? malloc(size) : NULL;

	return p ? memcpy(p, data, size) : NULL;
}

static size_t args_size(const struct session *session)
{
	size_t size = 0;

	for (uint32_t i = 0; i < session->nr_calls; i++) {
		size_t end = (size_t)session->calls[i].args_at + session->calls[i].args_size;

		if (session->calls[i].args_size && end > size)
			size = end;
	}
	return size;
}

static int keep(struct pass *pass, const struct session *from)
{
	struct session to = *from;

	to.branches = NULL;
	to.nr_branches = 0;
	to.frames = copy(from->frames, from->nr_frames * sizeof(*from->frames));
	to.ips = copy(from->ips, from->nr_ips * sizeof(*from->ips));
	to.calls = copy(from->calls, from->nr_calls * sizeof(*from->calls));
	to.args = copy(from->args, args_size(from));
	if ((from->nr_frames && !to.frames) || (from->nr_ips && !to.ips) ||
	    (from->nr_calls && !to.calls) || vec_push(&pass->alike, to)) {
		free(to.frames);
		free(to.ips);
		free(to.calls);
		free(to.args);
		return report_oom();
	}
	return 0;
}

static int on_session(void *arg, const struct session *session)
{
	const struct keeper *keeper = arg;
	const struct pass_ask *ask = keeper->ask;

	if (session->interim || !session->nr_frames || session->context != CONTEXT_TASK ||
	    (int32_t)session->frames[0].result != (int32_t)ask->result ||
	    strcmp(session->comm, ask->comm) || keeper->pass->alike.len >= MAX_ALIKE)
		return 0;
	/* The first one will do where it is only waited for. */
	return keep(keeper->pass, session) ?: ask->workload ? 0 : -EPIPE;
}

/* Without a command: whether there is nobody left to wait for. */
static int on_tick(void *arg, const struct ledger *ledger)
{
	const struct keeper *keeper = arg;

	return watch_is_over(keeper->ask->filters) ? -EPIPE : 0;
}

static int add_spec(struct spec_list *list, const char *name, const char *module)
{
	_cleanup_(free_p) char *text = module ? strf("%s [%s]", name, module) : strdup(name);

	return text ? spec_list_add(list, text) : report_oom();
}

static int copy_filters(const struct pass_ask *ask, struct trace_request *request)
{
	const struct trace_request *filters = ask->filters;
	char *copied;

	vec_foreach(pid, &filters->allow_pids) {
		if (vec_push(&request->allow_pids, *pid))
			return report_oom();
	}
	vec_foreach(path, &filters->cgroups) {
		copied = strdup(*path);
		if (!copied || vec_push(&request->cgroups, copied)) {
			free(copied);
			return report_oom();
		}
	}
	vec_foreach(pattern, &filters->cgroup_patterns) {
		struct cgroup_pattern same;
		int err = cgroup_pattern_parse(pattern->kind, pattern->text, &same);

		if (!err && vec_push(&request->cgroup_patterns, same)) {
			free(same.text);
			err = report_oom();
		}
		if (err)
			return err;
	}
	if (ask->workload)
		return 0;
	/* Others would fill the buffers while it is waited. */
	copied = strdup(ask->comm);
	if (!copied || vec_push(&request->allow_comms, copied)) {
		free(copied);
		return report_oom();
	}
	errno_set_add_number(&request->allow_errnos, -ask->result);
	return 0;
}

static int fill_request(const struct pass_ask *ask, struct trace_request *request)
{
	int err;

	trace_request_init(request);
	request->modes = MODE_STACK | MODE_TRACE;
	request->shown_modes = request->modes;
	request->workload = ask->workload;
	request->user = ask->user ? strdup(ask->user) : NULL;
	request->workload_stdout = ask->stdout_fd;
	if (ask->user && !request->user)
		return report_oom();
	request->sessions_size = SESSIONS;
	request->session_buf_size = SESSION_BUF_SIZE;
	request->success = SUCCESS_NO;
	trace_request_settle(request);
	err = copy_filters(ask, request);
	err = err ?: add_spec(&request->entry, ask->entry, ask->module);
	vec_foreach(func, &ask->funcs)
		err = err ?: add_spec(&request->allow, (*func)->name, (*func)->module);
	return err;
}

static int by_start(const void *a, const void *b)
{
	const struct session *x = a, *y = b;

	return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

int pass_run(struct kernel *kernel, struct pass_ask *ask, struct pass *pass)
{
	struct keeper keeper = { ask, pass };
	const struct run_handler handler = {
		.session = on_session,
		.tick = ask->workload ? NULL : on_tick,
		.cgroups = ask->cgroups,
		.arg = &keeper,
	};
	struct run_result result = {};
	struct trace_request request;
	int verbosity = report_verbosity(), err;
	uint64_t start = now_ns();

	*pass = (struct pass){};
	err = fill_request(ask, &request);
	err = err ?: plan_select(kernel, &request, PLAN_QUIET, &pass->plan);
	if (!err) {
		pass->plan->probes = ask->probes;
		if (ask->probes)
			ask->probes->optional = true;
		ask->probes = NULL;
		/* The command's own messages are what the user is to see. */
		if (verbosity < VERBOSITY_DEBUG)
			report_set_verbosity(VERBOSITY_QUIET);
		err = run_trace(kernel, pass->plan, &request, &handler, &result);
		report_set_verbosity(verbosity);
	}
	trace_request_release(&request);
	pass->ledger = result.ledger;
	pass->interrupted = result.interrupted;
	pass->elapsed_ns = now_ns() - start;
	if (err)
		return err;
	vec_sort(&pass->alike, by_start);
	if (ask->nth && pass->alike.len)
		pass->session =
			&pass->alike
				 .data[(ask->nth < pass->alike.len ? ask->nth : pass->alike.len) -
				       1];
	return 0;
}

static bool same_frames(const struct session *a, const struct session *b)
{
	if (a->nr_frames != b->nr_frames)
		return false;
	for (uint32_t i = 0; i < a->nr_frames; i++) {
		if (a->frames[i].func != b->frames[i].func ||
		    (uint32_t)a->frames[i].result != (uint32_t)b->frames[i].result)
			return false;
	}
	return true;
}

/* The next probe of all that was passed; NULL: that was the last. */
static const struct traced_call *next_of_all(const struct session *session, uint32_t *at)
{
	while (*at < session->nr_calls) {
		const struct traced_call *call = &session->calls[(*at)++];

		if (call->kind == TRACED_PROBE)
			return call;
	}
	return NULL;
}

static bool same_probes(const struct session *a, const struct session *b)
{
	const struct traced_call *in_a, *in_b;
	uint32_t at_a = 0, at_b = 0;

	do {
		in_a = next_of_all(a, &at_a);
		in_b = next_of_all(b, &at_b);
		if (!in_a != !in_b || (in_a && in_a->func != in_b->func))
			return false;
	} while (in_a);
	return true;
}

bool pass_is_uniform(const struct pass *pass)
{
	vec_foreach(session, &pass->alike) {
		if (!same_frames(session, pass->alike.data) ||
		    !same_probes(session, pass->alike.data))
			return false;
	}
	return pass->alike.len;
}

void pass_release(struct pass *pass)
{
	vec_foreach(session, &pass->alike) {
		free(session->frames);
		free(session->ips);
		free(session->calls);
		free(session->args);
	}
	vec_release(&pass->alike);
	if (pass->plan)
		plan_free(pass->plan);
	pass->plan = NULL;
}

uint32_t pass_func(const struct pass *pass, uint64_t addr)
{
	for (uint32_t i = 0; i < pass->plan->funcs.len; i++) {
		if (pass->plan->funcs.data[i].addr == addr)
			return i;
	}
	return UINT32_MAX;
}

/* Where the activation that begins with a call ends; 0: its return is not there. */
static uint32_t find_return(const struct session *session, uint32_t first, uint32_t last)
{
	const struct traced_call *call = &session->calls[first];

	if (call->kind == TRACED_LEAF)
		return first;
	for (uint32_t i = first + 1; i <= last; i++) {
		if (session->calls[i].kind == TRACED_RETURN &&
		    session->calls[i].depth == call->depth)
			return session->calls[i].func == call->func ? i : 0;
	}
	return 0;
}

uint32_t pass_find(const struct pass *pass, const struct activation *in, uint64_t func,
		   uint32_t result, struct activation *ret)
{
	const struct session *session = pass->session;
	uint32_t id = pass_func(pass, func), nr = 0, last;

	for (uint32_t i = in->first; i <= in->last && i < session->nr_calls; i++) {
		const struct traced_call *call = &session->calls[i];

		if ((call->kind != TRACED_CALL && call->kind != TRACED_LEAF) || call->func != id)
			continue;
		last = find_return(session, i, in->last);
		if ((!last && call->kind != TRACED_LEAF) ||
		    (uint32_t)session->calls[last].result != result)
			continue;
		*ret = (struct activation){ i, last, session->calls[last].result };
		nr++;
	}
	return nr;
}

const struct traced_call *pass_next_probe(const struct pass *pass, const struct activation *in,
					  struct probe_walk *walk)
{
	const struct session *session = pass->session;

	while (in->first + ++walk->at < in->last) {
		const struct traced_call *call = &session->calls[in->first + walk->at];

		if (call->kind == TRACED_PROBE) {
			if (!walk->nested)
				return call;
		} else if (call->func == session->calls[in->first].func) {
			walk->nested += call->kind == TRACED_CALL;
			walk->nested -= call->kind == TRACED_RETURN && walk->nested;
		}
	}
	return NULL;
}

bool pass_find_outermost(const struct pass *pass, const struct activation *in, uint32_t *ret_func,
			 struct activation *ret)
{
	const struct session *session = pass->session;
	uint32_t nr = 0, last;

	for (uint32_t i = in->first + 1; i < in->last; i++) {
		const struct traced_call *call = &session->calls[i];

		if (call->kind != TRACED_CALL && call->kind != TRACED_LEAF)
			continue;
		last = find_return(session, i, in->last);
		/* What returns nothing leaves the register as it was: it may look like the result. */
		if ((!last && call->kind != TRACED_LEAF) ||
		    pass->plan->funcs.data[call->func].returns == RETURN_VOID ||
		    (uint32_t)session->calls[last].result != (uint32_t)in->result)
			continue;
		*ret = (struct activation){ i, last, session->calls[last].result };
		*ret_func = call->func;
		nr++;
		/* What is inside it is no other one. */
		i = last;
	}
	return nr == 1;
}

bool pass_is_torn(const struct pass *pass, const struct activation *in)
{
	const struct session *session = pass->session;
	uint32_t depth = session->calls[in->first].depth + 1;

	for (uint32_t i = in->first; i <= in->last; i++) {
		const struct traced_call *call = &session->calls[i];

		switch (call->kind) {
		case TRACED_LOST:
			/* Lost calls were made at this depth or further in. */
			say(VERBOSITY_VERBOSE, "part of the trace was lost");
			return true;
		case TRACED_UNSEEN:
		case TRACED_DEEP:
			if (call->depth > depth)
				break;
			say(VERBOSITY_VERBOSE, "%u calls at depth %u of the trace have no return",
			    call->count, call->depth);
			return true;
		default:
			break;
		}
	}
	return false;
}
