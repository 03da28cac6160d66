// SPDX-License-Identifier: BSD-2-Clause
/* Which of a command's failed calls is the one that it complained about. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <netinet/in.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/base/text/errnames.h"
#include "util/why/reasons/interruption.h"
#include "util/why/watch/complaint.h"
#include "util/why/watch/failed_calls.h"
#include "util/why/watch/looks.h"
#include "util/why/watch/netlink.h"
#include "util/why/watch/said.h"
#include "util/why/watch/said_lines.h"

#include "tests/unit/unit.h"

enum { NR_OPEN = 2, NR_MOUNT = 165, NR_IOCTL = 16, NR_MKDIR = 83, NR_LSEEK = 8, NR_STAT = 4,
       NR_EXECVE = 59, NR_CLONE = 56, NR_READ = 0, NR_CONNECT = 42, NR_RENAME = 82,
       NR_READLINK = 89, NR_OPENAT = 257, NR_SOCKET = 41, NR_READLINKAT = 267, NR_PRCTL = 157, NR_DUP = 32,
       NR_FCNTL = 72, NR_CLOSE = 3, NR_UNLINK = 87, NR_FUTEX = 202, NR_EPOLL_CTL = 233, NR_TRUNCATE = 76,
       NR_GETXATTR = 191, NR_KILL = 62 };

static const uint32_t transfers[] = { NR_READ };
static const uint32_t timed[] = { NR_FUTEX };
static const uint32_t attributes[] = { NR_GETXATTR };
static const uint32_t looks[] = { NR_STAT };
static const struct call_numbers numbers = {
	NR_IOCTL, NR_LSEEK, NR_EXECVE, NR_PRCTL, NR_DUP, NR_FCNTL, transfers, 1, NR_READLINK, NR_READLINKAT,
	.open = NR_OPEN, .openat = NR_OPENAT, .socket = NR_SOCKET, .close = NR_CLOSE, .unlink = NR_UNLINK,
	.looks = looks, .nr_looks = ARRAY_SIZE(looks), .timed = timed, .nr_timed = ARRAY_SIZE(timed),
	.attributes = attributes, .nr_attributes = 1,
	.epoll_ctl = NR_EPOLL_CTL, .truncate = NR_TRUNCATE, .mkdir = NR_MKDIR, .kill = NR_KILL,
};

FIXTURE(calls)
{
	struct failed_calls calls;
	enum chosen_by chosen_by;
};

FIXTURE_SETUP(calls)
{
	memset(self, 0, sizeof(*self));
}

FIXTURE_TEARDOWN(calls)
{
	failed_calls_release(&self->calls);
}

static void add(FIXTURE_DATA(calls) * self, uint32_t kind, uint32_t pid, uint32_t nr,
		int64_t result, const char *path)
{
	struct watch_event event = { .kind = kind, .pid = pid, .tid = pid, .nr = nr,
				     .result = result, .comm = "program" };

	if (path) {
		event.have = 1;
		snprintf(event.strings[0], sizeof(event.strings[0]), "%s", path);
	}
	if (failed_calls_add(&self->calls, &event))
		abort();
}

static void fails(FIXTURE_DATA(calls) * self, uint32_t nr, int64_t result, const char *path)
{
	add(self, WATCH_FAILED, 10, nr, result, path);
}

static void writes(FIXTURE_DATA(calls) * self, uint32_t pid, const char *text)
{
	struct watch_event *event;

	add(self, WATCH_WROTE, pid, 1, strlen(text), NULL);
	event = &self->calls.events.data[self->calls.events.len - 1];
	snprintf(event->said, sizeof(event->said), "%s", text);
}

/* The chosen one's system call and errno. */
static int64_t choose(FIXTURE_DATA(calls) * self, const struct call_choice *choice, uint32_t *ret_nr)
{
	static const struct call_choice any;
	int index;

	failed_calls_group(&self->calls, &numbers);
	index = failed_calls_choose(&self->calls, choice ?: &any, &self->chosen_by);
	if (index < 0)
		return 0;
	*ret_nr = self->calls.v.data[index].event.nr;
	return self->calls.v.data[index].event.result;
}

TEST_F(calls, the_last_failure_before_a_complaint_is_chosen)
{
	uint32_t nr = 0;

	fails(self, NR_OPEN, -EACCES, "/etc/x");
	fails(self, NR_MOUNT, -EINVAL, "none");
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	fails(self, NR_OPEN, -EPERM, "/later");
	EXPECT_EQ(choose(self, NULL, &nr), -EINVAL);
	EXPECT_EQ(nr, NR_MOUNT);
	EXPECT_EQ(self->chosen_by, CHOICE_COMPLAINT);
}

TEST_F(calls, a_process_may_complain_of_what_another_one_failed_with)
{
	uint32_t nr = 0;

	add(self, WATCH_FAILED, 11, NR_MOUNT, -ENOENT, "/nosuch");
	add(self, WATCH_FAILED, 11, NR_MKDIR, -EACCES, "/nosuch");
	add(self, WATCH_FAILED, 11, NR_CONNECT, -ENOENT, "/other");
	fails(self, NR_RENAME, -ENOENT, "c2/cgroup.freeze");
	writes(self, 10, "run failed: exec: \"/nosuch\": stat /nosuch: no such file or directory\n");
	EXPECT_EQ(choose(self, NULL, &nr), -ENOENT);
	EXPECT_EQ(nr, NR_MOUNT);
	EXPECT_EQ(self->chosen_by, CHOICE_COMPLAINT);
}

TEST_F(calls, the_errno_that_a_complaint_names_goes_before_what_failed_last)
{
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -EPERM, "none");
	fails(self, NR_OPEN, -EACCES, "/proc/x");
	/* As error(3) writes it. */
	writes(self, 10, "program: ");
	writes(self, 11, "other: Permission denied\n");
	writes(self, 10, "cannot mount");
	writes(self, 10, ": Operation not permitted");
	writes(self, 10, "\n");
	writes(self, 10, "permission denied, as this one says\n");
	EXPECT_EQ(choose(self, NULL, &nr), -EPERM);
	EXPECT_EQ(nr, NR_MOUNT);
	EXPECT_EQ(self->chosen_by, CHOICE_COMPLAINT);
}

TEST_F(calls, a_complaint_that_names_an_errno_may_follow_others)
{
	uint32_t nr = 0;

	fails(self, NR_OPEN, -EINVAL, "/first");
	writes(self, 10, "insecure permissions\n");
	fails(self, NR_MOUNT, -EPERM, "none");
	fails(self, NR_OPEN, -EACCES, "/last");
	writes(self, 10, "mount: EPERM\n");
	EXPECT_EQ(choose(self, NULL, &nr), -EPERM);
}

/* As postgres without its time zones, whose data directory another one has. */
TEST_F(calls, a_fatal_message_goes_before_a_remark_that_names_an_errno)
{
	uint32_t nr = 0;

	fails(self, NR_OPEN, -ENOTDIR, "/usr/share/zoneinfo");
	writes(self, 10, "[267] LOG:  could not open directory \"/usr/share/zoneinfo\": Not a directory\n");
	EXPECT_EQ(-ENOTDIR, choose(self, NULL, &nr));
	fails(self, NR_MKDIR, -EEXIST, "postmaster.pid");
	writes(self, 10, "[267] FATAL:  lock file \"postmaster.pid\" already exists\n");
	writes(self, 10, "[267] HINT:  Is another postmaster running?\n");
	EXPECT_EQ(-EEXIST, choose(self, NULL, &nr));
	EXPECT_EQ(NR_MKDIR, nr);
	EXPECT_EQ(CHOICE_COMPLAINT, self->chosen_by);
}

TEST_F(calls, an_unmarked_message_is_no_remark)
{
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -EPERM, "none");
	writes(self, 10, "INFORMATION: Operation not permitted\n");
	fails(self, NR_OPEN, -EACCES, "/x");
	writes(self, 10, "ERROR: giving up\n");
	EXPECT_EQ(-EPERM, choose(self, NULL, &nr));
}

/* As unbound, which goes on without a directory for its root key, and without a remote control. */
TEST_F(calls, a_fatal_error_goes_before_an_error)
{
	uint32_t nr = 0;

	fails(self, NR_RENAME, -EROFS, "/var/lib/unbound/root.key");
	writes(self, 10, "[7] unbound[7:0] error: cannot rename root.key: Read-only file system\n");
	fails(self, NR_MKDIR, -EACCES, "/run/unbound");
	writes(self, 10, "[7] unbound[7:0] fatal error: cannot make /run/unbound: Permission denied\n");
	EXPECT_EQ(-EACCES, choose(self, NULL, &nr));
	EXPECT_EQ(NR_MKDIR, nr);
	EXPECT_FALSE(self->calls.unnamed);
}

TEST_F(calls, a_fatal_error_may_sum_up_what_an_error_named)
{
	uint32_t nr = 0;

	fails(self, NR_CONNECT, -EADDRINUSE, NULL);
	writes(self, 10, "[7] unbound[7:0] error: can't bind socket: Address already in use for 127.0.0.1\n");
	fails(self, NR_CLOSE, -EBADF, NULL);
	fails(self, NR_MKDIR, -EEXIST, "/run/unbound");
	writes(self, 10, "[7] unbound[7:0] fatal error: could not open ports\n");
	EXPECT_EQ(-EADDRINUSE, choose(self, NULL, &nr));
	EXPECT_FALSE(self->calls.unnamed);
	EXPECT_EQ(0, self->calls.unknown_err);
}

TEST_F(calls, the_first_mark_of_a_message_counts)
{
	EXPECT_EQ(COMPLAINT_REMARK, complaint_mark_of("[WARNING] (9) : config error: x"));
	EXPECT_EQ(COMPLAINT_FATAL, complaint_mark_of("nginx: [emerg] bind() failed, INFO"));
	EXPECT_EQ(COMPLAINT_ERROR, complaint_mark_of("php: ERROR: x"));
	EXPECT_EQ(COMPLAINT_ERROR, complaint_mark_of("[1784] unbound[9:0] error: x"));
	EXPECT_EQ(COMPLAINT_FATAL, complaint_mark_of("[1784] unbound[9:0] fatal error: x"));
	EXPECT_EQ(COMPLAINT_UNMARKED, complaint_mark_of("mount: CATALOG:x NOTICES ERRORS"));
	EXPECT_EQ(COMPLAINT_UNMARKED, complaint_mark_of(""));
}

