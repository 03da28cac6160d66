// SPDX-License-Identifier: BSD-2-Clause
/*
 * Metrics of failing calls: the table of label sets, the two forms of text, the file, and the
 * server. Texts are tests/golden/export/NAME; UPDATE_GOLDEN=1 in the environment writes them.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "golden.h"
#include "unit.h"

#include "util/export/exporter.h"
#include "util/export/http_request.h"
#include "util/export/http_server.h"
#include "util/export/metrics.h"
#include "util/export/metrics_file.h"
#include "util/plan/plan.h"
#include "util/trace/session/session.h"
#include "util/trace/summary/summary.h"
#include "util/view/session/view.h"

static void count(struct metrics *metrics, const char *comm, uint64_t failures)
{
	struct strbuf labels = STRBUF_INIT;

	label_add(&labels, "entry", "__x64_sys_bpf");
	label_add(&labels, "errno", "EINVAL");
	label_add(&labels, "producer", "map_create");
	label_add(&labels, "comm", comm);
	metrics_count(metrics, &labels, failures);
	strbuf_release(&labels);
}

static struct ledger sample_ledger(void)
{
	return (struct ledger){ .stats.no_room = 3, .asked = 4, .attached = 3, .refused = 1 };
}

FIXTURE(export)
{
	struct metrics metrics;
	struct strbuf text;
	char dir[64], path[128];
	struct metrics_file file;
	struct http_server *server;
	struct http_address address;
};

FIXTURE_SETUP(export)
{
	struct ledger ledger = sample_ledger();

	metrics_init(&self->metrics, 3, "comm");
	self->metrics.release = "6.12.1-\"x\"";
	self->metrics.start_ns = 1795393235367000000;
	metrics_set_losses(&self->metrics, &ledger);
	strcpy(self->dir, "/tmp/retsnoop-export.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->dir));
	snprintf(self->path, sizeof(self->path), "%s/x.prom", self->dir);
}

FIXTURE_TEARDOWN(export)
{
	char command[96];

	http_server_free(self->server);
	metrics_release(&self->metrics);
	strbuf_release(&self->text);
	metrics_file_release(&self->file);
	snprintf(command, sizeof(command), "rm -rf %s", self->dir);
	EXPECT_EQ(0, system(command));
}

/* A sample's value. */
static long value_of(const char *text, const char *sample)
{
	const char *at = strstr(text, sample);

	return at ? atol(at + strlen(sample)) : -1;
}

TEST(label_values_are_escaped_and_always_utf8)
{
	struct strbuf labels = STRBUF_INIT;

	label_add(&labels, "a", "plain");
	label_add(&labels, "b", "q\"b\\n\nt\t\xc3\xa9");
	label_add(&labels, "c", "\xff\xc3(");
	label_add(&labels, "d", NULL);
	EXPECT_STREQ("a=\"plain\",b=\"q\\\"b\\\\n\\nt\t\xc3\xa9\",c=\"\uFFFD\uFFFD(\",d=\"\"",
		     strbuf_str(&labels));
	strbuf_release(&labels);
}

TEST_F(export, label_sets_without_room_are_counted_together)
{
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 50; i++) {
			char comm[16];

			snprintf(comm, sizeof(comm), "p%d", i);
			count(&self->metrics, comm, 2);
		}
	}
	EXPECT_EQ(3, self->metrics.failures.rows.len);
	vec_foreach(row, &self->metrics.failures.rows)
		EXPECT_EQ(6, row->count);
	EXPECT_EQ(47 * 6, self->metrics.failures.others);
	metrics_print(&self->metrics, METRICS_TEXT, &self->text);
	EXPECT_EQ(47 * 6, value_of(self->text.s, "producer=\"other\",comm=\"other\"} "));
	EXPECT_EQ(3, value_of(self->text.s, "\nretsnoop_label_sets "));
}

