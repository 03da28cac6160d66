/* SPDX-License-Identifier: BSD-2-Clause */
/* Processes by their ids in this PID namespace. */
#ifndef RETSNOOP_KERNEL_MACHINE_PROCESS_H
#define RETSNOOP_KERNEL_MACHINE_PROCESS_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The process id of a process or thread; 0: no such id. */
pid_t process_of(pid_t pid);

/* The next id of a process in /proc, or of a thread in /proc/PID/task; 0: no more. */
pid_t process_next(DIR *dir);

/* Whether a process has children now. */
bool process_has_children(pid_t process);

/* Its cgroup (version 2), as /proc has it: "/system.slice/cron.service"; owned; NULL: not known. */
char *process_cgroup(pid_t process);

/* Its name of 15 bytes at most. False: it has exited. */
bool process_comm(pid_t process, char comm[16]);

/* Whether any thread has this name now, of which 15 bytes count. */
bool process_thread_named(char *name);

/* A process, and its threads of other names. */
struct process_threads {
	pid_t process;	/* 0: none has any */
	char name[16];	/* the process's, as of its first thread */
	unsigned int others;
};

/* Find the process of one of the names with the most threads that have none of them. */
struct process_threads process_threads_of(char *const *names, size_t nr_names);

#endif
