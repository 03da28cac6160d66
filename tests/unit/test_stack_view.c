// SPDX-License-Identifier: BSD-2-Clause
/*
 * Stacks in the views of sessions: sessions in, text out. The texts are tests/golden/stack/NAME.
 */
#include <errno.h>
#include <signal.h>
#include <time.h>

#include "golden.h"
#include "plain.h"
#include "shown.h"
#include "unit.h"

#include "util/ask/request.h"
#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
#include "util/base/wall_clock.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/session/session.h"
#include "util/view/session/view.h"

#define EINVAL_RESULT ((uint64_t)-22)
#define ENOMEM_RESULT ((uint64_t)-12)
#define E2BIG_RESULT ((uint64_t)-7)

/* Functions of the plan. */
enum {
	X64_SYS_BPF,
	SYS_BPF,
	ALLOC_CHECK,
	MAP_ALLOC,
	ALLOC_PERCPU,
	MAP_FREE,
	HAS_CAP,
	LOOKALIKE,
	UNSIZED,
	NR_FUNCS,
};

#define ADDR(n) (0xffffffff81000000ull + (n)*0x10000)
#define ENTRY_SYSCALL ADDR(100)
#define DO_SYSCALL ADDR(101)
#define MAP_CREATE ADDR(102)
#define RETHOOK ADDR(103)
#define PROG_LOAD ADDR(104)
#define DO_SYS_BPF ADDR(105)
#define SE_SYS_BPF ADDR(106)
#define MODULE_FUNC 0xffffffffc0100000ull
#define TRAMPOLINE 0xffffffffc0200000ull
#define PROGRAM 0xffffffffc0300000ull
#define NOWHERE 0xffffffffc0999123ull

#define FUNC(id, name_, kind)       \
	[id] = { .addr = ADDR(id),  \
		 .size = 0x4000,    \
		 .name = (name_),   \
		 .returns = (kind) }

static const struct plan_func all_funcs[NR_FUNCS] = {
	FUNC(X64_SYS_BPF, "__x64_sys_bpf", RETURN_INT64),
	FUNC(SYS_BPF, "__sys_bpf", RETURN_INT32),
	FUNC(ALLOC_CHECK, "array_map_alloc_check", RETURN_INT32),
	FUNC(MAP_ALLOC, "array_map_alloc", RETURN_POINTER),
	FUNC(ALLOC_PERCPU, "bpf_map_alloc_percpu", RETURN_POINTER),
	FUNC(MAP_FREE, "array_map_free", RETURN_VOID),
	FUNC(HAS_CAP, "bpf_capable", RETURN_BOOL),
	FUNC(LOOKALIKE, "kprobe_dispatcher", RETURN_INT32),
	[UNSIZED] = { .addr = ADDR(UNSIZED), .name = "unsized", .returns = RETURN_INT32 },
};
static struct plan_func funcs[NR_FUNCS];
static const struct plan plan = { .funcs = { funcs, NR_FUNCS, NR_FUNCS } };
static enum rung rungs[NR_FUNCS];
static const struct attached attached = { .rungs = rungs };

#define SYMBOL(addr, name, module)              \
	{                                       \
		addr, 0x4000, name, module, 't' \
	}

static const struct symbol symbols[] = {
	SYMBOL(ENTRY_SYSCALL, "entry_SYSCALL_64_after_hwframe", NULL),
	SYMBOL(DO_SYSCALL, "do_syscall_64", NULL),
	/* The table's alias; the plan has the one that was asked for. */
	SYMBOL(ADDR(X64_SYS_BPF), "__do_sys_bpf", NULL),
	SYMBOL(ADDR(SYS_BPF), "__sys_bpf", NULL),
	SYMBOL(ADDR(SYS_BPF) + 0x8000, "__sys_bpf.cold", NULL),
	SYMBOL(ADDR(ALLOC_CHECK), "array_map_alloc_check", NULL),
	SYMBOL(ADDR(MAP_ALLOC), "array_map_alloc", NULL),
	SYMBOL(ADDR(ALLOC_PERCPU), "bpf_map_alloc_percpu", NULL),
	SYMBOL(ADDR(MAP_FREE), "array_map_free", NULL),
	SYMBOL(ADDR(HAS_CAP), "bpf_capable", NULL),
	SYMBOL(ADDR(LOOKALIKE), "kprobe_dispatcher", NULL),
	SYMBOL(ADDR(UNSIZED), "unsized", NULL),
	SYMBOL(MAP_CREATE, "map_create", NULL),
	SYMBOL(RETHOOK, "arch_rethook_trampoline", NULL),
	SYMBOL(PROG_LOAD, "bpf_prog_load", NULL),
	SYMBOL(DO_SYS_BPF, "__do_sys_bpf", NULL),
	SYMBOL(SE_SYS_BPF, "__se_sys_bpf", NULL),
	SYMBOL(MODULE_FUNC, "nf_hook", "nf_tables"),
	SYMBOL(TRAMPOLINE, "bpf_trampoline_6442455517", "bpf"),
	SYMBOL(PROGRAM, "bpf_prog_4fa3b7dd1c0dcd1f_exit", "bpf"),
};

