// SPDX-License-Identifier: BSD-2-Clause
/*
 * Points in between, as the engine sees them: which session they belong to, what is kept of them, and
 * that one which is passed while the engine is at work leaves that alone.
 */
#include "unit.h"

#include "tests/unit/fake_bpf.h"
#include "util/trace/attach/contexts.h"

/* `#pragma unroll` is clang's. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#include "bpf/probe.bpf.h"
#pragma GCC diagnostic pop

#define TRACE_EDGES 1024
#define FUNC 7
#define COOKIE (FUNC | COOKIE_ENTRY | (__u64)RETURN_INT32 << COOKIE_RETURNS_SHIFT)
#define SP 0xffffc90000004000ull
#define STACK_TOP (SP & ~(__u64)(TASK_STACK_MAX - 1))

enum { KPROBE, TRACEPOINT, RAW, NR_PROBES };

FIXTURE(engine_probes)
{
	struct task_struct task;
	struct pt_regs regs;
};

static int read_memory_of_this_test(void *to, uint32_t size, uint64_t addr)
{
	if (addr < 4096 || addr >> 63)
		return -EFAULT;
	memcpy(to, (const void *)(uintptr_t)addr, size);
	return 0;
}

static void describe_probe(uint32_t probe, uint16_t size)
{
	*(struct probe_data *)bpf_map_lookup_elem(&probe_data, &probe) =
		(struct probe_data){ .size = size };
}

/* @hardirq	what one adds to the preempt count */
static void take_layout(uint32_t hardirq)
{
	const struct context_facts facts = { .found = true, .typed = true, .bytes = 8,
					     .seen_hardirq = hardirq };
	struct contexts contexts;

	contexts_choose(&facts, &contexts);
	config.contexts = contexts.bits;
}

FIXTURE_SETUP(engine_probes)
{
	uint32_t slot = 0;

	memset((void *)&config, 0, sizeof(config));
	config.preempt_variable = 1;
	config.trace = config.successes = config.probes = config.nmi = 1;
	config.attach_cookies = 1;
	config.trace_size = TRACE_EDGES;
	config.max_depth = EVENT_MAX_DEPTH;
	take_layout(0x10000);
	recording = 1;
	fake_add(&events, FAKE_ARRAY, 4, 1, 0);
	fake_add(&sessions, FAKE_HASH, 8, 4, 4);
	fake_add(&slots, FAKE_ARRAY, 4,
		 sizeof(struct slot) + TRACE_EDGES * sizeof(struct event_call) + ARGS_MAX_BYTES, 1);
	fake_add(&free_slots, FAKE_STACK, 0, 4, 1);
	fake_add(&stats, FAKE_ARRAY, 4, sizeof(struct event_stats), 1);
	fake_add(&arg_items, FAKE_ARRAY, 4, sizeof(struct arg_items), FUNC + 1);
	fake_add(&probe_data, FAKE_ARRAY, 4, sizeof(struct probe_data), NR_PROBES);
	fake_add(&probe_args, FAKE_ARRAY, 4, sizeof(struct arg_items), NR_PROBES);
	bpf_map_push_elem(&free_slots, &slot, 0);
	fake.now_ns = 1000;
	fake.ring_size = SIZE_MAX;
	fake.read_any = read_memory_of_this_test;
	self->task = (struct task_struct){ .stack = (void *)STACK_TOP, .pid = 5, .tgid = 5 };
	self->task.group_leader = &self->task;
	fake.task = &self->task;
	describe_probe(KPROBE, sizeof(self->regs));
}

FIXTURE_TEARDOWN(engine_probes)
{
	fake_release();
}

static const struct event_stats *counted(void)
{
	uint32_t zero = 0;

	return bpf_map_lookup_elem(&stats, &zero);
}

/* What the context's first bytes are, of which the engine is not to look at more than it is told. */
static void *exactly(const void *data, size_t size)
{
	return fake_copy(data, size);
}

