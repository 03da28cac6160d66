// SPDX-License-Identifier: BSD-2-Clause
/*
 * Several recordings: which can be read, what they have in common, and messages about all of them.
 */
#include "builtin/report_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/fd_limit.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/trace/session/ledger.h"

#define MAX_HOSTS 3	/* files named in a message */

/* Recordings of old versions do not name their run. */
static bool is_same_run(const struct report_input *a, const struct report_input *b)
{
	static const uint8_t none[RECORDING_RUN_ID];

	return a->readable && b->readable && memcmp(a->run, none, sizeof(none)) &&
	       !memcmp(a->run, b->run, sizeof(a->run));
}

/* A recording given twice would be counted twice. */
static struct report_input *find_same(const struct report_set *set, const struct report_input *input)
{
	for (struct report_input *other = set->inputs; other < input; other++) {
		if (other->part == input->part && is_same_run(other, input))
			return other;
	}
	return NULL;
}

static bool is_new_host(const struct report_set *set, const struct report_input *input)
{
	for (const struct report_input *other = set->inputs; input->host && other < input;
	     other++) {
		if (other->host && !strcmp(other->host, input->host))
			return false;
	}
	return input->host;
}

/* Add what a recording contributes to the set. @first: it is the first readable one */
static void add_input(struct report_set *set, const struct report_input *input, bool first)
{
	const struct recording_meta *meta = recording_meta(input->recording);

	if (first)
		set->shown_modes = meta->shown_modes;
	if (first || input->begin_ns < set->begin_ns)
		set->begin_ns = input->begin_ns;
	if (first || meta->utc_offset_s == set->utc_offset_s)
		set->utc_offset_s = meta->utc_offset_s;
	else
		set->utc_offset_s = 0;
	set->nr_read++;
	set->modes |= meta->modes;
	set->successes |= meta->successes;
	set->nr_hosts += is_new_host(set, input);
	set->nr_nameless += !input->host;
}

/* A copy made while the run went on has only its beginning. Sizes are 0 if not known. */
static void keep_longer(struct report_set *set, struct report_input *same, struct report_input *input)
{
	if (!same->size || input->size <= same->size) {
		warning("%s is the same recording as %s: it is read once", input->name, same->name);
		report_input_close(input);
		return;
	}
	warning("%s is a shorter copy of the recording %s, which is read instead", same->name, input->name);
	report_input_close(same);
	*same = *input;
	*input = (struct report_input){};
	if (same != &set->inputs[set->first] && same->is_file)
		report_input_suspend(same);
}

/* 0; -errno: the recording is left out (reported). */
static int look_into(struct report_set *set, struct report_input *input, const char *path)
{
	struct report_input *same;
	int err = report_input_open(path, input);

	if (err) {
		set->unreadable++;
		report_input_close(input);
		return err;
	}
	same = find_same(set, input);
	if (!same)
		return 0;
	keep_longer(set, same, input);
	return -EEXIST;
}

const struct recording_meta *report_set_first(const struct report_set *set)
{
	return recording_meta(set->inputs[set->first].recording);
}

int report_set_open(char *const *paths, size_t nr, struct report_set *set)
{
	bool first = true;
	int err = 0;

	set->inputs = calloc(nr, sizeof(*set->inputs));
	if (!set->inputs)
		return report_oom();
	set->several = nr > 1;
	/* Each recording that overlaps with others is an open file. */
	if (set->several)
		fd_limit_raise();
	for (; set->nr < nr; set->nr++) {
		struct report_input *input = &set->inputs[set->nr];

		err = look_into(set, input, paths[set->nr]);
		if (err)
			continue;
		add_input(set, input, first);
		/*
		 * The settings come from the first recording. Data from a pipe can be read only
		 * once; shells make them of <(COMMAND), too.
		 */
		if (first)
			set->first = set->nr;
		else if (input->is_file)
			report_input_suspend(input);
		first = false;
	}
	return first ? err : 0;
}

void report_set_close(struct report_set *set)
{
	for (uint32_t i = 0; i < set->nr; i++)
		report_input_close(&set->inputs[i]);
	free(set->inputs);
	free(set->has_entry);
	free(set->has_allow);
	*set = (struct report_set){};
}

const char *report_set_name(const struct report_set *set)
{
	return set->several ? "the set of recordings" : set->inputs[0].name;
}

static bool is_named_before(const struct report_set *set, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++) {
		if (set->inputs[k].host && !strcmp(set->inputs[k].host, set->inputs[i].host))
			return true;
	}
	return false;
}

char *report_set_hosts(const struct report_set *set)
{
	struct strbuf hosts = STRBUF_INIT;
	uint32_t named = 0;

	for (uint32_t i = 0; i < set->nr && named < MAX_HOSTS; i++) {
		if (!set->inputs[i].host || is_named_before(set, i))
			continue;
		strbuf_addf(&hosts, "%s%s", named++ ? ", " : "", set->inputs[i].host);
	}
	if (named && set->nr_hosts > named)
		strbuf_addf(&hosts, " and %u other%s", set->nr_hosts - named,
			    set->nr_hosts == named + 1 ? "" : "s");
	return hosts.s;
}