/* What debug info says; innermost first, as it does. */
static const struct source_frame do_syscall_frames[] = {
	{ "do_syscall_x64", "arch/x86/entry/common.c", 50, 12, true },
	{ "do_syscall_64", "arch/x86/entry/common.c", 80, 7, false },
};
static const struct source_frame sys_bpf_frames[] = {
	{ "find_and_alloc_map", "kernel/bpf/syscall.c", 132, 6, true },
	{ "map_create", "kernel/bpf/syscall.c", 1106, 8, true },
	{ "__sys_bpf", "kernel/bpf/syscall.c", 4947, 9, false },
};
static const struct source_frame entry_frames[] = {
	{ NULL, "arch/x86/entry/entry_64.S", 120, 0, false },
};
static const struct source_frame x64_sys_bpf_frames[] = {
	{ "__x64_sys_bpf", "kernel/bpf/syscall.c", 5067, 1, false },
};

struct symbolizer {
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

/* In place of the real one. */
void symbolizer_lookup(struct symbolizer *symbolizer, uint64_t addr, bool is_return,
		       struct symbolized *ret)
{
#define FRAMES(of) (ret->frames = (of), ret->nr_frames = ARRAY_SIZE(of))
	uint64_t at = addr - is_return;

	*ret = (struct symbolized){};
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		if (at - symbols[i].addr < symbols[i].size) {
			ret->symbol = &symbols[i];
			ret->offset = addr - symbols[i].addr;
		}
	}
	if (!symbolizer->debuginfo || !ret->symbol)
		return;
	if (ret->symbol->addr == ENTRY_SYSCALL)
		FRAMES(entry_frames);
	else if (ret->symbol->addr == DO_SYSCALL)
		FRAMES(do_syscall_frames);
	else if (ret->symbol->addr == ADDR(X64_SYS_BPF))
		FRAMES(x64_sys_bpf_frames);
	else if (ret->symbol->addr == ADDR(SYS_BPF))
		FRAMES(sys_bpf_frames);
}

FIXTURE(stack_view)
{
	struct symbolizer symbolizer;
	struct view_context context;
	struct trace_request settings;
	struct session session;
	struct event_frame frames[EVENT_MAX_DEPTH];
	uint64_t ips[EVENT_MAX_IPS];
	char *text;
};

/* 2026-01-01 20:19:36 */
static const struct wall_clock started = { .offset_ns = 1767298776000000000ll };

FIXTURE_SETUP(stack_view)
{
	memcpy(funcs, all_funcs, sizeof(funcs));
	memset(rungs, 0, sizeof(rungs));
	setenv("TZ", "UTC", 1);
	tzset();
	self->context = (struct view_context){
		.explain.plan = &plan,
		.explain.settings = &self->settings,
		.explain.attached = &attached,
		.modes = MODE_STACK,
		.clock = &started,
	};
	self->session = (struct session){
		.start_ns = 372607000,
		.end_ns = 372682000,
		.tid = 8346,
		.pid = 8346,
		.comm = "simfail",
		.proc_comm = "simfail",
		.failed = true,
	};
}

FIXTURE_TEARDOWN(stack_view)
{
	free(self->text);
}

/* The outermost first, each as { function, flags, ns, result }. */
#define FRAMES_ARE(...)                                               \
	do {                                                          \
		const struct event_frame frames_[] = { __VA_ARGS__ }; \
		memcpy(self->frames, frames_, sizeof(frames_));       \
		self->session.nr_frames = ARRAY_SIZE(frames_);               \
	} while (0)