/* The edges that the session has sent; one part. */
static const struct event_call *edges_sent(size_t *ret_nr)
{
	const struct event_calls *calls = fake.records.len ? fake.records.data[0].data : NULL;

	if (!calls || calls->header.kind != EVENT_CALLS)
		abort();
	*ret_nr = (fake.records.data[0].size - sizeof(*calls)) / sizeof(struct event_call);
	return (const struct event_call *)(calls + 1);
}

#define ENTER() on_entry(NULL, COOKIE, true, SP)
#define LEAVE() engine_exit(NULL, COOKIE, SP, 0, 0)

TEST_F(engine_probes, a_point_outside_of_sessions_keeps_nothing)
{
	on_probe(&self->regs, KPROBE, CONTEXT_TASK, 0, false);
	ENTER();
	/* Another context, another session. */
	on_probe(&self->regs, KPROBE, CONTEXT_SOFTIRQ, 0, false);
	LEAVE();
	on_probe(&self->regs, KPROBE, CONTEXT_TASK, 0, false);

	size_t nr;
	const struct event_call *edges = edges_sent(&nr);

	ASSERT_EQ(2, nr);
	EXPECT_EQ(CALL_ENTER, CALL_KIND(edges[0].what));
	EXPECT_EQ(CALL_RETURN, CALL_KIND(edges[1].what));
	EXPECT_EQ(0, counted()->probes_skipped);
}

/* A program may be preempted while it reads. */
static int read_slowly(void *to, uint32_t size, uint64_t addr)
{
	fake.now_ns += 4 * (uint64_t)CALL_MAX_DELTA;
	return read_memory_of_this_test(to, size, addr);
}

TEST_F(engine_probes, slow_reading_moves_no_later_times)
{
	const struct arg_items items = { .nr = 1, .max_bytes = 16, .items = {
		{ .kind = ARG_MEMORY, .source = ARG_REGISTER, .size = 8 } } };
	uint64_t text = 0x1122334455667788, args[16] = { (uintptr_t)&text };
	const struct event_call *edges;
	uint32_t func = FUNC;
	size_t nr, i = 0;

	config.args = 1;
	*(struct arg_items *)bpf_map_lookup_elem(&arg_items, &func) = items;
	fake.read_any = read_slowly;
	on_entry(args, COOKIE, true, SP);
	fake.read_any = read_memory_of_this_test;
	EXPECT_LT(CALL_MAX_DELTA, fake.now_ns);
	fake.now_ns += 7;
	LEAVE();

	edges = edges_sent(&nr);
	ASSERT_LT(2, nr);
	EXPECT_EQ(CALL_ENTER, CALL_KIND(edges[i].what));
	i += 1 + ARGS_SIZE(edges[i].value) / sizeof(edges[0]);
	ASSERT_EQ(nr, i + 2);
	EXPECT_EQ(CALL_CLOCK, CALL_KIND(edges[i].what));
	EXPECT_EQ(fake.now_ns, edges[i].value);
	EXPECT_EQ(CALL_RETURN, CALL_KIND(edges[i + 1].what));
}

TEST_F(engine_probes, a_point_keeps_its_context_as_it_is)
{
	struct pt_regs *regs;
	const struct event_call *edges;
	size_t nr;

	self->regs.rax = 0x1122;
	self->regs.ss = 0x18;
	regs = exactly(&self->regs, sizeof(self->regs));
	ENTER();
	fake.now_ns += 50;
	on_probe(regs, KPROBE, CONTEXT_TASK, 0, false);
	fake.now_ns += 7;
	LEAVE();
	edges = edges_sent(&nr);
	/* 168 bytes take 10.5 edges. */
	ASSERT_EQ(1 + 1 + 11 + 1, nr);
	EXPECT_EQ(CALL_PROBE, CALL_KIND(edges[1].what));
	EXPECT_EQ(50, CALL_DELTA(edges[1].what));
	EXPECT_EQ(KPROBE, edges[1].func);
	EXPECT_EQ(176, ARGS_SIZE(edges[1].value));
	EXPECT_EQ(0, memcmp(&edges[2], regs, sizeof(*regs)));
	EXPECT_EQ(CALL_RETURN, CALL_KIND(edges[13].what));
	EXPECT_EQ(7, CALL_DELTA(edges[13].what));
	free(regs);
}

