/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Requests through io_uring that fail: io_uring_enter(2) succeeds, and the program reads the error in the
 * completion queue. A worker thread may run a request; it still counts for the thread that submitted it.
 */
#ifndef RETSNOOP_BPF_WATCH_IO_URING_BPF_H
#define RETSNOOP_BPF_WATCH_IO_URING_BPF_H

#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>

#include "bpf/watch/reserve.bpf.h"
#include "bpf/watch/task.bpf.h"
#include "bpf/watch/watch_event.h"

/* struct io_uring_cqe (include/uapi/linux/io_uring.h) */
#define CQE_RES_AT 8

/* Worker threads have the process's id, but names of their own. */
static __always_inline bool is_worker(const struct watch_comm *comm)
{
	return comm->text[0] == 'i' && comm->text[1] == 'o' && comm->text[2] == 'u' && comm->text[3] == '-';
}

/* Without the request, only the current task is known; in an interrupt, it may be any. @ctx is on the current stack. */
static __always_inline __u64 completing_task(void *ctx)
{
	__u64 current = bpf_get_current_task(), here = 0;

	bpf_probe_read_kernel(&here, sizeof(here), &ctx);
	if (here - word_at(current, config.io_uring.stack) >= STACK_SIZE || runs_softirq(current))
		return 0;
	return current;
}

static __always_inline __u64 task_of_request(__u64 req)
{
	__u64 task = word_at(req, config.io_uring.task);

	return task && config.io_uring.tctx_task ? word_at(task, config.io_uring.tctx_task) : task;
}

/*
 * The thread that submitted a request, or the main one if the kernel does not say which. 0: it is not watched, or of
 * another process than the current one.
 */
static __always_inline __u64 find_submitter(void *ctx, __u64 req, struct watch_comm *ret_comm)
{
	__u64 task = req ? task_of_request(req) : completing_task(ctx);

	if (!task || number_at(task, config.tgid_at) != bpf_get_current_pid_tgid() >> 32)
		return 0;
	bpf_probe_read_kernel(ret_comm, sizeof(*ret_comm), (void *)(task + config.io_uring.comm));
	if (is_worker(ret_comm)) {
		task = word_at(task, config.io_uring.group_leader);
		bpf_probe_read_kernel(ret_comm, sizeof(*ret_comm), (void *)(task + config.io_uring.comm));
	}
	return !config.root || bpf_map_lookup_elem(&tasks, &task) ? task : 0;
}

/* @req	struct io_kiocb; 0: the kernel does not say which */
static __always_inline void note_completion(void *ctx, __u64 req, __u64 user_data, __s32 res)
{
	struct watch_comm comm = {};
	struct watch_event *event;
	__u8 opcode = 0;

	if (res >= 0 || res < -MAX_ERRNO || !find_submitter(ctx, req, &comm) || !passes_filters_as(&comm))
		return;
	event = reserve(WATCH_FAILED, config.io_uring.enter_nr, res);
	if (!event)
		return;
	if (req)
		bpf_probe_read_kernel(&opcode, sizeof(opcode), (void *)(req + config.io_uring.opcode));
	event->io_uring = req ? opcode + 1 : WATCH_NO_OPCODE;
	__builtin_memset(event->args, 0, sizeof(event->args));
	event->args[0] = user_data;
	__builtin_memcpy(event->comm, comm.text, sizeof(event->comm));
	bpf_ringbuf_submit(event, 0);
}

#endif
