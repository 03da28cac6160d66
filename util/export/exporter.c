// SPDX-License-Identifier: BSD-2-Clause
/* Counts the calls that a run reports. */
#include "util/export/exporter.h"

#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/explain/explain.h"
#include "util/export/journal.h"
#include "util/export/otlp.h"
#include "util/plan/plan.h"
#include "util/trace/session/outcome.h"
#include "util/trace/summary/summary_session.h"
#include "util/view/lists/summary_text.h"
#include "util/view/session/origin.h"
#include "util/view/session/view.h"

static const char *const by_names[] = {
	[EXPORT_BY_NOTHING] = NULL,
	[EXPORT_BY_COMM] = "comm",
	[EXPORT_BY_CGROUP] = "cgroup",
	[EXPORT_BY_POD] = "pod",
	[EXPORT_BY_CONTAINER] = "container",
	[EXPORT_BY_UNIT] = "unit",
};

enum summary_by export_summary_by(enum export_by by)
{
	switch (by) {
	case EXPORT_BY_NOTHING:
		return SUMMARY_BY_PRODUCER;
	case EXPORT_BY_COMM:
		return SUMMARY_BY_COMM;
	default:
		return SUMMARY_BY_CGROUP;
	}
}

void exporter_init(struct exporter *exporter, enum export_by by, size_t max_series,
		   const struct view_context *context)
{
	*exporter = (struct exporter){ .context = context, .by = by };
	metrics_init(&exporter->metrics, max_series, by_names[by]);
	exporter->metrics.release = context->origin->release;
	exporter->metrics.start_ns = context->origin->start_ns;
}

void exporter_begin_run(struct exporter *exporter, const struct view_context *context)
{
	exporter->context = context;
	metrics_reload(&exporter->metrics, true);
}

int exporter_begin_otlp(struct exporter *exporter, struct otlp_config *config,
			const struct view_origin *host)
{
	if (!exporter->otlp)
		return otlp_new(config, &exporter->metrics, host, &exporter->otlp);
	otlp_renew(exporter->otlp, config);
	return 0;
}

void exporter_end(struct exporter *exporter)
{
	otlp_end(exporter->otlp);
	metrics_say_dropped(&exporter->metrics);
}

void exporter_release(struct exporter *exporter)
{
	otlp_free(exporter->otlp);
	journal_free(exporter->journal);
	metrics_release(&exporter->metrics);
	failed_call_release(&exporter->call);
	strbuf_release(&exporter->labels);
	strbuf_release(&exporter->word);
	strbuf_release(&exporter->text);
	metrics_file_release(&exporter->file);
}

/* The owner of the failing call. Empty: an interrupt, or no owner of this kind. */
static const char *owner_label(const struct exporter *exporter, const struct summary_group *group,
			 struct origin *origin)
{
	if (exporter->by == EXPORT_BY_COMM)
		return group->comm;
	origin_of_cgroup(exporter->context, group->id, origin);
	if (origin->cgroup && !origin->path)
		return "unknown";
	switch (exporter->by) {
	case EXPORT_BY_POD:
		return origin->owner.pod;
	case EXPORT_BY_CONTAINER:
		return origin->owner.container;
	case EXPORT_BY_UNIT:
		return origin->owner.unit;
	default:
		return origin->path;
	}
}

/* @producer	function + 1; 0: not known */
static void count_failures(struct exporter *exporter, uint32_t func, int32_t err,
			   uint32_t producer, const struct summary_group *group, uint64_t count)
{
	const struct plan *plan = exporter->context->explain.plan;
	const struct plan_func *entry = &plan->funcs.data[func];
	struct strbuf *labels = &exporter->labels;
	struct origin origin = {};

	strbuf_reset(labels);
	strbuf_reset(&exporter->word);
	outcome_word_add(&exporter->word, entry, err);
	label_add(labels, "entry", entry->name);
	label_add(labels, "errno", strbuf_str(&exporter->word));
	label_add(labels, "producer", producer && producer <= plan->funcs.len ?
					      plan->funcs.data[producer - 1].name : NULL);
	if (exporter->by != EXPORT_BY_NOTHING)
		label_add(labels, by_names[exporter->by], owner_label(exporter, group, &origin));
	if (exporter->by > EXPORT_BY_COMM && group->host_mounts && *origin.owner.container)
		label_add(labels, "outsider", "true");
	labels->failed |= exporter->word.failed;
	metrics_count(&exporter->metrics, labels, count);
}

void exporter_summary(struct exporter *exporter, const struct summary *summary)
{
	vec_foreach(line, &summary->lines) {
		/* A failure inside an entry function that cannot fail has a producer. */
		if (line->err != SUMMARY_SUCCESS || line->producer)
			count_failures(exporter, line->func, line->err, line->producer, &line->group,
				       line->row.count);
	}
}

static int hand_on(struct exporter *exporter, const struct session *session)
{
	const struct explained *explained = explain(exporter->explainer, session, MODE_STACK);

	if (!explained)
		return -ENOMEM;
	if (failed_call_fill(&exporter->call, exporter->context, explained))
		return report_oom();
	if (exporter->otlp)
		otlp_send(exporter->otlp, &exporter->call, clock_ns(CLOCK_REALTIME));
	if (exporter->journal)
		journal_send(exporter->journal, &exporter->call);
	return 0;
}

int exporter_session(struct exporter *exporter, const struct session *session)
{
	const struct plan *plan = exporter->context->explain.plan;
	const struct event_frame *entry = &session->frames[0];
	struct summary_group group = session_group(session, export_summary_by(exporter->by));
	int err = frame_errno(plan, exporter->context->error_rules, entry);

	if (exporter->by > EXPORT_BY_COMM)
		group.host_mounts = session->host_mounts;
	count_failures(exporter, entry->func, err, session->frames[session->nr_frames - 1].func + 1,
		       &group, 1);
	return exporter->otlp || exporter->journal ? hand_on(exporter, session) : 0;
}

int exporter_write(struct exporter *exporter, const struct ledger *ledger)
{
	int err;

	metrics_set_losses(&exporter->metrics, ledger);
	if (!exporter->path)
		return 0;
	strbuf_reset(&exporter->text);
	metrics_print(&exporter->metrics, METRICS_TEXT, &exporter->text);
	err = metrics_file_write(exporter->path, &exporter->text, &exporter->file);
	if (err)
		metrics_file_failed(&exporter->metrics);
	return err;
}

void exporter_tick(struct exporter *exporter, const struct ledger *ledger)
{
	uint64_t now = now_ns();

	if (exporter->next_write_ns > now) {
		metrics_set_losses(&exporter->metrics, ledger);
		return;
	}
	exporter->next_write_ns = now + exporter->interval_ns;
	/* Ignore errors: a full disk may have room later. */
	exporter_write(exporter, ledger);
}