TEST_F(engine_probes, memory_that_a_register_leads_to_is_behind_the_registers)
{
	static const uint8_t memory[8] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88 };
	struct {
		struct pt_regs regs;
	} context = { .regs.rdi = (uintptr_t)memory + 16 }, *ctx;
	uint32_t probe = KPROBE;
	const struct event_call *edges;
	struct {
		struct pt_regs regs;
		struct probe_tail tail;
	} data;
	const struct {
		uint64_t other;
		const char *name;
	} object = { 0, "eth0" };
	const void *pointer[] = { NULL, &object };
	size_t nr;

	*(struct probe_data *)bpf_map_lookup_elem(&probe_data, &probe) = (struct probe_data){
		.size = sizeof(context) + sizeof(struct probe_tail),
		.has_tail = 1,
		.memory_size = 4,
		.memory_register = offsetof(struct pt_regs, rdi) / 8,
		.memory_at = -14,
		/* The name of what the second pointer there leads to. */
		.names = { {}, { offsetof(struct pt_regs, rsi) / 8, 3, { 8, 8, 0 } } },
	};
	context.regs.rsi = (uintptr_t)pointer;
	ctx = exactly(&context, sizeof(context));
	ENTER();
	on_probe(ctx, KPROBE, CONTEXT_TASK, 0, false);
	ctx->regs.rdi = ctx->regs.rsi = 64;
	on_probe(ctx, KPROBE, CONTEXT_TASK, 0, false);
	LEAVE();
	edges = edges_sent(&nr);
	ASSERT_EQ(1 + (1 + 16) * 2 + 1, nr);
	EXPECT_EQ(sizeof(data) + 8, ARGS_SIZE(edges[1].value));
	memcpy(&data, &edges[2], sizeof(data));
	EXPECT_EQ((uintptr_t)memory + 16, data.regs.rdi);
	EXPECT_EQ(0x66554433, data.tail.value);
	EXPECT_EQ(1, data.tail.is_read);
	EXPECT_STREQ("", data.tail.names[0]);
	EXPECT_STREQ("eth0", data.tail.names[1]);
	/* Nothing is there. */
	memcpy(&data, &edges[19], sizeof(data));
	EXPECT_EQ(0, data.tail.value);
	EXPECT_EQ(0, data.tail.is_read);
	EXPECT_STREQ("", data.tail.names[1]);
	free(ctx);
}

/* A number, what a pointer leads to, and one that leads nowhere. */
static void describe_raw(void)
{
	uint32_t probe = RAW;
	struct arg_items *items = bpf_map_lookup_elem(&probe_args, &probe);

	describe_probe(RAW, 3 * sizeof(uint64_t));
	*items = (struct arg_items){
		.nr = 3,
		.max_bytes = 48,
		.items = {
			{ .kind = ARG_VALUE, .index = 9, .slot = 0, .size = 4 },
			{ .kind = ARG_MEMORY, .index = 9, .slot = 1, .size = 16, .flags = ARG_USER },
			{ .kind = ARG_MEMORY, .index = 9, .slot = 2, .size = 16 },
		},
	};
}

TEST_F(engine_probes, a_raw_tracepoints_arguments_are_captured_as_functions_are)
{
	static const uint64_t there[2] = { 0xaaaa, 0xbbbb };
	const uint64_t args[3] = { 0xffffffff00000005, (uintptr_t)there, 64 };
	const struct event_call *edges;
	struct {
		uint32_t number;
		uint64_t memory[2], pointer;
	} __attribute__((packed)) data;
	uint64_t *ctx;
	size_t nr;

	describe_raw();
	ctx = exactly(args, sizeof(args));
	ENTER();
	on_probe(ctx, RAW, CONTEXT_TASK, 0, true);
	LEAVE();
	edges = edges_sent(&nr);
	ASSERT_EQ(1 + 1 + 2 + 1, nr);
	EXPECT_EQ(CALL_PROBE, CALL_KIND(edges[1].what));
	EXPECT_EQ(RAW, edges[1].func);
	EXPECT_EQ(32, ARGS_SIZE(edges[1].value));
	EXPECT_EQ(1 << 2, ARGS_UNREAD(edges[1].value));
	memcpy(&data, &edges[2], sizeof(data));
	EXPECT_EQ(5, data.number);
	EXPECT_EQ(0xaaaa, data.memory[0]);
	EXPECT_EQ(0xbbbb, data.memory[1]);
	EXPECT_EQ(64, data.pointer);
	EXPECT_EQ(CALL_RETURN, CALL_KIND(edges[4].what));
	free(ctx);
}

