// SPDX-License-Identifier: BSD-2-Clause
/* Points resolved against a made-up kernel: where they are, what they capture, why not. */
#include "probes_fixture.h"
#include "unit.h"
#include "util/base/report.h"
#include "util/kernel/arch/arch.h"
#include "util/plan/plan.h"

FIXTURE(probes)
{
	struct probes_fixture f;
	struct probe_spec_list specs;
	struct probes *probes;
	struct strbuf why;
	char *messages;
	size_t usable;
};

FIXTURE_SETUP(probes)
{
	probes_fixture_init(&self->f, true);
	self->specs = (struct probe_spec_list){ VEC_INIT };
	self->probes = NULL;
	self->why = (struct strbuf)STRBUF_INIT;
	self->messages = NULL;
}

FIXTURE_TEARDOWN(probes)
{
	probes_free(self->probes);
	probe_spec_list_release(&self->specs);
	strbuf_release(&self->why);
	free(self->messages);
	probes_fixture_release(&self->f);
}

static int resolve(FIXTURE_DATA(probes) *self, const char *point)
{
	int err = 0;

	probes_free(self->probes);
	self->probes = NULL;
	free(self->messages);
	probe_spec_list_release(&self->specs);
	if (probe_spec_list_add(&self->specs, point))
		abort();
	self->messages = stderr_of(err = probes_resolve(self->f.kernel, &self->specs,
							&self->f.sources, 0, &self->probes));
	return err;
}

#define RESOLVE(point) ASSERT_EQ(0, resolve(self, (point)))
#define PROBE(i) (&self->probes->v.data[i])
#define EXPECT_REFUSED(err, point, message)                                                        \
	do {                                                                                       \
		EXPECT_EQ((err), resolve(self, (point)));                                          \
		EXPECT_STREQ("retsnoop: probe '" point "': " message "\n", self->messages ?: "");  \
		EXPECT_EQ(NULL, self->probes);                                                     \
	} while (0)

/* The fixture's code. */
#define NEEDS_X86()                                          \
	do {                                                 \
		if (arch_native != &arch_x86)                \
			SKIP(return, "instructions of x86"); \
	} while (0)

TEST_F(probes, a_function_is_probed_at_its_address)
{
	NEEDS_X86();
	RESOLVE("kprobe:do_open_twice");
	ASSERT_EQ(1, self->probes->v.len);
	EXPECT_EQ(PROBE_KPROBE, PROBE(0)->kind);
	EXPECT_STREQ("kprobe:do_open_twice", PROBE(0)->text);
	EXPECT_EQ(0xffffffff81000200, PROBE(0)->addr);
	EXPECT_EQ(168, PROBE(0)->capture.fixed);
	EXPECT_EQ(0, PROBE(0)->capture.nr_dynamic);
	RESOLVE("kprobe:do_open_twice+9");
	EXPECT_STREQ("kprobe:do_open_twice+0x9", PROBE(0)->text);
	EXPECT_EQ(0xffffffff81000209, PROBE(0)->addr);
	RESOLVE("kretprobe:do_last");
	EXPECT_EQ(PROBE_KRETPROBE, PROBE(0)->kind);
	EXPECT_STREQ("kretprobe:do_last", PROBE(0)->text);
}

TEST_F(probes, a_name_at_several_addresses_is_all_of_them)
{
	RESOLVE("kprobe:helper");
	ASSERT_EQ(2, self->probes->v.len);
	EXPECT_EQ(0xffffffff81000300, PROBE(0)->addr);
	EXPECT_EQ(0xffffffff81000400, PROBE(1)->addr);
	RESOLVE("kprobe:do_open");
	ASSERT_EQ(2, self->probes->v.len);
	RESOLVE("kprobe:do_open [ext4]");
	ASSERT_EQ(1, self->probes->v.len);
	EXPECT_STREQ("ext4", PROBE(0)->module);
	RESOLVE("kprobe:do_open [vmlinux]");
	ASSERT_EQ(1, self->probes->v.len);
	EXPECT_EQ(DO_OPEN, PROBE(0)->addr);
}

TEST_F(probes, a_glob_leaves_out_what_cannot_be)
{
	RESOLVE("kprobe:do_*");
	/* do_open twice; of the part that was split off, ftrace has the whole. */
	EXPECT_EQ(6, self->probes->v.len);
	vec_foreach(probe, &self->probes->v) {
		EXPECT_STRNE("do_notrace", probe->name);
		EXPECT_STRNE("do_trap", probe->name);
	}
	EXPECT_STREQ("", self->messages ?: "");
}