/* Whether a newer file of the same run (--max-size) is among them: its losses are of the whole run. */
static bool goes_on(const struct report_set *set, const struct report_input *input)
{
	struct recording_state state;

	for (const struct report_input *other = set->inputs; other < set->inputs + set->nr; other++) {
		if (other->part <= input->part || !is_same_run(other, input))
			continue;
		report_input_state(other, &state);
		if (state.has_ledger)
			return true;
	}
	return false;
}

/* Losses of a recording's run, as far as it was read and a newer file of it does not have them. */
static void input_ledger(const struct report_set *set, const struct report_input *input,
			 struct ledger *ledger)
{
	struct recording_state state;

	report_input_state(input, &state);
	*ledger = state.ledger;
	if (goes_on(set, input)) {
		/* Those of reading this file. */
		*ledger = (struct ledger){ .bad_records = state.ledger.bad_records,
					   .orphans = state.ledger.orphans,
					   .calls_let_go = state.ledger.calls_let_go };
		state.dropped = 0;
		ledger->kernel_counts = state.ended = true;
	}
	ledger->settings = &input->settings;
	ledger->shown = 0;
	ledger->of = input->stopped ? 0 : state.sessions;
	ledger->dropped = state.dropped;
	ledger->parts_unread = state.skipped + state.unknown + (state.damage != 0);
	/* Hits skipped by the kernel are counted when a run ends. */
	if (!state.ended && !input->stopped)
		ledger->kernel_counts = false;
	/* The run was killed within its first second. */
	if (!state.has_ledger) {
		ledger->asked = ledger->attached = input->nr_funcs;
		ledger->refused = input->nr_refused;
	}
}

void report_set_ledger(const struct report_set *set, struct ledger *ledger)
{
	*ledger = (struct ledger){ .kernel_counts = true };
	for (uint32_t i = 0; i < set->nr; i++) {
		struct ledger one;

		if (!set->inputs[i].readable)
			continue;
		input_ledger(set, &set->inputs[i], &one);
		ledger_add(ledger, &one);
	}
	ledger->shown = set->shown;
	/* Reading one that cannot be opened shows nothing. */
	ledger->parts_unread += set->unreadable;
}

/* Whether every recording given was read to its end. */
static bool is_whole(const struct report_set *set)
{
	bool whole = !set->unreadable;

	for (uint32_t i = 0; i < set->nr; i++) {
		struct recording_state state;

		report_input_state(&set->inputs[i], &state);
		whole &= !state.damage && !state.skipped && !state.unknown;
	}
	return whole;
}

void report_set_say_missing(const struct report_set *set, const struct trace_request *request)
{
	const struct session_filter filter = { .request = request };
	struct report_facts facts = set->facts;

	facts.incomplete = !is_whole(set);
	report_facts_say(&facts, set->several ? &filter : &set->inputs[0].filter,
			 set->has_entry, set->has_allow, set->shown, report_set_name(set));
}

static void say_clocks(const struct report_set *set)
{
	_cleanup_(free_p) struct clock_facts *facts = calloc(set->nr, sizeof(*facts));
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	char *rest, *line;
	size_t nr = 0;

	for (uint32_t i = 0; facts && i < set->nr; i++) {
		if (set->inputs[i].readable)
			facts[nr++] = set->inputs[i].clock;
	}
	clock_check(facts, nr, clock_ns(CLOCK_REALTIME), &text);
	for (line = text.len ? strtok_r(text.s, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest))
		warning("%s", line);
}

/* Report which of several runs missed something. */
static void say_lossy(const struct report_set *set)
{
	for (uint32_t i = 0; i < set->nr; i++) {
		struct ledger ledger;

		if (!set->inputs[i].readable)
			continue;
		input_ledger(set, &set->inputs[i], &ledger);
		if (ledger_missed(&ledger) == LEDGER_MISSED_SOME)
			say(VERBOSITY_NORMAL, "  some may be missing in %s", set->inputs[i].name);
	}
}

void report_set_warn(const struct report_set *set)
{
	if (set->several)
		say_lossy(set);
	for (uint32_t i = 0; i < set->nr; i++) {
		if (set->inputs[i].readable)
			report_input_warn(&set->inputs[i], goes_on(set, &set->inputs[i]));
	}
	if (set->several)
		say_clocks(set);
}

bool report_set_failed(const struct report_set *set)
{
	struct recording_state state;

	if (set->several)
		return !is_whole(set);
	report_input_state(&set->inputs[0], &state);
	/* The last chunk of a run that was killed may be truncated: the run wrote no more. */
	return !set->shown && (state.damage > DAMAGE_CUT || state.skipped || state.unknown);
}
