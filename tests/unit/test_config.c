// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/base/config_file.h"
#include "util/base/strbuf.h"

/* Writes what it is called with as "section|name|key|value|line;". */
static int note(const struct config_entry *entry, void *arg)
{
	strbuf_addf(arg, "%s|%s|%s|%s|%u;", entry->section, entry->name ?: "-", entry->key,
		    entry->value, entry->line);
	if (!strcmp(entry->key, "stop"))
		return 1;
	return strcmp(entry->key, "fail") ? 0 : -EIO;
}

FIXTURE(config)
{
	struct strbuf seen;
	int err;
	char *messages;
};

FIXTURE_SETUP(config)
{
	self->seen = (struct strbuf)STRBUF_INIT;
	self->messages = NULL;
}

FIXTURE_TEARDOWN(config)
{
	strbuf_release(&self->seen);
	free(self->messages);
}

static void read_text(FIXTURE_DATA(config) *self, const char *text)
{
	FILE *file = fmemopen((char *)text, strlen(text), "r");

	free(self->messages);
	strbuf_reset(&self->seen);
	self->messages =
		stderr_of(self->err = config_read_stream(file, "FILE", note, &self->seen));
	fclose(file);
}

#define EXPECT_SEEN(text, expected)                                                                \
	do {                                                                                       \
		read_text(self, text);                                                             \
		EXPECT_EQ(0, self->err) { TH_LOG("%s", self->messages); }                          \
		EXPECT_STREQ(expected, strbuf_str(&self->seen));                                   \
		EXPECT_STREQ("", self->messages);                                                  \
	} while (0)

#define EXPECT_REFUSED(text, message)                                                              \
	do {                                                                                       \
		read_text(self, text);                                                             \
		EXPECT_EQ(-EINVAL, self->err);                                                     \
		EXPECT_STREQ("retsnoop: " message "\n", self->messages);                           \
	} while (0)

TEST_F(config, keys_come_with_their_section)
{
	EXPECT_SEEN("[bpf]\nringbuf-size = 8M\nsessions-size=4\n[stacks]\ndec-offs = yes\n",
		    "bpf|-|ringbuf-size|8M|2;bpf|-|sessions-size|4|3;stacks|-|dec-offs|yes|5;");
}

TEST_F(config, a_section_may_have_a_name)
{
	EXPECT_SEEN("[case \"my net\"]\nallow = tcp_*\n", "case|my net|allow|tcp_*|2;");
}

TEST_F(config, keys_may_be_indented_and_come_again)
{
	EXPECT_SEEN("[case \"x\"]\n\tallow = a\n\tallow = b\n  deny = c\n",
		    "case|x|allow|a|2;case|x|allow|b|3;case|x|deny|c|4;");
}

TEST_F(config, comments_and_empty_lines_are_nothing)
{
	EXPECT_SEEN("# one\n; two\n\n[s]\n  # three\nk = v ; four\n", "s|-|k|v|6;");
}

TEST_F(config, values_keep_colons_spaces_and_equals)
{
	EXPECT_SEEN("[c]\nallow = :kernel/bpf/*.c\ndeny = foo [mod]\nx = a=b\n",
		    "c|-|allow|:kernel/bpf/*.c|2;c|-|deny|foo [mod]|3;c|-|x|a=b|4;");
}

TEST_F(config, an_empty_file_and_one_without_a_last_newline_are_fine)
{
	EXPECT_SEEN("\n", "");
	EXPECT_SEEN("[s]\nk = v", "s|-|k|v|2;");
}

TEST_F(config, what_is_neither_section_nor_key_is_refused)
{
	EXPECT_REFUSED("[s]\nnonsense\n", "FILE:2: neither a [section] nor a key = value");
	EXPECT_REFUSED("[s\nk = v\n", "FILE:1: neither a [section] nor a key = value");
	EXPECT_REFUSED("[case \"x]\nk = v\n",
		       "FILE:2: '[case \"x]' is neither [section] nor [section \"name\"]");
	EXPECT_REFUSED("[case x]\nk = v\n",
		       "FILE:2: '[case x]' is neither [section] nor [section \"name\"]");
	EXPECT_REFUSED("[case \"\"]\nk = v\n",
		       "FILE:2: '[case \"\"]' is neither [section] nor [section \"name\"]");
}

TEST_F(config, a_line_too_long_is_refused_and_not_cut)
{
	char text[5000] = "[s]\nk = ";

	memset(text + strlen(text), 'x', 4000);
	strcat(text, "\n");
	EXPECT_REFUSED(text, "FILE:2: line too long");
	EXPECT_STREQ("", strbuf_str(&self->seen));
}

TEST_F(config, a_section_whose_name_was_cut_is_refused)
{
	EXPECT_SEEN("[case \"12345678901234567890123456789012345678901\"]\nk = v\n",
		    "case|12345678901234567890123456789012345678901|k|v|2;");
	EXPECT_REFUSED("[case \"12345678901234567890123456789012345678901234567890\"]\nk = v\n",
		       "FILE:2: the name of the section is too long: "
		       "'[case \"1234567890123456789012345678901234567890123'");
	EXPECT_REFUSED("[case \"1234567890123456789012345678901234567890\" 1234567]\nk = v\n",
		       "FILE:2: the name of the section is too long: "
		       "'[case \"1234567890123456789012345678901234567890\" 1'");
}

TEST_F(config, whoever_reads_can_end_it)
{
	read_text(self, "[s]\nstop = 1\nk = 2\n");
	EXPECT_EQ(1, self->err);
	EXPECT_STREQ("s|-|stop|1|2;", strbuf_str(&self->seen));

	read_text(self, "[s]\nfail = 1\nk = 2\n");
	EXPECT_EQ(-EIO, self->err);
	EXPECT_STREQ("s|-|fail|1|2;", strbuf_str(&self->seen));
	EXPECT_STREQ("", self->messages);
}

TEST_F(config, a_file_that_is_not_there_is_empty)
{
	EXPECT_EQ(0, config_read("/nonexistent/retsnoop/config", note, &self->seen));
	EXPECT_STREQ("", strbuf_str(&self->seen));
	EXPECT_EQ(0, config_read("/dev/null/config", note, &self->seen));
}

TEST_F(config, a_file_that_cannot_be_read_is_not_taken_as_empty)
{
	self->messages = stderr_of(self->err = config_read("/", note, &self->seen));
	EXPECT_EQ(-EISDIR, self->err);
	EXPECT_STREQ("retsnoop: cannot read /: Is a directory\n", self->messages);
}

TEST(the_users_file_is_where_xdg_says)
{
	char *path;

	setenv("HOME", "/home/u", 1);
	setenv("XDG_CONFIG_HOME", "/x", 1);
	path = config_user_path();
	EXPECT_STREQ("/x/retsnoop/config", path);
	free(path);

	setenv("XDG_CONFIG_HOME", "", 1);
	path = config_user_path();
	EXPECT_STREQ("/home/u/.config/retsnoop/config", path);
	free(path);

	unsetenv("XDG_CONFIG_HOME");
	unsetenv("HOME");
	EXPECT_EQ(NULL, config_user_path());
}

TEST_HARNESS_MAIN
