// SPDX-License-Identifier: BSD-2-Clause
/* What a run says of what it may have missed. */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "util/ask/request.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/trace/session/ledger.h"

static const struct trace_request all_calls = { .max_depth = EVENT_MAX_DEPTH };

FIXTURE(ledger)
{
	struct ledger ledger;
	char *text;
};

FIXTURE_SETUP(ledger)
{
	self->ledger = (struct ledger){
		.shown = 6,
		.kernel_counts = true,
		.settings = &all_calls,
		.asked = 45,
		.attached = 45,
	};
}

FIXTURE_TEARDOWN(ledger)
{
	free(self->text);
}

#define EXPECT_LEDGER(expected)                                      \
	do {                                                         \
		free(self->text);                                    \
		self->text = stderr_of(ledger_print(&self->ledger)); \
		EXPECT_STREQ(expected, self->text ?: "");            \
	} while (0)

TEST_F(ledger, is_one_line_when_nothing_was_missed)
{
	EXPECT_LEDGER("retsnoop: 6 sessions shown, nothing missed (45 functions attached)\n");
	self->ledger.shown = self->ledger.asked = self->ledger.attached = 1;
	EXPECT_LEDGER("retsnoop: 1 session shown, nothing missed (1 function attached)\n");
	/* What was looked at and not wanted is no loss. */
	self->ledger.stats.opened = self->ledger.stats.filtered = 100;
	EXPECT_LEDGER("retsnoop: 1 session shown, nothing missed (1 function attached)\n");
}

TEST_F(ledger, says_which_calls_had_not_returned)
{
	self->ledger.open = 1;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, nothing missed (45 functions attached)\n"
		      "  1 entry call had not returned when tracing ended, and is not shown\n");
	self->ledger.open = 2;
	self->ledger.summary = true;
	EXPECT_LEDGER("retsnoop: 6 calls counted, nothing missed (45 functions attached)\n"
		      "  2 entry calls had not returned when tracing ended, and are not counted\n");
	self->ledger.summary = false;
	self->ledger.recorded = true;
	EXPECT_LEDGER("retsnoop: 6 sessions recorded, nothing missed (45 functions attached)\n"
		      "  2 entry calls had not returned when tracing ended, and are not recorded\n");
}

TEST_F(ledger, promises_nothing_that_the_kernel_does_not_count)
{
	self->ledger.kernel_counts = false;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, nothing known to be missed (45 functions "
		      "attached)\n");
}

TEST_F(ledger, has_what_was_shed_for_the_budget_and_the_share_that_was_taken)
{
	self->ledger.budget_ppm = 10000;
	self->ledger.tracing_ns = 97;
	self->ledger.cpus_ns = 10000;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, nothing missed (45 functions attached)\n"
		      "  tracing took 0.97% of the CPUs' time; the budget was 1%\n");
	self->ledger.stats.shed = 7;
	self->ledger.given_up = 1;
	self->ledger.attached = 44;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, some may be missing (44 of 45 functions attached)\n"
		      "  7 entry calls were not followed: the budget did not allow them; try a larger "
		      "--budget or filters (-p, -n, --cgroup)\n"
		      "  1 function was given up: it was called too often for the budget; try a larger "
		      "--budget or fewer functions (-a, -d)\n"
		      "  tracing took 0.97% of the CPUs' time; the budget was 1%\n");
	/* Recording had not begun. */
	self->ledger = (struct ledger){ .budget_ppm = 10000, .kernel_counts = true };
	EXPECT_LEDGER("retsnoop: 0 sessions shown, nothing missed (0 functions attached)\n");
}

TEST_F(ledger, counts_functions_left_out)
{
	self->ledger.attached = 43;
	self->ledger.refused = 2;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, nothing missed (43 of 45 functions attached, 2 "
		      "refused)\n");
}

TEST_F(ledger, says_which_option_helps)
{
	self->ledger.stats.no_room = 5;
	self->ledger.stats.no_slot = 1;
	EXPECT_LEDGER(
		"retsnoop: 6 sessions shown, some may be missing (45 functions attached)\n"
		"  1 call was not followed: too many were open at once; try -C "
		"bpf.sessions-size=N\n"
		"  5 sessions were lost: the ring buffer was full; try -C bpf.ringbuf-size=N\n");
}

