// SPDX-License-Identifier: BSD-2-Clause
/* The ways through a function that its result rules out. */
#include <errno.h>
#include <stdlib.h>

#include "util/base/cleanup.h"
#include "util/base/text/errnames.h"
#include "util/explain/flow/result_flow.h"
#include "util/why/way/narrow.h"
#include "util/why/way/target.h"

/* Whether a fault in a block leads to where the function may return it. */
static bool may_after_fault(const struct block *block, const bool *may)
{
	uint32_t after = block_after_fault(block);

	return after != BLOCK_EXIT && may[after];
}

/* Add the blocks from where a fault may lead on: walks through the code do not follow faults. 0; -ENOMEM. */
static int add_faults(const struct block_graph *graph, bool *may)
{
	_cleanup_(free_p) bool *faults = calloc(graph->blocks.len + 1, sizeof(*faults));
	bool changed = true;

	if (!faults)
		return -ENOMEM;
	while (changed) {
		changed = false;
		vec_foreach(block, &graph->blocks) {
			uint32_t i = block - graph->blocks.data;
			bool leads = may_after_fault(block, may);

			for (uint32_t e = 0; e < block->nr_edges; e++)
				leads |= block->edges[e].to != BLOCK_EXIT && faults[block->edges[e].to];
			if (!leads || faults[i])
				continue;
			faults[i] = may[i] = changed = true;
		}
	}
	return 0;
}

int target_rule_out_by_result(struct target *target, struct code_reader *reader, uint64_t result)
{
	struct block_graph *graph = &target->graph;
	_cleanup_(free_p) bool *may = calloc(graph->blocks.len + 1, sizeof(*may));
	int err = 0;

	if (!may)
		return -ENOMEM;
	/* What it stored by an address is no result, and faults that are not known lead anywhere. */
	if (target->used_result || target->unusable || target->stored_param || target->stored_at ||
	    !is_error((int32_t)result) || graph->faults_unknown || graph->has_tables || !target->faults)
		return 0;
	target->used_result = true;
	vec_foreach(block, &graph->blocks)
		may[block - graph->blocks.data] = !block->alive ||
						  flow_may_return(reader, &target->function, block->addr, result);
	err = add_faults(graph, may);
	/* It did return it: the code was not understood. */
	if (err || !may[0])
		return err;
	for (size_t i = 1; !err && i < graph->blocks.len; i++) {
		if (may[i])
			continue;
		target->marks[i] |= BLOCK_ASKED;
		err = narrow_learn(graph, i, false);
	}
	return err;
}