TEST_F(calls, a_complaint_may_name_the_number_of_an_errno)
{
	uint32_t nr = 0;

	fails(self, NR_CONNECT, -ECONNREFUSED, NULL);
	fails(self, NR_OPEN, -EACCES, "/last");
	writes(self, 10, "ConnectionRefusedError: [Errno 111] Connect call failed ('127.0.0.1', 9)\n");
	EXPECT_EQ(choose(self, NULL, &nr), -ECONNREFUSED);
	EXPECT_FALSE(self->calls.unnamed);
	EXPECT_EQ(9, complaint_names("[Errno 111] x", ECONNREFUSED));
	EXPECT_EQ(8, complaint_names("x: errno=13", EACCES));
	EXPECT_EQ(11, complaint_names("errno: -111)", ECONNREFUSED));
	EXPECT_EQ(0, complaint_names("[Errno 111] x", ENOTDIR));
	EXPECT_EQ(0, complaint_names("Errno 1x, errno, errno 0", EPERM));
	EXPECT_EQ(ECONNREFUSED, complaint_errno("[Errno 111] Connect call failed"));
}

/* The dynamic linker tells the name, and no directory. */
TEST_F(calls, a_library_that_the_message_names_is_missed)
{
	uint32_t nr = 0;

	fails(self, NR_OPENAT, -ENOENT, "/usr/lib/x86_64-linux-gnu/libssl.so.3");
	fails(self, NR_OPENAT, -ENOENT, "/usr/lib/libssl.so.3");
	fails(self, NR_OPENAT, -ENOENT, "/etc/ld.so.preload");
	writes(self, 10, "x: error while loading shared libraries: libcrypto.so.3: cannot open shared object file: "
			 "No such file or directory\n");
	EXPECT_EQ(0, choose(self, NULL, &nr));
	writes(self, 10, "x: error while loading shared libraries: libssl.so.3: cannot open shared object file: "
			 "No such file or directory\n");
	EXPECT_EQ(-ENOENT, choose(self, NULL, &nr));
	EXPECT_STREQ("/usr/lib/libssl.so.3", self->calls.v.data[0].event.strings[0]);
	EXPECT_FALSE(self->calls.unnamed);
}

TEST_F(calls, a_complaint_that_names_what_did_not_fail_is_as_any)
{
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -EPERM, "none");
	fails(self, NR_OPEN, -EACCES, "/proc/x");
	writes(self, 10, "freedom: ");
	writes(self, 10, "File exists\n");
	EXPECT_EQ(choose(self, NULL, &nr), -EACCES);
	EXPECT_EQ(self->calls.unknown_err, EEXIST);
	writes(self, 10, "permission denied\n");
	EXPECT_EQ(choose(self, NULL, &nr), -EACCES);
	EXPECT_EQ(self->calls.unknown_err, 0);
}

TEST_F(calls, that_a_search_failed_with_the_errno_of_a_complaint_is_known)
{
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -EPERM, "none");
	fails(self, NR_OPEN, -ENOENT, "/lib/libx.so.1");
	writes(self, 10, "No such file or directory\n");
	EXPECT_EQ(choose(self, NULL, &nr), -EPERM);
	EXPECT_EQ(self->calls.unknown_err, 0);
}

TEST_F(calls, the_longer_of_two_texts_that_a_complaint_has_is_meant)
{
	uint32_t nr = 0;

	fails(self, NR_OPEN, -ENXIO, "/dev/a");
	fails(self, NR_MOUNT, -ENODEV, "none");
	writes(self, 10, "open /dev/a: no such device or address\n");
	EXPECT_EQ(choose(self, NULL, &nr), -ENXIO);
}

TEST_F(calls, an_errno_that_the_c_library_does_not_know_is_found_by_its_number)
{
	uint32_t nr = 0;

	fails(self, NR_OPEN, -LAST_ERRNO, "/dev/a");
	fails(self, NR_MOUNT, -ENODEV, "none");
	writes(self, 10, "open: ");
	writes(self, 10, strerror(LAST_ERRNO));
	EXPECT_EQ(choose(self, NULL, &nr), -LAST_ERRNO);
}

TEST_F(calls, what_programs_expect_counts_if_they_complain_about_it)
{
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -EINVAL, "none");
	fails(self, NR_READ, -EAGAIN, NULL);
	fails(self, NR_OPEN, -ENOENT, "/usr/share/locale/de/libc.mo");
	writes(self, 10, "read: Resource temporarily unavailable\n");
	EXPECT_EQ(choose(self, NULL, &nr), -EAGAIN);
	self->calls.events.len--;
	writes(self, 10, "messages: No such file or directory\n");
	EXPECT_EQ(choose(self, NULL, &nr), -EINVAL);
}

TEST_F(calls, a_question_that_no_terminal_answers_counts_if_it_is_complained_about)
{
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -EINVAL, "none");
	fails(self, NR_IOCTL, -ENOTTY, NULL);
	writes(self, 10, "/dev/null: Inappropriate ioctl for device\n");
	EXPECT_EQ(choose(self, NULL, &nr), -ENOTTY);
	self->calls.events.len--;
	writes(self, 10, "/dev/null: bad device\n");
	EXPECT_EQ(choose(self, NULL, &nr), -EINVAL);
}

TEST_F(calls, alone_it_is_chosen_only_if_it_is_complained_about)
{
	uint32_t nr = 0;

	fails(self, NR_READ, -EAGAIN, NULL);
	writes(self, 10, "nothing came\n");
	EXPECT_EQ(choose(self, NULL, &nr), 0);
	writes(self, 10, "Resource temporarily unavailable\n");
	EXPECT_EQ(choose(self, NULL, &nr), -EAGAIN);
}

TEST_F(calls, looking_for_the_reason_of_a_failure_is_none)
{
	uint32_t nr = 0;
	struct watch_event *rename;

	fails(self, NR_RENAME, -EINVAL, "/a");
	rename = &self->calls.events.data[0];
	rename->have |= 2;
	strcpy(rename->strings[1], "/a/b");
	fails(self, NR_STAT, -ENOENT, "/a/b");
	fails(self, NR_READLINK, -EINVAL, "/a");
	fails(self, NR_READLINKAT, -EINVAL, "/a");
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), -EINVAL);
	EXPECT_EQ(nr, NR_RENAME);
	/* Another path was not in that call. */
	self->calls.events.len--;
	fails(self, NR_MKDIR, -ENOENT, "/a/c");
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), -ENOENT);
}

TEST_F(calls, looking_at_one_of_two_names_that_a_call_did_not_find_is_no_failure)
{
	uint32_t nr = 0;
	struct watch_event *mount;

	fails(self, NR_MOUNT, -ENOENT, "overlay");
	fails(self, NR_MKDIR, -ENOENT, "overlay");
	writes(self, 10, "special device overlay does not exist.\n");
	/* With one name alone, the later call needed it, as in rm(1). */
	EXPECT_EQ(choose(self, NULL, &nr), -ENOENT);
	EXPECT_EQ(nr, NR_MKDIR);
	mount = &self->calls.events.data[0];
	mount->have |= 2;
	strcpy(mount->strings[1], "/mnt");
	EXPECT_EQ(choose(self, NULL, &nr), -ENOENT);
	EXPECT_EQ(nr, NR_MOUNT);
}

TEST_F(calls, a_complaint_that_names_no_errno_is_about_the_path_that_it_has)
{
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -EINVAL, "/tmp/d");
	fails(self, NR_MKDIR, -ENOENT, "/var/lib/notes");
	writes(self, 10, "mount: wrong fs type, bad option on /tmp/d.\n");
	EXPECT_EQ(choose(self, NULL, &nr), -EINVAL);
	EXPECT_FALSE(self->calls.unnamed);
	/* An errno says more. */
	self->calls.events.len--;
	writes(self, 10, "mount: on /tmp/d: No such file or directory\n");
	EXPECT_EQ(choose(self, NULL, &nr), -ENOENT);
	EXPECT_FALSE(self->calls.unnamed);
	/* Other words and other paths are not meant. */
	self->calls.events.len--;
	writes(self, 10, "mount: bad option on /tmp/d.x /tmp/d/e or none\n");
	EXPECT_EQ(choose(self, NULL, &nr), -ENOENT);
	EXPECT_TRUE(self->calls.unnamed);
	/* What is named already stays, though another has that path, too. */
	self->calls.events.len--;
	fails(self, NR_OPEN, -EACCES, "/tmp/d");
	fails(self, NR_STAT, -ENOENT, "/var/lib/more");
	writes(self, 10, "mount: bad option on /tmp/d: look at /var/lib/more\n");
	EXPECT_EQ(choose(self, NULL, &nr), -ENOENT);
	EXPECT_FALSE(self->calls.unnamed);
}

/* newfstatat(2): its path is the second argument, and what the third and the fifth point to was taken, too. */
static void looks_in_vain(FIXTURE_DATA(calls) * self, const char *path)
{
	struct watch_event *event;

	fails(self, NR_STAT, -ENOENT, NULL);
	event = &self->calls.events.data[self->calls.events.len - 1];
	event->have = 0x16;
	snprintf(event->strings[1], sizeof(event->strings[1]), "%s", path);
}

/* As mount(8) does where the device is not there: it looks at the device before the call, and again afterwards. */
TEST_F(calls, a_call_whose_device_is_not_there_wins_over_the_looks_at_that)
{
	static char *const command[] = { (char *)"mount", (char *)"/dev/nosuch", (char *)"m2", NULL };
	struct watch_event *mount;
	uint32_t nr = 0;

	self->calls.command = command;
	fails(self, NR_READLINK, -ENOENT, "/dev/nosuch");
	looks_in_vain(self, "/dev/nosuch");
	fails(self, NR_MKDIR, -EEXIST, "/run/mount");
	fails(self, NR_MOUNT, -ENOENT, "/dev/nosuch");
	mount = &self->calls.events.data[self->calls.events.len - 1];
	mount->have = 7;
	snprintf(mount->strings[1], sizeof(mount->strings[1]), "/tmp/m2");
	snprintf(mount->strings[2], sizeof(mount->strings[2]), "ext4");
	looks_in_vain(self, "/dev/nosuch");
	writes(self, 10, "mount: ");
	writes(self, 10, "/tmp/m2: special device /dev/nosuch does not exist.");
	writes(self, 10, "\n");
	EXPECT_EQ(-ENOENT, choose(self, NULL, &nr));
	EXPECT_EQ(NR_MOUNT, nr);
}

/* As umount(8) does with a directory of the working directory. */
TEST_F(calls, a_complaint_may_have_a_bare_name_that_the_command_line_has)
{
	static char *const command[] = { (char *)"umount", (char *)"data", NULL };
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -EINVAL, "data");
	fails(self, NR_MKDIR, -EEXIST, "/run/mount");
	writes(self, 10, "umount: data: not mounted.\n");
	EXPECT_EQ(-EEXIST, choose(self, NULL, &nr));
	EXPECT_TRUE(self->calls.unnamed);
	self->calls.command = command;
	EXPECT_EQ(-EINVAL, choose(self, NULL, &nr));
	EXPECT_EQ(NR_MOUNT, nr);
	EXPECT_FALSE(self->calls.unnamed);
}

