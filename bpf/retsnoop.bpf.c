// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/*
 * What runs in the kernel: sessions.
 *
 * A traced function's entry and exit reach on_entry() and on_exit() from one of five kinds of
 * programs (the rungs); all else is the same for all of them. Built in variants:
 *
 *   SESSION_KFUNCS_VOID	bpf_session_is_return(void), 6.10 and on
 *   SESSION_KFUNCS_CTX		bpf_session_is_return(ctx), 7.2 and on
 *   NO_KERNEL_BTF		nothing of the kernel is known by name
 */
#include <linux/types.h>
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <stdbool.h>
#include <stddef.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#include "bpf/chain.h"
#include "bpf/config.h"
#include "bpf/event.h"
#include "bpf/kernel_types.h"
#include "bpf/result.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* Set before loading; what is off here is not in the program the kernel sees. */
const volatile struct bpf_config config SEC(".rodata.config");

/* Written by user space while running: nothing is recorded until all is attached. */
volatile __u32 recording SEC(".data.recording");

/* A chain's records, laid out as they are sent. */
struct chain_buf {
	struct event_session event;
	struct event_frame frames[EVENT_MAX_DEPTH];
	struct event_stack stack;
	__u64 ips[EVENT_MAX_IPS];
	__u64 stack_bytes;	/* of ips, 0 none */
};

/* The cold part of a session; slots are reused and never cleared. */
struct slot {
	__u64 generation;
	struct event_live live;		/* sent together with frames */
	struct event_live_frame frames[EVENT_MAX_DEPTH];
	struct chain_buf chains[2];
};

/* The hot part: small, because opening a session clears it. */
struct session {
	__u64 id;
	__u32 slot;
	__u32 depth;		/* live frames kept */
	__u32 over;		/* live frames beyond the limit */
	__u32 truncated;	/* calls that were beyond the limit */
	__u64 scratch;		/* see forget() */
	struct chains chains;
};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 8 << 20);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64);
	__type(value, struct session);
} sessions SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, struct slot);
} slots SEC(".maps");

/* Indexes of slots that no session uses. */
struct {
	__uint(type, BPF_MAP_TYPE_STACK);
	__uint(max_entries, 1024);
	__uint(key_size, 0);
	__uint(value_size, sizeof(__u32));
} free_slots SEC(".maps");

/* Stacks at entry, where return probes cannot unwind (config.entry_stacks); by slot. */
struct entry_stack {
	struct event_stack event;
	__u64 ips[ENTRY_STACK_IPS];
};

struct entry_stacks {
	struct entry_stack frames[ENTRY_STACK_DEPTH];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct entry_stacks);
} entry_stacks SEC(".maps");

/* Function address to cookie, for kernels without attach cookies. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, __u64);
} cookies SEC(".maps");

/* Thread groups: 1 wanted, 2 not wanted. The workload's children join by themselves. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u8);
} pids SEC(".maps");

struct comm {
	char s[EVENT_COMM_LEN];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct comm);
	__type(value, __u8);
} comms SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct event_stats);
} stats SEC(".maps");

#define count(what)                                                                                \
	do {                                                                                       \
		__u32 zero_ = 0;                                                                   \
		struct event_stats *stats_ = bpf_map_lookup_elem(&stats, &zero_);                  \
		if (stats_)                                                                        \
			stats_->what++;                                                            \
	} while (0)


/*
 * An index of frames. The compiler would drop a mask that it can prove useless, or walk a pointer
 * instead of an index, and the verifier would lose the bound.
 */
static __always_inline __u32 bounded(__u32 depth)
{
	barrier_var(depth);
	return depth & (EVENT_MAX_DEPTH - 1);
}

/*
 * Contexts. The preempt count tells (include/linux/preempt.h, 5.10 to 7.2).
 */
#define SOFTIRQ_SERVING 0x00000100
#define HARDIRQ_MASK 0x000f0000
#define NMI_MASK 0x00f00000

#ifndef NO_KERNEL_BTF
extern const int __preempt_count __ksym __weak;		/* up to 6.1, and from 6.15 */
extern const struct pcpu_hot pcpu_hot __ksym __weak;	/* 6.2 to 6.14 */

