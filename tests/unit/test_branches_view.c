// SPDX-License-Identifier: BSD-2-Clause
/*
 * Branches in the views of sessions: records in, text out. The texts are tests/golden/lbr/NAME.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <time.h>

#include "golden.h"
#include "kernel_fixture.h"
#include "shown.h"
#include "unit.h"

#include "util/base/strbuf.h"
#include "util/base/wall_clock.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/ask/request.h"
#include "util/explain/decider.h"
#include "util/explain/decision.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/session/session.h"
#include "util/explain/branch_rows.h"
#include "util/view/session/view.h"

#define EINVAL_RESULT ((uint64_t)-22)

/* Functions of the plan. */
enum {
	X64_SYS_BPF,
	SYS_BPF,
	ALLOC_CHECK,
	NR_FUNCS,
};

#define BASE 0xffffffff81000000ull
#define AT_X64_SYS_BPF BASE
#define AT_SYS_BPF (BASE + 0x1000)
#define AT_MAP_CREATE (BASE + 0x4000)
#define AT_CHECK (BASE + 0x5000)
#define AT_COLD (BASE + 0x6000)
#define AT_CAPABLE (BASE + 0x7000)
#define AT_THUNK (BASE + 0x8000)
#define AT_INDIRECT (BASE + 0x8100)
#define AT_DO_SYSCALL (BASE + 0x9000)
#define AT_TIMER (BASE + 0xa000)
#define AT_SYSVEC (BASE + 0xa100)
#define AT_IRET (BASE + 0xa200)
#define AT_TRAMPOLINE 0xffffffffc0200000ull
#define AT_PROGRAM 0xffffffffc0201000ull
#define AT_NF 0xffffffffc0100000ull
#define NOWHERE 0xffffffffff123456ull

static const char kallsyms[] = "ffffffff81000000 T __x64_sys_bpf\n"
			       "ffffffff81001000 t __sys_bpf\n"
			       "ffffffff81004000 t map_create\n"
			       "ffffffff81005000 t array_map_alloc_check\n"
			       "ffffffff81005100 t array_map_alloc\n"
			       "ffffffff81006000 t array_map_alloc_check.cold\n"
			       "ffffffff81006100 t another.cold\n"
			       "ffffffff81007000 T bpf_capable\n"
			       "ffffffff81008000 T __x86_return_thunk\n"
			       "ffffffff81008100 T __x86_indirect_thunk_rax\n"
			       "ffffffff81009000 T do_syscall_64\n"
			       "ffffffff8100a000 T asm_sysvec_apic_timer_interrupt\n"
			       "ffffffff8100a100 T sysvec_apic_timer_interrupt\n"
			       "ffffffff8100a200 T restore_regs_and_return_to_kernel\n"
			       "ffffffff8100b000 T _etext\n"
			       "ffffffffc0100000 t nf_hook	[nf_tables]\n"
			       "ffffffffc0101000 t nf_unhook	[nf_tables]\n"
			       "ffffffffc0200000 t bpf_trampoline_6442455517	[bpf]\n"
			       "ffffffffc0201000 t bpf_prog_4fa3b7dd1c0dcd1f_exit	[bpf]\n"
			       "ffffffffc0202000 t bpf_end	[bpf]\n";

static const struct plan_func all_funcs[NR_FUNCS] = {
	{ .addr = AT_X64_SYS_BPF,
	  .size = 0x1000,
	  .name = "__x64_sys_bpf",
	  .returns = RETURN_INT64 },
	{ .addr = AT_SYS_BPF, .size = 0x3000, .name = "__sys_bpf", .returns = RETURN_INT32 },
	{ .addr = AT_CHECK,
	  .size = 0x100,
	  .name = "array_map_alloc_check",
	  .returns = RETURN_INT32 },
};

/* What debug info says of an address; innermost first, as it does. */
struct known {
	uint64_t at;
	struct source_frame frames[3];
};

