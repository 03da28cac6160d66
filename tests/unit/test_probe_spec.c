// SPDX-License-Identifier: BSD-2-Clause
/* Points as users write them, and how they are told what is wrong. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/ask/probe_spec.h"

FIXTURE(probe_spec)
{
	struct probe_spec_list list;
	char *messages;
};

FIXTURE_SETUP(probe_spec)
{
	self->list = (struct probe_spec_list){ VEC_INIT };
	self->messages = NULL;
}

FIXTURE_TEARDOWN(probe_spec)
{
	probe_spec_list_release(&self->list);
	free(self->messages);
}

#define SPEC (self->list.v.data[self->list.v.len - 1])
#define ADD(text) ASSERT_EQ(0, probe_spec_list_add(&self->list, (text)))

/* That it is malformed, and all that is said about it. */
#define EXPECT_REFUSED(text, message)                                                              \
	do {                                                                                       \
		int err_ = 0;                                                                      \
		free(self->messages);                                                              \
		self->messages =                                                                   \
			stderr_of(err_ = probe_spec_list_add(&self->list, (text)));                \
		EXPECT_EQ(-EINVAL, err_);                                                          \
		EXPECT_STREQ("retsnoop: probe: " message "\n", self->messages ?: "");              \
		EXPECT_EQ(0, self->list.v.len);                                                    \
	} while (0)

TEST_F(probe_spec, a_function_may_have_an_offset)
{
	ADD("kprobe:do_open");
	EXPECT_EQ(PROBE_KPROBE, SPEC.kind);
	EXPECT_STREQ("do_open", SPEC.name);
	EXPECT_EQ(0, SPEC.offset);
	EXPECT_EQ(NULL, SPEC.module);
	ADD("kprobe:do_open.isra.0+15");
	EXPECT_STREQ("do_open.isra.0", SPEC.name);
	EXPECT_EQ(15, SPEC.offset);
	ADD(" kprobe:do_mkdir*+0x1f ");
	EXPECT_STREQ("do_mkdir*", SPEC.name);
	EXPECT_STREQ("kprobe:do_mkdir*+0x1f", SPEC.text);
	EXPECT_EQ(0x1f, SPEC.offset);
	ADD("kprobe:f+010");
	EXPECT_EQ(10, SPEC.offset);
}

TEST_F(probe_spec, a_function_may_be_a_modules)
{
	ADD("kprobe:ext4_open+4 [ext4]");
	EXPECT_STREQ("ext4_open", SPEC.name);
	EXPECT_STREQ("ext4", SPEC.module);
	EXPECT_EQ(4, SPEC.offset);
	ADD("kretprobe:open[xfs]");
	EXPECT_EQ(PROBE_KRETPROBE, SPEC.kind);
	EXPECT_STREQ("open", SPEC.name);
	EXPECT_STREQ("xfs", SPEC.module);
}

TEST_F(probe_spec, tracepoints_have_a_category_and_raw_ones_do_not)
{
	ADD("tp:sched:sched_*");
	EXPECT_EQ(PROBE_TP, SPEC.kind);
	EXPECT_STREQ("sched", SPEC.category);
	EXPECT_STREQ("sched_*", SPEC.name);
	ADD("tp:sched/sched_switch");
	EXPECT_STREQ("sched", SPEC.category);
	EXPECT_STREQ("sched_switch", SPEC.name);
	ADD("rawtp:sched_switch");
	EXPECT_EQ(PROBE_RAWTP, SPEC.kind);
	EXPECT_STREQ("sched_switch", SPEC.name);
}

TEST_F(probe_spec, a_line_is_behind_the_last_colon)
{
	ADD("line:./kernel/fork.c:1234");
	EXPECT_EQ(PROBE_LINE, SPEC.kind);
	EXPECT_STREQ("kernel/fork.c", SPEC.name);
	EXPECT_EQ(1234, SPEC.line);
}

TEST_F(probe_spec, an_unknown_kind_gets_the_nearest_one)
{
	EXPECT_REFUSED("kprobee:foo", "unknown kind 'kprobee' at column 1 of 'kprobee:foo'; "
				      "did you mean 'kprobe'?");
	EXPECT_REFUSED("kretprob:foo", "unknown kind 'kretprob' at column 1 of "
				       "'kretprob:foo'; did you mean 'kretprobe'?");
	EXPECT_REFUSED("tracepoint:a:b", "unknown kind 'tracepoint' at column 1 of "
					 "'tracepoint:a:b'; write tp:CATEGORY:NAME");
	EXPECT_REFUSED("sched:exec", "unknown kind 'sched' at column 1 of 'sched:exec'; write "
				     "tp:sched:exec for a tracepoint, kprobe:FUNC[+OFF], "
				     "kretprobe:FUNC, rawtp:NAME or line:FILE:LINE");
	EXPECT_REFUSED("bogus:a:b", "unknown kind 'bogus' at column 1 of 'bogus:a:b'; there "
				    "are kprobe:FUNC[+OFF], kretprobe:FUNC, tp:CATEGORY:NAME, "
				    "rawtp:NAME and line:FILE:LINE");
}

