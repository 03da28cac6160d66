// SPDX-License-Identifier: BSD-2-Clause
/* The main loop of a tracing run. */
#include "util/trace/run/run.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "bpf/config.h"
#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/wall_clock.h"
#include "util/kernel/kernel.h"
#include "util/kernel/machine/machine.h"
#include "util/plan/args/args.h"
#include "util/plan/points/probes.h"
#include "util/trace/run/run_internal.h"
#include "util/trace/run/start_time.h"
#include "util/trace/session/assembler.h"
#include "util/trace/session/calls.h"
#include "util/trace/spans/context_watch.h"

/* How long sessions are shown before the loop looks for other events. */
#define SLICE_NS (20 * NSEC_PER_MSEC)

/* How often losses are checked. */
#define WATCH_NS NSEC_PER_SEC

/* How often the handler's tick is called. */
#define TICK_NS NSEC_PER_SEC

static bool has_enough(const struct run *run)
{
	return run->request->max_sessions &&
	       run->result.ledger.shown >= run->request->max_sessions;
}

/* Check a view's return value: a closed pipe ends the run, but is no error. */
int run_check_shown(struct run *run, int err)
{
	if (err != -EPIPE)
		return err;
	run->result.pipe_closed = true;
	run->over = true;
	return 0;
}

static int hand_out_session(struct run *run, const struct session *session)
{
	int err;

	if (run->plan->args && report_verbosity() >= VERBOSITY_VERBOSE)
		run->result.ledger.args_bytes += calls_args_bytes(run->plan, session);
	err = run_check_shown(run, run->handler->session(run->handler->arg, session));
	if (run->result.pipe_closed)
		run->result.ledger.not_shown++;
	else
		run->result.ledger.shown++;
	if (has_enough(run))
		run->over = true;
	return err;
}

/* Pass on a record; it may complete a session. */
static int show_record(struct run *run, const struct record *record, bool *ret_ended)
{
	const struct run_handler *handler = run->handler;
	struct event_header header;
	struct session *session;
	int err = 0;

	*ret_ended = false;
	if (handler->record)
		err = run_check_shown(run, handler->record(handler->arg, record->data, record->size));
	if (err || run->result.pipe_closed)
		return err;
	if (!handler->session) {
		if (record->size < sizeof(header))
			return 0;
		memcpy(&header, record->data, sizeof(header));
		*ret_ended = header.kind == EVENT_SESSION;
		run->result.ledger.shown += *ret_ended;
		run->over |= has_enough(run);
		return 0;
	}
	err = assembler_feed(run->assembler, record->data, record->size, &session);
	if (err == -EBADMSG)
		run->result.ledger.bad_records++;
	else if (err)
		return report_oom();
	err = session ? hand_out_session(run, session) : 0;
	*ret_ended = session;
	session_free(session);
	return err;
}

/*
 * Whether output can be written: a reader that does not read (a pager, a stopped terminal) must
 * not block the loop.
 */
static bool may_write(const struct run *run)
{
	struct pollfd fd = { .fd = STDOUT_FILENO, .events = POLLOUT };

	if (!run->handler->output)
		return true;

	/* True on errors, too: writing reports them. */
	return poll(&fd, 1, 0) != 0;
}

/* Show sessions for a while, at least one. */
static int show_sessions(struct run *run)
{
	uint64_t until = now_ns() + SLICE_NS;
	struct record record;
	bool ended;
	int err = 0;

	do {
		run->records = collector_next(run->collector, &record);
		if (!run->records)
			return 0;
		err = show_record(run, &record, &ended);
	} while (!err && !has_enough(run) && !run->result.pipe_closed && now_ns() < until &&
		 (!ended || may_write(run)));
	return err;
}

/* Show the counts since the last time. */
static int show_summary(struct run *run)
{
	struct summary summary;
	int err = summary_run_take(&run->summary, run->ended_ns ?: now_ns(), &summary);

	run->result.ledger.shown += summary.calls;
	if (!err && (summary.calls || summary.interval))
		err = run_check_shown(run, run->handler->summary(run->handler->arg, &summary));
	summary_release(&summary);
	return err;
}

static bool is_time(uint64_t when, uint64_t now)
{
	return when && when <= now;
}

/* Do all that is due while recording. */
static int keep_time(struct run *run)
{
	uint64_t now = now_ns();
	int err = 0;

	if (is_time(run->next_watch_ns, now)) {
		if (report_verbosity() >= VERBOSITY_NORMAL)
			run_watch_losses(run);
		run->look_at_modules = true;
		run->next_watch_ns = now + WATCH_NS;
	}
	if (is_time(run->next_stats_ns, now)) {
		run_print_stats(run, now);
		while (run->next_stats_ns <= now)
			run->next_stats_ns += run->request->stats_ns;
	}
	if (is_time(run->summary.next_ns, now))
		run->summary.due = true;
	if (is_time(run->next_tick_ns, now)) {
		err = run_tick(run);
		run->next_tick_ns = now + TICK_NS;
	}
	if (!err && is_time(run->budget.next_ns, now))
		err = run_budget_keep(&run->budget, now);
	if (is_time(run->deadline_ns, now) || workload_ended(&run->workload))
		run->over = true;
	return err;
}