#define ARRAYMAP(line, column)                                                             \
	{                                                                                  \
		"array_map_alloc_check", "kernel/bpf/arraymap.c", (line), (column), false, \
	}
#define NUMA_NODE(line, column)                                                          \
	{                                                                                \
		"bpf_map_attr_numa_node", "include/linux/bpf.h", (line), (column), true, \
	}

static const struct known known[] = {
	{ AT_CHECK, { ARRAYMAP(53, 1) } },
	{ AT_CHECK + 0x13, { NUMA_NODE(2015, 9), ARRAYMAP(55, 18) } },
	{ AT_CHECK + 0x75, { NUMA_NODE(2015, 9), ARRAYMAP(55, 18) } },
	{ AT_CHECK + 0x7a, { NUMA_NODE(2016, 2), ARRAYMAP(55, 18) } },
	{ AT_CHECK + 0x18, { ARRAYMAP(58, 25) } },
	{ AT_CHECK + 0x26, { ARRAYMAP(58, 38) } },
	{ AT_CHECK + 0x6f, { ARRAYMAP(63, 10) } },
	{ AT_CHECK + 0x74, { ARRAYMAP(81, 1) } },
	{ AT_MAP_CREATE + 0xf3, { { "map_create", "kernel/bpf/syscall.c", 1377, 9, false } } },
	/* Behind a call is another statement; the call itself was inlined. */
	{ AT_MAP_CREATE + 0xf7,
	  { { "find_and_alloc_map", "kernel/bpf/syscall.c", 132, 9, true },
	    { "map_create", "kernel/bpf/syscall.c", 1377, 9, false } } },
	{ AT_MAP_CREATE + 0xf8, { { "map_create", "kernel/bpf/syscall.c", 1378, 6, false } } },
	{ AT_TIMER, { { NULL, "arch/x86/include/asm/idtentry.h", 574, 0, false } } },
};

/* In place of the real one. */
struct symbolizer {
	const struct symbols *symbols;
	bool debuginfo;
};

bool symbolizer_is_changed(struct symbolizer *symbolizer, uint64_t addr)
{
	return false;
}

int symbolizer_variable(struct symbolizer *symbolizer, uint64_t addr, const struct variable_place *place,
			struct source_variable *ret_variable)
{
	return -ENOENT;
}

void symbolizer_lookup(struct symbolizer *symbolizer, uint64_t addr, bool is_return,
		       struct symbolized *ret)
{
	static struct source_frame volatile_frames[3];
	uint64_t at = addr - is_return;

	*ret = (struct symbolized){ .symbol = symbols_at(symbolizer->symbols, at) };
	ret->offset = ret->symbol ? addr - ret->symbol->addr : 0;
	for (size_t i = 0; symbolizer->debuginfo && i < ARRAY_SIZE(known); i++) {
		if (known[i].at != at)
			continue;
		memcpy(volatile_frames, known[i].frames, sizeof(volatile_frames));
		ret->frames = volatile_frames;
		while (ret->nr_frames < 3 && volatile_frames[ret->nr_frames].file)
			ret->nr_frames++;
	}
}

FIXTURE(branches_view)
{
	struct symbols *symbols;
	struct symbolizer symbolizer;
	struct plan_func funcs[NR_FUNCS];
	enum rung rungs[NR_FUNCS];
	struct attached attached;
	struct plan plan;
	struct view_context context;
	struct trace_request settings;
	struct session session;
	struct event_branch branches[EVENT_MAX_BRANCHES];
	struct event_frame frames[NR_FUNCS];
	struct traced_call calls[1];
	uint64_t ips[3];
	char *text;
};

/* 2026-01-01 20:19:36 */
static const struct wall_clock started = { .offset_ns = 1767298776000000000ll };

