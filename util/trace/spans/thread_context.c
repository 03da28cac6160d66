// SPDX-License-Identifier: BSD-2-Clause
/* A process's files with code, as /proc/PID/maps lists them, and the variable in one of them. */
#include "util/trace/spans/thread_context.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/debug/tls_symbol.h"

#define VARIABLE "otel_thread_ctx_v1"

#define MAX_FILES 512	/* looked at in one process */

/* A file that a process has mapped from its beginning on. */
struct mapped_file {
	uint64_t base;
	unsigned long inode;
	unsigned int major, minor;
	bool has_code;
};

struct process {
	int memory_fd;
	bool musl;
	unsigned int nr_files;
	int state;	/* of the search: -ENOENT while nothing is found */
	struct tls_place place;
};

/* Open a file of a process. -ESRCH: there is no such process; -EACCES: privileges are missing. */
static int open_of(pid_t pid, const char *name)
{
	_cleanup_(free_p) char *path = strf("/proc/%d/%s", (int)pid, name);
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd >= 0)
		return fd;
	return !path	       ? -ENOMEM :
	       errno == ENOENT ? -ESRCH :
	       errno == EPERM  ? -EACCES :
				 -errno;
}

/* Returns NULL with *ret_err set. */
static FILE *open_maps(pid_t pid, int *ret_err)
{
	int fd = open_of(pid, "maps");
	FILE *maps = fd < 0 ? NULL : fdopen(fd, "r");

	*ret_err = fd < 0 ? fd : maps ? 0 : -ENOMEM;
	if (fd >= 0 && !maps)
		close(fd);
	return maps;
}

static void look_at(struct process *process, const struct mapped_file *file)
{
	const struct tls_image image = { process->memory_fd, true, file->base };
	int err;

	if (!file->has_code || process->state != -ENOENT || process->nr_files == MAX_FILES)
		return;
	process->nr_files++;
	err = tls_symbol_find(&image, VARIABLE, arch_native->tls, &process->place);
	if (err != -ENOENT)
		process->state = err;
}

/* Reading memory of a device may have effects. */
static bool is_regular(const char *path)
{
	return path[0] == '/' && strncmp(path, "/dev/", 5);
}

/* One line of /proc/PID/maps. */
static void take_line(struct process *process, struct mapped_file *file, const char *line)
{
	struct mapped_file next = {};
	uint64_t at;
	char modes[5];
	int path = 0;

	if (sscanf(line, "%" SCNx64 "-%*x %4s %" SCNx64 " %x:%x %lu %n", &next.base, modes, &at,
		   &next.major, &next.minor, &next.inode, &path) < 6 ||
	    !next.inode || !path || !is_regular(line + path))
		return;
	if (strstr(line + path, "/ld-musl-"))
		process->musl = true;
	if (!at || next.inode != file->inode || next.major != file->major ||
	    next.minor != file->minor) {
		look_at(process, file);
		*file = at ? (struct mapped_file){} : next;
	}
	if (file->inode && modes[2] == 'x')
		file->has_code = true;
}

static void mark_program(struct program_mark *mark, const char *line)
{
	snprintf(mark->text, sizeof(mark->text), "%s", line);
}

int thread_context_find(pid_t pid, struct thread_context_place *ret_place,
			struct program_mark *ret_mark)
{
	_cleanup_(close_fd) int memory_fd = open_of(pid, "mem");
	_cleanup_(fclose_p) FILE *maps = NULL;
	struct process process = { .memory_fd = memory_fd, .state = -ENOENT };
	_cleanup_(free_p) char *line = NULL;
	struct mapped_file file = {};
	size_t cap = 0;
	int err;

	if (memory_fd < 0)
		return memory_fd;
	maps = open_maps(pid, &err);
	if (!maps)
		return err;
	mark_program(ret_mark, "");
	while (getline(&line, &cap, maps) > 0) {
		if (!*ret_mark->text)
			mark_program(ret_mark, line);
		take_line(&process, &file, line);
	}
	look_at(&process, &file);
	if (process.state)
		return process.state == -EAGAIN ? -ENOENT : process.state;
	/* musl has another DTV. */
	if (process.place.dynamic && process.musl)
		return -ENOTSUP;
	*ret_place = (struct thread_context_place){
		.kind = process.place.dynamic ? THREAD_CONTEXT_DYNAMIC : THREAD_CONTEXT_STATIC,
		.offset = process.place.offset,
		.module = process.place.module,
	};
	return 0;
}

bool thread_context_is_same(pid_t pid, const struct program_mark *mark)
{
	int err;
	_cleanup_(fclose_p) FILE *maps = open_maps(pid, &err);
	struct program_mark now = {};
	_cleanup_(free_p) char *line = NULL;
	size_t cap = 0;

	if (maps && getline(&line, &cap, maps) > 0)
		mark_program(&now, line);
	return *now.text && !strcmp(now.text, mark->text);
}

int thread_context_of_program(const char *path, struct thread_context_place *ret_place)
{
	/* Whatever it is: opening it neither waits nor makes a terminal ours. */
	_cleanup_(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct tls_image image = { .fd = fd };
	struct tls_place place;
	struct stat st;
	int err;

	if (fd < 0 || fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOENT;
	err = tls_symbol_find(&image, VARIABLE, arch_native->tls, &place);
	if (!err)
		*ret_place = (struct thread_context_place){ .kind = THREAD_CONTEXT_STATIC,
							    .offset = place.offset };
	return err;
}
