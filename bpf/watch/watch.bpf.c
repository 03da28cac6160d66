// SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause)
/*
 * The watch on system calls of a command and its children, or of the selected processes: failed
 * calls, writes to descriptor 2, exit statuses, and the kernel's messages in calls. No kernel types are
 * needed; offsets in types come from user space.
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <linux/ptrace.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/define_map.bpf.h"
#include "bpf/watch/call_args.bpf.h"
#include "bpf/watch/file.bpf.h"
#include "bpf/watch/io_uring.bpf.h"
#include "bpf/watch/kill.bpf.h"
#include "bpf/watch/reserve.bpf.h"
#include "bpf/watch/socket.bpf.h"
#include "bpf/watch/task.bpf.h"
#include "bpf/watch/watch_event.h"

/* ERESTARTSYS to ERESTART_RESTARTBLOCK: the call continues after a signal. */
#define FIRST_RESTART 512
#define LAST_RESTART 516
#define ERESTARTSYS 512
#define ERESTARTNOINTR 513
#define EINTR 4
/* Of sigaction(2): values that mean no handler, and flags. */
#define HANDLER_IGNORE 1
#define HANDLER_RESTARTS 0x10000000
#define SIGNAL_PID_AT 16
/* Of the tracepoint signal_generate (include/trace/events/signal.h). */
#define TRACE_SIGNAL_DELIVERED 0
#define TRACE_SIGNAL_LOSE_INFO 4
/* wait(2): the part of a status that has the signal. */
#define EXIT_SIGNAL 0x7f
/* The number of the system call in registers that rt_sigreturn(2) has put back. */
#define NO_SYSCALL 0xffffffff
#define SECCOMP_MODE_FILTERED 2
#define EFAULT 14
/* Kernel addresses are above this, with four or five levels of page tables. */
#define USER_END (1ull << 56)
/* struct fc_log keeps as many lines. */
#define LOG_LINES 8
/* The end of the verifier's log is searched in this many parts of WATCH_LOG_SIZE. */
#define LOG_PARTS 200

char _license[] SEC("license") = "Dual BSD/GPL";

/*
 * Whether a seccomp filter answered instead of the call: the kernel reports the end of a call that
 * never began. A tracer (ptrace) can cause the same, so the task must have none.
 */
static __always_inline bool is_by_seccomp(const struct watch_task *task)
{
	__u64 current = bpf_get_current_task();

	return task->regs && !task->called_ns && config.seccomp_mode_at && config.ptrace_at &&
	       number_at(current, config.seccomp_mode_at) == SECCOMP_MODE_FILTERED &&
	       !number_at(current, config.ptrace_at);
}

/* Checked again: a page that could not be read during the call may be readable by now. */
static __always_inline bool is_missing(__u64 addr)
{
	__u8 byte;

	return addr < USER_END && bpf_probe_read_user(&byte, sizeof(byte), (void *)addr);
}

/* How a program gets an error, if it is not the call's result: the event's members. */
struct delivery {
	__u16 netlink, netlink_type;
	bool so_error;
};

static __always_inline void send(__u32 kind, const struct watch_task *task, __u64 regs, __u32 nr,
				 __s64 result, struct delivery delivery)
{
	struct watch_event *event;

	if (config.root && !passes_filters())
		return;
	event = reserve(kind, nr, result);
	if (!event)
		return;
	event->called_ns = task->called_ns;
	event->netlink = delivery.netlink;
	event->netlink_type = delivery.netlink_type;
	event->so_error = delivery.so_error;
	event->by_seccomp = kind == WATCH_FAILED && is_by_seccomp(task);
	if (kind == WATCH_FAILED && result == -EFAULT && task->called_ns && is_missing(task->fault))
		event->fault = task->fault;
	add_args(event, regs, kind == WATCH_FAILED);
	if (kind == WATCH_WROTE)
		add_written(event, nr);
	bpf_ringbuf_submit(event, 0);
}

/* Comes before the call's own event. Each error is delivered once. */
static __always_inline void send_socket_error(const struct watch_task *task, __u64 regs, __u32 nr,
					      __s32 err)
{
	__u64 file = socket_file(regs);
	struct watch_socket *error;
	struct watch_event *event;

	error = file ? bpf_map_lookup_elem(&socket_errors, &file) : NULL;
	if (!error || error->err != err || (config.root && !passes_filters()))
		return;
	event = reserve(WATCH_SOCKET, nr, -err);
	if (!event)
		return;
	event->called_ns = task->called_ns;
	__builtin_memcpy(&event->socket, error, sizeof(*error));
	bpf_ringbuf_submit(event, 0);
	bpf_map_delete_elem(&socket_errors, &file);
}