FIXTURE_SETUP(branches_view)
{
	setenv("TZ", "UTC", 1);
	tzset();
	self->symbols = make_symbols(kallsyms);
	self->symbolizer = (struct symbolizer){ self->symbols, true };
	memcpy(self->funcs, all_funcs, sizeof(all_funcs));
	self->attached.rungs = self->rungs;
	self->plan.funcs.data = self->funcs;
	self->plan.funcs.len = NR_FUNCS;
	self->context = (struct view_context){
		.explain.plan = &self->plan,
		.explain.settings = &self->settings,
		.explain.attached = &self->attached,
		.explain.symbols = self->symbols,
		.explain.symbolizer = &self->symbolizer,
		.modes = MODE_BRANCHES,
		.explain.branch_types = PERF_SAMPLE_BRANCH_ANY,
		.clock = &started,
	};
	self->frames[0] =
		(struct event_frame){ X64_SYS_BPF, EVENT_FRAME_FAILED, 18210, EINVAL_RESULT };
	self->frames[1] = (struct event_frame){ SYS_BPF, EVENT_FRAME_FAILED, 15990, EINVAL_RESULT };
	self->frames[2] =
		(struct event_frame){ ALLOC_CHECK, EVENT_FRAME_FAILED, 3001, EINVAL_RESULT };
	self->calls[0] = (struct traced_call){ .kind = TRACED_LEAF,
					       .func = X64_SYS_BPF,
					       .has_duration = true,
					       .duration_ns = 18210,
					       .result = EINVAL_RESULT };
	self->ips[0] = AT_MAP_CREATE + 0xf8;
	self->ips[1] = AT_SYS_BPF + 0x233a;
	self->ips[2] = AT_X64_SYS_BPF + 0x1e;
	self->session = (struct session){
		.start_ns = 372607000,
		.end_ns = 372682000,
		.tid = 8346,
		.pid = 8346,
		.comm = "simfail",
		.proc_comm = "simfail",
		.failed = true,
		.frames = self->frames,
		.nr_frames = NR_FUNCS,
		.ips = self->ips,
		.nr_ips = ARRAY_SIZE(self->ips),
		.calls = self->calls,
		.nr_calls = 1,
		.branches_func = ALLOC_CHECK,
		.branches_result = EINVAL_RESULT,
	};
}

FIXTURE_TEARDOWN(branches_view)
{
	symbols_free(self->symbols);
	free(self->text);
}

/* Oldest first, as { from, to, flags }. */
#define BRANCHES_ARE(...)                                                \
	branches_are(self, (const struct event_branch[]){ __VA_ARGS__ }, \
		     ARRAY_SIZE(((const struct event_branch[]){ __VA_ARGS__ })))

static void branches_are(FIXTURE_DATA(branches_view) * self, const struct event_branch *branches,
			 uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		self->branches[i] = branches[nr - 1 - i];
	self->session.branches = self->branches;
	self->session.nr_branches = nr;
}

/* max_entries is 0; the checks before it were passed. */
#define FAILING_CHECK                                                                 \
	{ AT_TRAMPOLINE + 0x4c, AT_CHECK + 5 }, { AT_CHECK + 0x13, AT_CHECK + 0x75 }, \
		{ AT_CHECK + 0x7a, AT_CHECK + 0x18 },                                 \
	{                                                                             \
		AT_CHECK + 0x26, AT_CHECK + 0x6f                                      \
	}
#define RETURNS_TO_TRACING                                                               \
	{ AT_CHECK + 0x74, AT_TRAMPOLINE + 0x51 }, { AT_TRAMPOLINE + 0x60, AT_PROGRAM }, \
		{ AT_PROGRAM + 0x40, NOWHERE }, { NOWHERE + 4, AT_PROGRAM + 0x45 },

static void failing_check(FIXTURE_DATA(branches_view) * self)
{
	BRANCHES_ARE({ AT_MAP_CREATE + 0xf3, AT_CHECK }, { AT_CHECK, AT_TRAMPOLINE }, FAILING_CHECK,
		     RETURNS_TO_TRACING);
}

