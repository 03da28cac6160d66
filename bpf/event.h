/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * The wire format: what BPF hands to user space, and what a recording keeps. Little endian,
 * naturally aligned, no padding that is not named.
 *
 * A session that passed its filters is sent as EVENT_CALLS records (its trace, if asked for),
 * EVENT_STACK, EVENT_BRANCHES and EVENT_TRACE_CONTEXT records, and a closing EVENT_SESSION record,
 * all with the same session id. Records of other sessions may be in between. A trace longer than
 * the session's buffer is sent in parts during the session; if the session does not pass,
 * EVENT_DROP takes the parts back.
 */
#ifndef RETSNOOP_BPF_EVENT_H
#define RETSNOOP_BPF_EVENT_H

#include <linux/types.h>

#define EVENT_COMM_LEN 16	/* TASK_COMM_LEN */
#define EVENT_MAX_DEPTH 256	/* levels of traced calls kept in a session; a power of two */
#define EVENT_MAX_IPS 127	/* PERF_MAX_STACK_DEPTH */

enum event_kind {
	EVENT_SESSION = 1,
	EVENT_STACK = 2,
	EVENT_LIVE = 3,
	EVENT_CALLS = 4,
	EVENT_DROP = 5,		/* only a header: forget this session's records */
	EVENT_BRANCHES = 6,
	EVENT_TRACE_CONTEXT = 7,
};

/* The context that a session ran in. Interrupts have sessions of their own. */
enum event_context {
	CONTEXT_TASK = 0,
	CONTEXT_SOFTIRQ = 1,
	CONTEXT_HARDIRQ = 2,
	CONTEXT_NMI = 3,
};

struct event_header {
	__u32 kind;		/* enum event_kind */
	__u32 size;		/* bytes, this header included */
	__u64 session;		/* unique among sessions open at the same time */
};
_Static_assert(sizeof(struct event_header) == 16, "event_header is a file format");

/* Clocks of CPUs differ a little: a call that ends before it began took no time. */
static inline __attribute__((always_inline)) __u64 event_elapsed(__u64 start_ns, __u64 end_ns)
{
	return end_ns > start_ns ? end_ns - start_ns : 0;
}

/* One traced call of the chain that led to the result. */
struct event_frame {
	__u32 func;		/* index into the plan's functions */
	__u32 flags;		/* EVENT_FRAME_x */
	__u64 duration_ns;	/* 0 when unfinished */
	__u64 result;		/* return register as it was */
};
_Static_assert(sizeof(struct event_frame) == 24, "event_frame is a file format");

#define EVENT_FRAME_FAILED	(1u << 0)
#define EVENT_FRAME_STITCHED	(1u << 1)	/* set by the reader: see event_session.stitched */
#define EVENT_FRAME_UNFINISHED	(1u << 2)	/* the same: see event_session.unfinished */

/* Closes a session. Followed by nr_frames of struct event_frame, outermost first. */
struct event_session {
	struct event_header header;
	__u64 start_ns;		/* CLOCK_MONOTONIC, entry call */
	__u64 end_ns;		/* its return, or when an interim stack was taken */
	__u32 tid;
	__u32 pid;		/* thread group */
	char comm[EVENT_COMM_LEN];
	char proc_comm[EVENT_COMM_LEN];	/* of the thread group leader; empty: unknown */
	__u8 context;		/* enum event_context */
	__u8 flags;		/* EVENT_SESSION_x */
	__u16 nr_frames;
	__u16 stitched;		/* frames from here on are an earlier call that failed deeper; nr_frames or 0: none */
	__u16 unfinished;	/* frames before this had not returned: EVENT_LIVE has them */
	__u32 truncated;	/* calls beyond the depth limit, not kept */
	__u32 parts;		/* EVENT_CALLS records of the session, lost ones included */
	__u32 calls;		/* traced calls within the depth limit, lost ones included; modulo 2^32 */
	__u32 spare;
	/* Recordings older than the next members end here: EVENT_SESSION_SHORT. */
	__u64 cgroup;		/* id of the task's cgroup (version 2); 0: not known */
	__u32 uid;		/* of the task, in the initial user namespace */
	__u32 cpu;		/* where the session ended */
};
_Static_assert(sizeof(struct event_session) == 112, "event_session is a file format");

#define EVENT_SESSION_SHORT 96	/* bytes; with frames of 24 bytes, no size means both */