TEST_F(engine_probes, an_empty_string_of_user_space_takes_its_place)
{
	const uint64_t args[3] = { (uintptr_t)"", (uintptr_t)"/mnt", 0x77 };
	uint32_t probe = RAW;
	const struct event_call *edges;
	uint64_t *ctx;
	size_t nr;

	describe_probe(RAW, 3 * sizeof(uint64_t));
	*(struct arg_items *)bpf_map_lookup_elem(&probe_args, &probe) = (struct arg_items){
		.nr = 3,
		.max_bytes = 48,
		.items = {
			{ .kind = ARG_STRING, .slot = 0, .size = 17, .flags = ARG_USER },
			{ .kind = ARG_STRING, .slot = 1, .size = 17, .flags = ARG_USER },
			{ .kind = ARG_VALUE, .index = 9, .slot = 2, .size = 8 },
		},
	};
	ctx = exactly(args, sizeof(args));
	ENTER();
	on_probe(ctx, RAW, CONTEXT_TASK, 0, true);
	LEAVE();
	edges = edges_sent(&nr);
	ASSERT_EQ(1 + 1 + 1 + 1, nr);
	EXPECT_EQ(16, ARGS_SIZE(edges[1].value));
	EXPECT_EQ(0, ARGS_UNREAD(edges[1].value));
	EXPECT_EQ(0, memcmp(&edges[2], "\0/mnt\0\x77\0\0\0\0\0\0", 14));
	free(ctx);
}

/* Reading what is not there runs into a tracepoint of page faults. */
static const uint64_t fault_args[3] = { 1, 2, 3 };

static int read_with_a_fault(void *to, uint32_t size, uint64_t addr)
{
	int err;

	fake.read_any = read_memory_of_this_test;
	on_probe((void *)fault_args, RAW, CONTEXT_TASK, 0, true);
	err = read_memory_of_this_test(to, size, addr);
	fake.read_any = read_with_a_fault;
	return err;
}

TEST_F(engine_probes, a_point_passed_while_arguments_are_read_is_skipped_and_counted)
{
	static const uint64_t there[2] = { 0xaaaa, 0xbbbb };
	uint64_t slots[ARGS_SLOTS] = { [1] = (uintptr_t)there };
	const struct event_call *edges;
	const uint64_t *data;
	uint32_t func = FUNC;
	size_t nr;

	describe_raw();
	*(struct arg_items *)bpf_map_lookup_elem(&arg_items, &func) = (struct arg_items){
		.nr = 2,
		.max_bytes = 32,
		.items = { { .kind = ARG_VALUE, .slot = 0, .size = 8 },
			   { .kind = ARG_MEMORY, .slot = 1, .size = 16, .flags = ARG_USER } },
	};
	slots[0] = 0x77;
	ENTER();
	config.args = 1;
	fake.read_any = read_with_a_fault;
	on_entry(slots, COOKIE, true, SP - 64);
	/* The slots themselves, and what the second one leads to. */
	EXPECT_EQ(2, counted()->probes_skipped);
	/* It is over: points are seen again, but not in each other. */
	on_probe((void *)fault_args, RAW, CONTEXT_TASK, 0, true);
	EXPECT_GT(counted()->probes_skipped, 2);
	fake.read_any = read_memory_of_this_test;
	on_probe((void *)fault_args, RAW, CONTEXT_TASK, 0, true);
	engine_exit(NULL, COOKIE, SP - 64, 0, 0);
	LEAVE();
	edges = edges_sent(&nr) + 1;
	EXPECT_EQ(CALL_ENTER, CALL_KIND(edges[0].what));
	ASSERT_EQ(32, ARGS_SIZE(edges[0].value));
	data = (const uint64_t *)&edges[1];
	EXPECT_EQ(0x77, data[0]);
	EXPECT_EQ(0xaaaa, data[1]);
	EXPECT_EQ(0xbbbb, data[2]);
	EXPECT_EQ(CALL_PROBE, CALL_KIND(edges[3].what));
	EXPECT_EQ(CALL_PROBE, CALL_KIND(edges[4 + ARGS_SIZE(edges[3].value) / 16].what));
	EXPECT_EQ(CALL_RETURN, CALL_KIND(edges[nr - 2].what));
}