/* Between the failure and the complaint: a look for the reason, and one for the text in another language. */
TEST_F(calls, a_search_is_none_the_less_one_if_a_like_call_failed_before)
{
	static char *const mv[] = { (char *)"mv", (char *)"/tmp/d1", (char *)"/tmp/d1/x", NULL };
	struct watch_event *event;
	uint32_t nr;

	self->calls.command = mv;
	fails(self, NR_OPEN, -ENOENT, "/tmp/d1/x");
	fails(self, NR_RENAME, -EINVAL, "/tmp/d1");
	event = &self->calls.events.data[self->calls.events.len - 1];
	event->have = 3;
	snprintf(event->strings[1], sizeof(event->strings[1]), "/tmp/d1/x");
	fails(self, NR_OPEN, -ENOENT, "/usr/share/locale/de/LC_MESSAGES/libc.mo");
	writes(self, 10, "mv: das Verschieben ist nicht\n");
	EXPECT_EQ(-EINVAL, choose(self, NULL, &nr));
	EXPECT_EQ(NR_RENAME, nr);
}

/* As sqlite3 does, after it could not open the database for writing. */
TEST_F(calls, a_file_that_a_program_only_looks_for_does_not_win_unless_it_complains_about_it)
{
	uint32_t nr = 0;

	fails(self, NR_OPEN, -EROFS, "/ro/db");
	fails(self, NR_STAT, -ENOENT, "/ro/db-wal");
	fails(self, NR_OPEN, -ENOENT, "/root/.sqliterc");
	writes(self, 10, "attempt to write a readonly database\n");
	EXPECT_EQ(-EROFS, choose(self, NULL, &nr));
	EXPECT_EQ(NR_OPEN, nr);
	/* It may do so in a later line, with the name alone. */
	writes(self, 10, "and there is no db-wal\n");
	EXPECT_EQ(-ENOENT, choose(self, NULL, &nr));
	EXPECT_EQ(NR_STAT, nr);
	/* Another process's complaint says nothing. */
	self->calls.events.len--;
	writes(self, 11, "no db-wal\n");
	EXPECT_EQ(-EROFS, choose(self, NULL, &nr));
	self->calls.events.len--;
	/* Opening a file may need its directory. */
	self->calls.events.len--;
	fails(self, NR_OPENAT, -ENOENT, "/nodir/log");
	writes(self, 10, "attempt to write a readonly database\n");
	EXPECT_EQ(-EROFS, choose(self, NULL, &nr));
	self->calls.events.data[self->calls.events.len - 2].args[2] = O_CREAT;
	EXPECT_EQ(-ENOENT, choose(self, NULL, &nr));
	EXPECT_EQ(NR_OPENAT, nr);
}

TEST_F(calls, where_a_program_only_looked_for_files_nothing_explains_its_complaint)
{
	static char *const tool[] = { (char *)"tool", (char *)"module", (char *)"/etc/tool.conf", NULL };
	uint32_t nr = 0;

	/* A bare name may be that of something else. */
	fails(self, NR_STAT, -ENOENT, "module");
	fails(self, NR_OPEN, -ENOENT, "/lib/modules/list");
	writes(self, 10, "module is in use\n");
	add(self, WATCH_EXITED, 10, 231, 1, NULL);
	self->calls.command = tool;
	EXPECT_EQ(0, choose(self, NULL, &nr));
	/* The command line and the message name a part of the path. */
	snprintf(self->calls.events.data[1].strings[0], WATCH_STRING, "/sys/module/state");
	EXPECT_EQ(-ENOENT, choose(self, NULL, &nr));
	EXPECT_EQ(NR_OPEN, nr);
	snprintf(self->calls.events.data[1].strings[0], WATCH_STRING, "/sys/other/state");
	EXPECT_EQ(0, choose(self, NULL, &nr));
	/* What the user named counts. */
	snprintf(self->calls.events.data[1].strings[0], WATCH_STRING, "/etc/tool.conf");
	EXPECT_EQ(-ENOENT, choose(self, NULL, &nr));
}

TEST_F(calls, a_program_that_is_silent_may_have_missed_the_file_that_it_looked_for)
{
	uint32_t nr = 0;

	fails(self, NR_MKDIR, -EACCES, "/x");
	fails(self, NR_STAT, -ENOENT, "/run/tool");
	add(self, WATCH_EXITED, 10, 231, 1, NULL);
	EXPECT_EQ(-EACCES, choose(self, NULL, &nr));
	self->calls.events.data[0] = self->calls.events.data[1];
	EXPECT_EQ(-ENOENT, choose(self, NULL, &nr));
	EXPECT_EQ(CHOICE_STATUS, self->chosen_by);
}

TEST_F(calls, of_failures_with_the_errno_of_a_complaint_one_that_is_no_look_wins)
{
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -ENOENT, "none");
	fails(self, NR_OPEN, -ENOENT, "/etc/other");
	writes(self, 10, "No such file or directory\n");
	EXPECT_EQ(-ENOENT, choose(self, NULL, &nr));
	EXPECT_EQ(NR_MOUNT, nr);
	self->calls.events.data[0] = self->calls.events.data[1];
	EXPECT_EQ(-ENOENT, choose(self, NULL, &nr));
	EXPECT_EQ(NR_OPEN, nr);
}

TEST(a_long_path_of_which_the_end_was_not_read_is_known_by_its_beginning)
{
	struct watch_event look = { .kind = WATCH_FAILED, .result = -ENOENT, .have = 1 };
	char text[2 * WATCH_STRING] = {};

	memset(look.strings[0], 'x', WATCH_STRING - 1);
	look.strings[0][0] = '/';
	strcpy(text, look.strings[0]);
	strcat(text, "more");
	EXPECT_TRUE(look_is_pointed_to(&look, NULL, text));
	EXPECT_FALSE(look_is_pointed_to(&look, NULL, NULL));
	look.strings[0][WATCH_STRING - 2] = '\0';
	EXPECT_FALSE(look_is_pointed_to(&look, NULL, text));
}

static void kernel_says(FIXTURE_DATA(calls) * self, const char *text)
{
	struct watch_event *call = &self->calls.events.data[self->calls.events.len - 1], *said;

	call->called_ns = 1000 + self->calls.events.len;
	add(self, WATCH_SAID, 10, 0, strlen(text), NULL);
	said = &self->calls.events.data[self->calls.events.len - 1];
	call = said - 1;
	said->tid = call->tid;
	said->called_ns = call->called_ns;
	snprintf(said->said, sizeof(said->said), "%s", text);
}

TEST_F(calls, a_complaint_that_repeats_what_the_kernel_said_is_about_that_call)
{
	uint32_t nr;

	fails(self, NR_RENAME, -EINVAL, NULL);
	kernel_says(self, "Nexthop has invalid gateway");
	fails(self, NR_OPEN, -EACCES, "/etc/other");
	kernel_says(self, "No");
	writes(self, 10, "Error: Nexthop has invalid gateway. No.\n");
	EXPECT_EQ(-EINVAL, choose(self, NULL, &nr));
	EXPECT_EQ(NR_RENAME, nr);
	EXPECT_FALSE(self->calls.unnamed);
	writes(self, 10, "Error: something else\n");
	EXPECT_EQ(-EINVAL, choose(self, NULL, &nr));
}

TEST(an_errno_is_known_in_the_language_of_the_environment)
{
	char complaint[200];
	const char *text;
	locale_t locale;

	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("LANGUAGE", "de", 1);
	locale = newlocale(LC_ALL_MASK, "", (locale_t)0);
	text = strerror_l(EEXIST, locale);
	freelocale(locale);
	if (!strcmp(text, strerror(EEXIST)))
		SKIP(return, "the C library has no German here");
	snprintf(complaint, sizeof(complaint), "ln: '/tmp/e2': %s", text);
	EXPECT_EQ(strlen(text), complaint_names(complaint, EEXIST));
	EXPECT_EQ(0, complaint_names(complaint, EACCES));
	EXPECT_EQ(EEXIST, complaint_errno(complaint));
	EXPECT_LT(0, complaint_names("ln: /tmp/e2: File exists", EEXIST));
}

TEST(a_path_is_in_a_complaint_if_it_is_a_word_there)
{
	EXPECT_TRUE(complaint_has_path("/mnt: bad", "/mnt"));
	EXPECT_TRUE(complaint_has_path("cannot use '/mnt'", "/mnt"));
	EXPECT_TRUE(complaint_has_path("on /mnt/a or /mnt.", "/mnt"));
	EXPECT_TRUE(complaint_has_path("/mnt", "/mnt"));
	EXPECT_FALSE(complaint_has_path("/mnt/a", "/mnt"));
	EXPECT_FALSE(complaint_has_path("a/mnt", "/mnt"));
	EXPECT_FALSE(complaint_has_path("./mnt", "/mnt"));
	EXPECT_FALSE(complaint_has_path("/mnt.old", "/mnt"));
	EXPECT_FALSE(complaint_has_path("anything", ""));
}

TEST_F(calls, what_the_c_library_and_searches_fail_with_does_not_win)
{
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -EINVAL, "none");
	fails(self, NR_OPEN, -ENOENT, "/usr/share/locale/de/libc.mo");
	fails(self, NR_OPEN, -ENOENT, "/usr/local/bin/tool");
	fails(self, NR_OPEN, -ENOENT, "/usr/bin/tool");
	fails(self, NR_IOCTL, -ENOTTY, NULL);
	fails(self, NR_READ, -EAGAIN, NULL);
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), -EINVAL);
}

TEST_F(calls, what_other_libraries_look_for_does_not_win)
{
	static const char *const paths[] = { "/sys/fs/selinux", "/selinux", "/etc/selinux/config",
					     "/sys/fs/smackfs" };
	char cat[] = "cat", path[] = "/etc/selinux/config", *command[] = { cat, path, NULL };
	uint32_t nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		fails(self, NR_STAT, -ENOENT, paths[i]);
	fails(self, NR_PRCTL, -EINVAL, NULL);
	self->calls.events.data[4].args[0] = 23;	/* PR_CAPBSET_READ */
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), 0);
	self->calls.events.data[4].args[0] = 24;
	EXPECT_EQ(choose(self, NULL, &nr), -EINVAL);
	self->calls.events.data[4].args[0] = 23;
	self->calls.command = command;
	EXPECT_EQ(choose(self, NULL, &nr), -ENOENT);
}

