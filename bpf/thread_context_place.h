/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Where the threads of a process publish the span that they work on: OpenTelemetry's thread context
 * (OTEP 4947), a thread-local variable. User space finds it, BPF reads it.
 */
#ifndef RETSNOOP_BPF_THREAD_CONTEXT_PLACE_H
#define RETSNOOP_BPF_THREAD_CONTEXT_PLACE_H

#include <linux/types.h>

enum thread_context_kind {
	THREAD_CONTEXT_UNKNOWN,		/* the process has no such variable, as far as is known */
	THREAD_CONTEXT_STATIC,		/* at an offset from the thread pointer */
	THREAD_CONTEXT_DYNAMIC,		/* in the thread's block of a module, which glibc's DTV has */
	THREAD_CONTEXT_AFTER_EXEC,	/* static once the process has executed its program */
};

/* Of one process. */
struct thread_context_place {
	__s64 offset;	/* from the thread pointer, or in the block */
	__u64 module;	/* index in the DTV */
	__u32 kind;	/* enum thread_context_kind */
	__u32 spare;
	/* If it is not known: how long user space waits after this look, and when BPF asks again. */
	__u64 wait_ns;
	__u64 ask_ns;
};

/* As `ask_ns`: user space was asked, and has not answered. */
#define THREAD_CONTEXT_ASKED (~0ull)

#define THREAD_CONTEXTS 16384	/* processes */

#endif
