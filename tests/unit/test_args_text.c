// SPDX-License-Identifier: BSD-2-Clause
#include "unit.h"

#include "args_fixture.h"
#include "util/base/cleanup.h"
#include "util/base/style.h"
#include "util/kernel/arch/arch.h"
#include "util/plan/args/args_select.h"
#include "util/view/session/args_text.h"

FIXTURE(text)
{
	struct args_fixture f;
	struct args_options options;
	struct value_format format;
	struct args_func func;
	struct func_args args;
	uint8_t data[512];
	uint32_t size, unread;
	struct strbuf text;
};

FIXTURE_SETUP(text)
{
	struct args_fixture *f = &self->f;

	args_fixture_init(f);
	self->options = (struct args_options)ARGS_OPTIONS_DEFAULT;
	self->func = ARGS_FIXTURE_FUNC(f, "do_it", { "color", f->color }, { "o", f->outer_ptr },
				       { "name", f->const_char_ptr });
}

FIXTURE_TEARDOWN(text)
{
	strbuf_release(&self->text);
	func_args_release(&self->args);
	args_fixture_release(&self->f);
}

static void describe(FIXTURE_DATA(text) *self)
{
	func_args_release(&self->args);
	if (args_of_func(self->f.btf, &self->func, NULL, &self->options, &arch_x86, &self->args))
		abort();
	self->size = self->unread = 0;
}

/* One more item as BPF puts it. */
static void put(FIXTURE_DATA(text) *self, const void *data, size_t len)
{
	memcpy(self->data + self->size, data, len);
	self->size += len;
}

static const char *shown(FIXTURE_DATA(text) *self, bool lines)
{
	struct args_capture capture = {
		.value = ((self->size + 15) & ~15u) | self->unread << 16,
		.data = self->data,
		.len = sizeof(self->data),
	};

	strbuf_reset(&self->text);
	if (lines)
		args_text_add_lines(&self->text, &self->format, self->func.name, &self->args, &capture, 2);
	else
		args_text_add_inline(&self->text, &self->format, self->func.name, &self->args, &capture);
	return strbuf_str(&self->text);
}

static void put_usual(FIXTURE_DATA(text) *self)
{
	uint8_t outer[80] = { 7, 0, 0, 0, 0, 0, 0, 0, 's', 'i', 'm' };

	describe(self);
	put(self, "\2\0\0\0", 4);
	put(self, outer, sizeof(outer));
	put(self, "/etc/passwd", 12);
}

TEST_F(text, arguments_stand_on_one_line)
{
	put_usual(self);
	EXPECT_STREQ("color=BLUE o=&{.count=7,.comm=\"sim\"} name=\"/etc/passwd\"",
		     shown(self, false));
}

/* What args_text_style() makes of @plain, "<x>" where it has a colour. */
static const char *styled(FIXTURE_DATA(text) *self, const char *plain)
{
	_cleanup_(strbuf_release) struct strbuf colored = STRBUF_INIT;
	const char *s;

	strbuf_addstr(&colored, "before=1 ");
	strbuf_addstr(&colored, plain);
	args_text_style(&colored, 9, true);
	strbuf_reset(&self->text);
	for (s = strbuf_str(&colored) + 9; *s; s++) {
		if (*s == '\033')
			strbuf_addch(&self->text, s[2] == 'm' ? '>' : '<');
		else
			strbuf_addch(&self->text, *s);
		if (*s == '\033')
			s = strchr(s, 'm');
	}
	return strbuf_str(&self->text);
}

TEST_F(text, names_have_a_colour_and_what_looks_like_one_has_none)
{
	EXPECT_STREQ("<color>=BLUE <o>=&{.count=7,.comm=\"a b=c\"} <name>=\"x y=1\"",
		     styled(self, "color=BLUE o=&{.count=7,.comm=\"a b=c\"} name=\"x y=1\""));
	EXPECT_STREQ("  › <color> = BLUE\n  › <name> = \"a = b c=d\"\n",
		     styled(self, "  › color = BLUE\n  › name = \"a = b c=d\"\n"));
	EXPECT_STREQ("      <.count> = (int)7,\n", styled(self, "      .count = (int)7,\n"));
	EXPECT_STREQ("  › <a>=1 <b>=(0x2)&{.x=1}", styled(self, "  › a=1 b=(0x2)&{.x=1}"));
	EXPECT_STREQ("<a>=\"\\\" b=2\" <c>=3", styled(self, "a=\"\\\" b=2\" c=3"));
	EXPECT_STREQ("= no (name", styled(self, "= no (name"));
	EXPECT_STREQ("", styled(self, ""));
}