static __always_inline __u32 preempt_count(void)
{
	const int *count_ptr;
	const struct pcpu_hot *hot;

	if (&__preempt_count) {
		count_ptr = bpf_this_cpu_ptr(&__preempt_count);
		return *count_ptr;
	}
	if (&pcpu_hot) {
		hot = bpf_this_cpu_ptr(&pcpu_hot);
		return hot->preempt_count;
	}
	return 0;
}
#else
static __always_inline __u32 preempt_count(void)
{
	return 0;
}
#endif

static __always_inline __u32 current_context(void)
{
	__u32 count_now = preempt_count();

	if (!(count_now & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_SERVING)))
		return CONTEXT_TASK;
	if (count_now & NMI_MASK)
		return CONTEXT_NMI;
	return count_now & HARDIRQ_MASK ? CONTEXT_HARDIRQ : CONTEXT_SOFTIRQ;
}

/*
 * A session belongs to a task, or to a CPU's interrupt context. The task's address tells tasks
 * apart, idle ones included, which all have pid 0.
 */
static __always_inline __u64 session_key(__u32 context)
{
	if (context == CONTEXT_TASK)
		return bpf_get_current_task();
	return (__u64)context << 32 | bpf_get_smp_processor_id();
}

static __always_inline struct slot *slot_of(const struct session *session)
{
	__u32 index = session->slot;

	return bpf_map_lookup_elem(&slots, &index);
}

/* Process filters; an interrupt belongs to no process, so with a filter its calls are not wanted. */
static __always_inline bool wanted(__u32 context)
{
	struct comm comm = {};
	__u8 *verdict;
	__u32 pid;

	if (!config.filter_pids && !config.filter_comms)
		return true;
	if (context != CONTEXT_TASK)
		return false;
	if (config.filter_pids) {
		pid = bpf_get_current_pid_tgid() >> 32;
		verdict = bpf_map_lookup_elem(&pids, &pid);
		if (verdict ? *verdict == FILTER_DENY : config.only_listed_pids)
			return false;
	}
	if (config.filter_comms) {
		bpf_get_current_comm(&comm, sizeof(comm));
		verdict = bpf_map_lookup_elem(&comms, &comm);
		if (verdict ? *verdict == FILTER_DENY : config.only_listed_comms)
			return false;
	}
	return true;
}

static __noinline struct session *session_open(__u64 key)
{
	struct session fresh = {};
	struct slot *slot;

	if (bpf_map_pop_elem(&free_slots, &fresh.slot)) {
		count(no_slot);
		return NULL;
	}
	slot = slot_of(&fresh);
	if (!slot)
		return NULL;
	fresh.id = ++slot->generation << 32 | fresh.slot;
	if (bpf_map_update_elem(&sessions, &key, &fresh, BPF_ANY)) {
		bpf_map_push_elem(&free_slots, &fresh.slot, 0);
		count(no_slot);
		return NULL;
	}
	count(opened);
	return bpf_map_lookup_elem(&sessions, &key);
}

static __always_inline void session_close(struct session *session, __u64 key)
{
	__u32 slot = session->slot;

	bpf_map_delete_elem(&sessions, &key);
	bpf_map_push_elem(&free_slots, &slot, 0);
}

static __always_inline int send(void *data, __u32 size, __u64 flags)
{
	return bpf_ringbuf_output(&events, data, size, flags);
}

/*
 * The entry stacks of the chain's frames, outermost first. How many found no room is left in
 * session->scratch: in memory, or the verifier would follow each count to the end.
 */
static __noinline int send_entry_stacks(struct session *session, __u32 nr_frames)
{
	struct entry_stacks *all;
	struct entry_stack *stack;
	__u32 slot, nr;

	if (!session)
		return 0;
	session->scratch = 0;
	slot = session->slot;
	all = bpf_map_lookup_elem(&entry_stacks, &slot);
	if (!all)
		return 0;
	for (__u32 i = 0; i < ENTRY_STACK_DEPTH; i++) {
		if (i >= nr_frames)
			break;
		slot = i;
		barrier_var(slot);
		stack = &all->frames[slot & (ENTRY_STACK_DEPTH - 1)];
		nr = stack->event.nr_ips & (2 * ENTRY_STACK_IPS - 1);
		if (nr > ENTRY_STACK_IPS)
			nr = ENTRY_STACK_IPS;
		stack->event.header.kind = EVENT_STACK;
		stack->event.header.session = session->id;
		stack->event.header.size = sizeof(stack->event) + nr * 8;
		stack->event.frame = i;
		if (send(stack, sizeof(stack->event) + nr * 8, BPF_RB_NO_WAKEUP))
			session->scratch++;
	}
	return 0;
}

