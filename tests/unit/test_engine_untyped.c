// SPDX-License-Identifier: BSD-2-Clause
/* The engine for kernels that do not describe their types (NO_KERNEL_BTF): whose a point in between is. */
#define NO_KERNEL_BTF
#include "unit.h"

#include "tests/unit/fake_bpf.h"

/* `#pragma unroll` is clang's. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#include "bpf/probe.bpf.h"
#pragma GCC diagnostic pop

#define TRACE_EDGES 64
#define FUNC 7
#define COOKIE (FUNC | COOKIE_ENTRY | (__u64)RETURN_INT32 << COOKIE_RETURNS_SHIFT)
#define SP 0xffffc90000004000ull
#define NMI_STACK 0xfffffe0000009f50ull
#define HARDIRQ 0x10000
#define BREAKPOINT (0x11 * HARDIRQ)

FIXTURE(engine_untyped)
{
	struct task_struct task;
	struct pt_regs regs;
	uint64_t per_cpu_offsets[FAKE_CPUS];
	uint32_t count;		/* the preempt count */
};

static int read_memory_of_this_test(void *to, uint32_t size, uint64_t addr)
{
	if (addr < 4096 || addr >> 63)
		return -EFAULT;
	memcpy(to, (const void *)(uintptr_t)addr, size);
	return 0;
}

FIXTURE_SETUP(engine_untyped)
{
	uint32_t none = 0;

	memset((void *)&config, 0, sizeof(config));
	config.trace = config.successes = config.probes = config.nmi = 1;
	config.attach_cookies = 1;
	config.trace_size = TRACE_EDGES;
	config.max_depth = EVENT_MAX_DEPTH;
	config.contexts = (struct config_contexts){
		.softirq = 0x100,
		.hardirqs = HARDIRQ * 0xf,
		.nmis = HARDIRQ * 0x70,
		.any = 0x100 | HARDIRQ * 0x7f,
		.breakpoint = BREAKPOINT,
	};
	config.per_cpu_offsets = (uintptr_t)self->per_cpu_offsets;
	config.preempt_count = (uintptr_t)&self->count;
	recording = 1;
	fake_add(&events, FAKE_ARRAY, 4, 1, 0);
	fake_add(&sessions, FAKE_HASH, 8, 4, 4);
	fake_add(&slots, FAKE_ARRAY, 4, sizeof(struct slot) + TRACE_EDGES * sizeof(struct event_call) + ARGS_MAX_BYTES,
		 1);
	fake_add(&free_slots, FAKE_STACK, 0, 4, 1);
	fake_add(&stats, FAKE_ARRAY, 4, sizeof(struct event_stats), 1);
	fake_add(&probe_data, FAKE_ARRAY, 4, sizeof(struct probe_data), 1);
	*(struct probe_data *)bpf_map_lookup_elem(&probe_data, &none) =
		(struct probe_data){ .size = sizeof(self->regs) };
	bpf_map_push_elem(&free_slots, &none, 0);
	fake.now_ns = 1000;
	fake.ring_size = SIZE_MAX;
	fake.read_any = read_memory_of_this_test;
	self->task = (struct task_struct){ .pid = 5, .tgid = 5 };
	fake.task = &self->task;
}

FIXTURE_TEARDOWN(engine_untyped)
{
	fake_release();
}

/* The number of points that the session of a call keeps if a kprobe is hit at @sp while @count is the preempt count. */
static size_t points_kept(FIXTURE_DATA(engine_untyped) *self, uint32_t count, uint64_t sp)
{
	const struct event_calls *calls;
	const struct event_call *edges;
	size_t nr = 0;

	self->count = 0;
	on_entry(NULL, COOKIE, true, SP);
	self->count = count;
	on_probe(&self->regs, 0, kprobe_context(sp), sp, false);
	self->count = 0;
	engine_exit(NULL, COOKIE, SP, 0, 0);
	calls = fake.records.data[fake.records.len - 2].data;
	if (calls->header.kind != EVENT_CALLS)
		abort();
	edges = (const struct event_call *)(calls + 1);
	for (size_t i = 0; i < (calls->header.size - sizeof(*calls)) / sizeof(*edges); i++) {
		if (CALL_KIND(edges[i].what) != CALL_PROBE)
			continue;
		nr++;
		i += (edges[i].value + 15) / sizeof(*edges);
	}
	return nr;
}

TEST_F(engine_untyped, a_breakpoint_on_the_tasks_stack_is_the_tasks)
{
	EXPECT_EQ(1, points_kept(self, BREAKPOINT, SP - 0x50));
	/* One that became a jump. */
	EXPECT_EQ(1, points_kept(self, 0, SP - 0x50));
}

TEST_F(engine_untyped, an_nmi_over_the_task_has_another_stack)
{
	EXPECT_EQ(0, points_kept(self, BREAKPOINT, NMI_STACK));
	EXPECT_EQ(0, points_kept(self, BREAKPOINT * 2, NMI_STACK));
}

TEST_HARNESS_MAIN