/* The end of a line may have been cut out of its middle. */
TEST_F(text, a_line_that_was_cut_loses_colours_at_most)
{
	EXPECT_STREQ("<a>={.x=1,… b=2\n<c>=3", styled(self, "a={.x=1,… b=2\nc=3"));
	EXPECT_STREQ("<a>=…)]} <b>=2", styled(self, "a=…)]} b=2"));
	EXPECT_STREQ("<a>=\"x… b=2\n<c>=\"\\", styled(self, "a=\"x… b=2\nc=\"\\"));
}

TEST_F(text, arguments_stand_on_lines_of_their_own)
{
	put_usual(self);
	self->format.mode = VALUE_MULTILINE;
	EXPECT_STREQ("  › color = BLUE\n"
		     "  › o = &{.count=7,.comm=\"sim\"}\n"
		     "  › name = \"/etc/passwd\"\n", shown(self, true));
}

TEST_F(text, verbose_arguments_have_a_line_for_each_member)
{
	put_usual(self);
	self->format.mode = VALUE_VERBOSE;
	self->format.max_width = 4;
	EXPECT_STREQ("  › color = (enum color)BLUE\n"
		     "  › o = &(struct outer){\n"
		     "        .count = (int)7,\n"
		     "        .comm = (char[16])\"sim\",\n"
		     "    }\n"
		     "  › name = \"/etc/passwd\"\n", shown(self, true));
}

TEST_F(text, each_argument_is_cut_to_its_width)
{
	put_usual(self);
	self->format.max_width = 10;
	EXPECT_STREQ("color=BLUE o=&{.count=… name=\"/etc/pas…", shown(self, false));
}

TEST_F(text, pointers_that_could_not_be_read_are_shown)
{
	uint64_t user = 0x7ffc521c62a0, none = 0;

	describe(self);
	put(self, "\0\0\0\0", 4);
	put(self, &none, 8);
	put(self, &user, 8);
	self->unread = 6;
	EXPECT_STREQ("color=RED o=NULL name=0x7ffc521c62a0", shown(self, false));
}

TEST_F(text, raw_pointers_stand_in_parentheses)
{
	uint64_t pointer = 0xffff888126ae9100, error = -22;
	uint8_t outer[80] = { 7 };

	self->options.raw_ptrs = true;
	describe(self);
	put(self, "\0\0\0\0", 4);
	put(self, &pointer, 8);
	put(self, outer, sizeof(outer));
	put(self, &error, 8);
	put(self, &error, 8);
	self->unread = 1 << 4;
	EXPECT_STREQ("color=RED o=(0xffff888126ae9100)&{.count=7} name=-EINVAL",
		     shown(self, false));
}

TEST_F(text, what_did_not_come_shows)
{
	self->options.max_total = 8;
	describe(self);
	put(self, "\2\0\0\0", 4);
	EXPECT_STREQ("color=BLUE o=… name=…", shown(self, false));
	describe(self);
	EXPECT_STREQ("color=… o=… name=…", shown(self, false));
}

static const char *path_shown(FIXTURE_DATA(text) *self, const char *names, size_t len)
{
	if (!self->f.file_ptr)
		args_fixture_add_files(&self->f);
	self->func = ARGS_FIXTURE_FUNC(&self->f, "f", { "file", self->f.file_ptr });
	describe(self);
	put(self, names, len);
	return shown(self, false);
}

#define EXPECT_PATH(text, names) EXPECT_STREQ(text, path_shown(self, names, sizeof(names)))

