/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* The records that the watch on system calls (bpf/watch/watch.bpf.c) sends to user space. */
#ifndef RETSNOOP_BPF_WATCH_WATCH_EVENT_H
#define RETSNOOP_BPF_WATCH_WATCH_EVENT_H

#include <linux/types.h>

#include "bpf/config.h"

#define WATCH_ARGS 6
#define WATCH_STRING 64
#define WATCH_ADDRESS 110	/* a socket's address, and no more is one: struct sockaddr_un */
#define WATCH_SAID_SIZE (WATCH_ARGS * WATCH_STRING)
#define WATCH_LOG_SIZE 4096
#define WATCH_CGROUPS CONFIG_CGROUPS

enum watch_kind {
	WATCH_FAILED = 1,	/* a system call failed, or a request made with it, by netlink or io_uring */
	WATCH_WROTE = 2,	/* a write to descriptor 2, or to a copy of it */
	WATCH_EXITED = 3,	/* exit_group(2) or exit(2) with a nonzero status */
	WATCH_SAID = 4,		/* the kernel gave a message in a system call */
	WATCH_SIGNAL = 5,	/* a handled signal interrupted the last call: -EINTR */
	WATCH_SOCKET = 6,	/* who had set the error that a socket kept, and that a call gets now */
	WATCH_KILLED = 7,	/* a signal ended a process */
};

/* WATCH_SAID, in `result`. */
#define WATCH_SAID_WHOLE (-1)	/* up to the NUL */
#define WATCH_SAID_CUT (-2)	/* the same, and the beginning is missing */

/* WATCH_SAID, in `nr`: the message's source. */
enum watch_source {
	WATCH_PRINTK,		/* the kernel's log */
	WATCH_NETLINK,		/* an extended ack */
	WATCH_FSOPEN,		/* the log of a filesystem context */
	WATCH_VERIFIER,		/* the end of the BPF verifier's log */
};

/* Frames of the stack of who sets a socket's error: up to the softirq that received a packet. */
#define WATCH_FRAMES 24

/* A socket's error, as the kernel reported it to the socket's owner. */
struct watch_socket {
	__u64 time_ns;		/* CLOCK_MONOTONIC */
	__s32 err;		/* positive */
	__u32 tid;		/* of the thread that ran then, or that an interrupt interrupted */
	char comm[16];		/* its name */
	__u16 family;		/* AF_x */
	__u16 own_port, peer_port;	/* of the machine's byte order, and of the network's; 0: none */
	__u8 own[16], peer[16];	/* addresses: 4 bytes with AF_INET, 16 with AF_INET6 */
	__u64 stack[WATCH_FRAMES];	/* return addresses, innermost first; 0 ends */
};

/* Who sent the signal that ended a process. */
struct watch_kill {
	__u64 addr;		/* si_addr in sigaction(2), for signals of faults */
	__u32 seen;		/* 0: it was sent before the watch began; nothing else is known */
	__u32 no_info;		/* the kernel made a siginfo as if the thread that ran then had sent it */
	__u32 nr, arch;		/* SIGSYS: si_syscall, si_arch */
	char sender[16];	/* name of the thread that ran then, for a kernel's signal too */
	__u64 stack[WATCH_FRAMES];	/* return addresses, innermost first; 0 ends */
};

/* A request through io_uring whose opcode the kernel does not say: opcodes have 8 bits. */
#define WATCH_NO_OPCODE 0x200

/* NULL is an address: the one that most often is bad. */
#define WATCH_NO_FAULT (~0ull)

struct watch_event {
	__u32 kind;		/* enum watch_kind */
	__u32 pid;		/* thread group, in retsnoop's PID namespace if known there */
	__u32 tid;
	__u32 nr;		/* number of the system call */
	__s64 result;		/* WATCH_EXITED: the status; WATCH_SAID: bytes, or WATCH_SAID_x */
	__u64 time_ns;		/* CLOCK_MONOTONIC */
	__u64 called_ns;	/* when the system call began; 0: not known */
	__u64 args[WATCH_ARGS];
	char comm[16];
	__u8 compat;		/* a 32-bit program's call: `nr` is from another table */
	__u8 address;		/* the argument that points to a socket's address, from 1; 0: none does */
	__u16 address_size;	/* bytes of it, in `strings` from that argument on */
	__u32 have;		/* bit per argument: `strings` has the text it points to */
	__u32 by_seccomp;	/* result of a seccomp filter: the call itself did not run */
	__u16 netlink;		/* of a netlink request: NETLINK_x + 1; 0: not a request */
	__u16 netlink_type;	/* the request's nlmsg_type */
	__u32 so_error;		/* the call succeeded, and read a socket's error: `result` */
	/* For WATCH_SIGNAL and WATCH_KILLED, and for a call that the kernel ended because of a signal. */
	__u32 signal;		/* its number; 0: none */
	__s32 signal_code;	/* si_code in sigaction(2) */
	__u32 signal_pid;	/* si_pid, if signal_code implies one; WATCH_KILLED: in retsnoop's namespace */
	__u32 restartable;	/* with SA_RESTART a handler does not end such a call */
	__u32 io_uring;		/* of a request through io_uring: its opcode + 1; 0: not a request; args[0]: user_data */
	__u64 fault;		/* -EFAULT: the program's address that cannot be accessed; WATCH_NO_FAULT: not known */
	union {
		char strings[WATCH_ARGS][WATCH_STRING];
		char said[WATCH_SAID_SIZE];	/* WATCH_WROTE: what was written */
		struct watch_socket socket;	/* WATCH_SOCKET */
		struct watch_kill kill;		/* WATCH_KILLED */
	};
};
_Static_assert(sizeof(struct watch_event) == 536, "both sides agree");

