/* SPDX-License-Identifier: BSD-2-Clause */
/* The processes that a request names, compared with those that there are. */
#ifndef RETSNOOP_ASK_PROCESSES_H
#define RETSNOOP_ASK_PROCESSES_H

#include <sys/types.h>

struct trace_request;

/**
 * Check that the processes of -p exist, and warn if -n leaves out threads of a process of that name.
 *
 * Returns 0, or -ESRCH: one does not exist, or is a thread (reported).
 */
int processes_check(const struct trace_request *request);

/* Warn of names of -n that no thread has yet: it may be waited for, or misspelt. */
void processes_say_unused_names(const struct trace_request *request);

/* Warn that -p leaves out the children of this process, and which option selects them, too. */
void processes_say_children(pid_t process);

#endif