/* Sends the current chain. */
static __noinline int session_send(struct session *session, __u64 flags_and_context)
{
	struct chain_state *chain;
	struct event_session *event;
	struct chain_buf *buf;
	struct slot *slot;
	__u32 nr, which, flags = flags_and_context & 0xff, context = flags_and_context >> 8;
	__u64 now = bpf_ktime_get_ns(), size, id;
	int err;

	if (!session)
		return 0;
	slot = slot_of(session);
	if (!slot)
		return 0;
	which = session->chains.current & 1;
	chain = &session->chains.state[which];
	buf = &slot->chains[which];
	id = session->id;
	event = &buf->event;
	nr = chain->depth;
	if (nr > EVENT_MAX_DEPTH)
		nr = EVENT_MAX_DEPTH;

	if (config.interim && chain->at) {
		size = chain->at;
		if (size > EVENT_MAX_DEPTH)
			size = EVENT_MAX_DEPTH;
		slot->live.header.kind = EVENT_LIVE;
		slot->live.header.session = id;
		slot->live.nr_frames = size;
		slot->live.spare = 0;
		size = sizeof(slot->live) + size * sizeof(slot->frames[0]);
		slot->live.header.size = size;
		barrier_var(size);
		if (size <= sizeof(slot->live) + sizeof(slot->frames) &&
		    send(&slot->live, size, BPF_RB_NO_WAKEUP)) {
			count(no_room);
			return 0;
		}
	}

	if (config.entry_stacks) {
		send_entry_stacks(session, nr);
		if (session->scratch)
			flags |= EVENT_SESSION_NO_STACK;
	} else {
		size = buf->stack_bytes;
		if (!size || size > sizeof(buf->ips)) {
			flags |= EVENT_SESSION_NO_STACK;
		} else {
			buf->stack.header.kind = EVENT_STACK;
			buf->stack.header.size = sizeof(buf->stack) + size;
			buf->stack.header.session = id;
			buf->stack.frame = EVENT_STACK_RETURN;
			buf->stack.nr_ips = size / 8;
			if (send(&buf->stack, sizeof(buf->stack) + size, BPF_RB_NO_WAKEUP))
				flags |= EVENT_SESSION_NO_STACK;
		}
	}

	event->header.kind = EVENT_SESSION;
	event->header.size = sizeof(*event) + nr * sizeof(struct event_frame);
	event->header.session = id;
	event->start_ns = slot->frames[0].start_ns;
	event->end_ns = now;
	event->tid = bpf_get_current_pid_tgid();
	event->pid = bpf_get_current_pid_tgid() >> 32;
	bpf_get_current_comm(event->comm, sizeof(event->comm));
#ifndef NO_KERNEL_BTF
	{
		struct task_struct *task = (void *)bpf_get_current_task();

		task = BPF_CORE_READ(task, group_leader);
		bpf_core_read(event->proc_comm, sizeof(event->proc_comm), &task->comm);
	}
#else
	event->proc_comm[0] = '\0';
#endif
	event->context = context;
	if (chain->flags & CHAIN_FAILED)
		flags |= EVENT_SESSION_FAILED;
	event->flags = flags;
	event->nr_frames = nr;
	event->stitched = chain->stitched;
	event->unfinished = chain->at;
	event->truncated = session->truncated;
	event->chunks = 0;
	event->calls = 0;
	event->spare = 0;
	/* The verifier wants the bound on the size itself. */
	size = sizeof(*event) + nr * sizeof(struct event_frame);
	barrier_var(size);
	if (size > sizeof(*event) + sizeof(buf->frames))
		return 0;
	err = send(event, size, 0);
	if (err)
		count(no_room);
	else
		count(sent);
	if (!err && (flags & EVENT_SESSION_NO_STACK))
		count(stacks_lost);
	return 0;
}