/*
 * WATCH_VERIFIER is sent as this: `said` goes on in `more`. Since Linux 7.3 the error is followed by an
 * explanation of a thousand bytes and more.
 */
struct watch_log {
	struct watch_event event;
	char more[WATCH_LOG_SIZE - WATCH_SAID_SIZE];
};
_Static_assert(sizeof(struct watch_log) == 536 + WATCH_LOG_SIZE - WATCH_SAID_SIZE,
	       "the text is in one piece");

/* Offsets in kernel types, from a task to its files; `files` 0: they are not known. */
struct watch_files {
	__u32 files;			/* in struct task_struct */
	__u32 fdt;			/* in struct files_struct */
	__u32 max_fds, fds;		/* in struct fdtable */
	__u32 private_data, inode;	/* in struct file */
	__u32 rdev;			/* in struct inode; 0: it does not matter */
};

/* Offsets in kernel types of sockets. */
struct watch_sockets {
	__u32 file;			/* in struct socket */
	__u32 sk_socket, sk_err;	/* in struct sock; so are the next, of struct sock_common */
	__u32 family, own_port, peer_port;
	__u32 own, peer, own6, peer6;	/* own6 0: the kernel has no IPv6 */
};

/* The arguments of the tracepoint io_uring_complete. */
enum watch_completions {
	WATCH_COMPLETIONS_NONE,		/* not known, or there is no such tracepoint */
	WATCH_COMPLETIONS_OF_ANY,	/* the ring, user_data, the result */
	WATCH_COMPLETIONS,		/* the ring, the request, user_data, the result */
	WATCH_COMPLETION_ENTRIES,	/* the ring, the request, the entry of the completion queue */
};

/* Requests through io_uring, and offsets in kernel types. */
struct watch_io_uring {
	__u32 completions;		/* enum watch_completions */
	__u32 enter_nr;			/* io_uring_enter(2) */
	__u32 opcode, task;		/* in struct io_kiocb; `task` of the submitter, or its io_uring_task */
	__u32 tctx_task;		/* in struct io_uring_task; 0: the request has the task itself */
	__u32 group_leader, comm, stack;	/* in struct task_struct */
};

struct watch_config {
	__u32 root;		/* process id of the command; 0: none, any process that passes, but not own_pid */
	__u32 own_pid;
	__u8 filter_pids;	/* only those in the map; without a command */
	__u8 filter_comms;
	__u8 nr_cgroups;	/* cgroups in the map; 0 any */
	__u8 spare[5];
	__u64 namespace_dev;	/* device of retsnoop's PID namespace, as in the kernel */
	__u64 namespace_ino;	/* 0: it is the initial one, with the kernel's own ids */
	__u32 args_at[WATCH_ARGS];	/* offsets in struct pt_regs */
	__u32 nr_at;
	/* A word that identifies 32-bit programs: word & mode_mask == compat_mode. */
	__u32 mode_at, mode_mask, compat_mode;
	__u32 write_nr, writev_nr, dup_nr, dup2_nr, dup3_nr, close_nr, exit_nr, exit_group_nr, bpf_nr,
		getsockopt_nr, connect_nr, bind_nr, sendto_nr;
	/* Offsets in kernel types, and an address; 0: not known. */
	__u32 seccomp_mode_at, ptrace_at;	/* in struct task_struct */
	__u32 softirq_count_at;		/* in struct task_struct, only on PREEMPT_RT */
	__u32 log_buffer_at, log_head_at;	/* in struct fc_log */
	__u32 socket_at, protocol_at;	/* in struct sk_buff, and struct sock */
	__u32 handler_flags_at;		/* in struct sigaction */
	__u32 tgid_at, exit_code_at;	/* in struct task_struct */
	struct watch_files files;
	struct watch_sockets sockets;
	struct watch_io_uring io_uring;
	__u32 say_acks;			/* no tracepoint has extended acks */
	__u32 count_faults;		/* no tracepoint has kernel faults; perf counts them */
	__u64 printk_text;	/* vprintk_store()'s buffer for a line: before 5.11 */
};

#endif
