// SPDX-License-Identifier: BSD-2-Clause
/* Files that recordings are written to: nothing of anybody else's is touched; rotation. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#include "recording_fixture.h"
#include "util/trace/record/recording_path.h"

FIXTURE(files)
{
	char folder[32], path[64], old[64], before[64];
	struct recording_fixture r;
};

FIXTURE_SETUP(files)
{
	strcpy(self->folder, "/tmp/recording.XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->folder));
	snprintf(self->path, sizeof(self->path), "%s/data", self->folder);
	snprintf(self->old, sizeof(self->old), "%s/data.old", self->folder);
	snprintf(self->before, sizeof(self->before), "%s/data.1", self->folder);
	recording_fixture_init(&self->r);
}

FIXTURE_TEARDOWN(files)
{
	char command[64];

	recording_fixture_release(&self->r);
	snprintf(command, sizeof(command), "rm -rf %s", self->folder);
	ASSERT_EQ(0, system(command));
}

static void put(const char *path, const char *text, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (fd < 0 || write(fd, text, size) != (ssize_t)size)
		abort();
	close(fd);
}

static void put_recording(const char *path, char mark)
{
	char text[] = RECORDING_MAGIC "?";

	text[RECORDING_MAGIC_SIZE] = mark;
	put(path, text, RECORDING_MAGIC_SIZE + 1);
}

/* The mark of a recording; 0: there is none. */
static char mark_of(const char *path)
{
	char text[RECORDING_MAGIC_SIZE + 1] = "";
	int fd = open(path, O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text)) < 0)
		return 0;
	close(fd);
	return text[RECORDING_MAGIC_SIZE];
}

TEST_F(files, are_made_for_their_user_alone)
{
	struct stat st;
	int fd;

	umask(0);
	fd = recording_path_create(self->path);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, fstat(fd, &st));
	EXPECT_EQ(0600, st.st_mode & 07777);
	close(fd);
}

TEST_F(files, that_are_older_recordings_are_kept)
{
	int fd;

	put_recording(self->path, 'a');
	put_recording(self->old, 'b');
	EXPECT_EQ(0, recording_path_check(self->path, true));
	EXPECT_EQ('a', mark_of(self->path));
	fd = recording_path_create(self->path);
	ASSERT_LE(0, fd);
	close(fd);
	EXPECT_EQ('a', mark_of(self->old));
}

TEST_F(files, with_nothing_in_them_may_be_used)
{
	int fd;

	put(self->path, "", 0);
	fd = recording_path_create(self->path);
	ASSERT_LE(0, fd);
	close(fd);
	EXPECT_NE(0, access(self->old, F_OK));
}

#define EXPECT_REFUSED(call, reason)                                                               \
	({                                                                                         \
		int err_;                                                                          \
		char *said_ = stderr_of(err_ = (call));                                            \
		EXPECT_GT(0, err_);                                                                \
		EXPECT_NE(NULL, strstr(said_, reason))                                             \
		{                                                                                  \
			TH_LOG("%s", said_);                                                       \
		}                                                                                  \
		free(said_);                                                                       \
	})

TEST_F(files, of_other_programs_stay_as_they_are)
{
	struct stat st;

	put(self->path, "#!/bin/sh\n", 10);
	EXPECT_REFUSED(recording_path_check(self->path, false), "is there and is no recording");
	EXPECT_REFUSED(recording_path_create(self->path), "is there and is no recording");
	ASSERT_EQ(0, stat(self->path, &st));
	EXPECT_EQ(10, st.st_size);
	/* Nor is anything moved over one. */
	put_recording(self->path, 'a');
	put(self->old, "precious", 8);
	EXPECT_REFUSED(recording_path_create(self->path), "data.old is there and is no recording");
	EXPECT_EQ('a', mark_of(self->path));
	put_recording(self->old, 'b');
	put(self->before, "precious", 8);
	EXPECT_EQ(0, recording_path_check(self->path, false));
	EXPECT_REFUSED(recording_path_check(self->path, true), "data.1 is there and is no recording");
	EXPECT_REFUSED(recording_path_rotate(self->path, -1), "data.1 is there and is no recording");
	EXPECT_EQ('a', mark_of(self->path));
}

