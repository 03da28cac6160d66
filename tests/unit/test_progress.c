// SPDX-License-Identifier: BSD-2-Clause
/* Progress: when it is seen, what it says, and that it gets out of the way. */
#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "unit.h"
#include "util/base/clock.h"
#include "util/base/progress.h"
#include "util/base/report.h"

/* Standard error is a terminal, and standard output is not. */
FIXTURE(progress)
{
	int terminal, saved;
	size_t len;
	char seen[65536];
};

FIXTURE_SETUP(progress)
{
	int end;

	memset(self, 0, sizeof(*self));
	setenv("TERM", "xterm", 1);
	setenv("NO_COLOR", "1", 1);
	unsetenv("COLUMNS");
	if (openpty(&self->terminal, &end, NULL, NULL, &(struct winsize){ 24, 80, 0, 0 }))
		abort();
	fcntl(self->terminal, F_SETFL, O_NONBLOCK);
	self->saved = dup(STDERR_FILENO);
	dup2(end, STDERR_FILENO);
	close(end);
}

static void restore(FIXTURE_DATA(progress) * self)
{
	if (self->saved >= 0) {
		dup2(self->saved, STDERR_FILENO);
		close(self->saved);
	}
	self->saved = -1;
}

FIXTURE_TEARDOWN(progress)
{
	restore(self);
	close(self->terminal);
}

static void take(FIXTURE_DATA(progress) * self)
{
	ssize_t n;

	while ((n = read(self->terminal, self->seen + self->len,
			 sizeof(self->seen) - 1 - self->len)) > 0)
		self->len += n;
}

/* All that the terminal got; from here on standard error is the test's own again. */
static const char *seen(FIXTURE_DATA(progress) * self)
{
	take(self);
	restore(self);
	return self->seen;
}

