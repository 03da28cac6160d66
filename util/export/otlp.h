/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Failed calls sent as log records to a receiver of OTLP/HTTP, by a thread of its own. Records wait
 * in a bounded outbox; those that find no room, are refused, or cannot be sent after some tries are
 * counted in the metrics.
 */
#ifndef RETSNOOP_EXPORT_OTLP_H
#define RETSNOOP_EXPORT_OTLP_H

#include <stdint.h>

struct failed_call;
struct metrics;
struct otlp;
struct otlp_config;
struct view_origin;

/* @config	taken, and empty afterwards. @metrics, @host	outlive it. 0; -errno (reported) */
int otlp_new(struct otlp_config *config, struct metrics *metrics,
	     const struct view_origin *host, struct otlp **ret_otlp);

/* Take the certificates of @config: its files were read again. */
void otlp_renew(struct otlp *otlp, struct otlp_config *config);

/* Never waits. @observed_ns: now, since the epoch */
void otlp_send(struct otlp *otlp, const struct failed_call *call, int64_t observed_ns);

/*
 * Send what is left, for a few seconds at most, and count what is not sent. From then on the
 * metrics do not change any more.
 */
void otlp_end(struct otlp *otlp);
void otlp_free(struct otlp *otlp);

#endif
