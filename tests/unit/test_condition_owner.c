// SPDX-License-Identifier: BSD-2-Clause
/* Objects that an operand is a member of, and where their addresses are when it is compared. */
#include <bpf/btf.h>

#include "decision_fixture.h"
#include "decision_tests.h"
#include "util/kernel/code/operands.h"
#include "util/kernel/types/btf.h"

#if defined(__x86_64__)

#define TEST_EAX "test $0x700000, %eax"
#define LOAD "mov 8(%rdi), %eax\n"

/* clang-format off */
asm(KERNEL
    TESTS(in_memory, "testl $0x700000, 8(%rdi)", "je")
    TESTS(loaded, LOAD "and $0x700000, %eax", "je")
    TESTS(copied, "mov %rdi, %rdx\n" LOAD "xor %edi, %edi\n" TEST_EAX, "je")
    TESTS(of_copy, "mov %rdi, %rdx\n" "mov 8(%rdx), %eax\n" "xor %edx, %edx\n" TEST_EAX, "je")
    TESTS(half_copied, "mov %edi, %edx\n" LOAD "xor %edi, %edi\n" TEST_EAX, "je")
    TESTS(both_gone, "mov %rdi, %rdx\n" LOAD "xor %edi, %edi\n" "xor %edx, %edx\n" TEST_EAX, "je")
    TESTS(gone, LOAD "xor %edi, %edi\n" TEST_EAX, "je")
    TESTS(replaced, "mov 8(%rdi), %edi\n" "test $0x700000, %edi", "je")
    TESTS(inside, "add $8, %rdi\n" "mov (%rdi), %eax\n" TEST_EAX, "je")
    TESTS(deeper, "mov 8(%rsi), %rax\n" "testl $0x700000, 8(%rax)", "je")
    TESTS(nameless, "cmpq $0, 8(%rsi)", "je")
    USER);
/* clang-format on */

#define EACH_FUNC(do)                                                                                       \
	do(IN_MEMORY, in_memory) do(LOADED, loaded) do(COPIED, copied) do(OF_COPY, of_copy)                 \
	do(HALF_COPIED, half_copied) do(BOTH_GONE, both_gone) do(GONE, gone) do(REPLACED, replaced)         \
	do(INSIDE, inside) do(DEEPER, deeper) do(NAMELESS, nameless)

#include "decision_play.h"

/* int NAME(struct dentry *dentry, struct holder *holder) */
static struct kernel_btf *types_of_functions(void)
{
	struct btf *b = btf__new_empty();
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED), u32 = btf__add_int(b, "unsigned int", 4, 0);
	int text = btf__add_ptr(b, btf__add_int(b, "char", 1, BTF_INT_SIGNED)), qstr, dentry, holder;
	struct kernel_btf *btf;

	qstr = btf__add_struct(b, "qstr", 16);
	btf__add_field(b, "name", text, 64, 0);
	dentry = btf__add_struct(b, "dentry", 48);
	btf__add_field(b, "d_flags", u32, 64, 0);
	btf__add_field(b, "d_name", qstr, 32 * 8, 0);
	dentry = btf__add_ptr(b, dentry);
	holder = btf__add_struct(b, "holder", 16);
	btf__add_field(b, "dentry", dentry, 64, 0);
	holder = btf__add_ptr(b, holder);
	for (int i = 0; i < NR_FUNCS; i++) {
		int proto = btf__add_func_proto(b, i32);

		btf__add_func_param(b, "dentry", dentry);
		btf__add_func_param(b, "holder", holder);
		btf__add_func(b, func_names[i], BTF_FUNC_STATIC, proto);
	}
	return kernel_btf_from(b, &btf) ? NULL : btf;
}

#define EXPECT_OWNER(expected, reg_, at)                                   \
	do {                                                               \
		const struct decision_owner *owner = &self->condition.a.owner; \
									   \
		EXPECT_STREQ(expected, owner->name ?: "");                 \
		EXPECT_EQ(reg_, owner->reg);                               \
		EXPECT_EQ(2, owner->name_at.nr_steps);                     \
		EXPECT_EQ(at, owner->name_at.steps[0]);                    \
		EXPECT_EQ(40 - (at), owner->offset);                       \
	} while (0)

TEST_F(decision, the_object_of_a_member_that_was_tested)
{
	const int first = operands_parameter(0), third = operands_parameter(2);

	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(in_memory, IN_MEMORY, "!(dentry->d_flags & 0x700000) (no such file)");
	EXPECT_OWNER("dentry", first, 40);
	EXPECT_TEXT(loaded, LOADED, "!(dentry->d_flags & 0x700000) (no such file)");
	EXPECT_OWNER("dentry", first, 40);
	EXPECT_TEXT(copied, COPIED, "!(dentry->d_flags & 0x700000) (no such file)");
	EXPECT_OWNER("dentry", third, 40);
	EXPECT_TEXT(of_copy, OF_COPY, "!(dentry->d_flags & 0x700000) (no such file)");
	EXPECT_OWNER("dentry", first, 40);
	EXPECT_TEXT(inside, INSIDE, "!(dentry->d_flags & 0x700000) (no such file)");
	EXPECT_OWNER("dentry", first, 32);
	EXPECT_TEXT(deeper, DEEPER, "!(holder->dentry->d_flags & 0x700000) (no such file)");
	EXPECT_OWNER("holder->dentry", REG_RESULT, 40);
	kernel_btf_free(self->btf);
}

TEST_F(decision, an_object_that_no_register_has_any_more)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(gone, GONE, "!(dentry->d_flags & 0x700000) (no such file)");
	EXPECT_EQ(NULL, self->condition.a.owner.name);
	EXPECT_TEXT(replaced, REPLACED, "!(dentry->d_flags & 0x700000) (no such file)");
	EXPECT_EQ(NULL, self->condition.a.owner.name);
	EXPECT_TEXT(half_copied, HALF_COPIED, "!(dentry->d_flags & 0x700000) (no such file)");
	EXPECT_EQ(NULL, self->condition.a.owner.name);
	EXPECT_TEXT(both_gone, BOTH_GONE, "!(dentry->d_flags & 0x700000) (no such file)");
	EXPECT_EQ(NULL, self->condition.a.owner.name);
	kernel_btf_free(self->btf);
}

TEST_F(decision, an_object_of_a_type_without_names)
{
	self->btf = types_of_functions();
	ASSERT_NE(NULL, self->btf);
	EXPECT_TEXT(nameless, NAMELESS, "holder->dentry == NULL");
	EXPECT_EQ(NULL, self->condition.a.owner.name);
	EXPECT_EQ(2, self->condition.a.name_at.nr_steps);
	kernel_btf_free(self->btf);
}

#endif

TEST_HARNESS_MAIN
