// SPDX-License-Identifier: BSD-2-Clause
/* Decisions in, text and JSON out. The texts are tests/golden/why/NAME. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "golden.h"
#include "unit.h"

#include "util/kernel/debug/source_text.h"
#include "util/view/parts/json.h"
#include "util/view/session/decision_view.h"
#include "util/view/session/view.h"

#define RESULT(err) ((uint64_t)(uint32_t) - (err))

enum {
	SYS_BPF,
	MAP_CREATE,
	ALLOC_CHECK,
	MAP_ALLOC,
};

static struct plan_func funcs[] = {
	[SYS_BPF] = { .name = "__sys_bpf", .returns = RETURN_INT32 },
	[MAP_CREATE] = { .name = "map_create", .returns = RETURN_INT32 },
	[ALLOC_CHECK] = { .name = "array_map_alloc_check", .returns = RETURN_INT32 },
	[MAP_ALLOC] = { .name = "array_map_alloc", .returns = RETURN_POINTER },
};
static const struct plan plan = { .funcs = { funcs, ARRAY_SIZE(funcs), ARRAY_SIZE(funcs) } };

static const char arraymap[] = "int array_map_alloc_check(union bpf_attr *attr)\n"
			       "{\n"
			       "\t/* check sanity of attributes */\n"
			       "\tif (attr->max_entries == 0 || attr->key_size != 4 ||\n"
			       "\t    attr->value_size == 0 ||\n"
			       "\t    attr->map_flags & ~ARRAY_CREATE_FLAG_MASK)\n"
			       "\t\treturn -EINVAL;\n"
			       "\treturn 0;\n"
			       "}\n";

FIXTURE(why)
{
	struct view_context context;
	struct trace_request settings;
	struct event_frame frames[4];
	struct decision decision;
	struct strbuf text;
	char dir[32];
};

FIXTURE_SETUP(why)
{
	self->context = (struct view_context){ .explain.plan = &plan,
					       .explain.settings = &self->settings };
	strcpy(self->dir, "/tmp/why.XXXXXX");
	if (!mkdtemp(self->dir))
		abort();
}

FIXTURE_TEARDOWN(why)
{
	char *command = strf("rm -rf %s", self->dir);

	if (system(command))
		abort();
	free(command);
	source_text_close(self->context.source);
	decision_release(&self->decision);
	strbuf_release(&self->text);
}

static const char *text_of(FIXTURE_DATA(why) * self)
{
	strbuf_reset(&self->text);
	decision_text_add(&self->text, &self->context, &self->decision);
	return strbuf_str(&self->text);
}

static const char *json_of(FIXTURE_DATA(why) * self)
{
	struct json json = JSON_INIT(&self->text);

	strbuf_reset(&self->text);
	json_object(&json, NULL);
	decision_json_add(&json, "decision", &self->context, &self->decision);
	json_close(&json);
	strbuf_addch(&self->text, '\n');
	return strbuf_str(&self->text);
}

#define EXPECT_GOLDEN(name, text) golden(_metadata, "why/" name, text)

static struct decision_place place(uint64_t offset, const char *file, uint32_t line,
				   uint32_t column)
{
	return (struct decision_place){ .addr = 0xffffffff812c4f90 + offset,
					.symbol = "array_map_alloc_check",
					.offset = offset,
					.function = file ? "array_map_alloc_check" : NULL,
					.file = file,
					.line = line,
					.column = column };
}

static void add_step(struct decision *decision, const char *function,
		     const struct event_frame *frame, const char *file, uint32_t line)
{
	struct decision_step step = { .function = function, .frame = frame };

	if (frame)
		step.code = (int32_t)frame->result;
	step.place = (struct decision_place){ .addr = 0xffffffff81200000,
					      .symbol = function,
					      .offset = 0x10,
					      .file = file,
					      .line = line };
	if (vec_push(&decision->steps, step))
		abort();
}

static void add_callee(struct decision *decision, const char *name, uint32_t line)
{
	struct decision_callee callee = { .addr = 0xffffffff81234560, .name = name };

	callee.call = (struct decision_place){ .addr = 0xffffffff81200000,
					       .symbol = "__sys_bpf",
					       .offset = 0x10,
					       .file = "kernel/bpf/syscall.c",
					       .line = line,
					       .column = 9 };
	if (vec_push(&decision->callees, callee))
		abort();
}

