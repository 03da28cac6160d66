// SPDX-License-Identifier: BSD-2-Clause
/* The main loop of a tracing run. */
#include "util/trace/run.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "bpf/config.h"
#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/kernel/kernel.h"
#include "util/trace/attach.h"
#include "util/trace/collect.h"
#include "util/trace/rungs.h"
#include "util/trace/workload.h"

struct run {
	const struct trace_request *request;
	const struct run_handler *handler;
	struct attachment *attachment;
	struct collector *collector;
	struct assembler *assembler;
	struct workload workload;
	struct run_result result;
	sigset_t old_mask;
	int signal_fd;
	uint64_t deadline_ns;	/* 0 none */
	bool over;
};

/*
 * Signals come through a descriptor, so that nothing is interrupted half way. SIGPIPE is ignored:
 * a closed pipe is seen as a write error or by poll().
 */
static int take_signals(struct run *run)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigaddset(&mask, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &mask, &run->old_mask);
	signal(SIGPIPE, SIG_IGN);
	run->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	return run->signal_fd < 0 ? report(-errno, "cannot take signals: %s", strerror(errno)) : 0;
}

/* Whether a signal asks to end. Collects a workload that has ended. */
static bool read_signals(struct run *run)
{
	struct signalfd_siginfo info;
	bool asked = false;

	while (read(run->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;
		asked = true;
		/* A terminal's Ctrl-C reaches the workload by itself, a kill does not. */
		if (info.ssi_signo != SIGINT && run->workload.released && !run->workload.over)
			kill(run->workload.pid, info.ssi_signo);
	}
	return asked;
}

/* Asks for one more signal each time: the one that ended attaching does not cut detaching short. */
static bool interrupted(void *arg)
{
	struct run *run = arg;

	if (!read_signals(run))
		return false;
	run->result.interrupted = true;
	return true;
}

static bool is_session(const struct record *record)
{
	struct event_header header;

	if (record->size < sizeof(header))
		return false;
	memcpy(&header, record->data, sizeof(header));
	return header.kind == EVENT_SESSION;
}

/*
 * Whether the view may write: a reader that does not read (a pager, a stopped terminal) must not
 * keep signals from being heard. The first one ends recording; another while the reader still does
 * not read gives up what has not been shown.
 */
static bool may_write(struct run *run)
{
	struct pollfd fds[] = {
		{ .fd = STDOUT_FILENO, .events = POLLOUT },
		{ .fd = run->signal_fd, .events = POLLIN },
	};

	for (;;) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return true;
		if (fds[1].revents & POLLIN && read_signals(run)) {
			if (run->result.interrupted)
				return false;
			run->result.interrupted = true;
			run->over = true;
			programs_record(attachment_programs(run->attachment), false);
		}
		/* Errors, too: writing tells which. */
		if (fds[0].revents)
			return true;
	}
}

static int hand_out(struct run *run, struct record *records)
{
	struct session *session;
	int err = 0;

	while (records) {
		struct record *record = records;

		records = record->next;
		if (run->result.pipe_closed) {
			run->result.ledger.not_shown += is_session(record);
		} else if (!err && !(run->request->max_sessions &&
				     run->result.ledger.shown >= run->request->max_sessions)) {
			session = NULL;
			if (assembler_feed(run->assembler, record->data, record->size, &session) ==
			    -EBADMSG)
				run->result.ledger.bad_records++;
			if (session && !may_write(run)) {
				run->result.pipe_closed = true;
				run->result.ledger.not_shown++;
			} else if (session) {
				run->result.ledger.shown++;
				err = run->handler->session(run->handler->arg, session);
				if (err == -EPIPE) {
					run->result.ledger.shown--;
					run->result.ledger.not_shown++;
					run->result.pipe_closed = true;
					run->over = true;
					err = 0;
				}
			}
			session_free(session);
		}
		free(record);
	}
	if (run->request->max_sessions &&
	    run->result.ledger.shown >= run->request->max_sessions)
		run->over = true;
	return err;
}

static int wait_ms(const struct run *run)
{
	uint64_t now = now_ns();

	if (!run->deadline_ns)
		return -1;
	return now >= run->deadline_ns ? 0 : (run->deadline_ns - now) / NSEC_PER_MSEC + 1;
}

static int loop(struct run *run)
{
	struct pollfd fds[] = {
		{ .fd = collector_fd(run->collector), .events = POLLIN },
		{ .fd = run->signal_fd, .events = POLLIN },
		{ .fd = STDOUT_FILENO },	/* only POLLERR: the reader has gone */
	};
	int err = 0;

	while (!run->over && !err) {
		if (poll(fds, 3, wait_ms(run)) < 0 && errno != EINTR)
			return report(-errno, "cannot wait for events: %s", strerror(errno));
		if (fds[0].revents)
			err = hand_out(run, collector_take(run->collector));
		if (fds[1].revents && interrupted(run))
			run->over = true;
		if (fds[2].revents & (POLLERR | POLLNVAL)) {
			run->result.pipe_closed = true;
			run->over = true;
		}
		if (workload_ended(&run->workload))
			run->over = true;
		if (run->deadline_ns && now_ns() >= run->deadline_ns)
			run->over = true;
	}
	return err;
}