/* Errno lists apply to a whole chain: one wanted result lets it pass, one unwanted does not. */
static __always_inline bool passes(const struct chain_state *chain, __u64 duration_ns)
{
	if (config.longer_ns && duration_ns < config.longer_ns)
		return false;
	if (!(chain->flags & CHAIN_VALID))
		return false;
	if (!(chain->flags & CHAIN_FAILED))
		return config.successes && !config.allow_errnos_used;
	if (config.success_only)
		return false;
	if (config.deny_errnos_used && (chain->flags & CHAIN_DENIED))
		return false;
	return !config.allow_errnos_used || (chain->flags & CHAIN_ALLOWED);
}

static __always_inline bool errno_in(const volatile __u64 *bits, __u32 err)
{
	return bits[err / 64 & (CONFIG_ERRNO_WORDS - 1)] >> (err & 63) & 1;
}

/*
 * Memory of a map makes the verifier forget what it knows of a value: that a trampoline program's
 * stack pointer is its context's address, a pointer it allows no arithmetic on; or which of many
 * ways led to a number, each of which it would otherwise follow to the end.
 */
static __always_inline __u64 forget(struct session *session, __u64 value)
{
	*(volatile __u64 *)&session->scratch = value;
	return *(volatile __u64 *)&session->scratch;
}

/*
 * How many of the live frames sit at @sp or above. The stack grows down: a call made by a live
 * frame sits below it, so stack pointers fall with depth, and a frame that is below a new call, or
 * below a returning one, is over although its return was not seen.
 */
static __always_inline __u32 frames_above(struct session *session, const struct slot *slot,
					  __u32 depth, __u64 sp)
{
	__u32 above = 0;

#pragma unroll
	for (int step = EVENT_MAX_DEPTH; step; step /= 2) {
		if (above + step <= depth && slot->frames[bounded(above + step - 1)].sp >= sp)
			above += step;
		above = forget(session, above);
	}
	return above;
}

/* Frames of a stack somewhere else entirely belong to a task that is gone. */
#define STACK_SPAN (64 << 10)

static __always_inline __u32 live_frames(struct session *session, const struct slot *slot,
					 __u32 depth, __u64 sp)
{
	__u32 live = depth;

	if (depth > EVENT_MAX_DEPTH)
		return 0;
	if (slot->frames[bounded(depth - 1)].sp < sp)
		live = frames_above(session, slot, depth, sp);
	if (slot->frames[0].sp - sp > STACK_SPAN)
		live = 0;
	return forget(session, live);
}

/*
 * Whether a frame that may be live is over, or its return will not be seen: the kernel had no
 * instance left to hook it. Where a hook replaces the return address, that tells. Comparing stack
 * pointers does not: the next system call may begin at the same one, or, with
 * randomize_kstack_offset, below it.
 */
static __always_inline bool is_lost(const struct slot *slot, __u32 index, __u64 cookie, __u64 sp)
{
	const struct event_live_frame *frame = &slot->frames[bounded(index)];
	__u64 to = 0, live_cookie = frame->cookie;

	/* A tail call begins where its caller did, but no function calls itself so. */
	if (frame->sp == sp && COOKIE_FUNC(live_cookie) == COOKIE_FUNC(cookie))
		return true;
	if (!(live_cookie & COOKIE_HOOKED) || !config.return_hooks[0] ||
	    bpf_probe_read_kernel(&to, sizeof(to), (void *)frame->sp))
		return false;
	return to != config.return_hooks[0] && to != config.return_hooks[1] &&
	       to != config.return_hooks[2];
}

static __always_inline void keep_entry_stack(void *ctx, __u32 slot_index, __u32 depth)
{
	struct entry_stacks *all;
	struct entry_stack *stack;
	long size;

	if (depth >= ENTRY_STACK_DEPTH)
		return;
	all = bpf_map_lookup_elem(&entry_stacks, &slot_index);
	if (!all)
		return;
	barrier_var(depth);
	stack = &all->frames[depth & (ENTRY_STACK_DEPTH - 1)];
	size = bpf_get_stack(ctx, stack->ips, sizeof(stack->ips), 0);
	stack->event.nr_ips = size > 0 ? (__u32)size / 8 : 0;
}

static __noinline void missed_returns(struct session *session, __u32 depth)
{
	__u32 zero = 0;
	struct event_stats *all = bpf_map_lookup_elem(&stats, &zero);

	if (!session)
		return;
	if (all)
		all->missed_returns += session->depth - depth;
	session->depth = depth;
	chain_truncate(&session->chains, depth);
}