TEST_F(calls, a_socket_that_ping_can_do_without_does_not_win)
{
	struct watch_event *socket;
	uint32_t nr = 0;

	fails(self, NR_SOCKET, -EACCES, NULL);
	socket = &self->calls.events.data[0];
	socket->args[1] = SOCK_DGRAM | SOCK_CLOEXEC;
	socket->args[2] = IPPROTO_ICMP;
	writes(self, 10, "no such host\n");
	EXPECT_EQ(0, choose(self, NULL, &nr));
	socket->args[2] = IPPROTO_ICMPV6;
	EXPECT_EQ(0, choose(self, NULL, &nr));
	socket->args[1] = SOCK_RAW;
	EXPECT_EQ(-EACCES, choose(self, NULL, &nr));
	socket->args[1] = SOCK_DGRAM;
	socket->args[2] = IPPROTO_UDP;
	EXPECT_EQ(-EACCES, choose(self, NULL, &nr));
}

TEST_F(calls, what_perror_cannot_duplicate_does_not_win)
{
	uint32_t nr;

	fails(self, NR_OPEN, -EMFILE, "/dev/null");
	fails(self, NR_DUP, -EMFILE, NULL);
	self->calls.events.data[1].args[0] = STDERR_FILENO;
	writes(self, 10, "open: Too many open files\n");
	EXPECT_EQ(choose(self, NULL, &nr), -EMFILE);
	EXPECT_EQ(NR_OPEN, nr);
	/* Another descriptor is another matter. */
	self->calls.events.data[1].args[0] = STDOUT_FILENO;
	EXPECT_EQ(choose(self, NULL, &nr), -EMFILE);
	EXPECT_EQ(NR_DUP, nr);
}

TEST_F(calls, a_descriptor_that_a_shell_finds_free_does_not_win)
{
	uint32_t nr = 0;

	fails(self, NR_FCNTL, -EBADF, NULL);
	self->calls.events.data[0].args[1] = F_GETFD;
	writes(self, 10, "done\n");
	EXPECT_EQ(0, choose(self, NULL, &nr));
	self->calls.events.data[0].args[1] = F_SETFD;
	EXPECT_EQ(-EBADF, choose(self, NULL, &nr));
}

TEST_F(calls, closing_what_is_not_open_does_not_win_unless_it_is_named)
{
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -EINVAL, "none");
	fails(self, NR_CLOSE, -EBADF, NULL);
	writes(self, 10, "cannot go on\n");
	EXPECT_EQ(-EINVAL, choose(self, NULL, &nr));
	fails(self, NR_CLOSE, -EBADF, NULL);
	writes(self, 10, "close: Bad file descriptor\n");
	EXPECT_EQ(-EBADF, choose(self, NULL, &nr));
	EXPECT_EQ(NR_CLOSE, nr);
}

TEST_F(calls, another_call_of_what_is_not_open_wins_over_closing_it)
{
	uint32_t nr = 0;

	fails(self, NR_READ, -EBADF, NULL);
	fails(self, NR_CLOSE, -EBADF, NULL);
	writes(self, 10, "Bad file descriptor\n");
	EXPECT_EQ(-EBADF, choose(self, NULL, &nr));
	EXPECT_EQ(NR_READ, nr);
}

TEST_F(calls, a_terminal_that_is_not_there_does_not_win_unless_it_is_named)
{
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -EINVAL, "none");
	fails(self, NR_OPENAT, -ENXIO, "/dev/tty");
	writes(self, 10, "cannot go on\n");
	EXPECT_EQ(-EINVAL, choose(self, NULL, &nr));
	writes(self, 10, "/dev/tty: No such device or address\n");
	EXPECT_EQ(-ENXIO, choose(self, NULL, &nr));
}

TEST_F(calls, a_shell_complains_about_what_exited_before)
{
	uint32_t nr = 0;

	add(self, WATCH_FAILED, 11, NR_MOUNT, -ENODEV, "none");
	add(self, WATCH_EXITED, 11, 231, 255, NULL);
	writes(self, 10, "setup failed\n");
	add(self, WATCH_FAILED, 12, NR_MKDIR, -EEXIST, "/");
	add(self, WATCH_EXITED, 12, 231, 1, NULL);
	add(self, WATCH_EXITED, 10, 231, 1, NULL);
	EXPECT_EQ(-ENODEV, choose(self, NULL, &nr));
	EXPECT_EQ(CHOICE_STATUS, self->chosen_by);
	/* Each of its messages may be the reason that it ends; so the last is. */
	writes(self, 10, "cannot clean up\n");
	EXPECT_EQ(-EEXIST, choose(self, NULL, &nr));
}

TEST_F(calls, a_shell_that_says_what_it_does_complains_about_nothing)
{
	uint32_t nr = 0;

	writes(self, 10, "mounting\n");
	add(self, WATCH_FAILED, 11, NR_MOUNT, -ENODEV, "none");
	add(self, WATCH_EXITED, 11, 231, 255, NULL);
	add(self, WATCH_EXITED, 10, 231, 1, NULL);
	EXPECT_EQ(-ENODEV, choose(self, NULL, &nr));
}

TEST_F(calls, what_exited_with_a_complaint_of_its_own_goes_before_a_shells_message)
{
	uint32_t nr = 0;

	add(self, WATCH_FAILED, 11, NR_MOUNT, -ENODEV, "none");
	writes(self, 11, "mount: No such device\n");
	add(self, WATCH_EXITED, 11, 231, 255, NULL);
	add(self, WATCH_FAILED, 12, NR_MKDIR, -EEXIST, "/");
	add(self, WATCH_EXITED, 12, 231, 1, NULL);
	writes(self, 10, "setup failed\n");
	EXPECT_EQ(-ENODEV, choose(self, NULL, &nr));
	EXPECT_EQ(CHOICE_COMPLAINT, self->chosen_by);
}

TEST_F(calls, a_stream_that_cannot_seek_does_not_win_but_a_program_that_wants_to_seek_does)
{
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -EINVAL, "none");
	fails(self, NR_LSEEK, -ESPIPE, NULL);
	self->calls.events.data[1].args[0] = 2;
	self->calls.events.data[1].args[2] = SEEK_CUR;
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), -EINVAL);
	EXPECT_EQ(nr, NR_MOUNT);
	self->calls.events.data[1].args[1] = 512;
	EXPECT_EQ(choose(self, NULL, &nr), -ESPIPE);
}

TEST_F(calls, directories_that_the_loader_looked_for_libraries_in_do_not_win)
{
	uint32_t nr = 0;

	fails(self, NR_OPEN, -ENOENT, "/lib/tls/x86_64/libc.so.6");
	fails(self, NR_STAT, -ENOENT, "/lib/tls/x86_64");
	fails(self, NR_OPEN, -ENOENT, "/lib/tls/libc.so.6");
	fails(self, NR_STAT, -ENOENT, "/lib/tls");
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), 0);
	/* Another directory is one that the program asked for. */
	self->calls.events.len--;
	fails(self, NR_STAT, -ENOENT, "/lib/tlsx");
	writes(self, 10, "no /lib/tlsx\n");
	EXPECT_EQ(choose(self, NULL, &nr), -ENOENT);
	EXPECT_EQ(nr, NR_STAT);
}

/* Each adds a name and a directory to what was searched for, the file before them only a name. */
TEST_F(calls, any_number_of_libraries_and_directories_may_be_missing)
{
	char path[64];
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -EINVAL, "none");
	fails(self, NR_OPEN, -ENOENT, "ld.so.preload");
	for (int i = 0; i < 40; i++) {
		snprintf(path, sizeof(path), "/lib/%d/lib%d.so.6", i, i);
		fails(self, NR_OPEN, -ENOENT, path);
		EXPECT_EQ(choose(self, NULL, &nr), 0);
	}
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), -EINVAL);
	EXPECT_EQ(nr, NR_MOUNT);
}

TEST_F(calls, a_file_that_is_not_there_is_no_search)
{
	uint32_t nr = 0;

	fails(self, NR_OPEN, -ENOENT, "/missing");
	writes(self, 10, "no /missing\n");
	EXPECT_EQ(choose(self, NULL, &nr), -ENOENT);
}

TEST_F(calls, paths_of_the_command_line_are_no_search)
{
	static char *const copy[] = { (char *)"cp", (char *)"/missing/x", (char *)"/tmp/x", NULL };
	static char *const shell[] = { (char *)"sh", (char *)"-c", (char *)"cp /missing/x /tmp/x", NULL };
	static char *const tool[] = { (char *)"env", (char *)"x", NULL };
	uint32_t nr = 0;

	fails(self, NR_STAT, -ENOENT, "/tmp/x");
	fails(self, NR_STAT, -ENOENT, "/missing/x");
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), 0);
	self->calls.command = tool;
	EXPECT_EQ(choose(self, NULL, &nr), 0);
	self->calls.command = shell;
	EXPECT_EQ(choose(self, NULL, &nr), -ENOENT);
	self->calls.command = copy;
	EXPECT_EQ(choose(self, NULL, &nr), -ENOENT);
	EXPECT_EQ(nr, NR_STAT);
	EXPECT_STREQ("/missing/x", self->calls.v.data[0].event.strings[0]);
}

TEST_F(calls, a_program_that_is_in_no_directory_is_chosen_if_nothing_else_failed)
{
	uint32_t nr = 0;

	fails(self, NR_EXECVE, -ENOENT, "/usr/bin/tool");
	fails(self, NR_EXECVE, -ENOENT, "/bin/tool");
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), -ENOENT);
	EXPECT_EQ(nr, NR_EXECVE);
}

TEST_F(calls, another_failure_goes_before_a_program_that_is_in_no_directory)
{
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -EINVAL, "none");
	fails(self, NR_EXECVE, -ENOENT, "/usr/bin/tool");
	fails(self, NR_EXECVE, -ENOENT, "/bin/tool");
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), -EINVAL);
}

TEST_F(calls, that_no_process_can_be_made_is_no_failure_that_programs_expect)
{
	uint32_t nr = 0;

	fails(self, NR_CLONE, -EAGAIN, NULL);
	fails(self, NR_READ, -EAGAIN, NULL);
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), -EAGAIN);
	EXPECT_EQ(nr, NR_CLONE);
}

TEST_F(calls, a_limit_is_no_failure_that_programs_expect)
{
	uint32_t nr = 0;

	fails(self, NR_MKDIR, -EEXIST, "/tmp/x");
	fails(self, NR_CONNECT, -EAGAIN, NULL);
	fails(self, NR_READ, -EAGAIN, NULL);
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), -EAGAIN);
	EXPECT_EQ(nr, NR_CONNECT);
}

/* Their numbers are others. */
TEST_F(calls, calls_of_32_bit_programs_may_be_transfers)
{
	struct watch_event event = { .kind = WATCH_FAILED, .pid = 10, .tid = 10, .nr = NR_CONNECT,
				     .result = -EAGAIN, .compat = true };
	uint32_t nr = 0;

	fails(self, NR_MKDIR, -EINVAL, NULL);
	ASSERT_EQ(failed_calls_add(&self->calls, &event), 0);
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), -EINVAL);
}