TEST_F(probes, a_point_that_is_asked_for_twice_is_one)
{
	ASSERT_EQ(0, probe_spec_list_add(&self->specs, "kprobe:do_op*"));
	ASSERT_EQ(0, probe_spec_list_add(&self->specs, "kprobe:do_open_twice"));
	ASSERT_EQ(0, probe_spec_list_add(&self->specs, "kretprobe:do_open_twice"));
	ASSERT_EQ(0, probe_spec_list_add(&self->specs, "tp:*:proc_exec"));
	ASSERT_EQ(0, probe_spec_list_add(&self->specs, "tp:sched:proc_exec"));
	ASSERT_EQ(0, probes_resolve(self->f.kernel, &self->specs, &self->f.sources, 0,
				    &self->probes));
	EXPECT_EQ(6, self->probes->v.len);
	/* What is named, too, may not be left out. */
	vec_foreach(probe, &self->probes->v)
		EXPECT_EQ(!strcmp(probe->name, "do_open") || !strncmp(probe->name, "do_open.", 8),
			  probe->by_glob);
}

TEST_F(probes, functions_behind_a_tracepoint_are_refused_as_in_front_of_it)
{
	int err;

	ASSERT_EQ(0, probe_spec_list_add(&self->specs, "tp:sched:proc_exec"));
	ASSERT_EQ(0, probe_spec_list_add(&self->specs, "kprobe:do_notrace"));
	self->messages = stderr_of(err = probes_resolve(self->f.kernel, &self->specs,
							&self->f.sources, 0, &self->probes));
	EXPECT_EQ(-EOPNOTSUPP, err);
	EXPECT_STREQ("retsnoop: probe 'kprobe:do_notrace': do_notrace cannot be probed: it is "
		     "notrace, __init or assembly, where the kernel refuses probes\n",
		     self->messages);
}

TEST_F(probes, what_cannot_be_probed_says_why_and_what_can)
{
	EXPECT_REFUSED(-ENOENT, "kprobe:do_opne",
		       "no function is named 'do_opne'; did you mean 'do_open'?");
	EXPECT_REFUSED(-ENOENT, "kprobe:zzyzx",
		       "no function is named 'zzyzx'; it may be inlined: 'retsnoop funcs --why "
		       "zzyzx' looks further");
	EXPECT_REFUSED(-ENOENT, "kprobe:zz*", "no function matches 'zz*'");
	EXPECT_REFUSED(-ENOENT, "kprobe:do_last [ext4]",
		       "function 'do_last' is not in module 'ext4' but in vmlinux");
	EXPECT_REFUSED(-EOPNOTSUPP, "kprobe:do_notrace",
		       "do_notrace cannot be probed: it is notrace, __init or assembly, where the "
		       "kernel refuses probes");
	EXPECT_REFUSED(-EOPNOTSUPP, "kretprobe:do_trap",
		       "do_trap cannot be probed: it is on the kernel's kprobe blacklist; the "
		       "nearest name that can be is do_trapped");
	EXPECT_REFUSED(-EOPNOTSUPP, "kprobe:migrate_disable",
		       "migrate_disable cannot be probed: it runs whenever a BPF program starts or "
		       "ends");
}

TEST_F(probes, an_offset_has_to_be_where_an_instruction_begins)
{
	NEEDS_X86();
	EXPECT_REFUSED(-EINVAL, "kprobe:do_last+5",
		       "+0x5 is in the middle of an instruction of do_last; the nearest that begin "
		       "are do_last+0x4 and do_last+0x9");
	EXPECT_REFUSED(-EINVAL, "kprobe:do_last+0x11",
		       "+0x11 is outside of do_last, which has 0x11 bytes; its last instruction is "
		       "at do_last+0x10");
	EXPECT_REFUSED(-EINVAL, "kprobe:do_last+4096",
		       "+0x1000 is outside of do_last, which has 0x11 bytes; its last instruction "
		       "is at do_last+0x10");
	RESOLVE("kprobe:do_last+0x10");
	/* Nothing can be read: the kernel will tell. */
	self->f.code.read = NULL;
	self->f.sources.code = NULL;
	RESOLVE("kprobe:do_last+5");
}

