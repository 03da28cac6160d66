// SPDX-License-Identifier: BSD-2-Clause
/* CPUs whose programs run at once: whenever one uses a map, others may be anywhere in theirs. */
#include "unit.h"

#include "tests/unit/engine_model.h"

#define SLOTS 32

static struct {
	bool inside[FAKE_CPUS]; /* a program runs there */
	unsigned int nr, one_in, locked_one_in;
} race;

static unsigned int races;

static bool locked_at_times(void)
{
	return one_in(race.locked_one_in);
}

static void others_step(void)
{
	const unsigned int me = fake.cpu, other = draw(FAKE_CPUS);
	const struct event_branch branch = cpu_branch;
	struct task_struct *task = fake.task;

	race.inside[me] = true;
	if (race.inside[other] || !one_in(race.one_in))
		return;
	race.inside[other] = true;
	race.nr++;
	races++;
	time_stands = true;
	for (unsigned int i = 1 + draw(6); i; i--)
		step(other);
	race.nr--;
	time_stands = race.nr;
	race.inside[other] = false;
	fake.cpu = me;
	fake.task = task;
	cpu_branch = branch;
}

/* What the model cannot know is when a map was locked. */
static const char *check_counts(void)
{
	const struct event_stats *now = counters();

	if (now->missed_entries || now->missed_returns || now->map_busy || now->release_failed ||
	    now->no_slot)
		return "something was missed";
	return check_snapshots();
}

TEST(sessions_that_open_and_close_at_once_have_slots_of_their_own)
{
	for (unsigned int round = 1; round <= 150; round++) {
		const char *wrong = NULL;
		bool locked;

		state = round * 0x9e3779b97f4a7c15ull;
		begin_round(SLOTS, 64);
		memset(&race, 0, sizeof(race));
		config.successes = draw(2);
		config.trace = draw(2);
		race.locked_one_in = 4 + draw(20);
		race.one_in = 2 + draw(30);
		fake.gate_shift = one_in(4) ? 17 : 47;
		how.exits = one_in(3);
		locked = one_in(2);
		fake.locked = locked ? locked_at_times : NULL;
		for (unsigned int i = 0; i < 400 && !wrong; i++) {
			fake.others = others_step;
			step(draw(FAKE_CPUS));
			fake.others = NULL;
			memset(race.inside, 0, sizeof(race.inside));
			wrong = check_slots();
			if (!locked)
				wrong = wrong ?: check_counts();
		}
		come_to_an_end();
		if (!locked && config.trace)
			wrong = wrong ?: drain();
		fake.locked = NULL;
		for (unsigned int i = 0; i < NR_TASKS; i++)
			task_ends(key_of(&walkers[i]), 0);
		wrong = wrong ?: check_slots();
		for (unsigned int i = 0; i <= GATES; i++) {
			if (gates[i].open)
				wrong = wrong ?: "a gate counts a session that is closed";
		}
		ASSERT_EQ(NULL, wrong)
		{
			TH_LOG("round %u: %s", round, wrong);
		}
		end_round();
	}
	/* All of that was there to be tested. */
	EXPECT_GT(races, 10000);
	EXPECT_GT(tally.keepers, 300);
	EXPECT_GT(tally.shared, 3000);
}

TEST_HARNESS_MAIN
