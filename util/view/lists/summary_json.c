// SPDX-License-Identifier: BSD-2-Clause
/* Counts of calls and of what made them fail, as one JSON object a line. */
#include "util/plan/plan.h"
#include "util/trace/summary/summary.h"
#include "util/view/lists/summary_text.h"
#include "util/view/parts/json.h"
#include "util/view/parts/output.h"
#include "util/view/session/origin.h"
#include "util/view/session/session_json.h"

static const struct plan_func *begin_line(struct view *self, struct json *json,
					  const char *type, const struct summary *summary,
					  uint32_t func)
{
	const struct plan_func *f = &self->context->explain.plan->funcs.data[func];

	json_object(json, NULL);
	json_string(json, "type", type);
	span_json_add(json, self->context, &self->scratch, summary->start_ns, summary->end_ns);
	json_string(json, "function", f->name);
	json_string(json, "module", f->module);
	return f;
}

static void end_line(struct view *self, struct json *json)
{
	json_close(json);
	strbuf_addch(&self->text, '\n');
}

/* As sessions have it. */
static void add_errno(struct json *json, const char *key, const struct plan_func *func, int32_t err)
{
	if (err == SUMMARY_SUCCESS || (!err && func->returns != RETURN_POINTER))
		json_null(json, key);
	else
		json_errno(json, key, err);
}

static void add_histogram(struct json *json, const struct summary_row *row)
{
	json_array(json, "histogram");
	for (uint32_t i = 0; i < SUMMARY_BUCKETS; i++) {
		if (!row->buckets[i])
			continue;
		json_object(json, NULL);
		json_uint(json, "from_ns", summary_bucket_start(i));
		if (i + 1 < SUMMARY_BUCKETS)
			json_uint(json, "below_ns", summary_bucket_start(i + 1));
		else
			json_null(json, "below_ns");
		json_uint(json, "count", row->buckets[i]);
		json_close(json);
	}
	json_close(json);
}

/* Names as sessions have them; null where there is none. */
static void add_group(struct view *self, struct json *json, enum summary_by by,
		      const struct summary_line *line)
{
	const struct summary_group *group = &line->group;
	const struct plan_func *producer = group_producer(self->context->explain.plan, group);
	struct origin origin;

	switch (by) {
	case SUMMARY_BY_NOTHING:
		break;
	case SUMMARY_BY_PRODUCER:
		json_string(json, "producer", producer ? producer->name : NULL);
		json_string(json, "producer_module", producer ? producer->module : NULL);
		break;
	case SUMMARY_BY_CGROUP:
		origin_of_cgroup(self->context, group->id, &origin);
		if (self->context->several)
			origin.cgroup = 0;
		origin_json_add(json, &origin);
		break;
	case SUMMARY_BY_HOST:
		json_string(json, "host", line->host);
		break;
	case SUMMARY_BY_PROCESS:
		if (line->host)
			json_string(json, "host", line->host);
		json_known(json, "pid", *group->comm, group->id);
		json_string(json, "comm", *group->comm ? group->comm : NULL);
		break;
	case SUMMARY_BY_COMM:
		json_string(json, "comm", *group->comm ? group->comm : NULL);
		break;
	}
}

static int summary_json(struct view *self, const struct summary *summary)
{
	struct json json = JSON_INIT(&self->text);
	const struct plan_func *func;

	strbuf_reset(&self->text);
	vec_foreach(line, &summary->lines)
	{
		json = (struct json)JSON_INIT(&self->text);
		func = begin_line(self, &json, "summary", summary, line->func);
		add_group(self, &json, summary->by, line);
		json_bool(&json, "failed", line->err != SUMMARY_SUCCESS);
		add_errno(&json, "errno", func, line->err);
		json_uint(&json, "count", line->row.count);
		json_uint(&json, "total_ns", line->row.total_ns);
		json_uint(&json, "mean_ns", summary_mean(&line->row));
		json_uint(&json, "p50_ns", summary_percentile(&line->row, 50));
		json_uint(&json, "p95_ns", summary_percentile(&line->row, 95));
		json_uint(&json, "p99_ns", summary_percentile(&line->row, 99));
		json_uint(&json, "max_ns", line->row.max_ns);
		if (self->context->histograms)
			add_histogram(&json, &line->row);
		end_line(self, &json);
	}
	vec_foreach(producer, &summary->producers)
	{
		json = (struct json)JSON_INIT(&self->text);
		func = begin_line(self, &json, "producer", summary, producer->func);
		add_errno(&json, "errno", func, producer->err);
		json_bool(&json, "outcome_failed", producer->outcome != SUMMARY_SUCCESS);
		add_errno(&json, "outcome_errno", any_entry(self->context->explain.plan),
			  producer->outcome);
		json_uint(&json, "count", producer->count);
		json_uint(&json, "of_count", summary->errors);
		end_line(self, &json);
	}
	self->text.failed |= self->scratch.failed;
	return output_data(self->context->out, &self->text);
}

struct view *view_summary_json_new(const struct view_context *context)
{
	struct view *self = view_new(sizeof(*self), context);

	if (!self)
		return NULL;
	self->summary = summary_json;
	self->end = session_json_end;
	return self;
}