static int wait_ms(const struct run *run)
{
	const uint64_t times[] = { run->deadline_ns, run->next_watch_ns, run->next_stats_ns,
				   run->next_tick_ns, run->budget.next_ns,
				   run->summary.due ? UINT64_MAX : run->summary.next_ns };
	uint64_t now = now_ns(), next = UINT64_MAX;

	if (run->ended_ns)
		return run->told_unread ? -1 : (int)(ESTIMATE_NS / NSEC_PER_MSEC);
	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		if (times[i] && times[i] < next)
			next = times[i];
	}
	if (next == UINT64_MAX)
		return -1;
	next = next > now ? (next - now) / NSEC_PER_MSEC + 1 : 0;
	return next > INT_MAX ? INT_MAX : (int)next;
}

/* Stop recording. Earlier records are still in the ring buffer and the queue. */
static void end_recording(struct run *run)
{
	programs_record(attachment_programs(run->attachment), false);
	run_budget_end(&run->budget);
	run->ended_ns = now_ns();
	run->waiting_at_end = collector_waiting(run->collector);
}

/* The clock was set. If memory runs out, times of day are shown as before the change. */
static void heed_clock(struct run *run)
{
	if (wall_clock_update(run->handler->clock, run->clock_fd))
		report_oom();
}

/*
 * A view wants to write: wait until that is possible, and handle other events meanwhile. A reader
 * that does not read (a pager) may take long. False: the user skipped the rest.
 */
static bool wait_for_reader(void *arg)
{
	struct run *run = arg;
	struct pollfd fds[] = {
		{ .fd = STDOUT_FILENO, .events = POLLOUT },
		{ .fd = run->signal_fd, .events = POLLIN },
		{ .fd = run->clock_fd, .events = POLLIN },
	};

	run->writing = !run->request->summary;
	while (!may_write(run)) {
		if (!run->left && poll(fds, 3, wait_ms(run)) < 0 && errno != EINTR)
			return true;
		if (fds[1].revents)
			run_hear_signals(run);
		if (fds[2].revents)
			heed_clock(run);
		/* Output may end within a line. */
		run->result.output_stuck |= run->left;
		if (run->left)
			return false;
		/* The handler's tick cannot be called now: this is called by a handler. */
		run->next_tick_ns = run->next_tick_ns ? now_ns() + TICK_NS : 0;
		if (!run->ended_ns)
			keep_time(run);
		if (run->over && !run->ended_ns)
			end_recording(run);
		if (run->ended_ns)
			run_tell_rest(run);
	}
	run->writing = false;
	return true;
}

/* Wait for something to do, and do it, or a part of it. */
static int run_step(struct run *run)
{
	bool output = run->records || run->summary.due, writes = run->handler->output;
	struct pollfd fds[] = {
		{ .fd = run->records || run->ended_ns ? -1 : collector_fd(run->collector),
		  .events = POLLIN },
		{ .fd = run->signal_fd, .events = POLLIN },
		/* With nothing to write, only wait for POLLERR: the reader closed the pipe. */
		{ .fd = writes ? STDOUT_FILENO : -1, .events = output ? POLLOUT : 0 },
		{ .fd = run->clock_fd, .events = POLLIN },
	};
	int err = 0;

	if (poll(fds, 4, output && !writes ? 0 : wait_ms(run)) < 0 && errno != EINTR)
		return report(-errno, "cannot wait for events: %s", strerror(errno));
	if (fds[1].revents)
		run_hear_signals(run);
	run_heed_reload(run);
	if (fds[3].revents)
		heed_clock(run);
	if (fds[0].revents) {
		collector_heard(run->collector);
		run->records = true;
	}
	if (fds[2].revents & (POLLERR | POLLNVAL)) {
		run->result.pipe_closed = true;
		run->over = true;
	} else if ((fds[2].revents || (output && !writes)) && !run->left) {
		if (run->records)
			err = show_sessions(run);
		if (!err && run->summary.due && !run->result.pipe_closed)
			err = show_summary(run);
	}
	if (run->ended_ns)
		run_tell_rest(run);
	else if (!err)
		err = keep_time(run);
	/* Not while a session is written, of which parts are in use. */
	if (!err && run->look_at_modules && !run->over && !run->ended_ns)
		err = run_modules_check(run);
	return err;
}

static int run_loop(struct run *run)
{
	int err = 0;

	run_heed_reload(run);
	while (!run->over && !err)
		err = run_step(run);
	return err;
}

