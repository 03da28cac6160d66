// SPDX-License-Identifier: BSD-2-Clause
/* A small HTTP server: one request per connection. */
#include "util/export/http_server.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/report.h"
#include "util/export/http_request.h"
#include "util/export/metrics.h"

/* Connections open at once. Above that, a new one takes the place of one that has not asked yet. */
#define MAX_CONNECTIONS 16

/* Time from accepting a connection to the last byte of the answer. */
#define CONNECTION_NS (10 * NSEC_PER_SEC)

/* If no connection can be accepted for lack of descriptors or memory, try again after this time. */
#define PAUSE_NS (NSEC_PER_SEC / 4)

#define TEXT_TYPE "text/plain; version=0.0.4; charset=utf-8"
#define OPENMETRICS_TYPE "application/openmetrics-text; version=1.0.0; charset=utf-8"

struct connection {
	int fd;			/* -1: free */
	uint64_t deadline_ns;
	char request[HTTP_REQUEST_MAX];
	size_t len;
	struct strbuf answer;	/* empty: the request is being read */
	size_t sent;
};

struct http_server {
	struct metrics *metrics;	/* borrowed */
	int fd;
	int stop_fd;
	bool started;
	pthread_t thread;
	uint64_t paused_until_ns;
	struct connection connections[MAX_CONNECTIONS];
};

static bool parse_port(const char *text, uint16_t *ret_port)
{
	unsigned long port;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	port = strtoul(text, &end, 10);
	if (*end || end - text > 5 || port > UINT16_MAX)
		return false;
	*ret_port = port;
	return true;
}

/* Write the address as text; the port may be one that the kernel chose. */
static void address_print(struct http_address *address)
{
	const struct sockaddr_in6 *six = (const void *)&address->addr;
	const struct sockaddr_in *four = (const void *)&address->addr;
	bool is_six = address->addr.ss_family == AF_INET6;
	char host[INET6_ADDRSTRLEN] = "";

	inet_ntop(address->addr.ss_family,
		  is_six ? (const void *)&six->sin6_addr : (const void *)&four->sin_addr, host,
		  sizeof(host));
	snprintf(address->text, sizeof(address->text), is_six ? "[%s]:%u" : "%s:%u", host,
		 ntohs(is_six ? six->sin6_port : four->sin_port));
}

int http_address_parse(const char *text, struct http_address *ret_address)
{
	struct http_address address = {};
	struct sockaddr_in6 *six = (void *)&address.addr;
	struct sockaddr_in *four = (void *)&address.addr;
	const char *colon = strrchr(text, ':');
	size_t len = colon ? colon - text : 0;
	char host[INET6_ADDRSTRLEN + 2] = "127.0.0.1";
	uint16_t port;

	if (!parse_port(colon ? colon + 1 : text, &port) || (colon && (!len || len >= sizeof(host))))
		return -EINVAL;
	if (colon) {
		memcpy(host, text, len);
		host[len] = '\0';
	}
	if (!strcmp(host, "localhost"))
		strcpy(host, "127.0.0.1");
	if (*host == '[' && host[len - 1] == ']') {
		host[len - 1] = '\0';
		six->sin6_family = AF_INET6;
		six->sin6_port = htons(port);
		address.len = sizeof(*six);
		if (inet_pton(AF_INET6, host + 1, &six->sin6_addr) != 1)
			return -EINVAL;
	} else {
		four->sin_family = AF_INET;
		four->sin_port = htons(port);
		address.len = sizeof(*four);
		if (inet_pton(AF_INET, host, &four->sin_addr) != 1)
			return -EINVAL;
	}
	address_print(&address);
	*ret_address = address;
	return 0;
}

