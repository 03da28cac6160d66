/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that call themselves: trampolines would take kernel stack for each call that is open. */
#ifndef RETSNOOP_TRACE_PLAN_RECURSION_H
#define RETSNOOP_TRACE_PLAN_RECURSION_H

#include "util/kernel/code/code_source.h"
#include "util/trace/plan/plan.h"

/* Plans with more functions are not looked through. */
#define RECURSION_MAX_FUNCS 200

/* Note which functions of a plan call themselves, as far as the code can be read. 0; -ENOMEM (reported). */
int plan_find_recursion(struct plan *plan, const struct code_source *source);

/* The same by the running kernel's code. */
int plan_find_recursion_in_kernel(struct plan *plan);

#endif
