// SPDX-License-Identifier: BSD-2-Clause
/* Chooses blocks to probe, and finds the way from hits. */
#include "util/why/way/placement.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"

/* With more blocks, finding the smallest set takes too long: probe all blocks after a branch. */
#define MAX_MINIMIZED 1500
#define MAX_WAY 20000

struct chooser {
	const struct block_graph *graph;
	uint8_t *probed;
	uint32_t *stamps;	/* one for each block, and one for the exit */
	uint32_t stamp;
	uint32_t *open;
	uint32_t from;		/* block where the examined part of the way begins */
	uint8_t *wanted;	/* blocks that this part may pass */
};

static uint32_t nr_blocks(const struct block_graph *graph)
{
	return graph->blocks.len;
}

/* The exit has the index after the last block. */
static uint32_t index_of(const struct block_graph *graph, uint32_t to)
{
	return to == BLOCK_EXIT ? nr_blocks(graph) : to;
}

static bool is_way(const struct block_graph *graph, const struct block_edge *edge)
{
	return edge->to == BLOCK_EXIT || graph->blocks.data[edge->to].alive;
}

/* Whether the next probes tell apart all ways from a block to them. */
static bool is_told_apart(struct chooser *c, uint32_t from)
{
	const struct block_graph *graph = c->graph;
	uint32_t nr = 0;

	c->stamp++;
	c->open[nr++] = from;
	while (nr) {
		const struct block *block = &graph->blocks.data[c->open[--nr]];

		for (uint32_t i = 0; i < block->nr_edges; i++) {
			uint32_t to = index_of(graph, block->edges[i].to);

			if (!is_way(graph, &block->edges[i]))
				continue;
			if (c->stamps[to] == c->stamp)
				return false;
			c->stamps[to] = c->stamp;
			if (to != nr_blocks(graph) && !c->probed[to])
				c->open[nr++] = to;
		}
	}
	return true;
}

static bool all_told_apart(struct chooser *c)
{
	if (!is_told_apart(c, c->from))
		return false;
	for (uint32_t i = 1; i < nr_blocks(c->graph); i++) {
		if (c->probed[i] && !is_told_apart(c, i))
			return false;
	}
	return true;
}

static uint32_t nr_ways(const struct block_graph *graph, const struct block *block)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < block->nr_edges; i++)
		nr += is_way(graph, &block->edges[i]);
	return nr;
}

/* Begin with probes in every block after a branch. */
static void probe_all(struct chooser *c, const uint8_t *marks)
{
	const struct block_graph *graph = c->graph;

	vec_foreach(block, &graph->blocks) {
		if (nr_ways(graph, block) < 2 || !c->wanted[block - graph->blocks.data])
			continue;
		for (uint32_t i = 0; i < block->nr_edges; i++) {
			uint32_t to = block->edges[i].to;

			if (to != BLOCK_EXIT && to && graph->blocks.data[to].alive &&
			    !(marks[to] & BLOCK_REFUSED))
				c->probed[to] = 1;
		}
	}
	/*
	 * Instead of a refused block, the blocks after it can be probed, unless other ways lead
	 * there.
	 */
	if (all_told_apart(c))
		return;
	for (uint32_t i = 1; i < nr_blocks(graph); i++) {
		if (graph->blocks.data[i].alive && c->wanted[i] && !(marks[i] & BLOCK_REFUSED))
			c->probed[i] = 1;
	}
}

/* Find the blocks that can be reached from the block where the examined part begins. */
static void find_wanted(struct chooser *c)
{
	uint32_t nr = 0;

	c->wanted[c->from] = 1;
	c->open[nr++] = c->from;
	while (nr) {
		const struct block *block = &c->graph->blocks.data[c->open[--nr]];

		for (uint32_t i = 0; i < block->nr_edges; i++) {
			uint32_t to = block->edges[i].to;

			if (to == BLOCK_EXIT || c->wanted[to])
				continue;
			c->wanted[to] = 1;
			c->open[nr++] = to;
		}
	}
}

static void minimize(struct chooser *c, bool was_told)
{
	if (nr_blocks(c->graph) > MAX_MINIMIZED || !was_told)
		return;
	for (uint32_t i = 1; i < nr_blocks(c->graph); i++) {
		if (!c->probed[i])
			continue;
		c->probed[i] = 0;
		if (!all_told_apart(c))
			c->probed[i] = 1;
	}
}

