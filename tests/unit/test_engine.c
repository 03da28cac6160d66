// SPDX-License-Identifier: BSD-2-Clause
/*
 * What runs in the kernel and what reads its records, one behind the other, against a model: tasks
 * and interrupts make calls, some returns are missed, the ring buffer is full at times. What is
 * shown in the end is what happened, and what is missing is counted.
 */
#include "unit.h"

#include "tests/unit/engine_model.h"
#include "util/trace/session/assembler.h"

/* One walker, told what to do. */
static void call(struct walker *walker, const struct traced_func *func, enum fate fate)
{
	enter(walker, func, fate, true, false, 16);
}

static void ret(struct walker *walker, uint64_t result)
{
	if (!leave(walker, result))
		abort();
}

static void look_through(struct walker *walker)
{
	cpus[0] = (struct cpu){ { &walkers[0] }, 1 };
	if (walker != &walkers[0])
		cpus[0].stack[cpus[0].nr++] = walker;
	look_from(0);
}

/* The last session shown as finished, or as not finished yet; NULL: none. */
static struct shown_session *last_shown_as(bool interim)
{
	struct shown_session *last = NULL, *shown;

	vec_foreach(record, &fake.records) {
		if (assembler_feed(round_of.assembler, record->data, record->size, &shown))
			abort();
		if (shown && shown->interim == interim) {
			session_free(last);
			last = shown;
		} else {
			session_free(shown);
		}
		free(record->data);
	}
	fake.records.len = 0;
	return last;
}

#define ENTRY (&funcs[0])
#define OTHER_ENTRY (&funcs[1])
#define INNER (&funcs[3])
#define INNERMOST (&funcs[6])

static void recurse(struct walker *walker, unsigned int deep)
{
	look_through(walker);
	call(walker, ENTRY, SEEN);
	for (unsigned int i = 1; i < deep; i++)
		call(walker, INNER, SEEN);
	for (unsigned int i = 0; i < deep; i++)
		ret(walker, 1000 + i);
}

TEST(recursion_300_deep_shows_what_the_limit_keeps)
{
	static const uint32_t limits[] = { 64, 256 };

	for (size_t l = 0; l < ARRAY_SIZE(limits); l++) {
		struct shown_session *shown;
		uint32_t limit = limits[l];

		begin_round(1, 4096);
		config.successes = 1;
		config.max_depth = limit;
		recurse(&walkers[0], 300);
		EXPECT_EQ(300 - limit, counters()->truncated);
		shown = last_shown_as(false);
		ASSERT_NE(NULL, shown);
		EXPECT_EQ(300 - limit, shown->truncated);
		ASSERT_EQ(2 * limit + 1, shown->nr_calls);
		for (uint32_t i = 0; i < limit; i++) {
			EXPECT_EQ(TRACED_CALL, shown->calls[i].kind);
			EXPECT_EQ(i, shown->calls[i].depth);
			EXPECT_EQ(TRACED_RETURN, shown->calls[2 * limit - i].kind);
			EXPECT_EQ(i, shown->calls[2 * limit - i].depth);
			EXPECT_EQ(1299 - i, shown->calls[2 * limit - i].result);
		}
		EXPECT_EQ(TRACED_DEEP, shown->calls[limit].kind);
		EXPECT_EQ(limit, shown->calls[limit].depth);
		EXPECT_EQ(300 - limit, shown->calls[limit].count);
		session_free(shown);
		end_round();
	}
}

TEST(interrupts_have_sessions_of_their_own)
{
	unsigned int contexts = 0;
	const char *wrong;

	begin_round(MAX_SESSIONS, 16);
	config.successes = 1;
	/* Each comes in the middle of a call of the one before, and all make the same calls. */
	cpus[0] = (struct cpu){ { &walkers[0], &walkers[NR_TASKS], &walkers[NR_TASKS + 1],
				  &walkers[NR_TASKS + 2] } };
	while (cpus[0].nr < 4) {
		cpus[0].nr++;
		look_from(0);
		call(cpus[0].stack[cpus[0].nr - 1], ENTRY, SEEN);
		call(cpus[0].stack[cpus[0].nr - 1], INNER, SEEN);
	}
	for (; cpus[0].nr; cpus[0].nr--) {
		look_from(0);
		ret(cpus[0].stack[cpus[0].nr - 1], cpus[0].nr);
		ret(cpus[0].stack[cpus[0].nr - 1], 10 * cpus[0].nr);
	}
	ASSERT_EQ(4, round_of.all.len);
	wrong = drain();
	EXPECT_EQ(NULL, wrong);
	vec_foreach(model, &round_of.all) {
		EXPECT_TRUE((*model)->shown);
		EXPECT_EQ(4, (*model)->list.len);
		contexts |= 1 << (*model)->context;
	}
	EXPECT_EQ(0xf, contexts);
	end_round();
}