/* The innermost first, as the kernel gives them. */
#define STACK_IS(...)                                    \
	do {                                             \
		const uint64_t ips_[] = { __VA_ARGS__ }; \
		memcpy(self->ips, ips_, sizeof(ips_));   \
		self->session.nr_ips = ARRAY_SIZE(ips_);        \
	} while (0)

static const char *shown(FIXTURE_DATA(stack_view) * self,
			 struct view *(*new_view)(const struct view_context *))
{
	self->context.explain.symbolizer = &self->symbolizer;
	self->session.frames = self->frames;
	self->session.ips = self->ips;
	self->session.no_stack = !self->session.nr_ips;
	return SHOWN(self, new_view);
}

#define text_of(self) shown(self, view_text_new)

#define EXPECT_GOLDEN(name, text) golden(_metadata, "stack/" name, text)

static void failing_map_alloc(FIXTURE_DATA(stack_view) * self)
{
	FRAMES_ARE({ X64_SYS_BPF, EVENT_FRAME_FAILED, 73210, ENOMEM_RESULT },
		   { SYS_BPF, EVENT_FRAME_FAILED, 70990, ENOMEM_RESULT },
		   { MAP_ALLOC, EVENT_FRAME_FAILED, 50001, ENOMEM_RESULT },
		   { ALLOC_PERCPU, EVENT_FRAME_FAILED | EVENT_FRAME_STITCHED, 2999, 0 });
	STACK_IS(ADDR(SYS_BPF) + 0x38b, ADDR(X64_SYS_BPF) + 0x1a, DO_SYSCALL + 0x35,
		 ENTRY_SYSCALL + 0x63);
}

static void failing_alloc_check(FIXTURE_DATA(stack_view) * self)
{
	FRAMES_ARE({ X64_SYS_BPF, EVENT_FRAME_FAILED, 18210, E2BIG_RESULT },
		   { SYS_BPF, EVENT_FRAME_FAILED, 15990, E2BIG_RESULT },
		   { ALLOC_CHECK, EVENT_FRAME_FAILED, 3001, E2BIG_RESULT });
	STACK_IS(MAP_CREATE + 0x120, ADDR(SYS_BPF) + 0x233a, ADDR(X64_SYS_BPF) + 0x1e,
		 DO_SYSCALL + 0x87, ENTRY_SYSCALL + 0x76);
}

TEST_F(stack_view, shows_lines_and_inlined_calls)
{
	self->symbolizer.debuginfo = true;
	failing_map_alloc(self);
	EXPECT_GOLDEN("lines.txt", text_of(self));
}

TEST_F(stack_view, colours_change_nothing_but_colours)
{
	_cleanup_(free_p) char *without = NULL, *colored = NULL;

	self->symbolizer.debuginfo = true;
	failing_map_alloc(self);
	without = strdup(text_of(self));
	self->context.color = true;
	colored = plain(text_of(self));
	EXPECT_STREQ(without, colored);
	/* Errors, functions that are traced, times, places, and calls that were inlined. */
	EXPECT_SHOWS("\033[31m[-ENOMEM]\033[m  \033[1m__sys_bpf");
	EXPECT_SHOWS("\033[31m[NULL]\033[m ");
	EXPECT_SHOWS("\033[2m20:19:36");
	EXPECT_SHOWS("\033[1mTID/PID");
	EXPECT_SHOWS("\033[36m(");
	EXPECT_SHOWS("(simfail/simfail):\033[m\n");
	EXPECT_SHOWS("\033[2m. map_create");
}

TEST_F(stack_view, what_is_no_error_is_not_red)
{
	FRAMES_ARE({ X64_SYS_BPF, 0, 73210, 5 }, { HAS_CAP, 0, 10, 1 });
	self->session.failed = false;
	self->context.color = true;
	text_of(self);
	EXPECT_SHOWS("\033[32m[5]\033[m");
	EXPECT_HIDES("\033[31m");
}

TEST_F(stack_view, does_without_debug_info)
{
	failing_alloc_check(self);
	EXPECT_GOLDEN("symbols.txt", text_of(self));
}

