// SPDX-License-Identifier: BSD-2-Clause
/* Lines of source files, and what is not given out as such. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "unit.h"
#include "util/base/strbuf.h"
#include "util/kernel/debug/source_text.h"
#include "util/kernel/debug/source_text_internal.h"

FIXTURE(source)
{
	char *dir;
	struct source_text *source;
};

static char *path_in(FIXTURE_DATA(source) * self, const char *path)
{
	return strf("%s/%s", self->dir, path);
}

/* Makes folders on the way. */
static void put(FIXTURE_DATA(source) * self, const char *path, const char *text, size_t len)
{
	char *full = path_in(self, path);
	FILE *file;

	for (char *slash = full + strlen(self->dir) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	file = fopen(full, "w");
	if (!file || fwrite(text, 1, len, file) != len || fclose(file))
		abort();
	free(full);
}

#define PUT(path, text) put(self, path, text, sizeof(text) - 1)

FIXTURE_SETUP(source)
{
	char dir[] = "/tmp/source.XXXXXX", *tree;

	if (!mkdtemp(dir))
		abort();
	self->dir = strdup(dir);
	PUT("secret", "secret\n");
	PUT("tree/kernel/fork.c", "one\n\ttwo\nthree");
	tree = path_in(self, "tree");
	if (source_text_open(tree, NULL, &self->source))
		abort();
	free(tree);
}

FIXTURE_TEARDOWN(source)
{
	char *command = strf("rm -rf %s", self->dir);

	source_text_close(self->source);
	if (system(command))
		abort();
	free(command);
	free(self->dir);
}

#define LINE(path, line) source_text_line(self->source, path, line)

TEST_F(source, lines_count_from_one_and_have_no_ends)
{
	EXPECT_EQ(NULL, LINE("kernel/fork.c", 0));
	EXPECT_STREQ("one", LINE("kernel/fork.c", 1));
	EXPECT_STREQ("\ttwo", LINE("kernel/fork.c", 2));
	EXPECT_STREQ("three", LINE("kernel/fork.c", 3));
	EXPECT_EQ(NULL, LINE("kernel/fork.c", 4));
	EXPECT_EQ(NULL, LINE("kernel/fork.c", UINT32_MAX));
}

TEST_F(source, a_file_is_read_once)
{
	const char *line = LINE("kernel/fork.c", 1);

	PUT("tree/kernel/fork.c", "another\n");
	EXPECT_EQ(line, LINE("kernel/fork.c", 1));
	/* A file that is not there either. */
	EXPECT_EQ(NULL, LINE("kernel/exit.c", 1));
	PUT("tree/kernel/exit.c", "late\n");
	EXPECT_EQ(NULL, LINE("kernel/exit.c", 1));
}

TEST_F(source, ends_of_all_kinds)
{
	PUT("tree/crlf.c", "one\r\ntwo\r\n\r\nfour\rstill\n");
	EXPECT_STREQ("one", LINE("crlf.c", 1));
	EXPECT_STREQ("two", LINE("crlf.c", 2));
	EXPECT_STREQ("", LINE("crlf.c", 3));
	EXPECT_STREQ("four?still", LINE("crlf.c", 4));
	EXPECT_EQ(NULL, LINE("crlf.c", 5));
	PUT("tree/empty.c", "");
	EXPECT_EQ(NULL, LINE("empty.c", 1));
	PUT("tree/blank.c", "\n\n");
	EXPECT_STREQ("", LINE("blank.c", 2));
	EXPECT_EQ(NULL, LINE("blank.c", 3));
}

TEST_F(source, nothing_steers_the_terminal)
{
	PUT("tree/evil.c", "a\x1b[2Jb\x07\0c\x7f\n\xc3\xa4 \xe2\x82\xac \xf0\x9f\x90\xa7\n"
			   "\xc2\x9b"
			   "1m \x9b \xff \xc3\n\xe2\x80\xae"
			   "x\n");
	EXPECT_STREQ("a?[2Jb??c?", LINE("evil.c", 1));
	EXPECT_STREQ("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x90\xa7", LINE("evil.c", 2));
	EXPECT_STREQ("??1m ? ? ?", LINE("evil.c", 3));
	EXPECT_STREQ("???x", LINE("evil.c", 4));
}

TEST_F(source, paths_stay_in_the_tree)
{
	char *secret = path_in(self, "secret"), *link = path_in(self, "tree/link.c");
	char *folder = path_in(self, "tree/folder"), *fifo = path_in(self, "tree/fifo");

	EXPECT_STREQ("one", LINE("./kernel//fork.c", 1));
	EXPECT_EQ(NULL, LINE("../secret", 1));
	EXPECT_EQ(NULL, LINE("kernel/../../secret", 1));
	EXPECT_EQ(NULL, LINE("kernel/../kernel/fork.c", 1));
	EXPECT_EQ(NULL, LINE(secret, 1));
	ASSERT_EQ(0, symlink("../secret", link));
	EXPECT_EQ(NULL, LINE("link.c", 1));
	ASSERT_EQ(0, symlink("..", folder));
	EXPECT_EQ(NULL, LINE("folder/secret", 1));
	ASSERT_EQ(0, mkfifo(fifo, 0600));
	EXPECT_EQ(NULL, LINE("fifo", 1));
	EXPECT_EQ(NULL, LINE("kernel", 1));
	EXPECT_EQ(NULL, LINE("kernel/", 1));
	EXPECT_EQ(NULL, LINE("kernel/fork.c/", 1));
	EXPECT_EQ(NULL, LINE("", 1));
	EXPECT_EQ(NULL, LINE("/", 1));
	EXPECT_EQ(NULL, LINE(".", 1));
	free(secret);
	free(link);
	free(folder);
	free(fifo);
}

TEST_F(source, long_names_and_large_files_are_left_alone)
{
	char *large = path_in(self, "tree/large.c"), name[600];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	EXPECT_EQ(NULL, LINE(name, 1));
	PUT("tree/large.c", "small\n");
	ASSERT_EQ(0, truncate(large, 1ll << 32));
	EXPECT_EQ(NULL, LINE("large.c", 1));
	free(large);
}

TEST_F(source, a_tree_that_is_not_there_is_an_error_if_asked_for)
{
	struct source_text *source = NULL;
	int err = 0;
	char *said = stderr_of(err = source_text_open("/nonexistent/tree", NULL, &source));

	EXPECT_EQ(-ENOENT, err);
	EXPECT_EQ(NULL, source);
	EXPECT_NE(NULL, strstr(said, "/nonexistent/tree"));
	free(said);
	/* A file is no tree. */
	said = stderr_of(err = source_text_open("/proc/self/exe", NULL, &source));
	EXPECT_EQ(-ENOENT, err);
	free(said);
	/* Of a kernel that nobody has. */
	said = stderr_of(err = source_text_open(NULL, "99.88.77-none", &source));
	EXPECT_EQ(-ENOENT, err);
	EXPECT_STREQ("", said ?: "");
	free(said);
}

#define MAKEFILE(version, patch, sub)                                            \
	"# SPDX\nVERSION = " version "\nPATCHLEVEL = " patch "\nSUBLEVEL = " sub \
	"\nEXTRAVERSION =\n"

#define EXPECT_FOUND(where, release, build)                                 \
	do {                                                                \
		char *expected_ = path_in(self, where);                     \
		char *found_ = source_text_find(self->dir, release, build); \
		EXPECT_STREQ(expected_, found_ ?: "none");                  \
		free(expected_);                                            \
		free(found_);                                               \
	} while (0)

TEST_F(source, only_a_tree_of_the_same_version_will_do)
{
	PUT("usr/src/linux-source-6.12/Makefile", MAKEFILE("6", "12", "95"));
	EXPECT_FOUND("usr/src/linux-source-6.12", "6.12.95+deb13-amd64", NULL);
	EXPECT_EQ(NULL, source_text_find(self->dir, "6.12.94+deb13-amd64", NULL));
	EXPECT_EQ(NULL, source_text_find(self->dir, "6.11.95-amd64", NULL));
	EXPECT_EQ(NULL, source_text_find(self->dir, "nonsense", NULL));
	/* One that is closer by comes first. */
	PUT("lib/modules/6.12.95+deb13-amd64/source/Makefile", MAKEFILE("6", "12", "95"));
	EXPECT_FOUND("lib/modules/6.12.95+deb13-amd64/source", "6.12.95+deb13-amd64", NULL);
	/* Headers alone, without a version of their own. */
	PUT("lib/modules/5.4.1/build/Makefile", "include ../common/Makefile\n");
	EXPECT_EQ(NULL, source_text_find(self->dir, "5.4.1", NULL));
}

TEST_F(source, the_files_of_fedoras_debug_info)
{
	PUT("usr/src/debug/kernel-6.8.5/linux-6.8.5-301.fc40.x86_64/fs/namespace.c", "x\n");
	EXPECT_FOUND("usr/src/debug/kernel-6.8.5/linux-6.8.5-301.fc40.x86_64",
		     "6.8.5-301.fc40.x86_64", NULL);
	EXPECT_EQ(NULL, source_text_find(self->dir, "6.8.5-302.fc40.x86_64", NULL));
	EXPECT_EQ(NULL, source_text_find(self->dir, "6.8.5-*", NULL));
}

TEST_F(source, a_release_without_a_sublevel_has_it_in_its_build)
{
	const char *build = "#1 SMP PREEMPT_DYNAMIC Debian 6.1.176-1 (2026-01-01)";

	PUT("usr/src/linux-source-6.1/Makefile", MAKEFILE("6", "1", "176"));
	EXPECT_FOUND("usr/src/linux-source-6.1", "6.1.0-50-amd64", build);
	EXPECT_EQ(NULL, source_text_find(self->dir, "6.1.0-50-amd64", NULL));
	EXPECT_EQ(NULL, source_text_find(self->dir, "6.1.0-50-amd64", "#1 SMP Debian 6.2.176-1"));
}

TEST_HARNESS_MAIN
