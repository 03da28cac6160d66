// SPDX-License-Identifier: BSD-2-Clause
/* Metrics as text: Prometheus's own format and OpenMetrics, which differ little. */
#include "util/export/metrics.h"

#include <inttypes.h>

#include "util/base/clock.h"
#include "util/base/macros.h"
#include "util/base/report.h"

/* The value of all labels in the row for label sets that found no room. */
#define OTHER "other"

static const char *const receiver_names[NR_RECEIVERS] = {
	[RECEIVER_OTLP] = "otlp",
	[RECEIVER_JOURNAL] = "journal",
};

static const char *const drop_reasons[NR_DELIVERIES] = {
	[DELIVERY_NO_ROOM] = "queue_full",
	[DELIVERY_REFUSED] = "refused",
	[DELIVERY_UNREACHABLE] = "unreachable",
};

void metrics_init(struct metrics *metrics, size_t max_series, const char *by)
{
	*metrics = (struct metrics){ .failures.max = max_series, .by = by };
	pthread_mutex_init(&metrics->lock, NULL);
}

void metrics_release(struct metrics *metrics)
{
	series_release(&metrics->failures);
	pthread_mutex_destroy(&metrics->lock);
}

void metrics_count(struct metrics *metrics, const struct strbuf *labels, uint64_t failures)
{
	pthread_mutex_lock(&metrics->lock);
	series_add(&metrics->failures, labels, failures);
	pthread_mutex_unlock(&metrics->lock);
}

void metrics_deliver(struct metrics *metrics, enum receiver receiver, enum delivery delivery,
		     uint64_t calls)
{
	pthread_mutex_lock(&metrics->lock);
	metrics->deliveries[receiver][delivery] += calls;
	pthread_mutex_unlock(&metrics->lock);
}

void metrics_say_dropped(struct metrics *metrics)
{
	for (int i = 0; i < NR_RECEIVERS; i++) {
		const uint64_t *calls = metrics->deliveries[i];
		uint64_t dropped = calls[DELIVERY_NO_ROOM] + calls[DELIVERY_REFUSED] +
				   calls[DELIVERY_UNREACHABLE];

		if (dropped)
			warning("--%s: %" PRIu64 " of %" PRIu64 " calls did not arrive: queue full %" PRIu64
				", refused %" PRIu64 ", unreachable %" PRIu64, receiver_names[i], dropped,
				dropped + calls[DELIVERY_DONE], calls[DELIVERY_NO_ROOM],
				calls[DELIVERY_REFUSED], calls[DELIVERY_UNREACHABLE]);
	}
}

void metrics_file_failed(struct metrics *metrics)
{
	pthread_mutex_lock(&metrics->lock);
	metrics->file_errors++;
	pthread_mutex_unlock(&metrics->lock);
}

/*
 * Counts that are not known yet have no sample. Counts never decrease, even if a loss is later
 * attributed to another kind.
 */
static void set_loss(void *arg, const char *name, uint64_t count, bool known)
{
	struct metrics *metrics = arg;
	struct lost *lost = metrics->lost;

	if (!known)
		return;
	while (lost < metrics->lost + metrics->nr_lost && lost->kind != name)
		lost++;
	if (lost == metrics->lost + LEDGER_MAX_LOSSES)
		return;
	if (lost == metrics->lost + metrics->nr_lost)
		metrics->nr_lost++;
	lost->kind = name;
	if (lost->count < lost->before + count)
		lost->count = lost->before + count;
}

void metrics_reload(struct metrics *metrics, bool done)
{
	pthread_mutex_lock(&metrics->lock);
	metrics->reloads[done]++;
	for (size_t i = 0; done && i < metrics->nr_lost; i++)
		metrics->lost[i].before = metrics->lost[i].count;
	if (done) {
		metrics->tracing_before_ns = metrics->tracing_ns;
		metrics->crowded_before = metrics->crowded;
	}
	pthread_mutex_unlock(&metrics->lock);
}