/* Every kind of loss, as it is said of one and of many, and what helps; in the lines' order. */
static const struct kind {
	size_t offset;
	const char *one, *many, *help;
} kinds[] = {
	{ offsetof(struct ledger, ftrace_off),
	  "1 function is not seen while ftrace is switched off",
	  "1234567 functions are not seen while ftrace is switched off",
	  "; try sysctl -w kernel.ftrace_enabled=1" },
	{ offsetof(struct ledger, kprobes_off),
	  "1 function or point is not seen while kprobes are switched off",
	  "1234567 functions and points are not seen while kprobes are switched off",
	  "; try echo 1 > /sys/kernel/debug/kprobes/enabled" },
	{ offsetof(struct ledger, stats.no_slot),
	  "1 call was not followed: too many were open at once",
	  "1234567 calls were not followed: too many were open at once",
	  "; try -C bpf.sessions-size=N" },
	{ offsetof(struct ledger, stats.map_busy),
	  "1 entry call was not followed: a BPF map was locked",
	  "1234567 entry calls were not followed: a BPF map was locked", NULL },
	{ offsetof(struct ledger, stats.elsewhere),
	  "1 entry call was not followed: it ran on another stack than the open session",
	  "1234567 entry calls were not followed: they ran on other stacks than the open sessions",
	  NULL },
	{ offsetof(struct ledger, stats.no_room), "1 session was lost: the ring buffer was full",
	  "1234567 sessions were lost: the ring buffer was full", "; try -C bpf.ringbuf-size=N" },
	{ offsetof(struct ledger, stats.calls_lost),
	  "1 call is missing in a trace: there was no room for it",
	  "1234567 calls are missing in traces: there was no room for them",
	  "; try -C bpf.ringbuf-size=N or -C bpf.session-buf-size=N" },
	{ offsetof(struct ledger, stats.stacks_lost),
	  "1 session has no kernel stack, or only part of it",
	  "1234567 sessions have no kernel stack, or only part of it",
	  "; try -C bpf.ringbuf-size=N" },
	{ offsetof(struct ledger, stats.branches_lost), "1 session has no branch records",
	  "1234567 sessions have no branch records", "; try -C bpf.ringbuf-size=N" },
	{ offsetof(struct ledger, stats.summary_lost),
	  "1 call is not in all of the summary: too many functions and results",
	  "1234567 calls are not in all of the summary: too many functions and results",
	  "; try fewer functions (-e, -a) or filters (-x)" },
	{ offsetof(struct ledger, queue_dropped),
	  "1 session was lost: showing them did not keep up",
	  "1234567 sessions were lost: showing them did not keep up",
	  "; try fewer functions (-e, -a), filters (-p, -n, -x) or --summary" },
	{ offsetof(struct ledger, parts_dropped),
	  "1 part of a session was lost: showing them did not keep up",
	  "1234567 parts of sessions were lost: showing them did not keep up",
	  "; try fewer functions (-e, -a) or filters (-p, -n, -x)" },
	{ offsetof(struct ledger, not_shown),
	  "1 session was not shown: the run was ended, or the output was no longer read",
	  "1234567 sessions were not shown: the run was ended, or the output was no longer read",
	  NULL },
	{ offsetof(struct ledger, orphans), "1 session came without its end and was left out",
	  "1234567 sessions came without their ends and were left out", NULL },
	{ offsetof(struct ledger, calls_let_go),
	  "1 call was left out of a trace that grew too long",
	  "1234567 calls were left out of traces that grew too long",
	  "; try fewer functions (-a, -d)" },
	{ offsetof(struct ledger, bad_records), "1 record was invalid and was skipped",
	  "1234567 records were invalid and were skipped", NULL },
	{ offsetof(struct ledger, parts_unread), "1 recording or part of it could not be read",
	  "1234567 recordings or parts of them could not be read", NULL },
	{ offsetof(struct ledger, stats.truncated),
	  "1 call was nested deeper than 256 and not kept",
	  "1234567 calls were nested deeper than 256 and not kept",
	  "; try fewer functions (-a, -d)" },
	{ offsetof(struct ledger, stats.missed_returns), "1 traced call's return was not seen",
	  "1234567 traced calls' returns were not seen", NULL },
	{ offsetof(struct ledger, stats.missed_entries),
	  "1 return came from a call whose entry was not seen",
	  "1234567 returns came from calls whose entries were not seen", NULL },
	{ offsetof(struct ledger, stats.nmi_skipped),
	  "1 entry call in an NMI was not followed: this kernel's BPF is not safe there",
	  "1234567 entry calls in NMIs were not followed: this kernel's BPF is not safe there",
	  NULL },
	{ offsetof(struct ledger, contexts_mixed),
	  "1 function's calls in interrupts are not told from those in tasks",
	  "1234567 functions' calls in interrupts are not told from those in tasks", NULL },
	{ offsetof(struct ledger, stats.children_lost),
	  "1 process was not followed: too many were followed already",
	  "1234567 processes were not followed: too many were followed already", NULL },
	{ offsetof(struct ledger, missed_by_kernel), "1 hit was skipped by the kernel",
	  "1234567 hits were skipped by the kernel", NULL },
	{ offsetof(struct ledger, recursion_misses),
	  "1 hit was skipped: it came while a program of ours ran on that CPU",
	  "1234567 hits were skipped: they came while a program of ours ran on that CPU",
	  "; try fewer functions (-a, -d)" },
	{ offsetof(struct ledger, stats.probes_skipped),
	  "1 point is not shown: tracing itself passed it",
	  "1234567 points are not shown: tracing itself passed them", NULL },
};
#define NR_KINDS (ARRAY_SIZE(kinds))