TEST(the_gate_is_open_for_tasks_with_sessions_and_during_those_of_interrupts)
{
	struct walker *task = &walkers[0], *other = &walkers[1], *softirq = &walkers[NR_TASKS];

	begin_round(MAX_SESSIONS, 16);
	config.return_hooks[0] = HOOK;
	look_through(task);
	call(task, INNER, SEEN);
	EXPECT_FALSE(gate_is_open());
	call(task, ENTRY, SEEN);
	EXPECT_TRUE(gate_is_open());
	fake.task = &other->task;
	EXPECT_FALSE(gate_is_open());
	/* An interrupt of the other task, whose end is missed: the next one comes in the first task. */
	look_through(softirq);
	fake.task = &other->task;
	call(softirq, ENTRY, UNHOOKED);
	EXPECT_TRUE(gate_is_open());
	softirq->nr = 0;
	fake.task = &task->task;
	call(softirq, INNER, SEEN);
	EXPECT_EQ(1, counters()->missed_returns);
	ret(softirq, 0);
	fake.task = &other->task;
	EXPECT_FALSE(gate_is_open());
	look_through(task);
	EXPECT_TRUE(gate_is_open());
	ret(task, 0);
	EXPECT_FALSE(gate_is_open());
	ret(task, 0);
	EXPECT_EQ(2, counters()->opened);
	end_round();
}

TEST(tasks_that_share_a_gate_have_sessions_of_their_own)
{
	static struct task_struct twins[2] __attribute__((aligned(256)));
	const __u64 sp = STACK_BASE(0) + 4096;

	begin_round(MAX_SESSIONS, 16);
	config.successes = 1;
	config.return_hooks[0] = 0;
	for (unsigned int i = 0; i < 2; i++) {
		twins[i].group_leader = &twins[i];
		fake.task = &twins[i];
		on_entry((void *)sp, cookie_of(ENTRY), true, sp);
	}
	EXPECT_EQ(gate_of((uintptr_t)&twins[0], CONTEXT_TASK),
		  gate_of((uintptr_t)&twins[1], CONTEXT_TASK));
	for (unsigned int i = 0; i < 2; i++) {
		fake.task = &twins[i];
		on_entry((void *)(sp - 64), cookie_of(INNER), true, sp - 64);
		EXPECT_EQ(2, session_of((uintptr_t)fake.task)->depth);
		engine_exit((void *)(sp - 64), cookie_of(INNER), sp - 64, 1, 0);
	}
	for (unsigned int i = 0; i < 2; i++) {
		EXPECT_TRUE(gate_is_open());
		fake.task = &twins[i];
		engine_exit((void *)sp, cookie_of(ENTRY), sp, 1, 0);
	}
	EXPECT_FALSE(gate_is_open());
	EXPECT_EQ(2, counters()->opened);
	EXPECT_EQ(2, counters()->sent);
	EXPECT_EQ(0, counters()->missed_entries + counters()->missed_returns);
	end_round();
}

TEST(a_session_that_is_alone_at_its_gate_needs_no_map)
{
	struct walker *first = &walkers[0], *second = &walkers[1], *third = &walkers[2];

	begin_round(MAX_SESSIONS, 16);
	config.successes = 1;
	fake.gate_shift = 47;
	look_through(first);
	call(first, ENTRY, SEEN);
	EXPECT_EQ(0, fake_map(&sessions)->nr);
	cpus[1] = (struct cpu){ { second }, 1 };
	look_from(1);
	call(second, ENTRY, SEEN);
	EXPECT_EQ(1, fake_map(&sessions)->nr);
	look_through(first);
	ret(first, 1);
	/* The gate names a slot that is free now, and soon somebody else's. */
	cpus[2] = (struct cpu){ { third }, 1 };
	look_from(2);
	call(third, OTHER_ENTRY, SEEN);
	EXPECT_EQ(2, fake_map(&sessions)->nr);
	look_from(1);
	call(second, INNER, SEEN);
	ret(second, 2);
	ret(second, 3);
	look_from(2);
	call(third, INNER, SEEN);
	ret(third, 4);
	ret(third, 5);
	EXPECT_EQ(0, fake_map(&sessions)->nr);
	EXPECT_FALSE(gate_is_open());
	look_from(1);
	call(second, ENTRY, SEEN);
	EXPECT_EQ(0, fake_map(&sessions)->nr);
	ret(second, 6);
	EXPECT_EQ(4, counters()->sent);
	EXPECT_EQ(0, counters()->missed_entries + counters()->missed_returns);
	EXPECT_EQ(NULL, drain());
	EXPECT_EQ(NULL, check_snapshots());
	end_round();
}

