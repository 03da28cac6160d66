/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which blocks of a function to probe so that the way through it is known, and the way from what
 * the probes saw. Pure code.
 *
 * A way is known when between two probes that were hit one after the other there is only one way
 * without a probe on it. So the fewest blocks are wanted for which, from the function's entry and
 * from each of them, the ways up to the next probe, or out of the function, make a tree with no
 * two branches that meet again.
 */
#ifndef RETSNOOP_WHY_PLACEMENT_H
#define RETSNOOP_WHY_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/why/block_graph.h"

#define BLOCK_REFUSED (1 << 0)	/* the kernel takes no probe there */
#define BLOCK_WANTED (1 << 1)	/* to be probed before others are, if there are too many */
#define BLOCK_ASKED (1 << 2)	/* whether it is passed is known (narrow.h) */

/**
 * @from	only the way from this block on is wanted; 0: all of it
 * @marks	BLOCK_x, one for each block
 * @max		probes at most, but for the one at the function's beginning, which is always there;
 *		those closest to the function's exit are kept
 * @probed	set for each block
 * @return	how many it takes, which may be more than are kept; -ENOMEM
 */
int placement_choose(const struct block_graph *graph, uint32_t from, const uint8_t *marks,
		     uint32_t max, uint8_t *probed);

/* A block of the way, and how it went on from there. */
struct way_block {
	uint32_t block;
	struct block_edge edge;
};

enum way_begin {
	WAY_WHOLE,	/* it begins where the function does */
	WAY_AMBIGUOUS,	/* before that, several ways are possible: between `from` and `to` */
	WAY_MISMATCH,	/* hits and code do not agree: no way leads from one to the next */
};

/* The way up to the function's exit, as far back as it is known. */
struct way {
	VEC(struct way_block) blocks;
	enum way_begin begin;
	uint32_t from, to;	/* WAY_AMBIGUOUS: blocks; `to` may be BLOCK_EXIT */
	bool faulted;		/* an edge of it is a fault */
};

/**
 * @probed	what was really attached
 * @hits	blocks in the order in which they were hit; those that are not probed are an error
 * @way		filled in; may have been filled before
 * @return	0; -ENOMEM
 */
int placement_way(const struct block_graph *graph, const uint8_t *probed, const uint32_t *hits,
		  size_t nr_hits, struct way *way);

/**
 * After a way that is ambiguous: mark the blocks that would tell the rest, BLOCK_WANTED.
 *
 * @return	0; -ENOMEM
 */
int placement_want(const struct block_graph *graph, const uint8_t *probed, const struct way *way,
		   uint8_t *marks);

/* Turn the blocks from that one on round. */
void way_reverse(struct way *way, size_t from);
void way_release(struct way *way);

#endif
