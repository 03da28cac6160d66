/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a traced function's entry and return cost before a program of ours does anything: the kernel's
 * part of tracing, which no clock in a program sees. --budget adds it up.
 *
 * Measured on this machine: a system call of this thread, with programs that do nothing attached to
 * its function and without.
 */
#ifndef RETSNOOP_TRACE_ATTACH_HIT_COST_H
#define RETSNOOP_TRACE_ATTACH_HIT_COST_H

#include "util/trace/attach/features.h"
#include "util/trace/plan/plan.h"

struct kernel;

/*
 * Fill features->hit_ns: measured for the attach methods of the plan's functions, else what is usual.
 *
 * @plan	rungs assigned
 */
void hit_costs_measure(struct kernel *kernel, const struct plan *plan, struct features *features);

#endif
