/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The counts of export as text for Prometheus: failures by label set, the loss report, and calls
 * passed to receivers. One thread counts; other threads may ask for the text.
 */
#ifndef RETSNOOP_EXPORT_METRICS_H
#define RETSNOOP_EXPORT_METRICS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "util/export/series.h"
#include "util/trace/session/ledger.h"

/* Receivers of single calls (metrics_deliver()). */
enum receiver {
	RECEIVER_OTLP,
	RECEIVER_JOURNAL,
	NR_RECEIVERS,
};

/* The fate of a call for a receiver. */
enum delivery {
	DELIVERY_DONE,
	DELIVERY_NO_ROOM,	/* the queue was full: the receiver is slow or gone */
	DELIVERY_REFUSED,	/* the receiver refused it, or its answer makes no sense */
	DELIVERY_UNREACHABLE,	/* given up after several tries */
	NR_DELIVERIES,
};

struct lost {
	const char *kind;	/* static */
	uint64_t count;
	uint64_t before;	/* this run */
};

/* The lock protects all members. */
struct metrics {
	pthread_mutex_t lock;
	struct series failures;
	const char *by;		/* the label besides entry, errno and producer; NULL none. Static */
	const char *release;	/* of the kernel; borrowed */
	int64_t start_ns;	/* time of day */
	bool receivers[NR_RECEIVERS];	/* which receivers are in use */
	uint64_t deliveries[NR_RECEIVERS][NR_DELIVERIES];
	bool writes_file;
	uint64_t file_errors;
	struct lost lost[LEDGER_MAX_LOSSES];	/* never decrease */
	size_t nr_lost;
	uint32_t asked, attached, refused;	/* functions */
	uint32_t budget_ppm;	/* 0: there is no budget */
	uint64_t tracing_ns, tracing_before_ns;	/* of all runs; of runs before this one */
	uint64_t crowded, crowded_before;	/* failures for whose labels BPF had no room; the same */
	uint64_t reloads[2];	/* failed; successful */
};

/* The two formats that Prometheus reads. */
enum metrics_format {
	METRICS_TEXT,		/* text/plain; version=0.0.4, and files for node_exporter */
	METRICS_OPENMETRICS,	/* application/openmetrics-text; version=1.0.0 */
};

void metrics_init(struct metrics *metrics, size_t max_series, const char *by);
void metrics_release(struct metrics *metrics);

/* @labels	of the failures */
void metrics_count(struct metrics *metrics, const struct strbuf *labels, uint64_t failures);
void metrics_deliver(struct metrics *metrics, enum receiver receiver, enum delivery delivery,
		     uint64_t calls);
/* Warn of calls that receivers did not get; nothing if there are none. */
void metrics_say_dropped(struct metrics *metrics);
void metrics_file_failed(struct metrics *metrics);

/* Set the losses so far; they never decrease. */
void metrics_set_losses(struct metrics *metrics, const struct ledger *ledger);

/*
 * Note a reload: with @done, another run replaced the one before, whose losses are kept; else the
 * reload failed.
 */
void metrics_reload(struct metrics *metrics, bool done);

/* Append all metrics as text. */
void metrics_print(struct metrics *metrics, enum metrics_format format, struct strbuf *text);

#endif