/* Waits for a text on the terminal, behind what was there at @from; a busy machine takes its time. */
static bool appears(FIXTURE_DATA(progress) * self, size_t from, const char *text)
{
	const struct timespec pause = { .tv_nsec = 10 * NSEC_PER_MSEC };

	for (int i = 0; i < 2000; i++) {
		take(self);
		if (strstr(self->seen + from, text))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

TEST_F(progress, is_not_seen_of_what_is_over_soon)
{
	struct progress progress = progress_start("Waiting");

	progress_update(&progress, 1, 2);
	progress_end(&progress);
	EXPECT_STREQ("", seen(self));
}

TEST_F(progress, is_seen_of_one_long_call_and_gone_in_the_end)
{
	struct progress progress = progress_start("Waiting");
	const char *text;

	progress_update(&progress, 3, 10);
	EXPECT_TRUE(appears(self, 0, "\rWaiting... 3 of 10\033[K"));
	progress_end(&progress);
	text = seen(self);
	EXPECT_EQ(0, strncmp(text, "\rWaiting... 3 of 10\033[K", 22))
	{
		TH_LOG("%s", text);
	}
	EXPECT_STREQ("\r\033[K", text + strlen(text) - 4);
}

TEST_F(progress, makes_way_for_messages)
{
	struct progress progress = progress_start("Waiting");

	EXPECT_TRUE(appears(self, 0, "\rWaiting...\033[K"));
	report(0, "one");
	EXPECT_TRUE(appears(self, 0, "Waiting...\033[K\r\033[Kretsnoop: one\r\n"));
	EXPECT_TRUE(appears(self, 0, "retsnoop: one\r\n\rWaiting...\033[K"));
	report(0, "two");
	warning("three");
	EXPECT_TRUE(appears(self, 0, "Waiting...\033[K\r\033[Kretsnoop: two\r\n"));
	EXPECT_TRUE(appears(self, 0, "retsnoop: warning: three\r\n\rWaiting...\033[K"));
	progress_end(&progress);
	EXPECT_STREQ("\r\033[K", seen(self) + self->len - 4);
}

TEST_F(progress, inside_progress_takes_its_place_for_so_long)
{
	struct progress outer = progress_start("Outer"), inner;

	EXPECT_TRUE(appears(self, 0, "\rOuter...\033[K"));
	inner = progress_start("Inner");
	EXPECT_TRUE(appears(self, 0, "\rInner...\033[K"));
	progress_end(&inner);
	EXPECT_TRUE(appears(self, strstr(self->seen, "Inner") - self->seen, "\rOuter...\033[K"));
	progress_end(&outer);
	seen(self);
	EXPECT_NE(NULL, strstr(self->seen, "\rInner...\033[K"));
	EXPECT_NE(NULL, strstr(strstr(self->seen, "Inner") ?: "", "\r\033[K\rOuter...\033[K"));
}

TEST_F(progress, is_for_those_who_want_it_and_terminals_that_can)
{
	struct progress progress;

	report_set_verbosity(VERBOSITY_QUIET);
	progress = progress_start("Waiting");
	EXPECT_FALSE(progress.wanted);
	report_set_verbosity(VERBOSITY_NORMAL);
	setenv("TERM", "dumb", 1);
	progress = progress_start("Waiting");
	EXPECT_FALSE(progress.wanted);
	setenv("TERM", "xterm", 1);
	progress = progress_start("Waiting");
	EXPECT_TRUE(progress.wanted);
	progress_end(&progress);
	progress_end(&progress);
	restore(self);
	dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
	progress = progress_start("Waiting");
	EXPECT_FALSE(progress.wanted);
}

#define EXPECT_TEXT(expected, ...)                                                             \
	do {                                                                                   \
		const struct progress_line line = { .what = "Reading", __VA_ARGS__ };          \
		char text[80];                                                                 \
		progress_text(&line, 4 * NSEC_PER_SEC, text, sizeof(text));                    \
		EXPECT_STREQ(expected, text);                                                  \
	} while (0)

TEST(what_is_known_is_said)
{
	EXPECT_TEXT("Reading...", );
	EXPECT_TEXT("Reading... 7", .done = 7);
	EXPECT_TEXT("Reading... 0 of 7", .total = 7);
	EXPECT_TEXT("Reading... 7 of 7", .done = 7, .total = 7);
	EXPECT_TEXT("Reading... 9 of 9", .done = 12, .total = 9);
	EXPECT_TEXT("Reading... 12 MB", .done = 12345678, .bytes = true);
	EXPECT_TEXT("Reading... 2% of 590 MB, about 193 s left", .done = 12000000,
		    .total = 589900000, .bytes = true);
	EXPECT_TEXT("Reading... 1000 of 4000, about 13 s left; Ctrl-C ends it", .done = 1000,
		    .total = 4000, .note = "Ctrl-C ends it");
	/* Too soon to tell. */
	EXPECT_TEXT("Reading... 1000 of 4000", .done = 1000, .total = 4000,
		    .started_ns = 3 * NSEC_PER_SEC);
}

TEST(a_line_is_cut_where_the_terminal_ends)
{
	const struct progress_line line = { .what = "Reading a very long name", .done = 5,
					    .total = 7, .note = "and so on" };
	char text[80];

	for (int size = 1; size < 60; size++) {
		progress_text(&line, NSEC_PER_SEC, text, size);
		EXPECT_GT(size, strlen(text));
	}
}

static void say_many(int nr)
{
	struct say_list list = SAY_LIST_INIT;

	for (int i = 0; i < nr; i++)
		say_list_add(&list, "line %d\x01 of a list", i);
	say_list_end(&list);
}

static size_t count_lines(const char *text)
{
	size_t nr = 0;

	for (; *text; text++)
		nr += *text == '\n';
	return nr;
}

TEST(a_list_is_whole_and_printable)
{
	char *text = stderr_of(say_many(5000));

	EXPECT_EQ(0, strncmp(text, "line 0? of a list\nline 1? of a list\n", 36));
	EXPECT_NE(NULL, strstr(text, "\nline 4999? of a list\n"));
	EXPECT_EQ(5000, count_lines(text));
	free(text);
	text = stderr_of(say_many(0));
	EXPECT_STREQ("", text);
	free(text);
}

TEST_HARNESS_MAIN
