/* SPDX-License-Identifier: BSD-2-Clause */
/* POST over HTTP/1.1, plain or with TLS: one deadline for the whole exchange, no redirections. */
#ifndef RETSNOOP_EXPORT_HTTP_CLIENT_H
#define RETSNOOP_EXPORT_HTTP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <time.h>

#include "util/base/strbuf.h"

struct tls;

/* Bytes that are read of an answer; a longer one is cut. */
#define HTTP_REPLY_MAX (64 << 10)

/* Seconds that a server's Retry-After can ask for; a longer time is cut. */
#define HTTP_RETRY_MAX 300

/* The server and the path; strings are owned. */
struct http_url {
	char *host, *port, *path;
	bool tls;		/* https */
};

/* http[s]://HOST[:PORT][/PATH]. 0; -EINVAL no URL, -ENOMEM (not reported). */
int http_url_parse(const char *text, struct http_url *ret_url);
void http_url_add(struct strbuf *text, const struct http_url *url);
void http_url_release(struct http_url *url);

/* An answer's status, and the offset of its body. False: no HTTP answer, or not yet. */
bool http_reply_parse(const char *data, size_t len, int *ret_status, size_t *ret_body);

/* Whether an answer is complete, by its Content-Length or last chunk; false if it has neither. */
bool http_reply_is_whole(const char *data, size_t len);

/* Whether its Content-Type is that of a page for people. */
bool http_reply_is_page(const char *data, size_t len);

/*
 * Seconds that a busy server asks to wait: Retry-After, a number of them or a date. 0: it does not
 * ask, or not in a way that HTTP has.
 *
 * @now	time of day, for dates
 */
uint64_t http_reply_retry_after(const char *data, size_t len, time_t now);

/* What is kept between requests to one server. Begins as zeros. */
struct http_peer {
	struct sockaddr_storage addr;	/* the address that worked last */
	socklen_t len;			/* 0: none */
	char reason[128];		/* why its host name was not found */
};

struct http_post {
	const struct http_url *url;
	struct http_peer *peer;
	struct tls *tls;	/* for https */
	const char *headers;	/* besides those needed; each ends with CR LF; may be empty */
	const char *type;
	const struct strbuf *body;
	/* CLOCK_MONOTONIC; called again while waiting. */
	uint64_t (*deadline)(void *arg);
	void *arg;
};

/**
 * Send, and read the answer.
 *
 * @ret_reply	empty; the answer is appended
 * @return	0 there is an answer; -errno it could not be sent, or there was no answer (not
 *		reported); http_error() has the words
 */
int http_send(const struct http_post *post, struct strbuf *ret_reply);

/* Why http_send() returned @err. Borrowed until the next call. */
const char *http_error(const struct http_post *post, int err);

#endif
