/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tells BPF where processes publish the spans of their threads (--trace-context=threads): in a
 * thread of its own, first of processes that exist, then of each that BPF asks for. BPF asks when a
 * call is traced of a process that is not known to publish any: at its first call, and again after
 * a millisecond, two, four, and so on up to ten seconds, since it may load the library later.
 */
#ifndef RETSNOOP_CAPTURE_SPANS_CONTEXT_WATCH_H
#define RETSNOOP_CAPTURE_SPANS_CONTEXT_WATCH_H

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

/* NULL: nothing. A look at a process whose memory does not answer is left alone. */
void context_watch_stop(struct context_watch *watch);

/**
 * Tell BPF of a process that is held, and will execute the program @path. What it cannot be told is
 * found out later.
 */
void context_watch_expect(struct context_watch *watch, pid_t pid, const char *path);

#endif
