// SPDX-License-Identifier: BSD-2-Clause
/* What is said of functions that cannot be attached to. */
#include <errno.h>

#include "unit.h"

#include "util/kernel/arch/arch.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/trace/attach/attach_refusal.h"
#include "util/trace/attach/features.h"

FIXTURE(attach_refusal)
{
	struct plan plan;
	struct attached attached;
	struct features features;
	struct strbuf text;
};

enum { MMAP, SHOW, VARIADIC, SHOW_AGAIN, SHOW_OF_MODULE };

FIXTURE_SETUP(attach_refusal)
{
	static const struct plan_func funcs[] = {
		[MMAP] = { .name = "do_mmap", .arg_slots = 9 },
		[SHOW] = { .name = "show", .no_trampoline = "several functions have that name" },
		[VARIADIC] = { .name = "printf", .no_trampoline = "it is variadic" },
		[SHOW_AGAIN] = { .name = "show", .no_trampoline = "several functions have that name" },
		[SHOW_OF_MODULE] = { .name = "show", .module = "xfs" },
	};

	self->plan = (struct plan){};
	self->text = (struct strbuf)STRBUF_INIT;
	for (size_t i = 0; i < ARRAY_SIZE(funcs); i++)
		ASSERT_EQ(0, vec_push(&self->plan.funcs, funcs[i]));
	ASSERT_EQ(0, attached_init(&self->attached, &self->plan));
	self->attached.rungs[MMAP] = RUNG_FENTRY;
}

FIXTURE_TEARDOWN(attach_refusal)
{
	vec_release(&self->plan.funcs);
	vec_release(&self->plan.refused);
	attached_release(&self->attached);
	strbuf_release(&self->text);
}

static const char *message(FIXTURE_DATA(attach_refusal) *self, uint32_t index, enum rung forced,
			   int err)
{
	strbuf_reset(&self->text);
	attach_refusal_add(&self->text, &self->plan, &self->attached, &self->features, index, forced, err);
	return strbuf_str(&self->text);
}

TEST_F(attach_refusal, error_524_is_said_in_words)
{
	char expected[128];

	snprintf(expected, sizeof(expected),
		 "fentry refuses 'do_mmap': its arguments take 9 registers, and this kernel's "
		 "trampolines hand on no more than %u",
		 arch_native->nr_arg_registers);
	EXPECT_STREQ(expected, message(self, MMAP, RUNG_FENTRY, -524));
	self->plan.funcs.data[MMAP].arg_slots = arch_native->nr_arg_registers;
	EXPECT_STREQ("fentry refuses 'do_mmap': this kernel has no trampoline for such a function",
		     message(self, MMAP, RUNG_AUTO, -524));
	self->attached.rungs[MMAP] = RUNG_KPROBE;
	EXPECT_STREQ("kprobe refuses 'do_mmap': this kernel does not support it",
		     message(self, MMAP, RUNG_AUTO, -524));
}

TEST_F(attach_refusal, what_the_kernel_says_of_trampolines_only_is_said_of_them_only)
{
	EXPECT_STREQ("fentry refuses 'do_mmap': something else is attached to it that leaves no room "
		     "for a trampoline, such as a live patch",
		     message(self, MMAP, RUNG_AUTO, -EBUSY));
	EXPECT_STREQ("fentry refuses 'do_mmap': the largest possible number of programs is "
		     "attached to it already",
		     message(self, MMAP, RUNG_AUTO, -E2BIG));
	self->attached.rungs[MMAP] = RUNG_KPROBE_MULTI;
	EXPECT_STREQ("kprobe-multi refuses 'do_mmap': Device or resource busy",
		     message(self, MMAP, RUNG_AUTO, -EBUSY));
	EXPECT_STREQ("kprobe-multi refuses 'do_mmap': Invalid argument",
		     message(self, MMAP, RUNG_AUTO, -EINVAL));
}

TEST_F(attach_refusal, without_a_rung_there_is_a_reason_for_those_that_were_asked_for)
{
	EXPECT_STREQ("no way to attach to 'printf' on this kernel with fsession-multi: it is variadic",
		     message(self, VARIADIC, RUNG_FSESSION_MULTI, -EOPNOTSUPP));
	EXPECT_STREQ("no way to attach to 'printf' on this kernel: it is variadic",
		     message(self, VARIADIC, RUNG_AUTO, -EOPNOTSUPP));
	/* Trampolines have nothing to do with it. */
	EXPECT_STREQ("no way to attach to 'printf' on this kernel with kprobe",
		     message(self, VARIADIC, RUNG_KPROBE, -EOPNOTSUPP));
	EXPECT_STREQ("no way to attach to 'show' on this kernel with fentry",
		     message(self, SHOW_OF_MODULE, RUNG_FENTRY, -EOPNOTSUPP));
}

TEST_F(attach_refusal, a_function_of_a_later_module_may_need_kprobes_from_the_beginning)
{
	self->plan.funcs.data[VARIADIC].rungs = RUNG_BIT(RUNG_KPROBE);
	EXPECT_STREQ("no way to attach to 'printf' on this kernel: it is variadic",
		     message(self, VARIADIC, RUNG_AUTO, -EOPNOTSUPP));
	self->features.rungs[RUNG_KPROBE] = true;
	EXPECT_STREQ("no way to attach to 'printf' in this run: it is variadic; --attach=kprobe takes it",
		     message(self, VARIADIC, RUNG_AUTO, -EOPNOTSUPP));
	EXPECT_STREQ("no way to attach to 'printf' on this kernel with fentry: it is variadic",
		     message(self, VARIADIC, RUNG_FENTRY, -EOPNOTSUPP));
}

static void refused(FIXTURE_DATA(attach_refusal) *self, uint32_t index)
{
	const struct plan_func *func = &self->plan.funcs.data[index];

	if (vec_push(&self->attached.refused,
		     (struct plan_refusal){ func->name, func->module, REFUSED_ATTACH }))
		abort();
}

TEST_F(attach_refusal, functions_of_one_name_are_told_of_once)
{
	EXPECT_STREQ("no way to attach to 'show' (2 functions) on this kernel with fentry: several "
		     "functions have that name",
		     message(self, SHOW, RUNG_FENTRY, -EOPNOTSUPP));
	EXPECT_FALSE(attach_was_refused(&self->plan, &self->attached, SHOW));
	refused(self, VARIADIC);
	EXPECT_FALSE(attach_was_refused(&self->plan, &self->attached, SHOW));
	/* Not for attaching. */
	if (vec_push(&self->plan.refused, (struct plan_refusal){ "show", NULL, REFUSED_DENIED }))
		abort();
	EXPECT_FALSE(attach_was_refused(&self->plan, &self->attached, SHOW_AGAIN));
	refused(self, SHOW);
	EXPECT_TRUE(attach_was_refused(&self->plan, &self->attached, SHOW_AGAIN));
	EXPECT_FALSE(attach_was_refused(&self->plan, &self->attached, SHOW_OF_MODULE));
}

TEST_HARNESS_MAIN