TEST_F(engine_probes, without_room_a_point_is_lost_and_the_next_one_seen_again)
{
	ENTER();
	fake.ring_size = 0;
	for (int i = 0; i < 100; i++)
		on_probe(&self->regs, KPROBE, CONTEXT_TASK, 0, false);
	fake.ring_size = SIZE_MAX;
	for (int i = 0; i < EDGE_RETRY; i++)
		on_probe(&self->regs, KPROBE, CONTEXT_TASK, 0, false);
	EXPECT_EQ(0, counted()->probes_skipped);
	LEAVE();

	size_t nr, seen = 0, lost = 0;

	for (size_t r = 0; r < fake.records.len; r++) {
		const struct event_calls *calls = fake.records.data[r].data;
		const struct event_call *edges = (const void *)(calls + 1);

		if (calls->header.kind != EVENT_CALLS)
			continue;
		nr = (fake.records.data[r].size - sizeof(*calls)) / sizeof(*edges);
		for (size_t i = 0; i < nr; i++) {
			seen += CALL_KIND(edges[i].what) == CALL_PROBE;
			lost += CALL_KIND(edges[i].what) == CALL_LOST;
			if (CALL_KIND(edges[i].what) == CALL_PROBE)
				i += ARGS_SIZE(edges[i].value) / 16;
		}
	}
	EXPECT_EQ(1, lost);
	/* 85 fit in the buffer; then some more. */
	EXPECT_GT(seen, 85);
	EXPECT_LT(seen, 132);
}

/*
 * The preempt count, as the kernel has it: bits 8 to 15 softirqs, of which an odd number is one that
 * is served; hardirqs, of which one adds @h, and NMIs, which add 16 times that. A breakpoint adds one to
 * both of the latter.
 */
#define BREAKPOINT(h) ((h) * 0x11)

static void expect_contexts(struct __test_metadata *_metadata, uint32_t h)
{
	const struct {
		uint32_t count;
		enum event_context context;
	} counts[] = {
		/* A jump or a call in place of a breakpoint adds nothing. */
		{ 0, CONTEXT_TASK },
		{ 3, CONTEXT_TASK },		/* preemption is off */
		{ 0x200, CONTEXT_TASK },	/* softirqs are off, none is served */
		{ 0x100, CONTEXT_SOFTIRQ },
		{ 0x80000100, CONTEXT_SOFTIRQ },	/* nothing is to be scheduled */
		{ h, CONTEXT_HARDIRQ },
		{ h + 0x100, CONTEXT_HARDIRQ },
		{ BREAKPOINT(h), CONTEXT_TASK },
		{ BREAKPOINT(h) + 3, CONTEXT_TASK },
		{ BREAKPOINT(h) + 0x200, CONTEXT_TASK },
		{ BREAKPOINT(h) + 0x100, CONTEXT_SOFTIRQ },
		{ BREAKPOINT(h) + h, CONTEXT_HARDIRQ },
		{ BREAKPOINT(h) + h + 0x100, CONTEXT_HARDIRQ },
		/* In an NMI, and a breakpoint in one. */
		{ BREAKPOINT(h) + 0x11 * h, CONTEXT_NMI },
		{ BREAKPOINT(h) + 0x12 * h, CONTEXT_NMI },
	};

	take_layout(h);
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		fake.preempt_counts[fake.cpu] = counts[i].count;
		EXPECT_EQ(counts[i].context, kprobe_context(SP))
		{
			TH_LOG("preempt count 0x%x", counts[i].count);
		}
	}
}