TEST_F(text, a_file_is_the_end_of_its_path)
{
	EXPECT_PATH("file=&{\"/etc/passwd\"}", "passwd\0etc\0/\0");
	EXPECT_PATH("file=&{\"/passwd\"}", "passwd\0/\0");
	EXPECT_PATH("file=&{\"/\"}", "/\0");
	EXPECT_PATH("file=&{\"/a/b/c\"}", "c\0b\0a\0/\0");
	EXPECT_PATH("file=&{\"…/a/b/c/d\"}", "d\0c\0b\0a\0");
	EXPECT_PATH("file=&{\"[eventpoll]\"}", "[eventpoll]\0");
	EXPECT_PATH("file=&{\"\"}", "\0");
	EXPECT_PATH("file=&{\"/a\\n\\\"b\"}", "a\n\"b\0/\0");
	EXPECT_PATH("file=&{\"/012345678901234567890123456789012345678901234567890123456789012…\"}",
		    "012345678901234567890123456789012345678901234567890123456789012\0/\0");
}

TEST_F(text, an_empty_string_where_a_path_is_expected_is_an_empty_path)
{
	/* As a recording that somebody made can have it. */
	path_shown(self, "", 1);
	self->args.items.items[0].kind = ARG_STRING;
	EXPECT_STREQ("file=&{\"\"}", shown(self, false));
}

TEST_F(text, a_file_that_cannot_be_read_is_a_pointer)
{
	uint64_t pointer = 0xffff888126ae9100, none = 0;

	path_shown(self, (const char *)&pointer, 8);
	self->unread = 1;
	EXPECT_STREQ("file=0xffff888126ae9100", shown(self, false));
	path_shown(self, (const char *)&none, 8);
	self->unread = 1;
	EXPECT_STREQ("file=NULL", shown(self, false));
	self->size = 0;
	EXPECT_STREQ("file=…", shown(self, false));
}

TEST_F(text, unsigned_char_pointers_lead_to_names_or_to_numbers)
{
	int name = btf__add_ptr(self->f.types, btf__add_const(self->f.types, self->f.u8));

	self->func = ARGS_FIXTURE_FUNC(&self->f, "lookup", { "name", name }, { "key", name });
	describe(self);
	ASSERT_EQ(ARG_STRING, self->args.items.items[0].kind);
	put(self, "passwd", 7);
	put(self, "\x80\x01", 3);
	EXPECT_STREQ("name=\"passwd\" key=&[128,1,…]", shown(self, false));
}

TEST_F(text, only_a_string_that_goes_on_says_so)
{
	self->options.max_str = 8;
	self->func = ARGS_FIXTURE_FUNC(&self->f, "lookup", { "name", self->f.const_char_ptr });
	describe(self);
	put(self, "1234567", 8);
	EXPECT_STREQ("name=\"1234567\"", shown(self, false));
	describe(self);
	put(self, "12345678", 9);
	EXPECT_STREQ("name=\"1234567\"…", shown(self, false));
}

TEST_F(text, the_dots_of_what_takes_no_format_are_shown_as_such)
{
	self->func = ARGS_FIXTURE_FUNC(&self->f, "sum", { "n", self->f.i32 }, { NULL, 0 });
	describe(self);
	put(self, "\2\0\0\0", 4);
	EXPECT_STREQ("n=2 ...", shown(self, false));
	EXPECT_STREQ("  › n = 2\n  › ...\n", shown(self, true));
}

/* What a call of printk() has in registers and on the stack, and one string that a word leads to. */
static void put_printk(FIXTURE_DATA(text) *self, const char *fmt, const uint64_t words[11],
		       uint32_t string, const char *text)
{
	self->func = ARGS_FIXTURE_FUNC(&self->f, "printk", { "fmt", self->f.const_char_ptr },
				       { NULL, 0 });
	describe(self);
	put(self, fmt, strlen(fmt) + 1);
	put(self, words, 11 * 8);
	for (uint32_t i = 0; i < 7; i++) {
		if (i == string)
			put(self, text, strlen(text) + 1);
		else
			put(self, &words[i], 8);
		if (i != string)
			self->unread |= 1u << (5 + i);
	}
}