TEST_F(calls, a_program_that_was_found_in_the_end_is_not_chosen)
{
	uint32_t nr = 0;

	fails(self, NR_EXECVE, -ENOENT, "/usr/bin/tool");
	fails(self, NR_EXECVE, -ENOENT, "/bin/tool");
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	strcpy(self->calls.events.data[2].comm, "tool");
	EXPECT_EQ(choose(self, NULL, &nr), 0);
}

/* A script without "#!": the kernel does not know its format, and a shell runs it. */
TEST_F(calls, a_program_that_was_run_in_another_way_in_the_end_is_not_chosen)
{
	uint32_t nr = 0;

	fails(self, NR_EXECVE, -ENOEXEC, "/tmp/script");
	add(self, WATCH_EXITED, 10, 231, 127, NULL);
	EXPECT_EQ(-ENOEXEC, choose(self, NULL, &nr));
	EXPECT_EQ(CHOICE_STATUS, self->chosen_by);
	strcpy(self->calls.events.data[1].comm, "script");
	EXPECT_EQ(0, choose(self, NULL, &nr));
}

TEST_F(calls, a_status_counts_where_nothing_was_written)
{
	uint32_t nr = 0;

	fails(self, NR_MKDIR, -EEXIST, "/x");
	add(self, WATCH_EXITED, 10, 231, 1, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), -EEXIST);
	EXPECT_EQ(self->chosen_by, CHOICE_STATUS);
}

TEST_F(calls, a_command_that_succeeds_in_silence_has_nothing_to_explain)
{
	uint32_t nr = 0;

	fails(self, NR_MOUNT, -EINVAL, NULL);
	fails(self, NR_MKDIR, -EEXIST, "/x");
	EXPECT_EQ(choose(self, NULL, &nr), 0);
}

TEST_F(calls, of_two_processes_the_one_that_complains_counts)
{
	uint32_t nr = 0;

	add(self, WATCH_FAILED, 11, NR_MKDIR, -EEXIST, "/x");
	add(self, WATCH_FAILED, 10, NR_MOUNT, -EINVAL, NULL);
	add(self, WATCH_WROTE, 11, 1, 5, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), -EEXIST);
}

TEST_F(calls, errno_system_call_and_number_are_asked_for)
{
	const uint32_t mkdir = NR_MKDIR;
	uint32_t nr = 0;

	fails(self, NR_MKDIR, -EEXIST, "/x");
	fails(self, NR_MOUNT, -EINVAL, NULL);
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	EXPECT_EQ(choose(self, &(struct call_choice){ .nr = &mkdir }, &nr), -EEXIST);
	EXPECT_EQ(choose(self, &(struct call_choice){ .err = EEXIST }, &nr), -EEXIST);
	EXPECT_EQ(choose(self, &(struct call_choice){ .number = 2 }, &nr), -EINVAL);
	EXPECT_EQ(self->chosen_by, CHOICE_ASKED);
	EXPECT_EQ(choose(self, &(struct call_choice){ .err = EPERM }, &nr), 0);
}

TEST_F(calls, calls_that_are_alike_are_counted_and_the_chosen_one_has_its_place)
{
	uint32_t nr = 0;

	fails(self, NR_MKDIR, -EEXIST, "/x");
	fails(self, NR_MKDIR, -EEXIST, "/y");
	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	fails(self, NR_MKDIR, -EEXIST, "/z");
	EXPECT_EQ(choose(self, NULL, &nr), -EEXIST);
	ASSERT_EQ(self->calls.v.len, 1);
	EXPECT_EQ(self->calls.v.data[0].count, 3);
	EXPECT_EQ(self->calls.v.data[0].nth, 2);
	EXPECT_STREQ(self->calls.v.data[0].event.strings[0], "/y");
}

TEST_F(calls, nothing_that_failed_is_nothing_to_explain)
{
	uint32_t nr = 0;

	add(self, WATCH_WROTE, 10, 1, 20, NULL);
	EXPECT_EQ(choose(self, NULL, &nr), 0);
}

/* Whether a failure that comes next is the one that is waited for; it is added. */
static bool comes(FIXTURE_DATA(calls) * self, const struct call_choice *choice, uint32_t nr,
		  int64_t result, const char *path)
{
	struct watch_event event = { .kind = WATCH_FAILED, .nr = nr, .result = result,
				     .comm = "program" };
	bool wanted;

	if (path) {
		event.have = 1;
		snprintf(event.strings[0], sizeof(event.strings[0]), "%s", path);
	}
	wanted = failed_calls_is_wanted(&self->calls, &event, choice, &numbers);
	if (failed_calls_add(&self->calls, &event))
		abort();
	return wanted;
}

TEST_F(calls, without_a_command_failures_that_programs_expect_are_passed_over)
{
	const struct call_choice next = { .next = true };
	uint32_t nr = 0;

	EXPECT_FALSE(comes(self, &next, NR_READ, -EAGAIN, NULL));
	EXPECT_FALSE(comes(self, &next, NR_IOCTL, -ENOTTY, NULL));
	/* It may be looked for elsewhere next. */
	EXPECT_FALSE(comes(self, &next, NR_OPEN, -ENOENT, "/usr/lib/x"));
	EXPECT_FALSE(comes(self, &next, NR_STAT, -ENOENT, "/usr/lib/x"));
	EXPECT_FALSE(comes(self, &next, NR_EXECVE, -ENOENT, "/usr/bin/x"));
	/* It only was to be gone. */
	EXPECT_FALSE(comes(self, &next, NR_UNLINK, -ENOENT, "/run/x.pid"));
	EXPECT_FALSE(comes(self, &next, NR_TRUNCATE, -ENOENT, "base/5/16389_init"));
	/* It only was to be there. */
	EXPECT_FALSE(comes(self, &next, NR_MKDIR, -EEXIST, "/x"));
	EXPECT_FALSE(comes(self, &next, NR_GETXATTR, -ENODATA, "/x"));
	EXPECT_FALSE(comes(self, &next, NR_GETXATTR, -EOPNOTSUPP, "/x"));
	EXPECT_TRUE(comes(self, &next, NR_RENAME, -EEXIST, "/x"));
	EXPECT_EQ(choose(self, &next, &nr), -EEXIST);
	EXPECT_EQ(nr, NR_RENAME);
	EXPECT_EQ(self->chosen_by, CHOICE_NEXT);
}

TEST_F(calls, without_a_command_waits_that_end_by_time_and_questions_of_runtimes_are_passed_over)
{
	struct watch_event event = { .kind = WATCH_FAILED, .nr = NR_EPOLL_CTL, .result = -EPERM, .args = { 5, 1 } };
	const struct call_choice next = { .next = true };

	EXPECT_FALSE(comes(self, &next, NR_FUTEX, -ETIMEDOUT, NULL));
	EXPECT_FALSE(failed_calls_is_wanted(&self->calls, &event, &next, &numbers));
	/* That descriptor was not added before. */
	event.args[1] = 3;
	EXPECT_TRUE(failed_calls_is_wanted(&self->calls, &event, &next, &numbers));
	/* Whether a process is there; and one that was to get a signal. */
	event = (struct watch_event){ .kind = WATCH_FAILED, .nr = NR_KILL, .result = -ESRCH, .args = { 7 } };
	EXPECT_FALSE(failed_calls_is_wanted(&self->calls, &event, &next, &numbers));
	event.args[1] = 15;
	EXPECT_TRUE(failed_calls_is_wanted(&self->calls, &event, &next, &numbers));
	/* The peer did not answer. */
	EXPECT_TRUE(comes(self, &next, NR_READ, -ETIMEDOUT, NULL));
}

TEST_F(calls, without_a_command_a_missing_part_of_a_path_is_a_failure_of_what_looks_for_nothing)
{
	const struct call_choice next = { .next = true };
	uint32_t nr = 0;

	EXPECT_TRUE(comes(self, &next, NR_MKDIR, -ENOENT, "/nosuch/x"));
	EXPECT_EQ(-ENOENT, choose(self, &next, &nr));
	EXPECT_EQ(NR_MKDIR, nr);
}

TEST_F(calls, without_a_command_what_is_asked_for_is_waited_for)
{
	const uint32_t mkdir = NR_MKDIR;
	const struct call_choice both = { .nr = &mkdir, .err = ENOENT, .next = true };

	EXPECT_FALSE(comes(self, &both, NR_OPEN, -ENOENT, "/x"));
	EXPECT_FALSE(comes(self, &both, NR_MKDIR, -EEXIST, "/x"));
	EXPECT_TRUE(comes(self, &both, NR_MKDIR, -ENOENT, "/x/y"));
}

TEST_F(calls, without_a_command_a_number_waits_for_as_many_kinds)
{
	const struct call_choice third = { .number = 3, .next = true };
	uint32_t nr = 0;

	EXPECT_FALSE(comes(self, &third, NR_OPEN, -ENOENT, "/x"));
	EXPECT_FALSE(comes(self, &third, NR_MKDIR, -EEXIST, "/x"));
	EXPECT_FALSE(comes(self, &third, NR_OPEN, -ENOENT, "/y"));
	EXPECT_TRUE(comes(self, &third, NR_MOUNT, -EINVAL, NULL));
	EXPECT_EQ(choose(self, &third, &nr), -EINVAL);
}

TEST_F(calls, what_the_kernel_says_belongs_to_the_call_of_that_task_that_it_was_said_in)
{
	struct watch_event said = { .kind = WATCH_SAID, .pid = 10, .tid = 10, .called_ns = 100,
				    .said = "text" };
	struct watch_event call = { .kind = WATCH_FAILED, .pid = 10, .tid = 10, .called_ns = 100 };
	const struct watch_event *first, *second;

	ASSERT_EQ(failed_calls_add(&self->calls, &said), 0);
	/* An earlier call of the same task, and another task in a call of the same time. */
	said.called_ns = 90;
	ASSERT_EQ(failed_calls_add(&self->calls, &said), 0);
	said.called_ns = 100;
	said.tid = 11;
	ASSERT_EQ(failed_calls_add(&self->calls, &said), 0);
	said.tid = 10;
	ASSERT_EQ(failed_calls_add(&self->calls, &said), 0);
	first = failed_calls_said(&self->calls, &call, NULL);
	EXPECT_EQ(first, &self->calls.events.data[0]);
	second = failed_calls_said(&self->calls, &call, first);
	EXPECT_EQ(second, &self->calls.events.data[3]);
	/* The end of a line. */
	*said.said = '\0';
	ASSERT_EQ(failed_calls_add(&self->calls, &said), 0);
	second = &self->calls.events.data[3];
	EXPECT_EQ(failed_calls_said(&self->calls, &call, second), NULL);
	/* A call whose beginning was not seen has no time. */
	call.called_ns = 0;
	EXPECT_EQ(failed_calls_said(&self->calls, &call, NULL), NULL);
}