static void set(struct ledger *ledger, const struct kind *kind, uint64_t count)
{
	memcpy((char *)ledger + kind->offset, &count, sizeof(count));
}

TEST_F(ledger, has_a_line_for_every_kind_of_loss)
{
	char expected[512];

	for (size_t i = 0; i < NR_KINDS; i++) {
		const struct kind *kind = &kinds[i];

		for (int many = 0; many < 2; many++) {
			set(&self->ledger, kind, many ? 1234567 : 1);
			snprintf(expected, sizeof(expected),
				 "retsnoop: 6 sessions shown, some may be missing (45 functions "
				 "attached)\n  %s%s\n",
				 many ? kind->many : kind->one, kind->help ?: "");
			EXPECT_LEDGER(expected);
		}
		set(&self->ledger, kind, 0);
	}
}

TEST_F(ledger, advises_no_more_room_for_stacks_that_the_kernel_did_not_give)
{
	self->ledger.stats.stacks_lost = 3;
	self->ledger.stats.stacks_refused = 2;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, some may be missing (45 functions attached)\n"
		      "  3 sessions have no kernel stack, or only part of it; try -C bpf.ringbuf-size=N\n");
	self->ledger.stats.stacks_refused = 3;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, some may be missing (45 functions attached)\n"
		      "  3 sessions have no kernel stack, or only part of it: the kernel gave no more\n");
}

TEST_F(ledger, has_them_in_the_same_order_always)
{
	const char *at, *before;

	for (size_t i = 0; i < NR_KINDS; i++)
		set(&self->ledger, &kinds[i], 1234567);
	/* More than no_room and queue_dropped explain. */
	self->ledger.orphans = 3 * 1234567;
	self->text = stderr_of(ledger_print(&self->ledger));
	before = self->text;
	for (size_t i = 0; i < NR_KINDS; i++) {
		at = strstr(before, kinds[i].many);
		ASSERT_NE(NULL, at)
		{
			TH_LOG("%s after %s", kinds[i].many, before);
		}
		before = at;
	}
}

TEST_F(ledger, says_that_a_lower_depth_limit_can_be_raised)
{
	const struct trace_request settings = { .max_depth = 64 };

	self->ledger.settings = &settings;
	self->ledger.stats.truncated = 17;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, some may be missing (45 functions attached)\n"
		      "  17 calls were nested deeper than 64 and not kept; try --max-depth=256\n");
	self->ledger.stats.truncated = 1;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, some may be missing (45 functions attached)\n"
		      "  1 call was nested deeper than 64 and not kept; try --max-depth=256\n");
}

TEST_F(ledger, names_methods_that_are_not_preempted)
{
	self->ledger.preempted = true;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, nothing missed (45 functions attached)\n");
	self->ledger.recursion_misses = 189000;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, some may be missing (45 functions attached)\n"
		      "  189000 hits were skipped: they came while a program of ours ran on that CPU; "
		      "try --attach=kprobe-session, kprobe-multi or kprobe, which are not preempted\n");
}

TEST_F(ledger, names_the_method_whose_returns_are_not_limited)
{
	self->ledger.returns_limited = true;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, nothing missed (45 functions attached)\n");
	self->ledger.stats.missed_returns = 135;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, some may be missing (45 functions attached)\n"
		      "  135 traced calls' returns were not seen; "
		      "try --attach=fentry, which needs no return probes\n");
}