TEST_F(probe_spec, a_name_alone_does_not_say_its_kind)
{
	EXPECT_REFUSED("do_open", "'do_open' does not say what kind of point it is; write "
				  "kprobe:do_open, kretprobe:, tp:, rawtp: or line:");
	EXPECT_REFUSED("", "an empty point; write one such as kprobe:FUNC");
}

TEST_F(probe_spec, what_is_wrong_is_pointed_at)
{
	EXPECT_REFUSED("kprobe:", "the function is missing at column 8 of 'kprobe:'; write "
				  "kprobe:FUNC[+OFF]");
	EXPECT_REFUSED("kprobe:+5", "the function is missing at column 8 of 'kprobe:+5'; write "
				    "kprobe:FUNC[+OFF]");
	EXPECT_REFUSED("kprobe:foo+", "the offset is no number at column 12 of 'kprobe:foo+'; "
				      "write kprobe:FUNC[+OFF]");
	EXPECT_REFUSED("kprobe:foo+0x", "the offset is no number at column 13 of "
					"'kprobe:foo+0x'; write kprobe:FUNC[+OFF]");
	EXPECT_REFUSED("kprobe:foo+1f", "a hexadecimal number without its 0x at column 13 of "
					"'kprobe:foo+1f'; write kprobe:FUNC[+OFF]");
	EXPECT_REFUSED("kprobe:foo+5;", "the offset is no number at column 13 of "
					"'kprobe:foo+5;'; write kprobe:FUNC[+OFF]");
	EXPECT_REFUSED("kprobe:foo+99999999999",
		       "a number too large at column 12 of 'kprobe:foo+99999999999'; write "
		       "kprobe:FUNC[+OFF]");
	EXPECT_REFUSED("kprobe:foo+-5", "the offset is no number at column 12 of "
					"'kprobe:foo+-5'; write kprobe:FUNC[+OFF]");
	EXPECT_REFUSED("kprobe:a b", "a blank at column 9 of 'kprobe:a b'; write "
				     "kprobe:FUNC[+OFF]");
	EXPECT_REFUSED("kprobe:a [m", "a module without its ']' at column 10 of 'kprobe:a [m'; "
				      "write kprobe:FUNC[+OFF]");
	EXPECT_REFUSED("kretprobe:foo+5", "a return has no offset at column 14 of "
					  "'kretprobe:foo+5'; write kretprobe:FUNC");
	EXPECT_REFUSED("tp:sched_switch",
		       "the name is missing at column 16 of 'tp:sched_switch'; write "
		       "tp:CATEGORY:NAME, tp:sched_switch:* for a whole category, or "
		       "tp:*:sched_switch for a name in any");
	EXPECT_REFUSED("tp:", "the name is missing at column 4 of 'tp:'; write tp:CATEGORY:NAME, "
			      "tp:CATEGORY:* for a whole category, or tp:*:NAME for a name in any");
	EXPECT_REFUSED("tp::x", "the category is missing at column 4 of 'tp::x'; write "
				"tp:CATEGORY:NAME");
	EXPECT_REFUSED("tp:a:b:c", "one ':' too many at column 7 of 'tp:a:b:c'; write "
				   "tp:CATEGORY:NAME");
	EXPECT_REFUSED("rawtp:sched:x", "one ':' too many at column 12 of 'rawtp:sched:x'; write "
					"rawtp:NAME");
	EXPECT_REFUSED("line:fork.c", "the line is missing at column 12 of 'line:fork.c'; write "
				      "line:FILE:LINE");
	EXPECT_REFUSED("line:fork.c:0", "line numbers begin at 1, not 0, at column 13 of "
					"'line:fork.c:0'; write line:FILE:LINE");
	EXPECT_REFUSED("line::3", "the file is missing at column 6 of 'line::3'; write "
				  "line:FILE:LINE");
}

TEST_F(probe_spec, a_file_has_one_point_a_line)
{
	char path[] = "/tmp/points.XXXXXX", at[32];
	FILE *file = fdopen(mkstemp(path), "w");
	int err = 0;

	fputs("# points\nkprobe:a+1   # why\n\n  tp:b:c\n", file);
	fclose(file);
	snprintf(at, sizeof(at), "@%s", path);
	ADD(at);
	ASSERT_EQ(2, self->list.v.len);
	EXPECT_STREQ("kprobe:a+1", self->list.v.data[0].text);
	EXPECT_STREQ("tp:b:c", self->list.v.data[1].text);
	file = fopen(path, "w");
	fputs("kprobe:a\nbogus\n", file);
	fclose(file);
	self->messages = stderr_of(err = probe_spec_list_add(&self->list, at));
	EXPECT_EQ(-EINVAL, err);
	EXPECT_NE(NULL, strstr(self->messages, ", line 2)"));
	free(self->messages);
	file = fopen(path, "w");
	fputs("# kprobe:a\n\n", file);
	fclose(file);
	self->messages = stderr_of(err = probe_spec_list_add(&self->list, at));
	EXPECT_EQ(0, err);
	EXPECT_NE(NULL, strstr(self->messages, "the list of points /tmp/points."));
	EXPECT_NE(NULL, strstr(self->messages, " has none\n"));
	unlink(path);
	EXPECT_EQ(-ENOENT, probe_spec_list_add(&self->list, "@/nonexistent"));
	EXPECT_TRUE(self->list.given);
}

TEST_HARNESS_MAIN