/* Sends a kernel message caused by the task itself in a system call. */
static __always_inline void say(void *ctx, __u32 source, __u64 text, __s64 len)
{
	struct watch_task *task = task_in_call(ctx);
	struct watch_event *event;

	if (!task || !text || !passes_filters())
		return;
	event = reserve(WATCH_SAID, source, len);
	if (!event)
		return;
	event->called_ns = task->called_ns;
	event->said[0] = 0;
	bpf_probe_read_kernel_str(event->said, sizeof(event->said), (void *)text);
	bpf_ringbuf_submit(event, 0);
}

/*
 * The address for the verifier's log in a bpf(2) call that loads a program or types. 0: no address,
 * or the buffer has text already: a call that fails early writes no log, and old text is not its
 * own.
 */
static __always_inline __u64 empty_verifier_log(__u64 regs)
{
	__u64 command = word_at(regs, config.args_at[0]), attr = word_at(regs, config.args_at[1]);
	__u64 size = word_at(regs, config.args_at[2]), log = 0;
	__u32 at;
	char first = 0;

	if (command == BPF_PROG_LOAD)
		at = offsetof(union bpf_attr, log_buf);
	else if (command == BPF_BTF_LOAD)
		at = offsetof(union bpf_attr, btf_log_buf);
	else
		return 0;
	if (size < at + sizeof(log) || bpf_probe_read_user(&log, sizeof(log), (void *)(attr + at)))
		return 0;
	/* A page not present yet is empty too. */
	bpf_probe_read_user(&first, sizeof(first), (void *)log);
	return first ? 0 : log;
}

/* Send the end of the log: the verifier's error is there. */
static __always_inline void say_verifier_log(const struct watch_task *task)
{
	__u64 log = task->verifier_log, at = 0;
	struct watch_event *event;
	long size = 0;

	event = reserve_bytes(sizeof(struct watch_log), WATCH_SAID, WATCH_VERIFIER,
			      WATCH_SAID_WHOLE);
	if (!event)
		return;
	event->called_ns = task->called_ns;
#pragma clang loop unroll(disable)
	for (int i = 0; i < LOG_PARTS; i++) {
		size = bpf_probe_read_user_str(event->said, WATCH_LOG_SIZE, (void *)(log + at));
		if (size < WATCH_LOG_SIZE)
			break;
		at += WATCH_LOG_SIZE - 1;
	}
	if (size <= 0 || size == WATCH_LOG_SIZE || at + size < 2) {
		bpf_ringbuf_discard(event, 0);
		return;
	}
	at += size;
	at = at > WATCH_LOG_SIZE ? at - WATCH_LOG_SIZE : 0;
	event->result = at ? WATCH_SAID_CUT : WATCH_SAID_WHOLE;
	bpf_probe_read_user_str(event->said, WATCH_LOG_SIZE, (void *)(log + at));
	bpf_ringbuf_submit(event, 0);
}

/*
 * Since 7.0 the programs on sys_enter and sys_exit may be preempted, and as long as one is, the kernel skips it for
 * all other tasks on that CPU (__bpf_trace_run() in kernel/trace/bpf_trace.c). Programs that run as perf events are
 * never preempted: they do what the main ones did not get to, or all of it where they come first. They know no
 * registers but those of earlier calls, which are at the same place.
 */
struct syscall_event {
	__u64 common;
	__s64 nr;
	__s64 result;	/* of sys_exit */
};

static __always_inline void entered(struct watch_task *task, __u64 regs, __u32 nr)
{
	__u32 status;

	task->regs = regs;
	task->called_ns = bpf_ktime_get_ns();
	task->is_returned = false;
	task->fault = WATCH_NO_FAULT;
	task->interrupted = 0;
	task->verifier_log = nr == config.bpf_nr ? empty_verifier_log(regs) : 0;
	if (!config.root || (nr != config.exit_nr && nr != config.exit_group_nr))
		return;
	status = word_at(regs, config.args_at[0]);
	if (status)
		send(WATCH_EXITED, task, regs, nr, status, (struct delivery){});
}

