// SPDX-License-Identifier: BSD-2-Clause
/* Wrong clocks are told from what recordings have, and nothing else is. */
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "util/view/lists/clock_check.h"

#define SECOND 1000000000ll
#define NOW (1800000000 * SECOND)	/* 2027-01-15 08:00:00 UTC */

FIXTURE(clocks)
{
	struct clock_facts facts[4];
	size_t nr;
	struct strbuf text;
};

static void add(FIXTURE_DATA(clocks) * self, const char *name, const char *host, uint8_t boot)
{
	struct clock_facts *facts = &self->facts[self->nr++];

	*facts = (struct clock_facts){
		.name = name, .host = host, .sync = CLOCK_SYNC_YES, .error_us = 1500,
		.begin_ns = NOW - 100 * SECOND, .end_ns = NOW - 50 * SECOND,
		.written_ns = NOW - 50 * SECOND,
		.first_offset_ns = NOW - 5000 * SECOND, .last_offset_ns = NOW - 5000 * SECOND,
	};
	memset(facts->boot, boot, sizeof(facts->boot));
}

FIXTURE_SETUP(clocks)
{
	setenv("TZ", "UTC", 1);
	add(self, "a.data", "web-1", 1);
	add(self, "b.data", "web-2", 2);
}

FIXTURE_TEARDOWN(clocks)
{
	strbuf_release(&self->text);
}

static const char *found(FIXTURE_DATA(clocks) * self)
{
	strbuf_reset(&self->text);
	clock_check(self->facts, self->nr, NOW, &self->text);
	return strbuf_str(&self->text);
}

TEST_F(clocks, right_ones_are_worth_no_word)
{
	EXPECT_STREQ("", found(self));
}

TEST_F(clocks, what_is_not_known_is_not_said)
{
	for (size_t i = 0; i < 2; i++) {
		self->facts[i].sync = CLOCK_SYNC_UNKNOWN;
		self->facts[i].error_us = 0;
		self->facts[i].written_ns = 0;
		memset(self->facts[i].boot, 0, sizeof(self->facts[i].boot));
		self->facts[i].first_offset_ns = self->facts[i].last_offset_ns = i * 1000 * SECOND;
	}
	EXPECT_STREQ("", found(self));
}

TEST_F(clocks, a_recording_of_the_future)
{
	self->facts[1].begin_ns = NOW + 250 * SECOND;
	self->facts[1].end_ns = NOW + 300 * SECOND;
	EXPECT_STREQ("b.data begins 4m 10s from now: the clock of web-2 was ahead, or the one here is "
		     "behind\n", found(self));
}

TEST_F(clocks, a_recording_newer_than_its_file)
{
	self->facts[0].end_ns = NOW - 50 * SECOND + 3602 * SECOND;
	EXPECT_STREQ("a.data ends 1h after it was last written: the clock of web-1 was ahead of the one "
		     "that dated the file\n", found(self));
	/* A file may be copied later. */
	self->facts[0].end_ns = NOW - 60 * SECOND;
	EXPECT_STREQ("", found(self));
}

TEST_F(clocks, one_that_was_set_meanwhile)
{
	struct wall_change changes[] = { { 10 * SECOND, 500 * SECOND + 20 }, { 20 * SECOND, 320 * SECOND } };
	const struct wall_clock clock = { .offset_ns = 500 * SECOND, .changes = { changes, 2, 2 } };

	clock_facts_add_steps(&self->facts[0], &clock);
	EXPECT_EQ(500 * SECOND, self->facts[0].first_offset_ns);
	EXPECT_EQ(320 * SECOND, self->facts[0].last_offset_ns);
	EXPECT_STREQ("a.data: the clock of web-1 was set back by 3m at 1970-01-01 00:08:40 +00:00; earlier "
		     "times are as the clock was then\n", found(self));
	self->facts[0].step_ns = 90000 * SECOND;
	EXPECT_STREQ("a.data: the clock of web-1 jumped ahead by 1d 1h at 1970-01-01 00:08:40 +00:00 (it was "
		     "set, or the machine was suspended); earlier times are as the clock was then\n",
		     found(self));
}

TEST_F(clocks, those_that_nothing_keeps_right)
{
	self->facts[1].sync = CLOCK_SYNC_NO;
	self->facts[1].error_us = 0;
	add(self, "c.data", "web-2", 3);
	self->facts[2].sync = CLOCK_SYNC_NO;
	add(self, "d.data", NULL, 4);
	self->facts[3].error_us = 4000000;
	EXPECT_STREQ("these clocks may be wrong: web-2 (not synchronized), its host (by up to 4s); so may "
		     "be the order of sessions of different hosts\n", found(self));
}

TEST_F(clocks, one_host_alone_has_one_order)
{
	self->facts[1].host = "web-1";
	self->facts[1].sync = CLOCK_SYNC_NO;
	EXPECT_STREQ("", found(self));
}

TEST_F(clocks, one_that_was_set_between_two_recordings_of_a_boot)
{
	struct clock_facts *later = &self->facts[0], *earlier = &self->facts[1];

	earlier->host = "web-1";
	memcpy(earlier->boot, later->boot, sizeof(later->boot));
	later->begin_ns = NOW - 30 * SECOND;
	later->end_ns = NOW - 20 * SECOND;
	later->first_offset_ns -= 65 * SECOND;
	later->last_offset_ns -= 65 * SECOND;
	later->written_ns = 0;
	EXPECT_STREQ("the clock of web-1 was set back by 1m 5s between b.data and a.data\n", found(self));
}

TEST_F(clocks, many_hosts_are_not_all_named)
{
	static char names[20][8];
	struct clock_facts facts[20];

	for (size_t i = 0; i < 20; i++) {
		facts[i] = self->facts[0];
		snprintf(names[i], sizeof(names[i]), "h%zu", i);
		facts[i].host = names[i];
		facts[i].sync = CLOCK_SYNC_NO;
		memset(facts[i].boot, i + 1, sizeof(facts[i].boot));
	}
	clock_check(facts, 20, NOW, &self->text);
	EXPECT_NE(NULL, strstr(strbuf_str(&self->text), "h7 (not synchronized) and others; so"))
	{
		TH_LOG("%s", strbuf_str(&self->text));
	}
	EXPECT_EQ(NULL, strstr(strbuf_str(&self->text), "h8"));
}

TEST_HARNESS_MAIN