TEST_F(text, a_format_is_applied_to_what_was_passed)
{
	uint64_t words[11] = { 7, 0xffffffff82000000, -1ull, 4, 5, 6, 7, 8, 9, 10, 11 };

	put_printk(self, "\0016%d %s: %d %d %d %d %d %d %d %d %d\n", words, 1, "lo");
	EXPECT_STREQ("fmt=\"\\x016%d %s: %d %d %d %d %d %d %d %d %d\\n\" "
		     "...=\"7 lo: -1 4 5 6 7 8 9 10 11\\n\"", shown(self, false));
	put_printk(self, "%s", words, 1, "lo");
	EXPECT_STREQ("  › fmt = \"%s\"\n  › ... = \"0x7\"\n", shown(self, true));
}

TEST_F(text, a_format_that_takes_nothing_says_all)
{
	uint64_t words[11] = {};

	put_printk(self, "100%% sure", words, 9, "");
	EXPECT_STREQ("fmt=\"100%% sure\"", shown(self, false));
	EXPECT_STREQ("  › fmt = \"100%% sure\"\n", shown(self, true));
}

TEST_F(text, without_a_format_words_are_shown)
{
	uint64_t words[11] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };

	put_printk(self, "1234567", words, 9, "");
	memset(self->data, 0, 8);
	self->unread |= 1;
	EXPECT_STREQ("fmt=NULL ...=(0x1,0x2,0x3,0x4,0x5,0x6,0x7,0x8,0x9,0xa,0xb,…)",
		     shown(self, false));
	self->format.max_width = 8;
	EXPECT_STREQ("fmt=NULL ...=(0x1,0x…", shown(self, false));
}

TEST_F(text, what_did_not_come_of_a_format_shows)
{
	uint64_t words[11] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };

	put_printk(self, "%d %d %d", words, 9, "");
	self->size = 9 + 16;
	EXPECT_STREQ("fmt=\"%d %d %d\" ...=\"1 2 …\"", shown(self, false));
	self->size = 0;
	EXPECT_STREQ("fmt=… ...", shown(self, false));
}

TEST_F(text, a_function_without_arguments_shows_none)
{
	self->func = args_fixture_func(&self->f, "none", NULL, 0);
	describe(self);
	EXPECT_STREQ("", shown(self, false));
	EXPECT_STREQ("", shown(self, true));
}

TEST_F(text, what_was_selected_is_shown_as_it_was_written)
{
	struct args_selection selection = {};

	self->func = ARGS_FIXTURE_FUNC(&self->f, "do_it", { "o", self->f.outer_ptr },
				       { "s", self->f.small });
	ASSERT_EQ(0, args_selection_parse("do_it: o->high, o->comm, s.b, o->next->count",
					  &selection));
	ASSERT_EQ(0, args_select(&selection, true, self->f.btf, &self->func, NULL, &self->options,
				 &arch_x86, &self->args));
	put(self, "\xff", 1);
	put(self, "kworker\0\0\0\0\0\0\0\0", 16);
	put(self, "\1\0\0\0\5\0\0\0", 8);
	put(self, "\x18\0\0\0\0\0\0\0", 8);
	self->unread = 1 << 3;
	EXPECT_STREQ("o->high=31 o->comm=\"kworker\" s.b=5 o->next->count=?", shown(self, false));
	args_selection_release(&selection);
}

TEST_F(text, a_system_call_without_btf_is_readable)
{
	struct syscall_params params = {
		3, { { "int", "dfd" }, { "const char *", "filename" }, { "void *", "p" } },
	};
	uint64_t none = 0;

	self->func = (struct args_func){ .name = "__x64_sys_do" };
	ASSERT_EQ(0,
		  args_of_func(NULL, &self->func, &params, &self->options, &arch_x86, &self->args));
	put(self, "\x9c\xff\xff\xff", 4);
	put(self, "/etc", 5);
	put(self, &none, 8);
	EXPECT_STREQ("dfd=-100 filename=\"/etc\" p=NULL", shown(self, false));
}

static const char *call_shown(FIXTURE_DATA(text) *self, const char *func, const struct syscall_params *params,
			      uint32_t first, uint32_t second, uint32_t third, bool lines)
{
	self->func = (struct args_func){ .name = func };
	func_args_release(&self->args);
	if (args_of_func(NULL, &self->func, params, &self->options, &arch_x86, &self->args))
		abort();
	self->size = self->unread = 0;
	put(self, &first, 4);
	put(self, &second, 4);
	put(self, &third, 4);
	return shown(self, lines);
}

