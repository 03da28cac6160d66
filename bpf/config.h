/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* What user space tells the BPF programs before they are loaded. */
#ifndef RETSNOOP_BPF_CONFIG_H
#define RETSNOOP_BPF_CONFIG_H

#include <linux/types.h>

#define CONFIG_ERRNO_WORDS 64	/* bits 0 (NULL) and 1..4095 */

/* Verdicts in the maps of process ids and command names. */
#define FILTER_ALLOW 1
#define FILTER_DENY 2

/* Stacks at entry: the outermost calls, and as many frames of each up to the next traced one. */
#define ENTRY_STACK_DEPTH 64
#define ENTRY_STACK_IPS 64

/* The immediate that stands for a function's cookie in the fentry and fexit programs. */
#define COOKIE_MARKER 0x5265745f6d61726bull
#define COOKIE_MARKER_STRING "0x5265745f6d61726b"

#define CONFIG_RETURN_HOOKS 3

struct bpf_config {
	/* What the kernel has. */
	__u8 attach_cookies;	/* bpf_get_attach_cookie() for single kprobes, 5.15 */
	__u8 func_ret;		/* bpf_get_func_ret(), 5.17 */
	__u8 entry_stacks;	/* return probes cannot unwind: keep stacks of entries */
	__u8 kprobe_ip_offset;	/* of the instruction pointer a kprobe shows, from the function */

	/* What the user wants. */
	__u8 successes;
	__u8 success_only;
	__u8 interim;
	__u8 filter_pids;
	__u8 only_listed_pids;
	__u8 filter_comms;
	__u8 only_listed_comms;
	__u8 allow_errnos_used;
	__u8 deny_errnos_used;
	__u8 spare[3];
	__u64 longer_ns;
	/* What a return probe puts in the return address's place; 0 none, or not known. */
	__u64 return_hooks[CONFIG_RETURN_HOOKS];
	__u64 allow_errnos[CONFIG_ERRNO_WORDS];
	__u64 deny_errnos[CONFIG_ERRNO_WORDS];
};

#endif