/* Set where stacks taken at function entry end, on kernels that need such stacks. */
static void set_rules(const struct run *run, struct kernel *kernel, struct session_rules *rules)
{
	static const char *const names[] = { "kretprobe_trampoline", "__kretprobe_trampoline",
					     "arch_rethook_trampoline" };
	const struct plan *plan = run->plan;
	const struct symbol *const *named;
	struct symbols *symbols;

	*rules = (struct session_rules){
		.plan = plan,
		.attached = run->attached,
		.nr_probes = plan->probes ? plan->probes->v.len : 0,
		.branches = run->branches.events,
	};
	if (!attachment_programs(run->attachment)->entry_stacks || kernel_symbols(kernel, &symbols))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(names) && !rules->trampoline; i++) {
		if (symbols_named(symbols, names[i], &named)) {
			rules->trampoline = named[0]->addr;
			rules->trampoline_end = named[0]->addr + (named[0]->size ?: 1);
		}
	}
}

/* Set the times of the next tick, summary and check. */
static void set_times(struct run *run)
{
	const struct programs *programs = attachment_programs(run->attachment);
	const struct trace_request *request = run->request;

	run->started_ns = now_ns();
	if (run->handler->tick)
		run->next_tick_ns = run->started_ns + TICK_NS;
	run->next_watch_ns = run->started_ns + WATCH_NS;
	if (report_verbosity() >= VERBOSITY_NORMAL && request->stats_ns)
		run->next_stats_ns = run->started_ns + request->stats_ns;
	if (request->summary)
		summary_run_start(&run->summary, programs, request, run->started_ns);
}

/* --at. A signal ends the run before it began. */
static int wait_for_start(struct run *run)
{
	int err = start_time_check(run->request->at_ns);

	while (!err && !run->over) {
		err = start_time_wait(run->request->at_ns, run->signal_fd);
		if (err <= 0)
			break;
		run_hear_signals(run);
		err = 0;
	}
	/* No record has a time yet: earlier settings of the clock do not matter. */
	if (run->handler->clock)
		wall_clock_restart(run->handler->clock);
	return err;
}

/* Free memory that only attaching needed. Arguments and probes are shown by the kernel's types. */
static void forget_facts(const struct run *run, struct kernel *kernel)
{
	if (!run->handler->keeps_facts && !run->plan->args && !run->plan->probes)
		kernel_forget_facts(kernel);
}

static int start_run(struct run *run, struct kernel *kernel)
{
	const struct programs *programs = attachment_programs(run->attachment);
	struct session_rules rules;
	int err = context_watch_start(programs, run->request, &run->contexts);

	if (err)
		return err;
	run_drop_privileges(run);
	set_rules(run, kernel, &rules);
	forget_facts(run, kernel);
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
		context_watch_expect(run->contexts, run->workload.pid, run->workload.path);
	}
	err = run_cgroups_start(&run->cgroups, run->request, programs_cgroups_fd(programs),
				run->handler->cgroups);
	if (err)
		return err;
	if (run->request->at_ns) {
		err = wait_for_start(run);
		if (err || run->over)
			return err;
	}
	err = run_budget_start(&run->budget, run->request, run->attachment, run->plan);
	if (err)
		return err;
	set_times(run);
	run_modules_start(run, kernel);
	run_look_at_switches(run);
	ledger_warn(&run->result.ledger, &run->watch);
	programs_record(programs, true);
	if (run->handler->ready)
		err = run_check_shown(run, run->handler->ready(run->handler->arg, &rules));
	if (err)
		return err;
	if (run->request->duration_ns)
		run->deadline_ns = now_ns() + run->request->duration_ns;
	if (run->workload.pid) {
		run->result.workload_ran = true;
		if (run->handler->release)
			err = run->handler->release(run->handler->arg, run->workload.pid);
		return err ?: workload_release(&run->workload, run->request->workload[0]);
	}
	return 0;
}

/*
 * Show the remaining sessions before links are closed, which may take long.
 *
 * @err		the run's result so far; after an error nothing more is shown
 */
static int finish_run(struct run *run, int err)
{
	if (!run->collector) {
		programs_record(attachment_programs(run->attachment), false);
		return err;
	}
	if (!run->ended_ns)
		end_recording(run);
	collector_stop(run->collector);
	/* Including sessions that were in the ring buffer. */
	run->waiting_at_end = collector_waiting(run->collector);
	run->records = true;
	run->summary.due = run->request->summary && run->started_ns;
	while (!err && (run->records || run->summary.due) && !run->left &&
	       !run->result.pipe_closed && !has_enough(run))
		err = run_step(run);
	if (!has_enough(run))
		run->result.ledger.not_shown += collector_waiting(run->collector);
	/* Later output would wait for the reader. */
	run->result.output_stuck |= run->left && !may_write(run);
	run->result.pipe_closed |= run->left;
	run_look_at_switches(run);
	run_modules_end(run);
	run_count(run, &run->result.ledger);
	attachment_count(run->attachment, &run->result.ledger);
	/* Who asked for so many sessions misses none of the others. */
	if (!has_enough(run))
		run->result.ledger.open = programs_open_calls(attachment_programs(run->attachment));
	return err;
}

