/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds where a process publishes the spans of its threads: OpenTelemetry's thread context (OTEP
 * 4947), the thread-local variable otel_thread_ctx_v1 of its program or of a library.
 */
#ifndef RETSNOOP_TRACE_SPANS_THREAD_CONTEXT_H
#define RETSNOOP_TRACE_SPANS_THREAD_CONTEXT_H

#include <stdbool.h>
#include <sys/types.h>

#include "bpf/thread_context_place.h"

/* What a process runs: changes when it executes another program. */
struct program_mark {
	char text[128];
};

/**
 * @ret_mark	to test later whether the place is still right
 * @return	0; -ENOENT: the process has no such variable yet; -ENOTSUP: its place cannot be found;
 *		-ESRCH: there is no such process; -EACCES: its memory may not be read; -errno. Nothing
 *		is reported.
 */
int thread_context_find(pid_t pid, struct thread_context_place *ret_place,
			struct program_mark *ret_mark);

/* Whether the process still runs the same program. */
bool thread_context_is_same(pid_t pid, const struct program_mark *mark);

/* The same for a program that was not executed yet. Variables of libraries are not found. */
int thread_context_of_program(const char *path, struct thread_context_place *ret_place);

#endif
