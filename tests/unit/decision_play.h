/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Playing a function's branches and asking for the decision. Who includes it has made the code
 * (decision_fixture.h), NR_FUNCS and func_names[]: the functions that are traced; or EACH_FUNC(do), with do(ID, name)
 * for each of them.
 */
#ifndef RETSNOOP_TESTS_DECISION_PLAY_H
#define RETSNOOP_TESTS_DECISION_PLAY_H

#include <linux/perf_event.h>

#include "decision_fixture.h"

#include "util/explain/condition.h"
#include "util/explain/decider.h"
#include "util/explain/function/function_code.h"
#include "util/explain/stack_rows.h"
#include "util/plan/attached.h"
#include "util/trace/branches/branch_trim.h"
#include "util/trace/session/session.h"

#ifdef EACH_FUNC
#define ID(func, name) func,
#define NAME(func, name) [func] = #name,

enum {
	EACH_FUNC(ID)
	NR_FUNCS,
};

static const char *const func_names[NR_FUNCS] = {
	EACH_FUNC(NAME)
};
#endif

FIXTURE(decision)
{
	struct symbolizer symbolizer;
	struct plan_func funcs[NR_FUNCS];
	struct plan plan;
	bool readable;
	uint64_t types;
	struct kernel_btf *btf; /* NULL: none */
	struct data_symbols *data; /* NULL: none */
	uint64_t passing; /* a call that returns what it is passed in passing_reg; 0: none */
	uint8_t passing_reg;
	uint8_t stored_param; /* the parameter by whose address the result was stored; 0: it was returned */
	uint16_t stored_at; /* how far behind that address */
	bool not_by_call;
	struct decision_condition condition; /* with types only */
	struct event_branch ring[EVENT_MAX_BRANCHES];
	struct branch records[EVENT_MAX_BRANCHES];
	uint32_t nr;
	struct event_frame frame;
	struct session session;
	struct decision decision;
};

static void add_func(struct plan_func *func, const char *name)
{
	for (const struct test_symbol *s = __start_test_symbols; s < __stop_test_symbols; s++) {
		if (!strcmp(s->name, name))
			*func = (struct plan_func){ .addr = s->start,
						    .size = s->end - s->start,
						    .name = s->name,
						    .returns = RETURN_INT32 };
	}
}

FIXTURE_SETUP(decision)
{
	for (int i = 0; i < NR_FUNCS; i++)
		add_func(&self->funcs[i], func_names[i]);
	self->plan.funcs.data = self->funcs;
	self->plan.funcs.len = NR_FUNCS;
	self->readable = true;
	self->types = PERF_SAMPLE_BRANCH_ANY;
}

FIXTURE_TEARDOWN(decision)
{
	decision_release(&self->decision);
	condition_release(&self->condition);
}

/* The next branch, in the order they were taken. */
static void took(FIXTURE_DATA(decision) * self, uint64_t from, uint64_t to)
{
	self->records[self->nr++] = (struct branch){ .from = from, .to = to, .times = 1 };
}

/* The same, of an interrupt. */
static inline void took_inside(FIXTURE_DATA(decision) * self, uint64_t from, uint64_t to)
{
	took(self, from, to);
	self->records[self->nr - 1].marks = BRANCH_IS_INTERRUPT;
}

#define TOOK(from, to) took(self, AT(from), AT(to))
#define CALLED(func_body) took(self, TRAMPOLINE + 0x40, AT(func_body))
#define RETURNED(from) took(self, AT(from), TRAMPOLINE + 0x45)
#define RETURNED_BY_THUNK(from)                                        \
	do {                                                           \
		TOOK(from, __x86_return_thunk);                        \
		took(self, AT(__x86_return_thunk), TRAMPOLINE + 0x45); \
	} while (0)

/* decide(), on the stack that the fixture's session has. */
static inline int decide_it(FIXTURE_DATA(decision) * self, struct decider *decider,
			    const struct branches *branches)
{
	struct plan_index index = {};
	struct attached attached = {};
	struct places places = { &self->symbolizer, &self->plan, &attached, &index };
	struct stack_rows stack = {};
	int err = attached_init(&attached, &self->plan) ?:
		  plan_index_fill(&index, &self->plan) ?:
		  stack_rows_fill(&stack, &places, &self->session) ?:
		  decide(decider, &self->session, branches, &stack, &self->decision);

	attached_release(&attached);
	stack_rows_release(&stack);
	vec_release(&places.sources);
	plan_index_release(&index);
	return err;
}

static const struct decision *decided(FIXTURE_DATA(decision) * self, uint32_t func, int result)
{
	const struct code_source code = { read_test_code, &self->readable };
	struct branches branches = {};
	struct decider *decider;

	self->frame = (struct event_frame){ .func = func,
					    .flags = EVENT_FRAME_FAILED,
					    .result = (uint32_t)result };
	self->session = (struct session){
		.failed = true,
		.frames = &self->frame,
		.nr_frames = 1,
		.branches = self->ring,
		.nr_branches = self->nr,
		.branches_func = func,
		.branches_result = (uint32_t)result,
		.no_stack = true,
	};
	branches.v.data = self->records;
	branches.v.len = self->nr;
	branches.nr_shown = self->nr;
	if (decider_new(&self->symbolizer, &self->plan, &code, self->types, &decider))
		abort();
	decider_set_btf(decider, self->btf);
	decider_set_data(decider, self->data);
	decider_set_passing(decider, self->passing, self->passing_reg);
	decider_set_stored(decider, self->stored_param, self->stored_at);
	decider_set_not_by_call(decider, self->not_by_call);
	if (decide_it(self, decider, &branches))
		abort();
	if (self->btf &&
	    decider_condition(decider,
			      &(struct code_function){ self->funcs[func].addr,
						       self->funcs[func].size,
						       self->funcs[func].name },
			      NULL, NULL, &self->decision, &self->condition))
		abort();
	decider_free(decider);
	return &self->decision;
}

#define EXPECT_BRANCH(kind_, label, line_, sure)                \
	do {                                                    \
		EXPECT_EQ((kind_), self->decision.kind)         \
		{                                               \
			TH_LOG("%s", self->decision.reason);    \
		}                                               \
		EXPECT_EQ(AT(label), self->decision.from.addr); \
		EXPECT_EQ((line_), self->decision.from.line);   \
		EXPECT_EQ((sure), !self->decision.likely);      \
	} while (0)

#define EXPECT_NONE(reason_)                                     \
	do {                                                     \
		EXPECT_EQ(DECISION_NONE, self->decision.kind);   \
		EXPECT_STREQ((reason_), self->decision.reason);  \
	} while (0)

#endif
