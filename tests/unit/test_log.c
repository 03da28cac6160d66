// SPDX-License-Identifier: BSD-2-Clause
/* Lines of kernel logs, and what is added to them. */
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/base/cleanup.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/symbols/log_line.h"
#include "util/kernel/symbols/log_symbols.h"
#include "util/kernel/symbols/symbols.h"
#include "util/view/lists/log.h"

#define KERNEL 0
#define RETURN 1

/* The only place of a line. */
#define ONE_PLACE(line, name_, offset_, size_, module_, is_return_)                                \
	do {                                                                                       \
		const char *line_ = line;                                                          \
		struct log_place place_;                                                           \
		ASSERT_TRUE(log_find_place(line_, strlen(line_), 0, &place_))                      \
		{                                                                                  \
			TH_LOG("%s", line_);                                                       \
		}                                                                                  \
		EXPECT_STREQ(name_, place_.name);                                                  \
		EXPECT_EQ(offset_, place_.offset);                                                 \
		EXPECT_EQ(size_, place_.size);                                                     \
		EXPECT_STREQ(module_, place_.module);                                              \
		EXPECT_EQ(is_return_, place_.is_return)                                            \
		{                                                                                  \
			TH_LOG("%s", line_);                                                       \
		}                                                                                  \
		EXPECT_EQ(0, memcmp(name_, line_ + place_.start, strlen(name_)));                  \
		EXPECT_FALSE(log_find_place(line_, strlen(line_), place_.end, &place_));           \
	} while (0)

#define NO_PLACE(line)                                                                             \
	do {                                                                                       \
		const char *line_ = line;                                                          \
		struct log_place place_;                                                           \
		EXPECT_FALSE(log_find_place(line_, strlen(line_), 0, &place_))                     \
		{                                                                                  \
			TH_LOG("%s", line_);                                                       \
		}                                                                                  \
	} while (0)

TEST(lines_of_stack_traces_have_return_addresses)
{
	ONE_PLACE("[    5.093962]  do_syscall_64+0x5d/0x90", "do_syscall_64", 0x5d, 0x90, "",
		  true);
	ONE_PLACE(" ksys_write+0x6b/0xf0", "ksys_write", 0x6b, 0xf0, "", true);
	ONE_PLACE("[    5.236064]  ? filp_close+0x5b/0x70", "filp_close", 0x5b, 0x70, "", true);
	ONE_PLACE("[    6.3][  T123]  __x64_sys_fcntl+0x90/0xc0", "__x64_sys_fcntl", 0x90, 0xc0,
		  "", true);
	ONE_PLACE("<4>[    6.3] foo+0x90/0xc0", "foo", 0x90, 0xc0, "", true);
	ONE_PLACE("Nov 21 17:44:02 host kernel: [    5.09]  vfs_write+0xc7/0x3f0", "vfs_write",
		  0xc7, 0x3f0, "", true);
	ONE_PLACE(" [<ffffffff8105d2b3>] warn_slowpath_common+0x83/0xc0", "warn_slowpath_common",
		  0x83, 0xc0, "", true);
	ONE_PLACE("[  1.2]  [<ffffffff8105d2b3>] ? warn_slowpath_common+0x83/0xc0",
		  "warn_slowpath_common", 0x83, 0xc0, "", true);
	/* arm64: the program counter of registers, and not a return address. */
	ONE_PLACE("[ 1.2]  el0_svc+0x34/0xe0 (P)", "el0_svc", 0x34, 0xe0, "", false);
	ONE_PLACE("[ 1.2]  ext4_foo+0x20/0x40 [ext4] (P)", "ext4_foo", 0x20, 0x40, "ext4", false);
	ONE_PLACE("[ 1.2]  lkdtm_do_action+0x24/0x40 (C)", "lkdtm_do_action", 0x24, 0x40, "", true);
	ONE_PLACE("[    5.093962]  ksys_write+0x6b/0xf0\r", "ksys_write", 0x6b, 0xf0, "", true);
}