static struct event_frame frame(uint32_t func, uint64_t result)
{
	return (struct event_frame){ .func = func, .flags = EVENT_FRAME_FAILED, .result = result };
}

/* value_size is 0. */
static void bad_value_size(FIXTURE_DATA(why) * self)
{
	struct decision *decision = &self->decision;

	decision->kind = DECISION_TAKEN;
	decision->func = ALLOC_CHECK;
	decision->result = RESULT(EINVAL);
	decision->from = place(0x33, "kernel/bpf/arraymap.c", 4, 52);
	decision->to = place(0x9e, "kernel/bpf/arraymap.c", 7, 0);
	decision->to_shared = true;
	decision->skipped_first = decision->skipped_last = 6;
	decision->tested = place(0x2e, "kernel/bpf/arraymap.c", 5, 10);
	self->frames[0] = frame(SYS_BPF, RESULT(EINVAL));
	add_step(decision, "find_and_alloc_map", NULL, "kernel/bpf/syscall.c", 123);
	add_step(decision, "map_create", NULL, "kernel/bpf/syscall.c", 1376);
	add_step(decision, "__sys_bpf", &self->frames[0], "kernel/bpf/syscall.c", 5775);
}

TEST_F(why, a_branch_its_lines_and_who_handed_it_up)
{
	bad_value_size(self);
	EXPECT_GOLDEN("taken.txt", text_of(self));
	EXPECT_GOLDEN("taken.json", json_of(self));
}

TEST_F(why, source_lines_are_shown_where_they_are)
{
	char *path = strf("%s/kernel/bpf", self->dir), *command = strf("mkdir -p %s", path);
	char *name = strf("%s/arraymap.c", path);
	FILE *file;

	ASSERT_EQ(0, system(command));
	file = fopen(name, "w");
	fputs(arraymap, file);
	fclose(file);
	ASSERT_EQ(0, source_text_open(self->dir, NULL, &self->context.source));
	bad_value_size(self);
	EXPECT_GOLDEN("source.txt", text_of(self));
	/* Nothing tells whether it is in front of the operator or behind it. */
	self->decision.tested = (struct decision_place){};
	text_of(self);
	EXPECT_NE(NULL, strstr(self->text.s, ">     4:\tif"));
	EXPECT_NE(NULL, strstr(self->text.s, ">     5:\t"));
	/* Not behind an operator: the line itself. */
	self->decision.from = place(0x26, "kernel/bpf/arraymap.c", 4, 5);
	text_of(self);
	EXPECT_NE(NULL, strstr(self->text.s, ">     4:\tif"));
	/* A file that is not there. */
	self->decision.from.file = "kernel/bpf/hashtab.c";
	text_of(self);
	EXPECT_EQ(NULL, strstr(self->text.s, ":\tif"));
	free(path);
	free(command);
	free(name);
}

TEST_F(why, without_debug_info_functions_and_offsets)
{
	bad_value_size(self);
	self->decision.from = place(0x33, NULL, 0, 0);
	self->decision.to = place(0x9e, NULL, 0, 0);
	self->decision.tested = (struct decision_place){};
	self->decision.skipped_first = self->decision.skipped_last = 0;
	vec_foreach(step, &self->decision.steps)
		step->place.file = NULL;
	EXPECT_GOLDEN("symbols.txt", text_of(self));
	self->settings.stacks_dec_offs = true;
	text_of(self);
	EXPECT_NE(NULL, strstr(self->text.s, "array_map_alloc_check+51   -> +158\n"));
}

TEST_F(why, doubts_are_said)
{
	bad_value_size(self);
	self->decision.likely = true;
	self->decision.reason = "the result was kept in memory meanwhile";
	self->decision.to_merged = true;
	EXPECT_GOLDEN("likely.txt", text_of(self));
	/* The line behind is of another statement. */
	self->decision.from.line = 8;
	self->decision.skipped_first = 0;
	text_of(self);
	EXPECT_NE(NULL, strstr(self->text.s, ":8:52   -> code merged from several lines\n"));
}

