// SPDX-License-Identifier: BSD-2-Clause
/* Standard output that may be waited for: whole texts, and a way out when nobody reads. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "util/base/strbuf.h"
#include "util/base/terminal.h"
#include "util/trace/run/run.h"
#include "util/view/parts/output.h"

FIXTURE(output)
{
	struct run_output output;
	struct strbuf text;
	int saved, read_fd;
	int waits, patience;
};

FIXTURE_SETUP(output)
{
	int fds[2];

	ASSERT_EQ(0, pipe(fds));
	fflush(stdout);
	self->saved = dup(STDOUT_FILENO);
	dup2(fds[1], STDOUT_FILENO);
	close(fds[1]);
	self->read_fd = fds[0];
	ASSERT_EQ(0, run_output_open(&self->output));
	for (int i = 0; i < 200000; i++)
		strbuf_addf(&self->text, "line %d\n", i);
	signal(SIGPIPE, SIG_IGN);
}

FIXTURE_TEARDOWN(output)
{
	run_output_close(&self->output);
	dup2(self->saved, STDOUT_FILENO);
	close(self->saved);
	if (self->read_fd >= 0)
		close(self->read_fd);
	strbuf_release(&self->text);
}

/* Waits so many times in vain before it gives up. */
static bool wait_patiently(void *arg)
{
	FIXTURE_DATA(output) *self = arg;
	struct pollfd fd = { .fd = STDOUT_FILENO, .events = POLLOUT };

	self->waits++;
	while (!poll(&fd, 1, 10)) {
		if (!self->patience--)
			return false;
	}
	return true;
}

static void *read_slowly(void *arg)
{
	FIXTURE_DATA(output) *self = arg;
	struct strbuf *got = calloc(1, sizeof(*got));
	char buf[3001];
	ssize_t n;

	while ((n = read(self->read_fd, buf, sizeof(buf))) > 0)
		strbuf_add(got, buf, n);
	return got;
}

static void expect_whole(struct __test_metadata *_metadata, FIXTURE_DATA(output) * self)
{
	pthread_t thread;
	struct strbuf *got;
	void *ret;

	ASSERT_EQ(0, pthread_create(&thread, NULL, read_slowly, self));
	EXPECT_EQ(0, output_text(self->output.file, &self->text));
	dup2(self->saved, STDOUT_FILENO);
	pthread_join(thread, &ret);
	got = ret;
	EXPECT_STREQ(strbuf_str(&self->text), strbuf_str(got));
	strbuf_release(got);
	free(got);
}

TEST(other_characters_become_ascii_ones_of_one_column)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addstr(&text, "→ ← ↔ ◎ › ‼ …21 caf\xc3\xa9 \xe2\x82\xac \xff\xe2\x80 end\n");
	text_to_ascii(&text);
	EXPECT_STREQ("> < = @ : ! ~21 caf? ? ??? end\n", strbuf_str(&text));
	EXPECT_EQ(strlen(strbuf_str(&text)), text.len);
	strbuf_reset(&text);
	text_to_ascii(&text);
	EXPECT_STREQ("", strbuf_str(&text));
	strbuf_release(&text);
}

TEST(the_locale_tells_whether_text_is_ascii)
{
	static const struct {
		const char *all, *ctype, *lang;
		bool ascii;
	} cases[] = {
		{ NULL, NULL, NULL, true },
		{ NULL, NULL, "C", true },
		{ NULL, NULL, "de_DE.UTF-8", false },
		{ NULL, NULL, "de_DE.utf8", false },
		{ NULL, NULL, "de_DE.ISO-8859-1", true },
		{ NULL, "C.UTF-8", "C", false },
		{ "POSIX", "C.UTF-8", "C.UTF-8", true },
		{ "", "", "C.UTF-8", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
		const char *const values[] = { cases[i].all, cases[i].ctype, cases[i].lang };

		for (int n = 0; n < 3; n++) {
			if (values[n])
				setenv(names[n], values[n], 1);
			else
				unsetenv(names[n]);
		}
		EXPECT_EQ(cases[i].ascii, terminal_locale_is_ascii()) {
			TH_LOG("case %zu", i);
		}
	}
}

TEST_F(output, writes_all_without_a_run)
{
	expect_whole(_metadata, self);
}

TEST_F(output, writes_all_to_a_reader_that_is_slow)
{
	const struct run_output_waiter waiter = { wait_patiently, self };

	self->patience = 1000000;
	self->output.waiter = &waiter;
	expect_whole(_metadata, self);
	EXPECT_LT(10, self->waits);
}

TEST_F(output, gives_up_in_the_middle_when_nobody_reads)
{
	const struct run_output_waiter waiter = { wait_patiently, self };
	char *said;
	int err = 0;

	self->output.waiter = &waiter;
	self->patience = 3;
	said = stderr_of(err = output_text(self->output.file, &self->text));
	EXPECT_EQ(-EPIPE, err);
	EXPECT_STREQ("", said ?: "");
	free(said);
}

TEST_F(output, says_that_the_reader_has_gone)
{
	const struct run_output_waiter waiter = { wait_patiently, self };

	close(self->read_fd);
	self->read_fd = -1;
	EXPECT_EQ(-EPIPE, output_text(self->output.file, &self->text));
	self->output.waiter = &waiter;
	EXPECT_EQ(-EPIPE, output_text(self->output.file, &self->text));
}

TEST_F(output, stands_when_nobody_reads)
{
	char byte;

	EXPECT_FALSE(run_output_stands());
	fcntl(STDOUT_FILENO, F_SETFL, O_NONBLOCK);
	while (write(STDOUT_FILENO, strbuf_str(&self->text), 4096) > 0)
		;
	EXPECT_TRUE(run_output_stands());
	for (int i = 0; i < 8192; i++)
		ASSERT_EQ(1, read(self->read_fd, &byte, 1));
	EXPECT_FALSE(run_output_stands());
}

TEST_HARNESS_MAIN