/* Attach, run until the last session is shown, and detach. */
static int run_attached(struct run *run, struct kernel *kernel, const struct features *features)
{
	const struct trace_request *request = run->request;
	int err;

	run->result.started = true;
	run->result.ledger.summary = request->summary;
	attachment_functions(run->attachment, &run->result.ledger);
	if (features->contexts.told != CONTEXTS_TOLD)
		run->result.ledger.contexts_mixed = run->result.ledger.attached;
	err = start_run(run, kernel);
	err = err ?: run_loop(run);
	err = finish_run(run, err);
	attachment_detach(run->attachment, run_interrupted, run);
	if (workload_ended(&run->workload))
		run->result.workload_status = workload_status(&run->workload, request->workload[0]);
	else if (run->workload.released && !run->handler->ends_workload)
		workload_say_goes_on(run->workload.pid, request->workload[0]);
	else if (run->result.interrupted && workload_goes_on(&run->workload))
		run->result.goes_on = run->workload.pid;
	run->result.wait_status = run->workload.wait_status;
	return err;
}

static void warn_of_short_stacks(void)
{
	struct kernel_setting max_stack = max_stack_read("");

	if (max_stack_is_short(&max_stack))
		warning("kernel.perf_event_max_stack=%ld: deeper stacks lack their outer callers; try "
			"sysctl -w kernel.perf_event_max_stack=%d", max_stack.value, MAX_STACK_KEPT);
}

int run_trace(struct kernel *kernel, const struct plan *plan, const struct trace_request *request,
	      const struct run_handler *handler, struct attached *ret_attached,
	      struct run_result *ret_result)
{
	struct run run = { .request = request, .handler = handler, .plan = plan,
			   .attached = ret_attached, .signal_fd = -1, .clock_fd = -1,
			   .workload = WORKLOAD_INIT, .result.ledger.settings = request };
	const struct run_output_waiter waiter = { wait_for_reader, &run };
	const struct attach_options attaching = { .follow = request->workload, .kept = handler->kept,
						  .interrupted = run_interrupted, .arg = &run };
	struct features own, *features = handler->features ?: &own;
	int err;

	workload_env_take(&run.workload_env, request->user, request->workload_stdout);
	run.workload_env.may_fail = request->workload_may_fail;
	err = attached_init(ret_attached, plan);
	if (!err && !handler->features)
		err = features_probe(kernel, &own);
	if (err)
		return err;
	contexts_warn(&features->contexts);
	err = branch_run_open(&run.branches, features, &run.request);
	request = run.request;
	if (err) {
		branch_run_close(&run.branches);
		return err;
	}
	err = run_take_signals(&run);
	if (handler->clock)
		run.clock_fd = wall_clock_watch(handler->clock);
	/* First: a forked process would keep the links of the self-test open. */
	if (!err && request->workload)
		err = workload_hold(&run.workload, request->workload, &run.workload_env);
	if (!err)
		err = self_test_assign(kernel, plan, features, request->rung,
				       branch_run_wanted(request), ret_attached->rungs,
				       &run.self_test);
	if (!err && !handler->features && request->modes & MODE_STACK && !request->summary)
		warn_of_short_stacks();
	if (!err) {
		branch_run_say(VERBOSITY_VERBOSE, plan, ret_attached, request);
		err = attachment_new(kernel, features, plan, ret_attached, request, &attaching,
				     &run.attachment);
		self_test_detach(run.self_test);
	}
	if (!err) {
		if (handler->output)
			handler->output->waiter = &waiter;
		err = run_attached(&run, kernel, features);
	}
	if (err == -EINTR) {
		run.result.interrupted = true;
		err = 0;
	}
	run.result.ended_ns = run.ended_ns;
	if (!err && handler->end)
		err = handler->end(handler->arg, &run.result);
	if (handler->output)
		handler->output->waiter = NULL;
	workload_drop(&run.workload);
	collector_free(run.collector);
	run_cgroups_stop(&run.cgroups);
	run_modules_stop(&run);
	context_watch_stop(run.contexts);
	run_budget_stop(&run.budget);
	assembler_free(run.assembler);
	attachment_free(run.attachment);
	self_test_free(run.self_test);
	branch_run_close(&run.branches);
	close_fd(&run.signal_fd);
	close_fd(&run.clock_fd);
	*ret_result = run.result;
	return err;
}