static void interrupted_check(FIXTURE_DATA(branches_view) * self)
{
	BRANCHES_ARE({ AT_MAP_CREATE + 0xf3, AT_CHECK }, { AT_CHECK + 0x13, AT_TIMER },
		     { AT_TIMER + 0x15, AT_SYSVEC }, { AT_SYSVEC + 0x33, AT_TIMER + 0x1a },
		     { AT_TIMER + 0x1f, AT_IRET }, { AT_IRET + 0x20, AT_CHECK + 0x13 },
		     { AT_CHECK + 0x26, AT_CHECK + 0x6f }, RETURNS_TO_TRACING);
}

#define text_of(self) SHOWN(self, view_text_new)
#define json_of(self) SHOWN(self, view_json_new)

#define EXPECT_GOLDEN(name, text) golden(_metadata, "lbr/" name, text)

TEST_F(branches_view, two_columns_with_inlined_calls_under_either)
{
	failing_check(self);
	EXPECT_GOLDEN("any.txt", text_of(self));
}

TEST_F(branches_view, does_without_debug_info)
{
	self->symbolizer.debuginfo = false;
	failing_check(self);
	EXPECT_GOLDEN("symbols.txt", text_of(self));
}

TEST_F(branches_view, a_return_has_the_line_of_the_call)
{
	BRANCHES_ARE({ AT_CAPABLE + 0x20, AT_CHECK + 0x19 },
		     { AT_CHECK + 0x74, AT_MAP_CREATE + 0xf8 });
	EXPECT_GOLDEN("returns.txt", text_of(self));
}

#if defined(__x86_64__)
/* sarq $5,%gs:ADDRESS(%rip), which ends where array_map_alloc_check() begins */
static long counts_a_call(void *arg, uint64_t addr, void *buf, size_t size)
{
	static const uint8_t code[] = { 0x65, 0x48, 0xc1, 0x3d, 0x11, 0x22, 0x33, 0x44, 5, 0x0f, 0x1f, 0x44, 0, 0, 0x48 };

	if (addr != AT_CHECK - 9)
		return -EFAULT;
	size = size < sizeof(code) ? size : sizeof(code);
	memcpy(buf, code, size);
	return size;
}

/* With call depth tracking */
TEST_F(branches_view, a_call_to_the_padding_before_a_function_leads_to_the_function)
{
	const struct code_source code = { counts_a_call, NULL };

	BRANCHES_ARE({ AT_SYS_BPF + 0xf3, AT_CHECK - 9 }, { AT_CHECK + 0x26, AT_CHECK + 0x6f });
	text_of(self);
	EXPECT_SHOWS("map_create+0xff7");
	self->context.explain.code = &code;
	text_of(self);
	EXPECT_SHOWS(" ->  array_map_alloc_check+0x0   (kernel");
	EXPECT_HIDES("map_create");
	/* It is of the traced function, even where only calls are recorded. */
	BRANCHES_ARE({ AT_SYS_BPF + 0xf3, AT_CHECK - 9 }, { NOWHERE, AT_PROGRAM });
	text_of(self);
	EXPECT_SHOWS("__sys_bpf+0xf3  ->  array_map_alloc_check+0x0  ");
	/* Other code before it is not. */
	BRANCHES_ARE({ AT_SYS_BPF + 0xf3, AT_CHECK - 10 }, { AT_CHECK + 0x26, AT_CHECK + 0x6f });
	text_of(self);
	EXPECT_SHOWS("map_create+0xff6");
}
#endif

