// SPDX-License-Identifier: BSD-2-Clause
/* The verdict on an attach method: on real kernels' values, and on made-up wrong ones. */
#include <stdlib.h>

#include "unit.h"

#include "util/kernel/arch/arch.h"
#include "util/trace/attach/proof.h"

#define OUTER_ADDR 0xffffffff81001000
#define OUTER_SIZE 0x40
#define BODY_ADDR 0xffffffff81000800 /* the outer function leaves to it by a jump */
#define BODY_SIZE 0x200
#define INNER_ADDR 0xffffffff81002000
#define SYSCALL 0xffffffff81003033
#define ENTRY_CODE 0xffffffff8100412f
#define FROM_INNER (BODY_ADDR + 0x127)
#define HOOK 0xffffffff81005390
#define PROGRAM 0xffffffffc0001234
#define FPROBE 0xffffffff81006000
#define TASK 0xffff888004001980
#define REGS_SIZE 168

enum { OUTER_ENTRY, INNER_ENTRY, INNER_RETURN, OUTER_RETURN, NR_HITS };

#define ROUNDS 3

FIXTURE(proof)
{
	struct proof_rules rules;
	struct proof_round rounds[ROUNDS];
	struct proof proof;
};

/* @...	innermost first */
static void put_stack(struct proof_hit *hit, const uint64_t *ips, size_t nr)
{
	memcpy(hit->ips, ips, nr * sizeof(*ips));
	hit->stack_bytes = nr * sizeof(*ips);
}
#define STACK(hit, ...)                                                                            \
	put_stack(hit, (const uint64_t[]){ __VA_ARGS__ },                                          \
		  sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/* kprobe-multi and its like on a kernel that is right. */
static void make_round(struct proof_round *round, uint64_t outer_sp)
{
	struct proof_hit *hits = round->seen.hits;

	*round = (struct proof_round){ .seen.nr = NR_HITS, .results = { 20, TASK } };
	for (int i = 0; i < NR_HITS; i++) {
		struct proof_hit *hit = &hits[i];
		bool inner = i == INNER_ENTRY || i == INNER_RETURN;

		hit->func = inner ? PROOF_INNER : PROOF_OUTER;
		hit->at_return = i >= INNER_RETURN;
		hit->sp = outer_sp - (inner ? 0x48 : 0) + (hit->at_return ? 8 : 0);
		hit->context = hit->sp - REGS_SIZE;
		hit->task = TASK;
		hit->ip = (inner ? INNER_ADDR : OUTER_ADDR) + 1;
		hit->word = inner ? FROM_INNER : SYSCALL;
		hit->outer_word = i == OUTER_ENTRY ? 0 : HOOK;
	}
	hits[INNER_RETURN].result = TASK;
	hits[OUTER_RETURN].result = 20;
	STACK(&hits[OUTER_ENTRY], OUTER_ADDR + 9, SYSCALL, ENTRY_CODE);
	STACK(&hits[INNER_ENTRY], INNER_ADDR + 9, FROM_INNER, SYSCALL, ENTRY_CODE);
	STACK(&hits[INNER_RETURN], FROM_INNER, SYSCALL, ENTRY_CODE);
	STACK(&hits[OUTER_RETURN], SYSCALL, ENTRY_CODE);
}

FIXTURE_SETUP(proof)
{
	memset(self, 0, sizeof(*self));
	self->rules = (struct proof_rules){
		.arch = &arch_x86,
		.by_context = true,
		.addrs = { OUTER_ADDR, INNER_ADDR },
		.callers = { { OUTER_ADDR, OUTER_ADDR + OUTER_SIZE },
			     { BODY_ADDR, BODY_ADDR + BODY_SIZE } },
		.nr_callers = 2,
		.return_hooks = { HOOK - 0x80, HOOK },
	};
	/* The stack begins somewhere else with each system call. */
	for (int i = 0; i < ROUNDS; i++)
		make_round(&self->rounds[i], 0xffffc90000403e38 - i * 0x10);
}

FIXTURE_TEARDOWN(proof)
{
}

static void judge(FIXTURE_DATA(proof) * self)
{
	proof_judge(&self->rules, self->rounds, ROUNDS, &self->proof);
}

/* @hit and @round are what @statement may change, in each round. */
#define in_each_round(statement)                                                                   \
	for (int nr_ = 0; nr_ < ROUNDS; nr_++) {                                                   \
		struct proof_round *round = &self->rounds[nr_];                                    \
		struct proof_hit *hits = round->seen.hits;                                         \
		(void)hits;                                                                        \
		statement;                                                                         \
	}

#define EXPECT_WORKS(by_context, delta, at_entry)                                                  \
	do {                                                                                       \
		judge(self);                                                                       \
		EXPECT_EQ(PROOF_WORKS, self->proof.verdict)                                        \
		{                                                                                  \
			TH_LOG("%s", self->proof.why ?: "");                                       \
		}                                                                                  \
		EXPECT_EQ(by_context, self->proof.sp_by_context);                                  \
		EXPECT_EQ(delta, self->proof.sp_delta);                                            \
		EXPECT_EQ(at_entry, self->proof.stacks_at_entry);                                  \
	} while (0)

#define EXPECT_WRONG(text)                                                                         \
	do {                                                                                       \
		judge(self);                                                                       \
		EXPECT_EQ(PROOF_WRONG, self->proof.verdict);                                       \
		EXPECT_STREQ(text, self->proof.why ?: "");                                         \
	} while (0)

/* Kernels as they are. */

/* As arm64 has it: nothing on the stack, and a frame pointer, but no stack pointer at returns. */
TEST_F(proof, the_frame_pointer_stands_in_for_the_stack_pointer_where_every_function_has_one)
{
	memset(self->rules.return_hooks, 0, sizeof(self->rules.return_hooks));
	self->rules.arch = &arch_arm64;
	for (int i = 0; i < ROUNDS; i++) {
		struct proof_hit *hits = self->rounds[i].seen.hits;

		for (int h = 0; h < 4; h++) {
			hits[h].frame = hits[h == 0 || h == 3 ? 0 : 1].sp;
			hits[h].word = hits[h].outer_word = 0x1234;
		}
		hits[2].sp = hits[3].sp = 0xdead + i;
	}
	proof_judge(&self->rules, self->rounds, ROUNDS, &self->proof);
	EXPECT_EQ(PROOF_WORKS, self->proof.verdict);
	EXPECT_TRUE(self->proof.sp_by_frame);
	EXPECT_FALSE(self->proof.sp_by_context);

	self->rules.arch = &arch_x86;
	proof_judge(&self->rules, self->rounds, ROUNDS, &self->proof);
	EXPECT_EQ(PROOF_WRONG, self->proof.verdict);

	/* With randomize_kstack_offset=off: what the entry left on the stack is there at the return. */
	self->rules.arch = &arch_arm64;
	in_each_round({
		hits[INNER_RETURN].sp = hits[INNER_ENTRY].sp;
		hits[OUTER_RETURN].sp = hits[OUTER_ENTRY].sp;
	});
	proof_judge(&self->rules, self->rounds, ROUNDS, &self->proof);
	EXPECT_EQ(PROOF_WORKS, self->proof.verdict);
	EXPECT_TRUE(self->proof.sp_by_frame);
}

TEST_F(proof, what_is_right_needs_nothing)
{
	struct strbuf text = STRBUF_INIT;

	EXPECT_WORKS(false, 8, false);
	EXPECT_FALSE(self->proof.unknown_hook);
	proof_add_adaptations(&text, &self->proof);
	EXPECT_STREQ("", strbuf_str(&text));
	strbuf_release(&text);
}

/* 5.10's kprobes: no cookies, and return probes end the stack. */
TEST_F(proof, functions_without_cookies_are_told_by_address)
{
	self->rules.by_address = true;
	self->rules.by_context = false;
	self->rules.ip_offset = 1;
	in_each_round({
		for (int i = 0; i < NR_HITS; i++)
			hits[i].func = 0;
		STACK(&hits[INNER_ENTRY], INNER_ADDR + 1, FROM_INNER, HOOK);
		STACK(&hits[INNER_RETURN], HOOK);
		STACK(&hits[OUTER_RETURN], HOOK);
	});
	EXPECT_WORKS(false, 8, true);
}

static void never_write_sp(FIXTURE_DATA(proof) * self)
{
	static const uint64_t found_there[] = { 0, INNER_ADDR + 0x17, TASK + 0x100 };

	in_each_round({
		hits[INNER_RETURN].sp = found_there[nr_];
		hits[OUTER_RETURN].sp = found_there[(nr_ + 1) % 3];
	});
}

TEST_F(proof, linux_6_14_to_6_17_need_the_context_and_stacks_of_entries)
{
	struct strbuf text = STRBUF_INIT;

	never_write_sp(self);
	in_each_round({
		STACK(&hits[INNER_RETURN], FROM_INNER);
		STACK(&hits[OUTER_RETURN], SYSCALL, FPROBE, FPROBE + 0x80);
		hits[OUTER_RETURN].stack_bytes = nr_ ? -14 : hits[OUTER_RETURN].stack_bytes;
		/* 6.17's may be without the function itself. */
		STACK(&hits[OUTER_ENTRY], SYSCALL, ENTRY_CODE);
		STACK(&hits[INNER_ENTRY], FROM_INNER, SYSCALL, ENTRY_CODE);
	});
	EXPECT_WORKS(true, 8, true);
	proof_add_adaptations(&text, &self->proof);
	EXPECT_STREQ("works around a wrong stack pointer at returns, takes stacks at entries",
		     strbuf_str(&text));
	strbuf_release(&text);
}

TEST_F(proof, linux_6_18_needs_the_context)
{
	in_each_round({
		hits[INNER_RETURN].sp -= 8 + REGS_SIZE;
		hits[OUTER_RETURN].sp -= 8 + REGS_SIZE;
		hits[INNER_RETURN].context = hits[INNER_RETURN].sp;
		hits[OUTER_RETURN].context = hits[OUTER_RETURN].sp;
	});
	EXPECT_WORKS(true, 0, false);
}

static void make_trampolines(FIXTURE_DATA(proof) * self)
{
	self->rules.trampoline = true;
	self->rules.by_context = false;
	self->rules.keeps = true;
	in_each_round({
		for (int i = 0; i < NR_HITS; i++) {
			hits[i].sp -= 0x60 + (hits[i].at_return ? 8 : 0);
			hits[i].context = hits[i].sp;
			hits[i].ip = hits[i].word = hits[i].outer_word = 0;
			hits[i].kept = hits[i].at_return ? PROOF_KEPT + hits[i].func : 0;
		}
		STACK(&hits[INNER_RETURN], PROGRAM, PROGRAM + 0x80, INNER_ADDR + 9, FROM_INNER,
		      SYSCALL, ENTRY_CODE);
	});
}

TEST_F(proof, trampolines_are_where_they_were)
{
	make_trampolines(self);
	EXPECT_WORKS(false, 0, false);
	EXPECT_FALSE(self->proof.unknown_hook);
}

/* Lies. */

TEST_F(proof, garbage_that_is_right_once_is_still_garbage)
{
	struct proof_round first = self->rounds[0];

	never_write_sp(self);
	self->rounds[0] = first;
	EXPECT_WORKS(true, 8, false);
	self->rules.by_context = false;
	EXPECT_WRONG("it does not show which call a return belongs to");
}

TEST_F(proof, stack_pointers_that_fit_nowhere_are_refused)
{
	in_each_round({
		hits[INNER_RETURN].sp += 16;
		hits[INNER_RETURN].context += 16;
	});
	EXPECT_WRONG("it does not show which call a return belongs to");
}

TEST_F(proof, stack_pointers_of_entries_have_to_fall_and_to_point_at_the_return_address)
{
	in_each_round(hits[INNER_ENTRY].word = 0x1234);
	EXPECT_WRONG("its stack pointers at entries are wrong");
	/* Replaced already. */
	in_each_round(hits[INNER_ENTRY].word = HOOK);
	EXPECT_WORKS(false, 8, false);
	in_each_round(hits[INNER_ENTRY].sp = hits[OUTER_ENTRY].sp);
	EXPECT_WRONG("its stack pointers at entries are wrong");
}

TEST_F(proof, what_is_not_seen_is_said)
{
	in_each_round(round->seen.nr = 0);
	EXPECT_WRONG("it sees no calls");
	in_each_round(round->seen.nr = 2);
	EXPECT_WRONG("it misses returns");
	in_each_round({
		round->seen.nr = 2;
		hits[1] = hits[OUTER_RETURN];
	});
	EXPECT_WRONG("it misses calls");
}

TEST_F(proof, one_round_in_which_something_was_missed_does_not_matter)
{
	self->rounds[0].seen.nr = 3;
	self->rounds[2].seen.nr = 0;
	EXPECT_WORKS(false, 8, false);
}

TEST_F(proof, calls_are_seen_once_and_in_order)
{
	struct proof_hit hit;

	in_each_round({
		hit = hits[INNER_ENTRY];
		hits[INNER_ENTRY] = hits[INNER_RETURN];
		hits[INNER_RETURN] = hit;
	});
	EXPECT_WRONG("it reports calls and returns in the wrong order");
	in_each_round(round->seen.nr = 5);
	EXPECT_WRONG("it reports one call several times");
	in_each_round(round->seen.nr = ~0ull);
	EXPECT_WRONG("it reports one call several times");
}

TEST_F(proof, functions_are_not_mistaken_for_each_other)
{
	in_each_round(hits[INNER_RETURN].func = PROOF_OUTER);
	EXPECT_WRONG("it reports the wrong function");
	self->rules.by_address = true;
	self->rules.ip_offset = 1;
	EXPECT_WORKS(false, 8, false);
	self->rules.ip_offset = 4;
	EXPECT_WRONG("it reports the wrong function");
}

TEST_F(proof, results_are_what_the_functions_returned)
{
	in_each_round(hits[INNER_RETURN].result = 0);
	EXPECT_WRONG("it reports wrong results");
	in_each_round({
		hits[INNER_RETURN].result = TASK;
		hits[OUTER_RETURN].result = nr_ == ROUNDS - 1 ? TASK : 20;
	});
	EXPECT_WRONG("it reports wrong results");
}

TEST_F(proof, session_cookies_are_kept_from_the_entry_to_its_own_return)
{
	make_trampolines(self);
	in_each_round(hits[INNER_RETURN].kept = PROOF_KEPT + PROOF_OUTER);
	EXPECT_WRONG("it does not show which call a return belongs to");
}

TEST_F(proof, kprobes_with_sessions_keep_them_too)
{
	self->rules.keeps = true;
	in_each_round({
		for (int i = 0; i < NR_HITS; i++)
			hits[i].kept = hits[i].at_return ? PROOF_KEPT + hits[i].func : 0;
	});
	EXPECT_WORKS(false, 8, false);
	in_each_round(hits[OUTER_RETURN].kept = 0);
	EXPECT_WRONG("it does not show which call a return belongs to");
}

TEST_F(proof, a_stack_needs_the_caller_and_the_end)
{
	in_each_round(hits[INNER_RETURN].ips[0] = SYSCALL);
	EXPECT_WORKS(false, 8, true);
	in_each_round(STACK(&hits[INNER_RETURN], FROM_INNER, SYSCALL));
	EXPECT_WORKS(false, 8, true);
	in_each_round(hits[INNER_ENTRY].stack_bytes = 8);
	EXPECT_WRONG("its kernel stacks lack the caller");
	in_each_round(hits[INNER_ENTRY].stack_bytes = INT64_MAX);
	EXPECT_WORKS(false, 8, true);
}

/* As arm64's 5.10 has it: a function that has just begun has no frame, and return probes end the stack. */
TEST_F(proof, a_caller_that_no_stack_has_is_in_the_link_register)
{
	struct strbuf text = STRBUF_INIT;

	self->rules.arch = &arch_arm64;
	in_each_round({
		for (int h = 0; h < NR_HITS; h++)
			hits[h].sp -= hits[h].at_return ? 8 : 0;
		hits[OUTER_ENTRY].link = SYSCALL;
		hits[INNER_ENTRY].link = FROM_INNER;
		STACK(&hits[OUTER_ENTRY], OUTER_ADDR, ENTRY_CODE);
		STACK(&hits[INNER_ENTRY], INNER_ADDR, HOOK, ENTRY_CODE);
		STACK(&hits[INNER_RETURN], 0, HOOK, ENTRY_CODE);
		STACK(&hits[OUTER_RETURN], 0, ENTRY_CODE);
	});
	EXPECT_WORKS(false, 0, true);
	EXPECT_TRUE(self->proof.callers_by_link);
	proof_add_adaptations(&text, &self->proof);
	EXPECT_STREQ("takes stacks at entries, and callers from a register", strbuf_str(&text));
	strbuf_release(&text);

	in_each_round(hits[INNER_ENTRY].link = SYSCALL);
	EXPECT_WRONG("its kernel stacks lack the caller");
	in_each_round(STACK(&hits[INNER_ENTRY], INNER_ADDR, FROM_INNER, ENTRY_CODE));
	EXPECT_WORKS(false, 0, true);
	EXPECT_FALSE(self->proof.callers_by_link);
}

TEST_F(proof, return_addresses_replaced_by_something_unknown_tell_nothing)
{
	in_each_round(hits[INNER_ENTRY].outer_word = HOOK + 0x1000);
	EXPECT_WORKS(false, 8, false);
	EXPECT_TRUE(self->proof.unknown_hook);
	/* Where none is known, nothing is made of them anyway. */
	memset(self->rules.return_hooks, 0, sizeof(self->rules.return_hooks));
	EXPECT_WORKS(false, 8, false);
	EXPECT_FALSE(self->proof.unknown_hook);
}

TEST_HARNESS_MAIN