/* Find each block's distance to the exit, in blocks. */
static void find_distances(const struct block_graph *graph, uint32_t *distance)
{
	bool changed = true;

	for (uint32_t i = 0; i < nr_blocks(graph); i++)
		distance[i] = UINT32_MAX;
	while (changed) {
		changed = false;
		for (uint32_t i = nr_blocks(graph); i-- > 0;) {
			const struct block *block = &graph->blocks.data[i];

			for (uint32_t e = 0; e < block->nr_edges; e++) {
				uint32_t to = block->edges[e].to;
				uint32_t at = to == BLOCK_EXIT ? 0 : distance[to];

				if (at < UINT32_MAX && at + 1 < distance[i]) {
					distance[i] = at + 1;
					changed = true;
				}
			}
		}
	}
}

static uint64_t rank(uint32_t i, const uint8_t *marks, const uint32_t *distance)
{
	return (uint64_t)!(marks[i] & BLOCK_WANTED) << 32 | distance[i];
}

/* Drop all but the @max best. */
static void drop_some(struct chooser *c, const uint8_t *marks, uint32_t nr, uint32_t max,
		      const uint32_t *distance)
{
	for (; nr > max; nr--) {
		uint32_t worst = 0;

		for (uint32_t i = 1; i < nr_blocks(c->graph); i++) {
			if (c->probed[i] && (!worst || rank(i, marks, distance) >=
							       rank(worst, marks, distance)))
				worst = i;
		}
		c->probed[worst] = 0;
	}
}

int placement_choose(const struct block_graph *graph, uint32_t from, const uint8_t *marks,
		     uint32_t max, uint8_t *probed)
{
	uint32_t n = nr_blocks(graph), nr = 0;
	_cleanup_(free_p) uint32_t *stamps = calloc(n + 1, sizeof(*stamps));
	_cleanup_(free_p) uint32_t *open = calloc(n + 1, sizeof(*open));
	_cleanup_(free_p) uint8_t *wanted = calloc(n, 1);
	struct chooser c = { .graph = graph, .probed = probed, .stamps = stamps, .open = open,
			     .from = from, .wanted = wanted };

	if (!stamps || !open || !wanted)
		return -ENOMEM;
	memset(probed, 0, n);
	find_wanted(&c);
	probe_all(&c, marks);
	minimize(&c, all_told_apart(&c));
	/* Every call passes the first block: if its probe is not hit, probes do not work. */
	probed[0] = !(marks[0] & BLOCK_REFUSED);
	if (from)
		probed[from] = !(marks[from] & BLOCK_REFUSED);
	for (uint32_t i = 1; i < n; i++) {
		/*
		 * A table that is not followed leads to blocks that seem to be reached by another
		 * way.
		 */
		if (graph->blocks.data[i].by_table)
			probed[i] = !(marks[i] & BLOCK_REFUSED);
		nr += probed[i];
	}
	if (nr > max) {
		/* `open` is free now: use it for distances. */
		find_distances(graph, open);
		drop_some(&c, marks, nr, max, open);
	}
	return nr + probed[0];
}

struct finder {
	const struct block_graph *graph;
	const uint8_t *probed;
	uint8_t *reached;	/* blocks reached from the stretch's beginning without a probe */
	uint8_t *leads;		/* blocks that lead to its end without a probe */
	uint32_t *open;
	uint32_t from, to;
};

static int finder_init(struct finder *f)
{
	uint32_t n = nr_blocks(f->graph);

	f->reached = calloc(n, 1);
	f->leads = calloc(n, 1);
	f->open = calloc(n + 1, sizeof(*f->open));
	return f->reached && f->leads && f->open ? 0 : -ENOMEM;
}

static void finder_release(struct finder *f)
{
	free(f->reached);
	free(f->leads);
	free(f->open);
}

static void find_reached(struct finder *f)
{
	uint32_t nr = 0;

	memset(f->reached, 0, nr_blocks(f->graph));
	f->open[nr++] = f->from;
	while (nr) {
		const struct block *block = &f->graph->blocks.data[f->open[--nr]];

		for (uint32_t i = 0; i < block->nr_edges; i++) {
			uint32_t to = block->edges[i].to;

			if (to == BLOCK_EXIT || f->probed[to] || f->reached[to])
				continue;
			f->reached[to] = 1;
			f->open[nr++] = to;
		}
	}
}