TEST_F(stack_view, looks_the_same_whatever_the_rung)
{
	char *expected;

	failing_alloc_check(self);
	expected = strdup(text_of(self));

	/* return probes, with the unwinder seeing through them or not */
	STACK_IS(RETHOOK + 0x0, MAP_CREATE + 0x120, ADDR(SYS_BPF) + 0x233a,
		 ADDR(X64_SYS_BPF) + 0x1e, DO_SYSCALL + 0x87, ENTRY_SYSCALL + 0x76);
	EXPECT_STREQ(expected, text_of(self));

	/* a stack from the entry of the innermost call */
	STACK_IS(ADDR(ALLOC_CHECK) + 1, MAP_CREATE + 0x120, ADDR(SYS_BPF) + 0x233a,
		 ADDR(X64_SYS_BPF) + 0x1e, DO_SYSCALL + 0x87, ENTRY_SYSCALL + 0x76);
	self->session.at_entry = true;
	EXPECT_STREQ(expected, text_of(self));
	self->session.at_entry = false;

	/* trampolines that are jumped to */
	STACK_IS(PROGRAM + 0x80, TRAMPOLINE + 0x90, MAP_CREATE + 0x120, ADDR(SYS_BPF) + 0x233a,
		 TRAMPOLINE + 0x70, ADDR(X64_SYS_BPF) + 0x1e, TRAMPOLINE + 0x70, DO_SYSCALL + 0x87,
		 ENTRY_SYSCALL + 0x76);
	EXPECT_STREQ(expected, text_of(self));

	/* trampolines that are called */
	STACK_IS(PROGRAM + 0x80, TRAMPOLINE + 0x90, ADDR(ALLOC_CHECK) + 9, MAP_CREATE + 0x120,
		 ADDR(SYS_BPF) + 0x233a, TRAMPOLINE + 0x70, ADDR(SYS_BPF) + 9,
		 ADDR(X64_SYS_BPF) + 0x1e, TRAMPOLINE + 0x70, ADDR(X64_SYS_BPF) + 9,
		 DO_SYSCALL + 0x87, ENTRY_SYSCALL + 0x76);
	EXPECT_STREQ(expected, text_of(self));

	/* made code that the symbol table does not know yet */
	STACK_IS(NOWHERE + 0x100, NOWHERE, ADDR(ALLOC_CHECK) + 5, MAP_CREATE + 0x120,
		 ADDR(SYS_BPF) + 0x233a, NOWHERE, ADDR(SYS_BPF) + 5, ADDR(X64_SYS_BPF) + 0x1e,
		 NOWHERE, ADDR(X64_SYS_BPF) + 5, DO_SYSCALL + 0x87, ENTRY_SYSCALL + 0x76);
	EXPECT_STREQ(expected, text_of(self));
	free(expected);
}

TEST_F(stack_view, shows_what_tracing_added_when_asked)
{
	self->symbolizer.debuginfo = true;
	self->context.verbose = true;
	failing_alloc_check(self);
	STACK_IS(PROGRAM + 0x80, TRAMPOLINE + 0x90, ADDR(ALLOC_CHECK) + 9, MAP_CREATE + 0x120,
		 ADDR(SYS_BPF) + 0x233a, TRAMPOLINE + 0x70, ADDR(SYS_BPF) + 9,
		 ADDR(X64_SYS_BPF) + 0x1e, DO_SYSCALL + 0x87, ENTRY_SYSCALL + 0x76);
	EXPECT_GOLDEN("verbose.txt", text_of(self));
	self->context.verbose = false;
	self->settings.stacks_unfiltered = true;
	EXPECT_GOLDEN("unfiltered.txt", text_of(self));
}

TEST_F(stack_view, addresses_and_decimal_offsets)
{
	self->symbolizer.debuginfo = true;
	self->settings.stacks_emit_addrs = true;
	self->settings.stacks_dec_offs = true;
	failing_map_alloc(self);
	EXPECT_GOLDEN("addresses.txt", text_of(self));
}

TEST_F(stack_view, an_address_without_a_symbol_gets_no_name)
{
	failing_alloc_check(self);
	STACK_IS(MAP_CREATE + 0x120, NOWHERE, ADDR(SYS_BPF) + 0x233a, ADDR(X64_SYS_BPF) + 0x1e);
	text_of(self);
	EXPECT_SHOWS("  0xffffffffc0999123\n");
	EXPECT_HIDES("0xffffffffc0999123+");
}

TEST_F(stack_view, a_return_address_behind_a_functions_end_is_the_functions)
{
	/* The call was its last instruction: the callee does not return, most often. */
	failing_alloc_check(self);
	STACK_IS(ADDR(SYS_BPF) + 0x4000, ADDR(X64_SYS_BPF) + 0x1e);
	text_of(self);
	EXPECT_SHOWS("  __sys_bpf+0x4000\n");
}

