// SPDX-License-Identifier: BSD-2-Clause
/* Records of tracepoints as text: good ones, cut ones, and ones that lie. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kernel_fixture.h"
#include "tracepoint_formats.h"
#include "unit.h"
#include "util/base/strbuf.h"
#include "util/base/text/quote.h"
#include "util/kernel/tracepoints/tracepoint.h"

FIXTURE(tracepoint)
{
	struct tracepoint *tp;
	struct strbuf text;
	char record[1024];
};

FIXTURE_SETUP(tracepoint)
{
	self->tp = NULL;
	self->text = (struct strbuf)STRBUF_INIT;
	/* Where programs see the kernel's pointer. */
	memset(self->record, 0, sizeof(self->record));
	put64(self->record, 0, 0xffffc90000123f58);
}

FIXTURE_TEARDOWN(tracepoint)
{
	tracepoint_free(self->tp);
	strbuf_release(&self->text);
}

#define PARSE(category, format)                                                                    \
	do {                                                                                       \
		tracepoint_free(self->tp);                                                         \
		self->tp = NULL;                                                                   \
		ASSERT_EQ(0, tracepoint_parse((category), (format), strlen(format), true,     \
					      &self->tp));   \
	} while (0)

/* From a copy of just that size, so that nothing behind it is read unseen. */
static const char *show(FIXTURE_DATA(tracepoint) *self, size_t size, bool fields)
{
	char *copy = malloc(size ?: 1);

	memcpy(copy, self->record, size);
	strbuf_reset(&self->text);
	if (fields)
		vec_foreach(field, &self->tp->fields) {
			strbuf_addf(&self->text, "%s%s=", self->text.len ? " " : "", field->name);
			tracepoint_field_add(self->tp, field, copy, size, &self->text);
		}
	else
		tracepoint_add(self->tp, copy, size, &self->text);
	free(copy);
	return strbuf_str(&self->text);
}

#define EXPECT_TEXT(expected, size) EXPECT_STREQ((expected), show(self, (size), false))
#define EXPECT_FIELDS(expected, size) EXPECT_STREQ((expected), show(self, (size), true))

TEST_F(tracepoint, a_format_tells_what_to_capture)
{
	PARSE("sched", format_exec);
	EXPECT_STREQ("sched", self->tp->category);
	EXPECT_STREQ("proc_exec", self->tp->name);
	EXPECT_EQ(310, self->tp->id);
	EXPECT_EQ(20, self->tp->fixed_size);
	ASSERT_EQ(3, self->tp->fields.len);
	EXPECT_STREQ("filename", self->tp->fields.data[0].name);
	EXPECT_STREQ("__data_loc char[]", self->tp->fields.data[0].type);
	EXPECT_TRUE(self->tp->fields.data[0].dynamic);
	EXPECT_FALSE(self->tp->fields.data[0].relative);
	EXPECT_TRUE(self->tp->fields.data[0].string);
	EXPECT_FALSE(self->tp->fields.data[1].dynamic);
	PARSE("x", format_arrays);
	EXPECT_TRUE(self->tp->fields.data[2].relative);
	EXPECT_EQ(40, self->tp->fixed_size);
}

TEST_F(tracepoint, a_record_is_printed_as_its_print_fmt_has_it)
{
	PARSE("sched", format_exec);
	put_string(self->record, 8, 20, "/proc/self/exe");
	put32(self->record, 12, 630);
	put32(self->record, 16, -1);
	EXPECT_TEXT("filename=/proc/self/exe pid=630 old_pid=-1", 40);
	EXPECT_FIELDS("filename='/proc/self/exe' pid=630 old_pid=-1", 40);
}

TEST_F(tracepoint, flags_symbols_and_functions_are_named)
{
	struct symbols *symbols = make_symbols("ffffffff81000100 T do_open\n"
					       "ffffffff81000200 T do_close\n");

	PARSE("sched", format_switch);
	strcpy(self->record + 8, "bash");
	put64(self->record, 24, 0x103);
	put32(self->record, 32, 2);
	put64(self->record, 40, 0xffffffff81000110);
	tracepoint_use_symbols(self->tp, symbols);
	EXPECT_TEXT("bash S|D+ why=YIELD at do_open+0x10", 48);
	put64(self->record, 24, 0);
	put32(self->record, 32, 9);
	EXPECT_TEXT("bash R why=0x9 at do_open+0x10", 48);
	symbols_free(symbols);
}