TEST(where_bpf_is_not_safe_in_nmis_their_calls_are_counted_and_left_alone)
{
	begin_round(MAX_SESSIONS, 16);
	config.successes = 1;
	config.nmi = 0;
	recurse(&walkers[NR_TASKS + 2], 3);
	EXPECT_EQ(0, fake.records.len);
	EXPECT_EQ(0, counters()->opened);
	EXPECT_EQ(1, counters()->nmi_skipped);
	end_round();
}

TEST(a_session_that_does_not_pass_leaves_nothing_or_a_withdrawal)
{
	struct event_header *header;

	begin_round(MAX_SESSIONS, 16);
	recurse(&walkers[0], 5);
	EXPECT_EQ(1, counters()->filtered);
	EXPECT_EQ(0, fake.records.len);
	EXPECT_EQ(0, counters()->ring_bytes);

	/* Three parts do not fit in the buffer. */
	recurse(&walkers[0], 22);
	EXPECT_EQ(2, counters()->filtered);
	ASSERT_EQ(4, fake.records.len);
	for (unsigned int i = 0; i < 4; i++) {
		header = fake.records.data[i].data;
		EXPECT_EQ(i < 3 ? EVENT_CALLS : EVENT_DROP, header->kind);
	}
	EXPECT_EQ(NULL, last_shown_as(false));
	EXPECT_EQ(NULL, drain());
	EXPECT_EQ(0, assembler_orphans(round_of.assembler));
	end_round();
}

TEST(a_full_ring_buffer_loses_calls_where_it_was_full)
{
	struct shown_session *shown;
	unsigned int i;

	begin_round(MAX_SESSIONS, 8);
	config.successes = 1;
	look_through(&walkers[0]);
	call(&walkers[0], ENTRY, SEEN);
	for (i = 0; i < 50; i++) {
		/* The buffer takes five edges, of which the first one is there. */
		fake.ring_size = i >= 10 && i < 20 ? 0 : SIZE_MAX;
		call(&walkers[0], INNER, SEEN);
		ret(&walkers[0], i);
	}
	ret(&walkers[0], 99);
	shown = last_shown_as(false);
	ASSERT_NE(NULL, shown);
	EXPECT_GT(counters()->calls_lost, 0);
	EXPECT_EQ(NULL, compare(round_of.all.data[0], shown->calls, shown->nr_calls));
	/* All but those are there: the entry call's two lines, and one that says so. */
	EXPECT_EQ(50 - counters()->calls_lost + 3, shown->nr_calls);
	for (i = 0; shown->calls[i].kind != TRACED_LOST; i++)
		continue;
	EXPECT_EQ(counters()->calls_lost, shown->calls[i].count);
	EXPECT_EQ(1, shown->calls[i].depth);
	session_free(shown);
	end_round();
}

TEST(a_session_whose_entry_call_is_gone_does_not_swallow_the_next_one)
{
	static const unsigned int tops[] = { 64, 64 + 8, 64 + 512, 16 };

	for (size_t i = 0; i < ARRAY_SIZE(tops); i++) {
		struct shown_session *shown;

		begin_round(MAX_SESSIONS, 8);
		config.successes = 1;
		config.return_hooks[0] = HOOK;
		look_through(&walkers[0]);
		call(&walkers[0], ENTRY, SKIPPED);
		call(&walkers[0], INNER, SKIPPED);
		ret(&walkers[0], 1);
		ret(&walkers[0], 2);
		/* Its stack is used for something else by now. */
		memset(walkers[0].stack, 0, sizeof(walkers[0].stack));
		walkers[0].top = tops[i];
		call(&walkers[0], OTHER_ENTRY, SEEN);
		call(&walkers[0], INNERMOST, SEEN);
		ret(&walkers[0], 3);
		ret(&walkers[0], 4);
		shown = last_shown_as(false);
		ASSERT_NE(NULL, shown);
		EXPECT_EQ(NULL, compare(round_of.all.data[1], shown->calls, shown->nr_calls));
		EXPECT_EQ(3, shown->nr_calls);
		EXPECT_EQ(2, counters()->missed_returns);
		session_free(shown);
		end_round();
	}
}