TEST_F(stack_view, the_part_moved_out_of_the_way_belongs_to_its_function)
{
	failing_alloc_check(self);
	STACK_IS(ADDR(SYS_BPF) + 0x8012, ADDR(X64_SYS_BPF) + 0x1e);
	text_of(self);
	EXPECT_SHOWS("    15us [-E2BIG]  __sys_bpf.cold+0x12\n");
}

TEST_F(stack_view, a_function_of_unknown_size_goes_by_its_symbol)
{
	FRAMES_ARE({ UNSIZED, EVENT_FRAME_FAILED, 18210, E2BIG_RESULT },
		   { ALLOC_CHECK, EVENT_FRAME_FAILED, 3001, E2BIG_RESULT });
	STACK_IS(ADDR(UNSIZED) + 0x50, DO_SYSCALL + 0x87);
	text_of(self);
	EXPECT_SHOWS("    18us [-E2BIG]  unsized+0x50\n");
}

TEST_F(stack_view, a_call_in_the_middle_may_be_missing)
{
	/* __sys_bpf was a tail call. */
	failing_alloc_check(self);
	STACK_IS(MAP_CREATE + 0x120, ADDR(X64_SYS_BPF) + 0x1e, DO_SYSCALL + 0x87);
	EXPECT_GOLDEN("tail-call.txt", text_of(self));
}

TEST_F(stack_view, a_system_calls_wrapper_stands_above_what_it_wraps)
{
	const struct {
		uint64_t addr;
		const char *body;
	} left_to[] = {
		{ DO_SYS_BPF + 0x20, "__do_sys_bpf+0x20" },
		/* Arguments may be extended in a function between the two. */
		{ SE_SYS_BPF + 0x20, "__se_sys_bpf+0x20" },
		/* Whatever it left to by a tail call, as __x64_sys_read() does to ksys_read(). */
		{ PROG_LOAD + 0x20, "bpf_prog_load+0x20" },
	};

	failing_alloc_check(self);
	for (size_t i = 0; i < ARRAY_SIZE(left_to); i++) {
		const char *wrapper, *body;

		STACK_IS(MAP_CREATE + 0x120, ADDR(SYS_BPF) + 0x38b, left_to[i].addr, DO_SYSCALL + 0x87);
		wrapper = strstr(text_of(self), "__x64_sys_bpf\n");
		body = strstr(self->text, left_to[i].body);
		ASSERT_NE(NULL, wrapper);
		ASSERT_NE(NULL, body);
		EXPECT_LT(wrapper, body);
	}
}

TEST_F(stack_view, a_tail_call_is_put_where_it_was_if_that_is_known)
{
	char *expected;

	/* ... at the call to a trampoline */
	failing_alloc_check(self);
	STACK_IS(PROGRAM + 0x80, TRAMPOLINE + 0x90, ADDR(ALLOC_CHECK) + 9, MAP_CREATE + 0x120,
		 TRAMPOLINE + 0x70, ADDR(SYS_BPF) + 9, ADDR(X64_SYS_BPF) + 0x1e, TRAMPOLINE + 0x70,
		 ADDR(X64_SYS_BPF) + 9, DO_SYSCALL + 0x87);
	EXPECT_GOLDEN("tail-call-place.txt", text_of(self));
	expected = strdup(self->text);

	/* ... where stacks of entries were joined */
	STACK_IS(ADDR(ALLOC_CHECK) + 1, MAP_CREATE + 0x120, ADDR(SYS_BPF), ADDR(X64_SYS_BPF) + 0x1e,
		 DO_SYSCALL + 0x87);
	self->session.at_entry = true;
	EXPECT_STREQ(expected, text_of(self));
	free(expected);

	/* What was moved out of the way has not left. */
	STACK_IS(ADDR(ALLOC_CHECK) + 1, ADDR(SYS_BPF) + 0x8012, ADDR(SYS_BPF),
		 ADDR(X64_SYS_BPF) + 0x1e, DO_SYSCALL + 0x87);
	text_of(self);
	EXPECT_SHOWS("    15us [-E2BIG]  __sys_bpf.cold+0x12\n");
	EXPECT_HIDES("!   15us");
}

