// SPDX-License-Identifier: BSD-2-Clause
/* What was captured, and what there is to probe, as text. */
#include "probes_fixture.h"
#include "unit.h"
#include "util/ask/args_selection.h"
#include "util/kernel/arch/arch.h"
#include "util/view/lists/probe_list.h"
#include "util/view/session/args_text.h"
#include "util/view/session/probe_text.h"

FIXTURE(probe_view)
{
	struct probes_fixture f;
	struct probe_spec_list specs;
	struct probes *probes;
	struct strbuf text;
	char *output;
	uint32_t unread;	/* items of what is shown that could not be read */
};

#define NR_POINTS 8

FIXTURE_SETUP(probe_view)
{
	const struct args_options options = ARGS_OPTIONS_DEFAULT;

	probes_fixture_init(&self->f, true);
	self->specs = (struct probe_spec_list){ VEC_INIT };
	self->probes = NULL;
	self->text = (struct strbuf)STRBUF_INIT;
	self->output = NULL;
	self->unread = 0;
	probe_spec_list_add(&self->specs, "kprobe:do_open_twice");
	probe_spec_list_add(&self->specs, "tp:sched:proc_exec");
	probe_spec_list_add(&self->specs, "rawtp:task_switch");
	probe_spec_list_add(&self->specs, "rawtp:nameless");
	probe_spec_list_add(&self->specs, "kretprobe:do_last");
	probe_spec_list_add(&self->specs, "kretprobe:do_trapped");
	probe_spec_list_add(&self->specs, "kretprobe:do_open_twice");
	probe_spec_list_add(&self->specs, "kretprobe:do_open.cold");
	ASSERT_EQ(0, probes_resolve(self->f.kernel, &self->specs, &self->f.sources, 0,
				    &self->probes));
	ASSERT_EQ(NR_POINTS, self->probes->v.len);
	ASSERT_EQ(0, probes_args(self->f.kernel, &options, self->probes));
	/* x86's registers, on any machine. */
	vec_foreach(probe, &self->probes->v) {
		if (probe->capture.fixed == arch_registers_size(arch_native))
			probe->capture.fixed = arch_registers_size(&arch_x86);
	}
}

FIXTURE_TEARDOWN(probe_view)
{
	probes_free(self->probes);
	probe_spec_list_release(&self->specs);
	strbuf_release(&self->text);
	free(self->output);
	probes_fixture_release(&self->f);
}

/* From memory of just that size. */
static const char *show(FIXTURE_DATA(probe_view) *self, uint32_t id, const void *data, size_t size,
			bool verbose)
{
	const struct value_format format = { .mode = verbose ? VALUE_VERBOSE : VALUE_COMPACT };
	void *copy = malloc(size ?: 1);
	struct args_capture capture = { size | (uint64_t)self->unread << 16, copy, size };

	memcpy(copy, data, size);
	strbuf_reset(&self->text);
	probe_text_add(&self->text, self->probes, id, &capture, &format);
	free(copy);
	return strbuf_str(&self->text);
}

TEST_F(probe_view, registers_are_shown_in_their_order_unless_they_are_0)
{
	uint64_t regs[21] = { [0] = 0x59702c, [3] = 1 << 20, [4] = (1 << 20) + 1, [10] = -22ull,
			      [15] = -1ull, [16] = 0xffffffff81000201,
			      [17] = 0xffff8de841390010, [18] = 0x246, [20] = 24 };

	EXPECT_STREQ("regs={.r15=0x59702c,.r12=1048576,.bp=0x100001,.ax=0xffffffffffffffea,"
		     ".orig_ax=0xffffffffffffffff,.ip=0xffffffff81000201,.cs=0x10,.flags=0x246,"
		     ".ss=0x18}",
		     show(self, 0, regs, sizeof(regs), false));
	EXPECT_STREQ("regs={\n    .r15 = 0x59702c,\n    .r14 = 0,\n    .r13 = 0,\n"
		     "    .r12 = 1048576,\n    .bp = 0x100001,\n    .bx = 0,\n    .r11 = 0,\n"
		     "    .r10 = 0,\n    .r9 = 0,\n    .r8 = 0,\n    .ax = 0xffffffffffffffea,\n"
		     "    .cx = 0,\n    .dx = 0,\n    .si = 0,\n    .di = 0,\n"
		     "    .orig_ax = 0xffffffffffffffff,\n    .ip = 0xffffffff81000201,\n"
		     "    .cs = 0x10,\n    .flags = 0x246,\n    .sp = 0,\n    .ss = 0x18,\n}",
		     show(self, 0, regs, sizeof(regs), true));
	EXPECT_STREQ("regs={.r15=0x59702c…}", show(self, 0, regs, 20, false));
	EXPECT_STREQ("regs={…}", show(self, 0, regs, 7, false));
	EXPECT_STREQ("regs={…}", show(self, 0, regs, 0, false));
	/* More than there can be. */
	uint64_t many[64] = { [20] = 1, [40] = 1 };
	EXPECT_STREQ("regs={.ss=0x1}", show(self, 0, many, sizeof(many), false));
}

