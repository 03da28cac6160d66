/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes the CPUs record branches: one perf event per CPU, open from before attaching until
 * everything is detached. Without it, bpf_get_branch_snapshot() returns leftover records, or
 * none.
 */
#ifndef RETSNOOP_TRACE_BRANCHES_BRANCH_EVENTS_H
#define RETSNOOP_TRACE_BRANCHES_BRANCH_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

struct branch_events;

/**
 * Open an event on every CPU that is online.
 *
 * @types	PERF_SAMPLE_BRANCH_x; privilege level is added here
 * @helper	this kernel lets BPF see branches (struct features)
 * @needed	nothing can be shown without branches; else missing branches only cause a warning
 * @return	0; -EOPNOTSUPP this CPU, this virtual machine or this kernel has no branch
 *		records, or cannot filter these types; -EACCES not allowed; -EBUSY another program
 *		records other types; -errno. Reported in one line that says what is missing and
 *		what to do.
 */
int branch_events_open(uint64_t types, bool helper, bool needed, struct branch_events **ret_events);
/*
 * Whether that works with the default types, on one CPU; nothing is reported. 0; -EBUSY another
 * program records other types; -EACCES, -EPERM; other -errno: no branch records.
 */
int branch_events_try(void);
void branch_events_close(struct branch_events *events);

#endif
