// SPDX-License-Identifier: BSD-2-Clause
/* HTTP as a client: URLs, the headers of answers, and servers that send or read a byte at a time. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "unit.h"

#include "util/base/clock.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/export/http_client.h"

TEST(urls_are_those_of_http_and_https)
{
	static const struct {
		const char *url, *host, *port, *path, *whole;
		bool tls;
	} good[] = {
		{ "http://localhost:4318/v1/logs", "localhost", "4318", "/v1/logs",
		  "http://localhost:4318/v1/logs" },
		{ "HTTP://a.b-c", "a.b-c", "80", "/", "http://a.b-c:80/" },
		{ "http://[::1]:4318/x?y", "::1", "4318", "/x?y", "http://[::1]:4318/x?y" },
		{ "http://[fe80::1]/", "fe80::1", "80", "/", "http://[fe80::1]:80/" },
		{ "http://[fe80::1%25eth0]:4318", "fe80::1%eth0", "4318", "/", "http://[fe80::1%eth0]:4318/" },
		{ "https://a", "a", "443", "/", "https://a:443/", true },
		{ "https://a:4318/v1/logs", "a", "4318", "/v1/logs", "https://a:4318/v1/logs", true },
		{ "http://a/x@y", "a", "80", "/x@y", "http://a:80/x@y" },
	};
	static const char *const bad[] = { "", "http://", "http:///x", "http://:80", "localhost:4318",
					   "http://a:", "http://a:b", "http://a b/", "http://u@h/",
					   "http://[::1", "http://[::1]x:2", "http://a\r\nX: y/",
					   "http://a?b", "http://a/#b", "http://a/b?c#", "ftp://a", "https://", "http://a:65536",
					   "http://a:0", "http://a:4294967297" };
	struct strbuf whole = STRBUF_INIT;
	struct http_url url;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		ASSERT_EQ(0, http_url_parse(good[i].url, &url));
		EXPECT_STREQ(good[i].host, url.host);
		EXPECT_STREQ(good[i].port, url.port);
		EXPECT_STREQ(good[i].path, url.path);
		EXPECT_EQ(good[i].tls, url.tls);
		strbuf_reset(&whole);
		http_url_add(&whole, &url);
		EXPECT_STREQ(good[i].whole, strbuf_str(&whole));
		http_url_release(&url);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, http_url_parse(bad[i], &url))
		{
			TH_LOG("%s", bad[i]);
		}
	}
	strbuf_release(&whole);
}

static bool is_whole(const char *reply)
{
	return http_reply_is_whole(reply, strlen(reply));
}

TEST(an_answer_ends_where_it_says)
{
	EXPECT_TRUE(is_whole("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"));
	EXPECT_FALSE(is_whole("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{"));
	EXPECT_FALSE(is_whole("HTTP/1.1 200 OK\r\nX: 2\r\n\r\n{}"));
	EXPECT_TRUE(is_whole("HTTP/1.1 204 No Content\r\nX: 2\r\n\r\n"));
	EXPECT_FALSE(is_whole("HTTP/1.1 204 No Content\r\nX: 2\r\n"));
	EXPECT_TRUE(is_whole("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"));
	EXPECT_TRUE(is_whole("HTTP/1.1 200 OK\r\ntransfer-encoding:Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"));
	EXPECT_FALSE(is_whole("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"));
	/* A chunk of 16 bytes, not the last one; its Content-Length means nothing. */
	EXPECT_FALSE(is_whole("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n10\r\n\r\n"));
	EXPECT_FALSE(is_whole(""));
}

static uint64_t retry_after(const char *header, time_t now)
{
	struct strbuf reply = STRBUF_INIT;
	uint64_t seconds;

	strbuf_addf(&reply, "HTTP/1.1 503 Busy\r\nX: y\r\n%s\r\nZ: 7\r\n\r\nRetry-After: 9\r\n", header);
	seconds = http_reply_retry_after(reply.s, reply.len, now);
	strbuf_release(&reply);
	return seconds;
}