TEST_F(probe_view, another_machines_registers_go_by_their_names)
{
	uint64_t regs[34] = { [0] = 5, [30] = 7, [31] = 8, [32] = 9, [33] = 10 };

	self->probes->v.data[0].capture.fixed = sizeof(regs);
	EXPECT_STREQ("regs={.x0=5,.x30=7,.sp=8,.pc=9,.pstate=0xa}",
		     show(self, 0, regs, sizeof(regs), false));
}

TEST_F(probe_view, tracepoints_are_shown_as_they_print_themselves)
{
	char record[64] = { 0 };

	put_string(record, 8, 20, "/bin/sh");
	put32(record, 12, 7);
	EXPECT_STREQ("filename=/bin/sh pid=7 old_pid=0", show(self, 1, record, 28, false));
	EXPECT_STREQ("filename='/bin/sh' pid=7 old_pid=0", show(self, 1, record, 28, true));
	EXPECT_STREQ("filename= pid=0 old_pid=0…", show(self, 1, record, 0, false));
	/* By field, the one that is missing says so. */
	EXPECT_STREQ("filename='/bi'… pid=7 old_pid=0", show(self, 1, record, 23, true));
	EXPECT_STREQ("filename=''… pid=7 old_pid=0", show(self, 1, record, 20, true));
	EXPECT_STREQ("filename=''… pid=7 old_pid=…", show(self, 1, record, 19, true));
	EXPECT_STREQ("filename=… pid=… old_pid=…", show(self, 1, record, 0, true));
}

/* A raw tracepoint's arguments, as they were captured; the task is what `prev` leads to. */
struct raw_args {
	uint8_t preempt;
	struct {
		uint64_t pid, start;
	} __attribute__((packed)) prev;
	int32_t state, why;
	uint64_t when;
} __attribute__((packed));

/* The same where that could not be read: the pointer. */
struct raw_unread {
	uint8_t preempt;
	uint64_t prev;
	int32_t state, why;
	uint64_t when;
} __attribute__((packed));

TEST_F(probe_view, raw_arguments_are_shown_as_functions_are)
{
	struct raw_args args = { 1, { 77, 0 }, -11, 2, 99 };
	struct raw_unread unread = { 0, 0, -11, 2, 99 };
	uint64_t number = -5;

	EXPECT_STREQ("preempt=true prev=&{.pid=77} state=-11 why=WHY_YIELD when=99",
		     show(self, 2, &args, sizeof(args), false));
	args.prev.start = 5;
	args.why = 4;
	EXPECT_STREQ("preempt=true prev=&{.pid=77,.start=5} state=-11 why=4 when=99",
		     show(self, 2, &args, sizeof(args), false));
	EXPECT_STREQ("preempt=true prev=&{.pid=77,.start=…} state=… why=… when=…",
		     show(self, 2, &args, 10, false));
	self->unread = 1 << 1;
	EXPECT_STREQ("preempt=false prev=NULL state=-11 why=WHY_YIELD when=99",
		     show(self, 2, &unread, sizeof(unread), false));
	unread.prev = 0xffff888100001000;
	EXPECT_STREQ("preempt=false prev=0xffff888100001000 state=-11 why=WHY_YIELD when=99",
		     show(self, 2, &unread, sizeof(unread), false));
	self->unread = 0;
	EXPECT_STREQ("arg0=-5", show(self, 3, &number, sizeof(number), false));
}

