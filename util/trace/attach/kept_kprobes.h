/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Perf events of kprobes that stay open between runs of one process, for links to the same places. To close
 * an event, the kernel waits for all CPUs and tasks up to three times, with a lock held that lets no other kprobe
 * come or go meanwhile (perf_trace_event_unreg() and unregister_kprobe(), 5.10 to 7.2). To close a link it waits
 * once, from 6.13 on without a lock (perf_event_detach_bpf_prog()).
 *
 * What is in modules is not kept: its event would outlive the code.
 */
#ifndef RETSNOOP_TRACE_ATTACH_KEPT_KPROBES_H
#define RETSNOOP_TRACE_ATTACH_KEPT_KPROBES_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/kernel/machine/kprobe_pmu.h"

struct kept_kprobe {
	uint64_t addr;
	int perf_fd;
	bool at_return;
	bool in_use;
};

/* Zero-initialized. */
struct kept_kprobes {
	VEC(struct kept_kprobe) v;
};

/* The links of the run before are closed: their events are free for others. */
void kept_kprobes_begin(struct kept_kprobes *kept);

/**
 * As link_kprobe(), for kernels that have perf links with cookies (5.15): by an event that is free, or a new
 * one. The kernel counts skipped runs for events, not links: one that has any is not used again.
 *
 * @return	file descriptor of the link, which the caller owns, or negative errno (not reported)
 */
int kept_kprobes_link(struct kept_kprobes *kept, const struct kprobe_pmu *pmu, int prog_fd, bool at_return,
		      uint64_t addr, uint64_t cookie);

/* Close all events, as detach_links() does. A signal that waits (SIGINT, SIGTERM, SIGHUP) leaves it to the background. */
void kept_kprobes_close(struct kept_kprobes *kept);

#endif
