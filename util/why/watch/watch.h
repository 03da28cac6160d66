/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Watches the results of system calls, with no functions traced: of a command and its children, or,
 * without a command, of the selected processes up to the first matching failure.
 */
#ifndef RETSNOOP_WHY_WATCH_WATCH_H
#define RETSNOOP_WHY_WATCH_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/why/watch/failed_calls.h"

struct kernel;
struct cgroup_watch;
struct trace_request;

struct watch_ask {
	char **command;		/* NULL-terminated; NULL: none */
	const char *user;	/* who runs it (struct workload_env) */
	int stdout_fd;		/* its standard output (struct workload_env) */
	const struct trace_request *filters;	/* -p -n --cgroup --pod --container --unit */
	struct cgroup_watch *cgroups;		/* for patterns among them; NULL: there are none */
	const struct call_choice *wanted;	/* without a command */
	const struct call_numbers *nrs;
};

struct watcher;

struct watched {
	struct failed_calls calls;
	uint64_t lost;		/* events that found no room */
	int wait_status;	/* of the command, as waitpid(2) has it */
	bool found;		/* without a command: the last event is the awaited one */
	bool interrupted;
	bool gone;		/* all selected processes have exited */
};

/**
 * @ret		released by the caller, either way
 * @return	0; -ENOENT and others: the command cannot be run; -EPERM, -errno (reported)
 */
int watch_run(struct kernel *kernel, const struct watch_ask *ask, struct watched *ret);
void watched_release(struct watched *watched);

/**
 * The same during a run of the command by the caller: attach to its held process.
 *
 * @ret		filled in up to watcher_stop(), which must be called either way
 * @return	0; -ENOMEM, -EPERM, -errno (reported)
 */
int watcher_start(struct kernel *kernel, const struct watch_ask *ask, pid_t command,
		  struct watched *ret, struct watcher **ret_watcher);

/* Take the events so far: there is room for some thousands. */
void watcher_take(struct watcher *watcher);

/* Take the remaining events, and detach. NULL is fine. */
void watcher_stop(struct watcher *watcher);

/* Whether processes are selected by id (-p), and all of them have exited. */
bool watch_is_over(const struct trace_request *filters);

#endif
