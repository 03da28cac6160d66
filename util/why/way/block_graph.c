// SPDX-License-Identifier: BSD-2-Clause
/* From code to blocks: every instruction that can be reached is decoded once. */
#include "util/why/way/block_graph.h"

#include <errno.h>
#include <stdlib.h>

#include "util/base/search.h"

#define MAX_INSTRUCTIONS 60000
/*
 * Before 5.16, a fault leads to code outside the function: a few moves and a jump back. The most
 * instructions of it.
 */
#define MAX_FIXUP 16

/* A decoded instruction; an entry of a hash table by address. */
struct seen_insn {
	uint64_t addr;
	bool leader;
};

struct builder {
	struct code_reader *reader;
	const struct code_function *function;
	const struct fault_table *faults;
	struct block_graph *graph;
	struct seen_insn *slots;
	size_t nr_slots, nr_seen;
	VEC(uint64_t) open;
	uint64_t targets[CODE_MAX_TARGETS];
};

/* The ways on from an instruction. */
struct ways {
	uint64_t next;
	bool goes_on;	/* execution may go on to the next instruction */
	bool leaves;
	bool ends_block;
	uint64_t jump;	/* 0: none inside the function */
	uint64_t fault;	/* 0: none */
	uint32_t nr_targets;	/* targets of a jump through a table, in builder.targets */
	bool by_table;	/* it jumps through a table that is not followed */
};

static struct seen_insn *slot_at(struct builder *b, uint64_t addr)
{
	size_t i = (addr * 0x9e3779b97f4a7c15ull) >> 32;

	for (;; i++) {
		struct seen_insn *slot = &b->slots[i & (b->nr_slots - 1)];

		if (!slot->addr || slot->addr == addr)
			return slot;
	}
}

static bool inside(const struct builder *b, uint64_t addr)
{
	return function_contains(b->reader, b->function, addr);
}

/* Where execution goes on inside the function after a fault; 0: not known. */
static uint64_t fault_target(const struct builder *b, uint64_t fixup)
{
	struct branch_insn insn;

	for (int i = 0; i < MAX_FIXUP; i++) {
		if (inside(b, fixup))
			return fixup;
		if (code_branch(b->reader, fixup, &insn))
			return 0;
		if (insn.kind == BRANCH_JUMP)
			fixup = insn.target;
		else if (insn.kind == BRANCH_NONE)
			fixup += insn.length;
		else
			return 0;
	}
	return 0;
}

static void jump_ways(struct builder *b, const struct branch_insn *insn, struct ways *ways)
{
	ways->goes_on = insn->kind == BRANCH_CONDITIONAL;
	if (inside(b, insn->target))
		ways->jump = insn->target;
	else if (callee_at(b->reader, insn->target).kind != CALLEE_NO_RETURN)
		ways->leaves = true;
}

/* 0; -EFAULT. */
static int ways_of(struct builder *b, uint64_t addr, struct ways *ways)
{
	const struct fault_entry *fault = b->faults ? fault_table_at(b->faults, addr) : NULL;
	struct branch_insn insn;
	enum trap trap;

	if (code_branch(b->reader, addr, &insn))
		return -EFAULT;
	*ways = (struct ways){ .next = addr + insn.length, .goes_on = true };
	switch (insn.kind) {
	case BRANCH_NONE:
		break;
	case BRANCH_CONDITIONAL:
		if (code_retries(b->reader, addr))
			break;
		/* fallthrough */
	case BRANCH_JUMP:
		jump_ways(b, &insn, ways);
		break;
	case BRANCH_CALL:
		ways->goes_on = callee_at(b->reader, insn.target).kind != CALLEE_NO_RETURN;
		break;
	case BRANCH_INDIRECT_CALL:
		break;
	case BRANCH_INDIRECT_JUMP:
		ways->nr_targets = code_table_targets(b->reader, b->function, addr, b->targets);
		ways->by_table = !ways->nr_targets;
		b->graph->has_tables |= ways->by_table;
		ways->goes_on = false;
		ways->leaves = !ways->nr_targets;
		break;
	case BRANCH_RETURN:
		ways->goes_on = false;
		ways->leaves = true;
		break;
	case BRANCH_SYSTEM:
		trap = code_trap(b->reader, b->function, addr);
		ways->goes_on = trap == TRAP_GOES_ON || trap == TRAP_UNCLEAR;
		break;
	}
	if (fault) {
		ways->fault = fault_target(b, fault->fixup);
		/* A fault that goes on with the next instruction makes no difference. */
		if (ways->fault == ways->next)
			ways->fault = 0;
		else if (!ways->fault)
			b->graph->faults_unknown = true;
	}
	ways->ends_block = !ways->goes_on || ways->jump || ways->leaves || ways->fault;
	return 0;
}

static int add_leader(struct builder *b, uint64_t addr)
{
	struct seen_insn *slot = slot_at(b, addr);

	if (slot->addr && slot->leader)
		return 0;
	if (slot->addr) {
		slot->leader = true;
		return 0;
	}
	if (++b->nr_seen > MAX_INSTRUCTIONS)
		return -E2BIG;
	*slot = (struct seen_insn){ addr, true };
	return vec_push(&b->open, addr);
}

