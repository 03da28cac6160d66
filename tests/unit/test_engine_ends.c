// SPDX-License-Identifier: BSD-2-Clause
/*
 * How sessions end other than by their entry call's return: tasks that end, maps that are locked,
 * clocks that step back, stacks that are not the session's. And that the end of a session wakes the
 * reader.
 */
#include "unit.h"

#include "tests/unit/engine_model.h"
#include "util/trace/session/assembler.h"

#define ENTRY (&funcs[0])
#define OTHER_ENTRY (&funcs[1])
#define INNER (&funcs[3])
/* More than there are tasks and interrupts, so that only locked maps keep sessions from opening. */
#define SLOTS 32

FIXTURE(session_ends)
{
	uint64_t key;
};

FIXTURE_SETUP(session_ends)
{
	begin_round(SLOTS, 64);
	config.successes = 1;
	config.return_hooks[0] = HOOK;
	self->key = key_of(&walkers[0]);
	look_from(0);
}

FIXTURE_TEARDOWN(session_ends)
{
	end_round();
}

static void call(const struct traced_func *func, enum fate fate)
{
	enter(&walkers[0], func, fate, true, false, 16);
}

static uint32_t free_slot_count(void)
{
	return fake_map(&free_slots)->nr;
}

/* ---- tasks that end ---- */

TEST_F(session_ends, calls_that_a_task_ends_in_are_not_missed)
{
	call(ENTRY, SEEN);
	call(INNER, SEEN);
	task_ends(self->key, walkers[0].calls[1].sp - 64);
	EXPECT_EQ(0, counters()->missed_returns);
	EXPECT_EQ(NULL, session_of(self->key));
	EXPECT_EQ(SLOTS, free_slot_count());
}

TEST_F(session_ends, calls_that_were_over_before_the_task_ends_are_missed)
{
	call(ENTRY, SEEN);
	call(INNER, SKIPPED);
	leave(&walkers[0], 0);
	/* The stack pointer where the task ends is above the call that is over. */
	task_ends(self->key, walkers[0].calls[0].sp - 8);
	EXPECT_EQ(1, counters()->missed_returns);
	EXPECT_EQ(SLOTS, free_slot_count());
}

TEST_F(session_ends, a_stale_session_is_missed_when_the_task_ends_elsewhere)
{
	call(ENTRY, UNHOOKED);
	leave(&walkers[0], 0);
	task_ends(self->key, STACK_BASE(0));
	EXPECT_EQ(1, counters()->missed_returns);
	EXPECT_EQ(SLOTS, free_slot_count());
}

TEST_F(session_ends, trampolines_see_all_returns)
{
	how.trampolines = true;
	call(ENTRY, SEEN);
	call(INNER, SEEN);
	task_ends(self->key, walkers[0].calls[1].sp - 64);
	EXPECT_EQ(0, counters()->missed_returns);
	EXPECT_EQ(SLOTS, free_slot_count());
}

TEST_F(session_ends, what_an_ending_task_opens_is_closed_when_it_is_gone)
{
	for (unsigned int i = 0; i < 3 * SLOTS; i++) {
		task_ends(self->key, STACK_BASE(0));
		call(ENTRY, SEEN);
		EXPECT_EQ(SLOTS - 1, free_slot_count());
		task_ends(self->key, 0);
		EXPECT_EQ(SLOTS, free_slot_count());
		walkers[0].nr = 0;
	}
	EXPECT_EQ(0, counters()->no_slot);
	EXPECT_EQ(3 * SLOTS, counters()->opened);
	EXPECT_EQ(0, counters()->missed_returns);
	EXPECT_EQ(SLOTS, free_slot_count());
}

TEST_F(session_ends, the_trace_of_a_task_that_ends_is_withdrawn)
{
	struct event_header *last;

	config.trace_size = 8;
	for (unsigned int i = 0; i < 10; i++)
		call(i ? INNER : ENTRY, SEEN);
	ASSERT_LT(0, fake.records.len);
	task_ends(self->key, STACK_BASE(0));
	last = fake.records.data[fake.records.len - 1].data;
	EXPECT_EQ(EVENT_DROP, last->kind);
}

/* ---- whose mounts the task has ---- */