SEC("raw_tracepoint/sys_enter")
int on_enter(struct bpf_raw_tracepoint_args *ctx)
{
	struct watch_task *task = watched_task();

	if (!task)
		return 0;
	if (task->is_entered) {
		task->is_entered = false;
		return 0;
	}
	/* Nobody saw the last call's return. */
	if (task->called_ns)
		__sync_fetch_and_add(&lost, 1);
	entered(task, ctx->args[0], ctx->args[1]);
	return 0;
}

SEC("tracepoint/raw_syscalls/sys_enter")
int on_skipped_enter(struct syscall_event *ctx)
{
	struct watch_task *task = watched_task();

	if (!task || !task->regs)
		return 0;
	/* Of this call: an earlier one's may be left, if the main program did not get to it. */
	task->is_entered = !task->called_ns;
	if (task->is_entered)
		entered(task, task->regs, ctx->nr);
	return 0;
}

static __always_inline bool is_standard_error(const struct watch_task *task, __u32 fd)
{
	return fd == 2 || (fd < 64 && task->copies_of_2 >> fd & 1);
}

/* @result	not negative */
static __always_inline void note_success(struct watch_task *task, __u64 regs, __u32 nr, __u64 result)
{
	__u32 fd = word_at(regs, config.args_at[0]);

	if (nr == config.dup_nr || nr == config.dup2_nr || nr == config.dup3_nr) {
		if (result >= 64)
			return;
		if (is_standard_error(task, fd))
			task->copies_of_2 |= 1ull << result;
		else
			task->copies_of_2 &= ~(1ull << result);
	} else if (nr == config.close_nr) {
		if (fd < 64)
			task->copies_of_2 &= ~(1ull << fd);
	} else if ((nr == config.write_nr || nr == config.writev_nr) && is_standard_error(task, fd) &&
		   !is_dev_null(fd)) {
		send(WATCH_WROTE, task, regs, nr, result, (struct delivery){});
	}
}

static __always_inline void returned(struct watch_task *task, __u64 regs, __s64 result)
{
	__u32 nr = word_at(regs, config.nr_at);
	__s32 err;

	task->is_entered = false;
	/*
	 * The return from a handler "returns" the result of the call that the signal interrupted.
	 */
	if (nr == NO_SYSCALL && task->called_ns) {
		task->called_ns = 0;
		return;
	}
	if (result < 0 && result >= -MAX_ERRNO) {
		bool restarts = result <= -FIRST_RESTART && result >= -LAST_RESTART;

		if (task->verifier_log && (!config.root || passes_filters()))
			say_verifier_log(task);
		if (!restarts) {
			send_socket_error(task, regs, nr, -result);
			send(WATCH_FAILED, task, regs, nr, result, (struct delivery){});
		}
		if (restarts || result == -EINTR) {
			task->interrupted = result;
			task->interrupted_nr = nr;
			task->interrupted_ns = task->called_ns;
		}
	} else if (reads_socket_error(regs, nr, &err)) {
		send_socket_error(task, regs, nr, err);
		send(WATCH_FAILED, task, regs, nr, -err, (struct delivery){ .so_error = true });
	} else if (config.root) {
		note_success(task, regs, nr, result);
	}
	task->called_ns = 0;
	task->log = 0;
}

SEC("raw_tracepoint/sys_exit")
int on_return(struct bpf_raw_tracepoint_args *ctx)
{
	struct watch_task *task = watched_task();

	if (!task)
		return 0;
	if (task->is_returned)
		task->is_returned = false;
	else
		returned(task, ctx->args[0], ctx->args[1]);
	return 0;
}

SEC("tracepoint/raw_syscalls/sys_exit")
int on_skipped_return(struct syscall_event *ctx)
{
	struct watch_task *task = watched_task();

	if (!task || !task->regs)
		return 0;
	task->is_returned = task->called_ns;
	if (task->is_returned)
		returned(task, task->regs, ctx->result);
	return 0;
}

/* Of a selected process: the child is not selected, which the user should hear. A thread would be. */
static __always_inline void note_child(__u64 child)
{
	if (!forked && config.tgid_at && passes_filters() &&
	    number_at(child, config.tgid_at) != bpf_get_current_pid_tgid() >> 32)
		forked = current_ids() >> 32;
}

