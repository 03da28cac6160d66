/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tells BPF where processes publish the spans of their threads (--trace-context=threads). A thread
 * looks at all processes first, then at each process that BPF asks for. BPF asks when a call is
 * traced in a process that is not known to publish spans: at its first call, and again after a
 * millisecond, two, four, and so on up to ten seconds, since it may load the library later.
 */
#ifndef RETSNOOP_TRACE_SPANS_CONTEXT_WATCH_H
#define RETSNOOP_TRACE_SPANS_CONTEXT_WATCH_H

#include <sys/types.h>

struct context_watch;
struct programs;
struct trace_request;

/**
 * @programs	loaded; must outlive the watch
 * @ret_watch	NULL: the request needs none
 * @return	0; -errno (reported)
 */
int context_watch_start(const struct programs *programs, const struct trace_request *request,
			struct context_watch **ret_watch);

/* NULL is fine. If reading a process's memory hangs, the thread is left behind, with the watch. */
void context_watch_stop(struct context_watch *watch);

/**
 * Tell BPF about a held process that will execute the program @path. If the program does not show the
 * place, BPF asks for the process later.
 */
void context_watch_expect(struct context_watch *watch, pid_t pid, const char *path);

#endif
