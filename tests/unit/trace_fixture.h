/* SPDX-License-Identifier: BSD-2-Clause */
/* A session with a trace, written down line by line, for the views that show one. */
#ifndef RETSNOOP_TESTS_TRACE_FIXTURE_H
#define RETSNOOP_TESTS_TRACE_FIXTURE_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "shown.h"
#include "unit.h"

#include "util/ask/request.h"
#include "util/base/wall_clock.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/session/session.h"
#include "util/view/session/view.h"

#define ERR(number) ((uint64_t)-(number))
#define EINVAL_RESULT ERR(22)
#define ENOMEM_RESULT ERR(12)
#define EADDRNOTAVAIL_RESULT ERR(99)
#define POINTER_RESULT 0xffff888126ae9100ull

enum {
	X64_SYS_BPF,
	SYS_BPF,
	ALLOC_CHECK,
	MAP_ALLOC,
	MAP_FREE,
	SLEEP,
	LONG_CHECK,
	LONG_CHECK_USER,
	NF_SETELEM,
	SHORT,
	NR_FUNCS,
};

#define ADDR(n) (0xffffffff81000000ull + (n)*0x10000)
#define FUNC(id, name_, module_, kind) \
	[id] = { .addr = ADDR(id),     \
		 .size = 0x4000,       \
		 .name = (name_),      \
		 .module = (module_),  \
		 .returns = (kind) }

static struct plan_func funcs[NR_FUNCS] = {
	FUNC(X64_SYS_BPF, "__x64_sys_bpf", NULL, RETURN_INT64),
	FUNC(SYS_BPF, "__sys_bpf", NULL, RETURN_INT32),
	FUNC(ALLOC_CHECK, "array_map_alloc_check", NULL, RETURN_INT32),
	FUNC(MAP_ALLOC, "array_map_alloc", NULL, RETURN_POINTER),
	FUNC(MAP_FREE, "array_map_free", NULL, RETURN_VOID),
	FUNC(SLEEP, "do_nanosleep", NULL, RETURN_INT32),
	FUNC(LONG_CHECK,
	     "security_check_that_has_a_name_longer_than_any_sane_line_could_hold_kernel", NULL,
	     RETURN_INT32),
	FUNC(LONG_CHECK_USER,
	     "security_check_that_has_a_name_longer_than_any_sane_line_could_hold_user", NULL,
	     RETURN_INT32),
	FUNC(NF_SETELEM, "nf_tables_newsetelem", "nf_tables", RETURN_INT32),
	FUNC(SHORT, "f", NULL, RETURN_INT32),
};
static const struct plan plan = { .funcs = { funcs, NR_FUNCS, NR_FUNCS } };
static enum rung rungs[NR_FUNCS];
static const struct attached attached = { .rungs = rungs };

bool symbolizer_is_changed(struct symbolizer *symbolizer, uint64_t addr)
{
	return false;
}

int symbolizer_variable(struct symbolizer *symbolizer, uint64_t addr, const struct variable_place *place,
			struct source_variable *ret_variable)
{
	return -ENOENT;
}

/* In place of the real one: symbols only. */
void symbolizer_lookup(struct symbolizer *symbolizer, uint64_t addr, bool is_return,
		       struct symbolized *ret)
{
	static const struct symbol symbols[] = {
		{ ADDR(X64_SYS_BPF), 0x4000, "__x64_sys_bpf", NULL, 't' },
		{ ADDR(SYS_BPF), 0x4000, "__sys_bpf", NULL, 't' },
		{ ADDR(100), 0x4000, "do_syscall_64", NULL, 't' },
	};

	*ret = (struct symbolized){};
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		if (addr - is_return - symbols[i].addr < symbols[i].size) {
			ret->symbol = &symbols[i];
			ret->offset = addr - symbols[i].addr;
		}
	}
}

FIXTURE(trace_view)
{
	struct view_context context;
	struct trace_request settings;
	struct session session;
	struct traced_call *calls;
	struct event_frame frames[3];
	uint64_t ips[3];
	uint64_t now;
	char *text;
};

/* 2026-01-01 20:19:36 */
static const struct wall_clock started = { .offset_ns = 1767298776000000000ll };

FIXTURE_SETUP(trace_view)
{
	setenv("TZ", "UTC", 1);
	tzset();
	self->context = (struct view_context){
		.explain.plan = &plan,
		.explain.settings = &self->settings,
		.explain.attached = &attached,
		.modes = MODE_TRACE,
		.clock = &started,
	};
	self->session = (struct session){
		.start_ns = 372607000,
		.end_ns = 372739398,
		.tid = 8346,
		.pid = 8346,
		.comm = "simfail",
		.proc_comm = "simfail",
		.failed = true,
		.no_stack = true,
	};
	self->now = self->session.start_ns;
}

FIXTURE_TEARDOWN(trace_view)
{
	free(self->calls);
	free(self->text);
}

static inline void add(FIXTURE_DATA(trace_view) * self, struct traced_call call)
{
	call.time_ns = self->now++;
	self->calls = reallocarray(self->calls, self->session.nr_calls + 1, sizeof(call));
	self->calls[self->session.nr_calls++] = call;
	self->session.calls = self->calls;
}

#define ENTER(depth, func) add(self, (struct traced_call){ TRACED_CALL, false, func, depth })
#define RETURN(depth, func, result, ns) \
	add(self, (struct traced_call){ TRACED_RETURN, true, func, depth, 0, 0, ns, result })
#define LEAF(depth, func, result, ns) \
	add(self, (struct traced_call){ TRACED_LEAF, true, func, depth, 0, 0, ns, result })
#define LATE_RETURN(depth, func, result) \
	add(self, (struct traced_call){ TRACED_RETURN, false, func, depth, 0, 0, 0, result })
#define MARK(depth, kind, count) add(self, (struct traced_call){ kind, false, 0, depth, count })

static inline const char *shown(FIXTURE_DATA(trace_view) * self, int width,
			 struct view *(*new_view)(const struct view_context *))
{
	self->context.width = width;
	return SHOWN(self, new_view);
}

static inline void failing_alloc_check(FIXTURE_DATA(trace_view) * self)
{
	ENTER(0, X64_SYS_BPF);
	ENTER(1, SYS_BPF);
	LEAF(2, ALLOC_CHECK, EINVAL_RESULT, 25949);
	RETURN(1, SYS_BPF, EINVAL_RESULT, 111577);
	RETURN(0, X64_SYS_BPF, EINVAL_RESULT, 132398);
}

/* The stack of that. */
static inline void failing_stack(FIXTURE_DATA(trace_view) * self)
{
	self->frames[0] = (struct event_frame){ X64_SYS_BPF, EVENT_FRAME_FAILED, 132398,
						EINVAL_RESULT };
	self->frames[1] = (struct event_frame){ SYS_BPF, EVENT_FRAME_FAILED, 111577,
						EINVAL_RESULT };
	self->frames[2] = (struct event_frame){ ALLOC_CHECK, EVENT_FRAME_FAILED, 25949,
						EINVAL_RESULT };
	self->session.frames = self->frames;
	self->session.nr_frames = 3;
	self->ips[0] = ADDR(SYS_BPF) + 0x233a;
	self->ips[1] = ADDR(X64_SYS_BPF) + 0x1e;
	self->ips[2] = ADDR(100) + 0x87;
	self->session.ips = self->ips;
	self->session.nr_ips = 3;
	self->session.no_stack = false;
}

#endif