TEST_F(session_ends, a_task_has_the_mounts_of_the_machine_or_others)
{
	struct nsproxy machine = { (void *)0x1000 }, container = { (void *)0x2000 };
	struct {
		uint64_t known;
		struct nsproxy *has;
		bool host, own;
	} cases[] = { { 0x1000, &machine, true, false }, { 0x1000, &container, false, true },
		      { 0x1000, NULL, false, true }, { 0, &container, false, false } };

	for (unsigned int i = 0; i < 4; i++) {
		struct shown_session *shown;

		host_mounts = cases[i].known;
		walkers[0].task.nsproxy = cases[i].has;
		call(ENTRY, SEEN);
		leave(&walkers[0], 0);
		shown = last_shown();
		ASSERT_NE(NULL, shown);
		EXPECT_EQ(cases[i].host, shown->host_mounts);
		EXPECT_EQ(cases[i].own, shown->own_mounts);
		session_free(shown);
	}
	host_mounts = 0;
}

/* ---- locked maps ---- */

static unsigned int locked_one_in;

static bool locked_at_times(void)
{
	return one_in(locked_one_in);
}

TEST_F(session_ends, locked_maps_lose_no_slot_and_share_none)
{
	unsigned int busy = 0, failed = 0, reused = 0;

	for (unsigned int round = 1; round <= 200; round++) {
		const char *wrong = NULL;

		end_round();
		state = round * 0x9e3779b97f4a7c15ull;
		begin_round(SLOTS, 64);
		config.successes = draw(2);
		config.trace = draw(2);
		config.branches = draw(2);
		locked_one_in = 2 + draw(10);
		fake.gate_shift = one_in(2) ? 47 : 0;
		how.exits = one_in(3);
		fake.locked = locked_at_times;
		for (unsigned int i = 0; i < 500 && !wrong; i++) {
			step(draw(FAKE_CPUS));
			wrong = check_slots();
		}
		/* The model does not know what a locked map stopped: only the end counts. */
		come_to_an_end();
		wrong = wrong ?: check_slots();
		reused += owned_slots();
		fake.locked = NULL;
		for (unsigned int i = 0; i < NR_TASKS; i++)
			task_ends(key_of(&walkers[i]), 0);
		for (uint32_t i = 0; i < SLOTS; i++) {
			const struct session_state *session = fake_map(&slots)->values[i];

			if (session->depth && !wrong)
				wrong = "a session is left open";
		}
		wrong = wrong ?: check_slots();
		for (unsigned int i = 0; i <= GATES && !wrong; i++) {
			if (gates[i].open)
				wrong = "a gate counts a session that is closed";
		}
		if (config.branches && !wrong) {
			for (unsigned int i = 0; i < STACKS; i++) {
				if (sessions_on[i])
					wrong = "a stack has a session that is closed";
			}
		}
		ASSERT_EQ(NULL, wrong)
		{
			TH_LOG("round %u: %s", round, wrong);
		}
		busy += counters()->map_busy;
		failed += counters()->release_failed;
		EXPECT_EQ(0, counters()->no_slot);
	}
	/* All of that was there to be tested. */
	EXPECT_GT(busy, 500);
	EXPECT_GT(failed, 500);
	EXPECT_GT(reused, 100);
}

static bool locked_always(void)
{
	return true;
}

TEST_F(session_ends, a_session_that_could_not_be_given_back_is_used_again)
{
	for (unsigned int i = 0; i < 3; i++) {
		call(ENTRY, SEEN);
		fake.locked = locked_always;
		leave(&walkers[0], i);
		fake.locked = NULL;
		EXPECT_EQ(SLOTS - 1, free_slot_count());
	}
	EXPECT_EQ(3, counters()->opened);
	EXPECT_EQ(3, counters()->sent);
	EXPECT_EQ(3, counters()->release_failed);
	EXPECT_EQ(NULL, check_slots());
	/* A call that is no entry does not go on with it. */
	call(INNER, SEEN);
	leave(&walkers[0], 0);
	EXPECT_EQ(0, counters()->missed_entries);
	EXPECT_EQ(3, counters()->sent);
	task_ends(self->key, 0);
	EXPECT_EQ(SLOTS, free_slot_count());
}

