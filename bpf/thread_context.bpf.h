/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Reads the span that the current thread publishes itself, from its memory: OpenTelemetry's thread
 * context (bpf/thread_context_place.h). The thread is in the kernel, so it does not write meanwhile, but
 * other threads might. Nothing is written, and reads never fault pages in.
 */
#ifndef RETSNOOP_BPF_THREAD_CONTEXT_BPF_H
#define RETSNOOP_BPF_THREAD_CONTEXT_BPF_H

#include "bpf/arch/arch.bpf.h"
#include "bpf/kernel_types.h"
#include "bpf/maps.bpf.h"
#include "bpf/process.bpf.h"

#ifdef ARCH_DTV_AT

/*
 * Kernel threads have no memory of a process. Threads of io_uring and vhost have the thread pointer
 * of the thread that made them, and work for others: PF_KTHREAD, PF_IO_WORKER, PF_USER_WORKER
 * (linux/sched.h).
 */
#define PF_NO_THREAD_CONTEXT (0x200000 | 0x10 | 0x4000)

/* glibc: an entry has 16 bytes; the one before the first has the number of entries. */
#define DTV_ENTRY 16
#define DTV_UNALLOCATED (~0ull)

#define THREAD_RECORD_SIZE \
	(offsetof(struct thread_record, spare) - offsetof(struct thread_record, ids))

enum thread_record_state {
	RECORD_NONE,
	RECORD_UNREADABLE,
	RECORD_VALID,
};

static __always_inline bool is_place_known(const struct thread_context_place *place)
{
	return place->kind == THREAD_CONTEXT_STATIC || place->kind == THREAD_CONTEXT_DYNAMIC;
}

static __always_inline bool read_user_word(__u64 *to, __u64 from)
{
	return !bpf_probe_read_user(to, sizeof(*to), (void *)from);
}

/* The address of the current thread's variable; 0: the thread has none. */
static __always_inline __u64 find_variable(const struct thread_context_place *place)
{
	__u64 pointer = thread_pointer((void *)bpf_get_current_task()), dtv = 0, nr = 0, block = 0;

	if (!pointer)
		return 0;
	if (place->kind == THREAD_CONTEXT_STATIC)
		return pointer + place->offset;
	if (!read_user_word(&dtv, pointer + ARCH_DTV_AT) || !read_user_word(&nr, dtv - DTV_ENTRY) ||
	    place->module > nr || !read_user_word(&block, dtv + place->module * DTV_ENTRY) ||
	    !block || block == DTV_UNALLOCATED)
		return 0;
	return block + place->offset;
}

/* Returns enum thread_record_state. */
static __noinline int thread_record_read(struct thread_record *record, __u32 pid)
{
	const struct thread_context_place *place;
	__u64 variable;

	place = bpf_map_lookup_elem(&thread_contexts, &pid);
	if (!record || !place || !is_place_known(place))
		return RECORD_NONE;
	variable = find_variable(place);
	if (!variable || !read_user_word(&record->pointer, variable) || !record->pointer)
		return RECORD_NONE;
	if (bpf_probe_read_user(&record->ids, THREAD_RECORD_SIZE, (void *)record->pointer))
		return RECORD_UNREADABLE;
	return record->valid == 1 ? RECORD_VALID : RECORD_NONE;
}

/* Have user space look at a process that is not known to publish anything. */
static __noinline int thread_context_ask(__u32 pid)
{
	struct thread_context_place *place, asked = { .ask_ns = THREAD_CONTEXT_ASKED };

	place = bpf_map_lookup_elem(&thread_contexts, &pid);
	if (place) {
		if (place->kind != THREAD_CONTEXT_UNKNOWN || bpf_ktime_get_ns() < place->ask_ns)
			return 0;
		place->ask_ns = THREAD_CONTEXT_ASKED;
	} else if (bpf_map_update_elem(&thread_contexts, &pid, &asked, BPF_NOEXIST)) {
		return 0;
	}
	/* Without room the next call asks. */
	if (bpf_ringbuf_output(&thread_context_asks, &pid, sizeof(pid), 0))
		bpf_map_delete_elem(&thread_contexts, &pid);
	return 0;
}

static __always_inline bool are_same(const struct thread_record *a, const struct thread_record *b)
{
	return a->pointer == b->pointer && a->ids.trace[0] == b->ids.trace[0] &&
	       a->ids.trace[1] == b->ids.trace[1] && a->ids.span == b->ids.span;
}

/* Inlined: the verifier allows 8 nested calls. */
static __always_inline void thread_context_read(struct session_state *session)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct thread_record *first = &slot_of(session)->thread_records[0];
	struct thread_record *again = &slot_of(session)->thread_records[1];
	__u32 pid = current_ids() >> 32;
	int state;

	if (!pid || BPF_CORE_READ(task, flags) & PF_NO_THREAD_CONTEXT)
		return;
	state = thread_record_read(first, pid);
	if (state == RECORD_NONE) {
		thread_context_ask(pid);
		return;
	}
	/* Everything twice: the process's place may change, too. */
	if (state != RECORD_VALID || thread_record_read(again, pid) != RECORD_VALID ||
	    !are_same(first, again)) {
		session->flags |= SESSION_CONTEXT_TORN;
	} else if ((first->ids.trace[0] || first->ids.trace[1]) && first->ids.span) {
		slot_of(session)->trace_context.ids = first->ids;
		session->flags |= SESSION_CONTEXT;
	}
}

/* A child has its parent's memory, and so the same variable. */
static __always_inline void thread_context_forked(struct task_struct *parent,
						  struct task_struct *child)
{
	__u32 pid = process_of(parent), child_pid = process_of(child);
	struct thread_context_place *place, copy;

	if (child_pid == pid || !child_pid)
		return;
	place = bpf_map_lookup_elem(&thread_contexts, &pid);
	if (!place || !is_place_known(place))
		return;
	copy = *place;
	bpf_map_update_elem(&thread_contexts, &child_pid, &copy, BPF_ANY);
}

/* The process has another program. */
static __always_inline void thread_context_execed(struct task_struct *task)
{
	struct thread_context_place *place;
	__u32 pid = process_of(task);

	place = bpf_map_lookup_elem(&thread_contexts, &pid);
	if (!place)
		return;
	if (place->kind == THREAD_CONTEXT_AFTER_EXEC)
		place->kind = THREAD_CONTEXT_STATIC;
	else
		bpf_map_delete_elem(&thread_contexts, &pid);
}

#else

static __always_inline void thread_context_read(struct session_state *session)
{
}

#endif

#endif