TEST_F(probes, a_tracepoint_brings_its_id_and_what_to_capture)
{
	const struct probe_capture *capture;

	RESOLVE("tp:sched:proc_exec");
	ASSERT_EQ(1, self->probes->v.len);
	EXPECT_STREQ("tp:sched:proc_exec", PROBE(0)->text);
	EXPECT_EQ(310, PROBE(0)->tracepoint->id);
	capture = &PROBE(0)->capture;
	EXPECT_EQ(20, capture->fixed);
	ASSERT_EQ(1, capture->nr_dynamic);
	EXPECT_EQ(8, capture->dynamic[0].offset);
	EXPECT_EQ(0, capture->dynamic[0].base);
	RESOLVE("tp:x:arrays");
	capture = &PROBE(0)->capture;
	ASSERT_EQ(2, capture->nr_dynamic);
	EXPECT_EQ(16, capture->dynamic[0].offset);
	EXPECT_EQ(20, capture->dynamic[0].base);
	RESOLVE("tp:sched:task_switch");
	EXPECT_EQ(48, PROBE(0)->capture.fixed);
	/* Programs do not see the strings of system calls. */
	RESOLVE("tp:syscalls:sys_enter_openat");
	EXPECT_EQ(32, PROBE(0)->capture.fixed);
	RESOLVE("tp:sched:*");
	EXPECT_EQ(2, self->probes->v.len);
	RESOLVE("tp:*:*");
	EXPECT_EQ(4, self->probes->v.len);
}

TEST_F(probes, a_tracepoint_that_there_is_not_gets_the_nearest)
{
	EXPECT_REFUSED(-ENOENT, "tp:sched:proc_exce",
		       "no tracepoint 'proc_exce' in category 'sched'; did you mean "
		       "'proc_exec'?");
	EXPECT_REFUSED(-ENOENT, "tp:shed:proc_exec",
		       "tracepoint 'proc_exec' is not in category 'shed'; did you mean "
		       "'tp:sched:proc_exec'?");
	EXPECT_REFUSED(-ENOENT, "tp:shed:bogus",
		       "no tracepoint category is named 'shed'; did you mean 'sched'?");
	EXPECT_REFUSED(-ENOENT, "tp:sched:qq*",
		       "no tracepoint 'qq*' in category 'sched'; 'retsnoop probe --list' "
		       "shows what there is");
	EXPECT_REFUSED(-EINVAL, "tp:kprobes:p0",
		       "tracepoints of 'kprobes' cannot be attached to: they are kprobes made in "
		       "tracefs; ask for kprobe:FUNC");
	EXPECT_REFUSED(-EINVAL, "tp:x:broken",
		       "tracefs describes tp:x:broken in a way that makes no sense");
}

TEST_F(probes, without_tracefs_tracepoints_are_out_of_reach)
{
	self->f.sources.tracefs = "/nonexistent";
	EXPECT_EQ(-ENOENT, resolve(self, "tp:sched:proc_exec"));
	EXPECT_NE(NULL, strstr(self->messages, "cannot read /nonexistent/events"));
	RESOLVE("rawtp:task_switch");
}

TEST_F(probes, raw_tracepoints_have_the_arguments_that_btf_knows)
{
	RESOLVE("rawtp:task_switch");
	ASSERT_EQ(1, self->probes->v.len);
	EXPECT_STREQ("rawtp:task_switch", PROBE(0)->text);
	EXPECT_EQ(5, PROBE(0)->raw.nr_args);
	EXPECT_EQ(40, PROBE(0)->capture.fixed);
	RESOLVE("rawtp:*");
	ASSERT_EQ(2, self->probes->v.len);
	EXPECT_STREQ("nameless", PROBE(0)->name);
	EXPECT_REFUSED(-ENOENT, "rawtp:task_swich",
		       "no raw tracepoint is named 'task_swich'; did you mean 'task_switch'?");
	EXPECT_REFUSED(-ENOENT, "rawtp:number",
		       "no raw tracepoint is named 'number'; 'retsnoop probe --list' shows what "
		       "there is");
}

TEST_F(probes, without_btf_raw_tracepoints_go_by_the_names_of_events)
{
	probes_fixture_release(&self->f);
	probes_fixture_init(&self->f, false);
	RESOLVE("rawtp:task_switch");
	EXPECT_EQ(0, PROBE(0)->raw.proto);
	EXPECT_EQ(0, PROBE(0)->capture.fixed);
	EXPECT_REFUSED(-ENOENT, "rawtp:task_swich",
		       "no raw tracepoint is named 'task_swich'; did you mean 'task_switch'?");
}

TEST_F(probes, all_that_is_wrong_is_told_at_once)
{
	probe_spec_list_add(&self->specs, "kprobe:nope_1");
	probe_spec_list_add(&self->specs, "kprobe:do_last");
	probe_spec_list_add(&self->specs, "tp:sched:nope_2");
	self->messages = stderr_of(
		EXPECT_GT(0, probes_resolve(self->f.kernel, &self->specs, &self->f.sources, 0,
					    &self->probes)));
	EXPECT_NE(NULL, strstr(self->messages, "nope_1"));
	EXPECT_NE(NULL, strstr(self->messages, "nope_2"));
	EXPECT_EQ(NULL, self->probes);
}

TEST_F(probes, lines_need_debug_info)
{
	EXPECT_EQ(-ENODATA, resolve(self, "line:kernel/fork.c:10"));
	EXPECT_NE(NULL, strstr(self->messages, "lines need the kernel's debug info"));
}

