/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Turns a run's output into metrics: counts from BPF's summaries, or sessions, and the loss
 * report. Writes the file with the metrics at intervals, and passes single calls to receivers.
 */
#ifndef RETSNOOP_EXPORT_EXPORTER_H
#define RETSNOOP_EXPORT_EXPORTER_H

#include <stdint.h>

#include "bpf/summary_rows.h"
#include "util/base/strbuf.h"
#include "util/export/failed_call.h"
#include "util/export/metrics.h"
#include "util/export/metrics_file.h"

struct explainer;
struct journal;
struct ledger;
struct otlp;
struct otlp_config;
struct session;
struct summary;
struct view_context;
struct view_origin;

/* The label with the owner of failing calls. */
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
	struct metrics_file file;
	uint64_t interval_ns;	/* between two writes of the file */
	uint64_t next_write_ns;
	struct otlp *otlp;	/* owned; NULL none */
	/* Another receiver of single calls, and the tools to explain calls; borrowed; NULL none. */
	struct journal *journal;
	struct explainer *explainer;
	struct failed_call call;
	struct strbuf labels, word, text;	/* scratch */
};

/* What BPF must group its counts by for this label; it groups by producer, too. */
enum summary_by export_summary_by(enum export_by by);

/* @context	outlives the exporter, with all that it refers to; has an origin */
void exporter_init(struct exporter *exporter, enum export_by by, size_t max_series,
		   const struct view_context *context);

/* Continue with another run, whose functions and kernel are in @context, and the same OTLP. */
void exporter_begin_run(struct exporter *exporter, const struct view_context *context);

/*
 * Send calls to a receiver of OTLP. Calls that wait since the run before still wait, and only
 * certificates of @config are new. Takes @config. @host outlives the exporter. 0; -errno (reported)
 */
int exporter_begin_otlp(struct exporter *exporter, struct otlp_config *config,
			const struct view_origin *host);

/* The last run has ended: send the calls that wait, and report those that did not arrive. */
void exporter_end(struct exporter *exporter);
void exporter_release(struct exporter *exporter);

/* Add BPF's counts. */
void exporter_summary(struct exporter *exporter, const struct summary *summary);

/* Count one failed call that BPF has sent, and pass it to the receivers. 0; -ENOMEM (reported) */
int exporter_session(struct exporter *exporter, const struct session *session);

/* Take the loss report so far. Writes the file if it is due. */
void exporter_tick(struct exporter *exporter, const struct ledger *ledger);

/* The same, but always writes the file. 0; -errno: it cannot be written (reported) */
int exporter_write(struct exporter *exporter, const struct ledger *ledger);

#endif
