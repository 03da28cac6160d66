// SPDX-License-Identifier: BSD-2-Clause
/* Which blocks of a function are asked for when probes are few, and values that do not agree. */
#include <errno.h>

#include "decision_fixture.h"

#include "util/kernel/code/machine_code.h"
#include "util/plan/points/probes.h"
#include "util/why/way/target.h"

#if defined(__x86_64__)

/* One of two ways each: more of them than there may be probes. */
#define FORK(n) "test $" #n ", %edi\n je 1f\n nopl (%rax)\n 1: nopl (%rax)\n"

/* The call with a prefix is a block in which no kprobe can be. */
#define HIDDEN(n) "test $" #n ", %edi\n je 1f\n .byte 0x2e\n call k_nothing\n 1: nopl (%rax)\n"

/* clang-format off */
asm(KERNEL
    FUNC(nothing)
	"ret\n"
    END(nothing)
    FUNC(hides)
    LINE(1)
    HIDDEN(1) HIDDEN(2) HIDDEN(4)
	"mov $-22, %eax\n"
	"ret\n"
    END(hides)
    /* if (!a) tracepoint(); return -EINVAL; the tracepoint is off */
    FUNC(skips)
    ENTRY
    LINE(1)
	"test %edi, %edi\n"
	"jne k_skips_out\n"
    LABEL(skips_nop)
	".byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
    LABEL(skips_out)
	"mov $-22, %eax\n"
	"ret\n"
    END(skips)
    FUNC(hides_more)
    LINE(1)
    HIDDEN(1) HIDDEN(2) HIDDEN(4) HIDDEN(8) HIDDEN(16)
	"mov $-22, %eax\n"
	"ret\n"
    END(hides_more)
    FUNC(reads)
    LINE(1)
    LABEL(reads_at)
	"mov (%rsi), %eax\n"
	"xor %eax, %eax\n"
	"ret\n"
    LABEL(reads_fixup)
	"mov $-14, %eax\n"
	"ret\n"
    END(reads)
    FUNC(forks)
    LINE(1)
    FORK(1) FORK(2) FORK(4) FORK(8) FORK(16) FORK(32) FORK(64) FORK(128)
	"mov $-22, %eax\n"
	"ret\n"
    END(forks)
    /* if (a) return -EINVAL; if (b) return -ERANGE; if (c) return nothing(); return -EIO */
    FUNC(refuses)
    LINE(1)
	"test $1, %edi\n"
	"jne k_refuses_inval\n"
	"test $2, %edi\n"
	"jne k_refuses_range\n"
    LABEL(refuses_third)
	"test $4, %edi\n"
	"jne k_refuses_calls\n"
    LABEL(refuses_io)
	"mov $-5, %eax\n"
    LABEL(refuses_out)
	"ret\n"
    LABEL(refuses_inval)
	"mov $-22, %eax\n"
	"jmp k_refuses_out\n"
    LABEL(refuses_range)
	"mov $-34, %eax\n"
	"jmp k_refuses_out\n"
    LABEL(refuses_calls)
	"call k_nothing\n"
	"jmp k_refuses_out\n"
    END(refuses)
    USER);
/* clang-format on */

FIXTURE(target)
{
	struct symbolizer symbolizer;
	bool readable;
	struct code_source source;
	struct code_reader reader;
	struct target target;
	struct probes probes;
};

FIXTURE_SETUP(target)
{
	const struct symbol forks = { AT(forks), AT(end_forks) - AT(forks), "forks" };

	self->readable = true;
	self->source = (struct code_source){ read_test_code, &self->readable };
	code_reader_init(&self->reader, &self->symbolizer, &self->source);
	ASSERT_EQ(0, target_init(&self->target, &self->reader, &forks, NULL));
}

static void forget_probes(FIXTURE_DATA(target) *self)
{
	vec_foreach(probe, &self->probes.v)
		free(probe->text);
	vec_release(&self->probes.v);
}

FIXTURE_TEARDOWN(target)
{
	forget_probes(self);
	target_release(&self->target);
	code_reader_release(&self->reader);
}

static size_t placed(FIXTURE_DATA(target) *self, uint32_t max)
{
	forget_probes(self);
	if (target_place(&self->target, &self->reader, &self->probes, max))
		abort();
	return self->target.probes.len;
}

TEST_F(target, of_which_nothing_is_known_yet_was_not_passed_its_result)
{
	EXPECT_EQ(DECISION_NONE, self->target.decision.kind);
	EXPECT_GT(0, self->target.decision.given_in);
}