TEST_F(ledger, does_not_count_a_lost_session_twice)
{
	self->ledger.stats.no_room = 5;
	self->ledger.orphans = 5;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, some may be missing (45 functions attached)\n"
		      "  5 sessions were lost: the ring buffer was full; try -C "
		      "bpf.ringbuf-size=N\n");
	self->ledger.queue_dropped = 2;
	self->ledger.orphans = 8;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, some may be missing (45 functions attached)\n"
		      "  5 sessions were lost: the ring buffer was full; try -C "
		      "bpf.ringbuf-size=N\n"
		      "  2 sessions were lost: showing them did not keep up; try fewer functions "
		      "(-e, -a), filters (-p, -n, -x) or --summary\n"
		      "  1 session came without its end and was left out\n");
}

TEST_F(ledger, counts_calls_where_no_sessions_are_shown)
{
	self->ledger.summary = true;
	self->ledger.shown = 1000000;
	EXPECT_LEDGER("retsnoop: 1000000 calls counted, nothing missed (45 functions attached)\n");
	self->ledger.shown = 1;
	EXPECT_LEDGER("retsnoop: 1 call counted, nothing missed (45 functions attached)\n");
}

TEST_F(ledger, of_export_says_where_calls_without_a_row_are_counted)
{
	const struct trace_request export = { .summary = true, .summary_producers = true };

	self->ledger.settings = &export;
	self->ledger.summary = true;
	self->ledger.stats.summary_lost = 2;
	EXPECT_LEDGER("retsnoop: 6 calls counted, some may be missing (45 functions attached)\n"
		      "  2 calls are counted as \"other\": too many label sets at once; try filters (-x, -n) or "
		      "--by=nothing\n");
}

TEST_F(ledger, tells_of_the_ring_buffer_when_asked_for_more)
{
	report_set_verbosity(VERBOSITY_VERBOSE);
	self->ledger.stats.ring_records = 12;
	self->ledger.stats.ring_bytes = 3456;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, nothing missed (45 functions attached)\n"
		      "  ring buffer: 12 records, 3456 bytes\n");
	self->ledger.args_bytes = 1234;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, nothing missed (45 functions attached)\n"
		      "  ring buffer: 12 records, 3456 bytes, with 1234 of arguments\n");
	report_set_verbosity(VERBOSITY_NORMAL);
	EXPECT_LEDGER("retsnoop: 6 sessions shown, nothing missed (45 functions attached)\n");
}

/* Every loss by its name, one per line. */
static void list_loss(void *arg, const char *name, uint64_t count, bool known)
{
	struct strbuf *text = arg;

	strbuf_addf(text, "%s %" PRIu64 "%s\n", name, count, known ? "" : "?");
}

static char *losses_of(const struct ledger *ledger)
{
	struct strbuf text = STRBUF_INIT;
	char *copy;

	ledger_each_loss(ledger, list_loss, &text);
	copy = strdup(strbuf_str(&text));
	strbuf_release(&text);
	return copy;
}

/* Members that are summed as they are, besides those of stats. */
#define SUMMED(member) { offsetof(struct ledger, member), sizeof(((struct ledger *)0)->member), #member }
static const struct {
	size_t offset, size;
	const char *name;
} summed[] = {
	SUMMED(args_bytes), SUMMED(shown), SUMMED(of), SUMMED(not_shown), SUMMED(bad_records),
	SUMMED(parts_unread), SUMMED(dropped), SUMMED(queue_dropped), SUMMED(parts_dropped),
	SUMMED(calls_let_go), SUMMED(missed_by_kernel), SUMMED(recursion_misses),
	SUMMED(probes_missed), SUMMED(breakpoints_missed), SUMMED(ftrace_off), SUMMED(kprobes_off),
	SUMMED(contexts_mixed), SUMMED(given_up), SUMMED(paused_ms), SUMMED(tracing_ns),
	SUMMED(cpus_ns),
};

static uint64_t summed_in(const struct ledger *ledger, size_t i)
{
	uint64_t number = 0;

	memcpy(&number, (const char *)ledger + summed[i].offset, summed[i].size);
	return number;
}

