/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures two costs that --budget adds up: that of a traced function's entry and return without
 * effect, mostly the kernel's part of tracing, which no clock in a program sees; and the
 * programs' time outside the part that they time themselves.
 *
 * This thread times a system call with the programs attached to its function, and without them.
 * Nothing is recorded yet.
 */
#ifndef RETSNOOP_TRACE_ATTACH_HIT_COST_H
#define RETSNOOP_TRACE_ATTACH_HIT_COST_H

#include "bpf/cost.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/attach/features.h"
#include "util/trace/attach/programs.h"

struct kernel;

/*
 * Fill in the times: measured for the attach methods of the plan's functions, else usual values.
 *
 * @programs	loaded for these methods
 */
void hit_costs_measure(struct kernel *kernel, const struct features *features,
		       const struct programs *programs, const struct plan *plan,
		       const struct attached *attached, struct budget_control *ret_control);

#endif
