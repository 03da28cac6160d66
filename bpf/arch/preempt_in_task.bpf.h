/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* preempt_count() in the task's thread_info: arm64 and riscv64. For their headers. */
#ifndef RETSNOOP_BPF_ARCH_PREEMPT_IN_TASK_BPF_H
#define RETSNOOP_BPF_ARCH_PREEMPT_IN_TASK_BPF_H

#include "bpf/maps.bpf.h"

static __always_inline __u32 preempt_count(void)
{
	__u32 count_now = 0;

	if (!config.preempt_count)
		return 0;
	bpf_probe_read_kernel(&count_now, sizeof(count_now),
			      (void *)(bpf_get_current_task() + config.preempt_count));
	return count_now;
}

#endif