TEST(a_failure_inside_an_entry_that_cannot_fail_counts_in_the_kernel_as_in_sessions)
{
	struct plan_func funcs[] = {
		{ .name = "process_one_work", .entry = true, .returns = RETURN_VOID },
		{ .name = "inner", .returns = RETURN_INT32 },
	};
	struct plan plan = { .funcs = { .data = funcs, .len = 2, .cap = 2 }, .nr_entries = 1 };
	const struct view_origin origin = { .release = "6" };
	const struct view_context context = { .explain.plan = &plan, .origin = &origin };
	struct event_frame frames[] = { { .func = 0 }, { 1, EVENT_FRAME_FAILED, 1, (uint64_t)-EINVAL } };
	struct session session = { .frames = frames, .nr_frames = 2, .failed = true };
	struct summary_line line = { .func = 0, .err = SUMMARY_SUCCESS, .producer = 2, .row.count = 1 };
	struct summary summary = { .lines = { .data = &line, .len = 1, .cap = 1 }, .calls = 1 };
	static const char sample[] = "{entry=\"process_one_work\",errno=\"ok\",producer=\"inner\"} ";
	struct strbuf text = STRBUF_INIT;
	struct exporter exporter;

	exporter_init(&exporter, EXPORT_BY_NOTHING, 10, &context);
	exporter_summary(&exporter, &summary);
	metrics_print(&exporter.metrics, METRICS_TEXT, &text);
	EXPECT_EQ(1, value_of(text.s, sample));
	ASSERT_EQ(0, exporter_session(&exporter, &session));
	strbuf_reset(&text);
	metrics_print(&exporter.metrics, METRICS_TEXT, &text);
	EXPECT_EQ(2, value_of(text.s, sample));
	exporter_release(&exporter);
	strbuf_release(&text);
}

TEST_F(export, losses_never_decrease)
{
	struct ledger less = {};

	metrics_set_losses(&self->metrics, &less);
	metrics_print(&self->metrics, METRICS_TEXT, &self->text);
	EXPECT_EQ(3, value_of(self->text.s, "retsnoop_lost_total{kind=\"sessions_lost_no_room\"} "));
	/* The kernel's own misses are known at the end only. */
	EXPECT_EQ(NULL, strstr(self->text.s, "hits_skipped_by_kernel"));
	less.kernel_counts = true;
	metrics_set_losses(&self->metrics, &less);
	strbuf_reset(&self->text);
	metrics_print(&self->metrics, METRICS_TEXT, &self->text);
	EXPECT_EQ(0, value_of(self->text.s, "retsnoop_lost_total{kind=\"hits_skipped_by_kernel\"} "));
}

TEST_F(export, losses_of_the_run_before_count_on)
{
	struct ledger ledger = { .stats.no_room = 2 };

	EXPECT_EQ(NULL, strstr(strbuf_str(&self->text), "retsnoop_reloads"));
	metrics_reload(&self->metrics, false);
	metrics_set_losses(&self->metrics, &ledger);
	metrics_print(&self->metrics, METRICS_TEXT, &self->text);
	EXPECT_EQ(3, value_of(self->text.s, "retsnoop_lost_total{kind=\"sessions_lost_no_room\"} "));
	EXPECT_EQ(0, value_of(self->text.s, "retsnoop_reloads_total{result=\"done\"} "));
	EXPECT_EQ(1, value_of(self->text.s, "retsnoop_reloads_total{result=\"failed\"} "));
	metrics_reload(&self->metrics, true);
	metrics_set_losses(&self->metrics, &ledger);
	strbuf_reset(&self->text);
	metrics_print(&self->metrics, METRICS_TEXT, &self->text);
	EXPECT_EQ(5, value_of(self->text.s, "retsnoop_lost_total{kind=\"sessions_lost_no_room\"} "));
	EXPECT_EQ(1, value_of(self->text.s, "retsnoop_reloads_total{result=\"done\"} "));
}

TEST_F(export, failures_without_room_in_the_kernel_are_counted_with_the_others)
{
	struct ledger ledger = { .stats.summary_lost = 7 };

	self->metrics.failures.others = 4;
	metrics_set_losses(&self->metrics, &ledger);
	metrics_reload(&self->metrics, true);
	ledger.stats.summary_lost = 2;
	metrics_set_losses(&self->metrics, &ledger);
	metrics_print(&self->metrics, METRICS_TEXT, &self->text);
	EXPECT_EQ(4 + 7 + 2, value_of(self->text.s, "producer=\"other\",comm=\"other\"} "));
	EXPECT_EQ(0, value_of(self->text.s, "retsnoop_lost_total{kind=\"calls_not_summarized\"} "));
}

