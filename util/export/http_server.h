/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Metrics over HTTP, by a thread of its own: who asks slowly, or does not read the answer, holds up
 * nothing but one of few connections, and for seconds only.
 */
#ifndef RETSNOOP_EXPORT_HTTP_SERVER_H
#define RETSNOOP_EXPORT_HTTP_SERVER_H

#include <stdbool.h>
#include <sys/socket.h>

struct http_server;
struct metrics;

struct http_address {
	struct sockaddr_storage addr;
	socklen_t len;
	char text[80];		/* "127.0.0.1:9435", "[::1]:9435" */
};

/* PORT, of 127.0.0.1, or ADDRESS:PORT. 0; -EINVAL (not reported). */
int http_address_parse(const char *text, struct http_address *ret_address);

/* Whether only this machine reaches it. */
bool http_address_is_local(const struct http_address *address);

/* Listen there; with port 0, on one that is free. The address becomes the real one. 0; -errno (reported). */
int http_server_new(struct http_address *address, struct metrics *metrics,
		    struct http_server **ret_server);

/* Begin to answer. 0; -errno (reported). */
int http_server_start(struct http_server *server);
void http_server_free(struct http_server *server);

#endif
