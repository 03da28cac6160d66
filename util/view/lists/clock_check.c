// SPDX-License-Identifier: BSD-2-Clause
/* Finds wrong clocks, as far as recordings show them. */
#include "util/view/lists/clock_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/clock.h"
#include "util/view/parts/times.h"

/* NTP keeps clocks closer than this; a smaller difference is not reported. */
#define MIN_STEP_NS (int64_t) NSEC_PER_SEC

#define MAX_HOSTS 8 /* hosts named in a message */

void clock_facts_add_steps(struct clock_facts *facts, const struct wall_clock *clock)
{
	int64_t before = clock->offset_ns;

	facts->first_offset_ns = before;
	vec_foreach(change, &clock->changes) {
		int64_t step = change->offset_ns - before;

		if (llabs(step) > llabs(facts->step_ns)) {
			facts->step_ns = step;
			facts->step_at_ns = change->from_ns + before;
		}
		before = change->offset_ns;
	}
	facts->last_offset_ns = before;
}

/* "45s", "4m 10s", "3h 2m", "2d 3h": two units are exact enough. */
static void add_gap(struct strbuf *text, int64_t ns)
{
	static const struct {
		uint64_t seconds;
		char unit;
	} units[] = { { 86400, 'd' }, { 3600, 'h' }, { 60, 'm' }, { 1, 's' } };
	uint64_t s = (uint64_t)llabs(ns) / NSEC_PER_SEC, rest;

	for (size_t i = 0; i < 4; i++) {
		if (i < 3 && s < units[i].seconds)
			continue;
		strbuf_addf(text, "%" PRIu64 "%c", s / units[i].seconds, units[i].unit);
		rest = s % units[i].seconds;
		if (i < 3 && rest / units[i + 1].seconds)
			strbuf_addf(text, " %" PRIu64 "%c", rest / units[i + 1].seconds,
				    units[i + 1].unit);
		return;
	}
}

static const char *host_of(const struct clock_facts *facts)
{
	return facts->host ?: "its host";
}

/* A recording is older than the program that reads it, and not newer than its file. */
static void check_future(const struct clock_facts *facts, int64_t now_ns, struct strbuf *text)
{
	int64_t end_ns = facts->end_ns ?: facts->begin_ns;

	if (facts->begin_ns - now_ns > MIN_STEP_NS) {
		strbuf_addf(text, "%s begins ", facts->name);
		add_gap(text, facts->begin_ns - now_ns);
		strbuf_addf(text,
			    " from now: the clock of %s was ahead, or the one here is behind\n",
			    host_of(facts));
	} else if (facts->written_ns && end_ns - facts->written_ns > MIN_STEP_NS) {
		strbuf_addf(text, "%s ends ", facts->name);
		add_gap(text, end_ns - facts->written_ns);
		strbuf_addf(text,
			    " after it was last written: the clock of %s was ahead of the one "
			    "that dated the file\n",
			    host_of(facts));
	}
}

static void check_step(const struct clock_facts *facts, struct strbuf *text)
{
	if (llabs(facts->step_ns) < MIN_STEP_NS)
		return;
	strbuf_addf(text, "%s: the clock of %s ", facts->name, host_of(facts));
	strbuf_addstr(text, facts->step_ns < 0 ? "was set back by " : "jumped ahead by ");
	add_gap(text, facts->step_ns);
	strbuf_addstr(text, " at ");
	day_time_add(text, facts->step_at_ns);
	strbuf_addstr(text,
		      facts->step_ns < 0 ? "" : " (it was set, or the machine was suspended)");
	strbuf_addstr(text, "; earlier times are as the clock was then\n");
}

static bool has_boot(const struct clock_facts *facts)
{
	static const uint8_t none[BOOT_ID_LEN];

	return memcmp(facts->boot, none, sizeof(none));
}

/* From the end of a recording to the beginning of the next of the same boot. */
static void check_same_boot(const struct clock_facts *a, const struct clock_facts *b,
			    struct strbuf *text)
{
	int64_t step = b->first_offset_ns - a->last_offset_ns;
	int64_t ended = (a->end_ns ?: a->begin_ns) - a->last_offset_ns;

	if (!has_boot(a) || memcmp(a->boot, b->boot, sizeof(a->boot)) || llabs(step) < MIN_STEP_NS)
		return;
	/* A difference while both recordings ran is reported for each. */
	if (ended > b->begin_ns - b->first_offset_ns)
		return;
	strbuf_addf(text, "the clock of %s %s by ", host_of(b),
		    step < 0 ? "was set back" : "jumped ahead");
	add_gap(text, step);
	strbuf_addf(text, " between %s and %s\n", a->name, b->name);
}

static bool same_host(const struct clock_facts *a, const struct clock_facts *b)
{
	return !strcmp(a->host ?: "", b->host ?: "");
}

/* Report all hosts in one line, each once. */
static void check_sync(const struct clock_facts *facts, size_t nr, struct strbuf *text)
{
	size_t named = 0, start = text->len, of_host;

	for (size_t i = 0; i < nr; i++) {
		const struct clock_facts *one = &facts[i];
		bool off = one->error_us > MIN_STEP_NS / 1000;

		for (of_host = 0; of_host < i && !same_host(&facts[of_host], one); of_host++)
			;
		if (of_host < i || (one->sync != CLOCK_SYNC_NO && !off))
			continue;
		if (named++ == MAX_HOSTS)
			strbuf_addstr(text, " and others");
		if (named > MAX_HOSTS)
			continue;
		strbuf_addf(text, "%s%s (",
			    named > 1 ? ", " : "these clocks may be wrong: ", host_of(one));
		if (off) {
			strbuf_addstr(text, "by up to ");
			add_gap(text, one->error_us * 1000);
		} else {
			strbuf_addstr(text, "not synchronized");
		}
		strbuf_addch(text, ')');
	}
	if (text->len > start)
		strbuf_addstr(text, "; so may be the order of sessions of different hosts\n");
}

/* Sort recordings of one boot next to each other, in order of time. */
static int by_boot(const void *pa, const void *pb)
{
	const struct clock_facts *a = pa, *b = pb;
	int order = memcmp(a->boot, b->boot, sizeof(a->boot));
	int64_t x = a->begin_ns - a->first_offset_ns, y = b->begin_ns - b->first_offset_ns;

	return order ?: x < y ? -1 : x > y ? 1 : strcmp(a->name, b->name);
}

void clock_check(struct clock_facts *facts, size_t nr, int64_t now_ns, struct strbuf *text)
{
	bool several = false;

	for (size_t i = 1; i < nr; i++)
		several |= !same_host(&facts[0], &facts[i]);
	for (size_t i = 0; i < nr; i++) {
		check_future(&facts[i], now_ns, text);
		check_step(&facts[i], text);
	}
	if (several)
		check_sync(facts, nr, text);
	if (nr)
		qsort(facts, nr, sizeof(*facts), by_boot);
	for (size_t i = 1; i < nr; i++)
		check_same_boot(&facts[i - 1], &facts[i], text);
}