TEST_F(tracepoint, a_name_that_fills_its_field_ends_there)
{
	PARSE("sched", format_switch);
	memcpy(self->record + 8, "0123456789abcdefgggg", 20);
	put64(self->record, 24, 0);
	EXPECT_FIELDS("comm='0123456789abcdef' state=0 why=0 where=0", 48);
}

TEST_F(tracepoint, strings_beyond_255_bytes_are_whole)
{
	char path[700], expected[800];

	memset(path, 'x', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	PARSE("sched", format_exec);
	put_string(self->record, 8, 20, path);
	snprintf(expected, sizeof(expected), "filename=%s pid=0 old_pid=0", path);
	EXPECT_TEXT(expected, 20 + sizeof(path));
}

TEST_F(tracepoint, what_was_not_captured_shows_as_cut)
{
	PARSE("sched", format_exec);
	put_string(self->record, 8, 20, "/proc/self/exe");
	put32(self->record, 12, 630);
	EXPECT_TEXT("filename=/proc pid=630 old_pid=0…", 25);
	EXPECT_TEXT("filename= pid=630 old_pid=0…", 20);
	EXPECT_TEXT("filename= pid=630 old_pid=0…", 16);
	EXPECT_TEXT("filename= pid=0 old_pid=0…", 8);
	EXPECT_TEXT("filename= pid=0 old_pid=0…", 0);
}

TEST_F(tracepoint, structs_are_bytes_and_numbers_have_their_size)
{
	PARSE("x", "name: hdr\nID: 77\nformat:\n"
	      "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	      "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	      "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	      "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	      "\tfield:uuid_t id;\toffset:8;\tsize:16;\tsigned:0;\n"
	      "\tfield:int n;\toffset:24;\tsize:4;\tsigned:1;\n\n"
	      "print fmt: \"%pUb\", &REC->id\n");
	for (int i = 0; i < 16; i++)
		self->record[8 + i] = i + 1;
	put32(self->record, 24, -2000000);
	EXPECT_FIELDS("id=[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16] n=0xffe17b80", 28);
}

TEST_F(tracepoint, arrays_of_both_kinds_are_followed)
{
	PARSE("x", format_arrays);
	memcpy(self->record + 8, "\x01\x02\x03\x04\x05\x06\x03\x00", 8);
	put32(self->record, 16, (40 - 20) | 8 << 16);	/* counts from behind the word */
	put32(self->record, 20, 48 | 3 << 16);
	put32(self->record, 24, -7);
	put32(self->record, 40, 7);
	put32(self->record, 44, 0xffffffff);
	memcpy(self->record + 48, "\xaa\xbb\xcc", 3);
	EXPECT_FIELDS("mac=[1,2,3,4,5,6] len=3 numbers=[7,0xffffffff] bytes=[170,187,204] "
		      "four=[-7,0,0,0]",
		      51);
	/* The print fmt's count is an expression: that is more than we vouch for. */
	EXPECT_TEXT("mac=[1,2,3,4,5,6] len=3 numbers=[7,0xffffffff] bytes=[170,187,204] "
		    "four=[-7,0,0,0]",
		    51);
}

TEST_F(tracepoint, a_count_beyond_the_record_is_not_believed)
{
	static const char format[] =
		FORMAT_HEAD("hex", "320")
		FORMAT_FIELD("u16 len", "8", "2", "0")
		FORMAT_FIELD("__data_loc u8[] bytes", "12", "4", "0")
		FORMAT_PRINT("\"%s\", __print_hex(__get_dynamic_array(bytes), REC->len)");

	PARSE("x", format);
	put32(self->record, 8, 3);
	put32(self->record, 12, 16 | 3 << 16);
	memcpy(self->record + 16, "\xaa\xbb\xcc", 3);
	EXPECT_TEXT("aa bb cc", 19);
	/* Captured in part. */
	EXPECT_TEXT("len=3 bytes=[170,187]…", 18);
	put32(self->record, 8, 60000);
	EXPECT_TEXT("len=60000 bytes=[170,187,204]", 19);
}

TEST_F(tracepoint, nothing_is_divided_by_nothing)
{
	PARSE("x", format_ratio);
	put32(self->record, 8, 5);
	EXPECT_TEXT("a=5 b=0", 16);
}

TEST_F(tracepoint, a_print_fmt_that_cannot_be_followed_leaves_the_fields)
{
	char *said;

	said = stderr_of(PARSE("x", format_opaque));
	EXPECT_STREQ("", said ?: "");
	free(said);
	EXPECT_FALSE(self->tp->readable);
	self->record[8] = -3;
	self->record[9] = 1;
	put64(self->record, 16, 0x123456789a);
	put_string(self->record, 24, 28, "it's\n");
	EXPECT_TEXT("tiny=-3 yes=1 big=0x123456789a name='it\\'s\\n'", 34);
}

TEST_F(tracepoint, what_perf_leaves_out_of_system_calls_is_left_out)
{
	PARSE("syscalls", format_syscall);
	EXPECT_EQ(32, self->tp->fixed_size);
	EXPECT_EQ(3, self->tp->fields.len);
	put32(self->record, 8, 257);
	put64(self->record, 16, 0xffffff9c);
	put64(self->record, 24, 0x7ffc00001000);
	EXPECT_TEXT("__syscall_nr=257 dfd=0xffffff9c filename=0x7ffc00001000", 32);
}

TEST_F(tracepoint, masks_addresses_and_elements_are_printed)
{
	PARSE("x", format_masks);
	put32(self->record, 8, 32 | 8 << 16);
	put32(self->record, 12, 32 | 8 << 16);
	memcpy(self->record + 16, "\x7f\x00\x00\x01", 4);
	put32(self->record, 24, 42);
	put64(self->record, 32, 0x5);
	EXPECT_TEXT("bits=00000000,00000005 ip=127.0.0.1 second=42", 40);
	PARSE("x", format_cpus);
	put32(self->record, 8, 16 | 8 << 16);
	put64(self->record, 16, 0x5);
	EXPECT_TEXT("cpus=[5]", 24);
}

TEST_F(tracepoint, terminals_are_left_alone)
{
	PARSE("sched", format_exec);
	put_string(self->record, 8, 20, "\x1b[31mgrün\x9b\n");
	EXPECT_TEXT("filename=\\x1b[31mgrün\\x9b\\n pid=0 old_pid=0", 40);
	strbuf_reset(&self->text);
	quote_add(&self->text, "a\\b'c\xe2\x80\xae\xff", 9, '\'');
	EXPECT_STREQ("'a\\\\b\\'c\\xe2\\x80\\xae\\xff'", strbuf_str(&self->text));
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

TEST_F(tracepoint, no_record_leads_out_of_itself)
{
	static const char *const formats[] = { format_exec,   format_switch,  format_arrays,
					       format_ratio,  format_opaque,  format_syscall,
					       format_masks,  format_cpus };
	uint64_t state = 88172645463325252ull;

	for (size_t f = 0; f < ARRAY_SIZE(formats); f++) {
		PARSE(f == 5 ? "syscalls" : "x", formats[f]);
		for (int i = 0; i < 2000; i++) {
			size_t size = next_random(&state) % 80;

			for (size_t b = 0; b < size; b++)
				self->record[b] = next_random(&state) >> (i % 3 ? 7 : 60);
			show(self, size, i & 1);
			ASSERT_FALSE(self->text.failed);
			/* Some small, so that they are near what is there. */
			for (size_t word = 8; word < 24; word += 4)
				put32(self->record, word, (next_random(&state) % 90) |
								  next_random(&state) % 90 << 16);
			show(self, size, false);
		}
	}
}

TEST_F(tracepoint, no_format_is_too_bad)
{
	uint64_t state = 362436069;
	size_t len = strlen(format_arrays);
	char text[sizeof(format_arrays)];
	int understood = 0;

	/* What the library leaves behind when it gives up is not ours. */
	__lsan_disable();
	for (int i = 0; i < 3000; i++) {
		struct tracepoint *tp = NULL;

		memcpy(text, format_arrays, sizeof(text));
		for (uint64_t n = next_random(&state) % 4; n-- > 0;)
			text[next_random(&state) % len] = next_random(&state) % 95 + 32;
		if (!tracepoint_parse("x", text, i & 1 ? len : next_random(&state) % len,
				      false, &tp)) {
			tracepoint_add(tp, self->record, 60, &self->text);
			tracepoint_free(tp);
			understood++;
		}
		strbuf_release(&self->text);
	}
	__lsan_enable();
	EXPECT_GT(understood, 300);
}

TEST_F(tracepoint, formats_of_others_are_followed_if_they_are_as_kernels_write_them)
{
	static const char odd[] = FORMAT_HEAD("proc_exec", "1")
		FORMAT_FIELD("__data_loc char[] filename", "8", "4", "0")
		FORMAT_FIELD("pid_t pid", "12", "4", "1") FORMAT_FIELD("pid_t old_pid", "16", "4", "1")
		FORMAT_PRINT("\"%n\", REC->pid");

	ASSERT_EQ(0, tracepoint_parse("x", format_exec, strlen(format_exec), false, &self->tp));
	put_string(self->record, 8, 20, "/bin/sh");
	put32(self->record, 12, 7);
	EXPECT_TEXT("filename=/bin/sh pid=7 old_pid=0", 28);
	tracepoint_free(self->tp);
	self->tp = NULL;
	ASSERT_EQ(0, tracepoint_parse("x", odd, strlen(odd), false, &self->tp));
	put_string(self->record, 8, 20, "/bin/sh");
	put32(self->record, 12, 7);
	EXPECT_TEXT("filename='/bin/sh' pid=7 old_pid=0", 28);
	tracepoint_free(self->tp);
	self->tp = NULL;
	ASSERT_EQ(0, tracepoint_parse("x", format_masks, strlen(format_masks), false, &self->tp));
	EXPECT_EQ(4, self->tp->fields.len);
}

TEST_F(tracepoint, formats_that_make_no_sense_are_refused)
{
	static const char far_field[] = FORMAT_HEAD("far", "5")
		FORMAT_FIELD("int x", "400000", "4", "1") FORMAT_PRINT("\"%d\", REC->x");
	static const char wide_loc[] = FORMAT_HEAD("wide", "5")
		FORMAT_FIELD("__data_loc char[] x", "8", "8", "1") FORMAT_PRINT("\"\"");

	EXPECT_EQ(-EINVAL, tracepoint_parse("x", "", 0, true, &self->tp));
	EXPECT_EQ(-EINVAL, tracepoint_parse("x", "name: x\n", 8, true, &self->tp));
	EXPECT_EQ(-EINVAL, tracepoint_parse("x", far_field, strlen(far_field), true, &self->tp));
	EXPECT_EQ(-EINVAL, tracepoint_parse("x", wide_loc, strlen(wide_loc), true, &self->tp));
	EXPECT_EQ(-EINVAL, tracepoint_parse("ftrace", format_exec, strlen(format_exec), true,
					    &self->tp));
	EXPECT_EQ(NULL, self->tp);
}

static void put_file(const char *root, const char *folder, const char *text)
{
	char path[256], *end;

	snprintf(path, sizeof(path), "%s/events/%s", root, folder);
	for (end = path + strlen(root); end; end = strchr(end + 1, '/')) {
		*end = '\0';
		mkdir(path, 0700);
		*end = '/';
	}
	mkdir(path, 0700);
	strcat(path, "/format");
	FILE *file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
}

TEST_F(tracepoint, the_ones_there_are_come_from_tracefs)
{
	struct tracepoint_names names = { VEC_INIT };
	char root[] = "/tmp/tracefs.XXXXXX", command[64];

	ASSERT_NE(NULL, mkdtemp(root));
	put_file(root, "sched/proc_exec", format_exec);
	put_file(root, "sched/a_first", format_exec);
	put_file(root, "irq/entry", format_exec);
	put_file(root, "ftrace/function", format_exec);
	EXPECT_EQ(0, tracepoint_names_read(root, &names));
	ASSERT_EQ(3, names.v.len);
	EXPECT_STREQ("irq", names.v.data[0].category);
	EXPECT_STREQ("a_first", names.v.data[1].name);
	EXPECT_STREQ("proc_exec", names.v.data[2].name);
	tracepoint_names_release(&names);
	EXPECT_EQ(0, tracepoint_read(root, "sched", "proc_exec", NULL, &self->tp));
	EXPECT_EQ(310, self->tp->id);
	EXPECT_EQ(-ENOENT, tracepoint_read(root, "sched", "nope", NULL, &self->tp));
	snprintf(command, sizeof(command), "rm -r %s", root);
	EXPECT_EQ(0, system(command));
}

TEST_HARNESS_MAIN