/* Walk from a block's first instruction as far as code runs straight. */
static int walk(struct builder *b, uint64_t addr)
{
	struct ways ways;
	int err;

	for (;;) {
		struct seen_insn *slot;

		err = ways_of(b, addr, &ways);
		if (err)
			return err;
		if (ways.jump)
			err = add_leader(b, ways.jump);
		if (!err && ways.fault)
			err = add_leader(b, ways.fault);
		for (uint32_t i = 0; !err && i < ways.nr_targets; i++)
			err = add_leader(b, b->targets[i]);
		if (err)
			return err;
		if (!ways.goes_on)
			return 0;
		if (ways.ends_block)
			return inside(b, ways.next) ? add_leader(b, ways.next) : -EFAULT;
		addr = ways.next;
		if (!inside(b, addr))
			return -EFAULT;
		slot = slot_at(b, addr);
		if (slot->addr)
			return slot->leader ? 0 : -EFAULT;
		if (++b->nr_seen > MAX_INSTRUCTIONS)
			return -E2BIG;
		slot->addr = addr;
	}
}

/* Blocks after the first one are sorted. */
static uint32_t block_at(const struct block_graph *graph, uint64_t addr)
{
	const struct block *rest = graph->blocks.data + 1;

	if (graph->blocks.data[0].addr == addr)
		return 0;
	return 1 + bisect(i, graph->blocks.len - 1, rest[i].addr < addr);
}

static void add_edge(struct block *block, uint32_t to, enum edge_kind kind)
{
	for (uint32_t i = 0; i < block->nr_edges; i++) {
		if (block->edges[i].to == to && to != BLOCK_EXIT)
			return;
	}
	block->edges[block->nr_edges++] = (struct block_edge){ to, kind };
}

static int fill_block(struct builder *b, struct block *block)
{
	const struct block_graph *graph = b->graph;
	uint64_t addr = block->addr;
	struct ways ways;
	int err;

	for (;; addr = ways.next) {
		err = ways_of(b, addr, &ways);
		if (err)
			return err;
		block->last = addr;
		block->end = ways.next;
		if (ways.ends_block || slot_at(b, ways.next)->leader)
			break;
	}
	block->by_table = ways.by_table;
	if (ways.goes_on)
		add_edge(block, block_at(graph, ways.next), EDGE_ON);
	if (ways.jump)
		add_edge(block, block_at(graph, ways.jump), EDGE_TAKEN);
	if (ways.leaves)
		add_edge(block, BLOCK_EXIT, EDGE_TAKEN);
	for (uint32_t i = 0; i < ways.nr_targets; i++)
		add_edge(block, block_at(graph, b->targets[i]), EDGE_TAKEN);
	if (ways.fault && block->nr_edges < 2)
		add_edge(block, block_at(graph, ways.fault), EDGE_FAULT);
	return 0;
}

/* Mark the blocks from which the exit can be reached. */
static void mark_alive(struct block_graph *graph)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = graph->blocks.len; i-- > 0;) {
			struct block *block = &graph->blocks.data[i];

			for (uint32_t e = 0; e < block->nr_edges && !block->alive; e++) {
				uint32_t to = block->edges[e].to;

				if (to == BLOCK_EXIT || graph->blocks.data[to].alive)
					block->alive = changed = true;
			}
		}
	}
}

static int make_blocks(struct builder *b)
{
	struct block_graph *graph = b->graph;
	int err = vec_push(&graph->blocks, (struct block){ .addr = b->function->addr });

	for (size_t i = 0; !err && i < b->nr_slots; i++) {
		if (b->slots[i].leader && b->slots[i].addr != b->function->addr)
			err = vec_push(&graph->blocks, (struct block){ .addr = b->slots[i].addr });
	}
	if (err)
		return err;
	qsort(graph->blocks.data + 1, graph->blocks.len - 1, sizeof(struct block), compare_u64);
	vec_foreach(block, &graph->blocks) {
		err = fill_block(b, block);
		if (err)
			return err;
	}
	mark_alive(graph);
	return 0;
}

int block_graph_build(struct code_reader *reader, const struct code_function *function,
		      const struct fault_table *faults, struct block_graph *graph)
{
	struct builder b = { .reader = reader, .function = function, .faults = faults,
			     .graph = graph, .nr_slots = 2 * 65536 };
	int err;

	*graph = (struct block_graph){};
	b.slots = calloc(b.nr_slots, sizeof(*b.slots));
	if (!b.slots)
		return -ENOMEM;
	err = add_leader(&b, function->addr);
	while (!err && b.open.len)
		err = walk(&b, b.open.data[--b.open.len]);
	if (!err)
		err = make_blocks(&b);
	vec_release(&b.open);
	free(b.slots);
	return err;
}

void block_graph_release(struct block_graph *graph)
{
	vec_release(&graph->blocks);
}
