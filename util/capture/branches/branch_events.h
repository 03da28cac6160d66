/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keeps the CPUs recording branches: one perf event a CPU, open before anything is attached and until
 * all is detached. Without one, bpf_get_branch_snapshot() gives what happens to be there, or nothing.
 */
#ifndef RETSNOOP_CAPTURE_BRANCHES_BRANCH_EVENTS_H
#define RETSNOOP_CAPTURE_BRANCHES_BRANCH_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

struct branch_events;

/**
 * Open them on every CPU that is online.
 *
 * @types	PERF_SAMPLE_BRANCH_x; privilege level is added here
 * @helper	this kernel lets BPF see branches (struct features)
 * @needed	there is nothing to be shown without; else what is missing is only warned of
 * @return	0; -EOPNOTSUPP there is no such thing here: this CPU, this virtual machine or this kernel
 *		lacks it, or it cannot filter so; -EACCES not allowed; -EBUSY somebody else records
 *		others; -errno. Reported in one line that says what is missing and what to do.
 */
int branch_events_open(uint64_t types, bool helper, bool needed, struct branch_events **ret_events);
/*
 * Whether that would do with the default types, on one CPU; nothing is reported. 0; -EBUSY another
 * program has the CPU record others; -EACCES, -EPERM; other -errno: there are none.
 */
int branch_events_try(void);
void branch_events_close(struct branch_events *events);

#endif
