/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the decision from branches and code. */
#ifndef RETSNOOP_EXPLAIN_DECIDER_H
#define RETSNOOP_EXPLAIN_DECIDER_H

#include <stdbool.h>
#include <stdint.h>

struct branches;
struct code_function;
struct code_source;
struct data_symbols;
struct decider;
struct decision;
struct decision_condition;
struct kernel_btf;
struct syscall_params;
struct union_member;
struct plan;
struct session;
struct stack_rows;
struct symbolizer;

/**
 * @code	reads the kernel's code; NULL: none can be read
 * @types	types of the recorded branches, PERF_SAMPLE_BRANCH_x
 * @return	0; -ENOMEM (reported). All arguments are borrowed, and outlive the decider.
 */
int decider_new(struct symbolizer *symbolizer, const struct plan *plan,
		const struct code_source *code, uint64_t types, struct decider **ret_decider);
/* For conditions: the per-CPU variable that has the running task (struct code_reader). */
void decider_set_current(struct decider *decider, uint64_t current_task);
/* The kernel has this thunk to jump through pointers (code_rules.pointer_thunk); 0: not known. */
void decider_set_pointer_thunk(struct decider *decider, uint64_t thunk);
/* Types of the running kernel, which outlive the decider; NULL: there are none. */
void decider_set_btf(struct decider *decider, struct kernel_btf *btf);
/* Names of the running kernel's variables, which outlive the decider. */
void decider_set_data(struct decider *decider, struct data_symbols *data);
/* A call of the next functions to decide in returns the value that it was passed in a register. */
void decider_set_passing(struct decider *decider, uint64_t call, uint8_t reg);
/* Reasons for no decision, to be compared with: what a called function did by an address. */
extern const char decider_stored_by_address[];
extern const char decider_not_stored[]; /* it was to have stored the result, but did not */

/*
 * The next functions to decide in stored the result by the address in this parameter, from 1; 0: they returned it.
 *
 * @at		how far behind that address
 */
void decider_set_stored(struct decider *decider, uint8_t param, uint16_t at);
/*
 * Whether a result that the next functions to decide in read from an object, whose address is a parameter, had been
 * there before: the function that got the object then is known not to have stored it.
 */
void decider_set_was_there(struct decider *decider, bool was_there);
/* The call that "err ?: other" tests in the next functions to decide in did not return the result. */
void decider_set_not_by_call(struct decider *decider, bool not_by_call);
/* The member of a union that is in use in the next functions to decide in; borrowed; NULL: not known. */
void decider_set_union(struct decider *decider, const struct union_member *in_use);
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
 * The condition of the branch that the last decide() found in @function. If the result was computed
 * from a bool, DECISION_COMPUTED becomes DECISION_SELECTED.
 *
 * @module	of the function; NULL for vmlinux
 * @syscall	parameters of a system call's function; NULL: not known, or another function
 * @condition	filled in; may have been filled before. text NULL where it is not known
 * @return	0; -ENOMEM
 */
int decider_condition(struct decider *decider, const struct code_function *function,
		      const char *module, const struct syscall_params *syscall,
		      struct decision *decision, struct decision_condition *condition);

/* The name of a function's parameter, by its number from 1, as long as BTF is there; NULL: not known. */
const char *decider_param_name(struct decider *decider, const struct code_function *function, const char *module,
			       uint8_t param);
/* The same of a member of the struct that the parameter points to, by its offset; no members of members. */
const char *decider_param_member(struct decider *decider, const struct code_function *function, const char *module,
				 uint8_t param, uint16_t at);

/* A value passed to a function, if another call had returned it. */
struct passed_value {
	uint64_t called; /* start of the function that had returned it; 0: not known, or none */
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