TEST_F(stack_view, recursion_lines_up_from_the_outside)
{
	FRAMES_ARE({ SYS_BPF, EVENT_FRAME_FAILED, 30000, EINVAL_RESULT },
		   { SYS_BPF, EVENT_FRAME_FAILED, 20000, EINVAL_RESULT },
		   { SYS_BPF, EVENT_FRAME_FAILED, 10000, EINVAL_RESULT });
	STACK_IS(ADDR(SYS_BPF) + 0x22, ADDR(SYS_BPF) + 0x11, DO_SYSCALL + 0x87);
	EXPECT_GOLDEN("recursion.txt", text_of(self));
}

TEST_F(stack_view, a_missing_caller_does_not_take_a_later_calls_place)
{
	/* The first array_map_alloc is not on the stack, the second is. */
	FRAMES_ARE({ SYS_BPF, EVENT_FRAME_FAILED, 40000, EINVAL_RESULT },
		   { MAP_ALLOC, EVENT_FRAME_FAILED, 30000, EINVAL_RESULT },
		   { ALLOC_CHECK, EVENT_FRAME_FAILED, 20000, EINVAL_RESULT },
		   { MAP_ALLOC, EVENT_FRAME_FAILED, 10000, EINVAL_RESULT });
	STACK_IS(ADDR(MAP_ALLOC) + 0x33, ADDR(ALLOC_CHECK) + 0x22, ADDR(SYS_BPF) + 0x11);
	text_of(self);
	EXPECT_SHOWS("!   30us [-EINVAL]  array_map_alloc\n"
		     "    20us [-EINVAL]  array_map_alloc_check+0x22\n"
		     "    10us [-EINVAL]  array_map_alloc+0x33\n");
}

TEST_F(stack_view, a_traced_function_that_looks_like_tracing_stays)
{
	FRAMES_ARE({ LOOKALIKE, EVENT_FRAME_FAILED, 18210, E2BIG_RESULT },
		   { ALLOC_CHECK, EVENT_FRAME_FAILED, 3001, E2BIG_RESULT });
	STACK_IS(ADDR(LOOKALIKE) + 0x87, DO_SYSCALL + 0x87);
	text_of(self);
	EXPECT_SHOWS("  kprobe_dispatcher+0x87\n");
}

TEST_F(stack_view, kernel_functions_named_like_bpf_programs_stay)
{
	failing_alloc_check(self);
	STACK_IS(PROG_LOAD + 0x120, ADDR(SYS_BPF) + 0x233a, ADDR(X64_SYS_BPF) + 0x1e);
	text_of(self);
	EXPECT_SHOWS("  bpf_prog_load+0x120\n");
}

TEST_F(stack_view, a_bpf_program_that_calls_the_kernel_stays)
{
	FRAMES_ARE({ ALLOC_CHECK, EVENT_FRAME_FAILED, 3001, E2BIG_RESULT });
	rungs[ALLOC_CHECK] = RUNG_KPROBE_MULTI;
	STACK_IS(RETHOOK, PROGRAM + 0x33, MODULE_FUNC + 0x12);
	text_of(self);
	EXPECT_SHOWS("  nf_hook+0x12\n"
		     "                   bpf_prog_4fa3b7dd1c0dcd1f_exit+0x33\n"
		     "!    3us [-E2BIG]  array_map_alloc_check\n");
	EXPECT_HIDES("rethook");
}

TEST_F(stack_view, without_a_stack_the_calls_are_shown)
{
	failing_map_alloc(self);
	self->session.nr_ips = 0;
	EXPECT_GOLDEN("no-stack.txt", text_of(self));
}

TEST_F(stack_view, says_what_was_not_kept)
{
	failing_alloc_check(self);
	self->session.truncated = 1;
	text_of(self);
	EXPECT_SHOWS("    ... 1 call deeper than 256 not kept\n\n\n");
	self->session.truncated = 12;
	text_of(self);
	EXPECT_SHOWS("    ... 12 calls deeper than 256 not kept\n\n\n");
	self->settings.max_depth = 64;
	text_of(self);
	EXPECT_SHOWS("    ... 12 calls deeper than 64 not kept\n\n\n");
}

TEST_F(stack_view, interim_stacks_have_calls_that_go_on)
{
	failing_alloc_check(self);
	self->frames[0] = (struct event_frame){ X64_SYS_BPF, EVENT_FRAME_UNFINISHED, 0, 0 };
	self->frames[1] = (struct event_frame){ SYS_BPF, EVENT_FRAME_UNFINISHED, 0, 0 };
	self->session.interim = true;
	EXPECT_GOLDEN("interim.txt", text_of(self));
}

