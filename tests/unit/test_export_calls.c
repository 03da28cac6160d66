// SPDX-License-Identifier: BSD-2-Clause
/*
 * Single failed calls handed on: to a receiver of OTLP that takes them, is gone, slow or answers
 * nonsense, and to the journal. tests/golden/export/request.json is a request; UPDATE_GOLDEN=1 in the
 * environment writes it.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "golden.h"
#include "unit.h"

#include "util/base/clock.h"
#include "util/export/failed_call.h"
#include "util/export/journal.h"
#include "util/export/metrics.h"
#include "util/export/otlp.h"
#include "util/export/otlp_config.h"
#include "util/export/otlp_json.h"
#include "util/export/outbox.h"
#include "util/trace/session/session.h"
#include "util/view/session/view.h"

/* What a receiver does. */
struct peer {
	int fd;
	unsigned short port;
	const char *answers[8];	/* one for each connection in turn, then the last; NULL: none at all */
	int nr;
	bool endless;		/* the answer is sent again and again */
	bool deaf;		/* reads nothing */
	bool lingers;		/* does not close the connection */
	bool slow;		/* is not waited for long */
	struct strbuf requests;
	pthread_t thread;
};

static void read_request(struct peer *receiver, int fd)
{
	struct strbuf request = STRBUF_INIT;
	size_t wanted = SIZE_MAX;
	char part[65536];
	ssize_t n = 1;

	while (n > 0 && request.len < wanted) {
		const char *body, *len;

		n = read(fd, part, sizeof(part));
		if (n > 0)
			strbuf_add(&request, part, n);
		body = wanted == SIZE_MAX ? strstr(strbuf_str(&request), "\r\n\r\n") : NULL;
		len = body ? strstr(request.s, "Content-Length: ") : NULL;
		if (len)
			wanted = body + 4 - request.s + strtoul(len + 16, NULL, 10);
	}
	strbuf_addstr(&receiver->requests, strbuf_str(&request));
	strbuf_release(&request);
}

static void *receive(void *arg)
{
	struct peer *receiver = arg;
	int fd;

	while ((fd = accept(receiver->fd, NULL, NULL)) >= 0) {
		const char *answer = receiver->answers[receiver->nr];

		if (!receiver->deaf)
			read_request(receiver, fd);
		if (receiver->nr < 7 && receiver->answers[receiver->nr + 1])
			receiver->nr++;
		do {
			if (answer && send(fd, answer, strlen(answer), MSG_NOSIGNAL) < 0)
				break;
		} while (receiver->endless);
		/* Until the client gives up. */
		while ((!answer || receiver->lingers) && read(fd, &(char){ 0 }, 1) > 0)
			;
		close(fd);
	}
	return NULL;
}

static int listen_on(struct peer *receiver)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(addr);

	receiver->fd = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(receiver->fd, (struct sockaddr *)&addr, len) || listen(receiver->fd, 8) ||
	    getsockname(receiver->fd, (struct sockaddr *)&addr, &len))
		return -errno;
	receiver->port = ntohs(addr.sin_port);
	return 0;
}

FIXTURE(calls)
{
	struct peer receiver;
	bool receiving;
	struct otlp_config config;
	struct metrics metrics;
	struct view_origin host;
	struct session session;
	struct failed_call call;
	struct otlp *otlp;
	struct strbuf text;
};

FIXTURE_SETUP(calls)
{
	metrics_init(&self->metrics, 3, "comm");
	self->host = (struct view_origin){ .host = "db-17", .release = "6.12.1" };
	self->session = (struct session){ .pid = 220, .tid = 221, .uid = 1000, .comm = "a\"\n\xff" };
	self->call = (struct failed_call){
		.session = &self->session,
		.entry = "__x64_sys_mkdir",
		.producer = "filename_create",
		.time_ns = 1795394501994090853,
		.duration_ns = 1815351,
		.origin = { .task = true, .cgroup = 7, .path = "/kubepods/x",
			    .owner = { .pod = "0b5f3a2e", .container = "3f5ab1c9" } },
	};
	strbuf_addstr(&self->call.err, "EEXIST");
	strbuf_addstr(&self->call.line, "mkdir/221: __x64_sys_mkdir failed with EEXIST");
	strbuf_addstr(&self->call.stack, "  one\n  two\n");
	ASSERT_EQ(0, listen_on(&self->receiver));
}

