/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a decider, for decider.c and decider_branch.c only. */
#ifndef RETSNOOP_EXPLAIN_DECIDER_INTERNAL_H
#define RETSNOOP_EXPLAIN_DECIDER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/explain/decider.h"
#include "util/explain/flow/result_flow.h"
#include "util/explain/function/branch_path.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/operand.h"

struct decider {
	const struct plan *plan;
	uint64_t types;
	struct code_reader reader;
	struct kernel_btf *btf; /* NULL: not known */
	struct path path;
	struct result_flow flow;
	uint32_t decided; /* step of the branch or move that decided */
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