TEST_F(probe_view, raw_arguments_can_have_a_line_for_each_member)
{
	struct raw_args args = { 1, { 77, 5 }, 0, 2, 0 };

	EXPECT_STREQ("preempt=(bool)true prev=&(struct task){\n"
		     "    .pid = (int)77,\n"
		     "    .start = (unsigned long)5,\n"
		     "} state=(int)0 why=(enum why)WHY_YIELD when=(unsigned long)0",
		     show(self, 2, &args, sizeof(args), true));
}

TEST_F(probe_view, a_kretprobe_has_the_result_by_the_functions_type)
{
	uint64_t regs[21] = { [10] = 0x1ffffffea };

	/* Not known: as an int. */
	EXPECT_STREQ("result=-EINVAL regs={.ax=0x1ffffffea}",
		     show(self, 6, regs, sizeof(regs), false));
	EXPECT_STREQ("result=0x1ffffffea regs={.ax=0x1ffffffea}",
		     show(self, 4, regs, sizeof(regs), false));
	EXPECT_STREQ("regs={.ax=0x1ffffffea}", show(self, 5, regs, sizeof(regs), false));
	/* A part of do_open() may return something else than do_open() does. */
	EXPECT_EQ(RETURN_UNKNOWN, self->probes->v.data[7].returns);
	regs[10] = -17ull;
	EXPECT_STREQ("result=-EEXIST regs={.ax=0xffffffffffffffef}",
		     show(self, 4, regs, sizeof(regs), false));
	regs[10] = 0;
	EXPECT_STREQ("result=NULL regs={}", show(self, 4, regs, sizeof(regs), false));
	/* It is in the eleventh register, which did not come. */
	EXPECT_STREQ("regs={…}", show(self, 4, regs, 87, false));
	EXPECT_STREQ("result=NULL regs={…}", show(self, 4, regs, 88, false));
	regs[0] = -1ull;
	self->probes->v.data[4].capture.fixed = 34 * 8;
	EXPECT_STREQ("result=-EPERM regs={.x0=0xffffffffffffffff…}",
		     show(self, 4, regs, 8, false));
}

TEST_F(probe_view, an_id_that_there_is_not_shows_nothing)
{
	EXPECT_STREQ("", show(self, NR_POINTS, "", 0, false));
	EXPECT_STREQ("", show(self, UINT32_MAX, "", 0, false));
}

TEST_F(probe_view, lists_have_what_a_point_brings)
{
	self->output = stdout_of(EXPECT_EQ(0, probe_list_text(stdout, false, self->probes)));
	EXPECT_STREQ("kprobe:do_open_twice     # 0xffffffff81000200\n"
		     "tp:sched:proc_exec       # __data_loc char[] filename, pid_t pid, pid_t "
		     "old_pid\n"
		     "rawtp:task_switch        # bool preempt, struct task *prev, int state, enum why "
		     "why, unsigned long when\n"
		     "rawtp:nameless           # int\n"
		     "kretprobe:do_last        # 0xffffffff81000900 struct task *do_last(void)\n"
		     "kretprobe:do_trapped     # 0xffffffff81000880 void do_trapped(void)\n"
		     "kretprobe:do_open_twice  # 0xffffffff81000200\n"
		     "kretprobe:do_open.cold   # 0xffffffff81000500\n",
		     self->output);
}

TEST_F(probe_view, a_list_is_a_file_of_points)
{
	char path[] = "/tmp/points.XXXXXX", at[32];
	FILE *file = fdopen(mkstemp(path), "w");
	struct probes *again = NULL;

	ASSERT_EQ(0, probe_list_text(file, false, self->probes));
	fclose(file);
	probe_spec_list_release(&self->specs);
	snprintf(at, sizeof(at), "@%s", path);
	ASSERT_EQ(0, probe_spec_list_add(&self->specs, at));
	unlink(path);
	ASSERT_EQ(0, probes_resolve(self->f.kernel, &self->specs, &self->f.sources, 0, &again));
	ASSERT_EQ(NR_POINTS, again->v.len);
	for (size_t i = 0; i < NR_POINTS; i++)
		EXPECT_STREQ(self->probes->v.data[i].text, again->v.data[i].text);
	probes_free(again);
}