TEST_F(ledger, of_two_runs_has_the_sums_of_their_losses)
{
	struct ledger run = { .kernel_counts = true, .settings = &all_calls }, both;
	uint64_t *stats = (uint64_t *)&run.stats;
	char *expected, *text;

	for (size_t i = 0; i < sizeof(run.stats) / sizeof(*stats); i++)
		stats[i] = 1000 + i;
	for (size_t i = 0; i < ARRAY_SIZE(summed); i++) {
		const uint64_t number = 100 + i;

		memcpy((char *)&run + summed[i].offset, &number, summed[i].size);
	}
	/* Some that nothing else explains. */
	run.orphans = run.stats.no_room + run.queue_dropped + 77;

	both = (struct ledger){ .kernel_counts = true };
	ledger_add(&both, &run);
	expected = losses_of(&run);
	text = losses_of(&both);
	EXPECT_STREQ(expected, text);
	EXPECT_NE(NULL, strstr(text, "sessions_without_end 77\n"));
	free(expected);
	free(text);

	ledger_add(&both, &run);
	for (size_t i = 0; i < ARRAY_SIZE(summed); i++) {
		EXPECT_EQ(2 * (100 + i), summed_in(&both, i))
		{
			TH_LOG("%s", summed[i].name);
		}
	}
	for (size_t i = 0; i < sizeof(run.stats) / sizeof(*stats); i++)
		EXPECT_EQ(2 * (1000 + i), ((uint64_t *)&both.stats)[i]);
	text = losses_of(&both);
	EXPECT_NE(NULL, strstr(text, "sessions_without_end 154\n"));
	free(text);
}

TEST_F(ledger, of_two_runs_explains_sessions_without_end_by_losses_of_their_own_run)
{
	const struct ledger unexplained = { .orphans = 2 }, lost = { .queue_dropped = 5 };
	struct ledger both = {};
	char *text;

	ledger_add(&both, &unexplained);
	ledger_add(&both, &lost);
	text = losses_of(&both);
	EXPECT_NE(NULL, strstr(text, "sessions_without_end 2\n"))
	{
		TH_LOG("%s", text);
	}
	free(text);
}

TEST_F(ledger, of_two_runs_promises_what_the_kernel_counted_in_both)
{
	const struct ledger counted = { .kernel_counts = true }, uncounted = {};
	struct ledger both = counted;

	ledger_add(&both, &counted);
	EXPECT_EQ(LEDGER_MISSED_NOTHING, ledger_missed(&both));
	ledger_add(&both, &uncounted);
	EXPECT_EQ(LEDGER_MISSED_NOTHING_KNOWN, ledger_missed(&both));
	ledger_add(&both, &counted);
	EXPECT_EQ(LEDGER_MISSED_NOTHING_KNOWN, ledger_missed(&both));
}

TEST_F(ledger, of_two_runs_has_the_functions_and_settings_of_the_larger_one)
{
	const struct trace_request shallow = { .max_depth = 64 };
	const struct ledger larger = { .asked = 50, .attached = 40, .refused = 10,
				       .settings = &all_calls, .budget_ppm = 20, .preempted = true,
				       .returns_limited = true };
	const struct ledger smaller = { .asked = 3, .attached = 3, .refused = 1,
					.settings = &shallow, .budget_ppm = 10 };

	for (int i = 0; i < 2; i++) {
		struct ledger both = { .kernel_counts = true };

		ledger_add(&both, i ? &larger : &smaller);
		ledger_add(&both, i ? &smaller : &larger);
		EXPECT_EQ(50, both.asked);
		EXPECT_EQ(40, both.attached);
		EXPECT_EQ(10, both.refused);
		EXPECT_EQ(20, both.budget_ppm);
		EXPECT_EQ(&all_calls, both.settings);
		EXPECT_TRUE(both.preempted);
		EXPECT_TRUE(both.returns_limited);
	}
}

#define EXPECT_SO_FAR(expected, ns)                                             \
	do {                                                                    \
		free(self->text);                                               \
		self->text = stderr_of(ledger_print_so_far(&self->ledger, ns)); \
		EXPECT_STREQ(expected, self->text ?: "");                       \
	} while (0)

TEST_F(ledger, says_after_how_long_while_the_run_goes_on)
{
	EXPECT_SO_FAR("retsnoop: after 5s: 6 sessions shown, nothing missed (45 functions "
		      "attached)\n",
		      5000300000);
	EXPECT_SO_FAR("retsnoop: after 0.5s: 6 sessions shown, nothing missed (45 functions "
		      "attached)\n",
		      500300000);
	EXPECT_SO_FAR("retsnoop: after 61.3s: 6 sessions shown, nothing missed (45 functions "
		      "attached)\n",
		      61250000000);
	self->ledger.stats.no_room = 5;
	EXPECT_SO_FAR("retsnoop: after 2s: 6 sessions shown, some may be missing (45 functions "
		      "attached)\n"
		      "  5 sessions were lost: the ring buffer was full; try -C "
		      "bpf.ringbuf-size=N\n",
		      1999999999);
}

