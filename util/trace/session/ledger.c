// SPDX-License-Identifier: BSD-2-Clause
/* The loss report: what a run may have missed. */
#include "util/trace/session/ledger.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "util/ask/request.h"
#include "util/base/clock.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"

#define STRING_(x) #x
#define STRING(x) STRING_(x)

/* A kind of loss: its count, its description, and the remedy. */
struct loss {
	const char *name; /* its name for programs; it never changes */
	uint64_t count;
	const char *one; /* "1 ..." */
	const char *many; /* "N ..." */
	const char *help; /* or NULL */
	bool unwanted; /* the user no longer asked for these */
	bool by_kernel; /* counted by the kernel, if it counts them */
};

/* Always the same kinds in the same places. */
struct losses {
	size_t nr;
	struct loss all[LEDGER_MAX_LOSSES];
	char deep[64], deep_many[64];	/* descriptions with a number in them */
};

static const char *plural_s(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Sessions without an end that no other loss explains. */
static uint64_t unexplained_orphans(const struct ledger *ledger)
{
	uint64_t explained = ledger->stats.no_room + ledger->queue_dropped;

	return ledger->orphans > explained ? ledger->orphans - explained : 0;
}

static uint32_t max_depth_of(const struct ledger *ledger)
{
	return trace_request_max_depth(ledger->settings);
}

/* Its rows have producers, and it counts what has no row in a row of others. */
static bool is_export(const struct ledger *ledger)
{
	return ledger->settings && ledger->settings->summary_producers;
}

static void list_losses(const struct ledger *ledger, struct losses *ret)
{
	const struct event_stats *stats = &ledger->stats;
	/* Of all of them: a larger ring buffer would change nothing. */
	bool stacks_refused = stats->stacks_lost <= stats->stacks_refused;
	const struct loss losses[] = {
		{ "ftrace_switched_off", ledger->ftrace_off,
		  "function is not seen while ftrace is switched off",
		  "functions are not seen while ftrace is switched off",
		  "sysctl -w kernel.ftrace_enabled=1" },
		{ "kprobes_switched_off", ledger->kprobes_off,
		  "function or point is not seen while kprobes are switched off",
		  "functions and points are not seen while kprobes are switched off",
		  "echo 1 > /sys/kernel/debug/kprobes/enabled" },
		{ "calls_not_followed", stats->no_slot,
		  "call was not followed: too many were open at once",
		  "calls were not followed: too many were open at once", "-C bpf.sessions-size=N" },
		{ "calls_not_followed_locked", stats->map_busy,
		  "entry call was not followed: a BPF map was locked",
		  "entry calls were not followed: a BPF map was locked", NULL },
		{ "calls_shed", stats->shed,
		  "entry call was not followed: the budget did not allow it",
		  "entry calls were not followed: the budget did not allow them",
		  "a larger --budget or filters (-p, -n, --cgroup)" },
		{ "functions_given_up", ledger->given_up,
		  "function was given up: it was called too often for the budget",
		  "functions were given up: they were called too often for the budget",
		  "a larger --budget or fewer functions (-a, -d)" },
		{ "entries_paused_ms", ledger->paused_ms,
		  "ms went by without the entry functions called most: the budget did not allow them",
		  "ms went by without the entry functions called most: the budget did not allow them",
		  "a larger --budget or fewer entry functions (-e)" },
		{ "calls_on_other_stacks", stats->elsewhere,
		  "entry call was not followed: it ran on another stack than the open session",
		  "entry calls were not followed: they ran on other stacks than the open sessions",
		  NULL },
		{ "sessions_lost_no_room", stats->no_room,
		  "session was lost: the ring buffer was full",
		  "sessions were lost: the ring buffer was full", "-C bpf.ringbuf-size=N" },
		{ "calls_lost_no_room", stats->calls_lost,
		  "call is missing in a trace: there was no room for it",
		  "calls are missing in traces: there was no room for them",
		  "-C bpf.ringbuf-size=N or -C bpf.session-buf-size=N" },
		stacks_refused ?
			(struct loss){ "sessions_without_stack", stats->stacks_lost,
				       "session has no kernel stack, or only part of it: the kernel gave no more",
				       "sessions have no kernel stack, or only part of it: the kernel gave no more",
				       NULL } :
			(struct loss){ "sessions_without_stack", stats->stacks_lost,
				       "session has no kernel stack, or only part of it",
				       "sessions have no kernel stack, or only part of it",
				       "-C bpf.ringbuf-size=N" },
		{ "sessions_without_branches", stats->branches_lost,
		  "session has no branch records",
		  "sessions have no branch records", "-C bpf.ringbuf-size=N" },
		is_export(ledger) ?
			(struct loss){ "calls_not_summarized", stats->summary_lost,
				       "call is counted as \"other\": too many label sets at once",
				       "calls are counted as \"other\": too many label sets at once",
				       "filters (-x, -n) or --by=nothing" } :
			(struct loss){ "calls_not_summarized", stats->summary_lost,
				       "call is not in all of the summary: too many functions and results",
				       "calls are not in all of the summary: too many functions and results",
				       "fewer functions (-e, -a) or filters (-x)" },
		{ "sessions_lost_slow_output", ledger->queue_dropped,
		  "session was lost: showing them did not keep up",
		  "sessions were lost: showing them did not keep up",
		  "fewer functions (-e, -a), filters (-p, -n, -x) or --summary" },
		{ "parts_lost_slow_output", ledger->parts_dropped,
		  "part of a session was lost: showing them did not keep up",
		  "parts of sessions were lost: showing them did not keep up",
		  "fewer functions (-e, -a) or filters (-p, -n, -x)" },
		{ "sessions_not_shown", ledger->not_shown,
		  "session was not shown: the run was ended, or the output was no longer read",
		  "sessions were not shown: the run was ended, or the output was no longer read",
		  NULL, .unwanted = true },
		{ "sessions_without_end", unexplained_orphans(ledger),
		  "session came without its end and was left out",
		  "sessions came without their ends and were left out", NULL },
		{ "calls_lost_long_trace", ledger->calls_let_go,
		  "call was left out of a trace that grew too long",
		  "calls were left out of traces that grew too long",
		  "fewer functions (-a, -d)" },
		{ "records_bad", ledger->bad_records,
		  "record was invalid and was skipped",
		  "records were invalid and were skipped", NULL },
		{ "recording_parts_unread", ledger->parts_unread,
		  "recording or part of it could not be read",
		  "recordings or parts of them could not be read", NULL },
		{ "sessions_dropped", ledger->dropped,
		  "older session had to go while it was recorded (--max-size)",
		  "older sessions had to go while it was recorded (--max-size)", NULL },
		{ "calls_too_deep", stats->truncated,
		  ret->deep, ret->deep_many,
		  max_depth_of(ledger) < EVENT_MAX_DEPTH ? "--max-depth=" STRING(EVENT_MAX_DEPTH) :
							"fewer functions (-a, -d)" },
		{ "returns_not_seen", stats->missed_returns,
		  "traced call's return was not seen",
		  "traced calls' returns were not seen",
		  ledger->returns_limited ? "--attach=fentry, which needs no return probes" : NULL },
		{ "entries_not_seen", stats->missed_entries,
		  "return came from a call whose entry was not seen",
		  "returns came from calls whose entries were not seen", NULL },
		{ "calls_in_nmi_not_followed", stats->nmi_skipped,
		  "entry call in an NMI was not followed: this kernel's BPF is not safe there",
		  "entry calls in NMIs were not followed: this kernel's BPF is not safe there",
		  NULL },
		{ "contexts_mixed", ledger->contexts_mixed,
		  "function's calls in interrupts are not told from those in tasks",
		  "functions' calls in interrupts are not told from those in tasks", NULL },
		{ "processes_not_followed", stats->children_lost,
		  "process was not followed: too many were followed already",
		  "processes were not followed: too many were followed already", NULL },
		{ "hits_skipped_by_kernel", ledger->missed_by_kernel,
		  "hit was skipped by the kernel",
		  "hits were skipped by the kernel", NULL, .by_kernel = true },
		{ "hits_skipped_in_recursion", ledger->recursion_misses,
		  "hit was skipped: it came while a program of ours ran on that CPU",
		  "hits were skipped: they came while a program of ours ran on that CPU",
		  ledger->preempted ? "--attach=kprobe-session, kprobe-multi or kprobe, which are not preempted" :
				      "fewer functions (-a, -d)",
		  .by_kernel = true },
		{ "points_skipped", stats->probes_skipped,
		  "point is not shown: tracing itself passed it",
		  "points are not shown: tracing itself passed them", NULL },
	};

	_Static_assert(ARRAY_SIZE(losses) <= LEDGER_MAX_LOSSES, "a place for each");
	snprintf(ret->deep, sizeof(ret->deep), "call was nested deeper than %u and not kept",
		 max_depth_of(ledger));
	snprintf(ret->deep_many, sizeof(ret->deep_many),
		 "calls were nested deeper than %u and not kept", max_depth_of(ledger));
	ret->nr = ARRAY_SIZE(losses);
	for (size_t i = 0; i < ARRAY_SIZE(losses); i++)
		ret->all[i] = losses[i];
}

static void describe_loss(struct strbuf *line, const struct loss *loss)
{
	strbuf_addf(line, "%" PRIu64 " %s", loss->count, loss->count == 1 ? loss->one : loss->many);
	if (loss->help)
		strbuf_addf(line, "; try %s", loss->help);
}

static enum ledger_missed what_was_missed(const struct ledger *ledger, const struct losses *losses)
{
	if (find_first(loss, losses->all, losses->nr, loss->count))
		return LEDGER_MISSED_SOME;
	return ledger->kernel_counts ? LEDGER_MISSED_NOTHING : LEDGER_MISSED_NOTHING_KNOWN;
}

/* Add the sum of all losses. */
static void add_headline(struct strbuf *line, const struct ledger *ledger,
			 const struct losses *losses)
{
	static const char *const missed[] = {
		[LEDGER_MISSED_NOTHING] = "nothing missed",
		[LEDGER_MISSED_NOTHING_KNOWN] = "nothing known to be missed",
		[LEDGER_MISSED_SOME] = "some may be missing",
	};

	strbuf_addf(line, "%" PRIu64 " ", ledger->shown);
	if (ledger->of > ledger->shown)
		strbuf_addf(line, "of %" PRIu64 " ", ledger->of);
	strbuf_addf(line, "%s%s %s, %s (", ledger->summary ? "call" : "session",
		    plural_s(ledger->of > ledger->shown ? ledger->of : ledger->shown),
		    ledger->summary  ? "counted" :
		    ledger->recorded ? "recorded" :
				       "shown",
		    missed[what_was_missed(ledger, losses)]);
	if (ledger->attached < ledger->asked)
		strbuf_addf(line, "%u of ", ledger->attached);
	strbuf_addf(line, "%u function%s attached", ledger->asked, plural_s(ledger->asked));
	if (ledger->refused)
		strbuf_addf(line, ", %u refused", ledger->refused);
	strbuf_addch(line, ')');
}

static void add_budget(struct strbuf *line, const struct ledger *ledger)
{
	strbuf_addf(line, "tracing took %.3g%% of the CPUs' time; the budget was %g%%",
		    100.0 * ledger->tracing_ns / ledger->cpus_ns, ledger->budget_ppm / 1e4);
}

/* Losses are reported even with -q. Data that the user did not ask for is not lost. */
static int level_of(const struct losses *losses)
{
	return find_first(loss, losses->all, losses->nr, loss->count && !loss->unwanted) ?
		       VERBOSITY_QUIET :
		       VERBOSITY_NORMAL;
}

/* They are no loss, but whoever looks for a call that hangs has to know that it is among them. */
static void add_open(struct strbuf *line, const struct ledger *ledger)
{
	bool one = ledger->open == 1;

	strbuf_addf(line, "%" PRIu64 " entry call%s had not returned when tracing ended, and %s not %s",
		    ledger->open, plural_s(ledger->open), one ? "is" : "are",
		    ledger->summary  ? "counted" :
		    ledger->recorded ? "recorded" :
				       "shown");
}

/* The lines after the headline: one per loss, the open calls and the budget. @line is scratch. */
static void each_detail(const struct ledger *ledger, const struct losses *losses,
			struct strbuf *line, void (*each)(void *arg, const struct strbuf *line),
			void *arg)
{
	for (size_t i = 0; i < losses->nr; i++) {
		if (!losses->all[i].count)
			continue;
		strbuf_reset(line);
		describe_loss(line, &losses->all[i]);
		each(arg, line);
	}
	if (ledger->open) {
		strbuf_reset(line);
		add_open(line, ledger);
		each(arg, line);
	}
	if (ledger->budget_ppm && ledger->cpus_ns) {
		strbuf_reset(line);
		add_budget(line, ledger);
		each(arg, line);
	}
}

static void say_detail(void *arg, const struct strbuf *line)
{
	say(*(const int *)arg, "  %s", strbuf_str(line));
}

static void print_ledger(const struct ledger *ledger, const char *when)
{
	struct strbuf line = STRBUF_INIT;
	struct losses losses;
	int level;

	list_losses(ledger, &losses);
	level = level_of(&losses);
	strbuf_addf(&line, "retsnoop: %s", when);
	add_headline(&line, ledger, &losses);
	say(level, "%s", strbuf_str(&line));
	each_detail(ledger, &losses, &line, say_detail, &level);
	strbuf_reset(&line);
	strbuf_addf(&line, "  ring buffer: %llu record%s, %llu bytes",
		    (unsigned long long)ledger->stats.ring_records,
		    plural_s(ledger->stats.ring_records),
		    (unsigned long long)ledger->stats.ring_bytes);
	if (ledger->args_bytes)
		strbuf_addf(&line, ", with %" PRIu64 " of arguments", ledger->args_bytes);
	say(VERBOSITY_VERBOSE, "%s", strbuf_str(&line));
	strbuf_release(&line);
}

void ledger_print(const struct ledger *ledger)
{
	print_ledger(ledger, "");
}

void ledger_print_so_far(const struct ledger *ledger, uint64_t elapsed_ns)
{
	uint64_t tenths = (elapsed_ns + NSEC_PER_SEC / 20) / (NSEC_PER_SEC / 10);
	char when[64];

	if (report_verbosity() < VERBOSITY_NORMAL)
		return;
	if (tenths % 10)
		snprintf(when, sizeof(when), "after %" PRIu64 ".%" PRIu64 "s: ", tenths / 10,
			 tenths % 10);
	else
		snprintf(when, sizeof(when), "after %" PRIu64 "s: ", tenths / 10);
	print_ledger(ledger, when);
}

enum ledger_missed ledger_missed(const struct ledger *ledger)
{
	struct losses losses;

	list_losses(ledger, &losses);
	return what_was_missed(ledger, &losses);
}

void ledger_each_limit(const struct ledger *ledger,
		       void (*each)(void *arg, const char *name, uint64_t number, bool known),
		       void *arg)
{
	each(arg, "functions_asked", ledger->asked, true);
	each(arg, "functions_attached", ledger->attached, true);
	each(arg, "functions_refused", ledger->refused, true);
	each(arg, "max_depth", max_depth_of(ledger), true);
}

void ledger_each_loss(const struct ledger *ledger,
		      void (*each)(void *arg, const char *name, uint64_t count, bool known),
		      void *arg)
{
	struct losses losses;

	list_losses(ledger, &losses);
	for (size_t i = 0; i < losses.nr; i++) {
		const struct loss *loss = &losses.all[i];

		each(arg, loss->name, loss->count,
		     loss->count || !loss->by_kernel || ledger->kernel_counts);
	}
}

void ledger_each_line(const struct ledger *ledger,
		      void (*each)(void *arg, const struct strbuf *line), void *arg)
{
	struct strbuf line = STRBUF_INIT;
	struct losses losses;

	list_losses(ledger, &losses);
	add_headline(&line, ledger, &losses);
	each(arg, &line);
	each_detail(ledger, &losses, &line, each, arg);
	strbuf_release(&line);
}

void ledger_warn(const struct ledger *ledger, struct ledger_watch *watch)
{
	struct strbuf line = STRBUF_INIT;
	struct losses losses;

	list_losses(ledger, &losses);
	for (size_t i = 0; i < losses.nr; i++) {
		const struct loss *loss = &losses.all[i];

		if (!loss->help || !loss->count ||
		    (watch->told[i] && loss->count / 10 < watch->told[i]))
			continue;
		watch->told[i] = loss->count;
		strbuf_reset(&line);
		describe_loss(&line, loss);
		warning("%s", strbuf_str(&line));
	}
	strbuf_release(&line);
}

/* All members of struct event_stats are counts. */
static void add_stats(struct event_stats *stats, const struct event_stats *other)
{
	uint64_t *to = (uint64_t *)stats;
	const uint64_t *from = (const uint64_t *)other;

	_Static_assert(sizeof(*stats) % sizeof(*to) == 0, "all are of one size");
	for (size_t i = 0; i < sizeof(*stats) / sizeof(*to); i++)
		to[i] += from[i];
}

void ledger_add(struct ledger *ledger, const struct ledger *other)
{
	add_stats(&ledger->stats, &other->stats);
	ledger->args_bytes += other->args_bytes;
	ledger->shown += other->shown;
	ledger->of += other->of;
	ledger->not_shown += other->not_shown;
	ledger->bad_records += other->bad_records;
	ledger->parts_unread += other->parts_unread;
	ledger->dropped += other->dropped;
	ledger->queue_dropped += other->queue_dropped;
	ledger->parts_dropped += other->parts_dropped;
	/* Losses of one run do not explain orphans of another run. */
	ledger->orphans += unexplained_orphans(other) + other->stats.no_room + other->queue_dropped;
	ledger->calls_let_go += other->calls_let_go;
	ledger->missed_by_kernel += other->missed_by_kernel;
	ledger->recursion_misses += other->recursion_misses;
	ledger->preempted |= other->preempted;
	ledger->returns_limited |= other->returns_limited;
	ledger->probes_missed += other->probes_missed;
	ledger->breakpoints_missed += other->breakpoints_missed;
	ledger->ftrace_off += other->ftrace_off;
	ledger->kprobes_off += other->kprobes_off;
	ledger->contexts_mixed += other->contexts_mixed;
	ledger->kernel_counts &= other->kernel_counts;
	ledger->given_up += other->given_up;
	ledger->paused_ms += other->paused_ms;
	ledger->tracing_ns += other->tracing_ns;
	ledger->cpus_ns += other->cpus_ns;
	if (other->budget_ppm > ledger->budget_ppm)
		ledger->budget_ppm = other->budget_ppm;
	if (!ledger->settings || max_depth_of(other) > max_depth_of(ledger))
		ledger->settings = other->settings;
	if (other->asked > ledger->asked) {
		ledger->asked = other->asked;
		ledger->attached = other->attached;
		ledger->refused = other->refused;
	}
}
