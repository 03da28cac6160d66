// SPDX-License-Identifier: BSD-2-Clause
/* Ruling out ways through a function. */
#include "util/why/way/narrow.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"

/* Counts of ways that differ in the blocks that they pass. */
struct ways {
	const struct block_graph *graph;
	double *to_exit;	/* from each block */
	double *from_entry;	/* to each block */
	uint8_t *state;		/* enum visit */
	uint32_t *order;	/* blocks; each comes after the blocks that it leads to */
	uint32_t nr;
};

enum visit {
	NOT_VISITED,
	VISITING,
	VISITED,
};

struct visited {
	uint32_t block, edge;
};

/* Depth first, without following loops back. */
static void visit(struct ways *w, struct visited *stack)
{
	uint32_t depth = 0;

	stack[depth++] = (struct visited){ 0, 0 };
	w->state[0] = VISITING;
	while (depth) {
		struct visited *top = &stack[depth - 1];
		const struct block *block = &w->graph->blocks.data[top->block];
		uint32_t to;

		if (top->edge == block->nr_edges) {
			w->state[top->block] = VISITED;
			w->order[w->nr++] = top->block;
			depth--;
			continue;
		}
		to = block->edges[top->edge++].to;
		if (to == BLOCK_EXIT || w->state[to] != NOT_VISITED ||
		    !w->graph->blocks.data[to].alive)
			continue;
		w->state[to] = VISITING;
		stack[depth++] = (struct visited){ to, 0 };
	}
}

/* Each block in w->order comes after all blocks that it leads to, except by jumps back in loops. */
static void count(struct ways *w)
{
	for (uint32_t i = 0; i < w->nr; i++)
		w->state[w->order[i]] = NOT_VISITED;
	for (uint32_t i = 0; i < w->nr; i++) {
		const struct block *block = &w->graph->blocks.data[w->order[i]];

		for (uint32_t e = 0; e < block->nr_edges; e++) {
			uint32_t to = block->edges[e].to;

			if (to == BLOCK_EXIT)
				w->to_exit[w->order[i]] += 1;
			else if (w->state[to] == VISITED)
				w->to_exit[w->order[i]] += w->to_exit[to];
		}
		w->state[w->order[i]] = VISITED;
	}
	w->from_entry[0] = 1;
	for (uint32_t i = w->nr; i-- > 0;) {
		const struct block *block = &w->graph->blocks.data[w->order[i]];

		w->state[w->order[i]] = NOT_VISITED;
		for (uint32_t e = 0; e < block->nr_edges; e++) {
			uint32_t to = block->edges[e].to;

			if (to != BLOCK_EXIT && w->state[to] == VISITED)
				w->from_entry[to] += w->from_entry[w->order[i]];
		}
	}
}

/* The block whose share of all ways is nearest to @share; 0: no block would tell more. */
static uint32_t nearest_to(const struct ways *w, const uint8_t *marks, const uint8_t *probed,
			   double share)
{
	double least = 2;
	uint32_t best = 0;

	for (uint32_t n = 0; n < w->nr; n++) {
		uint32_t i = w->order[n];
		double own = w->from_entry[i] * w->to_exit[i] / w->to_exit[0];
		double off = fabs(own - share);

		if (!i || probed[i] || marks[i] & (BLOCK_REFUSED | BLOCK_ASKED) || off >= least ||
		    !(own > 0 && own < 1 - 1e-9))
			continue;
		least = off;
		best = i;
	}
	return best;
}

int narrow_choose(const struct block_graph *graph, const uint8_t *marks, uint32_t max,
		  uint8_t *probed)
{
	uint32_t n = graph->blocks.len, nr = 0;
	_cleanup_(free_p) double *to_exit = calloc(n, sizeof(*to_exit));
	_cleanup_(free_p) double *from_entry = calloc(n, sizeof(*from_entry));
	_cleanup_(free_p) uint8_t *state = calloc(n, 1);
	_cleanup_(free_p) uint32_t *order = calloc(n, sizeof(*order));
	_cleanup_(free_p) struct visited *stack = calloc(n, sizeof(*stack));
	struct ways ways = { graph, to_exit, from_entry, state, order, 0 };

	if (!to_exit || !from_entry || !state || !order || !stack)
		return -ENOMEM;
	memset(probed, 0, n);
	probed[0] = !(marks[0] & BLOCK_REFUSED);
	visit(&ways, stack);
	count(&ways);
	for (uint32_t i = 1; i <= max; i++) {
		uint32_t block = nearest_to(&ways, marks, probed, (double)i / (max + 1));

		if (!block)
			break;
		probed[block] = 1;
		nr++;
	}
	return nr;
}