static void fill(struct metrics *metrics)
{
	count(metrics, "simfail", 12);
	count(metrics, "a \"b\"\\\n", 1);
	metrics->writes_file = true;
	metrics->receivers[RECEIVER_OTLP] = true;
	metrics_deliver(metrics, RECEIVER_OTLP, DELIVERY_DONE, 7);
	metrics_deliver(metrics, RECEIVER_OTLP, DELIVERY_NO_ROOM, 5);
}

TEST_F(export, metrics_are_printed_in_both_forms)
{
	fill(&self->metrics);
	metrics_print(&self->metrics, METRICS_TEXT, &self->text);
	golden(_metadata, "export/metrics.prom", self->text.s);
	strbuf_reset(&self->text);
	metrics_print(&self->metrics, METRICS_OPENMETRICS, &self->text);
	golden(_metadata, "export/metrics.openmetrics", self->text.s);
}

/*
 * The rules of OpenMetrics 1.0 that matter here: each sample belongs to the family before it, whose
 * HELP and TYPE come first and once; a counter's sample ends in _total and its family does not; no
 * label set comes twice; the last line is "# EOF".
 */
static const char *breaks_openmetrics(char *text)
{
	char family[128] = "", *seen[256] = {}, *line, *save;
	bool counter = false, ended = false;
	int nr_seen = 0;

	if (!*text || text[strlen(text) - 1] != '\n')
		return "no newline at the end";
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char name[128], type[16];
		size_t len;

		if (ended)
			return "a line after # EOF";
		if (!strcmp(line, "# EOF")) {
			ended = true;
		} else if (sscanf(line, "# HELP %127s", name) == 1) {
			for (int i = 0; i < nr_seen; i++) {
				if (!strcmp(seen[i], line))
					return "a family twice";
			}
			seen[nr_seen++] = line;
			strcpy(family, name);
			/* They would have to be escaped, but not in the other format. */
			if (strpbrk(line, "\"\\"))
				return "a quote or backslash in a HELP";
			if (endswith(family, "_total"))
				return "a family that ends in _total";
		} else if (sscanf(line, "# TYPE %127s %15s", name, type) == 2) {
			if (strcmp(family, name))
				return "TYPE of another family";
			counter = !strcmp(type, "counter");
			if (!counter && strcmp(type, "gauge"))
				return "an unknown type";
		} else {
			if (*line == '#')
				return "an unknown comment";
			len = strcspn(line, "{ ");
			if (strncmp(line, family, strlen(family)) ||
			    strncmp(line + strlen(family), counter ? "_total" : "",
				    len - strlen(family)) ||
			    len != strlen(family) + (counter ? 6 : 0))
				return line;
			if (!isdigit((unsigned char)strrchr(line, ' ')[1]))
				return "a value that is no number";
			for (int i = 0; i < nr_seen; i++) {
				size_t key = strrchr(line, ' ') - line;

				if (!strncmp(seen[i], line, key) && seen[i][key] == ' ')
					return "a sample twice";
			}
			seen[nr_seen++] = line;
		}
	}
	return ended ? NULL : "no # EOF";
}

TEST_F(export, openmetrics_keeps_its_rules)
{
	fill(&self->metrics);
	metrics_print(&self->metrics, METRICS_OPENMETRICS, &self->text);
	EXPECT_EQ(NULL, breaks_openmetrics(self->text.s));
	strbuf_reset(&self->text);
	metrics_print(&self->metrics, METRICS_TEXT, &self->text);
	EXPECT_STREQ("a family that ends in _total", breaks_openmetrics(self->text.s));
}

TEST_F(export, promtool_has_nothing_to_say)
{
	char command[160];

	if (system("command -v promtool >/dev/null 2>&1"))
		SKIP(return, "no promtool; it is in Debian's package prometheus");
	fill(&self->metrics);
	metrics_print(&self->metrics, METRICS_TEXT, &self->text);
	ASSERT_EQ(0, metrics_file_write(self->path, &self->text, &self->file));
	snprintf(command, sizeof(command), "promtool check metrics <%s >&2", self->path);
	EXPECT_EQ(0, system(command));
}

