// SPDX-License-Identifier: BSD-2-Clause
/* Traces one system call, with probes inside functions, and keeps its sessions. */
#include "util/why/pass.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/ask/settings.h"
#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/kernel/kernel.h"
#include "util/plan/plan.h"
#include "util/plan/points/probes.h"
#include "util/trace/run/run.h"
#include "util/trace/run/workload.h"
#include "util/why/watch/watch.h"

/* The most calls of a command that failed alike. */
#define MAX_ALIKE 4096
/* Open sessions: memory for their traces is allocated at the start. */
#define SESSIONS 256
#define SESSION_BUF_SIZE (64 * 1024)

struct keeper {
	struct kernel *kernel;
	const struct pass_ask *ask;
	struct pass *pass;
	struct watcher *watcher;	/* NULL: none */
};

void pass_ask_release(struct pass_ask *ask)
{
	if (ask->probes)
		probes_free(ask->probes);
	vec_release(&ask->funcs);
}

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

/* Bytes of a thread's name before the number at its end. */
static size_t unnumbered(const char *comm)
{
	size_t len = strlen(comm);

	while (len && isdigit((unsigned char)comm[len - 1]))
		len--;
	return len;
}

/* Whether threads with another number are waited for, too: the next failure may be any worker's. */
static bool takes_any_number(const struct pass_ask *ask)
{
	return !ask->workload && !ask->filters->allow_comms.len && ask->comm[unnumbered(ask->comm)];
}

bool pass_is_of(const struct pass_ask *ask, const char *comm)
{
	size_t len;

	if (!ask->comm || !strcmp(comm, ask->comm))
		return true;
	len = unnumbered(comm);
	return takes_any_number(ask) && len == unnumbered(ask->comm) && !strncmp(comm, ask->comm, len);
}

static bool may_be_meant(const struct pass_ask *ask, const struct session *session)
{
	int32_t result;

	if (session->interim || !session->nr_frames || session->context != CONTEXT_TASK)
		return false;
	result = session->frames[0].result;
	if (ask->watch)
		return !ask->err || result == -ask->err;
	return result == (int32_t)ask->result && pass_is_of(ask, session->comm);
}

static int on_session(void *arg, const struct session *session)
{
	const struct keeper *keeper = arg;
	const struct pass_ask *ask = keeper->ask;

	if (!may_be_meant(ask, session) || keeper->pass->alike.len >= MAX_ALIKE)
		return 0;
	/* Without a command, the first such call ends the wait. */
	return keep(keeper->pass, session) ?: ask->workload ? 0 : -EPIPE;
}

/* Runs each second. Without a command, it ends the pass if all selected processes have exited. */
static int on_tick(void *arg, const struct ledger *ledger)
{
	const struct keeper *keeper = arg;

	if (keeper->watcher)
		watcher_take(keeper->watcher);
	return !keeper->ask->workload && watch_is_over(keeper->ask->filters) ? -EPIPE : 0;
}

static int on_release(void *arg, pid_t workload)
{
	struct keeper *keeper = arg;
	const struct pass_ask *ask = keeper->ask;

	return watcher_start(keeper->kernel, ask->watch, workload, ask->watched, &keeper->watcher);
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
	/* Calls of other programs would fill the buffers during the wait. */
	if (ask->comm && !takes_any_number(ask)) {
		copied = strdup(ask->comm);
		if (!copied || vec_push(&request->allow_comms, copied)) {
			free(copied);
			return report_oom();
		}
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
	request->workload_may_fail = true;
	request->leave_out_self = !ask->workload;
	if (ask->user && !request->user)
		return report_oom();
	request->sessions_size = SESSIONS;
	request->session_buf_size = SESSION_BUF_SIZE;
	request->kept_at = ask->kept_at;
	request->success = SUCCESS_NO;
	trace_request_settle(request);
	err = copy_filters(ask, request);
	err = err ?: add_spec(&request->entry, ask->entry, ask->module);
	vec_foreach(func, &ask->funcs)
		err = err ?: add_spec(&request->allow, (*func)->name, (*func)->module);
	return err;
}

/* As the watch on system calls saw them: it sees their ends. */
static int by_end(const void *a, const void *b)
{
	const struct session *x = a, *y = b;

	return x->end_ns < y->end_ns ? -1 : x->end_ns > y->end_ns;
}

int pass_run(struct kernel *kernel, struct pass_ask *ask, struct pass *pass)
{
	struct keeper keeper = { kernel, ask, pass, NULL };
	const struct run_handler handler = {
		.session = on_session,
		.tick = ask->workload && !ask->watch ? NULL : on_tick,
		.release = ask->watch ? on_release : NULL,
		.cgroups = ask->cgroups,
		.keeps_facts = true,
		.attaches_again = true,
		.ends_workload = true,
		.features = ask->features,
		.kept = ask->kept,
		.arg = &keeper,
	};
	struct run_result result = {};
	struct trace_request request;
	int verbosity = report_verbosity(), err;
	size_t nth;
	uint64_t start = now_ns();

	*pass = (struct pass){};
	err = fill_request(ask, &request);
	if (ask->probes)
		ask->probes->optional = true;
	err = err ?: plan_build(kernel, &request, PLAN_QUIET | PLAN_UNSIGNED_ERRORS,
				take_ptr(ask->probes), &pass->plan);
	if (!err) {
		/* The user should see the command's own messages, not those of the run. */
		if (verbosity < VERBOSITY_DEBUG)
			report_set_verbosity(VERBOSITY_QUIET);
		err = run_trace(kernel, pass->plan, &request, &handler, &pass->attached, &result);
		report_set_verbosity(verbosity);
		if (result.goes_on)
			workload_say_goes_on(result.goes_on, ask->workload[0]);
	}
	watcher_stop(keeper.watcher);
	if (ask->watched) {
		ask->watched->wait_status = result.wait_status;
		ask->watched->interrupted = result.interrupted;
	}
	trace_request_release(&request);
	pass->ledger = result.ledger;
	pass->interrupted = result.interrupted;
	pass->elapsed_ns = now_ns() - start;
	if (err)
		return err;
	vec_sort(&pass->alike, by_end);
	if (ask->watch)
		return 0;
	nth = ask->nth < pass->alike.len ? ask->nth : pass->alike.len;
	if (nth)
		pass->session = &pass->alike.data[nth - 1];
	return 0;
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
	attached_release(&pass->attached);
	if (pass->plan)
		plan_free(pass->plan);
	pass->plan = NULL;
}
