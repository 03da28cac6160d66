/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a decider, for decider*.c only. */
#ifndef RETSNOOP_EXPLAIN_DECIDER_INTERNAL_H
#define RETSNOOP_EXPLAIN_DECIDER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/explain/decider.h"
#include "util/explain/decision.h"
#include "util/explain/flow/result_flow.h"
#include "util/explain/function/branch_path.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/operand.h"

struct decider {
	const struct plan *plan;
	uint64_t types;
	struct code_reader reader;
	struct kernel_btf *btf; /* NULL: not known */
	const struct union_member *in_use; /* NULL: known of no union */
	struct path path;
	struct result_flow flow;
	/* What decider_note_elsewhere() found on this way; others of flow.settled are for branches of the way. */
	struct flow_settled elsewhere[FLOW_MAX_SETTLED / 2];
	uint32_t nr_elsewhere;
	bool knows_elsewhere;
	bool negates_param; /* decider_negates_param() on this way */
	bool reads_table; /* decider_reads_table() on it */
	uint32_t decided; /* step of the branch or move that decided */
	/* The number of the parameter by whose address the function stored the result, from 1; 0: it returned it. */
	uint8_t stored_param;
	uint16_t stored_at; /* how far behind that address */
	/* What was read from an object that the function got had been there before, for the next function. */
	bool was_there;
	uint8_t callee_param; /* the same of the called function that is added next */
	uint16_t callee_at;
	bool callee_in_object; /* as in struct decision_callee */
	/* Of the current session. */
	const struct branches *branches;
	uint64_t value;
};

/* The known way through @function, without what only its module and system call tell. */
struct operand_way decider_way(struct decider *decider, const struct code_function *function);

/**
 * The branch that decided: the last of flow.branches whose other side could have led to another
 * result.
 *
 * @function	decider->path and decider->flow are in it
 * @nr		only the first @nr of flow.branches are looked at
 * @constant	the result is a constant: branches before it was set may have decided, too
 * @ret_doubt	NULL before; why the branch is not sure (static), or NULL
 * @return	in flow.branches; NULL: none is known
 */
const struct flow_branch *decider_find_branch(struct decider *decider,
					      const struct code_function *function, size_t nr,
					      bool constant, const char **ret_doubt);

/* The constant that a branch compared, in a register or on the stack. False: it is not known. */
bool decider_tested_constant(struct decider *decider, const struct flow_branch *branch, struct origin *ret);

/*
 * Whether a branch that compared constants led to where the result was set: "if (!ops) return -EOPNOTSUPP". After
 * "if (err) return err", or where another value would have been another error, what came before decided.
 */
bool decider_led_to_result(struct decider *decider, const struct code_function *function,
			   const struct flow_branch *branch);

/*
 * Whether a branch compared only constants. Then earlier code decided, not this branch: for
 * example "if (delegated_inode)" after a function failed before it could set delegated_inode.
 */
bool decider_compares_constants(struct decider *decider, const struct code_function *function,
				const struct flow_branch *branch);
/*
 * Whether the constants that a branch compared, as far as the way shows, would have led elsewhere: then a call changed
 * one of them.
 */
bool decider_was_changed(struct decider *decider, const struct flow_branch *branch);
/*
 * Note a branch or move that compared constants, for ways to be walked, if one of them was on the stack
 * or in a register.
 */
void decider_note_settled(struct decider *decider, const struct flow_branch *branch);
/*
 * Note a branch that found no failure of a call which was made after the result was set. Earlier branches whose other
 * sides come to that call, too, did not decide: that it might fail there is no other result.
 */
void decider_note_succeeded(struct decider *decider, const struct flow_branch *branch);
/*
 * As decider_note_settled(), of branches beside the way that compare constants which were on the stack at its end, and
 * nowhere else: "copied ?: err" in a part of the function that the way did not come through, while "copied" was 0.
 */
void decider_note_elsewhere(struct decider *decider, const struct code_function *function);

static inline void decision_set_none(struct decision *decision, const char *reason)
{
	decision->kind = DECISION_NONE;
	decision->likely = false;
	decision->reason = reason;
	decision->given_in = -1;
}

/* Why there is no older part of the way. */
const char *decider_why_no_older(enum path_begin begin);

/* Whether the result was on the stack where a called function could have changed it. */
bool decider_may_have_changed(struct decider *decider, const struct code_function *function);

/*
 * Whether where the result came from is known, so that a decision can be found. If not, @decision is none, with the
 * reason.
 *
 * @stored	as decider_follow() filled it in
 */
bool decider_has_origin(struct decider *decider, const struct code_function *function,
			const struct flow_stored *stored, struct decision *decision);

/*
 * Whether the result is a parameter's value with the other sign, which no branch of the way tested: "return
 * -dup_errno". Then the branch that led there decided, as it does with a constant.
 */
bool decider_negates_param(struct decider *decider, const struct code_function *function);

/*
 * Whether the result is an element of a table of the kernel's, as compilers make for a switch that sets errors. Then
 * what led there decided, as it does with a constant.
 */
bool decider_reads_table(struct decider *decider, const struct code_function *function);

/* Name what the result that a step of the way loaded or computed was read from, or is the negative of. 0; -ENOMEM. */
int decider_fill_origin(const struct operand_way *way, uint32_t step, struct decision_condition *condition);

/**
 * Follow the way through a function to its result: with decider->stored_param, up to where it stores that, and the
 * path ends there, then.
 *
 * @ret		who stored the result by an address; STORED_BY_CALL: a call on the way
 * @return	0; -ENOMEM
 */
int decider_follow(struct decider *decider, const struct code_function *function, struct flow_stored *ret);

/*
 * Whether a branch of the way tested the value that became the result, and found another one: "if (err
 * < 0) return err" did not return it. Then a called function changed it afterwards.
 */
bool decider_tested_another(struct decider *decider);

/*
 * Whether a branch that decided is in doubt because the value that it compared, and nothing else, was a
 * constant on the way, which a called function may have changed; and the constant.
 *
 * @doubt	of decider_find_branch()
 */
bool decider_compared_constant(const struct flow_branch *branch, const char *doubt, int32_t *ret_constant);

/*
 * Whether code of the function may lead from one address to another, without @except on the way (0: nothing is
 * excepted); true if it is not known.
 */
bool decider_may_lead(struct decider *decider, const struct code_function *function, uint64_t from, uint64_t to,
		      uint64_t except);

/*
 * The same.
 *
 * @but_null	nor over a branch that found a call's result to be NULL
 */
bool decider_may_lead_but(struct decider *decider, const struct code_function *function, uint64_t from, uint64_t to,
			  uint64_t except, bool but_null);

/* Where a branch of the way, at its step, would have led otherwise. */
uint64_t decider_other_side(const struct path_step *step, const struct flow_branch *branch);

/* The call whose result a branch, or a conditional move, tested; NULL: none, or not known. */
const char *decider_tested_callee(struct decider *decider, const struct flow_branch *branch);

/**
 * The branch that led to a conditional move, or a later move, where the move itself decided nothing.
 *
 * @move	in flow.branches
 * @ret_doubt	the same
 * @return	in flow.branches; NULL: none is known, or the move decided
 */
const struct flow_branch *decider_find_before(struct decider *decider,
					      const struct code_function *function,
					      const struct flow_branch *move,
					      const char **ret_doubt);

#endif
