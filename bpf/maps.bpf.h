/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * The programs' data: configuration, sessions, buffers, counters.
 *
 * The .bpf.h files are parts of one program, each about one thing. Include bpf/bpf_helpers.h, which
 * declares the kernel's helpers, before them.
 */
#ifndef RETSNOOP_BPF_MAPS_BPF_H
#define RETSNOOP_BPF_MAPS_BPF_H

#include <linux/errno.h>

#include "bpf/arg_items.h"
#include "bpf/chain.h"
#include "bpf/config.h"
#include "bpf/define_map.bpf.h"
#include "bpf/event.h"
#include "bpf/summary_rows.h"
#include "bpf/thread_context_place.h"

/* Set before loading; code that is off here is removed from the loaded program. */
const volatile struct bpf_config config SEC(".rodata.config");

/*
 * A number of the program that the loader writes over one of the markers in bpf/config.h. The compiler
 * must not know the marker: it would compute with it.
 */
#ifndef PATCHED
#define PATCHED(marker)                                              \
	({                                                           \
		__u64 patched_;                                      \
		asm volatile("%0 = " marker " ll" : "=r"(patched_)); \
		patched_;                                            \
	})
#endif

/* Written by user space while running: recording starts when all is attached. */
volatile __u32 recording SEC(".data.recording");

/* The set of rows being filled, of two (bpf/summary_rows.h); written by user space too. */
volatile __u32 epoch SEC(".data.epoch");

/* Address of retsnoop's PID namespace, unless it is the initial one; set by namespace_learn(). */
volatile __u64 namespace_address SEC(".data.pid_ns");
volatile __u64 namespace_level SEC(".data.pid_ns");	/* nesting level of that namespace */

/* The machine's first mount namespace; 0: not known. Set by mounts_learn(). */
volatile __u64 host_mounts SEC(".data.pid_ns");

/* A chain's records, laid out as they are sent. */
struct chain_buf {
	struct event_session event;
	struct event_frame frames[EVENT_MAX_DEPTH];
	struct event_stack stack;
	__u64 ips[EVENT_MAX_IPS];
	__u64 stack_bytes;	/* of ips, 0 none */
	__s32 producer_err;	/* result of the innermost frame, as summary_key.err */
	__u32 stack_is_cut;	/* a caller returned when it was taken */
};

/* Registers of arguments, or a trampoline's slots. */
#define ARGS_SLOTS 16

/* Capturing arguments (bpf/args.bpf.h): in a map, so that the verifier forgets what it knows. */
struct arg_capture {
	struct arg_item item;
	__u64 place;	/* where the item is: its value, or an address */
	__u32 size;	/* bytes captured so far */
	__u32 unread;	/* bit per item */
	__u32 at;	/* byte in the trace's edges where data begins */
	__u32 is_value;	/* `place` is the value itself */
	__u32 names;	/* bytes of a path's names so far */
	__u32 spare;
};

/* Small, because opening a session clears it. */
struct session_state {
	__u64 key;		/* whose it is; 0: nobody's */
	__u64 id;
	__u32 slot;
	__u32 depth;		/* live frames kept; 0: it is closed, or about to open */
	__u32 over;		/* live frames beyond the limit */
	__u32 truncated;	/* calls that were beyond the limit */
	__u64 scratch;		/* see make_verifier_forget() */
	struct chains chains;

	/* Its trace (bpf/trace.bpf.h). */
	__u32 edges;		/* in the buffer */
	__u32 parts;		/* sent */
	__u32 calls;		/* entered */
	__u32 calls_elsewhere;	/* those not in the buffer: sent, or lost */
	__u32 calls_sent;
	__u32 lost_edges;	/* since the last edge kept */
	__u32 lost_calls;	/* the calls among them */
	__u32 deep;		/* calls beyond the limit since the last edge kept */
	__u64 edge_ns;		/* time of the last edge kept */
	__u32 edge_depth;	/* calls open after it */

	__u32 flags;		/* SESSION_x */
	__u32 wheres_met;	/* bit per condition that some call met */
	__u32 stack;		/* its index in sessions_on */
	__u32 gate;		/* its index in gates */
	__u32 quick;		/* where the short way ends (bpf/quick.bpf.h); 0: there is none */
};

/* A session's trace: config.trace_size edges, and ARGS_MAX_BYTES more for the verifier. */
struct trace_buf {
	struct event_calls event;
	struct event_call edges[];
};

/* What a thread publishes (bpf/thread_context.bpf.h). */
struct thread_record {
	__u64 pointer;		/* where it is */
	/* As published: */
	struct trace_ids ids;
	__u8 valid;
	__u8 spare[7];
};

/* All of a session. Slots are reused, and only the session's state is ever cleared. */
struct slot {
	struct session_state session;
	__u64 generation;
	struct event_live live;		/* sent together with frames */
	struct event_live_frame frames[EVENT_MAX_DEPTH];
	__u64 callers[EVENT_MAX_DEPTH];	/* with config.late_hooks: where the frames return to */
	struct chain_buf chains[2];
	__u64 args[ARGS_SLOTS];		/* of the call that is being entered: registers, or slots */
	__u64 args_sp;			/* where its arguments on the stack begin; 0: in slots */
	/* With config.kept_at: the object, and what it had there when the entry call began. */
	__u64 kept_object;
	__s32 kept_before;
	struct arg_capture capture;
	struct event_trace_context trace_context;	/* with SESSION_CONTEXT: laid out as it is sent */
	/* Read twice. Not on the stack, which all functions of a program share. */
	struct thread_record thread_records[2];
	/* The value that a condition tests, and one more word to see longer text. */
	__u64 words[WHERE_WORDS + 1];
	struct trace_buf trace;		/* only with config.trace */
};