static const char *trimmed(struct watch_event *said, uint32_t source, int64_t len, const char *text)
{
	char *copy = strdup(text);

	*said = (struct watch_event){ .kind = WATCH_SAID, .nr = source, .result = len };
	said_fill(said, copy);
	free(copy);
	return said->said;
}

/* A message of printk(), as the kernel's buffer has it; @len bytes of it. */
static void printed(FIXTURE_DATA(calls) *self, uint32_t tid, const char *buffer, int64_t len)
{
	struct watch_event said = { .kind = WATCH_SAID, .pid = 10, .tid = tid, .called_ns = 100,
				    .nr = WATCH_PRINTK, .result = len };
	char *copy = strdup(buffer);

	said_fill(&said, copy);
	free(copy);
	if (failed_calls_add(&self->calls, &said))
		abort();
}

static const char *lines;

static bool is_one_of_lines(const char *text)
{
	const char *at = strstr(lines, text);

	return at && (at == lines || at[-1] == '\n') && at[strlen(text)] == '\n';
}

static const char *message(FIXTURE_DATA(calls) *self, size_t i)
{
	return self->calls.events.data[i].said;
}

TEST_F(calls, parts_of_a_line_of_the_log_are_one_message)
{
	/* The level's mark was moved over, and is not counted, nor is the end of the line. */
	printed(self, 10, "rejected in in ", 12);
	printed(self, 11, "other\n", 5);
	printed(self, 10, "/ac", 2);
	printed(self, 10, "\001c\n", 0);
	printed(self, 10, "nextxt\n", 4);
	lines = "x\nrejected in /a\nnext\n";
	said_join(&self->calls, is_one_of_lines);
	EXPECT_STREQ("rejected in /a", message(self, 0));
	EXPECT_STREQ("other", message(self, 1));
	EXPECT_STREQ("", message(self, 2));
	EXPECT_STREQ("", message(self, 3));
	EXPECT_STREQ("next", message(self, 4));
}

TEST_F(calls, messages_without_an_end_may_be_lines_of_their_own)
{
	printed(self, 10, "firstrst", 5);
	printed(self, 10, "secondnd", 6);
	printed(self, 10, "thirdrd\n", 5);
	lines = "first\nsecondthird\n";
	said_join(&self->calls, is_one_of_lines);
	EXPECT_STREQ("first", message(self, 0));
	EXPECT_STREQ("secondthird", message(self, 1));
	EXPECT_STREQ("", message(self, 2));
	/* A line that has ended is not asked for. */
	printed(self, 10, "fourthth\n", 6);
	printed(self, 10, "fifthth\n", 5);
	lines = "fourthfifth\n";
	said_join(&self->calls, is_one_of_lines);
	EXPECT_STREQ("fourth", message(self, 3));
}

TEST(records_of_the_log_have_escaped_text)
{
	EXPECT_TRUE(said_record_is("6,339,5140900,-,caller=T1;a b\n SUBSYSTEM=x\n", "a b"));
	EXPECT_TRUE(said_record_is("6,339,5140900,c;a\\x1bb\n", "a\033b"));
	EXPECT_FALSE(said_record_is("6,339,5140900,-;a b\n", "a"));
	EXPECT_FALSE(said_record_is("6,339,5140900,-;a b\n", "a b c"));
	EXPECT_FALSE(said_record_is("6,339,5140900,-;a b", "a b"));
	EXPECT_FALSE(said_record_is("a b\n", "a b"));
	EXPECT_FALSE(said_record_is("", ""));
}

TEST(marks_of_levels_and_ends_of_lines_are_taken_off)
{
	char text[2 * WATCH_SAID_SIZE] = {};
	struct watch_event said;

	EXPECT_STREQ(trimmed(&said, WATCH_PRINTK, -1, "\0014\001ctmpfs: x\n"), "tmpfs: x");
	EXPECT_STREQ(trimmed(&said, WATCH_PRINTK, 5, "tmpfs and what follows"), "tmpfs");
	EXPECT_STREQ(trimmed(&said, WATCH_PRINTK, -1, "\001"), "\001");
	EXPECT_STREQ(trimmed(&said, WATCH_PRINTK, 0, "nothing"), "");
	EXPECT_STREQ(trimmed(&said, WATCH_FSOPEN, -1, "e tmpfs: x"), "tmpfs: x");
	EXPECT_STREQ(trimmed(&said, WATCH_NETLINK, -1, "e x"), "e x");
	EXPECT_STREQ(said_source(&said), "netlink");
	EXPECT_STREQ("0: (95) exit\nR0 !read_ok",
		     trimmed(&said, WATCH_VERIFIER, -1,
			     "func#0 @0\n0: (95) exit\nR0 !read_ok\nprocessed 1 insns (limit 1000000)\n"));
	EXPECT_STREQ(said_source(&said), "verifier");
	EXPECT_STREQ("unknown opcode 8f", trimmed(&said, WATCH_VERIFIER, -1, "unknown opcode 8f\n"));
	EXPECT_STREQ("R0 !read_ok", trimmed(&said, WATCH_VERIFIER, WATCH_SAID_CUT, "95) exit\nR0 !read_ok\n"));
	EXPECT_STREQ("ok", trimmed(&said, WATCH_VERIFIER, WATCH_SAID_CUT, "ok"));
	EXPECT_STREQ("", trimmed(&said, WATCH_VERIFIER, -1, "processed 1 insns\nprocessed 2\n\n"));
	EXPECT_STREQ("", trimmed(&said, WATCH_VERIFIER, -1, ""));
	said.nr = 77;
	EXPECT_STREQ(said_source(&said), "?");
	/* As long as there is room, with no end. */
	memset(text, 'x', sizeof(text) - 1);
	trimmed(&said, WATCH_PRINTK, INT64_MAX, text);
	EXPECT_EQ(strlen(said.said), sizeof(said.said) - 1);
	trimmed(&said, WATCH_VERIFIER, -1, text);
	EXPECT_EQ(strlen(said.said), sizeof(said.said) - 1);
}

#define EXPLANATION \
	"Verification failed: Register Type Safety: Unreadable register\n\n" \
	"Reason:\n  R0 has never been initialized on this path, so the verifier cannot use\n" \
	"  it as an input.\n\nAt:\n  insn 0\n       | ^-- error: R0 is not readable\n\n" \
	"Suggestion:\n  Initialize R0.\n\nprocessed 1 insns (limit 1000000)\n"

TEST(the_explanation_of_the_verifier_is_its_reason)
{
	struct watch_event said;
	char text[1024] = {};

	EXPECT_STREQ("0: (95) exit\nR0 !read_ok\nR0 has never been initialized on this path, so the "
		     "verifier cannot use it as an input.",
		     trimmed(&said, WATCH_VERIFIER, -1,
			     "0: R1=ctx()\n0: (95) exit\nR0 !read_ok\n\n" EXPLANATION));
	EXPECT_STREQ("unreachable insn 2",
		     trimmed(&said, WATCH_VERIFIER, -1,
			     "unreachable insn 2\n\nVerification failed: Program Structure\n"));
	/* The title in the middle of a line is not it. */
	EXPECT_STREQ("a Verification failed: b",
		     trimmed(&said, WATCH_VERIFIER, -1, "a Verification failed: b\n"));
	EXPECT_STREQ("y", trimmed(&said, WATCH_VERIFIER, -1, "Verification failed: 1\nReason:\n  y"));
	/* A reason that does not fit is left out. */
	memset(text, 'x', WATCH_SAID_SIZE - 20);
	strcat(text, "\n\n" EXPLANATION);
	trimmed(&said, WATCH_VERIFIER, -1, text);
	EXPECT_EQ(WATCH_SAID_SIZE - 20, strspn(said.said, "x"));
	EXPECT_EQ(WATCH_SAID_SIZE - 20, strlen(said.said));
	/* Nor is an instruction, with the registers' values behind it. */
	memset(text, 'x', WATCH_SAID_SIZE);
	strcpy(text + WATCH_SAID_SIZE, "\nR0 !read_ok\n");
	EXPECT_STREQ("R0 !read_ok", trimmed(&said, WATCH_VERIFIER, -1, text));
}

TEST_F(calls, requests_by_netlink_are_not_alike_with_calls_that_fail)
{
	struct watch_event event = { .kind = WATCH_FAILED, .pid = 10, .tid = 10, .nr = 46,
				     .result = -EEXIST, .comm = "program" };

	ASSERT_EQ(0, failed_calls_add(&self->calls, &event));
	event.netlink = NETLINK_ROUTE + 1;
	event.netlink_type = RTM_NEWLINK;
	ASSERT_EQ(0, failed_calls_add(&self->calls, &event));
	event.netlink_type = RTM_NEWADDR;
	ASSERT_EQ(0, failed_calls_add(&self->calls, &event));
	ASSERT_EQ(0, failed_calls_group(&self->calls, &numbers));
	ASSERT_EQ(2, self->calls.v.len);
	EXPECT_EQ(2, self->calls.v.data[1].count);
}

static void requests(FIXTURE_DATA(calls) * self, uint32_t nr, int64_t result, uint16_t protocol, uint16_t type)
{
	struct watch_event event = { .kind = WATCH_FAILED, .pid = 10, .tid = 10, .nr = nr, .result = result,
				     .comm = "program", .netlink = protocol + 1, .netlink_type = type };

	if (failed_calls_add(&self->calls, &event))
		abort();
}

TEST_F(calls, requests_are_alike_if_the_same_function_is_called_with_them)
{
	enum { NR_SENDTO = 44, NR_SENDMSG = 46 };
	uint32_t nr = 0;

	requests(self, NR_SENDTO, -EPERM, NETLINK_ROUTE, RTM_NEWLINK);
	requests(self, NR_SENDMSG, -EPERM, NETLINK_ROUTE, RTM_NEWADDR);
	requests(self, NR_SENDMSG, -EPERM, NETLINK_NETFILTER, 10 << 8);
	requests(self, NR_SENDMSG, -EPERM, NETLINK_NETFILTER, 10 << 8 | 6);
	requests(self, NR_SENDMSG, -EPERM, NETLINK_NETFILTER, 10 << 8 | 0);
	requests(self, NR_SENDTO, -EPERM, NETLINK_NETFILTER, NFNL_MSG_BATCH_BEGIN);
	requests(self, NR_SENDMSG, -EPERM, NETLINK_NETFILTER, NFNL_MSG_BATCH_END);
	writes(self, 10, "Operation not permitted\n");
	EXPECT_EQ(-EPERM, choose(self, NULL, &nr));
	ASSERT_EQ(4, self->calls.v.len);
	EXPECT_EQ(2, self->calls.v.data[0].count);
	EXPECT_EQ(2, self->calls.v.data[1].count);
	EXPECT_EQ(1, self->calls.v.data[2].count);
	EXPECT_EQ(2, self->calls.v.data[3].count);
}