void metrics_set_losses(struct metrics *metrics, const struct ledger *ledger)
{
	struct ledger losses = *ledger;

	/* Failures that are counted among others are not lost. */
	losses.stats.summary_lost = 0;
	pthread_mutex_lock(&metrics->lock);
	if (metrics->crowded < metrics->crowded_before + ledger->stats.summary_lost)
		metrics->crowded = metrics->crowded_before + ledger->stats.summary_lost;
	ledger_each_loss(&losses, set_loss, metrics);
	metrics->asked = ledger->asked;
	metrics->attached = ledger->attached;
	metrics->refused = ledger->refused;
	metrics->budget_ppm = ledger->budget_ppm;
	if (metrics->tracing_ns < metrics->tracing_before_ns + ledger->tracing_ns)
		metrics->tracing_ns = metrics->tracing_before_ns + ledger->tracing_ns;
	pthread_mutex_unlock(&metrics->lock);
}

/* In OpenMetrics, a counter's name lacks the "_total" of its samples. */
static void begin_family(struct strbuf *text, enum metrics_format format, bool counter,
			 const char *name, const char *help)
{
	const char *suffix = counter && format == METRICS_TEXT ? "_total" : "";

	strbuf_addf(text, "# HELP %s%s %s\n", name, suffix, help);
	strbuf_addf(text, "# TYPE %s%s %s\n", name, suffix, counter ? "counter" : "gauge");
}

static void print_failures(const struct metrics *metrics, enum metrics_format format,
			   struct strbuf *text)
{
	struct strbuf labels = STRBUF_INIT;

	begin_family(text, format, true, "retsnoop_failures",
		     "Calls of entry functions that failed, by error and by the function it came "
		     "from.");
	vec_foreach(row, &metrics->failures.rows)
		strbuf_addf(text, "retsnoop_failures_total{%s} %" PRIu64 "\n", row->labels, row->count);
	label_add(&labels, "entry", OTHER);
	label_add(&labels, "errno", OTHER);
	label_add(&labels, "producer", OTHER);
	if (metrics->by)
		label_add(&labels, metrics->by, OTHER);
	strbuf_addf(text, "retsnoop_failures_total{%s} %" PRIu64 "\n", strbuf_str(&labels),
		    metrics->failures.others + metrics->crowded);
	text->failed |= labels.failed;
	strbuf_release(&labels);

	begin_family(text, format, false, "retsnoop_label_sets",
		     "Label sets of retsnoop_failures_total that are counted apart.");
	strbuf_addf(text, "retsnoop_label_sets %zu\n", metrics->failures.rows.len);
	begin_family(text, format, false, "retsnoop_label_sets_limit",
		     "Limit of label sets; others are counted in the row of others.");
	strbuf_addf(text, "retsnoop_label_sets_limit %zu\n", metrics->failures.max);
}

static void print_losses(const struct metrics *metrics, enum metrics_format format,
			 struct strbuf *text)
{
	begin_family(text, format, true, "retsnoop_lost",
		     "What may be missing, by the kinds of the loss report.");
	for (size_t i = 0; i < metrics->nr_lost; i++)
		strbuf_addf(text, "retsnoop_lost_total{kind=\"%s\"} %" PRIu64 "\n",
			    metrics->lost[i].kind, metrics->lost[i].count);
	begin_family(text, format, false, "retsnoop_functions",
		     "Functions that were selected, that are traced, and that cannot be traced.");
	strbuf_addf(text, "retsnoop_functions{state=\"selected\"} %" PRIu32 "\n", metrics->asked);
	strbuf_addf(text, "retsnoop_functions{state=\"attached\"} %" PRIu32 "\n", metrics->attached);
	strbuf_addf(text, "retsnoop_functions{state=\"refused\"} %" PRIu32 "\n", metrics->refused);
}

static void print_budget(const struct metrics *metrics, enum metrics_format format,
			 struct strbuf *text)
{
	begin_family(text, format, true, "retsnoop_tracing_cpu_seconds",
		     "What tracing took of the CPUs' time.");
	strbuf_addf(text, "retsnoop_tracing_cpu_seconds_total %" PRIu64 ".%06" PRIu64 "\n",
		    (uint64_t)(metrics->tracing_ns / NSEC_PER_SEC),
		    (uint64_t)(metrics->tracing_ns % NSEC_PER_SEC / 1000));
	begin_family(text, format, false, "retsnoop_budget_ratio",
		     "The share of the CPUs' time that tracing may take.");
	strbuf_addf(text, "retsnoop_budget_ratio %" PRIu32 ".%06" PRIu32 "\n",
		    metrics->budget_ppm / 1000000, metrics->budget_ppm % 1000000);
}

