// SPDX-License-Identifier: BSD-2-Clause
/* Constants that were compared, on either side, or chosen between. */
#include <bpf/btf.h>
#include <errno.h>

#include "decision_fixture.h"
#include "util/kernel/types/btf.h"

#if defined(__x86_64__)

/* if (5 < number) return -ENOENT; return 0; the constant is in a register */
#define LEFT(condition)                       \
	FUNC(left_##condition)                \
	ENTRY                                 \
	LABEL(left_##condition##_body)        \
	"mov $5, %ecx\n"                      \
	"cmp %esi, %ecx\n"                    \
	LABEL(left_##condition##_jump)        \
	"j" #condition " 1f\n"                \
	"xor %eax, %eax\n"                    \
	"ret\n"                               \
	"1:\n"                                \
	LABEL(left_##condition##_bad)         \
	"mov $-2, %eax\n"                     \
	LABEL(left_##condition##_ret)         \
	"ret\n"                               \
	END(left_##condition)

#define EACH_CONDITION(do) \
	do(e) do(ne) do(l) do(le) do(g) do(ge) do(b) do(be) do(a) do(ae)

/* if (*(u32 *)(box + OFFSET) & 4) return -ENOENT; return 0 */
#define BITS(name, offset)                    \
	FUNC(name)                            \
	ENTRY                                 \
	LABEL(name##_body)                    \
	"testl $4, " #offset "(%rdi)\n"       \
	LABEL(name##_jump)                    \
	"jne 1f\n"                            \
	"xor %eax, %eax\n"                    \
	"ret\n"                               \
	"1:\n"                                \
	LABEL(name##_bad)                     \
	"mov $-2, %eax\n"                     \
	LABEL(name##_ret)                     \
	"ret\n"                               \
	END(name)

/* clang-format off */
asm(KERNEL
    BITS(lower, 20)
    BITS(upper, 28)
    EACH_CONDITION(LEFT)
    /* err = EACCES; if (number) err = EACCES; return -err */
    FUNC(equal)
	ENTRY
    LABEL(equal_body)
	"mov $13, %eax\n"
	"mov $13, %ecx\n"
	"test %esi, %esi\n"
	"cmovne %ecx, %eax\n"
	"neg %eax\n"
    LABEL(equal_ret)
	"ret\n"
    END(equal)
    /*
     * do { freed = NULL; switch (number) { case 1: err = -ENOTEMPTY; ... case 3: err = -EBUSY } } while (freed):
     * the errors are in a table
     */
    FUNC(table)
	ENTRY
    LABEL(table_body)
	"push %rbx\n"
	"sub $16, %rsp\n"
    LABEL(table_again)
	"movq $0, 8(%rsp)\n"
	"sub $1, %esi\n"
	"cmp $2, %esi\n"
    LABEL(table_switch)
	"ja 2f\n"
	"mov -0x7d582990(, %rsi, 4), %ebx\n"
	"1: mov 8(%rsp), %rdi\n"
	"test %rdi, %rdi\n"
    LABEL(table_freed)
	"jne k_table_again\n"
    LABEL(table_out)
	"mov %ebx, %eax\n"
	"add $16, %rsp\n"
	"pop %rbx\n"
    LABEL(table_ret)
	"ret\n"
	"2: mov $-5, %ebx\n"
	"mov 8(%rdi), %rax\n"
	"mov %rax, 8(%rsp)\n"
	"jmp 1b\n"
    END(table)
    /* As blk_status_to_errno(): if (WARN_ON(number > 19)) return -EIO; return errors[number].err */
    FUNC(structs)
	ENTRY
    LABEL(structs_body)
	"cmp $19, %sil\n"
	"ja 1f\n"
	"movzbl %sil, %eax\n"
	"ja 2f\n"
	"lea (%rax, %rax, 2), %rax\n"
    LABEL(structs_read)
	"mov -0x7db359a0(, %rax, 8), %eax\n"
    LABEL(structs_ret)
	"ret\n"
	"1: ud2\n"
	"mov $-5, %eax\n"
	"ret\n"
	"2: mov (%rdi), %eax\n"
	"ret\n"
    END(structs)
    USER);
/* clang-format on */

#define ID(condition) LEFT_##condition,
#define NAME(condition) [LEFT_##condition] = "left_" #condition,

enum {
	EACH_CONDITION(ID)
	EQUAL,
	LOWER,
	UPPER,
	TABLE,
	STRUCTS,
	NR_FUNCS,
};

static const char *const func_names[NR_FUNCS] = {
	EACH_CONDITION(NAME)
	[EQUAL] = "equal", [LOWER] = "lower", [UPPER] = "upper", [TABLE] = "table",
	[STRUCTS] = "structs",
};

#include "decision_play.h"

/* int NAME(struct box *box, int number); struct box { long first; __int128 wide; } */
static struct kernel_btf *types_of_functions(void)
{
	struct btf *b = btf__new_empty();
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	int i64 = btf__add_int(b, "long int", 8, BTF_INT_SIGNED);
	int u128 = btf__add_int(b, "unsigned __int128", 16, 0), box;
	struct kernel_btf *btf;

	box = btf__add_struct(b, "box", 32);
	btf__add_field(b, "first", i64, 0, 0);
	btf__add_field(b, "wide", u128, 128, 0);
	box = btf__add_ptr(b, box);
	for (int i = 0; i < NR_FUNCS; i++) {
		int proto = btf__add_func_proto(b, i32);

		btf__add_func_param(b, "box", box);
		btf__add_func_param(b, "number", i32);
		btf__add_func(b, func_names[i], BTF_FUNC_STATIC, proto);
	}
	return kernel_btf_from(b, &btf) ? NULL : btf;
}

#define EXPECT_LEFT(jump, kind_, expected)                            \
	do {                                                          \
		self->nr = 0;                                         \
		CALLED(left_##jump##_body);                           \
		TOOK(left_##jump##_jump, left_##jump##_bad);          \
		RETURNED(left_##jump##_ret);                          \
		decided(self, LEFT_##jump, -ENOENT);                  \
		EXPECT_EQ(DECISION_TAKEN, self->decision.kind);       \
		EXPECT_EQ(CONDITION_##kind_,                          \
			  self->condition.condition);                 \
		EXPECT_STREQ(expected, self->condition.text);         \
	} while (0)

TEST_F(decision, a_constant_on_the_left_is_put_on_the_right)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_LEFT(e, EQUAL, "number == 5");
	EXPECT_LEFT(ne, NOT_EQUAL, "number != 5");
	EXPECT_LEFT(l, GREATER, "number > 5");
	EXPECT_LEFT(le, GREATER_EQUAL, "number >= 5");
	EXPECT_LEFT(g, LESS, "number < 5");
	EXPECT_LEFT(ge, LESS_EQUAL, "number <= 5");
	EXPECT_LEFT(b, ABOVE, "number > 5");
	EXPECT_LEFT(be, ABOVE_EQUAL, "number >= 5");
	EXPECT_LEFT(a, BELOW, "number < 5");
	EXPECT_LEFT(ae, BELOW_EQUAL, "number <= 5");
	kernel_btf_free(self->btf);
}

TEST_F(decision, a_move_between_equal_constants_chose_none)
{
	CALLED(equal_body);
	RETURNED(equal_ret);
	decided(self, EQUAL, -EACCES);
	EXPECT_EQ(DECISION_COMPUTED, self->decision.kind);
	EXPECT_FALSE(self->decision.settled_by_values);
}

#define EXPECT_BITS(name, func, expected)                             \
	do {                                                          \
		self->nr = 0;                                         \
		CALLED(name##_body);                                  \
		TOOK(name##_jump, name##_bad);                        \
		RETURNED(name##_ret);                                 \
		decided(self, func, -ENOENT);                         \
		EXPECT_EQ(DECISION_TAKEN, self->decision.kind);       \
		EXPECT_STREQ(expected, self->condition.text ?: "");   \
	} while (0)

/* A mask has 64 bits. */
TEST_F(decision, bits_above_64_of_a_member_are_not_named)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_BITS(lower, LOWER, "box->wide & 0x400000000");
	EXPECT_BITS(upper, UPPER, "");
	kernel_btf_free(self->btf);
}

/* Not the test of what had to be freed, whose other side is a loop. */
TEST_F(decision, an_error_from_a_table_is_decided_by_what_led_there)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	CALLED(table_body);
	RETURNED(table_ret);
	decided(self, TABLE, -EBUSY);
	EXPECT_EQ(DECISION_NOT_TAKEN, self->decision.kind);
	EXPECT_EQ(AT(table_switch), self->decision.from.addr);
	EXPECT_STREQ("number >= 1 && number <= 3", self->condition.text);
	EXPECT_FALSE(self->decision.likely);
	kernel_btf_free(self->btf);
}

TEST_F(decision, an_error_from_an_array_of_structs_was_not_decided_by_the_check_of_its_bounds)
{
	CALLED(structs_body);
	RETURNED(structs_ret);
	decided(self, STRUCTS, -ENOSPC);
	EXPECT_EQ(DECISION_READ, self->decision.kind);
	EXPECT_EQ(AT(structs_read), self->decision.from.addr);
	EXPECT_FALSE(self->decision.likely);
}

#endif

TEST_HARNESS_MAIN