TEST_F(session_ends, a_task_s_end_frees_slots_that_the_map_and_the_gate_lead_to)
{
	struct walker *other = &walkers[2];

	fake.gate_shift = 47;
	call(ENTRY, SEEN);
	cpus[0].stack[0] = other;
	look_from(0);
	enter(other, ENTRY, SEEN, true, false, 16);
	fake.locked = locked_always;
	leave(other, 0);
	fake.locked = NULL;
	cpus[0].stack[0] = &walkers[0];
	look_from(0);
	leave(&walkers[0], 0);
	EXPECT_FALSE(gate_is_open());
	EXPECT_EQ(SLOTS - 1, free_slot_count());
	/* Now it is alone: the slot in the map stays there. */
	cpus[0].stack[0] = other;
	look_from(0);
	enter(other, ENTRY, SEEN, true, false, 16);
	EXPECT_EQ(SLOTS - 2, free_slot_count());
	EXPECT_EQ(NULL, check_slots());
	task_ends(key_of(other), other->calls[0].sp - 64);
	EXPECT_EQ(SLOTS, free_slot_count());
	EXPECT_EQ(0, fake_map(&sessions)->nr);
	EXPECT_FALSE(gate_is_open());
	EXPECT_EQ(0, counters()->missed_returns);
}

TEST_F(session_ends, calls_while_maps_are_locked_are_not_taken_for_too_many)
{
	fake.locked = locked_always;
	call(ENTRY, SEEN);
	leave(&walkers[0], 0);
	EXPECT_EQ(1, counters()->map_busy);
	EXPECT_EQ(0, counters()->no_slot);
	fake.locked = NULL;
	for (unsigned int i = 0; i < SLOTS; i++) {
		uint32_t index;

		bpf_map_pop_elem(&free_slots, &index);
	}
	call(ENTRY, SEEN);
	leave(&walkers[0], 0);
	EXPECT_EQ(1, counters()->map_busy);
	EXPECT_EQ(1, counters()->no_slot);
	EXPECT_EQ(0, fake_map(&sessions)->nr);
}

/* ---- clocks that step back ---- */

TEST_F(session_ends, a_clock_that_steps_back_makes_no_long_call)
{
	struct shown_session *shown;

	config.longer_ns = 1000;
	call(ENTRY, SEEN);
	fake.now_ns -= 5000;
	leave(&walkers[0], 0);
	EXPECT_EQ(1, counters()->filtered);
	EXPECT_EQ(NULL, last_shown());

	config.longer_ns = 0;
	config.fn_longer_ns = 1000;
	call(ENTRY, SEEN);
	call(INNER, SEEN);
	fake.now_ns -= 5000;
	leave(&walkers[0], 0);
	leave(&walkers[0], 0);
	EXPECT_EQ(2, counters()->filtered);
	EXPECT_EQ(NULL, last_shown());

	config.fn_longer_ns = 0;
	call(ENTRY, SEEN);
	call(INNER, SEEN);
	fake.now_ns -= 5000;
	leave(&walkers[0], 0);
	leave(&walkers[0], 0);
	shown = last_shown();
	ASSERT_NE(NULL, shown);
	EXPECT_EQ(0, shown->frames[0].duration_ns);
	EXPECT_EQ(shown->start_ns, shown->end_ns);
	ASSERT_EQ(3, shown->nr_calls);
	/* The trace leaves out durations that it cannot know. */
	for (uint32_t i = 1; i < 3; i++)
		EXPECT_FALSE(shown->calls[i].has_duration);
	session_free(shown);
}

TEST_F(session_ends, a_clock_that_steps_back_is_no_time_in_summaries)
{
	struct summary_key key = { .func = ENTRY->id, .err = SUMMARY_SUCCESS };
	struct summary_row *row;

	config.summary = 1;
	config.trace = 0;
	fake_add(&summary, FAKE_HASH, sizeof(struct summary_key), sizeof(struct summary_row), 4);
	fake_add(&summary_zero, FAKE_ARRAY, 4, sizeof(struct summary_row), 1);
	call(ENTRY, SEEN);
	fake.now_ns -= 5000;
	leave(&walkers[0], 0);
	row = bpf_map_lookup_elem(&summary, &key);
	ASSERT_NE(NULL, row);
	EXPECT_EQ(1, row->count);
	EXPECT_EQ(0, row->total_ns);
	EXPECT_EQ(0, row->max_ns);
	EXPECT_EQ(1, row->buckets[0]);
}