#define EVENT_SESSION_FAILED	(1u << 0)	/* the chain is an error's */
#define EVENT_SESSION_INTERIM	(1u << 1)	/* the error was handled; the session goes on */
#define EVENT_SESSION_NO_STACK	(1u << 2)	/* no room for the stack, or not all was taken */
#define EVENT_SESSION_NO_BRANCHES (1u << 3)	/* asked for, but not taken or kept, or no room */
#define EVENT_SESSION_HOST_MOUNTS (1u << 5)	/* the task is in the initial mount namespace */
#define EVENT_SESSION_OWN_MOUNTS (1u << 6)	/* it is in another one; neither flag: not known */
#define EVENT_SESSION_OWN_STACKS (1u << 7)	/* stitched frames' stacks are of their calls, not of later ones */
#define EVENT_SESSION_NO_CONTEXT (1u << 4)	/* ids changed while they were read, or no room */

/* A call that has not returned. */
struct event_live_frame {
	__u64 cookie;		/* COOKIE_FUNC() is the function */
	__u64 start_ns;
	__u64 sp;
};

/* The open calls when an interim stack was taken. Followed by struct event_live_frame. */
struct event_live {
	struct event_header header;
	__u32 nr_frames;
	__u32 spare;
};
_Static_assert(sizeof(struct event_live) == 24, "event_live is a file format");

/*
 * A kernel stack, innermost first. Followed by u64 addresses up to header.size: of the deepest
 * failing return (frame == EVENT_STACK_RETURN), or, where the kernel cannot unwind from a return
 * probe, one at the entry of each traced call, which ends at the next traced caller.
 */
struct event_stack {
	struct event_header header;
	__u32 frame;		/* index of the frame at whose entry it was taken */
	__u32 nr_ips;
};
_Static_assert(sizeof(struct event_stack) == 24, "event_stack is a file format");

#define EVENT_STACK_RETURN 0xffffffffu

/* A branch the CPU took: struct perf_branch_entry (uapi/linux/perf_event.h). */
struct event_branch {
	__u64 from;
	__u64 to;
	__u64 flags;	/* its bit field, from the lowest bit: BRANCH_x */
};
_Static_assert(sizeof(struct event_branch) == 24, "event_branch is a file format");

#define BRANCH_MISPREDICTED	(1ull << 0)
#define BRANCH_PREDICTED	(1ull << 1)
#define BRANCH_IN_TX		(1ull << 2)
#define BRANCH_ABORT		(1ull << 3)
#define BRANCH_CYCLES(flags)	(((flags) >> 4) & 0xffff)	/* since the branch before; 0 unknown */
#define BRANCH_TYPE(flags)	(((flags) >> 20) & 0xf)	/* PERF_BR_x, 5.0 (saved on request); 0 unknown */

#define EVENT_MAX_BRANCHES 64	/* arm64's BRBE has that many; x86 up to 32 */

/*
 * The CPU's last branches at the return of the traced call whose result the session shows. As the
 * CPU gave them: newest first, so tracing's own come first. Followed by nr of struct event_branch.
 */
struct event_branches {
	struct event_header header;
	__u32 func;		/* of that call: index into the plan's functions */
	__u16 nr;
	__s16 err;		/* negative errno: there is no snapshot, and why; nr is 0 */
	__u64 result;		/* its return register as it was */
};
_Static_assert(sizeof(struct event_branches) == 32, "event_branches is a file format");

/* OpenTelemetry's ids: bytes in the order in which they are printed. */
struct trace_ids {
	__u64 trace[2];
	__u64 span;
};

/* The span that the thread was working on, in its application's trace. */
struct event_trace_context {
	struct event_header header;
	struct trace_ids ids;	/* neither of the two is 0 */
};
_Static_assert(sizeof(struct event_trace_context) == 40, "event_trace_context is a file format");

/*
 * One edge of a session's trace. Its depth is not kept: it follows from earlier edges, or an edge's
 * value says it.
 */
struct event_call {
	__u32 func;	/* CALL_ENTER, CALL_RETURN: index into the plan's functions; else see there */
	__u32 what;	/* enum call_kind; in the upper bits the ns since the edge before */
	__u64 value;	/* CALL_RETURN: return register as it was; else see there */
};
_Static_assert(sizeof(struct event_call) == 16, "event_call is a file format");