TEST_F(export, what_tracing_takes_is_a_counter_over_runs)
{
	struct ledger ledger = { .budget_ppm = 2500, .tracing_ns = 1500000000 };

	metrics_set_losses(&self->metrics, &ledger);
	metrics_reload(&self->metrics, true);
	ledger.tracing_ns = 250000;
	metrics_set_losses(&self->metrics, &ledger);
	metrics_print(&self->metrics, METRICS_OPENMETRICS, &self->text);
	EXPECT_NE(NULL, strstr(self->text.s, "\nretsnoop_tracing_cpu_seconds_total 1.500250\n"));
	EXPECT_NE(NULL, strstr(self->text.s, "\nretsnoop_budget_ratio 0.002500\n"));
	EXPECT_NE(NULL, strstr(self->text.s, "kind=\"calls_shed\"} 0\n"));
	EXPECT_EQ(NULL, breaks_openmetrics(self->text.s));
}

static char *contents(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "r");

	text[0] = '\0';
	if (file) {
		text[fread(text, 1, size - 1, file)] = '\0';
		fclose(file);
	}
	return text;
}

TEST_F(export, the_file_is_replaced_as_a_whole_and_everyone_reads_it)
{
	char text[64], fresh[160];
	struct stat before, after;
	int fd;

	umask(0077);
	strbuf_addstr(&self->text, "one\n");
	ASSERT_EQ(0, metrics_file_check(self->path));
	ASSERT_EQ(0, metrics_file_write(self->path, &self->text, &self->file));
	EXPECT_STREQ("one\n", contents(self->path, text, sizeof(text)));
	ASSERT_EQ(0, stat(self->path, &before));
	EXPECT_EQ(0644, before.st_mode & 07777);
	/* Who has the old one open still reads that. */
	fd = open(self->path, O_RDONLY);
	strbuf_addstr(&self->text, "two\n");
	ASSERT_EQ(0, metrics_file_write(self->path, &self->text, &self->file));
	EXPECT_STREQ("one\ntwo\n", contents(self->path, text, sizeof(text)));
	ASSERT_EQ(0, stat(self->path, &after));
	EXPECT_NE(before.st_ino, after.st_ino);
	EXPECT_EQ(4, read(fd, text, sizeof(text)));
	close(fd);
	snprintf(fresh, sizeof(fresh), "%s/.x.prom.new", self->dir);
	EXPECT_NE(0, access(fresh, F_OK));
}

TEST_F(export, a_file_that_cannot_be_written_is_reported_once_for_each_reason)
{
	char *said, moved[160];

	snprintf(moved, sizeof(moved), "%s.moved", self->dir);
	ASSERT_EQ(0, metrics_file_write(self->path, &self->text, &self->file));
	rename(self->dir, moved);
	said = stderr_of(({
		for (int i = 0; i < 3; i++)
			EXPECT_EQ(-ENOENT, metrics_file_write(self->path, &self->text, &self->file));
	}));
	EXPECT_NE(NULL, strstr(said, "x.prom: No such file or directory\n"));
	EXPECT_EQ(said + strlen(said) - 1, strchr(said, '\n'));
	free(said);
	rename(moved, self->dir);
	/* Another reason. */
	unlink(self->path);
	ASSERT_EQ(0, symlink("elsewhere", self->path));
	said = stderr_of(({
		EXPECT_EQ(-EEXIST, metrics_file_write(self->path, &self->text, &self->file));
		EXPECT_EQ(-EEXIST, metrics_file_write(self->path, &self->text, &self->file));
		metrics_file_say_failures(self->path, &self->file);
	}));
	EXPECT_NE(NULL, strstr(said, "x.prom is a symbolic link"));
	EXPECT_NE(NULL, strstr(said, "x.prom could not be written 5 times, the last one among them\n"));
	free(said);
	/* It works again: then the same reason is new. */
	unlink(self->path);
	said = stderr_of(EXPECT_EQ(0, metrics_file_write(self->path, &self->text, &self->file)));
	EXPECT_NE(NULL, strstr(said, "x.prom is written again; it could not be 5 times.\n"));
	free(said);
	unlink(self->path);
	ASSERT_EQ(0, symlink("elsewhere", self->path));
	said = stderr_of(metrics_file_write(self->path, &self->text, &self->file));
	EXPECT_NE(NULL, strstr(said, "x.prom is a symbolic link"));
	free(said);
	unlink(self->path);
}