TEST_F(calls, that_nf_tables_has_no_such_chain_does_not_win_unless_it_is_complained_about)
{
	uint32_t nr = 0;

	fails(self, NR_MKDIR, -EACCES, "/x");
	requests(self, 44, -ENOENT, NETLINK_NETFILTER, 10 << 8 | 4);	/* NFT_MSG_GETCHAIN */
	writes(self, 10, "iptables: Index of insertion too big.\n");
	EXPECT_EQ(-EACCES, choose(self, NULL, &nr));
	writes(self, 10, "No such file or directory\n");
	EXPECT_EQ(-ENOENT, choose(self, NULL, &nr));
	/* To delete one is another matter. */
	self->calls.events.len--;
	self->calls.events.data[1].netlink_type = 10 << 8 | 5;	/* NFT_MSG_DELCHAIN */
	EXPECT_EQ(-ENOENT, choose(self, NULL, &nr));
}

TEST_F(calls, what_is_left_in_the_registers_of_a_look_is_no_path_of_it)
{
	struct watch_event *look;
	uint32_t nr = 0;

	fails(self, NR_STAT, -ENOENT, "/proc/version_signature");
	look = &self->calls.events.data[0];
	look->have |= 1 << 4;
	snprintf(look->strings[4], sizeof(look->strings[4]), "/tmp/bad.o");
	writes(self, 10, "failed to get section names from /tmp/bad.o\n");
	EXPECT_EQ(0, choose(self, NULL, &nr));
	snprintf(self->calls.events.data[0].strings[0], WATCH_STRING, "/tmp/bad.o");
	EXPECT_EQ(-ENOENT, choose(self, NULL, &nr));
}

TEST_F(calls, calls_that_fail_again_with_the_same_arguments_are_repeated)
{
	fails(self, NR_MOUNT, -EPERM, "none");
	fails(self, NR_MOUNT, -EPERM, "none");
	ASSERT_EQ(0, failed_calls_group(&self->calls, &numbers));
	EXPECT_EQ(2, self->calls.v.data[0].count);
	EXPECT_TRUE(self->calls.v.data[0].repeats);
	fails(self, NR_MOUNT, -EPERM, "other");
	ASSERT_EQ(0, failed_calls_group(&self->calls, &numbers));
	EXPECT_FALSE(self->calls.v.data[0].repeats);
	self->calls.events.len = 2;
	self->calls.events.data[1].args[3]++;
	ASSERT_EQ(0, failed_calls_group(&self->calls, &numbers));
	EXPECT_FALSE(self->calls.v.data[0].repeats);
	self->calls.events.data[1].args[3]--;
	self->calls.events.data[1].pid++;
	ASSERT_EQ(0, failed_calls_group(&self->calls, &numbers));
	EXPECT_FALSE(self->calls.v.data[0].repeats);
}

TEST_F(calls, iptables_has_texts_of_its_own)
{
	uint32_t nr = 0;

	requests(self, 44, -ENOENT, NETLINK_NETFILTER, 10 << 8 | 4);	/* NFT_MSG_GETCHAIN */
	fails(self, NR_OPEN, -EACCES, "/x");
	writes(self, 10, "iptables: No chain/target/match by that name.\n");
	EXPECT_EQ(-ENOENT, choose(self, NULL, &nr));
	EXPECT_FALSE(self->calls.unnamed);
	/* Not EACCES. */
	self->calls.events.len = 0;
	fails(self, NR_MOUNT, -EPERM, "none");
	fails(self, NR_OPEN, -EACCES, "/x");
	writes(self, 10, "Could not fetch rule set generation id: Permission denied (you must be root)\n");
	EXPECT_EQ(-EPERM, choose(self, NULL, &nr));
	EXPECT_EQ(EEXIST, complaint_errno("iptables: Chain already exists."));
}

/* As chattr(1) says it of ENOTTY, after it asked whether standard error is a terminal. */
TEST_F(calls, an_operation_that_is_not_supported_may_be_an_ioctl_that_the_file_does_not_have)
{
	enum { FS_IOC_GETFLAGS_NR = 0x6601, TCGETS_NR = 0x5401 };
	uint32_t nr = 0;

	fails(self, NR_IOCTL, -ENOTTY, NULL);
	self->calls.events.data[0].args[1] = FS_IOC_GETFLAGS_NR;
	fails(self, NR_IOCTL, -ENOTTY, NULL);
	self->calls.events.data[1].args[1] = TCGETS_NR;
	writes(self, 10, "chattr: Operation not supported while reading flags on /proc/version\n");
	EXPECT_EQ(-ENOTTY, choose(self, NULL, &nr));
	EXPECT_EQ(NR_IOCTL, nr);
	EXPECT_EQ(FS_IOC_GETFLAGS_NR, self->calls.v.data[0].event.args[1]);
	EXPECT_EQ(1, self->calls.v.data[0].nth);
	EXPECT_EQ(EOPNOTSUPP, self->calls.unknown_err);
	EXPECT_EQ(CHOICE_COMPLAINT, self->chosen_by);
	/* Terminals are asked for by all. */
	self->calls.events.data[0].args[1] = TCGETS_NR;
	EXPECT_EQ(0, choose(self, NULL, &nr));
	/* Another errno does not become this one. */
	self->calls.events.data[0].args[1] = FS_IOC_GETFLAGS_NR;
	self->calls.events.len--;
	writes(self, 10, "chattr: Permission denied\n");
	EXPECT_EQ(0, choose(self, NULL, &nr));
	/* A call with the errno that is named goes before. */
	self->calls.events.len--;
	fails(self, NR_MOUNT, -EOPNOTSUPP, NULL);
	writes(self, 10, "Operation not supported\n");
	EXPECT_EQ(-EOPNOTSUPP, choose(self, NULL, &nr));
}

/* As `ip link add` begins: with a header and nothing after it. */
TEST_F(calls, a_test_for_rtm_newlink_is_not_what_a_warning_is_about)
{
	uint32_t nr = 0;

	requests(self, 44, -ENODEV, NETLINK_ROUTE, RTM_NEWLINK);
	self->calls.events.data[0].args[2] = 32;
	writes(self, 10, "vxlan: destination port not specified\n");
	EXPECT_EQ(0, choose(self, NULL, &nr));
	/* A request with attributes is none. */
	self->calls.events.data[0].args[2] = 52;
	EXPECT_EQ(-ENODEV, choose(self, NULL, &nr));
	self->calls.events.data[0].args[2] = 32;
	requests(self, 46, -EEXIST, NETLINK_ROUTE, RTM_NEWLINK);
	writes(self, 10, "RTNETLINK answers: File exists\n");
	EXPECT_EQ(-EEXIST, choose(self, NULL, &nr));
}

TEST(netlink_requests_have_names_and_functions)
{
	static const struct {
		uint16_t protocol, type;
		const char *name, *function;
	} requests[] = {
		{ NETLINK_ROUTE, RTM_NEWLINK, "RTM_NEWLINK", "rtnetlink_rcv_msg" },
		{ NETLINK_ROUTE, RTM_DELADDR, "RTM_DELADDR", "rtnetlink_rcv_msg" },
		{ NETLINK_ROUTE, RTM_GETROUTE, "RTM_GETROUTE", "rtnetlink_rcv_msg" },
		{ NETLINK_ROUTE, RTM_SETLINK, "RTM_SETLINK", "rtnetlink_rcv_msg" },
		{ NETLINK_ROUTE, RTM_NEWQDISC, "RTM_NEWQDISC", "rtnetlink_rcv_msg" },
		{ NETLINK_ROUTE, RTM_NEWTFILTER, "RTM_NEWTFILTER", "rtnetlink_rcv_msg" },
		{ NETLINK_ROUTE, RTM_NEWPREFIX, "RTM_NEWPREFIX", "rtnetlink_rcv_msg" },
		{ NETLINK_ROUTE, RTM_NEWNEIGHTBL, "RTM_NEWNEIGHTBL", "rtnetlink_rcv_msg" },
		{ NETLINK_ROUTE, RTM_GETDCB, "RTM_GETDCB", "rtnetlink_rcv_msg" },
		{ NETLINK_ROUTE, RTM_NEWNSID, "RTM_NEWNSID", "rtnetlink_rcv_msg" },
		{ NETLINK_ROUTE, RTM_NEWCHAIN, "RTM_NEWCHAIN", "rtnetlink_rcv_msg" },
		{ NETLINK_ROUTE, RTM_DELNEXTHOPBUCKET, "RTM_DELNEXTHOPBUCKET", "rtnetlink_rcv_msg" },
		{ NETLINK_ROUTE, RTM_GETMULTICAST, "NETLINK_ROUTE 58", "rtnetlink_rcv_msg" },
		{ NETLINK_ROUTE, 3, "NETLINK_ROUTE 3", "rtnetlink_rcv_msg" },
		{ NETLINK_ROUTE, 65535, "NETLINK_ROUTE 65535", "rtnetlink_rcv_msg" },
		{ NETLINK_GENERIC, 25, "NETLINK_GENERIC 25", "genl_rcv_msg" },
		{ NETLINK_GENERIC, 16, "NETLINK_GENERIC nlctrl", "genl_rcv_msg" },
		{ NETLINK_XFRM, 0x10, "XFRM_MSG_NEWSA", "xfrm_user_rcv_msg" },
		{ NETLINK_XFRM, 0x28, "XFRM_MSG_GETDEFAULT", "xfrm_user_rcv_msg" },
		{ NETLINK_XFRM, 0x29, "NETLINK_XFRM 41", "xfrm_user_rcv_msg" },
		{ NETLINK_XFRM, 3, "NETLINK_XFRM 3", "xfrm_user_rcv_msg" },
		{ NETLINK_NETFILTER, 1 << 8, "IPCTNL_MSG_CT_NEW", "nfnetlink_rcv_msg" },
		{ NETLINK_NETFILTER, 1 << 8 | 8, "NETLINK_NETFILTER 264", "nfnetlink_rcv_msg" },
		{ NETLINK_NETFILTER, 6 << 8 | 9, "IPSET_CMD_ADD", "nfnetlink_rcv_msg" },
		{ NETLINK_NETFILTER, 6 << 8, "NETLINK_NETFILTER 1536", "nfnetlink_rcv_msg" },
		{ NETLINK_NETFILTER, 5 << 8, "NETLINK_NETFILTER 1280", "nfnetlink_rcv_msg" },
		{ NETLINK_NETFILTER, 10 << 8, "NFT_MSG_NEWTABLE", "nf_tables_newtable" },
		{ NETLINK_NETFILTER, 10 << 8 | 1, "NFT_MSG_GETTABLE", "nfnetlink_rcv_msg" },
		{ NETLINK_NETFILTER, 10 << 8 | 6, "NFT_MSG_NEWRULE", "nf_tables_newrule" },
		{ NETLINK_NETFILTER, 10 << 8 | 24, "NFT_MSG_DELFLOWTABLE", "nf_tables_delflowtable" },
		{ NETLINK_NETFILTER, 10 << 8 | 25, "NETLINK_NETFILTER 2585", NULL },
		{ NETLINK_NETFILTER, NFNL_MSG_BATCH_BEGIN, "NETLINK_NETFILTER 16", NULL },
		{ NETLINK_USERSOCK, 1, "1 of netlink protocol 2", NULL },
		{ 200, 1, "1 of netlink protocol 200", NULL },
	};

	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++) {
		const struct watch_event event = { .netlink = requests[i].protocol + 1,
						   .netlink_type = requests[i].type };
		struct strbuf name = STRBUF_INIT;

		netlink_name_add(&name, &event);
		EXPECT_STREQ(requests[i].name, strbuf_str(&name));
		EXPECT_STREQ(requests[i].function ?: "none", netlink_function(&event) ?: "none");
		strbuf_release(&name);
	}
	EXPECT_EQ(NULL, netlink_function(&(struct watch_event){}));
}