/* A call in a call of the same function, next to it on the stack. */
static struct shown_session *play_recursion(enum fate fate)
{
	look_through(&walkers[0]);
	call(&walkers[0], ENTRY, SEEN);
	enter(&walkers[0], INNER, SEEN, true, false, 0);
	enter(&walkers[0], INNER, fate, true, false, 0);
	call(&walkers[0], INNERMOST, SEEN);
	for (unsigned int i = 4; i; i--)
		leave(&walkers[0], i);
	return last_shown_as(false);
}

TEST(the_call_that_returns_is_found_whatever_registers_show)
{
	static const enum fate fates[] = { SEEN, SKIPPED, UNHOOKED };

	for (size_t i = 0; i < ARRAY_SIZE(exits) * ARRAY_SIZE(fates); i++) {
		enum fate fate = fates[i % ARRAY_SIZE(fates)];
		struct shown_session *shown;

		begin_round(MAX_SESSIONS, 16);
		config.successes = 1;
		config.return_hooks[0] = HOOK;
		how.exit = &exits[i / ARRAY_SIZE(fates)];
		config.kprobe_exit = how.exit->way;
		shown = play_recursion(fate);
		ASSERT_NE(NULL, shown);
		EXPECT_EQ(NULL, compare(round_of.all.data[0], shown->calls, shown->nr_calls));
		EXPECT_EQ(fate != SEEN, counters()->missed_returns);
		EXPECT_EQ(0, counters()->missed_entries);
		session_free(shown);
		end_round();
	}
}

TEST(where_registers_are_wrong_and_believed_nothing_is_shown)
{
	for (size_t i = 1; i < ARRAY_SIZE(exits); i++) {
		begin_round(MAX_SESSIONS, 16);
		config.successes = 1;
		how.exit = &exits[i];
		EXPECT_EQ(NULL, play_recursion(SEEN));
		EXPECT_EQ(0, counters()->sent);
		end_round();
	}
}

/*
 * Function graph tracing sets the hook only when the entry's program is over and preemption is on:
 * what the scheduler calls then is inside the call.
 */
TEST(calls_that_come_before_the_return_is_hooked_are_inside)
{
	struct walker *task = &walkers[0];

	for (int late = 0; late < 2; late++) {
		begin_round(MAX_SESSIONS, 16);
		config.successes = 1;
		config.return_hooks[0] = HOOK;
		config.late_hooks = late;
		look_through(task);
		call(task, ENTRY, SEEN);
		*stack_word(task, task->calls[0].sp) = 0xffffffff81000000ull + ENTRY->id;
		call(task, INNER, SEEN);
		EXPECT_EQ(!late, counters()->missed_returns);
		if (late) {
			ret(task, 0);
			*stack_word(task, task->calls[0].sp) = HOOK;
			/* What the return leaves behind is no such address. */
			ret(task, 0);
			EXPECT_EQ(0, counters()->missed_entries);
			EXPECT_EQ(1, counters()->sent);
		}
		end_round();
	}
}

TEST(a_call_whose_return_was_missed_is_over_where_its_place_is_used_again)
{
	struct walker *task = &walkers[0];

	begin_round(MAX_SESSIONS, 16);
	config.successes = 1;
	config.return_hooks[0] = HOOK;
	config.late_hooks = 1;
	look_through(task);
	call(task, ENTRY, SEEN);
	call(task, INNER, SEEN);
	/* Another call from the same function, which is not traced and calls one that is. */
	*stack_word(task, task->calls[1].sp) = 0xffffffff81000123ull;
	call(task, INNER, SEEN);
	EXPECT_EQ(1, counters()->missed_returns);
	end_round();
}

TEST(an_error_handled_on_the_way_shows_and_so_does_the_call_that_handled_it)
{
	struct shown_session *shown;

	begin_round(MAX_SESSIONS, 8);
	config.interim = 1;
	config.stacks = 1;
	look_through(&walkers[0]);
	call(&walkers[0], ENTRY, SEEN);
	call(&walkers[0], INNER, SEEN);
	call(&walkers[0], INNERMOST, SEEN);
	ret(&walkers[0], -22);
	ret(&walkers[0], 0);
	shown = last_shown_as(true);
	ASSERT_NE(NULL, shown);
	EXPECT_TRUE(shown->failed);
	EXPECT_EQ(3, shown->nr_frames);
	EXPECT_EQ(EVENT_FRAME_UNFINISHED, shown->frames[0].flags);
	EXPECT_EQ(0, shown->nr_calls);
	session_free(shown);

	/* The model knows nothing of interim stacks. */
	leave(&walkers[0], 7);
	shown = last_shown_as(false);
	ASSERT_NE(NULL, shown);
	EXPECT_FALSE(shown->failed);
	ASSERT_EQ(1, shown->nr_frames);
	EXPECT_EQ(ENTRY->id, shown->frames[0].func);
	EXPECT_EQ(0, shown->frames[0].flags);
	EXPECT_EQ(7, shown->frames[0].result);
	EXPECT_FALSE(shown->no_stack);
	EXPECT_EQ(NULL, compare(round_of.all.data[0], shown->calls, shown->nr_calls));
	session_free(shown);
	end_round();
}

