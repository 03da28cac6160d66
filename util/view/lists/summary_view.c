// SPDX-License-Identifier: BSD-2-Clause
/* Counts of calls and of what made them fail, as text. */
#include <inttypes.h>
#include <limits.h>

#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/base/text/quote.h"
#include "util/base/wall_clock.h"
#include "util/kernel/machine/cgroup_names.h"
#include "util/plan/plan.h"
#include "util/trace/summary/summary.h"
#include "util/view/lists/summary_text.h"
#include "util/view/parts/output.h"
#include "util/view/parts/table.h"
#include "util/view/parts/times.h"
#include "util/view/session/view.h"

/* The longest bar; longer ones are no easier to read. */
#define HISTOGRAM_WIDTH 80

static const struct plan_func *func_of(const struct view *self, uint32_t func)
{
	return &self->context->explain.plan->funcs.data[func];
}

static enum style outcome_style(int32_t err)
{
	return err == SUMMARY_SUCCESS ? STYLE_GOOD : STYLE_BAD;
}

static void add_outcome(struct view *self, struct table *table,
			const struct plan_func *func, int32_t err)
{
	strbuf_clear(&self->scratch);
	outcome_add(&self->scratch, func, err);
	table_add(table, outcome_style(err), strbuf_str(&self->scratch));
}

static void add_count(struct view *self, struct table *table, uint64_t count)
{
	strbuf_clear(&self->scratch);
	strbuf_addf(&self->scratch, "%" PRIu64, count);
	table_add(table, STYLE_NONE, strbuf_str(&self->scratch));
}

static void add_span(struct view *self, struct table *table, uint64_t ns)
{
	strbuf_clear(&self->scratch);
	span_add(&self->scratch, ns);
	table_add(table, STYLE_NONE, strbuf_str(&self->scratch));
}

/* A small share is not shown as 0%, and nearly all is not shown as 100%. */
static void add_share(struct view *self, struct table *table, uint64_t count, uint64_t all)
{
	unsigned int mille = ((unsigned __int128)count * 1000 + all / 2) / all;

	if (mille == 1000 && count < all)
		mille = 999;
	strbuf_clear(&self->scratch);
	if (mille)
		strbuf_addf(&self->scratch, "%u.%u%%", mille / 10, mille % 10);
	else
		strbuf_addstr(&self->scratch, "<0.1%");
	table_add(table, STYLE_NONE, strbuf_str(&self->scratch));
}

static void print_table(struct view *self, struct table *table)
{
	table_print(table, self->context->width ?: INT_MAX, &self->text);
	strbuf_addch(&self->text, '\n');
	self->text.failed |= table->failed || self->scratch.failed;
	table_release(table);
}

static const char *const group_headings[] = {
	[SUMMARY_BY_NOTHING] = "",	  [SUMMARY_BY_PRODUCER] = "PRODUCER",
	[SUMMARY_BY_CGROUP] = "CGROUP", [SUMMARY_BY_PROCESS] = "PROCESS",
	[SUMMARY_BY_COMM] = "COMM", [SUMMARY_BY_HOST] = "HOST",
};

/* "mount/123", "web-1: mount/123", "web-1", "/user.slice", "do_mount"; "-" where there is none. */
static void fill_group(struct view *self, enum summary_by by,
		       const struct summary_line *line)
{
	const struct summary_group *group = &line->group;
	const struct plan_func *producer = group_producer(self->context->explain.plan, group);
	const char *path = NULL;

	strbuf_clear(&self->scratch);
	if (by == SUMMARY_BY_PRODUCER && producer)
		strbuf_addstr(&self->scratch, producer->name);
	if (by == SUMMARY_BY_CGROUP && group->id) {
		if (self->context->cgroups)
			path = cgroup_names_get(self->context->cgroups, group->id);
		if (path)
			quote_name_add(&self->scratch, path);
		else
			strbuf_addf(&self->scratch, "id %llu", group->id);
	}
	if (by == SUMMARY_BY_HOST && line->host)
		strbuf_addstr(&self->scratch, line->host);
	if (by >= SUMMARY_BY_PROCESS && line->host)
		strbuf_addf(&self->scratch, "%s: ", line->host);
	if (by >= SUMMARY_BY_PROCESS && *group->comm)
		quote_name_add(&self->scratch, group->comm);
	if (by == SUMMARY_BY_PROCESS && *group->comm)
		strbuf_addf(&self->scratch, "/%llu", group->id);
	if (!self->scratch.len)
		strbuf_addch(&self->scratch, '-');
	/* A table's columns are counted in bytes. */
	text_to_ascii(&self->scratch);
}

