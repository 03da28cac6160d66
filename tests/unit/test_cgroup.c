// SPDX-License-Identifier: BSD-2-Clause
/* Finding cgroups, with and without cgroup2 on the machine. */
#include <errno.h>
#include <mntent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "unit.h"
#include "util/kernel/machine/cgroup.h"

FIXTURE(cgroup)
{
	char mounts[40];
	char folder[40];
	char *path, *messages;
	int err;
};

FIXTURE_SETUP(cgroup)
{
	int fd;

	memset(self, 0, sizeof(*self));
	strcpy(self->mounts, "/tmp/retsnoop-test-XXXXXX");
	strcpy(self->folder, "/tmp/retsnoop-test-XXXXXX");
	fd = mkstemp(self->mounts);
	ASSERT_LE(0, fd);
	close(fd);
	ASSERT_NE(NULL, mkdtemp(self->folder));
}

FIXTURE_TEARDOWN(cgroup)
{
	unlink(self->mounts);
	rmdir(self->folder);
	free(self->path);
	free(self->messages);
}

static void mount_at(FIXTURE_DATA(cgroup) *self, const char *type, const char *path)
{
	FILE *file = fopen(self->mounts, "a");

	fprintf(file, "none %s %s rw 0 0\n", path, type);
	fclose(file);
}

static void find(FIXTURE_DATA(cgroup) *self, const char *text)
{
	free(self->path);
	free(self->messages);
	self->path = NULL;
	self->messages = stderr_of(
		self->err = cgroup_find_in(self->mounts, "--cgroup", text, &self->path));
}

#define REFUSED(text, ...)                                                                         \
	do {                                                                                       \
		char message_[256];                                                                \
		snprintf(message_, sizeof(message_), "retsnoop: --cgroup: " __VA_ARGS__);          \
		find(self, text);                                                                  \
		EXPECT_EQ(-EINVAL, self->err);                                                     \
		EXPECT_EQ(NULL, self->path);                                                       \
		EXPECT_STREQ(message_, self->messages);                                            \
	} while (0)

TEST_F(cgroup, without_cgroup2_there_is_none)
{
	mount_at(self, "cgroup", self->folder);
	REFUSED("nothing/like/it", "nothing/like/it does not exist, and cgroup2 is not mounted\n");
	REFUSED("", "the path of a cgroup is missing\n");
}

TEST_F(cgroup, what_is_no_cgroup_is_told_to_be_none)
{
	REFUSED(self->folder, "%s is not a cgroup, and cgroup2 is not mounted\n", self->folder);
	REFUSED(self->mounts, "%s is not a directory; a cgroup is one\n", self->mounts);
	mount_at(self, "cgroup2", "/no/such/place");
	REFUSED(self->folder, "%s is not a cgroup; cgroups are directories below the mount of cgroup2\n",
		self->folder);
}

TEST_F(cgroup, a_path_that_is_not_there_is_looked_for_below_the_mount)
{
	mount_at(self, "tmpfs", "/proc");
	mount_at(self, "cgroup2", "/tmp");
	REFUSED("no-such-folder", "cgroup 'no-such-folder' does not exist, as a path or below /tmp\n");
	/* It is found there, and is no cgroup in truth. */
	REFUSED(self->folder + 4, "/tmp%s is not a cgroup; cgroups are directories below the mount of cgroup2\n",
		self->folder + 4);
}

TEST_F(cgroup, the_place_may_have_blanks_in_its_name)
{
	mount_at(self, "cgroup2", "/tmp/a\\040b");
	REFUSED("x", "cgroup 'x' does not exist, as a path or below /tmp/a b\n");
}

TEST_F(cgroup, on_this_machine)
{
	FILE *file = setmntent("/proc/self/mounts", "re");
	struct mntent *entry;
	char *root = NULL;

	while (file && !root && (entry = getmntent(file))) {
		if (!strcmp(entry->mnt_type, "cgroup2"))
			root = realpath(entry->mnt_dir, NULL);
	}
	if (file)
		endmntent(file);
	if (!root)
		SKIP(return, "no cgroup2 here");
	mount_at(self, "cgroup2", root);
	find(self, root);
	EXPECT_EQ(0, self->err);
	EXPECT_STREQ(root, self->path);
	find(self, "/");
	EXPECT_EQ(0, self->err);
	EXPECT_STREQ(root, self->path);
	free(root);
}

TEST_HARNESS_MAIN