TEST_F(probe_view, lists_select_by_name_category_or_kind)
{
	static const struct {
		const char *glob;
		size_t nr;
	} lists[] = {
		{ NULL, 6 },	{ "sched", 2 },	      { "*:proc_*", 1 },
		{ "task_*", 2 }, { "kprobe:help*", 2 }, { "rawtp:*", 2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		struct probes *list = NULL;

		ASSERT_EQ(0, probes_list(self->f.kernel, lists[i].glob, &self->f.sources, &list));
		EXPECT_EQ(lists[i].nr, list->v.len);
		probes_free(list);
	}
	self->output = stderr_of(EXPECT_EQ(
		-ENOENT, probes_list(self->f.kernel, "task_swich", &self->f.sources, &self->probes)));
	EXPECT_STREQ("retsnoop: no tracepoint matches 'task_swich'; did you mean 'task_switch'?\n",
		     self->output);
	free(self->output);
	self->output = stderr_of(EXPECT_EQ(
		-ENOENT, probes_list(self->f.kernel, "zz*", &self->f.sources, &self->probes)));
	EXPECT_STREQ("retsnoop: no tracepoint matches 'zz*'; functions are listed with "
		     "'kprobe:zz*'\n",
		     self->output);
}

TEST_F(probe_view, json_has_an_object_a_line)
{
	self->output = stdout_of(EXPECT_EQ(0, probe_list_json(stdout, self->probes)));
	EXPECT_NE(NULL, strstr(self->output,
			       "{\"type\":\"point\",\"point\":\"kprobe:do_open_twice\","
			       "\"kind\":\"kprobe\","
			       "\"name\":\"do_open_twice\",\"module\":null,\"line\":null,"
			       "\"addr\":\"0xffffffff81000200\",\"offset\":0,"
			       "\"prototype\":null}\n"));
	EXPECT_NE(NULL, strstr(self->output, "\"offset\":0,"
					     "\"prototype\":\"void do_trapped(void)\"}\n"));
	EXPECT_NE(NULL, strstr(self->output, "\"category\":\"sched\",\"id\":310,\"fields\":["
					     "{\"name\":\"filename\",\"type\":\"__data_loc "
					     "char[]\",\"offset\":8,\"size\":4,"));
}

TEST_F(probe_view, why_is_a_sentence)
{
	strbuf_addstr(&self->text, "there is none; did you mean 'x'?");
	self->output = stdout_of(probe_why_text(stdout, "kprobe:y", 0, &self->text));
	EXPECT_STREQ("kprobe:y cannot be used: there is none; did you mean 'x'?\n", self->output);
	free(self->output);
	strbuf_reset(&self->text);
	self->output = stdout_of(probe_why_text(stdout, "kprobe:y", 1, &self->text));
	EXPECT_STREQ("kprobe:y can be used: 1 place.\n", self->output);
}

TEST_F(probe_view, types_and_names_of_fields_stand_as_in_c)
{
	struct probes *list = NULL;

	ASSERT_EQ(0, probes_list(self->f.kernel, "sys_enter_openat", &self->f.sources, &list));
	self->output = stdout_of(EXPECT_EQ(0, probe_list_text(stdout, false, list)));
	probes_free(list);
	EXPECT_STREQ("tp:syscalls:sys_enter_openat  # int __syscall_nr, int dfd, "
		     "const char *filename\n",
		     self->output);
}

TEST_F(probe_view, why_is_an_object_in_json)
{
	strbuf_addstr(&self->text, "there is none");
	self->output = stdout_of(probe_why_json(stdout, "kprobe:y", 0, &self->text));
	EXPECT_STREQ("{\"type\":\"point_why\",\"point\":\"kprobe:y\",\"places\":0,"
		     "\"why\":\"there is none\"}\n",
		     self->output);
	free(self->output);
	strbuf_reset(&self->text);
	self->output = stdout_of(probe_why_json(stdout, "kprobe:y", 3, &self->text));
	EXPECT_STREQ("{\"type\":\"point_why\",\"point\":\"kprobe:y\",\"places\":3,\"why\":null}\n",
		     self->output);
}

TEST_HARNESS_MAIN
