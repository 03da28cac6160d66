/* SPDX-License-Identifier: BSD-2-Clause */
/* Failed calls as log records of OpenTelemetry, in JSON; and a receiver's answers. Pure code. */
#ifndef RETSNOOP_EXPORT_OTLP_JSON_H
#define RETSNOOP_EXPORT_OTLP_JSON_H

#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"

struct failed_call;
struct otlp_config;
struct outbox_record;
struct view_origin;

/* Append a `Resource`: the host, and the container, pod and unit of the call. */
void otlp_resource_add(struct strbuf *json, const struct otlp_config *config,
		       const struct view_origin *host, const struct failed_call *call);

/* Append a `LogRecord`. @observed_ns: now, since the epoch */
void otlp_record_add(struct strbuf *json, const struct failed_call *call, int64_t observed_ns);

/* Append an `ExportLogsServiceRequest` of these records, whose group is their resource. */
void otlp_request_add(struct strbuf *json, const struct outbox_record *records);

/* The meaning of an answer. */
enum otlp_answer {
	OTLP_TAKEN,
	OTLP_LATER,	/* the receiver cannot accept them now: 429, 502, 503, 504 */
	OTLP_REFUSED,	/* any other answer */
};

/* @ret_rejected	accepted requests: number of records that the receiver rejected */
enum otlp_answer otlp_answer_parse(const char *reply, size_t len, uint64_t *ret_rejected);

#endif
