// SPDX-License-Identifier: BSD-2-Clause
/* Makes records of taken jumps, of calls and their returns, and of traps that returned. */
#include "util/why/way/way_records.h"

#include <errno.h>

/* An address outside all code: stands for the caller, and for targets of indirect calls. */
#define ELSEWHERE 1

struct recorder {
	struct code_reader *reader;
	const struct code_function *function;
	struct branches *branches;
};

static int add(struct recorder *r, uint64_t from, uint64_t to, uint32_t marks)
{
	struct branch branch = { .from = from, .to = to, .times = 1, .marks = marks };

	r->branches->nr_shown++;
	r->branches->nr_recorded++;
	return vec_push(&r->branches->v, branch);
}

/* Add the records of an instruction inside a block: calls and traps. */
static int add_inside(struct recorder *r, uint64_t addr, const struct branch_insn *insn)
{
	uint64_t next = addr + insn->length, target = insn->target;
	int err;

	switch (insn->kind) {
	case BRANCH_CALL:
	case BRANCH_INDIRECT_CALL:
		/* A call of the function itself would look like a jump. */
		if (!target || function_contains(r->reader, r->function, target))
			target = ELSEWHERE;
		err = add(r, addr, target, 0);
		return err ?: add(r, ELSEWHERE, next, 0);
	case BRANCH_SYSTEM:
		err = add(r, addr, ELSEWHERE, BRANCH_IS_INTERRUPT);
		return err ?: add(r, ELSEWHERE, next, BRANCH_IS_INTERRUPT);
	default:
		return 0;
	}
}

static int add_block(struct recorder *r, const struct block_graph *graph,
		     const struct way_block *step)
{
	const struct block *block = &graph->blocks.data[step->block];
	struct branch_insn insn;
	uint64_t to;
	int err;

	for (uint64_t addr = block->addr; addr < block->end; addr += insn.length) {
		if (code_branch(r->reader, addr, &insn))
			return -EFAULT;
		if (addr != block->last || step->edge.kind == EDGE_ON) {
			err = add_inside(r, addr, &insn);
			if (err)
				return err;
			continue;
		}
		to = step->edge.to == BLOCK_EXIT ? insn.target ?: ELSEWHERE :
						   graph->blocks.data[step->edge.to].addr;
		err = add(r, addr, to, 0);
		if (err)
			return err;
	}
	return 0;
}

int way_records(struct code_reader *reader, const struct code_function *function,
		const struct block_graph *graph, const struct way *way,
		struct branches *branches)
{
	struct recorder r = { reader, function, branches };
	int err;

	branches->v.len = 0;
	branches->nr_shown = branches->nr_recorded = 0;
	branches->none_left = false;
	if (!way->blocks.len)
		return 0;
	err = add(&r, ELSEWHERE, graph->blocks.data[way->blocks.data[0].block].addr, 0);
	vec_foreach(step, &way->blocks) {
		if (!err)
			err = add_block(&r, graph, step);
	}
	return err;
}