/* Calls of @by that are counted for @group. */
static uint64_t counted(enum summary_by by, struct summary_group group, __s32 err)
{
	struct summary_key key = { .func = ENTRY->id, .err = err, .group = group };
	const struct summary_row *row;

	config.summary_by = by;
	call(ENTRY, SEEN);
	call(INNER, SEEN);
	leave(&walkers[0], err == SUMMARY_SUCCESS ? 0 : -err);
	leave(&walkers[0], err == SUMMARY_SUCCESS ? 0 : -err);
	row = bpf_map_lookup_elem(&summary, &key);
	return row ? row->count : 0;
}

TEST_F(session_ends, summaries_have_a_row_for_each_group)
{
	struct summary_group process = { .id = walkers[0].task.tgid };
	struct summary_group name = {};

	config.summary = 1;
	config.trace = 0;
	config.cgroup_ids = 1;
	fake.cgroup = 77;
	fake_add(&summary, FAKE_HASH, sizeof(struct summary_key), sizeof(struct summary_row), 8);
	fake_add(&summary_zero, FAKE_ARRAY, 4, sizeof(struct summary_row), 1);
	fake_add(&producers, FAKE_HASH, sizeof(struct producer_key), sizeof(uint64_t), 8);
	memcpy(name.comm, walkers[0].task.comm, sizeof(name.comm));
	memcpy(process.comm, walkers[0].task.comm, sizeof(process.comm));
	EXPECT_EQ(1, counted(SUMMARY_BY_NOTHING, (struct summary_group){}, 22));
	EXPECT_EQ(1, counted(SUMMARY_BY_PROCESS, process, 22));
	EXPECT_EQ(2, counted(SUMMARY_BY_PROCESS, process, 22));
	EXPECT_EQ(1, counted(SUMMARY_BY_COMM, name, 22));
	EXPECT_EQ(1, counted(SUMMARY_BY_CGROUP, (struct summary_group){ .id = 77 }, 22));
	EXPECT_EQ(1, counted(SUMMARY_BY_PRODUCER, (struct summary_group){ .id = INNER->id + 1 }, 22));
	EXPECT_EQ(1, counted(SUMMARY_BY_PRODUCER, (struct summary_group){}, SUMMARY_SUCCESS));
}

/* counted() for export, which groups by producer, too. @host whether the task has the machine's mounts */
static uint64_t counted_of_cgroup(bool host)
{
	struct summary_key key = { .func = ENTRY->id, .err = 22, .producer = INNER->id + 1,
				   .group = { .id = 77, .host_mounts = host } };
	const struct summary_row *row;

	call(ENTRY, SEEN);
	call(INNER, SEEN);
	leave(&walkers[0], -22);
	leave(&walkers[0], -22);
	row = bpf_map_lookup_elem(&summary, &key);
	return row ? row->count : 0;
}

TEST_F(session_ends, counts_for_export_tell_outsiders_from_the_container_s_own_tasks)
{
	struct nsproxy machine = { (void *)0x1000 }, container = { (void *)0x2000 };

	config.summary = config.summary_producers = config.cgroup_ids = 1;
	config.summary_by = SUMMARY_BY_CGROUP;
	config.trace = 0;
	fake.cgroup = 77;
	host_mounts = 0x1000;
	fake_add(&summary, FAKE_HASH, sizeof(struct summary_key), sizeof(struct summary_row), 8);
	fake_add(&summary_zero, FAKE_ARRAY, 4, sizeof(struct summary_row), 1);
	fake_add(&producers, FAKE_HASH, sizeof(struct producer_key), sizeof(uint64_t), 8);
	walkers[0].task.nsproxy = &container;
	EXPECT_EQ(1, counted_of_cgroup(false));
	EXPECT_EQ(2, counted_of_cgroup(false));
	walkers[0].task.nsproxy = &machine;
	EXPECT_EQ(1, counted_of_cgroup(true));
	host_mounts = 0;
}

