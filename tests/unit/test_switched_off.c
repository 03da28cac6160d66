// SPDX-License-Identifier: BSD-2-Clause
/* What nothing is heard of, by the switch that is off. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "util/kernel/arch/arch.h"
#include "util/kernel/machine/machine.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/plan/points/probes.h"
#include "util/plan/switched_off.h"

FIXTURE(switched_off)
{
	struct plan plan;
	struct attached attached;
	struct probes probes;
	struct switches switches;
};

/* Both are on; on every rung there is a function, and one that could not be attached to. */
FIXTURE_SETUP(switched_off)
{
	static const struct probe points[] = {
		{ .kind = PROBE_KPROBE }, { .kind = PROBE_KPROBE, .offset = 4 },
		{ .kind = PROBE_KRETPROBE }, { .kind = PROBE_TP }, { .kind = PROBE_RAWTP },
	};

	memset(self, 0, sizeof(*self));
	for (int rung = 0; rung <= RUNG_AUTO; rung++) {
		struct plan_func func = { .name = "f" };

		if (vec_push(&self->plan.funcs, func))
			abort();
	}
	if (attached_init(&self->attached, &self->plan))
		abort();
	for (int rung = 0; rung <= RUNG_AUTO; rung++)
		self->attached.rungs[rung] = rung;
	for (size_t i = 0; i < ARRAY_SIZE(points); i++) {
		if (vec_push(&self->probes.v, points[i]))
			abort();
	}
	self->switches.ftrace.value = self->switches.kprobes.value = 1;
}

FIXTURE_TEARDOWN(switched_off)
{
	vec_release(&self->plan.funcs);
	attached_release(&self->attached);
	vec_release(&self->probes.v);
}

static struct switched_off count(FIXTURE_DATA(switched_off) * self)
{
	return switched_off_count(&self->plan, &self->attached, &self->switches);
}

TEST_F(switched_off, with_all_switched_on_everything_is_heard)
{
	EXPECT_EQ(0, count(self).by_ftrace);
	EXPECT_EQ(0, count(self).by_kprobes);
	self->plan.probes = &self->probes;
	EXPECT_EQ(0, count(self).by_ftrace);
	EXPECT_EQ(0, count(self).by_kprobes);
}

TEST_F(switched_off, kprobes_are_one_rung_and_some_of_the_points)
{
	self->switches.kprobes.value = 0;
	EXPECT_EQ(0, count(self).by_ftrace);
	EXPECT_EQ(1, count(self).by_kprobes);
	self->plan.probes = &self->probes;
	EXPECT_EQ(4, count(self).by_kprobes);
	EXPECT_EQ(0, count(self).by_ftrace);
}

TEST_F(switched_off, every_rung_stands_on_ftrace_and_points_where_functions_begin)
{
	const bool all = arch_native->kprobes_on_ftrace;

	self->switches.ftrace.value = 0;
	EXPECT_EQ(all ? NR_RUNGS : NR_RUNGS - 1, count(self).by_ftrace);
	EXPECT_EQ(0, count(self).by_kprobes);
	self->plan.probes = &self->probes;
	EXPECT_EQ(all ? NR_RUNGS + 2 : NR_RUNGS - 1, count(self).by_ftrace);
}

TEST_F(switched_off, a_switch_that_cannot_be_read_is_not_taken_to_be_off)
{
	self->switches.ftrace = (struct kernel_setting){ .err = -ENOENT };
	self->switches.kprobes = (struct kernel_setting){ .err = -EACCES };
	EXPECT_EQ(0, count(self).by_ftrace);
	EXPECT_EQ(0, count(self).by_kprobes);
}

TEST_HARNESS_MAIN