static const struct syscall_params open_params = { 3, { { "int", "dfd" }, { "int", "flags" }, { "int", "more" } } },
				   fcntl_params = { 3, { { "int", "fd" }, { "unsigned int", "cmd" }, { "int", "arg" } } };

TEST_F(text, numbers_of_system_calls_have_names)
{
	struct syscall_params option = { 3, { { "int", "fd" }, { "int", "level" }, { "int", "optname" } } };
	struct syscall_params socket = { 3, { { "int", "family" }, { "int", "type" }, { "int", "protocol" } } };

	EXPECT_STREQ("dfd=-100 flags=O_RDONLY|O_NONBLOCK|O_NOFOLLOW|O_CLOEXEC more=1",
		     call_shown(self, "__x64_sys_openat", &open_params, -100, 0xa0800, 1, false));
	EXPECT_STREQ("  › dfd = -100\n  › flags = O_RDONLY|O_NONBLOCK|O_NOFOLLOW|O_CLOEXEC\n  › more = 1\n",
		     call_shown(self, "__x64_sys_openat", &open_params, -100, 0xa0800, 1, true));
	EXPECT_STREQ("fd=3 level=SOL_TCP optname=TCP_NODELAY",
		     call_shown(self, "__x64_sys_setsockopt", &option, 3, 6, 1, false));
	EXPECT_STREQ("fd=3 level=SOL_SOCKET optname=SO_DEBUG",
		     call_shown(self, "__x64_sys_setsockopt", &option, 3, 1, 1, false));
	EXPECT_STREQ("family=AF_NETLINK type=SOCK_RAW protocol=NETLINK_NETFILTER",
		     call_shown(self, "__x64_sys_socket", &socket, 16, 3, 12, false));
	EXPECT_STREQ("fd=3 cmd=F_SETFL arg=O_RDONLY|O_NONBLOCK|O_DIRECT",
		     call_shown(self, "__x64_sys_fcntl", &fcntl_params, 3, 4, 0x4800, false));
	EXPECT_STREQ("fd=3 cmd=F_SETFD arg=FD_CLOEXEC",
		     call_shown(self, "__x64_sys_fcntl", &fcntl_params, 3, 2, 1, false));
	/* A number without a name stays one. */
	EXPECT_STREQ("fd=3 level=7 optname=1",
		     call_shown(self, "__x64_sys_setsockopt", &option, 3, 7, 1, false));
}

TEST_F(text, names_are_those_of_the_cpu_that_was_traced)
{
	EXPECT_STREQ("dfd=3 flags=O_RDONLY|O_DIRECTORY|O_NOFOLLOW more=1",
		     call_shown(self, "__arm64_sys_openat", &open_params, 3, 0xc000, 1, false));
	EXPECT_STREQ("dfd=3 flags=O_RDONLY|O_DIRECT|O_LARGEFILE more=1",
		     call_shown(self, "__riscv_sys_openat", &open_params, 3, 0xc000, 1, false));
	EXPECT_STREQ("fd=3 cmd=F_SETFL arg=O_RDONLY|O_DIRECT",
		     call_shown(self, "__arm64_sys_fcntl", &fcntl_params, 3, 4, 0x10000, false));
	/* Of a function without it in its name it is not known. */
	EXPECT_STREQ("dfd=3 flags=49152 more=1", call_shown(self, "__se_sys_openat", &open_params, 3, 0xc000, 1, false));
}

TEST_F(text, hostile_data_is_shown_somehow)
{
	uint32_t seed = 11;

	for (int round = 0; round < 3000; round++) {
		self->options.raw_ptrs = round & 1;
		describe(self);
		for (size_t i = 0; i < sizeof(self->data); i++)
			self->data[i] = (seed = seed * 1664525 + 1013904223) >> 24;
		self->size = (seed >> 8) % sizeof(self->data);
		self->unread = seed >> 20;
		self->format.mode = round % 3;
		self->format.max_width = round % 5 * 30;
		ASSERT_NE(0, strlen(shown(self, round & 2)));
		ASSERT_FALSE(self->text.failed);
	}
}

TEST_HARNESS_MAIN
