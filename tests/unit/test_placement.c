// SPDX-License-Identifier: BSD-2-Clause
/* Blocks to probe, and the way from what their probes saw. */
#include <stdlib.h>
#include <string.h>

#include "util/why/way/placement.h"

#include "tests/unit/unit.h"

#define MAX_BLOCKS 40
#define MAX_STEPS 400

FIXTURE(placement)
{
	struct block_graph graph;
	struct way way;
	uint8_t marks[MAX_BLOCKS], probed[MAX_BLOCKS];
	uint32_t steps[MAX_STEPS], hits[MAX_STEPS];
	size_t nr_steps, nr_hits;
	unsigned int seed;
};

FIXTURE_SETUP(placement)
{
	memset(self, 0, sizeof(*self));
	self->seed = 7;
}

FIXTURE_TEARDOWN(placement)
{
	block_graph_release(&self->graph);
	way_release(&self->way);
}

static void mark_alive(struct block_graph *graph)
{
	for (size_t round = 0; round < graph->blocks.len; round++) {
		vec_foreach(block, &graph->blocks) {
			for (uint32_t e = 0; e < block->nr_edges; e++) {
				uint32_t to = block->edges[e].to;

				block->alive |= to == BLOCK_EXIT || graph->blocks.data[to].alive;
			}
		}
	}
}

/* "1,2 3 3 x": block 0 leads to 1 and 2, these to 3, which leaves. */
static void make(struct block_graph *graph, const char *text)
{
	struct block block = {};

	for (;; text++) {
		if (*text == 'x') {
			block.edges[block.nr_edges++] = (struct block_edge){ BLOCK_EXIT, EDGE_TAKEN };
		} else if (*text >= '0' && *text <= '9') {
			uint32_t to = strtoul(text, (char **)&text, 10);

			block.edges[block.nr_edges] = (struct block_edge){
				to, block.nr_edges ? EDGE_TAKEN : EDGE_ON,
			};
			block.nr_edges++;
			text--;
		} else if (*text != ',') {
			if (vec_push(&graph->blocks, block))
				abort();
			block = (struct block){};
			if (!*text)
				break;
		}
	}
	mark_alive(graph);
}

static void walk(FIXTURE_DATA(placement) * self)
{
	uint32_t at = 0;

	self->nr_steps = self->nr_hits = 0;
	while (self->nr_steps < MAX_STEPS) {
		const struct block *block = &self->graph.blocks.data[at];
		const struct block_edge *edge;

		self->steps[self->nr_steps++] = at;
		if (self->probed[at])
			self->hits[self->nr_hits++] = at;
		do {
			edge = &block->edges[rand_r(&self->seed) % block->nr_edges];
		} while (edge->to != BLOCK_EXIT && !self->graph.blocks.data[edge->to].alive);
		if (edge->to == BLOCK_EXIT)
			return;
		at = edge->to;
	}
	self->nr_steps = 0;
}

/* Whether the way is the end of the walk, and all of it if it says so. */
static bool is_right(const FIXTURE_DATA(placement) * self)
{
	size_t nr = self->way.blocks.len;

	if (nr > self->nr_steps || (self->way.begin == WAY_WHOLE && nr != self->nr_steps))
		return false;
	for (size_t i = 0; i < nr; i++) {
		if (self->way.blocks.data[i].block != self->steps[self->nr_steps - nr + i])
			return false;
	}
	return true;
}

static int choose(FIXTURE_DATA(placement) * self, uint32_t max)
{
	return placement_choose(&self->graph, 0, self->marks, max, self->probed);
}

TEST_F(placement, a_function_without_branches_needs_only_the_probe_that_is_always_hit)
{
	make(&self->graph, "1 2 x");
	EXPECT_EQ(choose(self, 64), 1);
	EXPECT_EQ(self->probed[0], 1);
	walk(self);
	EXPECT_EQ(placement_way(&self->graph, self->probed, self->hits, self->nr_hits, &self->way),
		  0);
	EXPECT_EQ(self->way.begin, WAY_WHOLE);
	EXPECT_TRUE(is_right(self));
}

TEST_F(placement, one_probe_tells_two_ways_that_meet_again)
{
	make(&self->graph, "1,2 3 3 x");
	EXPECT_EQ(choose(self, 64), 2);
}

TEST_F(placement, how_many_it_takes_is_told_where_fewer_are_kept)
{
	make(&self->graph, "1,2 3 3 4,5 6 6 x");
	EXPECT_EQ(choose(self, 64), 3);
	EXPECT_EQ(choose(self, 1), 3);
	EXPECT_EQ(self->probed[0] + self->probed[1] + self->probed[2] + self->probed[4] +
			  self->probed[5],
		  2);
}

TEST_F(placement, ways_to_a_panic_need_no_probe)
{
	make(&self->graph, "1,2 x ");
	EXPECT_EQ(choose(self, 64), 1);
}

TEST_F(placement, a_loop_needs_a_probe)
{
	make(&self->graph, "1 1,2 x");
	EXPECT_EQ(choose(self, 64), 2);
	for (int i = 0; i < 20; i++) {
		walk(self);
		EXPECT_EQ(placement_way(&self->graph, self->probed, self->hits, self->nr_hits,
					&self->way), 0);
		EXPECT_EQ(self->way.begin, WAY_WHOLE);
		EXPECT_TRUE(is_right(self));
	}
}