TEST(a_stack_that_could_not_be_taken_is_taken_where_the_caller_returns)
{
	/* How many stacks cannot be taken, of three. */
	for (uint32_t none = 0; none <= 3; none++) {
		struct shown_session *shown;

		begin_round(MAX_SESSIONS, 8);
		config.stacks = 1;
		look_through(&walkers[0]);
		call(&walkers[0], ENTRY, SEEN);
		call(&walkers[0], INNER, SEEN);
		call(&walkers[0], INNERMOST, SEEN);
		fake.no_stacks = none;
		ret(&walkers[0], -22);
		ret(&walkers[0], -22);
		leave(&walkers[0], -22);
		shown = last_shown_as(false);
		ASSERT_NE(NULL, shown);
		EXPECT_TRUE(shown->failed);
		EXPECT_EQ(3, shown->nr_frames);
		EXPECT_EQ(none == 3, shown->no_stack);
		EXPECT_EQ(none > 0, counters()->stacks_lost);
		EXPECT_EQ(none > 0, counters()->stacks_refused);
		EXPECT_EQ(0, fake.no_stacks);
		session_free(shown);
		end_round();
	}
}

TEST(what_is_shown_is_what_happened_whatever_is_lost)
{
	for (unsigned int round = 1; round <= 2000; round++) {
		const char *wrong = NULL;
		unsigned int drains;

		state = round * 0x9e3779b97f4a7c15ull;
		begin_round(one_in(4) ? 1 + draw(4) : MAX_SESSIONS, 4u << draw(7));
		draw_configuration();
		drains = 5 + draw(200);
		for (unsigned int i = 0; i < 600 && !wrong; i++) {
			if (!step(draw(FAKE_CPUS)))
				wrong = "the engine counted a session that ended differently";
			if (how.bursts && one_in(30))
				fake.ring_size = fake.ring_size ? 0 : how.ring_size;
			if (!wrong && one_in(drains))
				wrong = drain();
		}
		fake.ring_size = how.ring_size;
		if (!wrong && !come_to_an_end())
			wrong = "the engine counted a session that ended differently";
		wrong = wrong ?: drain();
		wrong = wrong ?: check_snapshots();
		vec_foreach(model, &round_of.all)
			wrong = wrong ?: check_unshown(*model);
		ASSERT_EQ(NULL, wrong)
		{
			TH_LOG("round %u: %s", round, wrong);
		}
		EXPECT_EQ(round_of.all.len, counters()->opened);
		tally.all_branches_lost += counters()->branches_lost;
		tally.cut += fake.refused > 0;
		end_round();
	}
	/* All of that was there to be tested. */
	EXPECT_GT(tally.shown, 10000);
	for (unsigned int i = 0; i < 4; i++)
		EXPECT_GT(tally.contexts[i], 500);
	EXPECT_GT(tally.branches, 5000);
	EXPECT_GT(tally.no_branches, 100);
	EXPECT_EQ(tally.no_branches, tally.all_branches_lost);
	EXPECT_GT(tally.lines, 100000);
	EXPECT_GT(tally.whole, 5000);
	EXPECT_GT(tally.losses, 700);
	EXPECT_GT(tally.no_durations, 300);
	EXPECT_GT(tally.deep, 1000);
	EXPECT_GT(tally.unseen, 300);
	EXPECT_GT(tally.cut, 500);
	EXPECT_GT(tally.dropped, 500);
	EXPECT_GT(tally.filtered_quietly, 2000);
	EXPECT_GT(tally.no_room, 500);
	EXPECT_GT(tally.given_up, 200);
	EXPECT_GT(tally.exits, 1000);
	EXPECT_GT(tally.keepers, 5000);
	EXPECT_GT(tally.shared, 1000);
}

TEST_HARNESS_MAIN
