// SPDX-License-Identifier: BSD-2-Clause
/* Counts of calls as CSV: one record for each row. Producers are rows with --by=producer. */
#include "util/base/wall_clock.h"
#include "util/plan/plan.h"
#include "util/trace/summary/summary.h"
#include "util/view/lists/summary_text.h"
#include "util/view/parts/csv.h"
#include "util/view/parts/output.h"
#include "util/view/parts/times.h"
#include "util/view/session/origin.h"
#include "util/view/session/view.h"

static const char *const group_headings[] = {
	[SUMMARY_BY_NOTHING] = "",
	[SUMMARY_BY_PRODUCER] = "producer,producer_module,",
	[SUMMARY_BY_CGROUP] = "cgroup_id,cgroup,pod,container,unit,",
	[SUMMARY_BY_HOST] = "host,",
	[SUMMARY_BY_PROCESS] = "pid,comm,",
	[SUMMARY_BY_COMM] = "comm,",
};

static void add_time(struct view *self, struct csv *csv, uint64_t ns)
{
	strbuf_clear(&self->scratch);
	timestamp_add(&self->scratch, wall_clock_at(self->context->clock, ns));
	csv_text(csv, strbuf_str(&self->scratch));
}

static void add_group(struct view *self, struct csv *csv, enum summary_by by,
		      const struct summary_line *line)
{
	const struct summary_group *group = &line->group;
	const struct plan_func *func = group_producer(self->context->explain.plan, group);
	struct origin origin;

	switch (by) {
	case SUMMARY_BY_NOTHING:
		break;
	case SUMMARY_BY_PRODUCER:
		csv_text(csv, func ? func->name : NULL);
		csv_text(csv, func ? func->module : NULL);
		break;
	case SUMMARY_BY_CGROUP:
		csv_known(csv, group->id && !self->context->several, group->id);
		origin_of_cgroup(self->context, group->id, &origin);
		csv_text(csv, origin.path);
		origin_csv_add(csv, &origin.owner);
		break;
	case SUMMARY_BY_HOST:
		csv_text(csv, line->host);
		break;
	case SUMMARY_BY_PROCESS:
		if (self->context->several)
			csv_text(csv, line->host);
		csv_known(csv, *group->comm, group->id);
		csv_text(csv, *group->comm ? group->comm : NULL);
		break;
	case SUMMARY_BY_COMM:
		csv_text(csv, *group->comm ? group->comm : NULL);
		break;
	}
}

static void add_row(struct view *self, struct csv *csv, const struct summary *summary,
		    const struct summary_line *line)
{
	const struct plan_func *func = &self->context->explain.plan->funcs.data[line->func];

	add_time(self, csv, summary->start_ns);
	add_time(self, csv, summary->end_ns);
	add_group(self, csv, summary->by, line);
	csv_text(csv, func->name);
	csv_text(csv, func->module);
	strbuf_clear(&self->scratch);
	outcome_word_add(&self->scratch, func, line->err);
	csv_text(csv, strbuf_str(&self->scratch));
	csv_uint(csv, line->row.count);
	csv_uint(csv, line->row.total_ns);
	csv_uint(csv, summary_mean(&line->row));
	csv_uint(csv, summary_percentile(&line->row, 50));
	csv_uint(csv, summary_percentile(&line->row, 95));
	csv_uint(csv, summary_percentile(&line->row, 99));
	csv_uint(csv, line->row.max_ns);
	csv_end(csv);
}

/* Process ids are different on each host. */
static bool has_host(const struct view *self, const struct summary *summary)
{
	return self->context->several && summary->by == SUMMARY_BY_PROCESS;
}

static int summary_csv(struct view *self, const struct summary *summary)
{
	struct csv csv = CSV_INIT(&self->text);

	strbuf_reset(&self->text);
	if (!self->begun)
		strbuf_addf(&self->text,
			    "start,end,%s%sfunction,module,result,count,total_ns,mean_ns,"
			    "p50_ns,p95_ns,p99_ns,max_ns\n",
			    has_host(self, summary) ? "host," : "", group_headings[summary->by]);
	self->begun = true;
	vec_foreach(line, &summary->lines)
		add_row(self, &csv, summary, line);
	self->text.failed |= self->scratch.failed;
	return output_data(self->context->out, &self->text);
}

struct view *view_summary_csv_new(const struct view_context *context)
{
	struct view *self = view_new(sizeof(*self), context);

	if (!self)
		return NULL;
	self->summary = summary_csv;
	return self;
}