TEST_F(files, that_are_being_written_stay_as_they_are)
{
	int fd, next;

	fd = recording_path_create(self->path);
	ASSERT_LE(0, fd);
	/* Nothing is in it yet. */
	EXPECT_REFUSED(recording_path_create(self->path), "another retsnoop writes");
	ASSERT_EQ(RECORDING_MAGIC_SIZE, write(fd, RECORDING_MAGIC, RECORDING_MAGIC_SIZE));
	EXPECT_REFUSED(recording_path_check(self->path, false), "another retsnoop writes");
	EXPECT_REFUSED(recording_path_create(self->path), "another retsnoop writes");
	EXPECT_REFUSED(output_path_create(self->path), "another retsnoop writes");
	EXPECT_NE(0, access(self->old, F_OK));

	/* So does the next file of a recording that rotates; the one before is written no longer. */
	next = recording_path_rotate(self->path, fd);
	ASSERT_LE(0, next);
	close(fd);
	EXPECT_EQ(0, recording_path_check(self->before, false));
	EXPECT_REFUSED(recording_path_check(self->path, false), "another retsnoop writes");
	close(next);
	EXPECT_EQ(0, recording_path_check(self->path, false));
}

TEST_F(files, that_took_the_place_of_a_recording_are_not_rotated)
{
	int fd = recording_path_create(self->path);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, rename(self->path, self->old));
	put_recording(self->path, 'b');
	EXPECT_REFUSED(recording_path_rotate(self->path, fd), "another file took its place");
	EXPECT_EQ('b', mark_of(self->path));
	EXPECT_NE(0, access(self->before, F_OK));
	ASSERT_EQ(0, unlink(self->path));
	EXPECT_REFUSED(recording_path_rotate(self->path, fd), "No such file or directory");
	close(fd);
}

TEST_F(files, made_of_recordings_take_nobodys_place)
{
	char target[64];
	struct stat st;
	int fd;

	umask(0);
	fd = output_path_create(self->path);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, fstat(fd, &st));
	EXPECT_EQ(0600, st.st_mode & 07777);
	/* Empty as it is, it may be used again. */
	close(fd);
	fd = output_path_create(self->path);
	ASSERT_LE(0, fd);
	ASSERT_EQ(1, write(fd, "x", 1));
	close(fd);
	EXPECT_REFUSED(output_path_create(self->path), "is there already; remove it");
	EXPECT_REFUSED(output_path_check(self->path), "is there already; remove it");
	ASSERT_EQ(0, stat(self->path, &st));
	EXPECT_EQ(1, st.st_size);
	put_recording(self->path, 'a');
	EXPECT_REFUSED(output_path_create(self->path), "is a recording");
	EXPECT_EQ('a', mark_of(self->path));
	unlink(self->path);
	snprintf(target, sizeof(target), "%s/target", self->folder);
	ASSERT_EQ(0, symlink(target, self->path));
	EXPECT_REFUSED(output_path_create(self->path), "is a symbolic link, which is not followed");
	EXPECT_NE(0, access(target, F_OK));
	EXPECT_REFUSED(output_path_create("/dev/null"), "is no regular file");
}

TEST_F(files, are_not_reached_through_links)
{
	char target[64];

	snprintf(target, sizeof(target), "%s/target", self->folder);
	put_recording(target, 'a');
	ASSERT_EQ(0, symlink(target, self->path));
	EXPECT_REFUSED(recording_path_create(self->path), "is a symbolic link, which is not followed");
	EXPECT_EQ('a', mark_of(target));
	unlink(target);
	EXPECT_REFUSED(recording_path_create(self->path), "is a symbolic link, which is not followed");
	EXPECT_NE(0, access(target, F_OK));
}

TEST_F(files, are_neither_pipes_nor_folders_nor_devices)
{
	char nowhere[64];

	ASSERT_EQ(0, mkfifo(self->path, 0600));
	EXPECT_REFUSED(recording_path_create(self->path), "'-o -' and a pipe");
	EXPECT_REFUSED(recording_path_create(self->folder), "is no regular file");
	EXPECT_REFUSED(recording_path_create("/dev/null"), "is no regular file");
	unlink(self->path);
	EXPECT_REFUSED(recording_path_check("/tmp/", false), "is a directory");
	snprintf(nowhere, sizeof(nowhere), "%s/none/x", self->folder);
	EXPECT_REFUSED(recording_path_check(nowhere, false), "No such file or directory");
}