TEST_F(export, another_writer_of_the_file_is_noticed_once)
{
	struct metrics_file other = {};
	char *said;

	strbuf_addstr(&self->text, "one\n");
	said = stderr_of(({
		for (int i = 0; i < 3; i++)
			metrics_file_write(self->path, &self->text, &self->file);
		/* Removing it is no writing. */
		unlink(self->path);
		metrics_file_write(self->path, &self->text, &self->file);
	}));
	EXPECT_STREQ("", said);
	free(said);
	metrics_file_write(self->path, &self->text, &other);
	said = stderr_of(({
		metrics_file_write(self->path, &self->text, &self->file);
		metrics_file_write(self->path, &self->text, &other);
		metrics_file_write(self->path, &self->text, &self->file);
	}));
	EXPECT_NE(NULL, strstr(said, "x.prom, too; give each retsnoop its own file with --prom\n"));
	/* Each of the two once. */
	EXPECT_EQ(NULL, strstr(strchr(strchr(said, '\n') + 1, '\n') + 1, "another"));
	free(said);
}

TEST_F(export, calls_that_did_not_arrive_are_reported_at_the_end)
{
	char *said;

	memset(self->metrics.deliveries, 0, sizeof(self->metrics.deliveries));
	metrics_deliver(&self->metrics, RECEIVER_OTLP, DELIVERY_DONE, 7);
	said = stderr_of(metrics_say_dropped(&self->metrics));
	EXPECT_STREQ("", said);
	free(said);
	metrics_deliver(&self->metrics, RECEIVER_OTLP, DELIVERY_REFUSED, 2);
	metrics_deliver(&self->metrics, RECEIVER_OTLP, DELIVERY_UNREACHABLE, 5);
	said = stderr_of(metrics_say_dropped(&self->metrics));
	EXPECT_STREQ("retsnoop: warning: --otlp: 7 of 14 calls did not arrive: queue full 0, refused 2, "
		     "unreachable 5\n", said);
	free(said);
}

TEST_F(export, links_and_devices_are_left_alone)
{
	char target[160], fresh[160], text[64], *said;
	int err = 0;

	snprintf(target, sizeof(target), "%s/target", self->dir);
	ASSERT_EQ(0, symlink(target, self->path));
	strbuf_addstr(&self->text, "x\n");
	said = stderr_of(err = metrics_file_write(self->path, &self->text, &self->file));
	EXPECT_EQ(-EEXIST, err);
	EXPECT_NE(NULL, strstr(said, "is a symbolic link, which is not followed"));
	free(said);
	EXPECT_NE(0, access(target, F_OK));
	said = stderr_of(err = metrics_file_check("/dev/null"));
	EXPECT_EQ(-EEXIST, err);
	free(said);
	/* Nor is a link followed that somebody put where the new file is written. */
	unlink(self->path);
	snprintf(fresh, sizeof(fresh), "%s/.x.prom.new", self->dir);
	ASSERT_EQ(0, symlink(target, fresh));
	ASSERT_EQ(0, metrics_file_write(self->path, &self->text, &self->file));
	EXPECT_NE(0, access(target, F_OK));
	EXPECT_STREQ("x\n", contents(self->path, text, sizeof(text)));
}

TEST_F(export, a_file_that_cannot_be_written_keeps_what_it_had)
{
	char text[64], fresh[160], *said;
	int err = 0;

	strbuf_addstr(&self->text, "one\n");
	ASSERT_EQ(0, metrics_file_write(self->path, &self->text, &self->file));
	snprintf(fresh, sizeof(fresh), "%s/.x.prom.new", self->dir);
	ASSERT_EQ(0, mkdir(fresh, 0700));
	said = stderr_of(err = metrics_file_write(self->path, &self->text, &self->file));
	EXPECT_GT(0, err);
	EXPECT_NE(NULL, strstr(said, "cannot write "));
	free(said);
	EXPECT_STREQ("one\n", contents(self->path, text, sizeof(text)));
}

static int status_of(const char *request)
{
	struct http_request parsed;

	return http_request_parse(request, strlen(request), &parsed) ? parsed.status : 0;
}

