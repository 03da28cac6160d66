/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From what a run hands out to metrics: counts of BPF's summaries, or sessions, and the loss report.
 * Writes the file with the metrics when it is time, and hands single calls on.
 */
#ifndef RETSNOOP_EXPORT_EXPORTER_H
#define RETSNOOP_EXPORT_EXPORTER_H

#include <stdint.h>

#include "bpf/summary.h"
#include "util/base/strbuf.h"
#include "util/export/failed_call.h"
#include "util/export/metrics.h"

struct explainer;
struct journal;
struct ledger;
struct otlp;
struct session;
struct summary;
struct view_context;

/* The label that tells whose failures they were. */
enum export_by {
	EXPORT_BY_NOTHING,
	EXPORT_BY_COMM,
	EXPORT_BY_CGROUP,
	EXPORT_BY_POD,
	EXPORT_BY_CONTAINER,
	EXPORT_BY_UNIT,
};

struct exporter {
	struct metrics metrics;
	const struct view_context *context;	/* plan, error rules, cgroups; borrowed */
	enum export_by by;
	const char *path;	/* of the file; NULL none; borrowed */
	uint64_t interval_ns;	/* between two times that it is written */
	uint64_t next_write_ns;
	/* Receivers of single calls, and what these are explained with; borrowed; NULL none. */
	struct otlp *otlp;
	struct journal *journal;
	struct explainer *explainer;
	struct failed_call call;
	struct strbuf labels, word, text;	/* scratch */
};

/* What BPF has to count by for that; the producer it counts besides. */
enum summary_by export_summary_by(enum export_by by);

/* @context	outlives it, as all that it refers to does; has an origin */
void exporter_init(struct exporter *exporter, enum export_by by, size_t max_series,
		   const struct view_context *context);

/* Count on what another run hands out, with functions and kernel as @context has them. */
void exporter_begin_run(struct exporter *exporter, const struct view_context *context);
void exporter_release(struct exporter *exporter);

/* Count what BPF has counted. */
void exporter_summary(struct exporter *exporter, const struct summary *summary);

/* Count one failed call that BPF has sent, and hand it on. 0; -ENOMEM (reported) */
int exporter_session(struct exporter *exporter, const struct session *session);

/* The loss report so far. Writes the file if it is time. */
void exporter_tick(struct exporter *exporter, const struct ledger *ledger);

/* The same, whatever time it is. 0; -errno: it cannot be written (reported) */
int exporter_write(struct exporter *exporter, const struct ledger *ledger);

#endif
