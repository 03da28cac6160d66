// SPDX-License-Identifier: BSD-2-Clause
/* Calls: a file out of what fdget() returned, which has two flags below the pointer; arguments that are enums. */
#include <bpf/btf.h>
#include <errno.h>

#include "decision_fixture.h"
#include "util/kernel/types/btf.h"

#if defined(__x86_64__)

#define CALLEE(name) FUNC(name) "ret\n" END(name)

/* rbx = CALLEE(fd) after MASK; if (((struct file *)rbx)->f_op->ioctl == NULL) return -ENOTTY; return 0 */
#define MASKS(name, callee, mask)             \
	FUNC(name)                            \
	ENTRY                                 \
	LABEL(name##_body)                    \
	"call k_" #callee "\n"                \
	LABEL(name##_back)                    \
	"mov %rax, %rbx\n"                    \
	mask "\n"                             \
	"mov 8(%rbx), %rax\n"                 \
	"mov 16(%rax), %rax\n"                \
	"test %rax, %rax\n"                   \
	LABEL(name##_jump)                    \
	"je 1f\n"                             \
	"xor %eax, %eax\n"                    \
	"ret\n"                               \
	"1:\n"                                \
	LABEL(name##_bad)                     \
	"mov $-25, %eax\n"                    \
	LABEL(name##_ret)                     \
	"ret\n"                               \
	END(name)

/* if (!word(NUMBER)) return -ENOTTY; return 0 */
#define CALLS(name, number)                   \
	FUNC(name)                            \
	ENTRY                                 \
	LABEL(name##_body)                    \
	"mov $" number ", %edi\n"             \
	LABEL(name##_call)                    \
	"call k_word\n"                       \
	LABEL(name##_back)                    \
	"test %rax, %rax\n"                   \
	LABEL(name##_jump)                    \
	"je 1f\n"                             \
	"xor %eax, %eax\n"                    \
	"ret\n"                               \
	"1:\n"                                \
	LABEL(name##_bad)                     \
	"mov $-25, %eax\n"                    \
	LABEL(name##_ret)                     \
	"ret\n"                               \
	END(name)

/* if (CALLEE(fd) == 5) return -ENOTTY; return 0 */
#define RETURNS(name, callee)                 \
	FUNC(name)                            \
	ENTRY                                 \
	LABEL(name##_body)                    \
	"call k_" #callee "\n"                \
	LABEL(name##_back)                    \
	"cmp $5, %eax\n"                      \
	LABEL(name##_jump)                    \
	"je 1f\n"                             \
	"xor %eax, %eax\n"                    \
	"ret\n"                               \
	"1:\n"                                \
	LABEL(name##_bad)                     \
	"mov $-25, %eax\n"                    \
	LABEL(name##_ret)                     \
	"ret\n"                               \
	END(name)

/* err = PTR_ERR(name_of(n)); if (TEST) return -ENOTTY; return 0 */
#define FAILS(name, test)                     \
	FUNC(name)                            \
	ENTRY                                 \
	LABEL(name##_body)                    \
	"call k_name_of\n"                    \
	LABEL(name##_back)                    \
	"mov %eax, %ebx\n"                    \
	test "\n"                             \
	LABEL(name##_jump)                    \
	"je 1f\n"                             \
	"xor %eax, %eax\n"                    \
	"ret\n"                               \
	"1:\n"                                \
	LABEL(name##_bad)                     \
	"mov $-25, %eax\n"                    \
	LABEL(name##_ret)                     \
	"ret\n"                               \
	END(name)

/* if (!*name_of(1, 2)) return -ENOTTY; return 0 */
#define READS(name)                           \
	FUNC(name)                            \
	ENTRY                                 \
	LABEL(name##_body)                    \
	"mov $1, %edi\n"                      \
	"mov $2, %esi\n"                      \
	LABEL(name##_call)                    \
	"call k_name_of\n"                    \
	LABEL(name##_back)                    \
	"cmpb $0, (%rax)\n"                   \
	LABEL(name##_jump)                    \
	"je 1f\n"                             \
	"xor %eax, %eax\n"                    \
	"ret\n"                               \
	"1:\n"                                \
	LABEL(name##_bad)                     \
	"mov $-25, %eax\n"                    \
	LABEL(name##_ret)                     \
	"ret\n"                               \
	END(name)

/* clang-format off */
asm(KERNEL
    CALLEE(fdget)
    CALLEE(__fdget_raw)
    CALLEE(name_of)
    READS(reads)
    FAILS(errors, "cmp $-17, %ebx")
    FAILS(halves_of, "cmp $17, %ebx")
    FAILS(offsets_of, "and $0xfff, %ebx\n cmp $17, %ebx")
    CALLEE(word)
    MASKS(structs, fdget, "and $-4, %rbx")
    MASKS(numbers, __fdget_raw, "and $-4, %rbx")
    MASKS(strangers, word, "and $-4, %rbx")
    MASKS(unmasked, fdget, "nop")
    MASKS(halves, fdget, "and $-4, %ebx")
    MASKS(eights, fdget, "and $-8, %rbx")
    MASKS(longest, fdget, "and $-4, %rbx\n mov 16(%rbx), %rbx")
    MASKS(added, fdget, "lea 8(%rbx), %rbx\n and $-4, %rbx")
    CALLEE(strcmp)
    /* if (strcmp(fd, 8) < 0) return -ENOTTY; return 0 */
    FUNC(compares)
    ENTRY
    LABEL(compares_body)
    "mov $8, %esi\n"
    LABEL(compares_call)
    "call k_strcmp\n"
    LABEL(compares_back)
    "test %eax, %eax\n"
    LABEL(compares_jump)
    "js 1f\n"
    "xor %eax, %eax\n"
    "ret\n"
    "1:\n"
    LABEL(compares_bad)
    "mov $-25, %eax\n"
    LABEL(compares_ret)
    "ret\n"
    END(compares)
    CALLEE(memset)
    CALLEE(__memset)
    CALLEE(memcmp)
    RETURNS(fills, memset)
    RETURNS(sets, __memset)
    RETURNS(matches, memcmp)
    CALLS(one, "1")
    CALLS(two, "2")
    CALLS(seven, "7")
    USER);
/* clang-format on */

#define EACH_FUNC(do)                                                                                 \
	do(STRUCTS, structs) do(NUMBERS, numbers) do(STRANGERS, strangers) do(UNMASKED, unmasked)     \
	do(HALVES, halves) do(EIGHTS, eights) do(ADDED, added) do(LONGEST, longest)                          \
	do(ONE, one) do(TWO, two) do(SEVEN, seven) do(READS_NAME, reads) do(COMPARES, compares) \
	do(ERRORS, errors) do(HALVES_OF, halves_of) do(OFFSETS_OF, offsets_of)                               \
	do(FILLS, fills) do(SETS, sets) do(MATCHES, matches)

#include "decision_play.h"

#define LONG_NAME "a_member_with_a_name_as_long_as_those_of_some_together"

static void add_function(struct btf *b, const char *name, int result, int parameter)
{
	int proto = btf__add_func_proto(b, result);

	btf__add_func_param(b, strcmp(name, "longest") ? "fd" : "descriptor", parameter);
	btf__add_func(b, name, BTF_FUNC_STATIC, proto);
}

/* @flags: struct fd has a second member. */
static struct kernel_btf *types_of_functions(bool flags)
{
	struct btf *b = btf__new_empty();
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	int u32 = btf__add_int(b, "unsigned int", 4, 0);
	int u64 = btf__add_int(b, "long unsigned int", 8, 0), fd, file, operations, handler, kind, name;
	struct kernel_btf *btf;

	fd = btf__add_struct(b, "fd", 8);
	btf__add_field(b, "word", flags ? u32 : u64, 0, 0);
	if (flags)
		btf__add_field(b, "flags", u32, 32, 0);
	handler = btf__add_ptr(b, btf__add_func_proto(b, i32));
	operations = btf__add_struct(b, "file_operations", 24);
	btf__add_field(b, "unlocked_ioctl", handler, 128, 0);
	operations = btf__add_ptr(b, operations);
	file = btf__add_struct(b, "file", 24);
	btf__add_field(b, "f_op", operations, 64, 0);
	btf__add_field(b, LONG_NAME, file + 1, 128, 0);
	btf__add_ptr(b, file);
	add_function(b, "fdget", fd, u32);
	add_function(b, "__fdget_raw", u64, u32);
	kind = btf__add_enum(b, "kind", 4);
	btf__add_enum_value(b, "FIRST", 1);
	btf__add_enum_value(b, "SECOND", 2);
	btf__add_enum_value(b, "LAST", 2);
	add_function(b, "word", u64, kind);
	name = btf__add_func_proto(b, btf__add_ptr(b, btf__add_int(b, "char", 1, BTF_INT_SIGNED)));
	btf__add_func_param(b, "which", i32);
	btf__add_func_param(b, "flags", i32);
	btf__add_func(b, "name_of", BTF_FUNC_STATIC, name);
	name = btf__add_func_proto(b, i32);
	btf__add_func_param(b, "s1", u64);
	btf__add_func_param(b, "s2", u64);
	btf__add_func(b, "strcasecmp", BTF_FUNC_STATIC, name);
	for (int i = 0; i < NR_FUNCS; i++)
		add_function(b, func_names[i], i32, u32);
	return kernel_btf_from(b, &btf) ? NULL : btf;
}

/* What is said of a function that calls another one, and fails by what that returned. */
#define EXPECT_BY(name, func, call, callee, expected)                 \
	do {                                                          \
		self->nr = 0;                                         \
		CALLED(name##_body);                                  \
		TOOK(call, callee);                                   \
		TOOK(callee, name##_back);                            \
		TOOK(name##_jump, name##_bad);                        \
		RETURNED(name##_ret);                                 \
		decided(self, func, -ENOTTY);                         \
		EXPECT_STREQ(expected, self->condition.text ?: "");   \
	} while (0)
#define EXPECT_TEXT(name, func, callee, expected) EXPECT_BY(name, func, name##_body, callee, expected)
#define EXPECT_CALL(name, func, expected) EXPECT_BY(name, func, name##_call, word, expected)

TEST_F(decision, a_file_is_the_result_of_fdget_without_its_flags)
{
	self->btf = types_of_functions(false);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(structs, STRUCTS, fdget, "fd_file(fdget(fd))->f_op->unlocked_ioctl == NULL");
	EXPECT_TEXT(numbers, NUMBERS, __fdget_raw, "fdget_raw(fd).file->f_op->unlocked_ioctl == NULL");
	EXPECT_TEXT(strangers, STRANGERS, word, "rax == 0");
	EXPECT_TEXT(unmasked, UNMASKED, fdget, "rax == 0");
	EXPECT_TEXT(halves, HALVES, fdget, "rax == 0");
	EXPECT_TEXT(eights, EIGHTS, fdget, "rax == 0");
	EXPECT_TEXT(added, ADDED, fdget, "rax == 0");
	kernel_btf_free(self->btf);
}

TEST_F(decision, arguments_are_left_out_where_a_name_is_too_long)
{
	self->btf = types_of_functions(false);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(longest, LONGEST, fdget, "fd_file(fdget(...))->" LONG_NAME "->f_op->unlocked_ioctl == NULL");
	kernel_btf_free(self->btf);
}

TEST_F(decision, functions_in_assembly_have_the_prototypes_of_others)
{
	self->btf = types_of_functions(false);
	ASSERT_NE(NULL, self->btf);
	EXPECT_BY(compares, COMPARES, compares_call, strcmp, "strcmp(fd, 8) < 0");
	EXPECT_TRUE(self->condition.a.is_signed);
	kernel_btf_free(self->btf);
}

TEST_F(decision, memset_returns_what_it_was_passed)
{
	self->btf = types_of_functions(false);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(fills, FILLS, memset, "fd == 5");
	/* As on arm64, where one address has several names. */
	EXPECT_TEXT(sets, SETS, __memset, "fd == 5");
	EXPECT_TEXT(matches, MATCHES, memcmp, "memcmp() == 5");
	kernel_btf_free(self->btf);
}

TEST_F(decision, the_value_of_an_enum_has_its_name)
{
	self->btf = types_of_functions(false);
	ASSERT_NE(NULL, self->btf);
	EXPECT_CALL(one, ONE, "word(FIRST) == 0");
	/* Two have it; none has it. */
	EXPECT_CALL(two, TWO, "word(2) == 0");
	EXPECT_CALL(seven, SEVEN, "word(7) == 0");
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_letter_that_a_call_with_two_arguments_leads_to)
{
	self->btf = types_of_functions(false);
	ASSERT_NE(NULL, self->btf);
	EXPECT_BY(reads, READS_NAME, reads_call, name_of, "*name_of(1, 2) == '\\0'");
	kernel_btf_free(self->btf);
}

TEST_F(decision, half_of_a_pointer_is_an_error_if_it_is_compared_with_one)
{
	self->btf = types_of_functions(false);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(errors, ERRORS, name_of, "PTR_ERR(name_of(fd, ...)) == -EEXIST");
	EXPECT_TEXT(halves_of, HALVES_OF, name_of, "(u32)rbx == 17");
	EXPECT_TEXT(offsets_of, OFFSETS_OF, name_of, "(u32)rbx == 17");
	kernel_btf_free(self->btf);
}

TEST_F(decision, another_struct_of_that_name_is_no_file)
{
	self->btf = types_of_functions(true);
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(structs, STRUCTS, fdget, "rax == 0");
	kernel_btf_free(self->btf);
}

#endif

TEST_HARNESS_MAIN