TEST_F(stack_view, tells_interrupts_from_tasks)
{
	failing_alloc_check(self);
	self->session.proc_comm[0] = '\0';
	self->session.context = CONTEXT_SOFTIRQ;
	text_of(self);
	EXPECT_SHOWS("TID/PID 8346/8346 (simfail), softirq:\n\n");
	self->session.context = CONTEXT_NMI;
	self->session.interim = true;
	text_of(self);
	EXPECT_SHOWS("TID/PID 8346/8346 (simfail), NMI, interim:\n\n");
}

TEST_F(stack_view, successes_and_all_kinds_of_results)
{
	self->session.failed = false;
	FRAMES_ARE({ X64_SYS_BPF, 0, 12345678901, 3 }, { SYS_BPF, 0, 9999999999, 3 },
		   { MAP_FREE, 0, 1404000, 0x1234 }, { HAS_CAP, 0, 999, 0xffffff01 },
		   { MAP_ALLOC, 0, 0, 0xffff888126ae9100 });
	STACK_IS(ADDR(MAP_FREE) + 0x40, ADDR(SYS_BPF) + 0x233a, ADDR(X64_SYS_BPF) + 0x1e,
		 DO_SYSCALL + 0x87);
	EXPECT_GOLDEN("results.txt", text_of(self));
}

TEST_F(stack_view, a_name_cannot_steer_the_terminal)
{
	failing_alloc_check(self);
	strcpy(self->session.comm, "a\033[2J\nb\177c");
	text_of(self);
	EXPECT_SHOWS("(a?[2J?b?c/simfail):\n");
}

TEST_F(stack_view, stays_readable_at_any_depth)
{
	failing_alloc_check(self);
	for (int i = 0; i < 200; i++)
		self->frames[i] = (struct event_frame){ SYS_BPF, EVENT_FRAME_FAILED,
							1000 * (300 - i), EINVAL_RESULT };
	self->session.nr_frames = 200;
	for (int i = 0; i < EVENT_MAX_IPS; i++)
		self->ips[i] = ADDR(SYS_BPF) + 0x11;
	self->session.nr_ips = EVENT_MAX_IPS;
	text_of(self);
	for (const char *line = self->text; *line; line = strchr(line, '\n') + 1)
		EXPECT_LT(strcspn(line, "\n"), 80);
	EXPECT_SHOWS("   300us [-EINVAL]  __sys_bpf+0x11\n");
	EXPECT_SHOWS("!  101us [-EINVAL]  __sys_bpf\n");
}

TEST_F(stack_view, a_reader_that_left_ends_it_quietly)
{
	struct view *view;
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	ASSERT_EQ(0, pipe(ends));
	close(ends[0]);
	failing_alloc_check(self);
	self->session.frames = self->frames;
	self->session.ips = self->ips;
	self->context.explain.symbolizer = &self->symbolizer;
	self->context.out = fdopen(ends[1], "w");
	view = view_text_new(&self->context);
	ASSERT_NE(NULL, view);
	EXPECT_EQ(-EPIPE, show_session(view, &self->context, &self->session));
	view->free(view);
	fclose(self->context.out);
}

TEST_F(stack_view, json_has_it_all)
{
	self->symbolizer.debuginfo = true;
	failing_map_alloc(self);
	EXPECT_GOLDEN("lines.json", shown(self, view_json_new));
	self->symbolizer.debuginfo = false;
	FRAMES_ARE({ X64_SYS_BPF, EVENT_FRAME_UNFINISHED, 0, 0 },
		   { SYS_BPF, 0, 1, 0xffffffffull - 4999 }, { HAS_CAP, 0, 2, 1 },
		   { MAP_FREE, 0, 3, 77 }, { MAP_ALLOC, 0, 4, 0xffff888126ae9100 });
	STACK_IS(NOWHERE, MODULE_FUNC + 8, RETHOOK, DO_SYSCALL + 0x35);
	strcpy(self->session.comm, "q\"\\\n\001\xc3\xa4\xff");
	self->session.proc_comm[0] = '\0';
	self->session.context = CONTEXT_HARDIRQ;
	self->session.interim = true;
	self->session.failed = false;
	self->session.truncated = 3;
	EXPECT_GOLDEN("odd.json", shown(self, view_json_new));
}

TEST_HARNESS_MAIN