/* Whether an edge is a step on a way to the stretch's end. */
static bool is_step(const struct finder *f, const struct block_edge *edge)
{
	if (edge->to == f->to)
		return true;
	return edge->to != BLOCK_EXIT && f->reached[edge->to] && f->leads[edge->to];
}

static void find_leading(struct finder *f)
{
	bool changed = true;

	memset(f->leads, 0, nr_blocks(f->graph));
	while (changed) {
		changed = false;
		for (uint32_t i = nr_blocks(f->graph); i-- > 0;) {
			const struct block *block = &f->graph->blocks.data[i];

			for (uint32_t e = 0; f->reached[i] && !f->leads[i] && e < block->nr_edges;
			     e++) {
				if (is_step(f, &block->edges[e]))
					f->leads[i] = changed = true;
			}
		}
	}
}

/* Append the only way of a stretch. WAY_WHOLE: there is exactly one. */
static enum way_begin find_stretch(struct finder *f, struct way *way, int *ret_err)
{
	uint32_t at = f->from, steps = 0;

	find_reached(f);
	find_leading(f);
	for (;;) {
		const struct block *block = &f->graph->blocks.data[at];
		const struct block_edge *only = NULL;

		for (uint32_t i = 0; i < block->nr_edges; i++) {
			if (!is_step(f, &block->edges[i]))
				continue;
			if (only)
				return WAY_AMBIGUOUS;
			only = &block->edges[i];
		}
		if (!only || ++steps > nr_blocks(f->graph) + 1)
			return WAY_MISMATCH;
		*ret_err = vec_push(&way->blocks, (struct way_block){ at, *only });
		if (*ret_err)
			return WAY_MISMATCH;
		if (only->to == f->to)
			return WAY_WHOLE;
		at = only->to;
	}
}

void way_reverse(struct way *way, size_t from)
{
	for (size_t i = from, j = way->blocks.len; i + 1 < j; i++) {
		struct way_block swap = way->blocks.data[i];

		way->blocks.data[i] = way->blocks.data[--j];
		way->blocks.data[j] = swap;
	}
}

/* Find stretches from the exit back. Each is reversed, and at the end the whole way is reversed. */
static int find_way(struct finder *f, const uint32_t *hits, size_t nr_hits, struct way *way)
{
	int err = 0;

	f->to = BLOCK_EXIT;
	for (size_t i = nr_hits + 1; i-- > 0;) {
		size_t before = way->blocks.len;

		f->from = i ? hits[i - 1] : 0;
		way->begin = find_stretch(f, way, &err);
		if (err)
			return err;
		if (way->begin != WAY_WHOLE || way->blocks.len > MAX_WAY) {
			if (way->begin == WAY_WHOLE)
				way->begin = WAY_AMBIGUOUS;
			way->blocks.len = before;
			way->from = f->from;
			way->to = f->to;
			break;
		}
		way_reverse(way, before);
		f->to = f->from;
	}
	way_reverse(way, 0);
	vec_foreach(step, &way->blocks)
		way->faulted |= step->edge.kind == EDGE_FAULT;
	return 0;
}

int placement_want(const struct block_graph *graph, const uint8_t *probed, const struct way *way,
		   uint8_t *marks)
{
	_cleanup_(finder_release) struct finder f = { .graph = graph, .probed = probed,
						      .from = way->from, .to = way->to };

	if (finder_init(&f))
		return -ENOMEM;
	find_reached(&f);
	find_leading(&f);
	for (uint32_t i = 0; i < nr_blocks(graph); i++) {
		if (f.reached[i] && f.leads[i])
			marks[i] |= BLOCK_WANTED;
	}
	return 0;
}

int placement_way(const struct block_graph *graph, const uint8_t *probed, const uint32_t *hits,
		  size_t nr_hits, struct way *way)
{
	_cleanup_(finder_release) struct finder f = { .graph = graph, .probed = probed };

	if (finder_init(&f))
		return -ENOMEM;
	way->blocks.len = 0;
	way->begin = WAY_MISMATCH;
	way->faulted = false;
	if (find_first(hit, hits, nr_hits, *hit >= nr_blocks(graph) || !probed[*hit]))
		return 0;
	/* It is known that the way begins at the function's beginning. */
	if (nr_hits && probed[0] && !hits[0]) {
		hits++;
		nr_hits--;
	}
	return find_way(&f, hits, nr_hits, way);
}

void way_release(struct way *way)
{
	vec_release(&way->blocks);
}