SEC("raw_tracepoint/sched_process_fork")
int on_fork(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 child = ctx->args[1];
	struct watch_task none = {};

	if (config.filter_pids && !config.root)
		note_child(child);
	/* No room: its results are not seen. */
	if (config.root && watched_task() && bpf_map_update_elem(&tasks, &child, &none, BPF_ANY))
		__sync_fetch_and_add(&lost, 1);
	return 0;
}

SEC("raw_tracepoint/signal_generate")
int on_signal_sent(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 outcome = ctx->args[4];

	if (outcome == TRACE_SIGNAL_DELIVERED || outcome == TRACE_SIGNAL_LOSE_INFO)
		note_kill(ctx, ctx->args[0], ctx->args[1], ctx->args[2]);
	return 0;
}

/* The thread group leader of a process has the signal, too, if another thread was killed. */
SEC("raw_tracepoint/sched_process_exit")
int on_exit(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 key = bpf_get_current_task(), ids = bpf_get_current_pid_tgid();
	__u32 signal = number_at(key, config.exit_code_at) & EXIT_SIGNAL;
	struct watch_event *event;
	const struct kill *sent;

	if (!signal || ids >> 32 != (__u32)ids || (config.root && !bpf_map_lookup_elem(&tasks, &key)) ||
	    !passes_filters())
		return 0;
	event = reserve(WATCH_KILLED, 0, signal);
	if (!event)
		return 0;
	sent = kill_of(signal);
	event->signal = signal;
	event->kill.seen = 0;
	if (sent) {
		event->signal_code = sent->code;
		event->signal_pid = sent->pid;
		__builtin_memcpy(&event->kill, &sent->who, sizeof(sent->who));
	}
	bpf_ringbuf_submit(event, 0);
	return 0;
}

/* The address will be reused for other tasks. */
SEC("raw_tracepoint/sched_process_free")
int on_free(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 task = ctx->args[0];

	bpf_map_delete_elem(&tasks, &task);
	return 0;
}

/*
 * Runs after the call, before the return to the program. handle_signal() of
 * arch/x86/kernel/signal.c (6.12) decides which calls a handler ends, and which begin again.
 */
SEC("raw_tracepoint/signal_deliver")
int on_signal(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 key = bpf_get_current_task(), info = ctx->args[1], action = ctx->args[2];
	struct watch_task *task = bpf_map_lookup_elem(&tasks, &key);
	struct watch_event *event;
	__s64 interrupted;

	if (!task || !task->interrupted || !task->regs || !passes_filters())
		return 0;
	/* Without a handler the program ends, or the call continues. */
	if (word_at(action, 0) <= HANDLER_IGNORE)
		return 0;
	interrupted = task->interrupted;
	task->interrupted = 0;
	if (interrupted == -ERESTARTNOINTR ||
	    (interrupted == -ERESTARTSYS &&
	     word_at(action, config.handler_flags_at) & HANDLER_RESTARTS))
		return 0;
	event = reserve(interrupted == -EINTR ? WATCH_SIGNAL : WATCH_FAILED,
			task->interrupted_nr, -EINTR);
	if (!event)
		return 0;
	event->called_ns = task->interrupted_ns;
	event->signal = ctx->args[0];
	event->signal_code = number_at(info, SIGNAL_CODE_AT);
	event->signal_pid = number_at(info, SIGNAL_PID_AT);
	event->restartable = interrupted == -ERESTARTSYS;
	add_args(event, task->regs, true);
	bpf_ringbuf_submit(event, 0);
	return 0;
}

/* The kernel has faulted at @addr. */
static __always_inline void note_fault(void *ctx, __u64 addr)
{
	struct watch_task *task = task_in_call(ctx);

	if (task && addr < USER_END)
		task->fault = addr;
}

SEC("raw_tracepoint/page_fault_kernel")
int on_fault(struct bpf_raw_tracepoint_args *ctx)
{
	note_fault(ctx, ctx->args[0]);
	return 0;
}

/* For kernels without such a tracepoint: perf's page fault event, without faults of programs. */
SEC("perf_event")
int on_fault_counted(struct bpf_perf_event_data *ctx)
{
	note_fault(ctx, ctx->addr);
	return 0;
}