TEST_F(branches_view, what_is_no_return_has_its_own_line)
{
	/* from, the line at +0xf8 or else that of the call before */
	static const struct {
		uint64_t from, flags;
		uint64_t types;
		bool is_return;
	} cases[] = {
		{ AT_CHECK + 0x74, 0, 0, true },
		{ AT_THUNK, 0, 0, true },
		/* jumps by a thunk, out of interrupts, in the function, to and from elsewhere */
		{ AT_INDIRECT + 4, 0, 0, false },
		{ AT_IRET + 0x20, 0, 0, false },
		{ AT_MAP_CREATE + 0x200, 0, 0, false },
		{ NOWHERE, 0, 0, false },
		/* The CPU says it, and was asked to. */
		{ AT_MAP_CREATE + 0x200, PERF_BR_RET << 20, PERF_SAMPLE_BRANCH_TYPE_SAVE, true },
		{ AT_CHECK + 0x74, PERF_BR_UNCOND << 20, PERF_SAMPLE_BRANCH_TYPE_SAVE, false },
		{ AT_CHECK + 0x74, 0, PERF_SAMPLE_BRANCH_TYPE_SAVE, true },
		/* It was not: the numbers are others. */
		{ AT_CHECK + 0x74, PERF_BR_UNCOND << 20, PERF_SAMPLE_BRANCH_ANY, true },
		{ AT_MAP_CREATE + 0x200, PERF_BR_RET << 20, PERF_SAMPLE_BRANCH_ANY, false },
	};

	self->settings.branches_full = true;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		/* Other CPUs' kernels have no thunks. */
		if (cases[i].from == AT_INDIRECT + 4 && arch_native != &arch_x86)
			continue;
		BRANCHES_ARE({ cases[i].from, AT_MAP_CREATE + 0xf8, cases[i].flags },
			     { AT_CHECK + 0x26, AT_CHECK + 0x6f });
		self->context.explain.branch_types = cases[i].types;
		text_of(self);
		EXPECT_EQ(cases[i].is_return, !!strstr(self->text, "syscall.c:132:9"))
		{
			TH_LOG("case %zu: %s", i, self->text);
		}
		EXPECT_EQ(!cases[i].is_return, !!strstr(self->text, "syscall.c:1378:6"));
	}
}

TEST_F(branches_view, parts_of_one_function_do_not_return_to_each_other)
{
	BRANCHES_ARE({ AT_COLD + 0x10, AT_CHECK + 0x18 }, { AT_CHECK + 0x26, AT_CHECK + 0x6f });
	text_of(self);
	EXPECT_SHOWS("array_map_alloc_check+0x18  (kernel/bpf/arraymap.c:58:25)");
	/* Nor does a trampoline, which goes on in the function. */
	BRANCHES_ARE({ AT_TRAMPOLINE + 0x4c, AT_MAP_CREATE + 9 });
	self->session.branches_func = X64_SYS_BPF;
	self->settings.branches_full = true;
	text_of(self);
	EXPECT_SHOWS("map_create+0x9");
}

TEST_F(branches_view, an_interrupt_is_told_from_the_function)
{
	interrupted_check(self);
	EXPECT_GOLDEN("interrupt.txt", text_of(self));
}

TEST_F(branches_view, all_of_it_on_demand)
{
	interrupted_check(self);
	self->branches[self->session.nr_branches++] = (struct event_branch){};
	self->branches[self->session.nr_branches++] = (struct event_branch){ 0, NOWHERE };
	self->settings.branches_full = true;
	EXPECT_GOLDEN("full.txt", text_of(self));
}

TEST_F(branches_view, a_loop_is_one_line)
{
	BRANCHES_ARE({ AT_MAP_CREATE + 0xf3, AT_CHECK }, { AT_CHECK + 0x26, AT_CHECK + 0x18 },
		     { AT_CHECK + 0x26, AT_CHECK + 0x18 }, { AT_CHECK + 0x26, AT_CHECK + 0x18 },
		     RETURNS_TO_TRACING);
	EXPECT_GOLDEN("loop.txt", text_of(self));
	self->settings.branches_full = true;
	text_of(self);
	EXPECT_SHOWS("[#01] array_map_alloc_check+0x26");
	EXPECT_SHOWS("(duplicate)\n[ ~ ] array_map_alloc_check+0x26");
	EXPECT_HIDES("times");
}