/* Returns 1 when the exit is of no interest. */
static __always_inline int on_entry(void *ctx, __u64 cookie, __u64 sp)
{
	__u32 context, depth, broken;
	struct event_live_frame *frame;
	struct session *session;
	__u64 key, safe_sp;
	struct slot *slot;

	if (!recording)
		return 1;
	context = current_context();
	key = session_key(context);
	session = bpf_map_lookup_elem(&sessions, &key);
	if (!session) {
		if (!(cookie & COOKIE_ENTRY) || !wanted(context))
			return 1;
		session = session_open(key);
		if (!session)
			return 1;
	}
	slot = slot_of(session);
	if (!slot)
		return 1;

	safe_sp = forget(session, sp);
	depth = session->depth;
	if (depth) {
		depth = live_frames(session, slot, depth, safe_sp);
		if (depth && depth <= EVENT_MAX_DEPTH &&
		    is_lost(slot, depth - 1, cookie, safe_sp)) {
			/* Without the entry call's return there is no session. */
			depth = is_lost(slot, 0, cookie, safe_sp) ? 0 : depth - 1;
			depth = forget(session, depth);
		}
		if (depth != session->depth) {
			missed_returns(session, depth);
			session->over = 0;
		}
		if (!depth) {
			/* All of it was over: this is another activation, or none. */
			session_close(session, key);
			if (!(cookie & COOKIE_ENTRY) || !wanted(context))
				return 1;
			session = session_open(key);
			if (!session)
				return 1;
			slot = slot_of(session);
			if (!slot)
				return 1;
		}
	}
	if (depth >= EVENT_MAX_DEPTH) {
		session->over++;
		session->truncated++;
		count(truncated);
		return 0;
	}

	broken = chain_call(&session->chains, depth);
	if (broken && config.interim)
		session_send(session, EVENT_SESSION_INTERIM | context << 8);

	frame = &slot->frames[bounded(depth)];
	frame->cookie = cookie;
	frame->sp = safe_sp;
	if (config.entry_stacks)
		keep_entry_stack(ctx, session->slot, depth);
	session->depth = depth + 1;
	frame->start_ns = bpf_ktime_get_ns();
	return 0;
}

/* A return probe sees the stack with the return address popped. */
#define RETURN_SP_DELTA 8

/*
 * Whether the frame is the one that returns.
 *
 * @by_sp	the program cannot tell which function it is (return probes before attach cookies):
 *		the stack pointer does
 */
static __always_inline bool is_returning(const struct event_live_frame *frame, __u64 cookie, bool by_sp,
					 __u64 sp)
{
	if (by_sp)
		return sp - frame->sp == RETURN_SP_DELTA;
	return COOKIE_FUNC(frame->cookie) == COOKIE_FUNC(cookie) && frame->sp <= sp;
}

/*
 * The depth of the returning frame plus one, 0 when it is not there. Mostly it is the innermost.
 * Otherwise it is the outermost one at or below the stack pointer, or one further in: where that
 * was a tail call, or the caller has no frame of its own to speak of.
 */
static __always_inline __u32 find_returning(struct session *session, const struct slot *slot,
					    __u32 depth, __u64 cookie, bool by_sp, __u64 sp)
{
	__u32 found = depth, above;

	if (!is_returning(&slot->frames[bounded(depth - 1)], cookie, by_sp, sp)) {
		above = frames_above(session, slot, depth, sp + 1);
		if (above + 1 < depth &&
		    is_returning(&slot->frames[bounded(above + 1)], cookie, by_sp, sp))
			found = above + 2;
		else if (above < depth &&
			 is_returning(&slot->frames[bounded(above)], cookie, by_sp, sp))
			found = above + 1;
		else
			found = 0;
	}
	return forget(session, found);
}

