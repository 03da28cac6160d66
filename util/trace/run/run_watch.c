// SPDX-License-Identifier: BSD-2-Clause
/* Reports during a run: losses, figures, and how much is left to show. */

#include "util/base/report.h"
#include "util/kernel/machine/machine.h"
#include "util/plan/switched_off.h"
#include "util/trace/run/run_internal.h"
#include "util/trace/session/assembler.h"

void run_count(struct run *run, struct ledger *ledger)
{
	*ledger = run->result.ledger;
	collector_losses(run->collector, &ledger->queue_dropped, &ledger->parts_dropped);
	run_budget_count(&run->budget, ledger);
	ledger->orphans = assembler_orphans(run->assembler);
	ledger->calls_let_go = assembler_calls_let_go(run->assembler);
}

void run_print_stats(struct run *run, uint64_t now)
{
	struct ledger ledger;

	run_count(run, &ledger);
	attachment_count(run->attachment, &ledger);
	/* A summary's calls are still in BPF's maps. */
	if (ledger.summary)
		ledger.shown = ledger.stats.sent;
	ledger_print_so_far(&ledger, now - run->started_ns);
}

/*
 * Functions whose attach method was ever off are counted, even if it is on again: calls were
 * missed.
 */
void run_look_at_switches(struct run *run)
{
	struct ledger *ledger = &run->result.ledger;
	struct switches switches;
	struct switched_off off;

	switches_read("", &switches);
	off = switched_off_count(run->plan, run->attached, &switches);
	if (off.by_ftrace > ledger->ftrace_off)
		ledger->ftrace_off = off.by_ftrace;
	if (off.by_kprobes > ledger->kprobes_off)
		ledger->kprobes_off = off.by_kprobes;
}

void run_watch_losses(struct run *run)
{
	struct ledger ledger;

	run_look_at_switches(run);
	run_count(run, &ledger);
	if (!programs_stats(attachment_programs(run->attachment), &ledger.stats))
		ledger_warn(&ledger, &run->watch);
}

/* The counts of links are added only when they are closed: reading all of them takes long. */
int run_tick(struct run *run)
{
	struct ledger ledger;

	run_count(run, &ledger);
	programs_stats(attachment_programs(run->attachment), &ledger.stats);
	attachment_functions(run->attachment, &ledger);
	return run_check_shown(run, run->handler->tick(run->handler->arg, &ledger));
}

/*
 * Whether the output is not being read: it takes nothing, and nothing was shown for a while. Otherwise
 * showing waits for the disk or for a slow reader, or the machine is busy.
 */
static bool is_unread(struct run *run, uint64_t waiting, uint64_t now)
{
	if (!run->rest_since_ns || waiting != run->rest) {
		run->rest = waiting;
		run->rest_since_ns = now;
	}
	return run->handler->output && now - run->rest_since_ns >= LONG_NS && run_output_stands();
}

void run_tell_rest(struct run *run)
{
	uint64_t waiting = collector_waiting(run->collector) + run->writing;
	uint64_t now = now_ns(), elapsed = now - run->ended_ns;
	uint64_t done = run->waiting_at_end > waiting ? run->waiting_at_end - waiting : 0;
	const char *how = run->result.interrupted ? "another Ctrl-C" : "Ctrl-C";
	const char *verb = run->handler->session ? "shown" : "recorded";
	bool is_stuck = is_unread(run, waiting, now);
	const char *unread = is_stuck ? ", and the output is not being read" : "";

	if (run->told_unread || (run->told && !is_stuck) || (!waiting && !run->request->summary))
		return;
	if (is_stuck)
		done = 0;
	if (done) {
		if (elapsed < ESTIMATE_NS || elapsed / done * waiting < LONG_NS)
			return;
	} else if (now - run->rest_since_ns < LONG_NS) {
		return;
	}
	run->told = true;
	run->told_unread = is_stuck;
	if (run->request->summary)
		say(VERBOSITY_NORMAL,
		    "retsnoop: the summary is still to be shown%s; %s leaves it out", unread, how);
	else if (done)
		say(VERBOSITY_NORMAL,
		    "retsnoop: %llu session%s still to be %s, in about %llu s; %s leaves %s out",
		    (unsigned long long)waiting, waiting == 1 ? " is" : "s are", verb,
		    (unsigned long long)((elapsed / done * waiting + NSEC_PER_SEC / 2) /
					 NSEC_PER_SEC),
		    how, waiting == 1 ? "it" : "them");
	else
		say(VERBOSITY_NORMAL,
		    "retsnoop: %llu session%s still to be %s%s; %s leaves %s out",
		    (unsigned long long)waiting, waiting == 1 ? " is" : "s are", verb, unread, how,
		    waiting == 1 ? "it" : "them");
}
