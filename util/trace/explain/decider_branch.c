// SPDX-License-Identifier: BSD-2-Clause
/*
 * The branch that decided: the last conditional branch on the way whose other side could have led
 * to another result. No later branch could change the result any more.
 *
 * For that, all ways from the other side are walked up to the function's returns, while the place
 * of the value is followed. So branches of epilogues, cleanups and checks of the stack protector
 * decide nothing; nor does a branch on the result itself, which was settled with the result.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "util/trace/explain/decider_internal.h"

/* Whether a branch only tests the result: its outcome was settled with the result. */
static bool is_settled(const struct result_flow *flow, const struct flow_branch *branch)
{
	for (uint32_t i = 0; i < branch->nr_tested; i++) {
		if (!same_origin(&branch->tested[i], &flow->result))
			return false;
	}
	return branch->nr_tested;
}

/* Whether the way forks again after a branch, by a jump through a table, which is not examined. */
static bool jumps_by_table_after(const struct path *path, const struct flow_branch *branch)
{
	for (uint32_t i = branch->step + 1; i + 1 < path->steps.len; i++) {
		if (path->steps.data[i].insn.kind == BRANCH_INDIRECT_JUMP)
			return true;
	}
	return false;
}

const struct flow_branch *decider_find_branch(struct decider *decider,
					      const struct code_function *function, size_t nr,
					      bool constant, const char **ret_doubt)
{
	struct result_flow *flow = &decider->flow;
	const struct flow_branch *later = NULL, *fault = NULL;

	for (size_t i = nr; i-- > 0;) {
		const struct flow_branch *branch = &flow->branches.data[i];

		/* Branches before the value existed did not decide to return it. */
		if (!constant && branch->step < flow->result.step)
			return NULL;
		if (branch->is_move || is_settled(flow, branch) ||
		    flow_only_replaces(&decider->reader, &decider->path, flow, branch))
			continue;
		switch (flow_other_side(&decider->reader, function, &decider->path, flow, branch)) {
		case FLOW_DIFFERENT:
			if (constant && flow_only_faults(&decider->reader, function, &decider->path,
							 flow, branch)) {
				fault = fault ?: branch;
				break;
			}
			if (jumps_by_table_after(&decider->path, branch))
				*ret_doubt = "a jump by a table came after it";
			if (!flow_returns_tested(&decider->reader, function, &decider->path, flow,
						 branch))
				return branch;
			later = later ?: branch;
			*ret_doubt = "a later call could have returned another one";
			break;
		case FLOW_UNCLEAR:
			*ret_doubt = "part of the code could not be followed";
			return branch;
		case FLOW_BEHIND_TRAP:
			*ret_doubt = "another way ends in a trap that may be a WARN()";
			break;
		case FLOW_SAME:
			break;
		}
	}
	if (constant && decider->path.begin != PATH_WHOLE)
		return NULL;
	if (!later)
		return fault;
	/* No earlier branch could have led to another result: `later` decided. */
	*ret_doubt = NULL;
	return later;
}

/*
 * Whether a conditional move did not decide that the function fails: its other value is the error
 * of a fault of the program's memory, or all values that it compared were constants on this way.
 */
static bool is_beside_the_point(const struct result_flow *flow, const struct flow_branch *move)
{
	const struct choice *choice = &flow->result.choice;

	if (choice->is_known[!move->taken] && choice->values[!move->taken] == -EFAULT &&
	    (int32_t)flow->value != -EFAULT)
		return true;
	for (uint32_t i = 0; i < move->nr_tested; i++) {
		if (move->tested[i].kind != ORIGIN_CONSTANT && move->tested[i].kind != ORIGIN_OTHER)
			return false;
	}
	return move->nr_tested;
}

const struct flow_branch *decider_find_before(struct decider *decider,
					      const struct code_function *function,
					      const struct flow_branch *move,
					      const char **ret_doubt)
{
	const struct result_flow *flow = &decider->flow;

	if (!is_beside_the_point(flow, move))
		return NULL;
	*ret_doubt = NULL;
	return decider_find_branch(decider, function, move - flow->branches.data, true, ret_doubt);
}
