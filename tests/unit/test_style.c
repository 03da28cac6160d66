// SPDX-License-Identifier: BSD-2-Clause
/* Colours, and who gets them. */
#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>

#include "plain.h"
#include "unit.h"
#include "util/base/style.h"
#include "util/base/terminal.h"

FIXTURE(style)
{
	struct strbuf sb;
};

FIXTURE_SETUP(style)
{
	self->sb = (struct strbuf)STRBUF_INIT;
}

FIXTURE_TEARDOWN(style)
{
	strbuf_release(&self->sb);
}

TEST_F(style, is_put_around_text)
{
	style_add(&self->sb, true, STYLE_BAD, "[-EINVAL]");
	strbuf_addstr(&self->sb, " x ");
	style_add_bytes(&self->sb, true, STYLE_NAME, "abcdef", 3);
	EXPECT_STREQ("\033[31m[-EINVAL]\033[m x \033[1mabc\033[m", strbuf_str(&self->sb));
}

TEST_F(style, is_nothing_without_colours_without_a_style_and_without_text)
{
	style_add(&self->sb, false, STYLE_BAD, "a");
	style_add(&self->sb, true, STYLE_NONE, "b");
	style_add(&self->sb, true, STYLE_BAD, "");
	style_since(&self->sb, self->sb.len, true, STYLE_BAD);
	style_since(&self->sb, 0, false, STYLE_BAD);
	style_since(&self->sb, 0, true, STYLE_NONE);
	EXPECT_STREQ("ab", strbuf_str(&self->sb));
}

TEST_F(style, since_a_place_leaves_what_is_before_it_and_the_lines_end)
{
	strbuf_addstr(&self->sb, "before ");
	strbuf_addstr(&self->sb, "after  \n");
	style_since(&self->sb, 7, true, STYLE_ASIDE);
	EXPECT_STREQ("before \033[2mafter\033[m  \n", strbuf_str(&self->sb));
	strbuf_reset(&self->sb);
	strbuf_addstr(&self->sb, " \n");
	style_since(&self->sb, 0, true, STYLE_ASIDE);
	EXPECT_STREQ(" \n", strbuf_str(&self->sb));
	strbuf_reset(&self->sb);
	style_since(&self->sb, 0, true, STYLE_ASIDE);
	EXPECT_STREQ("", strbuf_str(&self->sb));
}

TEST_F(style, of_several_lines_ends_with_each)
{
	char *text;

	strbuf_addstr(&self->sb, "one\ntwo\n");
	style_since(&self->sb, 0, true, STYLE_ASIDE);
	EXPECT_STREQ("\033[2mone\033[m\n\033[2mtwo\033[m\n", strbuf_str(&self->sb));
	text = plain(strbuf_str(&self->sb));
	EXPECT_STREQ("one\ntwo\n", text);
	free(text);
}

/* What terminal_color() says of a terminal, or of a pipe. */
static bool color_of(enum color_when when, bool terminal)
{
	int ends[2] = { -1, -1 };
	bool color;

	if (terminal ? openpty(&ends[0], &ends[1], NULL, NULL, NULL) : pipe(ends))
		abort();
	color = terminal_color(when, ends[1]);
	close(ends[0]);
	close(ends[1]);
	return color;
}

TEST(colours_are_for_terminals_that_know_them_and_users_who_like_them)
{
	unsetenv("NO_COLOR");
	setenv("TERM", "xterm", 1);
	EXPECT_TRUE(color_of(COLOR_AUTO, true));
	EXPECT_FALSE(color_of(COLOR_AUTO, false));
	EXPECT_TRUE(color_of(COLOR_ALWAYS, false));
	EXPECT_FALSE(color_of(COLOR_NEVER, true));
	setenv("NO_COLOR", "", 1);
	EXPECT_TRUE(color_of(COLOR_AUTO, true));
	setenv("NO_COLOR", "0", 1);
	EXPECT_FALSE(color_of(COLOR_AUTO, true));
	EXPECT_TRUE(color_of(COLOR_ALWAYS, true));
	unsetenv("NO_COLOR");
	setenv("TERM", "dumb", 1);
	EXPECT_FALSE(color_of(COLOR_AUTO, true));
	unsetenv("TERM");
	EXPECT_FALSE(color_of(COLOR_AUTO, true));
}

TEST_HARNESS_MAIN