TEST_F(probes, why_tells_without_failing)
{
	NEEDS_X86();
	ASSERT_EQ(0, probes_why(self->f.kernel, "kprobe:do_last+5", &self->f.sources,
				&self->usable, &self->why));
	EXPECT_EQ(0, self->usable);
	EXPECT_NE(NULL, strstr(strbuf_str(&self->why), "do_last+0x4 and do_last+0x9"));
	strbuf_reset(&self->why);
	ASSERT_EQ(0, probes_why(self->f.kernel, "kprobe:do_*", &self->f.sources, &self->usable,
				&self->why));
	EXPECT_EQ(6, self->usable);
	EXPECT_NE(NULL, strstr(strbuf_str(&self->why), "do_notrace cannot be probed"));
	strbuf_reset(&self->why);
	ASSERT_EQ(0, probes_why(self->f.kernel, "tp:sched:proc_exec", &self->f.sources,
				&self->usable, &self->why));
	EXPECT_EQ(1, self->usable);
	EXPECT_EQ(0, self->why.len);
	self->messages = stderr_of(EXPECT_EQ(-EINVAL, probes_why(self->f.kernel, "bogus",
								 &self->f.sources, &self->usable,
								 &self->why)));
}

static const char *attach_error(FIXTURE_DATA(probes) *self, int err)
{
	strbuf_reset(&self->why);
	probe_attach_error(PROBE(0), &self->f.sources, err, &self->why);
	return strbuf_str(&self->why);
}

TEST_F(probes, the_kernels_refusals_are_put_in_words)
{
	NEEDS_X86();
	RESOLVE("kprobe:do_last+4");
	PROBE(0)->offset = 5;
	EXPECT_STREQ("+0x5 is in the middle of an instruction of do_last; the nearest that begin "
		     "are do_last+0x4 and do_last+0x9",
		     attach_error(self, -EILSEQ));
	self->f.sources.code = NULL;
	EXPECT_STREQ("+0x5 is in the middle of an instruction of do_last; disassemble it (objdump "
		     "-d vmlinux), or take do_last itself",
		     attach_error(self, -EILSEQ));
	EXPECT_NE(NULL, strstr(attach_error(self, -EINVAL), "another offset may do"));
	EXPECT_NE(NULL, strstr(attach_error(self, -EPERM), "run as root"));
	EXPECT_NE(NULL, strstr(attach_error(self, -EMFILE), "ulimit"));
	EXPECT_STREQ("Device or resource busy", attach_error(self, -EBUSY));
}

TEST_F(probes, points_at_the_edges_of_entry_functions_are_warned_of)
{
	struct plan plan = { .nr_entries = 1 };
	struct plan_func entry = { .addr = DO_OPEN, .entry = true }, inner = { .addr = DO_OPEN + 0x100 };

	NEEDS_X86();
	ASSERT_EQ(0, vec_push(&plan.funcs, entry));
	ASSERT_EQ(0, vec_push(&plan.funcs, inner));
	RESOLVE("kprobe:do_open [vmlinux]");
	plan.probes = self->probes;
	free(self->messages);
	self->messages = stderr_of(plan_warn_of_probes(&plan));
	EXPECT_STREQ("retsnoop: warning: kprobe:do_open is passed before that entry function's session "
		     "begins, and is shown only inside of other sessions\n",
		     self->messages);
	RESOLVE("kretprobe:do_open");
	plan.probes = self->probes;
	free(self->messages);
	self->messages = stderr_of(plan_warn_of_probes(&plan));
	EXPECT_STREQ("retsnoop: warning: kretprobe:do_open is passed when that entry function's session "
		     "has ended, and is shown only inside of other sessions\n",
		     self->messages);
	/* Inside of it, or of a function that opens none. */
	RESOLVE("kprobe:do_open+9 [vmlinux]");
	plan.probes = self->probes;
	free(self->messages);
	self->messages = stderr_of(plan_warn_of_probes(&plan));
	EXPECT_STREQ("", self->messages ?: "");
	RESOLVE("kprobe:do_open_twice");
	plan.probes = self->probes;
	free(self->messages);
	self->messages = stderr_of(plan_warn_of_probes(&plan));
	EXPECT_STREQ("", self->messages ?: "");
	plan.nr_entries = 2;
	RESOLVE("kprobe:do_open*");
	plan.probes = self->probes;
	free(self->messages);
	self->messages = stderr_of(plan_warn_of_probes(&plan));
	EXPECT_NE(NULL, strstr(self->messages, "so is 1 more of these points\n"));
	vec_release(&plan.funcs);
}

TEST_HARNESS_MAIN
