/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the decision from branches and code. */
#ifndef RETSNOOP_TRACE_EXPLAIN_DECIDER_H
#define RETSNOOP_TRACE_EXPLAIN_DECIDER_H

#include <stdint.h>

struct branches;
struct code_function;
struct code_source;
struct decider;
struct decision;
struct decision_condition;
struct kernel_btf;
struct syscall_params;
struct plan;
struct session;
struct stack_rows;
struct symbolizer;

/**
 * @code	reads the kernel's code; NULL: none can be read
 * @types	kinds of branches that are recorded, PERF_SAMPLE_BRANCH_x
 * @return	0; -ENOMEM (reported). All are borrowed and outlive the decider.
 */
int decider_new(struct symbolizer *symbolizer, const struct plan *plan,
		const struct code_source *code, uint64_t types, struct decider **ret_decider);
/* For conditions: the per-CPU variable that has the running task (struct code_reader). */
void decider_set_current(struct decider *decider, uint64_t current_task);
void decider_free(struct decider *decider);

/**
 * @branches	of the session, trimmed
 * @stack	of the session
 * @decision	filled in; may have been filled before. Parts of it are the session's
 * @return	0, DECISION_NONE included; -ENOMEM
 */
int decide(struct decider *decider, const struct session *session, const struct branches *branches,
	   const struct stack_rows *stack, struct decision *decision);

/**
 * The condition of the branch that the last decide() found in @function.
 *
 * @btf		NULL: there is none
 * @module	of the function; NULL for vmlinux
 * @syscall	the parameters, where the function is a system call's; NULL: not known
 * @condition	filled in; may have been filled before. text NULL where it is not known
 * @return	0; -ENOMEM
 */
int decider_condition(struct decider *decider, struct kernel_btf *btf,
		      const struct code_function *function, const char *module,
		      const struct syscall_params *syscall, const struct decision *decision,
		      struct decision_condition *condition);

/* A value passed to a function, if another call had returned it. */
struct passed_value {
	uint64_t called; /* where the function begins that had; 0: not known, or something else */
	uint64_t called_at;
};

/**
 * The values passed to a call in registers, on the way that the last decide() found.
 *
 * @call	where the call is
 * @passed	filled in, for the first @nr parameters
 * @return	0; -ENOMEM
 */
int decider_passed(struct decider *decider, const struct code_function *function, uint64_t call,
		   struct passed_value *passed, uint32_t nr);

#endif
