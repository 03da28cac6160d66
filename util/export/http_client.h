/* SPDX-License-Identifier: BSD-2-Clause */
/* Posting over plain HTTP/1.1, with a deadline for all of it; no TLS, no redirections. */
#ifndef RETSNOOP_EXPORT_HTTP_CLIENT_H
#define RETSNOOP_EXPORT_HTTP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"

/* What is read of an answer; a longer one is cut. */
#define HTTP_REPLY_MAX (64 << 10)

/* Where to; strings are owned. */
struct http_url {
	char *host, *port, *path;
};

/* http://HOST[:PORT][/PATH]. 0; -EPROTONOSUPPORT another scheme, -EINVAL no URL, -ENOMEM (not reported). */
int http_url_parse(const char *text, struct http_url *ret_url);
void http_url_release(struct http_url *url);

/* An answer's status, and where its body begins. False: this is no answer of HTTP, or not one yet. */
bool http_reply_parse(const char *data, size_t len, int *ret_status, size_t *ret_body);

/* Whether an answer is whole, so far as it says how long it is. */
bool http_reply_is_whole(const char *data, size_t len);

struct http_post {
	const struct http_url *url;
	const char *headers;	/* besides those needed; each ends with CR LF; may be empty */
	const char *type;
	const struct strbuf *body;
	/* CLOCK_MONOTONIC; is asked again while waiting. */
	uint64_t (*deadline)(void *arg);
	void *arg;
};

/**
 * Send, and read the answer.
 *
 * @ret_reply	empty; gets what came
 * @return	0 something was answered; -errno it could not be sent, or nothing came (not reported)
 */
int http_send(const struct http_post *post, struct strbuf *ret_reply);

#endif