FIXTURE(watch)
{
	struct ledger ledger;
	struct ledger_watch watch;
	char *text;
};

FIXTURE_SETUP(watch)
{
	self->ledger.settings = &all_calls;
}

FIXTURE_TEARDOWN(watch)
{
	free(self->text);
}

#define EXPECT_WARNING(expected)                                                   \
	do {                                                                       \
		free(self->text);                                                  \
		self->text = stderr_of(ledger_warn(&self->ledger, &self->watch)); \
		EXPECT_STREQ(expected, self->text ?: "");                          \
	} while (0)

TEST_F(watch, warns_when_something_begins_to_be_lost)
{
	EXPECT_WARNING("");
	self->ledger.stats.no_room = 1;
	EXPECT_WARNING("retsnoop: warning: 1 session was lost: the ring buffer was full; try -C "
		       "bpf.ringbuf-size=N\n");
	EXPECT_WARNING("");
}

TEST_F(watch, warns_again_when_it_is_ten_times_as_much)
{
	self->ledger.stats.no_room = 7;
	EXPECT_WARNING("retsnoop: warning: 7 sessions were lost: the ring buffer was full; try -C "
		       "bpf.ringbuf-size=N\n");
	self->ledger.stats.no_room = 69;
	EXPECT_WARNING("");
	self->ledger.stats.no_room = 70;
	EXPECT_WARNING("retsnoop: warning: 70 sessions were lost: the ring buffer was full; try -C "
		       "bpf.ringbuf-size=N\n");
	self->ledger.stats.no_room = 699;
	EXPECT_WARNING("");
	/* From here on it counts from what was told. */
	self->ledger.stats.no_room = 5000;
	EXPECT_WARNING("retsnoop: warning: 5000 sessions were lost: the ring buffer was full; try "
		       "-C bpf.ringbuf-size=N\n");
	self->ledger.stats.no_room = 49999;
	EXPECT_WARNING("");
}

TEST_F(watch, keeps_kinds_apart)
{
	self->ledger.stats.no_room = 1;
	EXPECT_WARNING("retsnoop: warning: 1 session was lost: the ring buffer was full; try -C "
		       "bpf.ringbuf-size=N\n");
	self->ledger.stats.no_slot = 2;
	EXPECT_WARNING("retsnoop: warning: 2 calls were not followed: too many were open at once; "
		       "try -C bpf.sessions-size=N\n");
}

TEST_F(watch, warns_of_what_the_user_can_change_and_of_nothing_else)
{
	char expected[512];

	for (size_t i = 0; i < NR_KINDS; i++) {
		const struct kind *kind = &kinds[i];

		self->ledger = (struct ledger){ .settings = &all_calls };
		memset(&self->watch, 0, sizeof(self->watch));
		set(&self->ledger, kind, 1);
		snprintf(expected, sizeof(expected), "retsnoop: warning: %s%s\n", kind->one,
			 kind->help ?: "");
		EXPECT_WARNING(kind->help ? expected : "");
	}
}

TEST_F(watch, keeps_quiet_when_asked_to)
{
	report_set_verbosity(VERBOSITY_QUIET);
	self->ledger.stats.no_room = 5;
	EXPECT_WARNING("");
	report_set_verbosity(VERBOSITY_NORMAL);
}

TEST_F(ledger, keeps_quiet_when_asked_to_but_not_about_losses)
{
	report_set_verbosity(VERBOSITY_QUIET);
	EXPECT_LEDGER("");
	self->ledger.stats.filtered = self->ledger.refused = 5;
	EXPECT_LEDGER("");
	/* Who ends a run knows. */
	self->ledger.not_shown = 3;
	EXPECT_LEDGER("");
	self->ledger.stats.no_room = 5;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, some may be missing (45 functions attached, 5 "
		      "refused)\n"
		      "  5 sessions were lost: the ring buffer was full; try -C bpf.ringbuf-size=N\n"
		      "  3 sessions were not shown: the run was ended, or the output was no longer "
		      "read\n");
	EXPECT_SO_FAR("", 1);
	report_set_verbosity(VERBOSITY_NORMAL);
}

TEST_HARNESS_MAIN