TEST(what_programs_and_mails_put_in_front_of_a_line_changes_nothing)
{
	static const char *const fronts[] = {
		"",
		"> ",
		">> ",
		"> > [    5.09] ",
		"\t| ",
		"kern  :warn  : ",
		"kern  :info  : [    5.093962] ",
		"kern  :notice: [Sat Nov 21 17:44:02 2026] ",
		"daemon:err   : [    5.093962] ",
		"authpriv:debug : [    5.093962] ",
		"2026-11-21T17:44:02,123456+00:00 ",
		"kern  :err   : 2026-11-21T17:44:02,123456+00:00 ",
		"2026-11-21T17:44:02.123456+00:00 host kernel: [    5.09] ",
		"[Nov21 17:44] ",
		"[  +0.000012] ",
		"\033[32m[    5.093962] \033[0m",
		"\033[32m[    5.093962] \033[0m\033[1;31m",
		"[    5.093962 <    0.000003>] ",
		"[Sat Nov 28 01:20:09 2026 <    0.000003>] ",
		"[Sa M\xc3\xa4r 28 01:20:09 2026] ",
		"[ven. f\xc3\xa9vr. 28 01:20:09 2026] ",
		"4,339,5140900,-;",
		"4,339,5140900,-,caller=T1;",
		" kernel:[  233.001921] ",
	};

	for (size_t i = 0; i < ARRAY_SIZE(fronts); i++) {
		char line[128];

		snprintf(line, sizeof(line), "%s ? ksys_write+0x6b/0xf0", fronts[i]);
		ONE_PLACE(line, "ksys_write", 0x6b, 0xf0, "", true);
		snprintf(line, sizeof(line), "%sRIP: 0010:ksys_write+0x6b/0xf0", fronts[i]);
		ONE_PLACE(line, "ksys_write", 0x6b, 0xf0, "", false);
		EXPECT_EQ(strlen(fronts[i]), log_text_start(line, strlen(line)))
		{
			TH_LOG("%s", line);
		}
	}
	/* Nearly so. */
	ONE_PLACE("kern  :worse : a+0x1/0x2", "a", 1, 2, "", false);
	ONE_PLACE("2026-11-21 17:44:02 a+0x1/0x2", "a", 1, 2, "", false);
	ONE_PLACE("\033[32K a+0x1/0x2", "a", 1, 2, "", false);
	ONE_PLACE("4,339,-; a+0x1/0x2", "a", 1, 2, "", false);
	ONE_PLACE("4,339,5140900,- a+0x1/0x2", "a", 1, 2, "", false);
}

TEST(some_other_lines_have_return_addresses)
{
	ONE_PLACE("[ 1.0] BUG: KASAN: slab-use-after-free in a+0x1/0x2 [m]", "a", 1, 2, "m", true);
	ONE_PLACE("[ 1.0] BUG: KASAN: invalid-access in a+0x1/0x2", "a", 1, 2, "", false);
	ONE_PLACE("[ 1.0] BUG: KFENCE: use-after-free read in a+0x1/0x2", "a", 1, 2, "", false);
	ONE_PLACE("[ 1.0]  #0: ffff8880 (&mm->mmap_lock){++++}-{3:3}, at: a+0x1/0x2", "a", 1, 2, "", true);
	ONE_PLACE(" #0: ffff8880 (rcu_read_lock){....}-{1:2}, at: a+0x1/0x2", "a", 1, 2, "", false);
	ONE_PLACE(" #0: ffff8880 ((wq_completion)events){+.+.}-{0:0}, at: a+0x1/0x2", "a", 1, 2, "",
		  false);
	ONE_PLACE("[ 1.0] Allocated in a+0x1/0x2 age=1 cpu=0 pid=1", "a", 1, 2, "", true);
	ONE_PLACE("[ 1.0] INFO: Freed in a+0x1/0x2 age=1 cpu=0 pid=1", "a", 1, 2, "", true);
	ONE_PLACE("[ 1.0] lr : a+0x1/0x2", "a", 1, 2, "", true);
	ONE_PLACE("[ 1.0]  ra : a+0x1/0x2", "a", 1, 2, "", true);
	ONE_PLACE("[ 1.0] epc : a+0x1/0x2", "a", 1, 2, "", false);
}

static bool is_return_after(struct log_trace *trace, const char *line)
{
	struct log_place place;

	if (!log_find_place(line, strlen(line), 0, &place))
		abort();
	log_trace_follow(trace, line, strlen(line), &place);
	return place.is_return;
}