TEST(only_get_of_metrics_is_answered)
{
	EXPECT_EQ(200, status_of("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"));
	EXPECT_EQ(200, status_of("GET /metrics HTTP/1.0\n\n"));
	EXPECT_EQ(200, status_of("GET /metrics?a=b HTTP/1.1\r\n\r\n"));
	EXPECT_EQ(404, status_of("GET / HTTP/1.1\r\n\r\n"));
	EXPECT_EQ(404, status_of("GET /metricsx HTTP/1.1\r\n\r\n"));
	EXPECT_EQ(405, status_of("POST /metrics HTTP/1.1\r\n\r\n"));
	EXPECT_EQ(505, status_of("GET /metrics HTTP/2.0\r\n\r\n"));
	EXPECT_EQ(400, status_of("GET /metrics\r\n\r\n"));
	EXPECT_EQ(400, status_of("GET  HTTP/1.1\r\n\r\n"));
	EXPECT_EQ(400, status_of("\r\n\r\n"));
	EXPECT_EQ(400, status_of("\x16\x03\x01 tls\n\n"));
	EXPECT_EQ(0, status_of("GET /metrics HTTP/1.1\r\n"));
	EXPECT_EQ(0, status_of("GET /metr"));
	EXPECT_EQ(0, status_of(""));
}

TEST(a_request_that_is_too_long_is_refused)
{
	static char request[HTTP_REQUEST_MAX + 1];
	struct http_request parsed;

	memset(request, 'a', HTTP_REQUEST_MAX);
	EXPECT_EQ(431, status_of(request));
	memcpy(request, "GET /metrics HTTP/1.1\r\n", 23);
	EXPECT_FALSE(http_request_parse(request, HTTP_REQUEST_MAX - 1, &parsed));
	EXPECT_EQ(431, status_of(request));
}

TEST(openmetrics_is_for_who_asks_for_it)
{
	const char *with = "GET /metrics HTTP/1.1\r\naccept: application/openmetrics-text;"
			   "version=1.0.0,text/plain;q=0.5\r\n\r\n";
	const char *without = "GET /metrics HTTP/1.1\r\nAccept: */*\r\n"
			      "X: application/openmetrics-text\r\n\r\n";
	struct http_request parsed;

	ASSERT_TRUE(http_request_parse(with, strlen(with), &parsed));
	EXPECT_TRUE(parsed.openmetrics);
	ASSERT_TRUE(http_request_parse(without, strlen(without), &parsed));
	EXPECT_FALSE(parsed.openmetrics);
}

TEST(addresses_are_local_unless_others_reach_them)
{
	static const struct {
		const char *text, *printed;
		bool local;
	} good[] = {
		{ "9435", "127.0.0.1:9435", true },
		{ "127.1.2.3:1", "127.1.2.3:1", true },
		{ "localhost:0", "127.0.0.1:0", true },
		{ "[::1]:9435", "[::1]:9435", true },
		{ "0.0.0.0:80", "0.0.0.0:80", false },
		{ "[::]:80", "[::]:80", false },
		{ "[::ffff:127.0.0.1]:80", "[::ffff:127.0.0.1]:80", false },
		{ "10.0.0.1:65535", "10.0.0.1:65535", false },
	};
	static const char *const bad[] = { "", ":", "x", "127.0.0.1", "127.0.0.1:", ":80", "65536",
					   "-1", "1e3", "::1:80", "[::1]", "[]:80", "[:80",
					   "example.org:80", "127.0.0.1:80 ", "100000000000000000" };
	struct http_address address;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		ASSERT_EQ(0, http_address_parse(good[i].text, &address));
		EXPECT_STREQ(good[i].printed, address.text);
		EXPECT_EQ(good[i].local, http_address_is_local(&address));
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, http_address_parse(bad[i], &address))
		{
			TH_LOG("%s", bad[i]);
		}
	}
}

#define CONNECT(self)                                                                              \
	({                                                                                         \
		int fd_ = socket(AF_INET, SOCK_STREAM, 0);                                         \
		ASSERT_EQ(0, connect(fd_, (struct sockaddr *)&(self)->address.addr,                \
				     (self)->address.len));                                        \
		fd_;                                                                               \
	})

#define SERVE(self)                                                                                \
	({                                                                                         \
		ASSERT_EQ(0, http_address_parse("0", &(self)->address));                           \
		ASSERT_EQ(0, http_server_new(&(self)->address, &(self)->metrics, &(self)->server)); \
		ASSERT_EQ(0, http_server_start((self)->server));                                   \
	})

/* All that comes until the server closes. */
static void read_answer(int fd, struct strbuf *text)
{
	char part[4096];
	ssize_t n;

	strbuf_reset(text);
	while ((n = read(fd, part, sizeof(part))) > 0)
		strbuf_add(text, part, n);
	close(fd);
}

