// SPDX-License-Identifier: BSD-2-Clause
/* A small HTTP client. */
#include "util/export/http_client.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/macros.h"
#include "util/export/tls.h"

/* The deadline may change during a wait: check it this often. */
#define SLICE_MS 100

/* Time for connecting to one of several addresses of a host; the last one has the rest of the time. */
#define CONNECT_NS (2 * NSEC_PER_SEC)

/* No error of a socket: the host's addresses are not known, for the peer's reason. */
#define UNKNOWN_HOST (-ENODATA)

/* A connection; the functions of TLS say what they wait for. */
struct stream {
	int fd;
	struct tls_connection *tls;	/* NULL: plain */
};

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

/* In a URL, the interface of a link-local address comes after an encoded '%' (RFC 6874). */
static void decode_zone(char *host)
{
	char *zone = strstr(host, "%25");

	if (zone && zone[3])
		memmove(zone + 1, zone + 3, strlen(zone + 3) + 1);
}

int http_url_parse(const char *text, struct http_url *ret_url)
{
	struct http_url url = { .tls = !strncasecmp(text, "https://", 8) };
	const char *host = text + (url.tls ? 8 : 7), *end, *port;

	if ((!url.tls && strncasecmp(text, "http://", 7)) || !is_plain(text))
		return -EINVAL;
	end = host + strcspn(host, "/?#");
	/* Servers get no fragment. */
	if ((*end && *end != '/') || strchr(end, '#') || memchr(host, '@', end - host))
		return -EINVAL;
	port = *host == '[' ? memchr(host, ']', end - host) : host;
	port = port ? memchr(port, ':', end - port) : NULL;
	if (*host == '[' && (port ?: end)[-1] != ']')
		return -EINVAL;
	if ((port ?: end) == host || (port && (port + 1 == end ||
	     strspn(port + 1, "0123456789") != (size_t)(end - port - 1) ||
	     end - port > 6 || !strtoul(port + 1, NULL, 10) || strtoul(port + 1, NULL, 10) > UINT16_MAX)))
		return -EINVAL;
	url.host = *host == '[' ? strf("%.*s", (int)((port ?: end) - host - 2), host + 1) :
				  strf("%.*s", (int)((port ?: end) - host), host);
	url.port = port ? strf("%.*s", (int)(end - port - 1), port + 1) : strdup(url.tls ? "443" : "80");
	url.path = strdup(*end ? end : "/");
	if (!url.host || !url.port || !url.path) {
		http_url_release(&url);
		return -ENOMEM;
	}
	if (*host == '[')
		decode_zone(url.host);
	*ret_url = url;
	return 0;
}

void http_url_add(struct strbuf *text, const struct http_url *url)
{
	bool six = strchr(url->host, ':');

	strbuf_addf(text, "%s://%s%s%s:%s%s", url->tls ? "https" : "http", six ? "[" : "", url->host,
		    six ? "]" : "", url->port, url->path);
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

/*
 * The value of a header, which ends with CR. NULL: there is none.
 *
 * @name	with the line end before it and the colon after it, in lower case
 */
static const char *find_header(const char *data, const char *body, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = data; body && at + len + 1 < body; at++) {
		if (!strncasecmp(at, name, len))
			return at + len + strspn(at + len, " \t");
	}
	return NULL;
}

/* Digits; too large a number becomes some number above @max. */
static uint64_t number_at(const char **at, uint64_t max)
{
	uint64_t number = 0;

	for (; **at >= '0' && **at <= '9'; ++*at) {
		if (number <= max)
			number = number * 10 + **at - '0';
	}
	return number;
}

/* Whether it is the text, in any case. @value: followed by CR */
static bool begins_with(const char *value, const char *text)
{
	return value && !strncasecmp(value, text, strlen(text));
}

static bool ends_in(const char *data, size_t len, const char *end)
{
	return len >= strlen(end) && !memcmp(data + len - strlen(end), end, strlen(end));
}

bool http_reply_is_whole(const char *data, size_t len)
{
	const char *body, *value;
	size_t at, left;
	int status;

	if (!http_reply_parse(data, len, &status, &at))
		return false;
	body = data + at;
	left = len - at;
	if (status == 204)
		return true;
	/* After the last chunk come trailers or, mostly, none. */
	if (begins_with(find_header(data, body, "\r\ntransfer-encoding:"), "chunked\r"))
		return ends_in(body, left, "\r\n0\r\n\r\n") || (left == 5 && ends_in(body, left, "0\r\n\r\n"));
	value = find_header(data, body, "\r\ncontent-length:");
	/* Otherwise it ends when the server closes the connection, as the request asked. */
	return value && left >= number_at(&value, HTTP_REPLY_MAX);
}

bool http_reply_is_page(const char *data, size_t len)
{
	return begins_with(find_header(data, find_body(data, len), "\r\ncontent-type:"), "text/html");
}