TEST_F(branches_view, the_newest_only)
{
	failing_check(self);
	self->settings.branches_max = 2;
	EXPECT_GOLDEN("newest.txt", text_of(self));
	/* What is left out does not count. */
	self->settings.branches_full = true;
	text_of(self);
	EXPECT_SHOWS("[#01]");
	EXPECT_HIDES("[#02]");
	EXPECT_SHOWS("(tracing)");
	/* More than there are. */
	self->settings.branches_full = false;
	self->settings.branches_max = 100;
	EXPECT_GOLDEN("any.txt", text_of(self));
	self->settings.branches_max = 5;
	EXPECT_GOLDEN("any.txt", text_of(self));
	self->settings.branches_max = 4;
	text_of(self);
	EXPECT_HIDES("[#04]");
	EXPECT_SHOWS("[#03]");
}

TEST_F(branches_view, the_width_does_not_matter)
{
	failing_check(self);
	for (int width = 40; width <= 200; width += 40) {
		self->context.width = width;
		EXPECT_GOLDEN("any.txt", text_of(self));
	}
}

TEST_F(branches_view, what_the_cpu_says_of_them)
{
	BRANCHES_ARE({ AT_MAP_CREATE + 0xf3, AT_CHECK, BRANCH_PREDICTED },
		     { AT_CHECK + 0x26, AT_CHECK + 0x6f, BRANCH_MISPREDICTED | 17 << 4 },
		     { AT_CHECK + 0x74, AT_TRAMPOLINE + 0x51,
		       BRANCH_PREDICTED | BRANCH_IN_TX | BRANCH_ABORT | 1 << 4 });
	text_of(self);
	EXPECT_HIDES("cycles");
	EXPECT_HIDES("mispredicted");
	self->context.verbose = true;
	EXPECT_GOLDEN("verbose.txt", text_of(self));
	EXPECT_GOLDEN("verbose.json", json_of(self));
}

TEST_F(branches_view, addresses_and_decimal_offsets)
{
	failing_check(self);
	self->settings.stacks_emit_addrs = true;
	self->settings.stacks_dec_offs = true;
	EXPECT_GOLDEN("addresses.txt", text_of(self));
}

TEST_F(branches_view, names_are_the_plans)
{
	self->funcs[ALLOC_CHECK].name = "its_other_name";
	failing_check(self);
	text_of(self);
	EXPECT_SHOWS("] its_other_name+0x26");
	EXPECT_HIDES("array_map_alloc_check+");
}

TEST_F(branches_view, modules_and_places_without_a_symbol)
{
	BRANCHES_ARE({ AT_NF + 0x10, AT_CHECK }, { AT_CHECK + 0x74, NOWHERE });
	self->symbolizer.debuginfo = false;
	text_of(self);
	EXPECT_SHOWS("[#01] nf_hook+0x10                ->  array_map_alloc_check+0x0\n"
		     "[#00] array_map_alloc_check+0x74  ->  0xffffffffff123456\n");
	EXPECT_NE(NULL, strstr(json_of(self), "\"symbol\":\"nf_hook\",\"offset\":16,"
					      "\"module\":\"nf_tables\""));
	EXPECT_NE(NULL, strstr(self->text, "{\"addr\":\"0xffffffffff123456\",\"symbol\":null,"
					   "\"module\":null"));
}