TEST(retry_after_is_seconds_or_a_date)
{
	/* Sun, 06 Nov 1994 08:49:37 GMT */
	const time_t then = 784111777;

	EXPECT_EQ(0, retry_after("Retry: 1", 0));
	EXPECT_EQ(0, retry_after("Retry-After: 0", 0));
	EXPECT_EQ(120, retry_after("Retry-After: 120", 0));
	EXPECT_EQ(17, retry_after("retry-after:17 \t", 0));
	EXPECT_EQ(HTTP_RETRY_MAX, retry_after("Retry-After: 301", 0));
	EXPECT_EQ(HTTP_RETRY_MAX, retry_after("Retry-After: 18446744073709551617", 0));
	EXPECT_EQ(37, retry_after("Retry-After: Sun, 06 Nov 1994 08:49:37 GMT", then - 37));
	EXPECT_EQ(37, retry_after("Retry-After: Sunday, 06-Nov-94 08:49:37 GMT", then - 37));
	EXPECT_EQ(37, retry_after("Retry-After: Sun Nov  6 08:49:37 1994", then - 37));
	EXPECT_EQ(HTTP_RETRY_MAX, retry_after("Retry-After: Sun, 06 Nov 1994 08:49:37 GMT", then - 3700));
	EXPECT_EQ(0, retry_after("Retry-After: Sun, 06 Nov 1994 08:49:37 GMT", then));
	EXPECT_EQ(0, retry_after("Retry-After: Sun, 06 Nov 1994 08:49:37 GMT", then + 9));
	EXPECT_EQ(0, retry_after("Retry-After: ", 0));
	EXPECT_EQ(0, retry_after("Retry-After: -1", 0));
	EXPECT_EQ(0, retry_after("Retry-After: 1.5", 0));
	EXPECT_EQ(0, retry_after("Retry-After: soon", 0));
	EXPECT_EQ(0, retry_after("Retry-After: Sun, 06 Nov 1994 08:49:37 GMT or a minute later, we say", 0));
	/* Without the empty line it is not known whether the value is complete. */
	EXPECT_EQ(0, http_reply_retry_after("HTTP/1.1 503 Busy\r\nRetry-After: 9\r\n", 36, 0));
}

/* The first of the two addresses of each host; port 0: there is only the loopback address. */
static struct sockaddr_in silent;
static int lookup_error, lookup_errno;

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
		struct addrinfo **ret_infos)
{
	struct result {
		struct addrinfo infos[2];
		struct sockaddr_in addrs[2];
	} *result = calloc(1, sizeof(*result));

	(void)node;
	if (lookup_error) {
		free(result);
		errno = lookup_errno;
		return lookup_error;
	}
	result->addrs[0] = silent;
	result->addrs[1] = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(atoi(service)),
						 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	for (int i = 0; i < 2; i++)
		result->infos[i] = (struct addrinfo){ .ai_family = AF_INET, .ai_socktype = hints->ai_socktype,
						      .ai_addr = (struct sockaddr *)&result->addrs[i],
						      .ai_addrlen = sizeof(result->addrs[i]) };
	if (!silent.sin_port)
		result->addrs[0] = result->addrs[1];
	else
		result->infos[0].ai_next = &result->infos[1];
	*ret_infos = result->infos;
	return 0;
}

void freeaddrinfo(struct addrinfo *infos)
{
	free(infos);
}

/* Of all requests of a test; and the server's port, 0 any. */
static struct http_peer peer;
static in_port_t port;

/* A server of one connection that sends, and reads, a byte every 50 ms. */
struct slow {
	int fd;
	const char *answer;	/* repeated without end from its last character on */
	_Atomic bool end;
	pthread_t thread;
};

static void *serve_slowly(void *arg)
{
	struct slow *slow = arg;
	const char *at = slow->answer;
	int fd = accept(slow->fd, NULL, NULL);
	ssize_t n = 1;

	while (n > 0 && !slow->end) {
		char byte;

		n = *at ? send(fd, at, 1, MSG_NOSIGNAL) : recv(fd, &byte, 1, 0);
		if (*at && at[1])
			at++;
		usleep(50000);
	}
	close(fd);
	return NULL;
}

static uint64_t deadline(void *arg)
{
	return *(const uint64_t *)arg;
}

/* A server that answers at the first bytes of a request and closes the connection. */
static void *serve_early(void *arg)
{
	struct slow *server = arg;
	int fd = accept(server->fd, NULL, NULL);
	char part[64];

	if (recv(fd, part, sizeof(part), 0) > 0)
		send(fd, server->answer, strlen(server->answer), MSG_NOSIGNAL);
	close(fd);
	return NULL;
}

