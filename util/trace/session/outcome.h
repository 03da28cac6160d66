/* SPDX-License-Identifier: BSD-2-Clause */
/* What a call's result means: by --error-if if its function has a rule, else by its return kind. */
#ifndef RETSNOOP_TRACE_SESSION_OUTCOME_H
#define RETSNOOP_TRACE_SESSION_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/event.h"

struct error_rule;
struct plan;
struct plan_func;

/*
 * The errno that a call's result means (bpf/result_rule.h); 0 for a failure without an errno;
 * RESULT_NOT_FAILED.
 *
 * @rules	the request's, which functions refer to; NULL if no function has one
 */
int frame_errno(const struct plan *plan, const struct error_rule *rules,
		const struct event_frame *frame);

bool result_failed(const struct plan_func *func, const struct error_rule *rules, uint64_t result);

#endif
