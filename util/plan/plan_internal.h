/* SPDX-License-Identifier: BSD-2-Clause */
/* Between plan.c and its parts. */
#ifndef RETSNOOP_PLAN_PLAN_INTERNAL_H
#define RETSNOOP_PLAN_PLAN_INTERNAL_H

#include <stdbool.h>

struct code_source;
struct match;
struct plan;
struct trace_request;

/* Warnings of one kind; more are only counted. */
#define PLAN_MAX_WARNINGS 8

/**
 * Keep each spec that selects nothing in plan->unmatched, with warnings.
 *
 * @quiet	no warnings
 * @return	0; -ENOMEM (reported)
 */
int plan_note_unmatched(struct plan *plan, const struct trace_request *request,
			const struct match *match, bool quiet);

/* Plans with more functions are not looked through. */
#define RECURSION_MAX_FUNCS 200

/*
 * Note which functions of a plan call themselves, as far as the code can be read: trampolines would take kernel
 * stack for each call that is open. 0; -ENOMEM (reported).
 */
int plan_find_recursion(struct plan *plan, const struct code_source *source);
/* The same by the running kernel's code. */
int plan_find_recursion_in_kernel(struct plan *plan);

#endif