/* The error, and the milliseconds until http_send() gave up; the deadline is after @timeout_ms. */
static int send_to(void *(*serve)(void *), uint64_t timeout_ms, const char *answer, size_t body_len,
		   uint64_t *ret_ms, struct strbuf *reply)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct slow slow = { .fd = socket(AF_INET, SOCK_STREAM, 0), .answer = answer };
	struct strbuf body = STRBUF_INIT;
	uint64_t begin_ns, end_ns;
	socklen_t len = sizeof(addr);
	struct http_url url;
	char text[64];
	int err, small = 4096, one = 1;

	addr.sin_port = port;
	setsockopt(slow.fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	/* Few bytes fit: the client cannot send all of a large request at once. */
	setsockopt(slow.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	if (bind(slow.fd, (struct sockaddr *)&addr, len) || listen(slow.fd, 1) ||
	    getsockname(slow.fd, (struct sockaddr *)&addr, &len))
		abort();
	snprintf(text, sizeof(text), "http://127.0.0.1:%u/", ntohs(addr.sin_port));
	for (size_t i = 0; i < body_len; i++)
		strbuf_addch(&body, 'x');
	if (http_url_parse(text, &url) || pthread_create(&slow.thread, NULL, serve, &slow))
		abort();
	begin_ns = now_ns();
	end_ns = begin_ns + timeout_ms * NSEC_PER_MSEC;
	err = http_send(&(struct http_post){ .url = &url, .peer = &peer, .headers = "", .type = "text/plain",
					     .body = &body, .deadline = deadline, .arg = &end_ns }, reply);
	*ret_ms = (now_ns() - begin_ns) / NSEC_PER_MSEC;
	slow.end = true;
	pthread_join(slow.thread, NULL);
	close(slow.fd);
	http_url_release(&url);
	strbuf_release(&body);
	return err;
}

static int send_slowly(const char *answer, size_t body_len, uint64_t *ret_ms, struct strbuf *reply)
{
	return send_to(serve_slowly, 500, answer, body_len, ret_ms, reply);
}

TEST(a_trickle_of_bytes_does_not_extend_the_deadline)
{
	struct strbuf reply = STRBUF_INIT;
	uint64_t ms;

	/* A header that never ends. */
	EXPECT_EQ(-ETIMEDOUT, send_slowly("Hx", 2, &ms, &reply));
	EXPECT_LE(500, ms);
	EXPECT_GT(5000, ms);
	strbuf_reset(&reply);
	/* It reads the request just as slowly. */
	EXPECT_EQ(-ETIMEDOUT, send_slowly("", 16 << 20, &ms, &reply));
	EXPECT_LE(500, ms);
	EXPECT_GT(5000, ms);
	EXPECT_EQ(0, reply.len);
	strbuf_release(&reply);
}

TEST(a_server_that_refuses_may_close_before_it_has_read_everything)
{
	static const char refusal[] = "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n";
	struct strbuf reply = STRBUF_INIT;
	uint64_t ms;

	EXPECT_EQ(0, send_to(serve_early, 60000, refusal, 16 << 20, &ms, &reply));
	EXPECT_STREQ(refusal, strbuf_str(&reply));
	strbuf_reset(&reply);
	/* Without a status, sending failed. */
	EXPECT_GT(0, send_to(serve_early, 60000, "HTTP/1.1 413 Too", 16 << 20, &ms, &reply));
	strbuf_reset(&reply);
	EXPECT_GT(0, send_to(serve_early, 60000, "", 16 << 20, &ms, &reply));
	strbuf_release(&reply);
}

TEST(an_interim_answer_is_not_the_answer)
{
	static const char interim[] = "HTTP/1.1 100 Continue\r\n\r\n"
				      "HTTP/1.1 103 Early Hints\r\nContent-Length: 0\r\n\r\n"
				      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
	static const char switching[] = "HTTP/1.1 101 Switching Protocols\r\n\r\n";
	struct strbuf reply = STRBUF_INIT;
	uint64_t ms;

	EXPECT_EQ(0, send_to(serve_early, 60000, interim, 1, &ms, &reply));
	EXPECT_STREQ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", strbuf_str(&reply));
	/* A byte at a time, with a body that lasts until the deadline. */
	strbuf_reset(&reply);
	EXPECT_EQ(0, send_to(serve_slowly, 5000, "HTTP/1.1 100 \r\n\r\nHTTP/1.1 200 OK\r\n\r\n{}", 1, &ms,
			     &reply));
	EXPECT_EQ(reply.s, strstr(strbuf_str(&reply), "HTTP/1.1 200 OK\r\n\r\n{"));
	/* With nothing after it there is no answer; 101 is one. */
	strbuf_reset(&reply);
	EXPECT_EQ(-ECONNRESET, send_to(serve_early, 60000, "HTTP/1.1 100 Continue\r\n\r\n", 1, &ms, &reply));
	strbuf_reset(&reply);
	EXPECT_EQ(0, send_to(serve_early, 60000, switching, 1, &ms, &reply));
	EXPECT_STREQ(switching, strbuf_str(&reply));
	strbuf_release(&reply);
}

TEST(a_silent_address_leaves_time_for_the_next_one)
{
	static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct strbuf reply = STRBUF_INIT;
	socklen_t len = sizeof(addr);
	uint64_t ms;

	/* The kernel drops what comes to a full queue, as a broken route does. */
	ASSERT_EQ(0, bind(fd, (struct sockaddr *)&addr, len));
	ASSERT_EQ(0, listen(fd, 0));
	ASSERT_EQ(0, getsockname(fd, (struct sockaddr *)&addr, &len));
	for (int i = 0; i < 4; i++) {
		int client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

		if (connect(client, (struct sockaddr *)&addr, len))
			ASSERT_EQ(EINPROGRESS, errno);
	}
	silent = addr;
	/* Half of the time is for each. */
	EXPECT_EQ(0, send_to(serve_early, 3000, answer, 1, &ms, &reply));
	EXPECT_STREQ(answer, strbuf_str(&reply));
	EXPECT_LE(1500, ms);
	EXPECT_GT(3000, ms);
	/* There is time enough, but not all of it is for the first one. */
	strbuf_reset(&reply);
	peer = (struct http_peer){};
	EXPECT_EQ(0, send_to(serve_early, 60000, answer, 1, &ms, &reply));
	EXPECT_LE(2000, ms);
	EXPECT_GT(20000, ms);
	strbuf_release(&reply);
}

TEST(the_address_that_worked_is_the_first_next_time)
{
	static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
	struct sockaddr_in *good = (struct sockaddr_in *)&peer.addr;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct strbuf reply = STRBUF_INIT;
	socklen_t len = sizeof(silent);
	uint64_t ms;

	/* It refuses connections, then it would accept them and never answer. */
	silent = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	ASSERT_EQ(0, bind(fd, (struct sockaddr *)&silent, len));
	ASSERT_EQ(0, getsockname(fd, (struct sockaddr *)&silent, &len));
	EXPECT_EQ(0, send_to(serve_early, 60000, answer, 1, &ms, &reply));
	EXPECT_EQ(sizeof(*good), peer.len);
	EXPECT_NE(silent.sin_port, good->sin_port);
	ASSERT_EQ(0, listen(fd, 1));
	strbuf_reset(&reply);
	port = good->sin_port;
	EXPECT_EQ(0, send_to(serve_early, 60000, answer, 1, &ms, &reply));
	EXPECT_STREQ(answer, strbuf_str(&reply));
	close(fd);
	strbuf_release(&reply);
}

TEST(a_lookup_that_fails_says_why)
{
	static const struct {
		int error, error_number;
		const char *words;
	} rows[] = {
		{ EAI_NONAME, 0, "its host name has no address" },
		{ EAI_NODATA, 0, "its host name has no address" },
		{ EAI_AGAIN, 0, "its host name cannot be looked up: Temporary failure in name resolution" },
		{ EAI_SYSTEM, EMFILE, "its host name cannot be looked up: Too many open files" },
	};
	uint64_t end_ns = now_ns() + 60 * NSEC_PER_SEC;
	struct strbuf body = STRBUF_INIT, reply = STRBUF_INIT;
	struct http_url url;
	struct http_post post = { .url = &url, .peer = &peer, .headers = "", .type = "text/plain",
				  .body = &body, .deadline = deadline, .arg = &end_ns };

	ASSERT_EQ(0, http_url_parse("http://receiver.example/", &url));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int err;

		lookup_error = rows[i].error;
		lookup_errno = rows[i].error_number;
		err = http_send(&post, &reply);
		EXPECT_GT(0, err);
		EXPECT_STREQ(rows[i].words, http_error(&post, err));
	}
	http_url_release(&url);
}

TEST_HARNESS_MAIN