TEST(traces_of_arm64_and_riscv_have_program_counters_among_return_addresses)
{
	struct log_trace trace = {};

	EXPECT_FALSE(is_return_after(&trace, "[ 1.0] pc : crash+0x10/0x20"));
	EXPECT_TRUE(is_return_after(&trace, "[ 1.0] lr : caller+0x10/0x20"));
	EXPECT_FALSE(is_return_after(&trace, "[ 1.0]  crash+0x10/0x20"));
	EXPECT_TRUE(is_return_after(&trace, "[ 1.0]  crash+0x10/0x20"));
	EXPECT_FALSE(is_return_after(&trace, "[ 1.0] epc : crash+0x10/0x20"));
	EXPECT_TRUE(is_return_after(&trace, "[ 1.0] [<ffffffff80001000>] crash+0x14/0x20"));
	EXPECT_TRUE(is_return_after(&trace, " el1h_64_irq_handler+0x18/0x28"));
	EXPECT_TRUE(is_return_after(&trace, " el1h_64_irq+0x64/0x68"));
	EXPECT_FALSE(is_return_after(&trace, " interrupted+0x10/0x20"));
	EXPECT_TRUE(is_return_after(&trace, " caller+0x10/0x20"));
	EXPECT_FALSE(is_return_after(&trace, "[<ffffffff80001000>] ret_from_exception+0x0/0x64"));
	EXPECT_FALSE(is_return_after(&trace, "[<ffffffff80001000>] interrupted+0x10/0x20"));
}

TEST(other_lines_say_where_something_is)
{
	ONE_PLACE("[ 3.08] RIP: 0010:native_apic_mem_write+0x8/0x10", "native_apic_mem_write", 8,
		  0x10, "", false);
	ONE_PLACE("RIP: 0010:[<ffffffff8109ab12>]  [<ffffffff8109ab12>] try_to_wake_up+0x22/0x2f0",
		  "try_to_wake_up", 0x22, 0x2f0, "", false);
	ONE_PLACE("[ 1.0] WARNING: CPU: 0 PID: 1 at kernel/softirq.c:376 "
		  "__local_bh_enable_ip+0x6e/0x80", "__local_bh_enable_ip", 0x6e, 0x80, "", false);
	ONE_PLACE("[ 5.2] NMI backtrace for cpu 0 skipped: idling at native_safe_halt+0xb/0x10",
		  "native_safe_halt", 0xb, 0x10, "", false);
	ONE_PLACE("[ 2.0] pc : el0_svc+0x34/0xe0", "el0_svc", 0x34, 0xe0, "", false);
	/* What begins there has not been called from in front of it. */
	ONE_PLACE("[ 2.0]  ret_from_fork+0x0/0x30", "ret_from_fork", 0, 0x30, "", false);
}

TEST(names_are_whatever_compilers_make_of_them)
{
	ONE_PLACE(" nmi_cpu_backtrace.cold+0x32/0x79", "nmi_cpu_backtrace.cold", 0x32, 0x79, "",
		  true);
	ONE_PLACE(" x.constprop.0.isra.1+0x1/0x2", "x.constprop.0.isra.1", 1, 2, "", true);
	ONE_PLACE(" _RNvCs1ABC_7_kernel4main$x+0x10/0x20", "_RNvCs1ABC_7_kernel4main$x", 0x10,
		  0x20, "", true);
}

TEST(modules_are_taken_with_their_build_id)
{
	struct log_place place;
	const char *line = " ext4_sync_file+0x12/0x340 "
			   "[ext4 0123456789abcdef0123456789ABCDEF01234567]";

	ONE_PLACE(" __send_to_port+0xd5/0x130 [virtio_console]", "__send_to_port", 0xd5, 0x130,
		  "virtio_console", true);
	ONE_PLACE("RIP: 0010:a+0x1/0x2 [snd-hda]\r", "a", 1, 2, "snd-hda", false);
	ASSERT_TRUE(log_find_place(line, strlen(line), 0, &place));
	EXPECT_STREQ("ext4", place.module);
	ASSERT_EQ(20, place.build_id.len);
	EXPECT_EQ(0x01, place.build_id.bytes[0]);
	EXPECT_EQ(0xef, place.build_id.bytes[15]);
	EXPECT_EQ(0x67, place.build_id.bytes[19]);
	EXPECT_EQ(strlen(line), place.end);
	/* Something else in brackets, or no end of them. */
	ONE_PLACE(" a+0x1/0x2 []", "a", 1, 2, "", true);
	ONE_PLACE(" a+0x1/0x2 [x", "a", 1, 2, "", true);
	ONE_PLACE(" a+0x1/0x2 [x y]", "a", 1, 2, "", true);
	ONE_PLACE(" a+0x1/0x2 [x 012]", "a", 1, 2, "", true);
	ONE_PLACE(" a+0x1/0x2 [../../etc]", "a", 1, 2, "", true);
}