TEST_F(why, inlined_calls_and_what_was_tested)
{
	struct decision *decision = &self->decision;

	bad_value_size(self);
	decision->kind = DECISION_NOT_TAKEN;
	decision->from.inlined = true;
	decision->from.function = "check_flags";
	decision->from.header_function = "is_power_of_2";
	decision->from.header_file = "include/linux/log2.h";
	decision->from.header_line = 47;
	decision->tested_callee = "bpf_capable";
	decision->skipped_first = 0;
	EXPECT_GOLDEN("inlined.txt", text_of(self));
	EXPECT_GOLDEN("inlined.json", json_of(self));
	/* What follows is not worth a word where it is of the same line. */
	decision->to.line = decision->from.line;
	text_of(self);
	EXPECT_EQ(NULL, strstr(self->text.s, "->"));
}

TEST_F(why, functions_that_are_not_traced_handed_it_on)
{
	struct decision *decision = &self->decision;

	bad_value_size(self);
	decision->steps.len = 0;
	decision->func = SYS_BPF;
	add_callee(decision, "map_create", 5660);
	add_callee(decision, "array_map_alloc_check", 1269);
	EXPECT_GOLDEN("callees.txt", text_of(self));
	EXPECT_GOLDEN("callees.json", json_of(self));
}

TEST_F(why, of_returns_alone_it_is_likely)
{
	struct decision *decision = &self->decision;

	decision->kind = DECISION_CALLEE;
	decision->likely = true;
	decision->reason = "branches were not recorded, only returns; --lbr=any shows more";
	decision->func = SYS_BPF;
	decision->result = RESULT(EINVAL);
	add_callee(decision, "map_create", 5660);
	add_callee(decision, "array_map_alloc_check", 1269);
	EXPECT_GOLDEN("returns.txt", text_of(self));
}

TEST_F(why, an_error_that_was_stored_by_an_address)
{
	struct decision *decision = &self->decision;

	decision->func = MAP_ALLOC;
	decision->result = RESULT(EAGAIN);
	decision->from = place(0x6c, "kernel/bpf/arraymap.c", 75, 10);
	decision->kind = DECISION_SET;
	decision->stored_param = 2;
	decision->stored_name = "err";
	add_step(decision, "map_create", NULL, NULL, 0);
	EXPECT_STREQ("array_map_alloc stored -EAGAIN in *err\n"
		     "  set at kernel/bpf/arraymap.c:75:10\n"
		     "  -EAGAIN went up through map_create\n",
		     text_of(self));
	decision->stored_member = "cqe.res";
	decision->stored_name = "req";
	EXPECT_TRUE(strstr(text_of(self), "array_map_alloc stored -EAGAIN in req->cqe.res\n"));
	EXPECT_TRUE(strstr(json_of(self), "\"stored_parameter\":2,\"stored_in\":\"req\",\"stored_member\":\"cqe.res\","));
	decision->stored_member = NULL;
	decision->stored_name = NULL;
	EXPECT_TRUE(strstr(text_of(self), "array_map_alloc stored -EAGAIN at the address in its parameter 2\n"));
	EXPECT_TRUE(strstr(json_of(self), "\"stored_parameter\":2,\"stored_in\":null,"));
	decision->kind = DECISION_CALLEE;
	decision->stored_param = 0;
	decision->likely = true;
	add_callee(decision, "array_map_alloc_check", 1269);
	decision->callees.data[0].stored_param = 1;
	EXPECT_TRUE(strstr(text_of(self), "  likely stored by array_map_alloc_check, called at "));
	EXPECT_TRUE(strstr(json_of(self), "\"stored_parameter\":1"));
}

TEST_F(why, the_default_of_a_hook_for_bpf_programs)
{
	struct decision *decision = &self->decision;
	const char *name = funcs[ALLOC_CHECK].name;

	decision->func = ALLOC_CHECK;
	decision->result = RESULT(EOPNOTSUPP);
	decision->from = place(0x6c, "kernel/bpf/arraymap.c", 75, 10);
	decision->kind = DECISION_SET;
	EXPECT_FALSE(strstr(text_of(self), "default"));
	funcs[ALLOC_CHECK].name = "bpf_lsm_inode_setsecurity";
	EXPECT_STREQ("bpf_lsm_inode_setsecurity returned -EOPNOTSUPP\n"
		     "  set at kernel/bpf/arraymap.c:75:10\n"
		     "  (the default of a hook for BPF programs: none of these gave the error)\n",
		     text_of(self));
	decision->kind = DECISION_COMPUTED;
	EXPECT_FALSE(strstr(text_of(self), "default"));
	funcs[ALLOC_CHECK].name = name;
}