FIXTURE_TEARDOWN(calls)
{
	otlp_free(self->otlp);
	if (self->receiver.fd >= 0) {
		shutdown(self->receiver.fd, SHUT_RDWR);
		if (self->receiving)
			pthread_join(self->receiver.thread, NULL);
		close(self->receiver.fd);
	}
	strbuf_release(&self->receiver.requests);
	otlp_config_release(&self->config);
	metrics_release(&self->metrics);
	failed_call_release(&self->call);
	strbuf_release(&self->text);
}

/* The environment of otlp_config_read(). */
static const char *environment[16];

static char *get(const char *name)
{
	for (int i = 0; i < 16 && environment[i]; i++) {
		size_t len = strlen(name);

		if (!strncmp(environment[i], name, len) && environment[i][len] == '=')
			return (char *)environment[i] + len + 1;
	}
	return NULL;
}

#define ENVIRONMENT(...)                                                                           \
	({                                                                                         \
		const char *const these[] = { __VA_ARGS__ };                                       \
		memset(environment, 0, sizeof(environment));                                       \
		memcpy(environment, these, sizeof(these));                                         \
	})

#define START(self, ...)                                                                           \
	({                                                                                         \
		char url_[64];                                                                     \
		const char *const answers_[] = { __VA_ARGS__ };                                    \
		memcpy((self)->receiver.answers, answers_, sizeof(answers_));                      \
		snprintf(url_, sizeof(url_), "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:%u",   \
			 (self)->receiver.port);                                                   \
		ENVIRONMENT(url_, (self)->receiver.slow ? "OTEL_EXPORTER_OTLP_TIMEOUT=300" :       \
							  "OTEL_EXPORTER_OTLP_TIMEOUT=60000");     \
		ASSERT_EQ(0, otlp_config_read(get, &(self)->config));                              \
		ASSERT_EQ(0, pthread_create(&(self)->receiver.thread, NULL, receive,               \
					    &(self)->receiver));                                   \
		(self)->receiving = true;                                                          \
		ASSERT_EQ(0, otlp_new(&(self)->config, &(self)->metrics, &(self)->host,            \
				      &(self)->otlp));                                             \
	})

static uint64_t delivered(struct metrics *metrics, enum delivery delivery)
{
	uint64_t n;

	pthread_mutex_lock(&metrics->lock);
	n = metrics->deliveries[RECEIVER_OTLP][delivery];
	pthread_mutex_unlock(&metrics->lock);
	return n;
}

static uint64_t all(struct metrics *metrics)
{
	uint64_t n = 0;

	for (int i = 0; i < NR_DELIVERIES; i++)
		n += delivered(metrics, i);
	return n;
}

/* Until so many records came to an end; then expectations tell. */
static void wait_for(FIXTURE_DATA(calls) *self, uint64_t records)
{
	for (int i = 0; i < 6000 && all(&self->metrics) < records; i++)
		usleep(10000);
}

TEST(an_outbox_has_a_bound_and_keeps_the_order)
{
	struct outbox outbox;
	struct outbox_record *records;
	int put = 0;
	char text[100];

	outbox_init(&outbox, 10000);
	memset(text, 'x', 99);
	for (text[99] = 0; put < 1000; put++) {
		text[0] = 'a' + put % 26;
		if (!outbox_put(&outbox, "g", text))
			break;
	}
	EXPECT_LT(40, put);
	EXPECT_GT(100, put);
	records = outbox_take(&outbox, 3, 1 << 20);
	ASSERT_EQ(3, outbox_records(records));
	EXPECT_EQ('a', records->text[0]);
	EXPECT_EQ('c', records->next->next->text[0]);
	outbox_records_free(records);
	/* By size; but one in any case. */
	records = outbox_take(&outbox, 100, 1);
	ASSERT_EQ(1, outbox_records(records));
	EXPECT_EQ('d', records->text[0]);
	outbox_records_free(records);
	EXPECT_TRUE(outbox_put(&outbox, "g", "last"));
	outbox_close(&outbox);
	EXPECT_FALSE(outbox_put(&outbox, "g", "too late"));
	records = outbox_take(&outbox, 1000, 1 << 20);
	EXPECT_EQ(put - 3, outbox_records(records));
	outbox_records_free(records);
	EXPECT_EQ(NULL, outbox_take(&outbox, 1000, 1 << 20));
	EXPECT_EQ(0, outbox.bytes);
	outbox_pause(&outbox, 100000 * NSEC_PER_SEC);
	outbox_release(&outbox);
}

