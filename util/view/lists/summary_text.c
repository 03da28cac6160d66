// SPDX-License-Identifier: BSD-2-Clause
/* Parts of the summary's text. */
#include "util/view/lists/summary_text.h"

#include <inttypes.h>
#include <string.h>

#include "util/base/text/errnames.h"
#include "util/view/parts/times.h"

/* Exact buckets up to 4 ns make three powers of two, the others one for each four. */
#define EXACT_BUCKETS (1 << SUMMARY_SUB_BITS)
#define EXACT_STEPS (SUMMARY_SUB_BITS + 1)
#define NR_STEPS (EXACT_STEPS + SUMMARY_BUCKETS / EXACT_BUCKETS - 1)

#define COUNT_WIDTH 9

/* More empty lines than this in a row become "...". */
#define MAX_EMPTY 3

void outcome_word_add(struct strbuf *sb, const struct plan_func *func, int32_t err)
{
	char number[ERRNO_WORD_SIZE];

	if (err == SUMMARY_SUCCESS)
		strbuf_addstr(sb, "ok");
	else if (!err)
		strbuf_addstr(sb, func->returns == RETURN_POINTER ? "NULL" : "error");
	else
		strbuf_addstr(sb, errno_word(err, number));
}

void outcome_add(struct strbuf *sb, const struct plan_func *func, int32_t err)
{
	bool failed = err != SUMMARY_SUCCESS;

	if (failed)
		strbuf_addstr(sb, err ? "[-" : "[");
	outcome_word_add(sb, func, err);
	if (failed)
		strbuf_addch(sb, ']');
}

const struct plan_func *group_producer(const struct plan *plan, const struct summary_group *group)
{
	return group->id && group->id <= plan->funcs.len ? &plan->funcs.data[group->id - 1] : NULL;
}

const struct plan_func *any_entry(const struct plan *plan)
{
	for (uint32_t i = 0; i < plan->funcs.len; i++) {
		if (plan->funcs.data[i].entry && plan->funcs.data[i].returns == RETURN_POINTER)
			return &plan->funcs.data[i];
	}
	return &plan->funcs.data[0];
}

/* The first bucket of a power of two. */
static uint32_t first_bucket(unsigned int step)
{
	if (step < EXACT_STEPS)
		return step ? 1 << (step - 1) : 0;
	return (step - EXACT_STEPS + 1) * EXACT_BUCKETS;
}

static void add_label(struct strbuf *sb, unsigned int step)
{
	strbuf_addch(sb, '[');
	span_add(sb, summary_bucket_start(first_bucket(step)));
	strbuf_addstr(sb, ", ");
	if (step + 1 < NR_STEPS)
		span_add(sb, summary_bucket_start(first_bucket(step + 1)));
	else
		strbuf_addstr(sb, "...");
	strbuf_addch(sb, ')');
}

/* The number of empty lines from @step on. */
static unsigned int empty_from(const uint64_t *counts, unsigned int step)
{
	unsigned int n = 0;

	while (step + n < NR_STEPS && !counts[step + n])
		n++;
	return n;
}

void histogram_add(struct strbuf *sb, const struct summary_row *row, unsigned int width)
{
	unsigned int first = NR_STEPS, last = 0, label = 0, bar;
	uint64_t counts[NR_STEPS] = {}, most = 1;
	struct strbuf cell = STRBUF_INIT;
	int count_width = COUNT_WIDTH;

	for (unsigned int step = 0; step < NR_STEPS; step++) {
		for (uint32_t i = first_bucket(step); i < first_bucket(step + 1); i++)
			counts[step] += row->buckets[i];
		if (!counts[step])
			continue;
		if (first == NR_STEPS)
			first = step;
		last = step;
		if (counts[step] > most)
			most = counts[step];
	}
	for (unsigned int step = first; step <= last && step < NR_STEPS; step++) {
		strbuf_clear(&cell);
		add_label(&cell, step);
		if (cell.len > label)
			label = cell.len;
	}
	strbuf_clear(&cell);
	strbuf_addf(&cell, "%" PRIu64, most);
	if ((int)cell.len > count_width)
		count_width = cell.len;
	bar = label + count_width + 4;
	bar = width > bar + 10 ? width - bar : 10;

	for (unsigned int step = first; step <= last && step < NR_STEPS; step++) {
		unsigned int full = (unsigned __int128)counts[step] * bar / most;

		if (empty_from(counts, step) > MAX_EMPTY) {
			strbuf_addstr(sb, "...\n");
			step += empty_from(counts, step) - 1;
			continue;
		}
		strbuf_clear(&cell);
		add_label(&cell, step);
		strbuf_addstr(sb, strbuf_str(&cell));
		strbuf_pad(sb, (int)label - (int)cell.len, ' ');
		strbuf_addf(sb, " %*" PRIu64 " |", count_width, counts[step]);
		strbuf_pad(sb, full, '@');
		strbuf_pad(sb, bar - full, ' ');
		strbuf_addstr(sb, "|\n");
	}
	sb->failed |= cell.failed;
	strbuf_release(&cell);
}