TEST(netfilter_refuses_requests_before_their_function_is_called)
{
	struct watch_event event = { .netlink = NETLINK_NETFILTER + 1, .result = -EPERM };

	EXPECT_NE(NULL, netlink_refuser(&event));
	event.result = -EINVAL;
	EXPECT_EQ(NULL, netlink_refuser(&event));
	event.result = -EPERM;
	event.netlink = NETLINK_ROUTE + 1;
	EXPECT_EQ(NULL, netlink_refuser(&event));
	EXPECT_EQ(NULL, netlink_refuser(&(struct watch_event){ .result = -EPERM }));
	/* The begin of a batch has no function. */
	event.netlink = NETLINK_NETFILTER + 1;
	event.netlink_type = NFNL_MSG_BATCH_BEGIN;
	ASSERT_NE(NULL, netlink_refuser(&event));
	EXPECT_EQ(NULL, strstr(netlink_refuser(&event), "was not seen"));
}

static void interrupt(FIXTURE_DATA(calls) * self, uint32_t tid, uint64_t called_ns, uint32_t signal)
{
	struct watch_event event = { .kind = WATCH_SIGNAL, .pid = tid, .tid = tid,
				     .called_ns = called_ns, .signal = signal, .signal_pid = 7 };

	if (failed_calls_add(&self->calls, &event))
		abort();
}

TEST_F(calls, a_signal_belongs_to_the_call_that_its_task_has_come_back_from)
{
	const struct watch_event *event;

	add(self, WATCH_FAILED, 10, NR_MKDIR, -EINTR, NULL);
	self->calls.events.data[0].called_ns = 5;
	add(self, WATCH_FAILED, 11, NR_MKDIR, -EINTR, NULL);
	self->calls.events.data[1].called_ns = 5;
	interrupt(self, 10, 4, SIGUSR1);
	EXPECT_EQ(0, self->calls.events.data[0].signal);
	interrupt(self, 10, 5, SIGUSR1);
	interrupt(self, 12, 5, SIGUSR1);
	ASSERT_EQ(2, self->calls.events.len);
	event = &self->calls.events.data[0];
	EXPECT_EQ(SIGUSR1, event->signal);
	EXPECT_EQ(7, event->signal_pid);
	EXPECT_EQ(0, event[1].signal);
	/* Another error was not for a signal. */
	fails(self, NR_MKDIR, -EINVAL, NULL);
	interrupt(self, 10, 0, SIGUSR1);
	EXPECT_EQ(0, self->calls.events.data[2].signal);
	/* What a signal ended is another kind of failure. */
	EXPECT_EQ(0, failed_calls_group(&self->calls, &numbers));
	EXPECT_EQ(3, self->calls.v.len);
}

TEST_F(calls, what_a_signal_ended_is_chosen_before_noise_and_after_failures)
{
	uint32_t nr = 0;

	fails(self, NR_MKDIR, -EINTR, NULL);
	interrupt(self, 10, 0, SIGUSR1);
	fails(self, NR_READ, -EAGAIN, NULL);
	add(self, WATCH_EXITED, 10, 0, 1, NULL);
	EXPECT_EQ(-EINTR, choose(self, NULL, &nr));
	EXPECT_EQ(NR_MKDIR, nr);
	self->calls.events.len--;
	fails(self, NR_MOUNT, -EINVAL, NULL);
	fails(self, NR_MKDIR, -EINTR, NULL);
	interrupt(self, 10, 0, SIGUSR1);
	add(self, WATCH_EXITED, 10, 0, 1, NULL);
	EXPECT_EQ(-EINVAL, choose(self, NULL, &nr));
	/* Without the signal it is what programs expect. */
	self->calls.events.len = 0;
	fails(self, NR_MKDIR, -EINTR, NULL);
	add(self, WATCH_EXITED, 10, 0, 1, NULL);
	EXPECT_EQ(0, choose(self, NULL, &nr));
}

TEST(the_sender_of_a_signal_is_told)
{
	static const struct {
		uint32_t signal;
		int32_t code;
		bool restartable;
		const char *text;
	} cases[] = {
		{ SIGALRM, SI_KERNEL, true, "interrupted by SIGALRM, sent by the kernel\n"
		  "  the program handles that signal without SA_RESTART\n" },
		{ SIGUSR1, SI_USER, false, "interrupted by SIGUSR1, sent by process 7\n"
		  "  the program handles that signal; no handler lets this call go on\n" },
		{ SIGCHLD, CLD_KILLED, true,
		  "interrupted by SIGCHLD, sent because of its child, process 7\n"
		  "  the program handles that signal without SA_RESTART\n" },
		/* The same code means something else in other signals. */
		{ SIGSEGV, CLD_KILLED, true, "interrupted by SIGSEGV, sent by the kernel\n"
		  "  the program handles that signal without SA_RESTART\n" },
		{ 34 + 1, SI_TIMER, true, "interrupted by SIGRTMIN+1, sent by a timer\n"
		  "  the program handles that signal without SA_RESTART\n" },
		{ 0, SI_USER, true, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct watch_event event = { .pid = 10, .signal = cases[i].signal,
					     .signal_code = cases[i].code, .signal_pid = 7,
					     .restartable = cases[i].restartable };
		struct strbuf text = STRBUF_INIT;

		interruption_text_add(&text, &event);
		EXPECT_STREQ(strbuf_str(&text), cases[i].text);
		strbuf_release(&text);
	}
}

/* A program that waits for several sockets reads the error that one has kept: that call succeeds. */
TEST_F(calls, an_error_that_a_socket_kept_is_a_failure_of_its_own)
{
	const struct watch_event set = { .kind = WATCH_SOCKET, .pid = 10, .tid = 10, .called_ns = 7,
					 .socket = { .err = ECONNREFUSED, .time_ns = 6 } };
	struct watch_event *read, other;
	uint32_t nr;

	fails(self, NR_CONNECT, -ECONNREFUSED, NULL);
	ASSERT_EQ(0, failed_calls_add(&self->calls, &set));
	fails(self, NR_CONNECT, -ECONNREFUSED, NULL);
	read = &self->calls.events.data[self->calls.events.len - 1];
	read->so_error = 1;
	read->called_ns = 7;
	other = *read;
	writes(self, 10, "cannot connect\n");
	EXPECT_EQ(-ECONNREFUSED, choose(self, NULL, &nr));
	ASSERT_EQ(2, self->calls.v.len);
	EXPECT_FALSE(self->calls.v.data[0].event.so_error);
	EXPECT_TRUE(self->calls.v.data[1].event.so_error);
	ASSERT_NE(NULL, failed_calls_socket(&self->calls, &other));
	EXPECT_EQ(6, failed_calls_socket(&self->calls, &other)->socket.time_ns);
	/* Of another call, thread, or of one whose begin was not seen, it is not. */
	other.called_ns = 8;
	EXPECT_EQ(NULL, failed_calls_socket(&self->calls, &other));
	other = self->calls.events.data[2];
	other.tid = 11;
	EXPECT_EQ(NULL, failed_calls_socket(&self->calls, &other));
	other = self->calls.events.data[2];
	other.called_ns = 0;
	EXPECT_EQ(NULL, failed_calls_socket(&self->calls, &other));
}

/* @size	bytes of the path, with or without a NUL; what follows them is not the address's */
static void set_address(struct watch_event *event, sa_family_t family, const char *path, size_t size)
{
	char *address = event->strings[1];

	memcpy(address, &family, sizeof(family));
	memcpy(address + sizeof(family), path, size);
	event->have = 0;
	event->address = 2;
	event->address_size = sizeof(family) + size;
}

TEST_F(calls, the_path_of_a_socket_is_one_that_a_complaint_may_name)
{
	uint32_t nr = 0;

	fails(self, NR_CONNECT, -ENOENT, NULL);
	set_address(&self->calls.events.data[0], AF_UNIX, "/run/tool.sock", 15);
	fails(self, NR_MKDIR, -EINVAL, NULL);
	/* That of the C library, which does without. */
	fails(self, NR_CONNECT, -ENOENT, NULL);
	set_address(&self->calls.events.data[2], AF_UNIX, "/run/nscd/socket", 17);
	fails(self, NR_CONNECT, -ENOENT, NULL);
	set_address(&self->calls.events.data[3], AF_UNIX, "/dev/log", 9);
	writes(self, 10, "cannot work\n");
	EXPECT_EQ(-EINVAL, choose(self, NULL, &nr));
	writes(self, 10, "is the service there at /run/tool.sock?\n");
	EXPECT_EQ(-ENOENT, choose(self, NULL, &nr));
	ASSERT_EQ(NR_CONNECT, nr);
	EXPECT_STREQ("/run/tool.sock", watch_path(&self->calls.v.data[0].event));
}

TEST(other_addresses_have_no_path)
{
	struct watch_event event = {};

	set_address(&event, AF_UNIX, "/x", 3);
	EXPECT_STREQ("/x", watch_string(&event, 1));
	EXPECT_EQ(NULL, watch_string(&event, 0));
	set_address(&event, AF_UNIX, "", 0);
	EXPECT_EQ(NULL, watch_string(&event, 1));
	set_address(&event, AF_INET, "/x", 3);
	EXPECT_EQ(NULL, watch_string(&event, 1));
	/* A name without a file. */
	set_address(&event, AF_UNIX, "\0x", 3);
	EXPECT_EQ(NULL, watch_path(&event));
}

TEST_HARNESS_MAIN