/* Since 5.19 this runs in the task that prints. */
SEC("raw_tracepoint/console")
int on_printk(struct bpf_raw_tracepoint_args *ctx)
{
	say(ctx, WATCH_PRINTK, ctx->args[0], ctx->args[1]);
	return 0;
}

/* Up to 5.10: the text is in one buffer, whose lock is held. */
SEC("kretprobe/vprintk_store")
int on_printk_stored(struct pt_regs *ctx)
{
	say(ctx, WATCH_PRINTK, config.printk_text, WATCH_SAID_WHOLE);
	return 0;
}

SEC("raw_tracepoint/netlink_extack")
int on_extack(struct bpf_raw_tracepoint_args *ctx)
{
	say(ctx, WATCH_NETLINK, ctx->args[0], WATCH_SAID_WHOLE);
	return 0;
}

/*
 * netlink_ack(in_skb, nlh, err, extack): the call that sent the request succeeds; the answer has
 * the error. Without the tracepoint, the message is the first member of the fourth parameter.
 */
SEC("kprobe/netlink_ack")
int on_ack(struct pt_regs *ctx)
{
	__u64 header = PT_REGS_PARM2(ctx), extack = PT_REGS_PARM4(ctx), socket;
	__s32 err = (__s32)PT_REGS_PARM3(ctx);
	struct watch_task *task = task_in_call(ctx);

	if (config.say_acks && extack)
		say(ctx, WATCH_NETLINK, word_at(extack, 0), WATCH_SAID_WHOLE);
	if (!task || err >= 0 || err <= -FIRST_RESTART || !config.socket_at || !config.protocol_at)
		return 0;
	socket = word_at(PT_REGS_PARM1(ctx), config.socket_at);
	send(WATCH_FAILED, task, task->regs, word_at(task->regs, config.nr_at), err,
	     (struct delivery){ .netlink = short_at(socket, config.protocol_at) + 1,
				.netlink_type = short_at(header, 4) });
	return 0;
}

SEC("kprobe/sk_error_report")
int on_socket_error(struct pt_regs *ctx)
{
	note_socket_error(ctx, PT_REGS_PARM1(ctx));
	return 0;
}

/* Up to 5.13: what most sockets have as their sk_error_report(). */
SEC("kprobe/sock_def_error_report")
int on_socket_error_reported(struct pt_regs *ctx)
{
	note_socket_error(ctx, PT_REGS_PARM1(ctx));
	return 0;
}

/* As in 5.10: io_uring_complete(ctx, user_data, res, ...). */
SEC("raw_tracepoint/io_uring_complete")
int on_completion_of_any(struct bpf_raw_tracepoint_args *ctx)
{
	note_completion(ctx, 0, ctx->args[1], ctx->args[2]);
	return 0;
}

/* As in 6.1: io_uring_complete(ctx, req, user_data, res, ...). Without a request, a message to the ring came. */
SEC("raw_tracepoint/io_uring_complete")
int on_completion(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1])
		note_completion(ctx, ctx->args[1], ctx->args[2], ctx->args[3]);
	return 0;
}

/* As in 7.2: io_uring_complete(ctx, req, cqe). */
SEC("raw_tracepoint/io_uring_complete")
int on_completion_entry(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 cqe = ctx->args[2];

	if (ctx->args[1])
		note_completion(ctx, ctx->args[1], word_at(cqe, 0), number_at(cqe, CQE_RES_AT));
	return 0;
}

SEC("kprobe/logfc")
int on_log(struct pt_regs *ctx)
{
	__u64 key = bpf_get_current_task();
	struct watch_task *task = bpf_map_lookup_elem(&tasks, &key);

	if (task)
		task->log = PT_REGS_PARM1(ctx);
	return 0;
}

SEC("kretprobe/logfc")
int on_logged(struct pt_regs *ctx)
{
	__u64 key = bpf_get_current_task(), log;
	struct watch_task *task = bpf_map_lookup_elem(&tasks, &key);
	__u8 head = 0;

	if (!task || !task->log)
		return 0;
	log = task->log;
	task->log = 0;
	bpf_probe_read_kernel(&head, sizeof(head), (void *)(log + config.log_head_at));
	say(ctx, WATCH_FSOPEN,
	    word_at(log, config.log_buffer_at + ((head - 1) & (LOG_LINES - 1)) * sizeof(__u64)),
	    WATCH_SAID_WHOLE);
	return 0;
}