/* The three forms that RFC 9110 has for dates. */
static bool parse_date(const char *text, time_t *ret_time)
{
	static const char *const forms[] = { "%a, %d %b %Y %T GMT", "%A, %d-%b-%y %T GMT",
					     "%a %b %e %T %Y" };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct tm tm = {};
		const char *end = strptime(text, forms[i], &tm);

		if (end && !*end) {
			*ret_time = timegm(&tm);
			return true;
		}
	}
	return false;
}

uint64_t http_reply_retry_after(const char *data, size_t len, time_t now)
{
	const char *body = find_body(data, len), *end;
	const char *value = find_header(data, body, "\r\nretry-after:");
	uint64_t seconds;
	char text[48];
	time_t then;

	if (!value)
		return 0;
	end = value;
	seconds = number_at(&end, HTTP_RETRY_MAX);
	len = strcspn(value, "\r");
	while (len && (value[len - 1] == ' ' || value[len - 1] == '\t'))
		len--;
	if (end > value && end == value + len)
		return seconds < HTTP_RETRY_MAX ? seconds : HTTP_RETRY_MAX;
	if (len >= sizeof(text))
		return 0;
	memcpy(text, value, len);
	text[len] = '\0';
	if (!parse_date(text, &then) || then <= now)
		return 0;
	return then - now < HTTP_RETRY_MAX ? then - now : HTTP_RETRY_MAX;
}

/* Wait until the descriptor is ready, at most until @end_ns. 0; -ETIMEDOUT; -errno */
static int wait_until(const struct http_post *post, uint64_t end_ns, int fd, short events)
{
	struct pollfd pfd = { .fd = fd, .events = events };

	/* A server that reads or sends a few bytes at a time does not extend the deadline. */
	for (;;) {
		uint64_t now = now_ns(), left_ms;
		int n;

		if (now >= end_ns || now >= post->deadline(post->arg))
			return -ETIMEDOUT;
		left_ms = (end_ns - now) / NSEC_PER_MSEC + 1;
		n = poll(&pfd, 1, left_ms < SLICE_MS ? left_ms : SLICE_MS);
		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
	}
}

static int wait_for(const struct http_post *post, int fd, short events)
{
	return wait_until(post, UINT64_MAX, fd, events);
}

static int connect_to(const struct http_post *post, const struct addrinfo *info, uint64_t end_ns,
		      int *ret_fd)
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
		err = wait_until(post, end_ns, fd, POLLOUT);
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

/* The end of connecting with @left addresses left: a silent one leaves time for the others. */
static uint64_t connect_end(const struct http_post *post, int left)
{
	uint64_t now = now_ns(), end = post->deadline(post->arg), share;

	if (left < 2 || end <= now)
		return end;
	share = (end - now) / left;
	return now + (share < CONNECT_NS ? share : CONNECT_NS);
}

static bool is_last_good(const struct http_peer *peer, const struct addrinfo *info)
{
	return peer->len == info->ai_addrlen && !memcmp(&peer->addr, info->ai_addr, peer->len);
}

static int lookup_failed(struct http_peer *peer, int error, int saved_errno)
{
	const char *why = error == EAI_SYSTEM ? strerror(saved_errno) : gai_strerror(error);

	if (error == EAI_NONAME || error == EAI_NODATA)
		snprintf(peer->reason, sizeof(peer->reason), "its host name has no address");
	else
		snprintf(peer->reason, sizeof(peer->reason),
			 "its host name cannot be looked up: %s", why);
	return UNKNOWN_HOST;
}

static int connect_any(const struct http_post *post, int *ret_fd)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	const char *host = post->url->host;
	struct http_peer *peer = post->peer;
	struct addrinfo *infos;
	int err, left = 0;

	/*
	 * Without a host name, getaddrinfo() returns the loopback addresses, even without
	 * /etc/hosts.
	 */
	if (!strcasecmp(host, "localhost"))
		host = NULL;
	err = getaddrinfo(host, post->url->port, &hints, &infos);
	if (err)
		return lookup_failed(peer, err, errno);
	err = -EHOSTUNREACH;
	for (const struct addrinfo *info = infos; info; info = info->ai_next)
		left++;
	/* First the address that worked the last time: a silent one costs its share of each request. */
	for (int pass = 0; pass < 2; pass++) {
		for (const struct addrinfo *info = infos; info && err; info = info->ai_next) {
			if (is_last_good(peer, info) != (pass == 0))
				continue;
			err = connect_to(post, info, connect_end(post, left--), ret_fd);
			if (err || info->ai_addrlen > sizeof(peer->addr))
				continue;
			memcpy(&peer->addr, info->ai_addr, info->ai_addrlen);
			peer->len = info->ai_addrlen;
		}
	}
	freeaddrinfo(infos);
	return err;
}