TEST_F(target, with_enough_probes_the_way_is_seen_at_once)
{
	size_t nr = placed(self, TARGET_MAX_PROBES);

	EXPECT_FALSE(self->target.asks);
	EXPECT_LE(8, nr);
	EXPECT_EQ(nr, self->probes.v.len);
	/* Even where it did not tell before. */
	self->target.ambiguous = 1;
	EXPECT_EQ(nr, placed(self, TARGET_MAX_PROBES));
	EXPECT_FALSE(self->target.asks);
}

TEST_F(target, with_too_few_those_next_to_the_exit_come_first)
{
	EXPECT_EQ(4, placed(self, 3));
	EXPECT_FALSE(self->target.asks);
	/* All but the one at the beginning are in the second half. */
	for (size_t i = 1; i < self->target.probes.len; i++)
		EXPECT_LT((AT(forks) + AT(end_forks)) / 2, self->target.probes.data[i].addr);
}

TEST_F(target, where_those_did_not_tell_blocks_are_asked_for_whether_they_are_passed)
{
	uint32_t first;

	self->target.ambiguous = 1;
	EXPECT_EQ(4, placed(self, 3));
	EXPECT_TRUE(self->target.asks);
	first = self->target.probes.data[1].block;
	/* Only the beginning was hit: none of the others is on the way, and they are not asked for again. */
	ASSERT_EQ(0, vec_push(&self->target.hits, 0));
	ASSERT_EQ(0, target_find_way(&self->target));
	EXPECT_FALSE(self->target.graph.blocks.data[first].alive);
	for (int run = 0; run < 8 && self->target.way.begin == WAY_AMBIGUOUS; run++) {
		EXPECT_LE(2, placed(self, 3));
		for (size_t i = 1; i < self->target.probes.len; i++)
			EXPECT_NE(first, self->target.probes.data[i].block);
		ASSERT_EQ(0, target_find_way(&self->target));
	}
	EXPECT_EQ(WAY_WHOLE, self->target.way.begin);
	/* When nothing is left to ask, the way is probed as at first. */
	placed(self, 3);
	EXPECT_FALSE(self->target.asks);
}

static uint32_t count_breakpoints(const struct probes *probes)
{
	uint32_t nr = 0;

	vec_foreach(probe, &probes->v)
		nr += probe->by_breakpoint;
	return nr;
}

/* Examine another function. */
static void take(FIXTURE_DATA(target) *self, uint64_t addr, uint64_t end)
{
	const struct symbol symbol = { addr, end - addr, "hides" };

	target_release(&self->target);
	if (target_init(&self->target, &self->reader, &symbol, NULL))
		abort();
}

TEST_F(target, breakpoints_are_where_no_kprobe_can_be_if_the_way_was_not_seen_without_them)
{
	struct target *target = &self->target;

	take(self, AT(hides), AT(end_hides));
	placed(self, TARGET_MAX_PROBES);
	EXPECT_EQ(0, count_breakpoints(&self->probes));
	EXPECT_FALSE(target->breakpoints_too);
	target->ambiguous = 1;
	placed(self, TARGET_MAX_PROBES);
	EXPECT_EQ(3, count_breakpoints(&self->probes));
	EXPECT_TRUE(target->breakpoints_too);
	/* Of one that the CPU refused no block is left; it is not asked for again. */
	for (size_t i = 0; i < target->probes.len; i++) {
		if (self->probes.v.data[target->probes.data[i].index].by_breakpoint) {
			ASSERT_EQ(0, vec_push(&target->refused, (struct refused_place){ target->probes.data[i].addr, true }));
			break;
		}
	}
	placed(self, TARGET_MAX_PROBES);
	EXPECT_EQ(2, count_breakpoints(&self->probes));
}

TEST_F(target, a_breakpoint_is_where_the_kernel_refused_the_only_kprobe)
{
	struct target *target = &self->target;

	take(self, AT(skips), AT(end_skips));
	placed(self, TARGET_MAX_PROBES);
	EXPECT_EQ(0, count_breakpoints(&self->probes));
	ASSERT_EQ(0, vec_push(&target->refused, (struct refused_place){ AT(skips_nop), false }));
	target->ambiguous = 1;
	placed(self, TARGET_MAX_PROBES);
	EXPECT_EQ(1, count_breakpoints(&self->probes));
	EXPECT_EQ(AT(skips_nop), self->probes.v.data[target->probes.data[target->probes.len - 1].index].addr);
	/* The CPU refused it, too. */
	ASSERT_EQ(0, vec_push(&target->refused, (struct refused_place){ AT(skips_nop), true }));
	placed(self, TARGET_MAX_PROBES);
	EXPECT_EQ(0, count_breakpoints(&self->probes));
}

