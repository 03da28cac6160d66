// SPDX-License-Identifier: BSD-2-Clause
/* Finding processes. */
#include "util/kernel/machine/process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"

/* What a process's status has after @key, such as "PPid:"; 0: it has exited or is hidden, or /proc is not mounted. */
static pid_t status_number(pid_t pid, const char *key)
{
	_cleanup_(free_p) char *path = strf("/proc/%d/status", pid);
	_cleanup_(fclose_p) FILE *file = path ? fopen(path, "re") : NULL;
	_cleanup_(free_p) char *line = NULL;
	size_t cap = 0;

	while (file && getline(&line, &cap, file) > 0) {
		if (startswith(line, key))
			return atoi(line + strlen(key));
	}
	return 0;
}

pid_t process_of(pid_t pid)
{
	if (kill(pid, 0) && errno == ESRCH)
		return 0;
	return status_number(pid, "Tgid:") ?: pid;
}

pid_t process_next(DIR *dir)
{
	struct dirent *entry;
	char *end;
	long id;

	while ((entry = readdir(dir))) {
		id = strtol(entry->d_name, &end, 10);
		if (id > 0 && !*end)
			return id;
	}
	return 0;
}

/* A thread's name as the kernel keeps it, of 15 bytes at most; a name may have a newline. False: it is gone. */
static bool read_comm(pid_t process, pid_t thread, char comm[16])
{
	_cleanup_(free_p) char *path = strf("/proc/%d/task/%d/comm", process, thread);
	_cleanup_(fclose_p) FILE *file = path ? fopen(path, "re") : NULL;
	size_t len = file ? fread(comm, 1, 16, file) : 0;

	if (!len)
		return false;
	comm[len - 1] = '\0';
	return true;
}

bool process_comm(pid_t process, char comm[16])
{
	return read_comm(process, process, comm);
}

bool process_has_children(pid_t process)
{
	_cleanup_(closedir_p) DIR *dir = opendir("/proc");
	pid_t other;

	while (dir && (other = process_next(dir))) {
		if (status_number(other, "PPid:") == process)
			return true;
	}
	return false;
}

char *process_cgroup(pid_t process)
{
	_cleanup_(free_p) char *path = strf("/proc/%d/cgroup", process);
	_cleanup_(fclose_p) FILE *file = path ? fopen(path, "re") : NULL;
	_cleanup_(free_p) char *line = NULL;
	size_t cap = 0;

	while (file && getline(&line, &cap, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (startswith(line, "0::/"))
			return strdup(line + 3);
	}
	return NULL;
}

static bool is_one_of(const char *comm, char *const *names, size_t nr_names)
{
	return find_first(name, names, nr_names, !strncmp(*name, comm, 15));
}

static unsigned int count_others(pid_t process, char *const *names, size_t nr_names)
{
	_cleanup_(free_p) char *path = strf("/proc/%d/task", process);
	_cleanup_(closedir_p) DIR *dir = path ? opendir(path) : NULL;
	unsigned int others = 0;
	char comm[16];
	pid_t thread;

	while (dir && (thread = process_next(dir)))
		others += thread != process && read_comm(process, thread, comm) && !is_one_of(comm, names, nr_names);
	return others;
}

bool process_thread_named(char *name)
{
	_cleanup_(closedir_p) DIR *processes = opendir("/proc");
	pid_t process, thread;
	char comm[16];

	while (processes && (process = process_next(processes))) {
		_cleanup_(free_p) char *path = strf("/proc/%d/task", process);
		_cleanup_(closedir_p) DIR *threads = path ? opendir(path) : NULL;

		while (threads && (thread = process_next(threads))) {
			if (read_comm(process, thread, comm) && is_one_of(comm, &name, 1))
				return true;
		}
	}
	return false;
}

struct process_threads process_threads_of(char *const *names, size_t nr_names)
{
	_cleanup_(closedir_p) DIR *dir = opendir("/proc");
	struct process_threads most = {}, one;

	while (dir && (one.process = process_next(dir))) {
		if (!read_comm(one.process, one.process, one.name) || !is_one_of(one.name, names, nr_names))
			continue;
		one.others = count_others(one.process, names, nr_names);
		if (one.others > most.others)
			most = one;
	}
	return most;
}
