/* SPDX-License-Identifier: BSD-2-Clause */
/* How an errno went up from the function that failed. For decider.c and explain.c only. */
#ifndef RETSNOOP_EXPLAIN_DECISION_STEPS_H
#define RETSNOOP_EXPLAIN_DECISION_STEPS_H

#include "util/explain/decision.h"
#include "util/explain/stack_rows.h"

/* Fill in decision->steps, which is empty, for a decision in decision->func. 0; -ENOMEM. */
int decision_steps_fill(const struct stack_rows *stack, const struct session *session,
			struct decision *decision);

#endif
