/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* What the watch on system calls (bpf/watch.bpf.c) sends to user space. */
#ifndef RETSNOOP_WATCH_H
#define RETSNOOP_WATCH_H

#include <linux/types.h>

#define WATCH_ARGS 6
#define WATCH_STRING 64

enum watch_kind {
	WATCH_FAILED = 1,	/* a system call failed */
	WATCH_WROTE = 2,	/* something was written to descriptor 2 */
	WATCH_EXITED = 3,	/* exit_group(2) or exit(2) with another status than 0 */
};

struct watch_event {
	__u32 kind;		/* enum watch_kind */
	__u32 pid;		/* thread group, in retsnoop's PID namespace where it is known there */
	__u32 tid;
	__u32 nr;		/* of the system call */
	__s64 result;		/* WATCH_EXITED: the status */
	__u64 time_ns;		/* CLOCK_MONOTONIC */
	__u64 args[WATCH_ARGS];
	char comm[16];
	__u32 compat;		/* a call of a 32-bit program: `nr` is of another table */
	__u32 have;		/* bit per argument: `strings` has what it leads to */
	char strings[WATCH_ARGS][WATCH_STRING];
};
_Static_assert(sizeof(struct watch_event) == 488, "both sides agree");

struct watch_config {
	__u32 root;		/* process id of the command */
	__u32 spare;
	__u64 namespace_dev;	/* of retsnoop's PID namespace, as the kernel has it */
	__u64 namespace_ino;
	__u32 args_at[WATCH_ARGS];	/* offsets in struct pt_regs */
	__u32 nr_at;
	__u32 code_segment_at;
	__u32 compat_segment;	/* what is there in 32-bit programs */
	__u32 write_nr, writev_nr, exit_nr, exit_group_nr;
	__u32 spare2;
};

#endif