TEST_F(calls, the_environment_says_where_records_go)
{
	ENVIRONMENT("OTEL_EXPORTER_OTLP_ENDPOINT=");
	ASSERT_EQ(0, otlp_config_read(get, &self->config));
	EXPECT_STREQ("localhost", self->config.url.host);
	EXPECT_STREQ("4318", self->config.url.port);
	EXPECT_STREQ("/v1/logs", self->config.url.path);
	EXPECT_EQ(10 * NSEC_PER_SEC, self->config.timeout_ns);
	otlp_config_release(&self->config);

	ENVIRONMENT("OTEL_EXPORTER_OTLP_ENDPOINT=http://c:1/base/", "OTEL_SERVICE_NAME=fleet",
		    "OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20x%2Cy, a = b ",
		    "OTEL_EXPORTER_OTLP_LOGS_TIMEOUT=500", "OTEL_EXPORTER_OTLP_TIMEOUT=900",
		    "OTEL_EXPORTER_OTLP_PROTOCOL=http/json",
		    "OTEL_RESOURCE_ATTRIBUTES=service.name=other,deployment.environment=test%3D1");
	ASSERT_EQ(0, otlp_config_read(get, &self->config));
	EXPECT_STREQ("/base/v1/logs", self->config.url.path);
	EXPECT_STREQ("authorization: Bearer x,y\r\na: b\r\n", strbuf_str(&self->config.headers));
	EXPECT_EQ(500 * NSEC_PER_MSEC, self->config.timeout_ns);
	ASSERT_EQ(2, self->config.resource.len);
	EXPECT_STREQ("fleet", self->config.resource.data[0].value);
	EXPECT_STREQ("test=1", self->config.resource.data[1].value);
	otlp_config_release(&self->config);

	/* An empty value is none. */
	ENVIRONMENT("OTEL_EXPORTER_OTLP_ENDPOINT=http://c:1", "OTEL_RESOURCE_ATTRIBUTES=service.name=,host.name=");
	ASSERT_EQ(0, otlp_config_read(get, &self->config));
	EXPECT_STREQ("/v1/logs", self->config.url.path);
	ASSERT_EQ(1, self->config.resource.len);
	EXPECT_STREQ("service.name", self->config.resource.data[0].key);
	EXPECT_STREQ("retsnoop", self->config.resource.data[0].value);
	otlp_config_release(&self->config);

	ENVIRONMENT("OTEL_EXPORTER_OTLP_ENDPOINT=http://c:1", "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=http://d/x?y");
	ASSERT_EQ(0, otlp_config_read(get, &self->config));
	EXPECT_STREQ("d", self->config.url.host);
	EXPECT_STREQ("/x?y", self->config.url.path);
	EXPECT_FALSE(self->config.gzip);
	otlp_config_release(&self->config);

	/* What is for logs wins; none of it is merged. */
	ENVIRONMENT("OTEL_EXPORTER_OTLP_HEADERS=a=b", "OTEL_EXPORTER_OTLP_LOGS_HEADERS=c=%20d%25",
		    "OTEL_EXPORTER_OTLP_PROTOCOL=grpc", "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL=http/json",
		    "OTEL_EXPORTER_OTLP_COMPRESSION=none", "OTEL_EXPORTER_OTLP_LOGS_COMPRESSION=gzip");
	ASSERT_EQ(0, otlp_config_read(get, &self->config));
	EXPECT_STREQ("c:  d%\r\nContent-Encoding: gzip\r\n", strbuf_str(&self->config.headers));
	EXPECT_TRUE(self->config.gzip);
}

