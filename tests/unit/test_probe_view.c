// SPDX-License-Identifier: BSD-2-Clause
/* What was captured, and what there is to probe, as text. */
#include "probes_fixture.h"
#include "unit.h"
#include "util/view/probe_list.h"
#include "util/view/probe_text.h"

FIXTURE(probe_view)
{
	struct probes_fixture f;
	struct probe_spec_list specs;
	struct probes *probes;
	struct strbuf text;
	char *output;
};

FIXTURE_SETUP(probe_view)
{
	probes_fixture_init(&self->f, true);
	self->specs = (struct probe_spec_list){ VEC_INIT };
	self->probes = NULL;
	self->text = (struct strbuf)STRBUF_INIT;
	self->output = NULL;
	probe_spec_list_add(&self->specs, "kprobe:do_open_twice");
	probe_spec_list_add(&self->specs, "tp:sched:proc_exec");
	probe_spec_list_add(&self->specs, "rawtp:task_switch");
	probe_spec_list_add(&self->specs, "rawtp:nameless");
	ASSERT_EQ(0, probes_resolve(self->f.kernel, &self->specs, &self->f.sources, 0,
				    &self->probes));
	ASSERT_EQ(4, self->probes->v.len);
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
	void *copy = malloc(size ?: 1);

	memcpy(copy, data, size);
	strbuf_reset(&self->text);
	probe_text_add(&self->text, self->probes, id, copy, size, verbose);
	free(copy);
	return strbuf_str(&self->text);
}

TEST_F(probe_view, registers_are_shown_in_their_order_unless_they_are_0)
{
	uint64_t regs[21] = { [0] = 0x59702c, [3] = 1 << 20, [4] = (1 << 20) + 1, [10] = -22ull,
			      [15] = -1ull, [16] = 0xffffffff81000201, [17] = 16, [20] = 24 };

	EXPECT_STREQ("regs={.r15=0x59702c,.r12=1048576,.bp=0x100001,.ax=0xffffffffffffffea,"
		     ".orig_ax=0xffffffffffffffff,.ip=0xffffffff81000201,.cs=16,.ss=24}",
		     show(self, 0, regs, sizeof(regs), false));
	EXPECT_STREQ("regs={.r15=0x59702c,.r14=0,.r13=0,.r12=1048576,.bp=0x100001,.bx=0,.r11=0,"
		     ".r10=0,.r9=0,.r8=0,.ax=0xffffffffffffffea,.cx=0,.dx=0,.si=0,.di=0,"
		     ".orig_ax=0xffffffffffffffff,.ip=0xffffffff81000201,.cs=16,.flags=0,.sp=0,"
		     ".ss=24}",
		     show(self, 0, regs, sizeof(regs), true));
	EXPECT_STREQ("regs={.r15=0x59702c…}", show(self, 0, regs, 20, false));
	EXPECT_STREQ("regs={…}", show(self, 0, regs, 7, false));
	EXPECT_STREQ("regs={…}", show(self, 0, regs, 0, false));
	/* More than there can be. */
	uint64_t many[64] = { [20] = 1, [40] = 1 };
	EXPECT_STREQ("regs={.ss=1}", show(self, 0, many, sizeof(many), false));
}

TEST_F(probe_view, another_machines_registers_go_by_their_names)
{
	uint64_t regs[34] = { [0] = 5, [30] = 7, [31] = 8, [32] = 9, [33] = 10 };

	self->probes->v.data[0].capture.fixed = sizeof(regs);
	EXPECT_STREQ("regs={.x0=5,.x30=7,.sp=8,.pc=9,.pstate=10}",
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
}

TEST_F(probe_view, raw_arguments_are_shown_by_their_types)
{
	uint64_t args[5] = { 0xabcdef0000000001, 0xffff888100001000, 0xdeadbeeffffffff5, 2, 99 };

	EXPECT_STREQ("preempt=true prev=0xffff888100001000 state=-11 why=WHY_YIELD when=99",
		     show(self, 2, args, sizeof(args), false));
	args[0] = 0x100;
	args[1] = 0;
	args[3] = 77;
	EXPECT_STREQ("preempt=false prev=NULL state=-11 why=77 when=99",
		     show(self, 2, args, sizeof(args), false));
	EXPECT_STREQ("preempt=false prev=NULL state=…", show(self, 2, args, 20, false));
	args[0] = -5;
	EXPECT_STREQ("arg1=-5", show(self, 3, args, 8, false));
}

TEST_F(probe_view, an_id_that_there_is_not_shows_nothing)
{
	EXPECT_STREQ("", show(self, 4, "", 0, false));
	EXPECT_STREQ("", show(self, UINT32_MAX, "", 0, false));
}

TEST_F(probe_view, lists_have_what_a_point_brings)
{
	self->output = stdout_of(EXPECT_EQ(0, probe_list_text(stdout, self->probes)));
	EXPECT_STREQ("kprobe:do_open_twice  # 0xffffffff81000200\n"
		     "tp:sched:proc_exec    # __data_loc char[] filename, pid_t pid, pid_t "
		     "old_pid\n"
		     "rawtp:task_switch     # bool preempt, struct task *prev, int state, enum why "
		     "why, unsigned long when\n"
		     "rawtp:nameless        # int\n",
		     self->output);
}

TEST_F(probe_view, a_list_is_a_file_of_points)
{
	char path[] = "/tmp/points.XXXXXX", at[32];
	FILE *file = fdopen(mkstemp(path), "w");
	struct probes *again = NULL;

	ASSERT_EQ(0, probe_list_text(file, self->probes));
	fclose(file);
	probe_spec_list_release(&self->specs);
	snprintf(at, sizeof(at), "@%s", path);
	ASSERT_EQ(0, probe_spec_list_add(&self->specs, at));
	unlink(path);
	ASSERT_EQ(0, probes_resolve(self->f.kernel, &self->specs, &self->f.sources, 0, &again));
	ASSERT_EQ(4, again->v.len);
	for (size_t i = 0; i < 4; i++)
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

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct probes *list = NULL;

		ASSERT_EQ(0, probes_list(self->f.kernel, lists[i].glob, &self->f.sources, &list));
		EXPECT_EQ(lists[i].nr, list->v.len);
		probes_free(list);
	}
	self->output = stderr_of(EXPECT_EQ(
		-ENOENT, probes_list(self->f.kernel, "zz*", &self->f.sources, &self->probes)));
	EXPECT_STREQ("retsnoop: no tracepoint matches 'zz*'; functions are listed with "
		     "kprobe:GLOB\n",
		     self->output);
}

TEST_F(probe_view, json_has_an_object_a_line)
{
	self->output = stdout_of(EXPECT_EQ(0, probe_list_json(stdout, self->probes)));
	EXPECT_NE(NULL, strstr(self->output,
			       "{\"point\":\"kprobe:do_open_twice\",\"kind\":\"kprobe\","
			       "\"name\":\"do_open_twice\",\"module\":null,"
			       "\"address\":\"0xffffffff81000200\",\"offset\":0}\n"));
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

TEST_HARNESS_MAIN