TEST_F(engine_probes, a_kprobe_belongs_to_the_context_that_its_breakpoint_interrupted)
{
	expect_contexts(_metadata, 0x10000);
}

TEST_F(engine_probes, that_is_so_where_disabled_interrupts_are_counted)
{
	expect_contexts(_metadata, 0x1000000);
	/* Twice disabled, nested in nothing. */
	fake.preempt_counts[fake.cpu] = 0x20000;
	EXPECT_EQ(CONTEXT_TASK, kprobe_context(SP));
	fake.preempt_counts[fake.cpu] = 0x110000;
	EXPECT_EQ(CONTEXT_TASK, current_context());
}

TEST_F(engine_probes, a_call_belongs_to_the_task_though_its_entry_is_a_breakpoint)
{
	size_t nr;

	config.entries_break = 1;
	fake.preempt_counts[fake.cpu] = BREAKPOINT(0x10000);
	on_entry(&self->regs, COOKIE, false, SP);
	/* At the return there is none. */
	fake.preempt_counts[fake.cpu] = 0;
	LEAVE();
	edges_sent(&nr);
	EXPECT_EQ(2, nr);
}

TEST_F(engine_probes, softirqs_of_preempt_rt_are_the_tasks_next_to_its_own_calls)
{
	uint64_t key;

	fake.realtime = true;
	EXPECT_EQ(CONTEXT_TASK, current_context());
	self->task.softirq_disable_cnt = 0x200;
	EXPECT_EQ(CONTEXT_TASK, current_context());
	self->task.softirq_disable_cnt = 0x300;
	EXPECT_EQ(CONTEXT_SOFTIRQ, current_context());
	/* Where a breakpoint is, too; not in a hardirq on top. */
	fake.preempt_counts[fake.cpu] = BREAKPOINT(0x10000);
	EXPECT_EQ(CONTEXT_SOFTIRQ, kprobe_context(SP));
	fake.preempt_counts[fake.cpu] = 0x10000;
	EXPECT_EQ(CONTEXT_HARDIRQ, current_context());
	/* It may be preempted, and go on elsewhere. */
	key = session_key(CONTEXT_SOFTIRQ);
	EXPECT_NE(session_key(CONTEXT_TASK), key);
	fake.cpu = 1;
	EXPECT_EQ(key, session_key(CONTEXT_SOFTIRQ));
	EXPECT_NE(session_key(CONTEXT_HARDIRQ), key);
}

TEST_F(engine_probes, without_a_known_layout_everything_counts_as_the_task)
{
	take_layout(0);
	for (uint32_t bit = 1; bit; bit <<= 1) {
		fake.preempt_counts[fake.cpu] = bit;
		EXPECT_EQ(CONTEXT_TASK, current_context());
		EXPECT_EQ(CONTEXT_TASK, kprobe_context(SP));
	}
}

TEST_F(engine_probes, an_nmi_that_a_jump_is_in_shows_by_its_stack)
{
	/* One NMI over a task: the same count as of a task's breakpoint. NMIs have stacks of their own. */
	fake.preempt_counts[fake.cpu] = BREAKPOINT(0x10000);
	EXPECT_EQ(CONTEXT_TASK, kprobe_context(STACK_TOP));
	EXPECT_EQ(CONTEXT_TASK, kprobe_context(STACK_TOP + TASK_STACK_MAX - 1));
	EXPECT_EQ(CONTEXT_NMI, kprobe_context(STACK_TOP + TASK_STACK_MAX));
	EXPECT_EQ(CONTEXT_NMI, kprobe_context(STACK_TOP - 8));
	EXPECT_EQ(CONTEXT_NMI, kprobe_context(0xfffffe0000009f50));
	/* The CPU that is asked is this one. */
	fake.cpu = 1;
	EXPECT_EQ(CONTEXT_TASK, kprobe_context(0xfffffe0000009f50));
}

TEST_HARNESS_MAIN