TEST_F(session_ends, a_call_without_room_in_a_summary_is_lost_once)
{
	struct summary_key key = { .func = ENTRY->id, .err = 22 };
	struct producer_key other = { .func = 1 };
	uint64_t one = 1;

	config.summary = 1;
	config.trace = 0;
	fake_add(&summary, FAKE_HASH, sizeof(struct summary_key), sizeof(struct summary_row), 1);
	fake_add(&summary_zero, FAKE_ARRAY, 4, sizeof(struct summary_row), 1);
	fake_add(&producers, FAKE_HASH, sizeof(struct producer_key), sizeof(uint64_t), 1);
	ASSERT_EQ(0, bpf_map_update_elem(&producers, &other, &one, 0));
	call(ENTRY, SEEN);
	leave(&walkers[0], -22);
	EXPECT_NE(NULL, bpf_map_lookup_elem(&summary, &key));
	EXPECT_EQ(1, counters()->summary_lost);
	call(ENTRY, SEEN);
	leave(&walkers[0], -23);
	EXPECT_EQ(2, counters()->summary_lost);

	/* Rows by producer have all that export needs. */
	config.summary_producers = 1;
	ASSERT_EQ(0, bpf_map_delete_elem(&summary, &key));
	key.producer = ENTRY->id + 1;
	call(ENTRY, SEEN);
	leave(&walkers[0], -22);
	EXPECT_NE(NULL, bpf_map_lookup_elem(&summary, &key));
	EXPECT_EQ(2, counters()->summary_lost);
}

/* ---- other stacks ---- */

TEST_F(session_ends, entry_calls_on_another_stack_are_counted)
{
	call(ENTRY, SEEN);
	on_entry((void *)STACK_BASE(5), cookie_of(OTHER_ENTRY), true, STACK_BASE(5));
	EXPECT_EQ(1, counters()->elsewhere);
	/* Without a session of its own it was not to be shown. */
	on_entry((void *)STACK_BASE(5), cookie_of(INNER), true, STACK_BASE(5));
	EXPECT_EQ(1, counters()->elsewhere);
	EXPECT_EQ(1, counters()->opened);
	leave(&walkers[0], 0);
	EXPECT_EQ(1, counters()->sent);
}

/* ---- the reader ---- */

/* It reads up to @upto, or all there is, and then sleeps. */
static void reader_reads(uint64_t upto)
{
	fake.consumed = upto;
	if (fake.consumed == fake.produced)
		fake.reader_wakes = false;
}

TEST_F(session_ends, the_end_of_a_session_wakes_a_reader_that_sleeps)
{
	config.stacks = 1;
	for (unsigned int i = 0; i < 10; i++) {
		call(ENTRY, SEEN);
		leave(&walkers[0], i);
		EXPECT_TRUE(fake.reader_wakes);
		EXPECT_EQ(i + 1, fake.wakeups);
		reader_reads(fake.produced);
	}
}

TEST_F(session_ends, a_reader_that_is_on_its_way_is_not_woken_again)
{
	uint64_t read_to = 0;

	config.stacks = 1;
	for (unsigned int i = 0; i < 100; i++) {
		call(ENTRY, SEEN);
		leave(&walkers[0], i);
	}
	EXPECT_EQ(1, fake.wakeups);
	/* It is behind: what it was woken for is read, the rest not yet. */
	read_to = fake.produced;
	call(ENTRY, SEEN);
	leave(&walkers[0], 0);
	reader_reads(read_to);
	for (unsigned int i = 0; i < 100; i++) {
		call(ENTRY, SEEN);
		leave(&walkers[0], i);
	}
	EXPECT_EQ(2, fake.wakeups);
	EXPECT_TRUE(fake.reader_wakes);
}

TEST_F(session_ends, records_of_others_do_not_keep_the_reader_asleep)
{
	/* One CPU's part of a session, sent without waking, is unread when the other's ends. */
	config.stacks = 1;
	call(ENTRY, SEEN);
	leave(&walkers[0], 0);
	reader_reads(fake.produced);
	for (unsigned int i = 0; i < 5; i++) {
		struct event_header header = { EVENT_STACK, sizeof(header), 99 };

		ring_send(&header, sizeof(header), BPF_RB_NO_WAKEUP);
		EXPECT_FALSE(fake.reader_wakes);
		call(ENTRY, SEEN);
		leave(&walkers[0], 0);
		EXPECT_TRUE(fake.reader_wakes);
		reader_reads(fake.produced);
	}
}

TEST_HARNESS_MAIN
