// SPDX-License-Identifier: BSD-2-Clause
/* What a trace of calls rules out in the function that made them. */
#include "decision_fixture.h"

#include "util/why/way/narrow.h"
#include "util/why/why_internal.h"

#if defined(__x86_64__)

/* clang-format off */
asm(KERNEL
    FUNC(alpha)
	"ret\n"
    END(alpha)
    FUNC(beta)
	"ret\n"
    END(beta)
    FUNC(gamma)
	"ret\n"
    END(gamma)

    /* Calls alpha() or beta(), and gamma(), which is not traced, on a third way. */
    FUNC(chooses)
    LINE(1)
	"test %edi, %edi\n"
	"je 1f\n"
	"js 2f\n"
    LABEL(chooses_alpha)
	"call k_alpha\n"
	"jmp 3f\n"
    LABEL(chooses_beta)
	"1: call k_beta\n"
	"jmp 3f\n"
    LABEL(chooses_gamma)
	"2: call k_gamma\n"
	"3: mov $-22, %eax\n"
	"ret\n"
    END(chooses)
    USER);
/* clang-format on */

FIXTURE(calls_made)
{
	struct symbolizer symbolizer;
	bool readable;
	struct code_source source;
	struct why_code code;
	struct target target;
	struct plan plan;
	struct plan_func funcs[2];
	enum rung rungs[2];
	struct traced_call calls[2];
	struct session session;
	struct pass pass;
	struct activation all;
};

FIXTURE_SETUP(calls_made)
{
	const struct symbol chooses = { AT(chooses), AT(end_chooses) - AT(chooses), "chooses" };

	self->readable = true;
	self->source = (struct code_source){ read_test_code, &self->readable };
	code_reader_init(&self->code.reader, &self->symbolizer, &self->source);
	ASSERT_EQ(0, target_init(&self->target, &self->code.reader, &chooses, NULL));
	self->funcs[0] = (struct plan_func){ .addr = AT(alpha) };
	self->funcs[1] = (struct plan_func){ .addr = AT(beta) };
	self->plan.funcs.data = self->funcs;
	self->plan.funcs.len = 2;
	self->calls[1] = (struct traced_call){ .kind = TRACED_LEAF, .func = 0, .depth = 1 };
	self->calls[0] = (struct traced_call){ .kind = TRACED_CALL, .func = 5 };
	self->session = (struct session){ .calls = self->calls, .nr_calls = 2 };
	self->rungs[0] = self->rungs[1] = RUNG_KPROBE_SESSION;
	self->pass = (struct pass){ .plan = &self->plan, .attached.rungs = self->rungs,
				    .session = &self->session };
	self->all = (struct activation){ 0, 1, 0 };
}

FIXTURE_TEARDOWN(calls_made)
{
	target_release(&self->target);
	code_reader_release(&self->code.reader);
}

static bool is_left(FIXTURE_DATA(calls_made) *self, uint64_t addr)
{
	return self->target.graph.blocks.data[target_block_at(&self->target, addr)].alive;
}

TEST_F(calls_made, blocks_whose_calls_were_not_made_are_ruled_out)
{
	ASSERT_EQ(0, why_rule_out_by_calls(&self->code, &self->target, &self->pass, &self->all));
	EXPECT_TRUE(is_left(self, AT(chooses_alpha)));
	EXPECT_FALSE(is_left(self, AT(chooses_beta)));
	/* Nobody would have heard of that one. */
	EXPECT_TRUE(is_left(self, AT(chooses_gamma)));
}

TEST_F(calls_made, nothing_is_where_calls_may_be_missing)
{
	self->pass.ledger.missed_by_kernel = 1;
	ASSERT_EQ(0, why_rule_out_by_calls(&self->code, &self->target, &self->pass, &self->all));
	EXPECT_TRUE(is_left(self, AT(chooses_beta)));
	self->pass.ledger = (struct ledger){ .asked = 2, .attached = 1 };
	ASSERT_EQ(0, why_rule_out_by_calls(&self->code, &self->target, &self->pass, &self->all));
	EXPECT_TRUE(is_left(self, AT(chooses_beta)));
	/* Programs of trampolines are skipped where others were preempted. */
	self->pass.ledger = (struct ledger){ .recursion_misses = 1 };
	self->rungs[0] = RUNG_FENTRY;
	ASSERT_EQ(0, why_rule_out_by_calls(&self->code, &self->target, &self->pass, &self->all));
	EXPECT_TRUE(is_left(self, AT(chooses_beta)));
	self->rungs[0] = RUNG_KPROBE_MULTI;
	ASSERT_EQ(0, why_rule_out_by_calls(&self->code, &self->target, &self->pass, &self->all));
	EXPECT_FALSE(is_left(self, AT(chooses_beta)));
}