TEST_F(branches_view, a_function_of_which_nothing_is_left)
{
	BRANCHES_ARE({ AT_TRAMPOLINE + 0x60, AT_PROGRAM }, { AT_PROGRAM + 0x40, NOWHERE },
		     { NOWHERE + 4, AT_PROGRAM + 0x45 });
	EXPECT_GOLDEN("none-left.txt", text_of(self));
	self->context.explain.branch_types = PERF_SAMPLE_BRANCH_ANY_RETURN;
	text_of(self);
	EXPECT_SHOWS("took all 3 records; --lbr=any keeps all kinds)\n");
	self->context.explain.branch_types = 0;
	text_of(self);
	EXPECT_SHOWS("took all 3 records)\n");
	self->rungs[ALLOC_CHECK] = RUNG_FSESSION_MULTI;
	text_of(self);
	EXPECT_SHOWS("took all 3 records)\n");
	for (int i = 0; i < 3; i++) {
		static const enum rung rungs[] = { RUNG_KPROBE, RUNG_KPROBE_MULTI,
						   RUNG_KPROBE_SESSION };

		self->rungs[ALLOC_CHECK] = rungs[i];
		text_of(self);
		EXPECT_SHOWS("took all 3 records; --attach=fentry takes fewer)\n");
	}
	self->session.nr_branches = 1;
	text_of(self);
	EXPECT_SHOWS("took the only record; ");
	EXPECT_NE(NULL, strstr(json_of(self), "\"branches\":[],"
					      "\"branches_function\":\"array_map_alloc_check\","
					      "\"branches_missing\":\"none left\""));
	BRANCHES_ARE({ AT_TIMER + 0x1f, AT_IRET }, { AT_IRET + 0x20, AT_TRAMPOLINE + 0x60 },
		     { AT_TRAMPOLINE + 0x60, AT_PROGRAM });
	text_of(self);
	EXPECT_SHOWS("is left: tracing and interrupts took all 3 records; ");
	BRANCHES_ARE({ NOWHERE + 4, AT_PROGRAM + 0x45 });
	/* They are there on demand. */
	self->settings.branches_full = true;
	text_of(self);
	EXPECT_SHOWS(" is left: ");
	EXPECT_SHOWS(
		"[ ~ ] 0xffffffffff12345a  ->  bpf_prog_4fa3b7dd1c0dcd1f_exit+0x45  (tracing)\n");
}

TEST_F(branches_view, a_ring_of_blanks)
{
	BRANCHES_ARE({}, {}, {});
	text_of(self);
	EXPECT_SHOWS(":\n\n    (no branches: the CPU recorded none of the kinds asked for)\n\n\n");
	EXPECT_NE(NULL, strstr(json_of(self), "\"branches_missing\":\"none recorded\""));
	self->session.nr_branches = 0;
	text_of(self);
	EXPECT_SHOWS("recorded none");
}

TEST_F(branches_view, branches_that_were_not_captured)
{
	self->session.no_branches = true;
	self->context.modes |= MODE_STACK;
	EXPECT_GOLDEN("not-captured.txt", text_of(self));
	EXPECT_NE(NULL, strstr(json_of(self), "\"branches\":[],\"branches_function\":null,"
					      "\"branches_missing\":\"lost\""));
	self->session.no_branches = false;
	self->session.branches_err = -ENOENT;
	text_of(self);
	EXPECT_SHOWS("    (branches not captured: this CPU keeps no records of them)\n\n");
	EXPECT_NE(NULL, strstr(json_of(self), "\"branches_missing\":\"ENOENT\""));
	self->session.branches_err = -EBUSY;
	text_of(self);
	EXPECT_SHOWS("    (branches not captured: the kernel says EBUSY)\n\n");
	self->session.branches_err = -4000;
	text_of(self);
	EXPECT_SHOWS("    (branches not captured: the kernel says -4000)\n\n");
	EXPECT_NE(NULL, strstr(json_of(self), "\"branches_missing\":\"4000\""));
}

TEST_F(branches_view, between_the_trace_and_the_stack)
{
	failing_check(self);
	self->context.modes = MODE_TRACE | MODE_BRANCHES | MODE_STACK;
	EXPECT_GOLDEN("all.txt", text_of(self));
	self->context.modes = MODE_TRACE | MODE_BRANCHES;
	text_of(self);
	EXPECT_SHOWS("18.210us\n\n[#04] map_create+0xf3 ");
	self->context.modes = MODE_STACK | MODE_BRANCHES;
	text_of(self);
	EXPECT_SHOWS("0x51\n\n    18us [-EINVAL]  __x64_sys_bpf+0x1e\n");
}