/* Keep the returning call as part of a chain, with the kernel stack where a chain begins. */
static __always_inline void keep_frame(void *ctx, struct session *session, struct slot *slot,
				       __u32 depth, const struct event_frame *frame, int err,
				       bool start)
{
	__u32 which = session->chains.current & 1;
	struct chain_state *chain = &session->chains.state[which];
	struct chain_buf *buf = &slot->chains[which];
	long size;

	buf->frames[bounded(depth)] = *frame;
	if (frame->flags & EVENT_FRAME_FAILED) {
		if (config.allow_errnos_used && errno_in(config.allow_errnos, err))
			chain->flags |= CHAIN_ALLOWED;
		if (config.deny_errnos_used && errno_in(config.deny_errnos, err))
			chain->flags |= CHAIN_DENIED;
	}
	if (start && !config.entry_stacks) {
		size = bpf_get_stack(ctx, buf->ips, sizeof(buf->ips), 0);
		buf->stack_bytes = size > 0 ? size : 0;
	}
}

static __always_inline void on_exit(void *ctx, __u64 cookie, bool by_sp, __u64 sp, __u64 result)
{
	__u32 context, depth, returns;
	struct chain_state *chain;
	struct event_live_frame *live;
	struct event_frame frame;
	struct session *session;
	struct slot *slot;
	int err, failed, action;
	__u64 key, now;

	if (!recording)
		return;
	context = current_context();
	key = session_key(context);
	session = bpf_map_lookup_elem(&sessions, &key);
	if (!session)
		return;
	slot = slot_of(session);
	if (!slot)
		return;
	now = bpf_ktime_get_ns();
	sp = forget(session, sp);

	depth = session->depth;
	if (!depth || depth > EVENT_MAX_DEPTH)
		return;
	if (session->over && sp < slot->frames[bounded(depth - 1)].sp) {
		session->over--;
		return;
	}
	session->over = 0;
	depth = find_returning(session, slot, depth, cookie, by_sp, sp);
	if (!depth) {
		count(missed_entries);
		return;
	}
	if (depth != session->depth)
		missed_returns(session, depth);
	depth--;
	session->depth = depth;

	live = &slot->frames[bounded(depth)];
	cookie = live->cookie;
	returns = COOKIE_RETURNS(cookie);
	err = result_errno(result, returns);
	failed = err != RESULT_NOT_FAILED;
	frame.func = COOKIE_FUNC(cookie);
	frame.flags = failed ? EVENT_FRAME_FAILED : 0;
	frame.duration_ns = now - live->start_ns;
	frame.result = result;

	chain = chain_current(&session->chains);
	if (config.interim && !failed && result_can_fail(returns) && chain_is_failure(chain) &&
	    !(chain->flags & CHAIN_BROKEN) && chain->at == depth + 1)
		session_send(session, EVENT_SESSION_INTERIM | context << 8);

	action = chain_return(&session->chains, depth, failed, result_can_fail(returns),
			      config.successes);
	action = forget(session, action);
	if (action != CHAIN_IGNORE)
		keep_frame(ctx, session, slot, depth, &frame, err, action == CHAIN_START);
	if (depth)
		return;

	chain = chain_current(&session->chains);
	if (passes(chain, frame.duration_ns))
		session_send(session, context << 8);
	else
		count(filtered);
	session_close(session, key);
}

/*
 * The rungs. Program types and attach types are set by user space: libbpf 1.1 does not know the
 * newer ones, so section names are plain.
 */

/* Kernels before 5.15 have no attach cookies; there the address leads to them. */
static __always_inline __u64 kprobe_cookie(struct pt_regs *ctx, __u64 *ret_known)
{
	__u64 ip, *cookie;

	*ret_known = 1;
	if (config.attach_cookies)
		return bpf_get_attach_cookie(ctx);
	ip = PT_REGS_IP(ctx) - config.kprobe_ip_offset;
	cookie = bpf_map_lookup_elem(&cookies, &ip);
	if (!cookie) {
		*ret_known = 0;
		return 0;
	}
	return *cookie;
}

SEC("entry/kprobe")
int entry_kprobe(struct pt_regs *ctx)
{
	__u64 known, cookie = kprobe_cookie(ctx, &known);

	if (known)
		on_entry(ctx, cookie | COOKIE_HOOKED, PT_REGS_SP(ctx));
	return 0;
}

SEC("exit/kprobe")
int exit_kprobe(struct pt_regs *ctx)
{
	__u64 cookie = config.attach_cookies ? bpf_get_attach_cookie(ctx) : 0;

	on_exit(ctx, cookie, !config.attach_cookies, PT_REGS_SP(ctx), PT_REGS_RC(ctx));
	return 0;
}

