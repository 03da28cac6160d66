/* SPDX-License-Identifier: BSD-2-Clause */
/* What BPF counted for --budget, and what it is told (bpf/budget.bpf.h). */
#ifndef RETSNOOP_TRACE_ATTACH_BUDGET_MAPS_H
#define RETSNOOP_TRACE_ATTACH_BUDGET_MAPS_H

#include <stdint.h>

#include "bpf/budget.h"

struct programs;

/* Summed over CPUs. 0; -errno (not reported). */
int budget_cpus_read(const struct programs *programs, struct budget_cpu *ret_sum);

/* The same of the function with this index in the plan. */
int budget_func_read(const struct programs *programs, uint32_t func, struct budget_func *ret_sum);

/* Tell BPF. 0; -errno (not reported). */
int budget_control_write(const struct programs *programs, const struct budget_control *control);

#endif
