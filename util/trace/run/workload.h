/* SPDX-License-Identifier: BSD-2-Clause */
/* The command after "--": forked and held, started when everything is attached. */
#ifndef RETSNOOP_TRACE_RUN_WORKLOAD_H
#define RETSNOOP_TRACE_RUN_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

struct workload {
	pid_t pid;	/* 0: none */
	char *path;	/* of its program; owned */
	int gate_fd;	/* a write starts the command; closed: it exits without running */
	int error_fd;	/* has the errno of a failed exec */
	bool may_fail;	/* as in the environment */
	bool released;
	bool over;
	int wait_status;
};

#define WORKLOAD_INIT { .gate_fd = -1, .error_fd = -1 }

/* What else the command differs in from this process. */
struct workload_env {
	const char *user;	/* -u: who runs it; NULL: who runs retsnoop; borrowed */
	int stdout_fd;		/* its standard output; 0: the same as retsnoop's */
	/* A program that exists and cannot be executed is no error: its execve(2) fails, the process exits. */
	bool may_fail;
};

/*
 * Note the settings of this process that tracing changes and workloads get back: blocked signals, the limit of open
 * files and that of locked memory, which libbpf raises before 5.11. The first call counts, since a process may trace
 * several times: make it before the first use of BPF.
 */
void workload_note_settings(void);

/* Note the settings, if they were not. @user, @stdout_fd: as in struct workload_env */
void workload_env_take(struct workload_env *env, const char *user, int stdout_fd);

/* Whether a user exists, and this process may become it. 0; -EINVAL, -EPERM (reported). */
int workload_check_user(const char *user);

/**
 * Fork the process that will become @argv. It waits.
 *
 * @return	0; -ENOENT no such command, -EACCES, ... (reported); negative errno (reported)
 */
int workload_hold(struct workload *workload, char *const argv[], const struct workload_env *env);

/* 0; negative errno when the command could not be executed after all (reported), and that is an error. */
int workload_release(struct workload *workload, const char *name);

/* Whether it has ended; collects it. */
bool workload_ended(struct workload *workload);

/*
 * Pass on a signal that ends a run, unless the command has got it, too: a terminal sends Ctrl-C to its whole foreground
 * group. A command that ignores SIGINT because retsnoop was started so, as in the background of a script, gets SIGTERM
 * in its place.
 *
 * @code	si_code: who sent it
 */
void workload_pass_signal(struct workload *workload, int signal, int code);

/* After that: wait a second for its end. Returns whether it goes on. */
bool workload_goes_on(struct workload *workload);

/* Tell on stderr that it does. */
void workload_say_goes_on(pid_t pid, const char *name);

/* Report to stderr how it ended; returns the exit status as a shell counts it (128 + signal). */
int workload_status(const struct workload *workload, const char *name);

/* End a command that is still held; a running one goes on. */
void workload_drop(struct workload *workload);

#endif