/* Where stacks taken at function entry end, on kernels that need those. */
static void set_rules(struct kernel *kernel, const struct attachment *attachment,
		      const struct plan *plan, struct session_rules *rules)
{
	static const char *const names[] = { "kretprobe_trampoline", "__kretprobe_trampoline" };
	const struct symbol *const *named;
	struct symbols *symbols;

	*rules = (struct session_rules){ .plan = plan };
	if (!attachment_programs(attachment)->entry_stacks || kernel_symbols(kernel, &symbols))
		return;
	for (int i = 0; i < 2 && !rules->trampoline; i++) {
		if (symbols_named(symbols, names[i], &named)) {
			rules->trampoline = named[0]->addr;
			rules->trampoline_end = named[0]->addr + (named[0]->size ?: 1);
		}
	}
}

static int start(struct run *run, struct kernel *kernel, const struct plan *plan)
{
	const struct programs *programs = attachment_programs(run->attachment);
	struct session_rules rules;
	int err;

	set_rules(kernel, run->attachment, plan, &rules);
	run->assembler = assembler_new(&rules);
	if (!run->assembler)
		return report_oom();
	err = collector_new(programs->events_fd, &run->collector);
	if (err)
		return err;
	if (run->workload.pid) {
		err = programs_add_pid(programs, run->workload.pid, FILTER_ALLOW);
		if (err)
			return report(err, "cannot filter by process: %s", strerror(-err));
	}
	programs_record(programs, true);
	if (run->handler->ready)
		run->handler->ready(run->handler->arg);
	if (run->request->duration_ns)
		run->deadline_ns = now_ns() + run->request->duration_ns;
	if (run->workload.pid) {
		run->result.workload_ran = true;
		return workload_release(&run->workload, run->request->workload[0]);
	}
	return 0;
}

/* What is in flight is shown before the links, which may take long, are closed. */
static int finish(struct run *run)
{
	int err;

	programs_record(attachment_programs(run->attachment), false);
	collector_stop(run->collector);
	err = hand_out(run, collector_take(run->collector));
	run->result.ledger.queue_dropped = collector_dropped(run->collector);
	attachment_count(run->attachment, &run->result.ledger);
	return err;
}

int run_trace(struct kernel *kernel, struct plan *plan, const struct trace_request *request,
	      const struct run_handler *handler, struct run_result *ret_result)
{
	struct run run = { .request = request, .handler = handler, .signal_fd = -1,
			   .workload = WORKLOAD_INIT };
	struct features features;
	int err;

	err = features_probe(kernel, &features);
	if (err)
		return err;
	err = rungs_assign(plan, &features, request->rung);
	if (err)
		return err;
	err = take_signals(&run);
	if (!err && request->workload)
		err = workload_hold(&run.workload, request->workload, &run.old_mask);
	if (!err)
		err = attachment_new(kernel, &features, plan, request, request->workload,
				     interrupted, &run, &run.attachment);
	if (!err) {
		run.result.started = true;
		err = start(&run, kernel, plan);
		err = err ?: loop(&run);
		err = finish(&run) ?: err;
		attachment_detach(run.attachment, interrupted, &run);
		if (workload_ended(&run.workload))
			run.result.workload_status =
				workload_status(&run.workload, request->workload[0]);
		else if (run.workload.released)
			say(VERBOSITY_NORMAL, "'%s' (pid %d) goes on.", request->workload[0],
			    (int)run.workload.pid);
	}
	if (err == -EINTR) {
		run.result.interrupted = true;
		err = 0;
	}
	workload_drop(&run.workload);
	collector_free(run.collector);
	assembler_free(run.assembler);
	attachment_free(run.attachment);
	if (run.signal_fd >= 0)
		close(run.signal_fd);
	pthread_sigmask(SIG_SETMASK, &run.old_mask, NULL);
	*ret_result = run.result;
	return err;
}

int run_dry(struct kernel *kernel, struct plan *plan, const struct trace_request *request)
{
	struct features features;
	uint32_t nr = 0;
	int err;

	err = features_probe(kernel, &features);
	err = err ?: rungs_assign(plan, &features, request->rung);
	if (err)
		return err;
	vec_foreach(func, &plan->funcs) {
		if (func->rung == RUNG_AUTO)
			warning("no way to attach to '%s' on this kernel%s%s", func->name,
				request->rung == RUNG_AUTO ? "" : " with ",
				request->rung == RUNG_AUTO ? "" : rung_name(request->rung));
		else
			say(VERBOSITY_VERBOSE, "Attached (dry run) to function #%u '%s'.", ++nr,
			    func->name);
	}
	say(VERBOSITY_VERBOSE, "Total %u kernel functions attached (dry run) successfully!", nr);
	return 0;
}