TEST_F(target, breakpoints_are_not_used_if_there_are_too_few)
{
	take(self, AT(hides_more), AT(end_hides_more));
	self->target.ambiguous = 1;
	placed(self, TARGET_MAX_PROBES);
	EXPECT_EQ(0, count_breakpoints(&self->probes));
	EXPECT_FALSE(self->target.breakpoints_too);
}

/* The CPU passes over a breakpoint where execution goes on after a fault. */
TEST_F(target, breakpoints_are_behind_the_instruction_that_a_fault_leads_to)
{
	struct fault_entry entry = { AT(reads_at), AT(reads_fixup) };
	const struct fault_table faults = { .v = { &entry, 1, 1 } };
	const struct symbol reads = { AT(reads), AT(end_reads) - AT(reads), "reads" };
	struct target *target = &self->target;
	uint32_t after = 0;
	bool seen = false;

	target_release(target);
	ASSERT_EQ(0, target_init(target, &self->reader, &reads, &faults));
	target->by_breakpoints = true;
	placed(self, TARGET_MAX_PROBES);
	vec_foreach(block, &target->graph.blocks) {
		if (block->addr == AT(reads_fixup))
			after = block - target->graph.blocks.data;
	}
	ASSERT_NE(0, after);
	vec_foreach(probe, &target->probes) {
		if (probe->block != after) {
			EXPECT_EQ(target->graph.blocks.data[probe->block].addr, probe->addr);
			continue;
		}
		seen = true;
		EXPECT_EQ(AT(reads_fixup) + 5, probe->addr);
	}
	EXPECT_TRUE(seen);
}

static bool is_alive(FIXTURE_DATA(target) *self, uint64_t addr)
{
	return self->target.graph.blocks.data[target_block_at(&self->target, addr)].alive;
}

/* Few breakpoints show little of a way: those that lead to other constants need none. */
TEST_F(target, ways_on_which_it_returns_another_error_are_ruled_out)
{
	const struct fault_table faults = {};
	struct target *target = &self->target;

	take(self, AT(refuses), AT(end_refuses));
	target->faults = &faults;
	target->by_breakpoints = true;
	/* What it stored by an address is no constant that it returns; nor is a success. */
	target->stored_param = 1;
	ASSERT_EQ(0, target_rule_out_by_result(target, &self->reader, -ERANGE));
	target->stored_param = 0;
	ASSERT_EQ(0, target_rule_out_by_result(target, &self->reader, 0));
	EXPECT_TRUE(is_alive(self, AT(refuses_inval)));
	ASSERT_EQ(0, target_rule_out_by_result(target, &self->reader, (uint32_t)-ERANGE));
	EXPECT_FALSE(is_alive(self, AT(refuses_inval)));
	EXPECT_FALSE(is_alive(self, AT(refuses_io)));
	EXPECT_TRUE(is_alive(self, AT(refuses_range)));
	/* What was called may have returned anything. */
	EXPECT_TRUE(is_alive(self, AT(refuses_calls)));
	EXPECT_TRUE(is_alive(self, AT(refuses_out)));
	placed(self, TARGET_MAX_PROBES);
	EXPECT_LT(0, target->probes.len);
	/* One question is left, and none after this run. */
	vec_foreach(probe, &target->probes) {
		uint64_t addr = target->graph.blocks.data[probe->block].addr;

		if (addr != AT(refuses_third) && addr != AT(refuses_calls))
			ASSERT_EQ(0, vec_push(&target->hits, probe->block));
	}
	EXPECT_EQ(0, target_is_asked(target));
	ASSERT_EQ(0, target_find_way(target));
	EXPECT_EQ(WAY_WHOLE, target->way.begin);
	EXPECT_EQ(1, target_is_asked(target));
}

/* A walk does not follow faults: what is before one may come anywhere that it leads to. */
TEST_F(target, a_fault_may_lead_to_the_result)
{
	struct fault_entry entry = { AT(reads_at), AT(reads_fixup) };
	const struct fault_table faults = { .v = { &entry, 1, 1 } };
	const struct symbol reads = { AT(reads), AT(end_reads) - AT(reads), "reads" };

	target_release(&self->target);
	ASSERT_EQ(0, target_init(&self->target, &self->reader, &reads, &faults));
	ASSERT_EQ(0, target_rule_out_by_result(&self->target, &self->reader, -EFAULT));
	EXPECT_TRUE(is_alive(self, AT(reads)));
	EXPECT_TRUE(is_alive(self, AT(reads_fixup)));
}