TEST_F(export, the_server_answers_with_metrics)
{
	static const char request[] = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
	int fd;

	SERVE(self);
	count(&self->metrics, "simfail", 12);
	fd = CONNECT(self);
	/* Byte by byte, too. */
	for (size_t i = 0; i < sizeof(request) - 1; i++)
		ASSERT_EQ(1, write(fd, request + i, 1));
	read_answer(fd, &self->text);
	EXPECT_EQ(self->text.s, strstr(self->text.s, "HTTP/1.1 200 OK\r\n"));
	EXPECT_EQ(12, value_of(self->text.s, "comm=\"simfail\"} "));
	EXPECT_EQ((long)strlen(strstr(self->text.s, "\r\n\r\n") + 4),
		  value_of(self->text.s, "Content-Length: "));
	fd = CONNECT(self);
	ASSERT_LT(0, write(fd, "PUT / HTTP/1.1\r\n\r\n", 18));
	read_answer(fd, &self->text);
	EXPECT_EQ(self->text.s, strstr(self->text.s, "HTTP/1.1 405 Method Not Allowed\r\nAllow: GET\r\n"));
}

TEST_F(export, clients_that_do_not_ask_or_do_not_read_hold_up_none_of_the_others)
{
	int idle[10], deaf, fd;

	SERVE(self);
	for (int i = 0; i < 10; i++)
		idle[i] = CONNECT(self);
	deaf = CONNECT(self);
	ASSERT_LT(0, write(deaf, "GET /metrics HTTP/1.1\r\n\r\n", 25));
	fd = CONNECT(self);
	close(fd);
	for (int i = 0; i < 20; i++) {
		fd = CONNECT(self);
		ASSERT_LT(0, write(fd, "GET /metrics HTTP/1.1\r\n\r\n", 25));
		read_answer(fd, &self->text);
		EXPECT_EQ(self->text.s, strstr(self->text.s, "HTTP/1.1 200 OK\r\n"));
	}
	for (int i = 0; i < 10; i++)
		close(idle[i]);
	close(deaf);
}

TEST_F(export, silent_clients_make_room_for_one_that_asks)
{
	int idle[16], fd;
	char byte;

	SERVE(self);
	for (int i = 0; i < 16; i++)
		idle[i] = CONNECT(self);
	fd = CONNECT(self);
	ASSERT_LT(0, write(fd, "GET /metrics HTTP/1.1\r\n\r\n", 25));
	read_answer(fd, &self->text);
	EXPECT_EQ(self->text.s, strstr(self->text.s, "HTTP/1.1 200 OK\r\n"));
	/* The oldest was closed, and none of the others: their time is not over. */
	EXPECT_EQ(0, recv(idle[0], &byte, 1, 0));
	for (int i = 1; i < 16; i++)
		EXPECT_EQ(-1, recv(idle[i], &byte, 1, MSG_DONTWAIT));
	for (int i = 0; i < 16; i++)
		close(idle[i]);
}

TEST_F(export, a_port_that_is_taken_is_an_error)
{
	struct http_server *second = NULL;
	struct http_address address;
	char *said;
	int err = 0;

	SERVE(self);
	address = self->address;
	said = stderr_of(err = http_server_new(&address, &self->metrics, &second));
	EXPECT_EQ(-EADDRINUSE, err);
	EXPECT_EQ(NULL, second);
	EXPECT_NE(NULL, strstr(said, "retsnoop: cannot listen on 127.0.0.1:"));
	free(said);
}

/* Whatever net.ipv6.bindv6only is; where there is no IPv6, it cannot be listened on. */
TEST_F(export, all_addresses_of_ipv6_are_those_of_ipv4_as_well)
{
	struct sockaddr_in four = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET6, SOCK_STREAM, 0);

	if (fd < 0)
		SKIP(return, "there is no IPv6");
	close(fd);
	ASSERT_EQ(0, http_address_parse("[::]:0", &self->address));
	ASSERT_EQ(0, http_server_new(&self->address, &self->metrics, &self->server));
	ASSERT_EQ(0, http_server_start(self->server));
	four.sin_port = ((struct sockaddr_in6 *)&self->address.addr)->sin6_port;
	fd = socket(AF_INET, SOCK_STREAM, 0);
	EXPECT_EQ(0, connect(fd, (struct sockaddr *)&four, sizeof(four)));
	close(fd);
}

TEST_HARNESS_MAIN
