/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * Signals that may end processes: who sent them. Those of all processes are kept, as a process that sleeps is
 * not known as a watched one yet.
 */
#ifndef RETSNOOP_BPF_WATCH_KILL_BPF_H
#define RETSNOOP_BPF_WATCH_KILL_BPF_H

#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>

#include "bpf/define_map.bpf.h"
#include "bpf/watch/task.bpf.h"
#include "bpf/watch/watch_event.h"

/* Signals that are ignored, or stop a process, unless it has a handler. */
#define HARMLESS (1u << SIGCHLD | 1u << SIGCONT | 1u << SIGSTOP | 1u << SIGTSTP | 1u << SIGTTIN | \
		  1u << SIGTTOU | 1u << SIGURG | 1u << SIGWINCH)
enum { SIGCHLD = 17, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH = 28 };

/* The larger of what the kernel gives in place of a siginfo (include/linux/sched/signal.h); the other one is 0. */
#define SEND_SIG_PRIV 1
#define SI_KERNEL 0x80
/* siginfo_t: members of signals of faults, and of SIGSYS. */
#define SIGNAL_ADDR_AT 16
#define SIGNAL_SYSCALL_AT 24
#define SIGNAL_ARCH_AT 28

struct kill_key {
	__u32 tgid;	/* in the initial namespace */
	__u32 signal;
};

struct kill {
	__s32 code;	/* si_code in sigaction(2) */
	__u32 pid;	/* of the thread that ran then */
	struct watch_kill who;
};

/* The oldest make room. */
MAP(kills, LRU_HASH, 1024, struct kill_key, struct kill);

/* It is too large for the stack. */
MAP(kill, PERCPU_ARRAY, 1, __u32, struct kill);

/* @info	struct kernel_siginfo, or what is in its place */
static __always_inline void note_kill(void *ctx, __u32 signal, __u64 info, __u64 task)
{
	struct kill_key key = { .tgid = number_at(task, config.tgid_at), .signal = signal };
	__u32 first = 0;
	struct kill *sent;

	if (signal < 32 && HARMLESS >> signal & 1)
		return;
	sent = bpf_map_lookup_elem(&kill, &first);
	if (!sent)
		return;
	sent->pid = current_ids() >> 32;
	sent->code = info ? SI_KERNEL : 0;
	sent->who.addr = 0;
	sent->who.nr = 0;
	sent->who.arch = 0;
	sent->who.seen = 1;
	sent->who.no_info = !info;
	if (info > SEND_SIG_PRIV) {
		sent->code = number_at(info, SIGNAL_CODE_AT);
		sent->who.addr = word_at(info, SIGNAL_ADDR_AT);
		sent->who.nr = number_at(info, SIGNAL_SYSCALL_AT);
		sent->who.arch = number_at(info, SIGNAL_ARCH_AT);
	}
	bpf_get_current_comm(sent->who.sender, sizeof(sent->who.sender));
	__builtin_memset(sent->who.stack, 0, sizeof(sent->who.stack));
	bpf_get_stack(ctx, sent->who.stack, sizeof(sent->who.stack), 0);
	bpf_map_update_elem(&kills, &key, sent, BPF_ANY);
}

/* Who sent a signal to the current process; NULL: not known. */
static __always_inline struct kill *kill_of(__u32 signal)
{
	struct kill_key key = { .tgid = bpf_get_current_pid_tgid() >> 32, .signal = signal };

	return bpf_map_lookup_elem(&kills, &key);
}

#endif