TEST_F(calls_made, a_way_that_probes_do_not_tell_is_found_by_calls)
{
	const size_t all = self->target.graph.blocks.len;

	/* Probes in the first block, and before gamma(): neither was hit by alpha()'s way. */
	self->target.probed[0] = 1;
	self->target.probed[target_block_at(&self->target, AT(chooses_gamma))] = 1;
	ASSERT_EQ(0, vec_push(&self->target.hits, 0));
	ASSERT_EQ(0, target_find_way(&self->target));
	ASSERT_EQ(WAY_AMBIGUOUS, self->target.way.begin);
	ASSERT_EQ(0, why_find_way_by_calls(&self->code, &self->target, &self->pass, &self->all));
	EXPECT_EQ(WAY_WHOLE, self->target.way.begin);
	ASSERT_LT(2, self->target.way.blocks.len);
	EXPECT_EQ(target_block_at(&self->target, AT(chooses_alpha)),
		  self->target.way.blocks.data[2].block);
	/* Another pass may go another way. */
	ASSERT_EQ(all, self->target.graph.blocks.len);
	EXPECT_TRUE(is_left(self, AT(chooses_beta)));
}

TEST_F(calls_made, calls_that_may_be_missing_tell_nothing_of_the_way)
{
	self->target.probed[0] = 1;
	self->target.probed[target_block_at(&self->target, AT(chooses_gamma))] = 1;
	ASSERT_EQ(0, vec_push(&self->target.hits, 0));
	ASSERT_EQ(0, target_find_way(&self->target));
	self->pass.ledger.missed_by_kernel = 1;
	ASSERT_EQ(0, why_find_way_by_calls(&self->code, &self->target, &self->pass, &self->all));
	EXPECT_EQ(WAY_AMBIGUOUS, self->target.way.begin);
}

TEST_F(calls_made, large_functions_are_probed_first_where_calls_do_not_rule_it_out)
{
	struct event_frame frame = { .func = 2 };
	struct target *target = &self->target;
	uint32_t beta = target_block_at(target, AT(chooses_beta));
	uint32_t alpha = target_block_at(target, AT(chooses_alpha));
	struct plan_func funcs[3] = { self->funcs[0],
				      self->funcs[1],
				      { .addr = target->function.addr } };
	struct traced_call calls[3] = { { .kind = TRACED_CALL, .func = 2 },
					{ .kind = TRACED_LEAF, .func = 0, .depth = 1 },
					{ .kind = TRACED_RETURN, .func = 2 } };
	enum rung rungs[3] = { RUNG_KPROBE_SESSION, RUNG_KPROBE_SESSION, RUNG_KPROBE_SESSION };

	self->plan.funcs.data = funcs;
	self->plan.funcs.len = 3;
	self->pass.attached.rungs = rungs;
	self->session = (struct session){ .calls = calls, .nr_calls = 3, .frames = &frame,
					  .nr_frames = 1 };
	ASSERT_EQ(0, why_want_by_calls(&self->code, target, &self->pass));
	EXPECT_EQ(0, target->marks[alpha] & BLOCK_WANTED);
	/* As large as it must be: the others are copies of the last block. */
	target->marks = realloc(target->marks, TARGET_MAX_PROBES + 1);
	while (target->graph.blocks.len <= TARGET_MAX_PROBES) {
		struct block last = target->graph.blocks.data[target->graph.blocks.len - 1];

		target->marks[target->graph.blocks.len] = 0;
		ASSERT_EQ(0, vec_push(&target->graph.blocks, last));
	}
	ASSERT_EQ(0, why_want_by_calls(&self->code, target, &self->pass));
	EXPECT_EQ(BLOCK_WANTED, target->marks[alpha] & BLOCK_WANTED);
	EXPECT_EQ(0, target->marks[beta] & BLOCK_WANTED);
}

#endif

TEST_HARNESS_MAIN