TEST(several_places_in_a_line_are_all_found)
{
	const char *line = "last enabled at (12): [<0>] a+0x1/0x2 [m], off at b+0x3/0x4 c+0x5/0x6";
	struct log_place place = { .end = 0 };
	char names[16] = "";

	while (log_find_place(line, strlen(line), place.end, &place)) {
		strcat(names, place.name);
		strcat(names, place.module);
		EXPECT_FALSE(place.is_return);
	}
	EXPECT_STREQ("ambc", names);
}

TEST(what_only_looks_alike_is_no_place)
{
	NO_PLACE("");
	NO_PLACE("+");
	NO_PLACE("a+0x1");
	NO_PLACE("a+0x1/");
	NO_PLACE("a+0x1/0x");
	NO_PLACE("a+0x/0x2");
	NO_PLACE("a+1/2");
	NO_PLACE("+0x1/0x2");
	NO_PLACE(" +0x1/0x2");
	NO_PLACE("0x5+0x1/0x2");
	NO_PLACE("a+0x1/0x2zz");
	NO_PLACE("a+0x11111111111111111/0x2");
	NO_PLACE("a+0x1/0x22222222222222222");
	NO_PLACE("a +0x1/0x2");
}

TEST(a_name_that_is_too_long_is_none)
{
	char line[2048];

	memset(line, 'a', sizeof(line));
	strcpy(line + LOG_NAME_MAX, "+0x1/0x2");
	NO_PLACE(line);
	memset(line, 'a', sizeof(line));
	strcpy(line + LOG_NAME_MAX - 1, "+0x1/0x2");
	EXPECT_STREQ("+0x1/0x2", strchr(line, '+'));
	{
		struct log_place place;

		ASSERT_TRUE(log_find_place(line, strlen(line), 0, &place));
		EXPECT_EQ(LOG_NAME_MAX - 1, strlen(place.name));
	}
	/* So is a module's; the place is one without. */
	memset(line, 'a', sizeof(line));
	memcpy(line, "f+0x1/0x2 [", 11);
	strcpy(line + 11 + LOG_MODULE_MAX, "]");
	ONE_PLACE(line, "f", 1, 2, "", true);
	memset(line, 'a', sizeof(line));
	memcpy(line, "f+0x1/0x2 [m ", 13);
	strcpy(line + 13 + 2 * BUILD_ID_MAX + 2, "]");
	ONE_PLACE(line, "f", 1, 2, "", true);
}

#define RELEASE(line, expected)                                                                    \
	do {                                                                                       \
		const char *line_ = line, *expected_ = expected;                                   \
		char release_[LOG_RELEASE_MAX] = "";                                               \
		EXPECT_EQ(expected_ != NULL, log_find_release(line_, strlen(line_), release_))     \
		{                                                                                  \
			TH_LOG("%s", line_);                                                       \
		}                                                                                  \
		EXPECT_STREQ(expected_ ?: "", release_);                                           \
	} while (0)