TEST_F(branches_view, ends_with_why_it_failed)
{
	struct decider *decider = NULL;

	failing_check(self);
	self->context.modes = MODE_BRANCHES | MODE_STACK;
	ASSERT_EQ(0, decider_new(&self->symbolizer, &self->plan, NULL, PERF_SAMPLE_BRANCH_ANY,
				 &decider));
	self->context.explain.decider = decider;
	text_of(self);
	EXPECT_SHOWS(
		"array_map_alloc_check\n\narray_map_alloc_check returned -EINVAL\n  what decided");
	EXPECT_NE(NULL,
		  strstr(json_of(self), "],\"decision\":{\"function\":\"array_map_alloc_check\","));
	/* Where nothing is to be said of branches, neither is of that. */
	self->context.modes = MODE_STACK;
	text_of(self);
	EXPECT_HIDES("decided");
	EXPECT_EQ(NULL, strstr(json_of(self), "decision"));
	/* Nor of what did not fail. */
	self->context.modes = MODE_BRANCHES | MODE_STACK;
	self->session.failed = false;
	text_of(self);
	EXPECT_SHOWS("array_map_alloc_check\n\n\n");
	decider_free(decider);
}

TEST_F(branches_view, not_there_unless_asked_for_and_captured)
{
	char *expected;

	self->context.modes = MODE_STACK;
	expected = strdup(text_of(self));
	failing_check(self);
	EXPECT_STREQ(expected, text_of(self));
	self->session.branches = NULL;
	self->context.modes = MODE_STACK | MODE_BRANCHES;
	EXPECT_STREQ(expected, text_of(self));
	EXPECT_EQ(NULL, strstr(json_of(self), "branch"));
	free(expected);
	/* There was a session; nothing more is known. */
	self->context.modes = MODE_BRANCHES;
	text_of(self);
	EXPECT_SHOWS("(simfail/simfail):\n\n\n\n");
}

TEST_F(branches_view, an_interim_session_has_its_own)
{
	failing_check(self);
	self->session.interim = true;
	self->context.modes = MODE_TRACE | MODE_BRANCHES;
	text_of(self);
	EXPECT_SHOWS(", interim:\n\n[#04] map_create");
	self->session.branches = NULL;
	EXPECT_STREQ("", text_of(self));
}

TEST_F(branches_view, a_view_shows_one_session_after_the_other)
{
	struct view *view;
	size_t size;

	self->context.out = open_memstream(&self->text, &size);
	view = view_text_new(&self->context);
	ASSERT_NE(NULL, view);
	interrupted_check(self);
	EXPECT_EQ(0, show_session(view, &self->context, &self->session));
	self->session.branches = NULL;
	self->session.no_branches = true;
	EXPECT_EQ(0, show_session(view, &self->context, &self->session));
	self->session.no_branches = false;
	failing_check(self);
	EXPECT_EQ(0, show_session(view, &self->context, &self->session));
	view->free(view);
	fclose(self->context.out);
	EXPECT_GOLDEN("sessions.txt", self->text);
}

TEST_F(branches_view, a_function_that_is_not_in_the_plan)
{
	/* Where tracing began is told all the same. */
	failing_check(self);
	self->session.branches_func = NR_FUNCS;
	EXPECT_GOLDEN("any.txt", text_of(self));
	BRANCHES_ARE({ AT_TRAMPOLINE + 0x60, AT_PROGRAM }, { AT_PROGRAM + 0x40, NOWHERE });
	text_of(self);
	EXPECT_SHOWS("(no branch of the function is left: tracing took all 2 records; "
		     "--lbr=any_return");
}

TEST_F(branches_view, json_has_it_all)
{
	interrupted_check(self);
	EXPECT_GOLDEN("interrupt.json", json_of(self));
	failing_check(self);
	self->branches[self->session.nr_branches++] = (struct event_branch){};
	self->settings.branches_full = true;
	EXPECT_GOLDEN("full.json", json_of(self));
}

TEST_HARNESS_MAIN
