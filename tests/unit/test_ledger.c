// SPDX-License-Identifier: BSD-2-Clause
/* What a run says of what it may have missed. */
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "util/base/report.h"
#include "util/trace/ledger.h"

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

TEST_F(ledger, promises_nothing_that_the_kernel_does_not_count)
{
	self->ledger.kernel_counts = false;
	EXPECT_LEDGER("retsnoop: 6 sessions shown, nothing known to be missed (45 functions "
		      "attached)\n");
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

TEST_F(ledger, has_a_line_for_every_kind_of_loss)
{
	void *const counts[] = {
		&self->ledger.stats.no_slot,	    &self->ledger.stats.no_room,
		&self->ledger.stats.stacks_lost,    &self->ledger.stats.truncated,
		&self->ledger.stats.missed_returns, &self->ledger.stats.missed_entries,
		&self->ledger.bad_records,	    &self->ledger.queue_dropped,
		&self->ledger.missed_by_kernel,	    &self->ledger.recursion_misses,
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		uint64_t count = 1234567;
		const char *second;

		memcpy(counts[i], &count, sizeof(count));
		free(self->text);
		self->text = stderr_of(ledger_print(&self->ledger));
		ASSERT_NE(NULL, self->text);
		second = strchr(self->text, '\n') + 1;
		EXPECT_EQ(0, strncmp(second, "  1234567 ", 10))
		{
			TH_LOG("%s", self->text);
		}
		EXPECT_NE(NULL, strstr(self->text, "some may be missing"));
		EXPECT_STREQ("", strchr(second, '\n') + 1);
		memset(counts[i], 0, sizeof(count));
	}
}

TEST_F(ledger, keeps_quiet_when_asked_to)
{
	report_set_verbosity(VERBOSITY_QUIET);
	self->ledger.stats.no_room = 5;
	EXPECT_LEDGER("");
	report_set_verbosity(VERBOSITY_NORMAL);
}

TEST_HARNESS_MAIN