bool http_address_is_local(const struct http_address *address)
{
	const struct sockaddr_in6 *six = (const void *)&address->addr;
	const struct sockaddr_in *four = (const void *)&address->addr;

	if (address->addr.ss_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
	return ntohl(four->sin_addr.s_addr) >> IN_CLASSA_NSHIFT == IN_LOOPBACKNET;
}

int http_server_new(struct http_address *address, struct metrics *metrics,
		    struct http_server **ret_server)
{
	struct http_server *server = calloc(1, sizeof(*server));
	int one = 1, zero = 0;

	if (!server)
		return report_oom();
	server->metrics = metrics;
	for (int i = 0; i < MAX_CONNECTIONS; i++)
		server->connections[i].fd = -1;
	server->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	server->fd = socket(address->addr.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	/* With SO_REUSEADDR, a server that has just ended does not keep the port. */
	if (server->stop_fd < 0 || server->fd < 0 ||
	    setsockopt(server->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    /* "[::]" is all addresses, those of IPv4 as well, whatever net.ipv6.bindv6only says. */
	    (address->addr.ss_family == AF_INET6 &&
	     setsockopt(server->fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof(zero))) ||
	    bind(server->fd, (const struct sockaddr *)&address->addr, address->len) ||
	    listen(server->fd, MAX_CONNECTIONS) ||
	    getsockname(server->fd, (struct sockaddr *)&address->addr, &address->len)) {
		int err = -errno;

		http_server_free(server);
		return report(err, "cannot listen on %s: %s", address->text, strerror(-err));
	}
	address_print(address);
	*ret_server = server;
	return 0;
}

static void close_connection(struct connection *connection)
{
	close(connection->fd);
	strbuf_release(&connection->answer);
	connection->fd = -1;
}

/* A free one; else the oldest one that is still sending its request. NULL: all are answered. */
static struct connection *find_place(struct http_server *server)
{
	struct connection *oldest = NULL;

	for (int i = 0; i < MAX_CONNECTIONS; i++) {
		struct connection *connection = &server->connections[i];

		if (connection->fd < 0)
			return connection;
		if (!connection->answer.len &&
		    (!oldest || connection->deadline_ns < oldest->deadline_ns))
			oldest = connection;
	}
	return oldest;
}

static void accept_connection(struct http_server *server, uint64_t now)
{
	struct connection *connection = find_place(server);
	int fd;

	/* The last one that was silent has asked since poll(). */
	if (!connection)
		return;
	fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (fd < 0) {
		if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
			server->paused_until_ns = now + PAUSE_NS;
		return;
	}
	/* Clients that connect and stay silent must not stop scrapes. */
	if (connection->fd >= 0)
		close_connection(connection);
	connection->fd = fd;
	connection->deadline_ns = now + CONNECTION_NS;
	connection->len = connection->sent = 0;
}

static void make_answer(struct http_server *server, struct connection *connection,
			const struct http_request *request)
{
	enum metrics_format format = request->openmetrics ? METRICS_OPENMETRICS : METRICS_TEXT;
	_cleanup_(strbuf_release) struct strbuf body = STRBUF_INIT;
	const char *type = "text/plain; charset=utf-8";

	if (request->status == 200) {
		type = request->openmetrics ? OPENMETRICS_TYPE : TEXT_TYPE;
		metrics_print(server->metrics, format, &body);
	} else {
		strbuf_addf(&body, "only GET /metrics is answered\n");
	}
	http_answer_add(&connection->answer, request->status, type, &body);
	connection->answer.failed |= body.failed;
}

static void read_request(struct http_server *server, struct connection *connection)
{
	struct http_request request;
	ssize_t n = recv(connection->fd, connection->request + connection->len,
			 HTTP_REQUEST_MAX - connection->len, 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		close_connection(connection);
		return;
	}
	connection->len += n;
	if (!http_request_parse(connection->request, connection->len, &request))
		return;
	make_answer(server, connection, &request);
	/* Send nothing rather than a part of the metrics, which would be wrong. */
	if (connection->answer.failed)
		close_connection(connection);
}

static void write_answer(struct connection *connection)
{
	ssize_t n = send(connection->fd, connection->answer.s + connection->sent,
			 connection->answer.len - connection->sent, MSG_NOSIGNAL);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		connection->sent += n;
	if (n <= 0 || connection->sent == connection->answer.len)
		close_connection(connection);
}

static void serve_connection(struct http_server *server, struct connection *connection,
			     short events, uint64_t now)
{
	if (events && connection->answer.len)
		write_answer(connection);
	else if (events)
		read_request(server, connection);
	if (connection->fd >= 0 && connection->deadline_ns <= now)
		close_connection(connection);
}

/* Milliseconds until a connection's time is over, or accepting is tried again; -1 never. */
static int wait_ms(const struct http_server *server, uint64_t now)
{
	uint64_t next = server->paused_until_ns > now ? server->paused_until_ns : UINT64_MAX;

	for (int i = 0; i < MAX_CONNECTIONS; i++) {
		const struct connection *connection = &server->connections[i];

		if (connection->fd >= 0 && connection->deadline_ns < next)
			next = connection->deadline_ns;
	}
	if (next == UINT64_MAX)
		return -1;
	return next > now ? (int)((next - now) / NSEC_PER_MSEC) + 1 : 0;
}

static void *serve(void *arg)
{
	struct http_server *server = arg;
	struct pollfd fds[2 + MAX_CONNECTIONS];

	for (;;) {
		uint64_t now = now_ns();
		bool takes = server->paused_until_ns <= now && find_place(server);

		fds[0] = (struct pollfd){ .fd = server->stop_fd, .events = POLLIN };
		fds[1] = (struct pollfd){ .fd = takes ? server->fd : -1, .events = POLLIN };
		for (int i = 0; i < MAX_CONNECTIONS; i++) {
			const struct connection *connection = &server->connections[i];

			fds[2 + i] = (struct pollfd){
				.fd = connection->fd,
				.events = connection->answer.len ? POLLOUT : POLLIN,
			};
		}
		if (poll(fds, 2 + MAX_CONNECTIONS, wait_ms(server, now)) < 0 && errno != EINTR)
			return NULL;
		if (fds[0].revents)
			return NULL;
		now = now_ns();
		for (int i = 0; i < MAX_CONNECTIONS; i++) {
			if (fds[2 + i].fd >= 0)
				serve_connection(server, &server->connections[i], fds[2 + i].revents, now);
		}
		if (fds[1].revents)
			accept_connection(server, now);
	}
}

int http_server_start(struct http_server *server)
{
	int err = -pthread_create(&server->thread, NULL, serve, server);

	if (err)
		return report(err, "cannot start a thread that serves metrics: %s", strerror(-err));
	server->started = true;
	return 0;
}

void http_server_free(struct http_server *server)
{
	uint64_t one = 1;

	if (!server)
		return;
	if (server->started && write(server->stop_fd, &one, sizeof(one)) == sizeof(one))
		pthread_join(server->thread, NULL);
	for (int i = 0; i < MAX_CONNECTIONS; i++) {
		if (server->connections[i].fd >= 0)
			close_connection(&server->connections[i]);
	}
	close_fd(&server->fd);
	close_fd(&server->stop_fd);
	free(server);
}