SEC("entry/kprobe_multi")
int entry_kprobe_multi(struct pt_regs *ctx)
{
	on_entry(ctx, bpf_get_attach_cookie(ctx) | COOKIE_HOOKED, PT_REGS_SP(ctx));
	return 0;
}

SEC("exit/kprobe_multi")
int exit_kprobe_multi(struct pt_regs *ctx)
{
	on_exit(ctx, bpf_get_attach_cookie(ctx), false, PT_REGS_SP(ctx), PT_REGS_RC(ctx));
	return 0;
}

#ifdef SESSION_KFUNCS_VOID
extern bool bpf_session_is_return(void) __ksym __weak;
#define session_is_return(ctx) bpf_session_is_return()
#endif
#ifdef SESSION_KFUNCS_CTX
extern bool bpf_session_is_return(void *ctx) __ksym __weak;
extern __u64 *bpf_session_cookie(void *ctx) __ksym __weak;
#define session_is_return(ctx) bpf_session_is_return(ctx)
#endif

#ifdef session_is_return
SEC("session/kprobe")
int session_kprobe(struct pt_regs *ctx)
{
	__u64 cookie = bpf_get_attach_cookie(ctx);

	if (session_is_return(ctx)) {
		on_exit(ctx, cookie, false, PT_REGS_SP(ctx), PT_REGS_RC(ctx));
		return 0;
	}
	return on_entry(ctx, cookie, PT_REGS_SP(ctx));
}
#endif

#ifdef SESSION_KFUNCS_CTX
SEC("session/tracing")
int session_tracing(__u64 *ctx)
{
	__u64 cookie = bpf_get_attach_cookie(ctx), result = 0;

	/* The exit cannot be skipped (it is refused to return 1): the session cookie remembers. */
	__u64 *of_interest = bpf_session_cookie(ctx);

	if (session_is_return(ctx)) {
		if (!*of_interest)
			return 0;
		bpf_get_func_ret(ctx, &result);
		on_exit(ctx, cookie, false, (__u64)ctx, result);
		return 0;
	}
	*of_interest = !on_entry(ctx, cookie, (__u64)ctx);
	return 0;
}
#endif

#ifndef NO_KERNEL_BTF
/*
 * fentry and fexit take one program a function: these are loaded once, and copied for each
 * function with its cookie in place of the marker.
 */
static __always_inline __u64 patched_cookie(void)
{
	__u64 cookie;

	asm volatile("%0 = " COOKIE_MARKER_STRING " ll" : "=r"(cookie));
	return cookie;
}

SEC("entry/tracing")
int entry_tracing(__u64 *ctx)
{
	on_entry(ctx, patched_cookie(), (__u64)ctx);
	return 0;
}

SEC("exit/tracing")
int exit_tracing(__u64 *ctx)
{
	__u64 cookie = patched_cookie(), result = 0;

	/*
	 * bpf_get_func_ret() is 5.17's. Before, the result stands behind the arguments; a direct
	 * load would be typed by each function, so copy it.
	 */
	if (config.func_ret)
		bpf_get_func_ret(ctx, &result);
	else
		bpf_probe_read_kernel(&result, sizeof(result), ctx + COOKIE_ARG_SLOTS(cookie));
	on_exit(ctx, cookie, false, (__u64)ctx, result);
	return 0;
}

/* The workload's children are the workload. */
SEC("process/fork")
int process_fork(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *parent = (void *)ctx->args[0], *child = (void *)ctx->args[1];
	__u32 pid = BPF_CORE_READ(parent, tgid), child_pid = BPF_CORE_READ(child, tgid);
	__u8 *verdict = bpf_map_lookup_elem(&pids, &pid), wanted_one = FILTER_ALLOW;

	if (child_pid != pid && verdict && *verdict == FILTER_ALLOW)
		bpf_map_update_elem(&pids, &child_pid, &wanted_one, BPF_ANY);
	return 0;
}

/* A process that is gone leaves its number to others. */
SEC("process/exit")
int process_exit(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (void *)ctx->args[0];
	__u32 pid = BPF_CORE_READ(task, pid), tgid = BPF_CORE_READ(task, tgid);

	if (pid == tgid)
		bpf_map_delete_elem(&pids, &pid);
	return 0;
}
#endif
