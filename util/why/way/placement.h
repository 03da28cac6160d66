/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chooses the blocks of a function to probe so that the way through it is known, and finds the way
 * from the hits. Pure code.
 *
 * The way is known if only one way without probes leads from each hit probe to the next. So we need
 * the smallest set of blocks such that, from the function's entry and from each of these blocks,
 * the ways up to the next probe, or out of the function, form a tree whose branches never meet
 * again.
 */
#ifndef RETSNOOP_WHY_WAY_PLACEMENT_H
#define RETSNOOP_WHY_WAY_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/why/way/block_graph.h"

#define BLOCK_REFUSED (1 << 0)	/* the kernel refuses probes there */
#define BLOCK_WANTED (1 << 1)	/* probe these first, if there are too many */
#define BLOCK_ASKED (1 << 2)	/* narrow.h knows whether the way passes it */

/**
 * @from	find only the way from this block on; 0: all of it
 * @marks	BLOCK_x, one for each block
 * @max		probes at most, not counting the one at the function's beginning, which is always
 *		there; probes closest to the function's exit are kept
 * @probed	set for each block
 * @return	number of probes needed, may exceed the number kept; -ENOMEM
 */
int placement_choose(const struct block_graph *graph, uint32_t from, const uint8_t *marks,
		     uint32_t max, uint8_t *probed);

/* A block of the way, and the edge by which the way left it. */
struct way_block {
	uint32_t block;
	struct block_edge edge;
};

enum way_begin {
	WAY_WHOLE,	/* it begins where the function does */
	WAY_AMBIGUOUS,	/* before that, several ways are possible: between `from` and `to` */
	WAY_MISMATCH,	/* hits and code do not agree: no way leads from a hit to the next */
};

/* The way up to the function's exit, as far back as it is known. */
struct way {
	VEC(struct way_block) blocks;
	enum way_begin begin;
	uint32_t from, to;	/* WAY_AMBIGUOUS: blocks; `to` may be BLOCK_EXIT */
	bool faulted;		/* an edge of it is a fault */
};

/**
 * @probed	blocks with a probe that was attached
 * @hits	blocks in the order in which they were hit; each must be probed
 * @way		filled in; may have been filled before
 * @return	0; -ENOMEM
 */
int placement_way(const struct block_graph *graph, const uint8_t *probed, const uint32_t *hits,
		  size_t nr_hits, struct way *way);

/**
 * After an ambiguous way: mark the blocks that would settle the rest, BLOCK_WANTED.
 *
 * @return	0; -ENOMEM
 */
int placement_want(const struct block_graph *graph, const uint8_t *probed, const struct way *way,
		   uint8_t *marks);

/* Reverse the order of the blocks from @from on. */
void way_reverse(struct way *way, size_t from);
void way_release(struct way *way);

#endif