TEST_F(placement, refused_blocks_are_not_probed)
{
	make(&self->graph, "1,2 3 3 x");
	self->marks[1] = BLOCK_REFUSED;
	EXPECT_EQ(choose(self, 64), 2);
	EXPECT_EQ(self->probed[1], 0);
	EXPECT_EQ(self->probed[2], 1);
}

TEST_F(placement, blocks_that_jump_by_a_table_are_probed)
{
	uint32_t other;

	make(&self->graph, "1,2 3 3 x");
	choose(self, 64);
	other = self->probed[1] ? 2 : 1;
	EXPECT_EQ(self->probed[other], 0);
	/* It may come to block 3 all the same, which would look as if 0 had led there. */
	self->graph.blocks.data[other].by_table = true;
	choose(self, 64);
	EXPECT_EQ(self->probed[other], 1);
	self->marks[other] = BLOCK_REFUSED;
	choose(self, 64);
	EXPECT_EQ(self->probed[other], 0);
}

TEST_F(placement, without_the_probe_that_tells_them_two_ways_are_ambiguous)
{
	make(&self->graph, "1,2 3 3 4,5 6 6 x");
	choose(self, 64);
	self->probed[1] = self->probed[2] = 0;
	walk(self);
	EXPECT_EQ(placement_way(&self->graph, self->probed, self->hits, self->nr_hits, &self->way),
		  0);
	EXPECT_EQ(self->way.begin, WAY_AMBIGUOUS);
	EXPECT_TRUE(is_right(self));
	EXPECT_EQ(placement_want(&self->graph, self->probed, &self->way, self->marks), 0);
	EXPECT_TRUE(self->marks[1] & BLOCK_WANTED);
}

TEST_F(placement, hits_in_an_order_that_cannot_be_are_a_mismatch)
{
	const uint32_t hits[] = { 0, 2, 1 };

	make(&self->graph, "1,2 3 3 x");
	memset(self->probed, 1, 3);
	EXPECT_EQ(placement_way(&self->graph, self->probed, hits, 3, &self->way), 0);
	EXPECT_EQ(self->way.begin, WAY_MISMATCH);
}

TEST_F(placement, from_a_block_on_only_what_follows_is_probed)
{
	make(&self->graph, "1,2 3 3 4,5 6 6 x");
	EXPECT_EQ(placement_choose(&self->graph, 3, self->marks, 64, self->probed), 3);
	EXPECT_FALSE(self->probed[1] || self->probed[2]);
	EXPECT_TRUE(self->probed[0] && self->probed[3]);
	for (int i = 0; i < 10; i++) {
		walk(self);
		EXPECT_EQ(placement_way(&self->graph, self->probed, self->hits, self->nr_hits,
					&self->way), 0);
		EXPECT_EQ(self->way.begin, WAY_AMBIGUOUS);
		EXPECT_EQ(self->way.blocks.len, 3);
		EXPECT_TRUE(is_right(self));
	}
}

static void make_random(FIXTURE_DATA(placement) * self)
{
	uint32_t n = 2 + rand_r(&self->seed) % (MAX_BLOCKS - 2);

	self->graph.blocks.len = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct block block = {};
		uint32_t nr = rand_r(&self->seed) % 3;

		for (uint32_t e = 0; e < nr || (!e && !i); e++) {
			uint32_t to = rand_r(&self->seed) % (n + 2);

			to = to >= n ? BLOCK_EXIT : to;
			if (e && to == block.edges[0].to && to != BLOCK_EXIT)
				break;
			block.edges[block.nr_edges++] = (struct block_edge){ to, EDGE_ON };
		}
		if (vec_push(&self->graph.blocks, block))
			abort();
	}
	mark_alive(&self->graph);
}

/* Two edges to the exit are one way out for the graph: what is told is the blocks. */
static bool leaves_twice(const struct block_graph *graph)
{
	vec_foreach(block, &graph->blocks) {
		if (block->nr_edges == 2 && block->edges[0].to == BLOCK_EXIT &&
		    block->edges[1].to == BLOCK_EXIT)
			return true;
	}
	return false;
}

TEST_F(placement, ways_through_random_graphs_are_found_whole_and_never_wrong)
{
	uint32_t whole = 0, cut = 0;

	for (int round = 0; round < 3000; round++) {
		bool few = round % 2;

		make_random(self);
		if (!self->graph.blocks.data[0].alive || leaves_twice(&self->graph))
			continue;
		memset(self->marks, 0, sizeof(self->marks));
		for (uint32_t i = 0; few && i < self->graph.blocks.len; i++)
			self->marks[i] = rand_r(&self->seed) % 4 ? 0 : BLOCK_REFUSED;
		ASSERT_GE(choose(self, few ? 3 : 64), 0);
		for (int i = 0; i < 5; i++) {
			walk(self);
			if (!self->nr_steps)
				continue;
			ASSERT_EQ(placement_way(&self->graph, self->probed, self->hits,
						self->nr_hits, &self->way), 0);
			ASSERT_NE(self->way.begin, WAY_MISMATCH);
			ASSERT_TRUE(is_right(self));
			if (!few)
				ASSERT_EQ(self->way.begin, WAY_WHOLE);
			whole += self->way.begin == WAY_WHOLE;
			cut += self->way.begin == WAY_AMBIGUOUS;
		}
	}
	EXPECT_GT(whole, 3000);
	EXPECT_GT(cut, 100);
}

TEST_HARNESS_MAIN