TEST(the_release_is_in_the_first_line_and_in_every_oops)
{
	RELEASE("[    0.000000] Linux version 6.1.0-50-cloud-amd64 (debian-kernel@x) (gcc-12 ...",
		"6.1.0-50-cloud-amd64");
	RELEASE("CPU: 0 PID: 122 Comm: sh Not tainted 6.1.0-50-cloud-amd64 #1  Debian 6.1.176-1",
		"6.1.0-50-cloud-amd64");
	RELEASE("[ 3.1] CPU: 1 PID: 12 Comm: rcu_sched Tainted: G        W  OE     "
		"5.14.0-427.el9.x86_64+rt #1",
		"5.14.0-427.el9.x86_64+rt");
	RELEASE("[ 3.1] CPU: 1 UID: 0 PID: 12 Comm: a b c Tainted: [W]=WARN, [O]=OOT "
		"6.12.38+deb13-amd64 #1 PREEMPT(lazy) 0123456789abcdef",
		"6.12.38+deb13-amd64");
	/* Hung tasks, lockdep. */
	RELEASE("[  242.0]       Not tainted 6.1.0-18-amd64 #1 Debian 6.1.76-1", "6.1.0-18-amd64");
	RELEASE("[  242.0]       Tainted: G        W  OE     6.1.0-18-amd64 #1 x", "6.1.0-18-amd64");
	RELEASE("[    5.0] 6.1.0-18-amd64 #1 Not tainted", "6.1.0-18-amd64");
	RELEASE("[    5.0] 6.1.0-18-amd64 #1 Tainted: G        W", "6.1.0-18-amd64");
}

TEST(a_release_is_fit_for_a_file_name_or_is_none)
{
	RELEASE("Linux version ../../../tmp/x (y)", NULL);
	RELEASE("Linux version 6.1/../../x (y)", NULL);
	RELEASE("Linux version 6 (y)", NULL);
	RELEASE("Linux version 6.1.0", NULL);
	RELEASE("Linux version ", NULL);
	RELEASE("say Linux version 6.1.0 (y)", NULL);
	RELEASE("CPU: 0 PID: 1 Comm: sh Not tainted ../../x #1", NULL);
	RELEASE("CPU: 0 PID: 1 Comm: sh Not tainted #1", NULL);
	RELEASE("CPU: 0 PID: 1 Comm: sh", NULL);
	RELEASE("CPU: ", NULL);
	RELEASE("is it Not tainted 6.1.0 #1", NULL);
	EXPECT_FALSE(log_find_release("6.1.0 #1 Clean", 14, (char[LOG_RELEASE_MAX]){}));
	EXPECT_FALSE(log_find_release("6.1.0 Not tainted", 17, (char[LOG_RELEASE_MAX]){}));
	RELEASE("Linux version "
		"6.11111111111111111111111111111111111111111111111111111111111111111111111 (y)",
		NULL);
}

TEST(the_instruction_is_the_one_in_the_mark)
{
	const char *line = "[ 3.0] Code: 89 b7 00 d0 5f ff <c3> cc cc";
	struct log_code code;

	ASSERT_TRUE(log_find_code(line, strlen(line), &code));
	EXPECT_EQ(9, code.len);
	EXPECT_EQ(6, code.at);
	EXPECT_EQ(0xc3, code.bytes[code.at]);
	EXPECT_FALSE(log_find_code("Code: 89 b7", 11, &code));
	EXPECT_FALSE(log_find_code("Code: ", 6, &code));
	EXPECT_FALSE(log_find_code("Code", 4, &code));
	EXPECT_FALSE(log_find_code("Code: <", 7, &code));
	EXPECT_FALSE(log_find_code("Code: <c", 8, &code));
	EXPECT_FALSE(log_find_code("Code: Bad RIP value.", 20, &code));
	EXPECT_FALSE(log_find_code("", 0, &code));
}

TEST(more_code_than_fits_is_left_out)
{
	char line[2000] = "Code:";
	struct log_code code;

	for (int i = 0; i < 300; i++)
		strcat(line, i == 100 ? " <90>" : " 66");
	ASSERT_TRUE(log_find_code(line, strlen(line), &code));
	EXPECT_EQ(sizeof(code.bytes), code.len);
	EXPECT_EQ(100, code.at);
}