TEST_F(why, one_of_several_calls)
{
	struct decision *decision = &self->decision;

	decision->func = ALLOC_CHECK;
	decision->result = RESULT(E2BIG);
	decision->from = place(0x6c, "kernel/bpf/arraymap.c", 75, 10);
	decision->kind = DECISION_SET;
	decision->of_function = "array_map_alloc_check";
	decision->of_call = decision->of_calls = 1;
	EXPECT_EQ(NULL, strstr(text_of(self), "call"));
	EXPECT_EQ(NULL, strstr(json_of(self), "in_call"));
	decision->of_calls = 3;
	EXPECT_TRUE(strstr(text_of(self), "\n  (in call 1 of 3 of array_map_alloc_check)\n"));
	EXPECT_TRUE(strstr(json_of(self), "\"in_call\":{\"function\":\"array_map_alloc_check\",\"number\":1,\"of\":3}"));
}

TEST_F(why, results_without_a_branch)
{
	struct decision *decision = &self->decision;

	decision->func = ALLOC_CHECK;
	decision->result = RESULT(E2BIG);
	decision->from = place(0x6c, "kernel/bpf/arraymap.c", 75, 10);
	decision->kind = DECISION_COMPUTED;
	EXPECT_STREQ("array_map_alloc_check returned -E2BIG\n"
		     "  computed, without a branch, at kernel/bpf/arraymap.c:75:10\n",
		     text_of(self));
	decision->kind = DECISION_READ;
	EXPECT_STREQ("array_map_alloc_check returned -E2BIG\n"
		     "  read from memory at kernel/bpf/arraymap.c:75:10\n",
		     text_of(self));
	decision->kind = DECISION_SET;
	EXPECT_STREQ("array_map_alloc_check returned -E2BIG\n"
		     "  set at kernel/bpf/arraymap.c:75:10\n",
		     text_of(self));
	/* Memory may be there, and not for the program to write. */
	decision->kind = DECISION_FAULTED;
	EXPECT_STREQ("array_map_alloc_check returned -E2BIG\n"
		     "  access to memory failed at kernel/bpf/arraymap.c:75:10\n",
		     text_of(self));
}

TEST_F(why, one_errno_becomes_another)
{
	struct decision *decision = &self->decision;

	bad_value_size(self);
	self->frames[0] = frame(MAP_CREATE, RESULT(EPERM));
	self->frames[1] = frame(SYS_BPF, RESULT(EPERM));
	decision->steps.data[1].frame = &self->frames[0];
	decision->steps.data[1].changed = true;
	decision->steps.data[2].frame = &self->frames[1];
	EXPECT_GOLDEN("changed.txt", text_of(self));
	/* At once. */
	memmove(decision->steps.data, decision->steps.data + 1,
		2 * sizeof(decision->steps.data[0]));
	decision->steps.len = 2;
	text_of(self);
	EXPECT_NE(NULL,
		  strstr(self->text.s, "  likely became -EPERM in map_create "
				       "(kernel/bpf/syscall.c:1376), "
				       "__sys_bpf (:5775)\n"));
	EXPECT_EQ(NULL, strstr(self->text.s, "went up"));
	/* That is news even where nothing else is known. */
	decision->kind = DECISION_NONE;
	decision->reason = "the branch records do not go back far enough";
	EXPECT_GOLDEN("unknown-changed.txt", text_of(self));
}

TEST_F(why, a_null_pointer_is_a_failure_too)
{
	struct decision *decision = &self->decision;

	bad_value_size(self);
	decision->func = MAP_ALLOC;
	decision->result = 0;
	decision->steps.len = 0;
	text_of(self);
	EXPECT_EQ(0, strncmp(self->text.s, "array_map_alloc returned NULL\n", 30));
}

TEST_F(why, nothing_is_said_where_there_is_nothing_to_say)
{
	EXPECT_STREQ("", text_of(self));
	EXPECT_STREQ("{}\n", json_of(self));
	/* A chain alone is what the stack shows. */
	bad_value_size(self);
	self->decision.kind = DECISION_NONE;
	EXPECT_STREQ("", text_of(self));
	self->decision.reason = "the kernel's code cannot be read";
	EXPECT_STREQ("array_map_alloc_check returned -EINVAL\n"
		     "  what decided that is not known: the kernel's code cannot be read\n",
		     text_of(self));
}

TEST_HARNESS_MAIN