/* Bytes; -EAGAIN: wait for *ret_events; -errno */
static ssize_t stream_write(const struct stream *stream, const char *data, size_t len,
			    short *ret_events)
{
	ssize_t n;

	if (stream->tls)
		return tls_write(stream->tls, data, len, ret_events);
	*ret_events = POLLOUT;
	n = send(stream->fd, data, len, MSG_NOSIGNAL);
	return n < 0 ? -errno : n;
}

/* The same; 0 the peer ended. */
static ssize_t stream_read(const struct stream *stream, char *data, size_t len, short *ret_events)
{
	ssize_t n;

	if (stream->tls)
		return tls_read(stream->tls, data, len, ret_events);
	*ret_events = POLLIN;
	n = recv(stream->fd, data, len, 0);
	return n < 0 ? -errno : n;
}

static int send_all(const struct http_post *post, const struct stream *stream, const char *data,
		    size_t len)
{
	while (len) {
		short events = POLLOUT;
		ssize_t n = stream_write(stream, data, len, &events);
		int err = 0;

		if (n > 0) {
			data += n;
			len -= n;
		} else if (n == -EAGAIN) {
			err = wait_for(post, stream->fd, events);
		} else if (n != -EINTR) {
			err = n;
		}
		if (err)
			return err;
	}
	return 0;
}

/* Interim answers (1xx, but not 101) come before the answer, and may come unasked. */
static void drop_interim(struct strbuf *reply)
{
	size_t body;
	int status;

	while (http_reply_parse(strbuf_str(reply), reply->len, &status, &body) &&
	       status / 100 == 1 && status != 101) {
		reply->len -= body;
		memmove(reply->s, reply->s + body, reply->len + 1);
	}
}

static int read_reply(const struct http_post *post, const struct stream *stream,
		      struct strbuf *reply)
{
	char part[4096];

	while (reply->len < HTTP_REPLY_MAX && !http_reply_is_whole(strbuf_str(reply), reply->len)) {
		short events = POLLIN;
		ssize_t n = stream_read(stream, part, sizeof(part), &events);
		int err = 0;

		if (!n)
			break;
		if (n > 0) {
			strbuf_add(reply, part, n);
			drop_interim(reply);
		} else if (n == -EAGAIN) {
			err = wait_for(post, stream->fd, events);
		} else if (n != -EINTR) {
			err = n;
		}
		/* The status is known. If the rest is missing, sending again would make duplicates. */
		if (err && find_body(strbuf_str(reply), reply->len))
			break;
		if (err)
			return err;
	}
	return reply->failed ? -ENOMEM : reply->len ? 0 : -ECONNRESET;
}

static int exchange(const struct http_post *post, const struct stream *stream,
		    const struct strbuf *head, struct strbuf *reply)
{
	int err = send_all(post, stream, head->s, head->len);

	err = err ?: send_all(post, stream, strbuf_str(post->body), post->body->len);
	if (err != -EPIPE && err != -ECONNRESET)
		return err ?: read_reply(post, stream, reply);
	/* A server that refuses may answer and close the connection before it has read everything. */
	if (!read_reply(post, stream, reply) && find_body(strbuf_str(reply), reply->len))
		return 0;
	return err;
}

static int begin_tls(const struct http_post *post, struct stream *stream)
{
	short events = POLLIN;
	int err = tls_open(post->tls, stream->fd, post->url->host, &stream->tls);

	while (!err && (err = tls_handshake(stream->tls, &events)) == -EAGAIN)
		err = wait_for(post, stream->fd, events);
	return err;
}

int http_send(const struct http_post *post, struct strbuf *ret_reply)
{
	const struct http_url *url = post->url;
	_cleanup_(strbuf_release) struct strbuf head = STRBUF_INIT;
	struct stream stream = { .fd = -1 };
	bool six = strchr(url->host, ':');
	int err;

	/* An interface means nothing to the server. */
	strbuf_addf(&head, "POST %s HTTP/1.1\r\nHost: %s%.*s%s:%s\r\n", url->path, six ? "[" : "",
		    (int)strcspn(url->host, six ? "%" : ""), url->host, six ? "]" : "", url->port);
	strbuf_addf(&head, "User-Agent: retsnoop/" RETSNOOP_VERSION "\r\nContent-Type: %s\r\n"
		    "Content-Length: %zu\r\nConnection: close\r\n%s\r\n", post->type, post->body->len,
		    post->headers);
	if (head.failed || post->body->failed)
		return -ENOMEM;
	err = connect_any(post, &stream.fd);
	if (!err && url->tls)
		err = begin_tls(post, &stream);
	err = err ?: exchange(post, &stream, &head, ret_reply);
	tls_close(stream.tls);
	close_fd(&stream.fd);
	return err;
}

const char *http_error(const struct http_post *post, int err)
{
	if (err == UNKNOWN_HOST)
		return post->peer->reason;
	return err == -EPROTO && post->tls ? tls_reason(post->tls) : strerror(-err);
}