/* Blocks that can be reached from one, or that can reach it. */
static void spread(const struct block_graph *graph, uint32_t from, bool back, uint8_t *reached)
{
	bool changed = true;

	reached[from] = 1;
	while (changed) {
		changed = false;
		vec_foreach(block, &graph->blocks) {
			uint32_t i = block - graph->blocks.data;

			for (uint32_t e = 0; e < block->nr_edges; e++) {
				uint32_t to = block->edges[e].to;

				if (to == BLOCK_EXIT)
					continue;
				if (back ? reached[to] && !reached[i] : reached[i] && !reached[to])
					reached[back ? i : to] = changed = true;
			}
		}
	}
}

/* Remove blocks that are no longer on a way from the entry to the exit, and the edges to them. */
static void prune(struct block_graph *graph, uint8_t *reached)
{
	bool changed = true;

	while (changed) {
		changed = false;
		memset(reached, 0, graph->blocks.len);
		spread(graph, 0, false, reached);
		vec_foreach(block, &graph->blocks) {
			uint32_t kept = 0;

			for (uint32_t e = 0; e < block->nr_edges; e++) {
				uint32_t to = block->edges[e].to;

				if (to == BLOCK_EXIT || graph->blocks.data[to].alive)
					block->edges[kept++] = block->edges[e];
			}
			changed |= kept != block->nr_edges;
			block->nr_edges = kept;
			if (block->alive && (!kept || !reached[block - graph->blocks.data])) {
				block->alive = false;
				block->nr_edges = 0;
				changed = true;
			}
		}
	}
}

int narrow_learn(struct block_graph *graph, uint32_t at, bool passed)
{
	_cleanup_(free_p) uint8_t *reached = calloc(graph->blocks.len, 1);
	_cleanup_(free_p) uint8_t *leads = calloc(graph->blocks.len, 1);

	if (!reached || !leads)
		return -ENOMEM;
	if (passed) {
		spread(graph, at, false, reached);
		spread(graph, at, true, leads);
		vec_foreach(block, &graph->blocks) {
			uint32_t i = block - graph->blocks.data;

			block->alive &= reached[i] || leads[i];
		}
		/* Remove edges that pass the block by and never lead back to it. */
		vec_foreach(block, &graph->blocks) {
			uint32_t i = block - graph->blocks.data, kept = 0;

			for (uint32_t e = 0; e < block->nr_edges; e++) {
				uint32_t to = block->edges[e].to;

				if (reached[i] || (to != BLOCK_EXIT && leads[to]))
					block->edges[kept++] = block->edges[e];
			}
			block->nr_edges = kept;
		}
	} else {
		graph->blocks.data[at].alive = false;
	}
	prune(graph, reached);
	return 0;
}

/* The only block that leads to another one, or to the exit. NULL: several, or none. */
static const struct block *only_before(const struct block_graph *graph, uint32_t to,
				       struct block_edge *ret_edge, uint32_t *ret_nr)
{
	const struct block *only = NULL;

	*ret_nr = 0;
	vec_foreach(block, &graph->blocks) {
		for (uint32_t e = 0; e < block->nr_edges && block->alive; e++) {
			if (block->edges[e].to != to)
				continue;
			only = block;
			*ret_edge = block->edges[e];
			++*ret_nr;
		}
	}
	return *ret_nr == 1 ? only : NULL;
}

int narrow_way(const struct block_graph *graph, struct way *way)
{
	const struct block *block;
	struct block_edge edge;
	uint32_t nr;

	way->blocks.len = 0;
	way->faulted = false;
	way->begin = WAY_AMBIGUOUS;
	way->from = 0;
	way->to = BLOCK_EXIT;
	while (way->blocks.len <= graph->blocks.len) {
		block = only_before(graph, way->to, &edge, &nr);
		if (!block) {
			if (!nr)
				way->begin = way->to ? WAY_MISMATCH : WAY_WHOLE;
			break;
		}
		if (vec_push(&way->blocks, (struct way_block){ block - graph->blocks.data, edge }))
			return -ENOMEM;
		way->faulted |= edge.kind == EDGE_FAULT;
		way->to = block - graph->blocks.data;
	}
	way_reverse(way, 0);
	return 0;
}