TEST_F(files, of_other_users_stay_as_they_are)
{
	if (geteuid())
		SKIP(return, "only root makes files for others");
	put_recording(self->path, 'a');
	ASSERT_EQ(0, chown(self->path, 12345, 12345));
	EXPECT_REFUSED(recording_path_create(self->path), "is another user's");
	EXPECT_EQ('a', mark_of(self->path));
}

/* What is in a file. */
static struct recording_shown show_file(const char *path)
{
	struct strbuf data = STRBUF_INIT;
	struct recording_shown shown;
	FILE *file = fopen(path, "r");
	char buffer[4096];
	size_t n;

	while (file && (n = fread(buffer, 1, sizeof(buffer), file)))
		strbuf_add(&data, buffer, n);
	if (file)
		fclose(file);
	shown = fixture_show(strbuf_str(&data), data.len, false);
	strbuf_release(&data);
	return shown;
}

static size_t sessions_in(const char *text)
{
	size_t nr = 0;

	while ((text = strstr(text, " TID/PID "))) {
		text++;
		nr++;
	}
	return nr;
}

/* A record that takes much room, and means nothing. */
static void write_noise(struct recording_fixture *r, uint64_t *state)
{
	struct { struct event_header header; uint64_t words[4000]; } noise = {
		.header = { .kind = 99, .size = sizeof(noise) },
	};

	for (size_t i = 0; i < 4000; i++) {
		*state = *state * 6364136223846793005ull + 1442695040888963407ull;
		noise.words[i] = *state ^ *state >> 29;
	}
	if (recorder_record(r->recorder, &noise, sizeof(noise)))
		abort();
}

TEST_F(files, make_room_for_newer_sessions)
{
	struct ledger ledger = {};
	struct recording_shown now, before;
	struct recorder_stats stats;
	uint64_t state = 1, written = 0;
	struct stat st;

	ASSERT_EQ(0, fixture_begin(&self->r, self->path, RECORDING_MIN_SIZE));
	for (int i = 0; i < 100; i++) {
		write_noise(&self->r, &state);
		ASSERT_EQ(0, fixture_write_records(&self->r));
		written += 2;
	}
	ASSERT_EQ(0, recorder_end(self->r.recorder, &ledger));
	recorder_stats(self->r.recorder, &stats);
	EXPECT_EQ(2, stats.files);
	EXPECT_LT(0, stats.dropped);
	EXPECT_EQ(written, stats.sessions + stats.dropped);
	EXPECT_LE(stats.bytes, RECORDING_MIN_SIZE + 2 * RECORDING_EVENTS_SIZE);
	ASSERT_EQ(0, stat(self->path, &st));
	EXPECT_EQ(0600, st.st_mode & 07777);

	/* Each can be read by itself, names and all. */
	now = show_file(self->path);
	ASSERT_EQ(0, now.err);
	before = show_file(self->before);
	ASSERT_EQ(0, before.err);
	EXPECT_EQ(stats.sessions, sessions_in(now.text) + sessions_in(before.text));
	EXPECT_EQ(stats.dropped, now.state.dropped);
	EXPECT_TRUE(now.state.ended);
	EXPECT_NE(NULL, strstr(now.text, "do_open+"));
	EXPECT_NE(NULL, strstr(before.text, "do_open+"));
	free(now.text);
	free(before.text);
}

TEST_F(files, that_find_no_room_end_with_what_is_whole)
{
	struct ledger ledger = {};
	struct recording_shown shown;
	struct rlimit limit = { 0, RLIM_INFINITY };
	struct stat st;

	ASSERT_EQ(0, fixture_begin(&self->r, self->path, 0));
	ASSERT_EQ(0, fixture_write_records(&self->r));
	ASSERT_EQ(0, recorder_flush(self->r.recorder, &ledger));
	ASSERT_EQ(0, stat(self->path, &st));
	/* A full disk, as far as write() can tell. */
	signal(SIGXFSZ, SIG_IGN);
	limit.rlim_cur = st.st_size + 50;
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
	ASSERT_EQ(0, fixture_write_records(&self->r));
	EXPECT_EQ(-EFBIG, recorder_flush(self->r.recorder, &ledger));
	limit.rlim_cur = RLIM_INFINITY;
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
	shown = show_file(self->path);
	ASSERT_EQ(0, shown.err);
	EXPECT_EQ(2, sessions_in(shown.text));
	EXPECT_EQ(DAMAGE_NONE, shown.state.damage);
	free(shown.text);
}

TEST_HARNESS_MAIN
