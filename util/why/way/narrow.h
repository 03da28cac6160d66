/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finding the way through a function if a run can probe only a few of its blocks: each answer rules
 * out ways, until one is left. Pure code.
 *
 * It assumes that the way is the same in each run.
 */
#ifndef RETSNOOP_WHY_WAY_NARROW_H
#define RETSNOOP_WHY_WAY_NARROW_H

#include <stdbool.h>
#include <stdint.h>

#include "util/why/way/placement.h"

/**
 * Choose blocks to probe, so that the answers leave as few ways as possible.
 *
 * @marks	BLOCK_x, one for each block
 * @max		blocks at most, besides the first one, which is always asked for
 * @probed	set for each block
 * @return	number of blocks besides the first one; 0: nothing is left to ask; -ENOMEM
 */
int narrow_choose(const struct block_graph *graph, const uint8_t *marks, uint32_t max,
		  uint8_t *probed);

/* Add an answer: ways that do not agree are removed from the graph. 0; -ENOMEM. */
int narrow_learn(struct block_graph *graph, uint32_t block, bool passed);

/* The way as far as it is known back from the exit. 0; -ENOMEM. */
int narrow_way(const struct block_graph *graph, struct way *way);

#endif