static void add_lines(struct view *self, const struct summary *summary)
{
	const struct table_column columns[] = {
		{ group_headings[summary->by], false },
		{ "ENTRY FUNCTION", false }, { "RESULT", false }, { "COUNT", true },
		{ "TOTAL", true },	     { "MEAN", true },	  { "P50", true },
		{ "P95", true },	     { "P99", true },	  { "MAX", true },
	};
	bool grouped = summary->by;
	struct table table = {
		.columns = columns + !grouped,
		.nr_columns = ARRAY_SIZE(columns) - !grouped,
		.color = self->context->color,
	};

	vec_foreach(line, &summary->lines)
	{
		if (grouped) {
			fill_group(self, summary->by, line);
			table_add(&table, STYLE_NONE, strbuf_str(&self->scratch));
		}
		table_add(&table, STYLE_NAME, func_of(self, line->func)->name);
		add_outcome(self, &table, func_of(self, line->func), line->err);
		add_count(self, &table, line->row.count);
		add_span(self, &table, line->row.total_ns);
		add_span(self, &table, summary_mean(&line->row));
		add_span(self, &table, summary_percentile(&line->row, 50));
		add_span(self, &table, summary_percentile(&line->row, 95));
		add_span(self, &table, summary_percentile(&line->row, 99));
		add_span(self, &table, line->row.max_ns);
	}
	print_table(self, &table);
}

static void add_histograms(struct view *self, const struct summary *summary)
{
	int width = self->context->width && self->context->width < HISTOGRAM_WIDTH ?
			    self->context->width :
			    HISTOGRAM_WIDTH;
	struct strbuf *text = &self->text;

	vec_foreach(line, &summary->lines)
	{
		const struct plan_func *func = func_of(self, line->func);
		size_t start;

		if (summary->by) {
			fill_group(self, summary->by, line);
			strbuf_addf(text, "%s ", strbuf_str(&self->scratch));
		}
		style_add(text, self->context->color, STYLE_NAME, func->name);
		strbuf_addch(text, ' ');
		start = text->len;
		outcome_add(text, func, line->err);
		style_since(text, start, self->context->color, outcome_style(line->err));
		strbuf_addstr(text, ":\n");
		histogram_add(text, &line->row, width);
		strbuf_addch(text, '\n');
	}
}

static void add_producers(struct view *self, const struct summary *summary)
{
	static const struct table_column columns[] = {
		{ "PRODUCER", false }, { "RETURNED", false }, { "CAME OUT AS", false },
		{ "COUNT", true },     { "SHARE", true },
	};
	struct table table = TABLE_INIT(columns, self->context->color);

	if (!summary->errors)
		return;
	vec_foreach(producer, &summary->producers)
	{
		table_add(&table, STYLE_NAME, func_of(self, producer->func)->name);
		add_outcome(self, &table, func_of(self, producer->func), producer->err);
		add_outcome(self, &table, any_entry(self->context->explain.plan),
			    producer->outcome);
		add_count(self, &table, producer->count);
		add_share(self, &table, producer->count, summary->errors);
	}
	print_table(self, &table);
}

static void add_span_of(struct view *self, const struct summary *summary)
{
	struct strbuf *text = &self->text;
	size_t start = text->len;

	clock_add(text, wall_clock_at(self->context->clock, summary->start_ns));
	strbuf_addstr(text, " -> ");
	clock_add(text, wall_clock_at(self->context->clock, summary->end_ns));
	style_since(text, start, self->context->color, STYLE_ASIDE);
	if (summary->calls)
		strbuf_addf(text, ", %" PRIu64 " call%s:\n\n", summary->calls,
			    summary->calls == 1 ? "" : "s");
	else
		strbuf_addstr(text, ", no calls\n\n");
}

static int summary_text(struct view *self, const struct summary *summary)
{
	strbuf_reset(&self->text);
	if (summary->interval)
		add_span_of(self, summary);
	if (summary->lines.len) {
		add_lines(self, summary);
		if (self->context->histograms)
			add_histograms(self, summary);
	}
	add_producers(self, summary);
	return output_text(self->context->out, &self->text);
}

struct view *view_summary_new(const struct view_context *context)
{
	struct view *self = view_new(sizeof(*self), context);

	if (!self)
		return NULL;
	self->summary = summary_text;
	return self;
}