enum call_kind {
	CALL_ENTER = 0,
	CALL_RETURN = 1,
	CALL_CLOCK = 2,		/* value: CLOCK_MONOTONIC; the next edge's ns count from there */
	CALL_LOST = 3,		/* func: calls that found no room here; value: depth from here on */
	CALL_UNSEEN = 4,	/* returns were not seen; value: depth from here on */
	CALL_DEEP = 5,		/* func: calls beyond the depth limit, below the innermost one here */
	CALL_PROBE = 6,		/* func: index into the plan's probes; value: ARGS_SIZE() of data follow */
};

#define CALL_KIND_BITS 3
#define CALL_KIND(what) ((what) & ((1u << CALL_KIND_BITS) - 1))
#define CALL_DELTA(what) ((what) >> CALL_KIND_BITS)
#define CALL_MAX_DELTA ((1u << (32 - CALL_KIND_BITS)) - 1)	/* 0.53 s; CALL_CLOCK is for more */

/* A part of a session's trace. Followed by struct event_call up to header.size. */
struct event_calls {
	struct event_header header;
	__u64 base_ns;		/* CLOCK_MONOTONIC, from which the first edge counts */
	__u32 seq;		/* 0, 1, 2, ... in a session */
	__u32 calls_before;	/* as event_session.calls, up to here */
	__u32 depth;		/* calls open where it begins */
	__u32 spare;
};
_Static_assert(sizeof(struct event_calls) == 40, "event_calls is a file format");

/*
 * All that BPF knows about a function, in one word: an attach cookie, hash value or instruction
 * immediate, depending on the rung.
 */
#define COOKIE_FUNC(cookie) ((__u32)(cookie))
#define COOKIE_ENTRY (1ull << 32)
#define COOKIE_NONE (~0ull)		/* of no function */
#define COOKIE_ANY (~1ull)		/* of a return whose function is not known */
#define COOKIE_HOOKED (1ull << 33)	/* live frames: return address at sp, will be hooked */
#define COOKIE_RETURNS_SHIFT 40		/* 8 bits: enum return_kind */
#define COOKIE_ARG_SLOTS_SHIFT 48	/* 8 bits: 8-byte slots before the result in fexit's context */
#define COOKIE_RULE_SHIFT 56		/* 8 bits: index + 1 into config.error_rules, 0 none */
#define COOKIE_RETURNS(cookie) (((cookie) >> COOKIE_RETURNS_SHIFT) & 0xff)
#define COOKIE_ARG_SLOTS(cookie) (((cookie) >> COOKIE_ARG_SLOTS_SHIFT) & 0xff)
#define COOKIE_RULE(cookie) (((cookie) >> COOKIE_RULE_SHIFT) & 0xff)

/* Counters of sessions, and of all that was missed; one set per CPU. */
struct event_stats {
	__u64 opened;		/* sessions */
	__u64 sent;		/* sessions and interim stacks handed to user space */
	__u64 filtered;		/* ended without passing the filters */
	__u64 no_slot;		/* not opened: more open at once than bpf.sessions-size */
	__u64 no_room;		/* passed, but the ring buffer was full */
	__u64 stacks_lost;	/* sent without their stack */
	__u64 truncated;	/* calls beyond the depth limit */
	__u64 missed_returns;	/* calls whose return was never seen */
	__u64 missed_entries;	/* returns of calls never seen inside a session */
	__u64 calls_lost;	/* calls not in the trace of a session that passed: no room */
	__u64 summary_lost;	/* sessions not in all of the summary: too many functions and results */
	__u64 nmi_skipped;	/* entry calls in NMIs, where this kernel's BPF is not safe */
	__u64 ring_records;	/* put into the ring buffer */
	__u64 ring_bytes;
	__u64 probes_skipped;	/* probes passed while a program of ours was at that session */
	__u64 children_lost;	/* processes not followed: more of them than there is room for */
	__u64 branches_lost;	/* sessions sent without their branches */
	__u64 elsewhere;	/* entry calls on another stack than the open session's */
	__u64 map_busy;		/* entry calls not followed: a map was locked */
	__u64 release_failed;	/* a slot or an element was not given back: a map was locked */
	__u64 breakpoints;	/* hits of the CPU's breakpoints that programs saw */
	__u64 shed;		/* entry calls not followed: --budget */
	__u64 stacks_refused;	/* of stacks_lost: the kernel gave no stack, or not all of it */
	__u64 spare;
};
_Static_assert(sizeof(struct event_stats) == 192, "whole cache lines");

#endif