TEST(no_line_is_read_beyond_its_end)
{
	static const char *const pieces[] = { "+0x", "/0x", "[", "]", "<", ">", " ", "a", "0", "Code: ",
					      "CPU: ", "Comm: ", "ainted", " #", "kernel: ", "?",
					      "Linux version ", "6.1", "\xff", "[<", "\t", "kern  :",
					      "warn  : ", "\033[", "m", "2026-11-21T17:44:02",
					      "kernel:[", "4,", "-;", "Not t", " at: ", "BUG: KASAN: " };
	unsigned int seed = 1;

	for (int i = 0; i < 200000; i++) {
		char text[256] = "", release[LOG_RELEASE_MAX];
		_cleanup_(free_p) char *line = NULL;
		struct log_place place = { .end = 0 };
		struct log_code code;
		size_t len;

		for (int n = rand_r(&seed) % 12; n >= 0; n--)
			strcat(text, pieces[rand_r(&seed) % (ARRAY_SIZE(pieces))]);
		len = strlen(text);
		/* Without a NUL behind it, where the sanitizer sees who looks. */
		line = malloc(len ?: 1);
		memcpy(line, text, len);
		EXPECT_LE(log_text_start(line, len), len);
		log_find_release(line, len, release);
		log_find_code(line, len, &code);
		for (size_t from = 0; log_find_place(line, len, from, &place); from = place.end) {
			ASSERT_LT(from, place.end);
			ASSERT_LE(place.end, len);
		}
	}
}

/* Lookups: this program is the kernel. */

static volatile int sink;

static inline __attribute__((always_inline)) void inlined(void)
{
	sink = __LINE__;
}

__attribute__((noinline, used)) void outer_function(void)
{
	sink = 1;
	inlined();
}

__attribute__((noinline, used)) void other_function(void)
{
	sink = 2;
}

FIXTURE(lookup)
{
	struct log_symbols *symbols;
	struct symbols *table;
	struct log_place place;
	struct log_found found;
	struct strbuf text;
};

FIXTURE_SETUP(lookup)
{
	struct log_symbols_options options = { .vmlinux = "/proc/self/exe" };

	memset(self, 0, sizeof(*self));
	ASSERT_EQ(0, symbols_load_elf("/proc/self/exe", &self->table));
	ASSERT_EQ(0, log_symbols_new(&options, &self->symbols));
}

FIXTURE_TEARDOWN(lookup)
{
	log_symbols_free(self->symbols);
	symbols_free(self->table);
	strbuf_release(&self->text);
}

/* "NAME+OFFSET/SIZE" with the size that the function has and @more. */
static void find(FIXTURE_DATA(lookup) *self, const char *name, uint64_t offset, uint64_t more)
{
	const struct symbol *const *named;

	if (!symbols_named(self->table, name, &named))
		abort();
	self->place = (struct log_place){ .offset = offset, .size = named[0]->size + more,
					  .start = 4 };
	strcpy(self->place.name, name);
	log_symbols_lookup(self->symbols, &self->place, &self->found);
}

TEST_F(lookup, a_place_has_its_source_line_and_inlined_calls)
{
	bool seen = false;

	find(self, "outer_function", 0, 0);
	ASSERT_EQ(1, self->found.nr_frames);
	EXPECT_NE(NULL, strstr(self->found.frames[0].file, "test_log.c"));
	for (uint64_t offset = 1; offset < self->place.size && !seen; offset++) {
		find(self, "outer_function", offset, 0);
		seen = self->found.nr_frames == 2;
	}
	ASSERT_TRUE(seen);
	EXPECT_STREQ("inlined", self->found.frames[0].function);
	EXPECT_STREQ("outer_function", self->found.frames[1].function);
	log_view_place(&self->text, false, &self->place, &self->found, false);
	EXPECT_EQ(strbuf_str(&self->text),
		  strstr(strbuf_str(&self->text), "      (tests/unit/test_log.c:"));
	EXPECT_NE(NULL,
		  strstr(strbuf_str(&self->text), "\n      . inlined (tests/unit/test_log.c:"));
	strbuf_reset(&self->text);
	log_view_place(&self->text, true, &self->place, &self->found, true);
	EXPECT_EQ(strbuf_str(&self->text),
		  strstr(strbuf_str(&self->text),
			 "      \033[36mouter_function (tests/unit/test_log.c:"));
}

TEST_F(lookup, padding_belongs_to_the_size_that_the_kernel_prints)
{
	find(self, "outer_function", 1, 12);
	EXPECT_LT(0, self->found.nr_frames);
}

TEST_F(lookup, a_function_of_another_size_is_another_kernels)
{
	_cleanup_(free_p) char *messages = NULL, *again = NULL;

	messages = stderr_of(find(self, "outer_function", 1, 4096));
	EXPECT_EQ(0, self->found.nr_frames);
	EXPECT_NE(NULL, strstr(messages, "outer_function is of another size in /proc/self/exe: it "
					 "is not the kernel of this log"));
	/* Said once. */
	again = stderr_of(find(self, "other_function", 1, 4096));
	EXPECT_STREQ("", again);
	/* What fits may be chance then. */
	find(self, "outer_function", 1, 0);
	EXPECT_EQ(0, self->found.nr_frames);
	for (int i = 0; i < 5; i++)
		find(self, "outer_function", 1, 0);
	EXPECT_LT(0, self->found.nr_frames);
}

