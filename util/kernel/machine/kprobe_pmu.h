/* SPDX-License-Identifier: BSD-2-Clause */
/* How to open single kprobes: perf's dynamic PMU (/sys/bus/event_source/devices/kprobe, 4.17). */
#ifndef RETSNOOP_KERNEL_MACHINE_KPROBE_PMU_H
#define RETSNOOP_KERNEL_MACHINE_KPROBE_PMU_H

#include <stdint.h>

struct kprobe_pmu {
	uint32_t type;		/* for perf_event_attr.type */
	uint32_t return_bit;	/* of perf_event_attr.config: a return probe */
};

/* 0; negative errno: the kernel has none, or /sys is not mounted (not reported). */
int kprobe_pmu_init(struct kprobe_pmu *pmu);

#endif
