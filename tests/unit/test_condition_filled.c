// SPDX-License-Identifier: BSD-2-Clause
/* Variables on the stack that a called function fills in: named by its parameter, if nothing else may be meant. */
#include <bpf/btf.h>
#include <errno.h>

#include "decision_fixture.h"
#include "util/kernel/types/btf.h"

#if defined(__x86_64__)

#define CALLEE(name) FUNC(name) "ret\n" END(name)

/* BEFORE; CALLEE(ARGUMENTS); AFTER; if (TEST) return -ENOENT; return 0 */
#define LOOKS(name, before, pass, callee, after, test)  \
	FUNC(name)                                      \
	ENTRY                                           \
	LABEL(name##_body)                              \
	"sub $0x60, %rsp\n"                             \
	before "\n"                                     \
	pass "\n"                                       \
	LABEL(name##_call)                              \
	"call k_" #callee "\n"                          \
	LABEL(name##_back)                              \
	after "\n"                                      \
	test "\n"                                       \
	LABEL(name##_jump)                              \
	"je 1f\n"                                       \
	"xor %eax, %eax\n"                              \
	"jmp 2f\n"                                      \
	"1:\n"                                          \
	LABEL(name##_bad)                               \
	"mov $-2, %eax\n"                               \
	"2:\n"                                          \
	"add $0x60, %rsp\n"                             \
	LABEL(name##_ret)                               \
	"ret\n"                                         \
	END(name)

#define PASS "lea 0x10(%rsp), %rsi"
/* path->dentry->d_flags */
#define FLAGS "mov 0x18(%rsp), %rax\n cmpl $0, 8(%rax)"

/* clang-format off */
asm(KERNEL
    CALLEE(user_path_at)
    CALLEE(opaque)
    CALLEE(get_type)
    CALLEE(get_text)
    CALLEE(path_get)
    LOOKS(looks, "", PASS, user_path_at, "", FLAGS)
    LOOKS(direct, "", PASS, user_path_at, "", "cmpq $0, 0x18(%rsp)")
    LOOKS(kept, "lea 0x10(%rsp), %rbx", "mov %rbx, %rsi", user_path_at, "", FLAGS)
    LOOKS(beyond, "", PASS, user_path_at, "", "cmpq $0, 0x20(%rsp)")
    LOOKS(below, "", PASS, user_path_at, "", "cmpq $0, 0x8(%rsp)")
    LOOKS(part, "", PASS, user_path_at, "", "cmpl $0, 0x14(%rsp)")
    LOOKS(number, "", PASS, get_type, "", "cmpl $0, 0x10(%rsp)")
    LOOKS(second, "", PASS, get_type, "", "cmpl $0, 0x14(%rsp)")
    LOOKS(larger, "", PASS, get_type, "", "cmpq $0, 0x10(%rsp)")
    LOOKS(letter, "", PASS, get_text, "", "cmpb $0, 0x10(%rsp)")
    LOOKS(unknown, "", PASS, opaque, "", FLAGS)
    LOOKS(elsewhere, "mov %rdi, %rsi", "", user_path_at, "", FLAGS)
    LOOKS(written, "", PASS, user_path_at, "mov %rbp, 0x18(%rsp)", FLAGS)
    LOOKS(earlier, "mov %rbp, 0x18(%rsp)", PASS, user_path_at, "", FLAGS)
    LOOKS(passed_on, "", PASS, user_path_at, "lea 8(%rsp), %rax", FLAGS)
    LOOKS(moved, "", PASS, user_path_at, "push %rbp", "mov 0x20(%rsp), %rax\n cmpl $0, 8(%rax)\n pop %rbp")
    LOOKS(named, "", PASS, user_path_at, "", FLAGS)
    LOOKS(again, "", PASS, user_path_at,
	  "lea 0x30(%rsp), %rsi\n" LABEL(again_other) "call k_path_get\n" LABEL(again_returned), FLAGS)
    USER);
/* clang-format on */

#define EACH_FUNC(do)                                                                                   \
	do(LOOKS_UP, looks) do(DIRECT, direct) do(KEPT, kept) do(BEYOND, beyond) do(BELOW, below)       \
	do(PART, part) do(UNKNOWN, unknown) do(ELSEWHERE, elsewhere) do(WRITTEN, written)               \
	do(NUMBER, number) do(SECOND, second) do(LARGER, larger) do(LETTER, letter)                     \
	do(EARLIER, earlier) do(PASSED_ON, passed_on) do(MOVED, moved) do(NAMED, named) do(AGAIN, again)

#include "decision_play.h"

/* int NAME(int dfd, struct path *path) */
static void add_function(struct btf *b, const char *name, int i32, const char *second, int type)
{
	int proto = btf__add_func_proto(b, i32);

	btf__add_func_param(b, "dfd", i32);
	btf__add_func_param(b, second, type);
	btf__add_func(b, name, BTF_FUNC_STATIC, proto);
}

static struct kernel_btf *types_of_functions(void)
{
	struct btf *b = btf__new_empty();
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED), u32 = btf__add_int(b, "unsigned int", 4, 0);
	int mnt = btf__add_ptr(b, btf__add_struct(b, "vfsmount", 0)), dentry, path;
	struct kernel_btf *btf;

	dentry = btf__add_struct(b, "dentry", 16);
	btf__add_field(b, "d_flags", u32, 64, 0);
	dentry = btf__add_ptr(b, dentry);
	path = btf__add_struct(b, "path", 16);
	btf__add_field(b, "mnt", mnt, 0, 0);
	btf__add_field(b, "dentry", dentry, 64, 0);
	path = btf__add_ptr(b, path);
	add_function(b, "user_path_at", i32, "path", path);
	add_function(b, "path_get", i32, "path", path);
	add_function(b, "get_type", i32, "type", btf__add_ptr(b, i32));
	add_function(b, "get_text", i32, "text", btf__add_ptr(b, btf__add_int(b, "char", 1, BTF_INT_SIGNED)));
	add_function(b, "opaque", i32, "data", btf__add_ptr(b, 0));
	for (int i = 0; i < NR_FUNCS; i++)
		add_function(b, func_names[i], i32, i == NAMED ? "path" : "other", path);
	return kernel_btf_from(b, &btf) ? NULL : btf;
}

#define EXPECT_BY(name, func, callee, expected)                       \
	do {                                                          \
		self->nr = 0;                                         \
		CALLED(name##_body);                                  \
		TOOK(name##_call, callee);                            \
		TOOK(callee, name##_back);                            \
		TOOK(name##_jump, name##_bad);                        \
		RETURNED(name##_ret);                                 \
		decided(self, func, -ENOENT);                         \
		EXPECT_STREQ(expected, self->condition.text ?: "");   \
	} while (0)
#define EXPECT_TEXT(name, func, expected) EXPECT_BY(name, func, user_path_at, expected)


TEST_F(decision, what_a_called_function_filled_in_has_the_name_of_its_parameter)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(looks, LOOKS_UP, "path->dentry->d_flags == 0");
	EXPECT_TEXT(direct, DIRECT, "path->dentry == NULL");
	EXPECT_TEXT(kept, KEPT, "path->dentry->d_flags == 0");
	EXPECT_TEXT(earlier, EARLIER, "path->dentry->d_flags == 0");
	EXPECT_TEXT(moved, MOVED, "path->dentry->d_flags == 0");
	kernel_btf_free(self->btf);
}

TEST_F(decision, so_has_a_number)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_BY(number, NUMBER, get_type, "*type == 0");
	EXPECT_BY(second, SECOND, get_type, "*(u32 *)(rsp + 0x14) == 0");
	EXPECT_BY(larger, LARGER, get_type, "*(u64 *)(rsp + 0x10) == 0");
	EXPECT_BY(letter, LETTER, get_text, "*(u8 *)(rsp + 0x10) == 0");
	kernel_btf_free(self->btf);
}

TEST_F(decision, what_is_not_in_it_or_changed_since_has_no_name)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(beyond, BEYOND, "*(u64 *)(rsp + 0x20) == 0");
	EXPECT_TEXT(below, BELOW, "*(u64 *)(rsp + 0x8) == 0");
	EXPECT_TEXT(part, PART, "*(u32 *)(rsp + 0x14) == 0");
	EXPECT_BY(unknown, UNKNOWN, opaque, "*(u32 *)(rax + 0x8) == 0");
	EXPECT_TEXT(elsewhere, ELSEWHERE, "*(u32 *)(rax + 0x8) == 0");
	EXPECT_TEXT(written, WRITTEN, "*(u32 *)(rax + 0x8) == 0");
	EXPECT_TEXT(passed_on, PASSED_ON, "*(u32 *)(rax + 0x8) == 0");
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_name_that_two_have_is_not_used)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(named, NAMED, "*(u32 *)(rax + 0x8) == 0");
	self->nr = 0;
	CALLED(again_body);
	TOOK(again_call, user_path_at);
	TOOK(user_path_at, again_back);
	TOOK(again_other, path_get);
	TOOK(path_get, again_returned);
	TOOK(again_jump, again_bad);
	RETURNED(again_ret);
	decided(self, AGAIN, -ENOENT);
	EXPECT_STREQ("*(u32 *)(rax + 0x8) == 0", self->condition.text ?: "");
	kernel_btf_free(self->btf);
}

#endif

TEST_HARNESS_MAIN
