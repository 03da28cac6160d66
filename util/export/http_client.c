// SPDX-License-Identifier: BSD-2-Clause
/* A small HTTP client. */
#include "util/export/http_client.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/macros.h"

/* The deadline may change during a wait: check it this often. */
#define SLICE_MS 100

void http_url_release(struct http_url *url)
{
	free(url->host);
	free(url->port);
	free(url->path);
	*url = (struct http_url){};
}

/* Whether text has no character that would end a line of the request, or change its meaning. */
static bool is_plain(const char *text)
{
	for (; *text; text++) {
		if (*text <= ' ' || *text > '~')
			return false;
	}
	return true;
}

int http_url_parse(const char *text, struct http_url *ret_url)
{
	static const char scheme[] = "http://";
	const char *host = text + sizeof(scheme) - 1, *end, *port;
	struct http_url url = {};

	if (!strncasecmp(text, "https://", 8))
		return -EPROTONOSUPPORT;
	if (strncasecmp(text, scheme, sizeof(scheme) - 1) || !is_plain(text) || strchr(text, '@'))
		return -EINVAL;
	end = host + strcspn(host, "/?#");
	if (*end && *end != '/')
		return -EINVAL;
	port = *host == '[' ? memchr(host, ']', end - host) : host;
	port = port ? memchr(port, ':', end - port) : NULL;
	if (*host == '[' && (port ?: end)[-1] != ']')
		return -EINVAL;
	if ((port ?: end) == host || (port && (port + 1 == end ||
	     strspn(port + 1, "0123456789") != (size_t)(end - port - 1))))
		return -EINVAL;
	url.host = *host == '[' ? strf("%.*s", (int)((port ?: end) - host - 2), host + 1) :
				  strf("%.*s", (int)((port ?: end) - host), host);
	url.port = port ? strf("%.*s", (int)(end - port - 1), port + 1) : strdup("80");
	url.path = strdup(*end ? end : "/");
	if (!url.host || !url.port || !url.path) {
		http_url_release(&url);
		return -ENOMEM;
	}
	*ret_url = url;
	return 0;
}

/* The body, after the empty line; NULL: not there yet. */
static const char *find_body(const char *data, size_t len)
{
	const char *end = memmem(data, len, "\r\n\r\n", 4);

	return end ? end + 4 : NULL;
}

bool http_reply_parse(const char *data, size_t len, int *ret_status, size_t *ret_body)
{
	const char *body = find_body(data, len);

	if (!body || len < 13 || (memcmp(data, "HTTP/1.1 ", 9) && memcmp(data, "HTTP/1.0 ", 9)))
		return false;
	for (int i = 9; i < 12; i++) {
		if (data[i] < '0' || data[i] > '9')
			return false;
	}
	if (data[12] != ' ' && data[12] != '\r')
		return false;
	*ret_status = (data[9] - '0') * 100 + (data[10] - '0') * 10 + data[11] - '0';
	*ret_body = body - data;
	return true;
}

bool http_reply_is_whole(const char *data, size_t len)
{
	static const char name[] = "\r\ncontent-length:";
	const char *body = find_body(data, len);
	size_t wanted = 0;

	if (!body)
		return false;
	for (const char *at = data; at + sizeof(name) < body; at++) {
		if (strncasecmp(at, name, sizeof(name) - 1))
			continue;
		at += sizeof(name) - 1;
		at += strspn(at, " \t");
		for (; *at >= '0' && *at <= '9' && wanted < HTTP_REPLY_MAX; at++)
			wanted = wanted * 10 + *at - '0';
		return len - (body - data) >= wanted;
	}
	/* The answer ends when the server closes the connection, as the request asked. */
	return false;
}

/* Wait until the descriptor is ready. 0; -ETIMEDOUT; -errno */
static int wait_for(const struct http_post *post, int fd, short events)
{
	struct pollfd pfd = { .fd = fd, .events = events };

	for (;;) {
		int n = poll(&pfd, 1, SLICE_MS);

		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (now_ns() >= post->deadline(post->arg))
			return -ETIMEDOUT;
	}
}

static int connect_to(const struct http_post *post, const struct addrinfo *info, int *ret_fd)
{
	_cleanup_(close_fd) int fd = socket(info->ai_family,
					    info->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	socklen_t len = sizeof(int);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (connect(fd, info->ai_addr, info->ai_addrlen)) {
		if (errno != EINPROGRESS)
			return -errno;
		err = wait_for(post, fd, POLLOUT);
		if (err)
			return err;
		if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len))
			return -errno;
		if (err)
			return -err;
	}
	*ret_fd = take_fd(fd);
	return 0;
}

static int connect_any(const struct http_post *post, int *ret_fd)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	const char *host = post->url->host;
	struct addrinfo *infos;
	int err = -EHOSTUNREACH;

	/*
	 * Without a host name, getaddrinfo() returns the loopback addresses, even without
	 * /etc/hosts.
	 */
	if (!strcasecmp(host, "localhost"))
		host = NULL;
	if (getaddrinfo(host, post->url->port, &hints, &infos))
		return -EHOSTUNREACH;
	for (const struct addrinfo *info = infos; info && err; info = info->ai_next)
		err = connect_to(post, info, ret_fd);
	freeaddrinfo(infos);
	return err;
}

static int send_all(const struct http_post *post, int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = send(fd, data, len, MSG_NOSIGNAL);
		int err;

		if (n > 0) {
			data += n;
			len -= n;
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return -errno;
		err = wait_for(post, fd, POLLOUT);
		if (err)
			return err;
	}
	return 0;
}

static int read_reply(const struct http_post *post, int fd, struct strbuf *reply)
{
	char part[4096];

	while (reply->len < HTTP_REPLY_MAX && !http_reply_is_whole(strbuf_str(reply), reply->len)) {
		ssize_t n = recv(fd, part, sizeof(part), 0);
		int err = 0;

		if (!n)
			break;
		if (n > 0)
			strbuf_add(reply, part, n);
		else if (errno == EAGAIN)
			err = wait_for(post, fd, POLLIN);
		else if (errno != EINTR)
			err = -errno;
		/* A server that sends single bytes does not extend the deadline. */
		if (!err && now_ns() >= post->deadline(post->arg))
			err = -ETIMEDOUT;
		if (err)
			return err;
	}
	return reply->failed ? -ENOMEM : reply->len ? 0 : -ECONNRESET;
}

int http_send(const struct http_post *post, struct strbuf *ret_reply)
{
	const struct http_url *url = post->url;
	_cleanup_(strbuf_release) struct strbuf head = STRBUF_INIT;
	_cleanup_(close_fd) int fd = -1;
	bool six = strchr(url->host, ':');
	int err;

	strbuf_addf(&head, "POST %s HTTP/1.1\r\nHost: %s%s%s:%s\r\n", url->path, six ? "[" : "",
		    url->host, six ? "]" : "", url->port);
	strbuf_addf(&head, "User-Agent: retsnoop/" RETSNOOP_VERSION "\r\nContent-Type: %s\r\n"
		    "Content-Length: %zu\r\nConnection: close\r\n%s\r\n", post->type, post->body->len,
		    post->headers);
	if (head.failed || post->body->failed)
		return -ENOMEM;
	err = connect_any(post, &fd);
	err = err ?: send_all(post, fd, head.s, head.len);
	err = err ?: send_all(post, fd, strbuf_str(post->body), post->body->len);
	return err ?: read_reply(post, fd, ret_reply);
}