static void print_deliveries(const struct metrics *metrics, enum metrics_format format,
			     struct strbuf *text)
{
	begin_family(text, format, true, "retsnoop_delivered",
		     "Failed calls that a receiver took.");
	for (int i = 0; i < NR_RECEIVERS; i++) {
		if (metrics->receivers[i])
			strbuf_addf(text, "retsnoop_delivered_total{receiver=\"%s\"} %" PRIu64 "\n",
				    receiver_names[i], metrics->deliveries[i][DELIVERY_DONE]);
	}
	begin_family(text, format, true, "retsnoop_dropped",
		     "Failed calls that a receiver did not get, by reason.");
	for (int i = 0; i < NR_RECEIVERS; i++) {
		for (int j = 0; j < NR_DELIVERIES && metrics->receivers[i]; j++) {
			if (j != DELIVERY_DONE)
				strbuf_addf(text, "retsnoop_dropped_total{receiver=\"%s\","
					    "reason=\"%s\"} %" PRIu64 "\n", receiver_names[i],
					    drop_reasons[j], metrics->deliveries[i][j]);
		}
	}
}

static void print_reloads(const struct metrics *metrics, enum metrics_format format,
			  struct strbuf *text)
{
	begin_family(text, format, true, "retsnoop_reloads",
		     "Times that the configuration was read again (SIGHUP), by what came of it.");
	strbuf_addf(text, "retsnoop_reloads_total{result=\"done\"} %" PRIu64 "\n", metrics->reloads[true]);
	strbuf_addf(text, "retsnoop_reloads_total{result=\"failed\"} %" PRIu64 "\n",
		    metrics->reloads[false]);
}

static void print_itself(const struct metrics *metrics, enum metrics_format format,
			 struct strbuf *text)
{
	struct strbuf labels = STRBUF_INIT;

	label_add(&labels, "version", RETSNOOP_VERSION);
	label_add(&labels, "kernel", metrics->release);
	begin_family(text, format, false, "retsnoop_build_info",
		     "The version of retsnoop, and the kernel that it runs on.");
	strbuf_addf(text, "retsnoop_build_info{%s} 1\n", strbuf_str(&labels));
	text->failed |= labels.failed;
	strbuf_release(&labels);
	begin_family(text, format, false, "retsnoop_start_time_seconds",
		     "When counting began, in seconds since 1970.");
	strbuf_addf(text, "retsnoop_start_time_seconds %" PRId64 ".%03" PRId64 "\n",
		    metrics->start_ns / (int64_t)NSEC_PER_SEC,
		    metrics->start_ns % (int64_t)NSEC_PER_SEC / (int64_t)NSEC_PER_MSEC);
}

void metrics_print(struct metrics *metrics, enum metrics_format format, struct strbuf *text)
{
	bool delivers = false;

	pthread_mutex_lock(&metrics->lock);
	for (int i = 0; i < NR_RECEIVERS; i++)
		delivers |= metrics->receivers[i];
	print_failures(metrics, format, text);
	print_losses(metrics, format, text);
	if (metrics->budget_ppm)
		print_budget(metrics, format, text);
	if (delivers)
		print_deliveries(metrics, format, text);
	if (metrics->writes_file) {
		begin_family(text, format, true, "retsnoop_file_errors",
			     "Times that the file with these metrics could not be written.");
		strbuf_addf(text, "retsnoop_file_errors_total %" PRIu64 "\n", metrics->file_errors);
	}
	if (metrics->reloads[false] || metrics->reloads[true])
		print_reloads(metrics, format, text);
	print_itself(metrics, format, text);
	pthread_mutex_unlock(&metrics->lock);
	if (format == METRICS_OPENMETRICS)
		strbuf_addstr(text, "# EOF\n");
}
