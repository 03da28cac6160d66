// SPDX-License-Identifier: BSD-2-Clause
/* Ways through functions, found by asking for a few blocks a run. */
#include <stdlib.h>
#include <string.h>

#include "util/why/way/narrow.h"

#include "tests/unit/unit.h"

#define MAX_BLOCKS 60
#define MAX_STEPS 400
#define AT_A_TIME 3

FIXTURE(narrow)
{
	struct block_graph graph;
	struct way way;
	uint8_t marks[MAX_BLOCKS], probed[MAX_BLOCKS], passed[MAX_BLOCKS];
	uint32_t steps[MAX_STEPS];
	size_t nr_steps;
	unsigned int seed;
};

FIXTURE_SETUP(narrow)
{
	memset(self, 0, sizeof(*self));
	self->seed = 11;
}

FIXTURE_TEARDOWN(narrow)
{
	block_graph_release(&self->graph);
	way_release(&self->way);
}

static void add_block(struct block_graph *graph, uint32_t a, uint32_t b)
{
	struct block block = { .alive = true, .nr_edges = 1, .edges = { { a, EDGE_ON } } };

	if (b != a)
		block.edges[block.nr_edges++] = (struct block_edge){ b, EDGE_TAKEN };
	if (vec_push(&graph->blocks, block))
		abort();
}

/* Without loops: each block leads to later ones, or out. */
static void make_random(FIXTURE_DATA(narrow) * self, bool loops)
{
	uint32_t n = 2 + rand_r(&self->seed) % (MAX_BLOCKS - 2);

	self->graph.blocks.len = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t to[2];

		for (int e = 0; e < 2; e++) {
			to[e] = i + 1 + rand_r(&self->seed) % 6;
			if (loops && e && rand_r(&self->seed) % 8 == 0)
				to[e] = 1 + rand_r(&self->seed) % n;
			if (to[e] >= n)
				to[e] = BLOCK_EXIT;
		}
		add_block(&self->graph, to[0], to[1]);
	}
}

static void walk(FIXTURE_DATA(narrow) * self)
{
	uint32_t at = 0;

	self->nr_steps = 0;
	memset(self->passed, 0, sizeof(self->passed));
	while (at != BLOCK_EXIT) {
		const struct block *block = &self->graph.blocks.data[at];

		if (self->nr_steps == MAX_STEPS) {
			self->nr_steps = 0;
			return;
		}
		self->passed[at] = 1;
		self->steps[self->nr_steps++] = at;
		at = block->edges[rand_r(&self->seed) % block->nr_edges].to;
	}
}

/* Ask until nothing is left to ask; how many runs that took. */
static int ask(FIXTURE_DATA(narrow) * self)
{
	int runs = 0, nr;

	/* Blocks that nothing leads to are none of a function's. */
	if (narrow_learn(&self->graph, 0, true))
		abort();
	while ((nr = narrow_choose(&self->graph, self->marks, AT_A_TIME, self->probed)) > 0) {
		runs++;
		for (uint32_t i = 0; i < self->graph.blocks.len; i++) {
			if (!self->probed[i])
				continue;
			self->marks[i] |= BLOCK_ASKED;
			if (narrow_learn(&self->graph, i, self->passed[i]))
				abort();
		}
	}
	return nr < 0 ? nr : runs;
}

static bool is_right(const FIXTURE_DATA(narrow) * self)
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

TEST_F(narrow, without_branches_nothing_is_asked)
{
	add_block(&self->graph, 1, 1);
	add_block(&self->graph, BLOCK_EXIT, BLOCK_EXIT);
	EXPECT_EQ(narrow_choose(&self->graph, self->marks, AT_A_TIME, self->probed), 0);
	EXPECT_EQ(self->probed[0], 1);
	EXPECT_EQ(narrow_way(&self->graph, &self->way), 0);
	EXPECT_EQ(self->way.begin, WAY_WHOLE);
	EXPECT_EQ(self->way.blocks.len, 2);
}

TEST_F(narrow, of_many_tests_in_a_row_it_takes_few_runs)
{
	/* 48 conditions, each of which leads to the same error: the last one held. */
	for (uint32_t i = 0; i < 48; i++)
		add_block(&self->graph, i + 1, 49);
	add_block(&self->graph, BLOCK_EXIT, BLOCK_EXIT);
	add_block(&self->graph, BLOCK_EXIT, BLOCK_EXIT);
	for (uint32_t i = 0; i < 48; i++)
		self->passed[self->steps[self->nr_steps++] = i] = 1;
	self->passed[self->steps[self->nr_steps++] = 49] = 1;
	EXPECT_LE(ask(self), 4);
	EXPECT_EQ(narrow_way(&self->graph, &self->way), 0);
	EXPECT_EQ(self->way.begin, WAY_WHOLE);
	EXPECT_TRUE(is_right(self));
}

TEST_F(narrow, what_is_refused_is_not_asked)
{
	add_block(&self->graph, 1, 2);
	add_block(&self->graph, 3, 3);
	add_block(&self->graph, 3, 3);
	add_block(&self->graph, BLOCK_EXIT, BLOCK_EXIT);
	self->marks[1] = self->marks[2] = BLOCK_REFUSED;
	EXPECT_EQ(narrow_choose(&self->graph, self->marks, AT_A_TIME, self->probed), 0);
	EXPECT_EQ(narrow_way(&self->graph, &self->way), 0);
	EXPECT_EQ(self->way.begin, WAY_AMBIGUOUS);
	/* The block that both lead to is known all the same. */
	EXPECT_EQ(self->way.blocks.len, 1);
}

TEST_F(narrow, answers_that_cannot_be_are_a_mismatch)
{
	add_block(&self->graph, 1, 2);
	add_block(&self->graph, 3, 3);
	add_block(&self->graph, 3, 3);
	add_block(&self->graph, BLOCK_EXIT, BLOCK_EXIT);
	EXPECT_EQ(narrow_learn(&self->graph, 1, false), 0);
	EXPECT_EQ(narrow_learn(&self->graph, 2, false), 0);
	EXPECT_EQ(narrow_way(&self->graph, &self->way), 0);
	EXPECT_EQ(self->way.begin, WAY_MISMATCH);
}

TEST_F(narrow, ways_without_loops_are_found_whole)
{
	for (int round = 0; round < 2000; round++) {
		make_random(self, false);
		memset(self->marks, 0, sizeof(self->marks));
		walk(self);
		ASSERT_LE(ask(self), 12);
		ASSERT_EQ(narrow_way(&self->graph, &self->way), 0);
		ASSERT_EQ(self->way.begin, WAY_WHOLE);
		ASSERT_TRUE(is_right(self));
	}
}

TEST_F(narrow, what_is_said_of_ways_with_loops_is_never_wrong)
{
	int whole = 0, cut = 0;

	for (int round = 0; round < 3000; round++) {
		make_random(self, true);
		memset(self->marks, 0, sizeof(self->marks));
		walk(self);
		if (!self->nr_steps)
			continue;
		ASSERT_GE(ask(self), 0);
		ASSERT_EQ(narrow_way(&self->graph, &self->way), 0);
		ASSERT_TRUE(is_right(self));
		whole += self->way.begin == WAY_WHOLE;
		cut += self->way.begin == WAY_AMBIGUOUS;
	}
	EXPECT_GT(whole, 500);
	EXPECT_GT(cut, 100);
}

TEST_HARNESS_MAIN