#define SLOT_NONE (~0u)

#define SESSION_FN_LONGER (1u << 0)	/* a call took as long as config.fn_longer_ns */
#define SESSION_INTERIM (1u << 1)	/* an interim stack was sent */
/*
 * Its trace is being written, or arguments are being read. That may hit a probe: a raw tracepoint
 * (a page fault, a contended lock), or, inside trampolines' programs, any probe.
 */
#define SESSION_BUSY (1u << 2)
#define SESSION_CONTEXT (1u << 3)	/* the slot has the ids of a span */
#define SESSION_CONTEXT_TORN (1u << 4)	/* the ids changed while they were read */
#define SESSION_KEEPS_GATE (1u << 5)	/* its gate leads to it (bpf/gate.bpf.h), not the map */

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 << 20);
} events SEC(".maps");

/*
 * From a session's owner to its slot, unless the session keeps its gate; SLOT_NONE: none. Valid only
 * if the slot has the same key: an element that cannot be deleted stays here, and its slot may get
 * another owner.
 */
MAP(sessions, HASH, 1024, __u64, __u32);

MAP(slots, ARRAY, 1024, __u32, struct slot);

/* Indexes of slots that no session uses. */
struct {
	__uint(type, BPF_MAP_TYPE_STACK);
	__uint(max_entries, 1024);
	__uint(key_size, 0);
	__uint(value_size, sizeof(__u32));
} free_slots SEC(".maps");

/* What to capture of a function's arguments; by function. */
MAP(arg_items, ARRAY, 1, __u32, struct arg_items);

/* Conditions on arguments. */
MAP(wheres, ARRAY, 1, __u32, struct where);

/* The data to capture at a probe; by probe. */
MAP(probe_data, ARRAY, 1, __u32, struct probe_data);

/* The same for raw tracepoints: their arguments are captured like functions'. */
MAP(probe_args, ARRAY, 1, __u32, struct arg_items);

MAP(summary, HASH, 1, struct summary_key, struct summary_row);

/* A new, empty row; too large for the stack. Never written. */
MAP(summary_zero, ARRAY, 1, __u32, struct summary_row);

MAP(producers, HASH, 1, struct producer_key, __u64);

/* Stacks at entry, where return probes cannot unwind (config.entry_stacks); by slot. */
struct entry_stack {
	struct event_stack event;
	__u64 ips[ENTRY_STACK_IPS];
};

struct entry_stacks {
	struct entry_stack frames[ENTRY_STACK_DEPTH];
	/* By chain; of its stitched frames, the innermost first. */
	struct entry_stack broken[2][BROKEN_STACKS];
	__u64 spare[ENTRY_STACK_IPS];	/* the verifier assumes that the last stack is this long */
};

MAP(entry_stacks, ARRAY, 1, __u32, struct entry_stacks);

/*
 * Branches recorded at the return of a chain's innermost call, for each of a slot's chains; by slot
 * (config.branches).
 */
struct branch_buf {
	struct event_branches event;
	struct event_branch entries[EVENT_MAX_BRANCHES];
};

struct branch_bufs {
	struct branch_buf chains[2];
};

MAP(branches, ARRAY, 1, __u32, struct branch_bufs);

/*
 * The spans that threads work on. With TRACE_CONTEXT_MAP the pinned map replaces this one; it may be
 * another type of hash.
 */
MAP(traces_ctx_v1, HASH, 1, __u64, struct trace_ids);

/* With TRACE_CONTEXT_THREADS: where processes have their threads' spans; by process id. */
MAP(thread_contexts, HASH, 1, __u32, struct thread_context_place);

/* Ids of processes that user space shall look at. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 16);
} thread_context_asks SEC(".maps");

/* Function address to cookie, for kernels without attach cookies. */
MAP(cookies, HASH, 1, __u64, __u64);

/* Thread groups: 1 allowed, 2 denied. The workload's children are added by BPF. */
MAP(pids, HASH, 1, __u32, __u8);

#ifdef NO_KERNEL_BTF
/* Those children instead, by the address of their task: at a fork nothing else is known without types. */
MAP(children, HASH, 16384, __u64, __u8);
#endif

struct comm {
	char s[EVENT_COMM_LEN];
};

MAP(comms, HASH, 1, struct comm, __u8);

MAP(uids, HASH, 1, __u32, __u8);

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, CONFIG_CGROUPS);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} cgroups SEC(".maps");

MAP(stats, PERCPU_ARRAY, 1, __u32, struct event_stats);

#define count_n(what, n)                                                                           \
	do {                                                                                       \
		__u32 zero_ = 0;                                                                   \
		struct event_stats *stats_ = bpf_map_lookup_elem(&stats, &zero_);                  \
		if (stats_)                                                                        \
			stats_->what += (n);                                                       \
	} while (0)
#define count(what) count_n(what, 1)

/*
 * Bounds an index of frames for the verifier. The compiler would drop a mask that it can prove
 * useless, or use a pointer instead of an index, and the verifier would lose the bound.
 */
static __always_inline __u32 bound_depth(__u32 depth)
{
	barrier_var(depth);
	return depth & (EVENT_MAX_DEPTH - 1);
}

static __always_inline struct slot *slot_of(struct session_state *session)
{
	return (struct slot *)session;
}

/*
 * Through map memory the verifier forgets what it knows of a value: that a trampoline program's
 * stack pointer is its context's address, a pointer that allows no arithmetic; or which of many
 * paths led to a number, each of which it would otherwise follow to the end.
 */
static __always_inline __u64 make_verifier_forget(struct session_state *session, __u64 value)
{
	*(volatile __u64 *)&session->scratch = value;
	return *(volatile __u64 *)&session->scratch;
}

#endif
