/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A session as views see it: one activation of an entry function in one context, assembled from the
 * records of bpf/event.h, live or from a recording. Pure code: no I/O, no globals.
 */
#ifndef RETSNOOP_TRACE_SESSION_SESSION_H
#define RETSNOOP_TRACE_SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "bpf/event.h"

/* Kinds of lines in a trace. */
enum traced_kind {
	TRACED_CALL,	/* entered; its return comes later, or not at all */
	TRACED_RETURN,	/* of a call with others inside it */
	TRACED_LEAF,	/* call and return in one: nothing happened between them */
	/*
	 * `count` calls were lost here, with or without their returns, and returns of earlier
	 * calls; 0: no calls, but returns, or TRACED_UNSEEN and TRACED_DEEP lines. Its depth is the
	 * lesser of the lines before and after it. A later return without a line for its call was
	 * called here.
	 */
	TRACED_LOST,
	TRACED_UNSEEN,	/* returns of `count` open calls were not seen, from `depth` inward */
	TRACED_DEEP,	/* `count` calls beyond the depth limit, below the previous line */
	TRACED_PROBE,	/* `func` is a probe's index */
};

struct traced_call {
	enum traced_kind kind;
	bool has_duration;	/* of returns: the call is in the trace, and known to be this one */
	uint32_t func;		/* of calls, returns and leaves */
	uint32_t depth;		/* nesting; the entry call has 0 */
	uint32_t count;
	uint64_t time_ns;	/* CLOCK_MONOTONIC; of a leaf: its return. 0: not known */
	uint64_t duration_ns;
	uint64_t result;	/* of returns and leaves: return register as it was */

	/* Of calls and leaves, when arguments are captured, and of probes (bpf/arg_items.h). */
	uint32_t args_at;	/* where its data is in session.args */
	uint16_t args_size;	/* bytes; 0 none */
	uint16_t args_unread;	/* ARGS_UNREAD() */
};

/* Why a stack's outermost address is not the outermost caller's. */
enum callers_missing {
	CALLERS_ALL_THERE,
	CALLERS_HIDDEN,		/* by a return probe that is none of the session's */
	CALLERS_TOO_DEEP,	/* the stack is as long as one can be */
};

struct session {
	uint64_t number;	/* 1, 2, ... in the order in which the sessions of a run or file ended */
	uint32_t recording;	/* index of its recording, if there are several; from 0 */
	uint64_t start_ns;	/* CLOCK_MONOTONIC */
	uint64_t end_ns;
	uint32_t tid;
	uint32_t pid;
	char comm[EVENT_COMM_LEN + 1];
	char proc_comm[EVENT_COMM_LEN + 1];	/* empty: unknown */
	enum event_context context;
	bool has_origin;	/* older recordings have no cpu, uid and cgroup */
	uint32_t cpu;
	uint32_t uid;		/* of the task, like cgroup; not for interrupts */
	uint64_t cgroup;	/* its id; 0: not known */
	struct trace_ids trace;	/* of the span that the thread worked on; 0: none */
	bool no_trace;		/* ids exist, but changed while they were read, or were lost */
	bool host_mounts;	/* the task is in the initial mount namespace */
	bool own_mounts;	/* it is in another one; neither: not known */
	bool failed;
	bool interim;		/* the error was handled; the call went on */
	bool no_stack;		/* the kernel stack is missing */
	enum callers_missing callers_missing;
	uint32_t truncated;	/* calls beyond the depth limit */

	/* Traced calls of the chain, outermost (the entry call) first. Owned. */
	struct event_frame *frames;
	uint32_t nr_frames;

	/*
	 * Kernel stack, innermost first. All are return addresses; with `at_entry`, all but the
	 * first, which is the entry of the innermost frame that has a stack: mostly of the innermost
	 * frame. In place of a traced call that is known to have left such a stack by
	 * a tail call, the start of its function. Owned.
	 */
	uint64_t *ips;
	uint32_t nr_ips;
	bool at_entry;

	/*
	 * The CPU's last branches at the return of one traced call, newest first, as recorded
	 * (branch_trim.h makes them readable). NULL: not asked for, or none. Owned.
	 */
	struct event_branch *branches;
	uint32_t nr_branches;
	int branches_err;	/* 0, or why there is no snapshot: negative errno */
	bool no_branches;	/* asked for, but not taken, or no room for the record */
	uint32_t branches_func;	/* whose return it was: the plan's function */
	uint64_t branches_result;	/* its return register as it was */

	/*
	 * The trace, in the order of events. None if traces are not asked for. None in interim
	 * sessions: the trace goes on, and is in the session that ends. Owned.
	 */
	struct traced_call *calls;
	uint32_t nr_calls;
	uint8_t *args;		/* data of all calls' arguments; owned; may be NULL */
};

static inline void session_free(struct session *session)
{
	if (!session)
		return;
	free(session->frames);
	free(session->ips);
	free(session->branches);
	free(session->calls);
	free(session->args);
	free(session);
}

/* The process's name. Without BTF in the kernel only the thread's is known. */
static inline const char *session_process_name(const struct session *session)
{
	return session->proc_comm[0] ? session->proc_comm : session->comm;
}

/* The innermost call that failed; NULL: the session has no error. Interim sessions have one. */
static inline const struct event_frame *session_producer(const struct session *session)
{
	bool error = session->failed || session->interim;

	return error && session->nr_frames ? &session->frames[session->nr_frames - 1] : NULL;
}

/*
 * The entry call's duration, as stacks and traces show it: without the time that tracing itself
 * took before and after it. Of an open call: up to now.
 */
static inline uint64_t session_duration_ns(const struct session *session)
{
	const struct event_frame *entry = session->frames;

	return session->nr_frames && !(entry->flags & EVENT_FRAME_UNFINISHED) ?
		       entry->duration_ns :
		       session->end_ns - session->start_ns;
}

/* Whether the session has branches, or a reason why there are none. */
static inline bool session_has_branches(const struct session *session)
{
	return session->branches || session->branches_err || session->no_branches;
}

static inline bool session_has_trace(const struct session *session)
{
	return session->trace.span != 0;
}

#endif