TEST_F(calls, what_the_environment_must_not_say_is_refused)
{
	static const char *const bad[][2] = {
		{ "OTEL_EXPORTER_OTLP_ENDPOINT=c:1", "is not a URL like" },
		{ "OTEL_EXPORTER_OTLP_PROTOCOL=grpc", "export sends http/json, not grpc" },
		{ "OTEL_EXPORTER_OTLP_TIMEOUT=0", "is not a number of milliseconds" },
		{ "OTEL_EXPORTER_OTLP_TIMEOUT=10s", "is not a number of milliseconds" },
		{ "OTEL_EXPORTER_OTLP_HEADERS=a", "is not KEY=VALUE" },
		{ "OTEL_EXPORTER_OTLP_HEADERS=a=%2", "is not KEY=VALUE" },
		{ "OTEL_EXPORTER_OTLP_HEADERS=a=b%00c", "is not KEY=VALUE" },
		{ "OTEL_EXPORTER_OTLP_HEADERS=a=b%0D%0Ac: d", "OTLP_HEADERS: 'a' cannot be a header" },
		{ "OTEL_EXPORTER_OTLP_LOGS_HEADERS=a=b%0D", "OTLP_LOGS_HEADERS: 'a' cannot be a header" },
		{ "OTEL_EXPORTER_OTLP_COMPRESSION=zstd", "OTLP_COMPRESSION: 'zstd' is not gzip or none" },
		{ "OTEL_EXPORTER_OTLP_ENDPOINT=http://c:70000", "is not a URL like" },
		{ "OTEL_EXPORTER_OTLP_ENDPOINT=http://", "ENDPOINT: 'http://' is not a URL like" },
		{ "OTEL_EXPORTER_OTLP_ENDPOINT=http://c/x?y", "'http://c/x?y' has a query; give the whole" },
		{ "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=http://c/x#y", "LOGS_ENDPOINT: 'http://c/x#y' is not a URL" },
		{ "OTEL_RESOURCE_ATTRIBUTES==x", "is not KEY=VALUE" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		char *said;
		int err = 0;

		ENVIRONMENT(bad[i][0]);
		said = stderr_of(err = otlp_config_read(get, &self->config));
		EXPECT_EQ(-EINVAL, err);
		EXPECT_NE(NULL, strstr(said, bad[i][1]))
		{
			TH_LOG("%s", said);
		}
		free(said);
	}
}

TEST_F(calls, a_request_groups_records_of_one_resource)
{
	const struct trace_ids span = { { htobe64(0x4bf92f3577b34da6), htobe64(0xa3ce929d0e0e4736) },
					htobe64(0x00f067aa0ba902b7) };
	struct outbox outbox;
	struct outbox_record *records;

	/* The call's own pod is sent, not the configured one; the configured host is sent, not ours. */
	ENVIRONMENT("OTEL_SERVICE_NAME=fleet",
		    "OTEL_RESOURCE_ATTRIBUTES=host.name=node-7,k8s.pod.uid=9c1d,k8s.pod.name=retsnoop");
	ASSERT_EQ(0, otlp_config_read(get, &self->config));
	outbox_init(&outbox, 1 << 20);
	for (int i = 0; i < 3; i++) {
		struct strbuf resource = STRBUF_INIT, record = STRBUF_INIT;

		/* One was on a span. */
		self->session.trace = i == 1 ? span : (struct trace_ids){};
		/* The last one is of an interrupt: of nobody. */
		if (i == 2)
			self->call.origin = (struct origin){};
		otlp_resource_add(&resource, &self->config, &self->host, &self->call);
		otlp_record_add(&record, &self->call, 1795394501994090999);
		EXPECT_TRUE(outbox_put(&outbox, resource.s, record.s));
		strbuf_release(&resource);
		strbuf_release(&record);
	}
	records = outbox_take(&outbox, 10, 1 << 20);
	otlp_request_add(&self->text, records);
	strbuf_addch(&self->text, '\n');
	golden(_metadata, "export/request.json", self->text.s);
	outbox_records_free(records);
	outbox_release(&outbox);
}

static enum otlp_answer answer_of(const char *reply, uint64_t *ret_rejected)
{
	return otlp_answer_parse(reply, strlen(reply), ret_rejected);
}

TEST(answers_say_what_became_of_the_records)
{
	uint64_t n;

	EXPECT_EQ(OTLP_TAKEN, answer_of("HTTP/1.1 200 OK\r\n\r\n{}", &n));
	EXPECT_EQ(0, n);
	EXPECT_EQ(OTLP_TAKEN, answer_of("HTTP/1.0 204 \r\n\r\n", &n));
	EXPECT_EQ(OTLP_TAKEN, answer_of("HTTP/1.1 200 OK\r\n\r\n{\"partialSuccess\":"
					"{\"rejectedLogRecords\": \"12\"}}", &n));
	EXPECT_EQ(12, n);
	EXPECT_EQ(OTLP_TAKEN, answer_of("HTTP/1.1 200 OK\r\n\r\n{\"rejectedLogRecords\":3}", &n));
	EXPECT_EQ(3, n);
	EXPECT_EQ(OTLP_TAKEN, answer_of("HTTP/1.1 200 OK\r\n\r\n{\"rejectedLogRecords\"", &n));
	EXPECT_EQ(0, n);
	EXPECT_EQ(OTLP_LATER, answer_of("HTTP/1.1 503 Busy\r\n\r\n", &n));
	EXPECT_EQ(OTLP_LATER, answer_of("HTTP/1.1 429 Slow\r\n\r\n", &n));
	EXPECT_EQ(OTLP_REFUSED, answer_of("HTTP/1.1 400 No\r\n\r\n", &n));
	EXPECT_EQ(OTLP_REFUSED, answer_of("HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\n\r\n<", &n));
	EXPECT_EQ(OTLP_TAKEN, answer_of("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nok", &n));
	EXPECT_EQ(OTLP_REFUSED, answer_of("HTTP/1.1 301 There\r\nLocation: x\r\n\r\n", &n));
	EXPECT_EQ(OTLP_REFUSED, answer_of("HTTP/1.1 2x0 OK\r\n\r\n", &n));
	EXPECT_EQ(OTLP_REFUSED, answer_of("HTTP/1.1 200 OK\r\n", &n));
	EXPECT_EQ(OTLP_REFUSED, answer_of("SSH-2.0-OpenSSH\r\n\r\n", &n));
	EXPECT_EQ(OTLP_REFUSED, answer_of("", &n));
}

TEST_F(calls, records_are_sent_once_and_counted)
{
	const char *at;
	int records = 0;

	START(self, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
	for (int i = 0; i < 1000; i++)
		otlp_send(self->otlp, &self->call, 1);
	wait_for(self, 1000);
	otlp_end(self->otlp);
	EXPECT_EQ(1000, delivered(&self->metrics, DELIVERY_DONE));
	EXPECT_EQ(1000, all(&self->metrics));
	for (at = self->receiver.requests.s; (at = strstr(at, "\"timeUnixNano\"")); at++)
		records++;
	EXPECT_EQ(1000, records);
	EXPECT_EQ(self->receiver.requests.s,
		  strstr(self->receiver.requests.s, "POST /v1/logs HTTP/1.1\r\nHost: 127.0.0.1:"));
	EXPECT_NE(NULL, strstr(self->receiver.requests.s, "\r\nContent-Type: application/json\r\n"));
}

TEST_F(calls, a_receiver_that_is_busy_gets_them_again)
{
	START(self, "HTTP/1.1 503 Busy\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n");
	otlp_send(self->otlp, &self->call, 1);
	wait_for(self, 1);
	EXPECT_EQ(1, delivered(&self->metrics, DELIVERY_DONE));
	EXPECT_EQ(1, all(&self->metrics));
}

TEST_F(calls, a_busy_receiver_says_when_to_come_again)
{
	uint64_t begin_ns = now_ns();

	START(self, "HTTP/1.1 503 Busy\r\nRetry-After: 2\r\n\r\n",
	      "HTTP/1.1 429 Slow\r\nRetry-After: 100\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n");
	otlp_send(self->otlp, &self->call, 1);
	while (__atomic_load_n(&self->receiver.nr, __ATOMIC_RELAXED) < 2 &&
	       now_ns() - begin_ns < 60 * NSEC_PER_SEC)
		usleep(10000);
	EXPECT_LE(2 * NSEC_PER_SEC, now_ns() - begin_ns);
	/* It now waits for much longer than by itself; the end of the run is not delayed. */
	usleep(2500000);
	EXPECT_EQ(0, all(&self->metrics));
	begin_ns = now_ns();
	otlp_end(self->otlp);
	EXPECT_GT(20 * NSEC_PER_SEC, now_ns() - begin_ns);
	EXPECT_EQ(1, delivered(&self->metrics, DELIVERY_DONE));
	EXPECT_EQ(1, all(&self->metrics));
}

TEST_F(calls, records_that_are_refused_are_counted)
{
	START(self, "HTTP/1.1 200 OK\r\n\r\n{\"partialSuccess\":{\"rejectedLogRecords\":\"1\"}}",
	      "HTTP/1.1 400 Bad\r\n\r\n");
	otlp_send(self->otlp, &self->call, 1);
	wait_for(self, 1);
	EXPECT_EQ(1, delivered(&self->metrics, DELIVERY_REFUSED));
	otlp_send(self->otlp, &self->call, 1);
	wait_for(self, 2);
	EXPECT_EQ(2, delivered(&self->metrics, DELIVERY_REFUSED));
	EXPECT_EQ(2, all(&self->metrics));
}

TEST_F(calls, a_receiver_that_is_gone_costs_nothing_but_the_records)
{
	START(self, NULL);
	shutdown(self->receiver.fd, SHUT_RDWR);
	pthread_join(self->receiver.thread, NULL);
	close(self->receiver.fd);
	self->receiver.fd = -1;
	for (int i = 0; i < 10; i++)
		otlp_send(self->otlp, &self->call, 1);
	otlp_end(self->otlp);
	EXPECT_EQ(10, delivered(&self->metrics, DELIVERY_UNREACHABLE));
	EXPECT_EQ(10, all(&self->metrics));
}

TEST_F(calls, a_receiver_that_never_answers_is_given_up)
{
	self->receiver.slow = true;
	START(self, NULL);
	for (int i = 0; i < 10; i++)
		otlp_send(self->otlp, &self->call, 1);
	otlp_end(self->otlp);
	EXPECT_EQ(10, delivered(&self->metrics, DELIVERY_UNREACHABLE));
	EXPECT_EQ(10, all(&self->metrics));
}

TEST_F(calls, an_answer_counts_though_the_receiver_does_not_close)
{
	self->receiver.slow = self->receiver.lingers = true;
	START(self, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n");
	otlp_send(self->otlp, &self->call, 1);
	wait_for(self, 1);
	EXPECT_EQ(1, delivered(&self->metrics, DELIVERY_DONE));
	EXPECT_EQ(1, all(&self->metrics));
}

TEST_F(calls, an_answer_without_end_is_cut)
{
	self->receiver.endless = true;
	START(self, "HTTP/1.1 200 OK\r\nX: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy");
	for (int i = 0; i < 10; i++)
		otlp_send(self->otlp, &self->call, 1);
	otlp_end(self->otlp);
	/* No empty line among 64 KiB: this is no answer. On a slow machine time runs out before. */
	EXPECT_EQ(10, delivered(&self->metrics, DELIVERY_REFUSED) +
			      delivered(&self->metrics, DELIVERY_UNREACHABLE));
	EXPECT_EQ(10, all(&self->metrics));
}

TEST_F(calls, who_sends_calls_never_waits_and_what_has_no_room_is_counted)
{
	char *stack = malloc(100001);

	memset(stack, 'x', 100000);
	stack[100000] = '\0';
	strbuf_addstr(&self->call.stack, stack);
	free(stack);
	self->receiver.deaf = self->receiver.slow = true;
	START(self, NULL);
	/* 40 MB, of which 16 are kept. */
	for (int i = 0; i < 400; i++)
		otlp_send(self->otlp, &self->call, 1);
	EXPECT_LT(100, delivered(&self->metrics, DELIVERY_NO_ROOM));
	otlp_end(self->otlp);
	EXPECT_EQ(400, all(&self->metrics));
	EXPECT_EQ(0, delivered(&self->metrics, DELIVERY_DONE));
}

TEST_F(calls, the_journal_gets_fields)
{
	static const char line[] = "MESSAGE=mkdir/221: __x64_sys_mkdir failed with EEXIST\n";
	static const char stack[] = "RETSNOOP_STACK\n\x0c\0\0\0\0\0\0\0  one\n  two\n\nRETSNOOP_COMM\n"
				    "\x04\0\0\0\0\0\0\0a\"\n\xff\n";
	static const char span[] = "\nRETSNOOP_TRACE_ID=00000000000000010000000000000000\n"
				   "RETSNOOP_SPAN_ID=0000000000000002\n";

	journal_entry_add(&self->text, &self->call);
	EXPECT_EQ(NULL, memmem(self->text.s, self->text.len, "TRACE_ID", 8));
	strbuf_reset(&self->text);
	self->session.trace = (struct trace_ids){ { htobe64(1), 0 }, htobe64(2) };
	journal_entry_add(&self->text, &self->call);
	EXPECT_NE(NULL, memmem(self->text.s, self->text.len, span, sizeof(span) - 1));
	EXPECT_EQ(self->text.s, strstr(self->text.s, line));
	EXPECT_NE(NULL, strstr(self->text.s, "\nERRNO=17\nRETSNOOP_ENTRY=__x64_sys_mkdir\n"));
	EXPECT_NE(NULL, memmem(self->text.s, self->text.len, stack, sizeof(stack) - 1));
	EXPECT_NE(NULL, memmem(self->text.s, self->text.len, "\nOBJECT_PID=220\n", 16));
	EXPECT_NE(NULL, memmem(self->text.s, self->text.len, "\nRETSNOOP_POD=0b5f3a2e\n", 23));
	EXPECT_EQ('\n', self->text.s[self->text.len - 1]);
}

TEST_F(calls, a_journal_that_is_full_or_gone_costs_only_the_entry)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	uint64_t *counts = self->metrics.deliveries[RECEIVER_JOURNAL];
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0), sent = 0;
	struct journal *journal;
	char entry[65536], *said;
	int err = 0;

	snprintf(addr.sun_path, sizeof(addr.sun_path), "/tmp/retsnoop-journal.%d", getpid());
	said = stderr_of(err = journal_new(addr.sun_path, &self->metrics, &journal));
	EXPECT_EQ(-ENOENT, err);
	EXPECT_NE(NULL, strstr(said, "does systemd-journald run?"));
	free(said);
	ASSERT_EQ(0, bind(fd, (struct sockaddr *)&addr, sizeof(addr)));
	ASSERT_EQ(0, journal_new(addr.sun_path, &self->metrics, &journal));
	for (; sent < 100000 && !counts[DELIVERY_NO_ROOM]; sent++)
		journal_send(journal, &self->call);
	EXPECT_EQ(1, counts[DELIVERY_NO_ROOM]);
	EXPECT_EQ(sent - 1, counts[DELIVERY_DONE]);
	/* Full, it is not waited for again: that would take minutes. */
	for (int i = 0; i < 1000; i++)
		journal_send(journal, &self->call);
	EXPECT_EQ(1001, counts[DELIVERY_NO_ROOM]);
	EXPECT_LT(0, read(fd, entry, sizeof(entry)));
	EXPECT_EQ(0, strncmp(entry, "MESSAGE=mkdir", 13));
	journal_send(journal, &self->call);
	EXPECT_EQ(sent, counts[DELIVERY_DONE]);
	close(fd);
	unlink(addr.sun_path);
	journal_send(journal, &self->call);
	EXPECT_EQ(1, counts[DELIVERY_UNREACHABLE]);
	journal_free(journal);
}

TEST_HARNESS_MAIN
