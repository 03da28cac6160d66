/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Takes one snapshot of the CPU's branches, from whichever of these programs is attached. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "bpf/event.h"

struct event_branch snapshot_branches[EVENT_MAX_BRANCHES];
__s64 snapshot_size;	/* what the helper returned */
__u32 wanted_pid;
volatile int armed;	/* the next hit of that process takes one, and none after it */
volatile int taken;

static __always_inline int take(void)
{
	if (!armed || wanted_pid != bpf_get_current_pid_tgid() >> 32)
		return 0;
	/* first of all: each branch from here on costs a record */
	snapshot_size = bpf_get_branch_snapshot(snapshot_branches, sizeof(snapshot_branches), 0);
	armed = 0;
	taken = 1;
	return 0;
}

SEC("fentry")
int on_fentry(void *ctx)
{
	return take();
}

SEC("fexit")
int on_fexit(void *ctx)
{
	return take();
}

SEC("kprobe")
int on_kprobe(void *ctx)
{
	return take();
}

SEC("kretprobe")
int on_kretprobe(void *ctx)
{
	return take();
}

SEC("raw_tp")
int on_raw_tp(void *ctx)
{
	return take();
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
