/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Metrics over HTTP, by a thread of its own. A client that sends slowly, or does not read the
 * answer, only blocks one of a few connections, for seconds.
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

/* PORT (on 127.0.0.1), or ADDRESS:PORT. 0; -EINVAL (not reported). */
int http_address_parse(const char *text, struct http_address *ret_address);

/* Whether only this machine can reach the address. */
bool http_address_is_local(const struct http_address *address);

/*
 * Listen at the address; port 0: at a free port, which is put into the address. 0; -errno
 * (reported).
 */
int http_server_new(struct http_address *address, struct metrics *metrics,
		    struct http_server **ret_server);

/* Start answering. 0; -errno (reported). */
int http_server_start(struct http_server *server);
void http_server_free(struct http_server *server);

#endif
