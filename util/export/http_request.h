/* SPDX-License-Identifier: BSD-2-Clause */
/* The only HTTP request that is served: GET /metrics. Pure code. */
#ifndef RETSNOOP_EXPORT_HTTP_REQUEST_H
#define RETSNOOP_EXPORT_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "util/base/strbuf.h"

/* A longer request line with its headers is refused. */
#define HTTP_REQUEST_MAX 8192

struct http_request {
	int status;		/* of the answer: 200, 400, 404, 405, 431, 505 */
	bool openmetrics;	/* the client reads OpenMetrics */
};

/* Whether the request is complete, or already known to be refused. */
bool http_request_parse(const char *data, size_t len, struct http_request *ret_request);

/* Append a whole answer. The connection is closed after it. */
void http_answer_add(struct strbuf *answer, int status, const char *type, const struct strbuf *body);

#endif
