/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A function's control flow graph: blocks of code that run from their first instruction to their
 * last, and the edges between them. Faults that the kernel expects are edges too.
 */
#ifndef RETSNOOP_WHY_WAY_BLOCK_GRAPH_H
#define RETSNOOP_WHY_WAY_BLOCK_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/explain/function/function_code.h"
#include "util/kernel/code/fault_table.h"

/* Leaves the function for good; no block has this number. */
#define BLOCK_EXIT UINT32_MAX

enum edge_kind {
	EDGE_ON,	/* to the next instruction */
	EDGE_TAKEN,	/* to the target of the jump at the block's end */
	EDGE_FAULT,	/* after a fault of the block's last instruction */
};

struct block_edge {
	uint32_t to;	/* block, or BLOCK_EXIT */
	enum edge_kind kind;
};

struct block {
	uint64_t addr;
	uint64_t last;	/* its last instruction */
	uint64_t end;	/* address after that */
	struct block_edge edges[CODE_MAX_TARGETS];
	uint32_t nr_edges;	/* 0: it never ends: a panic, or a wait for the task's exit */
	bool alive;	/* the exit can be reached from it */
	bool by_table;	/* it may also jump by a table that is not followed */
};

/* The block that a fault of the block's last instruction leads to; BLOCK_EXIT: it leads to none. */
static inline uint32_t block_after_fault(const struct block *block)
{
	for (uint32_t i = 0; i < block->nr_edges; i++) {
		if (block->edges[i].kind == EDGE_FAULT)
			return block->edges[i].to;
	}
	return BLOCK_EXIT;
}

struct block_graph {
	VEC(struct block) blocks;	/* blocks[0] begins where the function does */
	bool has_tables;	/* it may jump by a table that is not followed */
	bool faults_unknown;	/* a fault leads to code that could not be followed */
};

/**
 * @faults	NULL: not known
 * @graph	filled in; release with block_graph_release() either way
 * @return	0; -EFAULT the code cannot be read or is not understood; -E2BIG; -ENOMEM
 */
int block_graph_build(struct code_reader *reader, const struct code_function *function,
		      const struct fault_table *faults, struct block_graph *graph);
void block_graph_release(struct block_graph *graph);

#endif