TEST_F(lookup, offsets_beyond_the_function_and_unknown_names_are_nothing)
{
	find(self, "outer_function", 1ull << 40, 0);
	EXPECT_EQ(0, self->found.nr_frames);
	strcpy(self->place.name, "no_such_function");
	self->place.offset = 1;
	log_symbols_lookup(self->symbols, &self->place, &self->found);
	EXPECT_EQ(0, self->found.nr_frames);
	log_view_place(&self->text, false, &self->place, &self->found, false);
	EXPECT_STREQ("", strbuf_str(&self->text));
}

TEST_F(lookup, modules_that_are_nowhere_add_nothing)
{
	find(self, "outer_function", 1, 0);
	strcpy(self->place.module, "no_such_module");
	for (int i = 0; i < 2000; i++) {
		snprintf(self->place.module, sizeof(self->place.module), "no_such_module%d", i);
		log_symbols_lookup(self->symbols, &self->place, &self->found);
		ASSERT_EQ(0, self->found.nr_frames);
	}
}

TEST_F(lookup, lines_alone_are_those_of_the_function_itself)
{
	struct log_symbols_options options = { .vmlinux = "/proc/self/exe", .lines_only = true };

	log_symbols_free(self->symbols);
	ASSERT_EQ(0, log_symbols_new(&options, &self->symbols));
	find(self, "outer_function", 0, 0);
	for (uint64_t offset = 1; offset < self->place.size; offset++) {
		find(self, "outer_function", offset, 0);
		EXPECT_GE(1, self->found.nr_frames);
	}
}

TEST(without_debug_info_it_is_said_once_a_kernel_what_to_do)
{
	struct log_symbols_options options = {};
	struct log_place place = { .name = "f", .offset = 1, .size = 2 };
	_cleanup_(free_p) char *messages = NULL;
	struct log_symbols *symbols;
	struct log_found found;
	char *second;

	ASSERT_EQ(0, log_symbols_new(&options, &symbols));
	EXPECT_FALSE(log_symbols_lacked(symbols));
	log_symbols_set_release(symbols, "1.2.3-no-such");
	messages = stderr_of({
		log_symbols_lookup(symbols, &place, &found);
		log_symbols_lookup(symbols, &place, &found);
	});
	EXPECT_EQ(messages, strstr(messages, "retsnoop: warning: no debug info found for "
					     "1.2.3-no-such, the kernel of this log: "));
	second = strchr(messages, '\n');
	ASSERT_NE(NULL, second);
	EXPECT_STREQ("\n", second);
	EXPECT_TRUE(log_symbols_lacked(symbols));
	log_symbols_free(symbols);
}

TEST(a_vmlinux_that_is_none_is_refused)
{
	struct log_symbols_options options = { .vmlinux = "/etc/passwd" };
	_cleanup_(free_p) char *messages = NULL;
	struct log_symbols *symbols;
	int err;

	messages = stderr_of(err = log_symbols_new(&options, &symbols));
	EXPECT_GT(0, err);
	EXPECT_NE(NULL, strstr(messages, "/etc/passwd is not an ELF file"));
}

TEST(the_marked_instruction_is_shown_as_far_as_it_goes)
{
	struct log_code code = { .bytes = { 0x90, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0, 0x90 },
				 .len = 10, .at = 1 };
	struct strbuf text = STRBUF_INIT;

	log_view_code(&text, false, 3, &code);
	/* Other CPUs do not know its length. */
	EXPECT_STREQ(arch_native == &arch_x86 ? "     (the instruction is 48 8b 04 25 00 00 00 00)\n" :
						"",
		     strbuf_str(&text));
	strbuf_reset(&text);
	code.len = 5;
	log_view_code(&text, false, 3, &code);
	EXPECT_STREQ("", strbuf_str(&text));
	strbuf_release(&text);
}

TEST_HARNESS_MAIN