/* What a probe on the comparison sent: registers, and nothing read from memory. */
static enum values_read read_values(FIXTURE_DATA(target) *self, uint64_t rax, uint32_t cut)
{
	uint8_t data[1024] = {};
	uint64_t stack = 0xffffc90000000000;

	memcpy(data + code_saved_at(0), &rax, sizeof(rax));
	memcpy(data + code_saved_at(REG_STACK), &stack, sizeof(stack));
	return target_take_values(&self->target, data,
				  code_saved_registers() + sizeof(struct probe_tail) - cut);
}

TEST_F(target, values_with_which_the_condition_would_not_have_held_differ)
{
	struct decision_condition *condition = &self->target.condition;

	condition->kind = OPERANDS_COMPARE;
	condition->condition = CONDITION_GREATER;
	condition->a.operand = (struct operand){ .kind = OPERAND_REGISTER, .size = 4, .reg = 0 };
	condition->b.operand = (struct operand){ .kind = OPERAND_CONSTANT, .size = 4 };
	condition->b.operand.value = condition->b.value = 7;
	EXPECT_EQ(VALUES_DIFFER, read_values(self, 7, 0));
	EXPECT_FALSE(condition->a.has_value);
	EXPECT_EQ(VALUES_HOLD, read_values(self, 8, 0));
	EXPECT_EQ(8, condition->a.value);
	EXPECT_EQ(VALUES_NOT_READ, read_values(self, 8, 1));
	/* Memory that could not be read. */
	condition->a.operand.kind = OPERAND_MEMORY;
	EXPECT_EQ(VALUES_NOT_READ, read_values(self, 8, 0));
}

/* A probe has room for two names: what the operands lead to comes first. */
TEST_F(target, names_of_objects_are_taken_as_they_were_asked_for)
{
	struct decision_condition *condition = &self->target.condition;
	struct decision_operand *a = &condition->a;
	struct probe_tail tail = { .names = { "first", "second" } };
	uint64_t stack = 0xffffc90000000000, address = 0xffff888000000108;
	uint8_t data[1024] = {};

	condition->text = strdup("file->f_path.dentry == NULL");
	condition->compared_at = AT(forks);
	condition->kind = OPERANDS_COMPARE;
	condition->condition = CONDITION_EQUAL;
	a->operand = (struct operand){ .kind = OPERAND_REGISTER, .size = 8, .reg = 0 };
	a->owner.name = strdup("file");
	a->owner.reg = operands_parameter(0);
	a->owner.offset = 8;
	a->owner.name_at = (struct object_name){ 2, { 32, 0 } };
	condition->b.operand = (struct operand){ .kind = OPERAND_CONSTANT, .size = 8 };
	ASSERT_EQ(0, target_place_condition(&self->target, &self->reader, &self->probes));
	EXPECT_EQ(2, self->probes.v.data[0].capture.names[0].nr_steps);
	EXPECT_EQ(32, self->probes.v.data[0].capture.names[0].steps[0]);
	EXPECT_EQ(code_saved_at(operands_parameter(0)) / 8, self->probes.v.data[0].capture.names[0].reg);
	EXPECT_EQ(0, self->probes.v.data[0].capture.names[1].nr_steps);

	memcpy(data + code_saved_at(REG_STACK), &stack, sizeof(stack));
	memcpy(data + code_saved_at(operands_parameter(0)), &address, sizeof(address));
	memcpy(data + code_saved_registers(), &tail, sizeof(tail));
	EXPECT_EQ(VALUES_HOLD, target_take_values(&self->target, data, code_saved_registers() + sizeof(tail)));
	EXPECT_STREQ("first", a->owner.object);
	EXPECT_EQ(0xffff888000000100, a->owner.value);
	EXPECT_EQ(NULL, a->object);

	a->name_at = (struct object_name){ 1, { 24 } };
	EXPECT_EQ(VALUES_HOLD, target_take_values(&self->target, data, code_saved_registers() + sizeof(tail)));
	EXPECT_STREQ("first", a->object);
	EXPECT_STREQ("second", a->owner.object);

	/* What fills its place may have been cut. */
	strcpy(tail.names[1], "thirty_one_characters_that_it_i");
	memcpy(data + code_saved_registers(), &tail, sizeof(tail));
	EXPECT_EQ(VALUES_HOLD, target_take_values(&self->target, data, code_saved_registers() + sizeof(tail)));
	EXPECT_STREQ("thirty_one_characters_that_it_…", a->owner.object);
}

#endif

TEST_HARNESS_MAIN
