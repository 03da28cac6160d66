// SPDX-License-Identifier: BSD-2-Clause
/*
 * Code that x86 kernels patched against bugs of CPUs: calls that lead to the padding before a function, where they are
 * counted (call depth tracking), thunks without a name (indirect target selection), and indirect jumps in place of
 * jumps to thunks (enhanced IBRS).
 */
#include <errno.h>

#include "unit.h"

#if defined(__x86_64__)

#include "decision_fixture.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/code/routine.h"
#include "util/why/way/block_graph.h"

/* sarq $5,%gs:ADDRESS, relative to rip; and absolute, as up to 6.8 */
#define COUNTED ".byte 0x65, 0x48, 0xc1, 0x3d, 0x11, 0x22, 0x33, 0x44, 5\n"
#define COUNTED_ABSOLUTE ".byte 0x65, 0x48, 0xc1, 0x3c, 0x25, 0x11, 0x22, 0x33, 0x44, 5\n"

/* clang-format off */
asm(KERNEL
    /* As symbols are: each lasts until the next one. */
    FUNC(passes)
	ENTRY
    LABEL(passes_body)
	"push %rbx\n"
	"mov %rdx, %rcx\n"
	"mov $-22, %eax\n"
    LABEL(passes_call)
	"call k_counted_put\n"
    LABEL(passes_after)
	"test %ecx, %ecx\n"
    LABEL(passes_je)
	"je k_passes_out\n"
	"mov %ecx, %eax\n"
    LABEL(passes_out)
	"pop %rbx\n"
    LABEL(passes_ret)
	"ret\n"
	".p2align 4, 0x90\n"
	".fill 7, 1, 0x90\n"
    LABEL(counted_put)
	COUNTED
    END(passes)
    FUNC(__put_user_4)
	"mov $-14, %ecx\n"
    LABEL(put_ret)
	"ret\n"
	".p2align 4, 0x90\n"
	".fill 6, 1, 0x90\n"
    LABEL(counted_absolute)
	COUNTED_ABSOLUTE
    END(__put_user_4)
    FUNC(absolute)
	"ret\n"
	".fill 15, 1, 0x90\n"
    LABEL(thunk_rax)
	"jmp *%rax\n"
	".fill 14, 1, 0xcc\n"
    LABEL(thunk_r11)
	"jmp *%r11\n"
	".fill 13, 1, 0xcc\n"
    LABEL(calls_rax)
	"call *%rax\n"
	".fill 14, 1, 0xcc\n"
    END(absolute)
    FUNC(__x86_indirect_call_thunk_rax)
	COUNTED
	"jmp *%rax\n"
    END(__x86_indirect_call_thunk_rax)
    FUNC(points)
	ENTRY
    LABEL(points_call)
	"call k___x86_indirect_call_thunk_rax\n"
	"ret\n"
    END(points)
    FUNC(hands_on)
	ENTRY
	"test %rdi, %rdi\n"
	"je k_hands_on_bad\n"
    LABEL(hands_on_jmp)
	"jmp *%rax\n"
    LABEL(hands_on_bad)
	"mov $-22, %eax\n"
	"ret\n"
    END(hands_on)
    USER);
/* clang-format on */

enum { PASSES, NR_FUNCS };
static const char *const func_names[] = { "passes" };
#include "decision_play.h"

/* A routine that keeps other registers, and has its result in rcx. */
TEST_F(decision, a_counted_call_is_one_of_the_function_that_follows)
{
	CALLED(passes_body);
	TOOK(passes_call, counted_put);
	TOOK(put_ret, passes_after);
	RETURNED(passes_ret);
	decided(self, PASSES, -EFAULT);
	EXPECT_EQ(DECISION_CALLEE, self->decision.kind);
	ASSERT_EQ(1u, self->decision.callees.len);
	EXPECT_STREQ("__put_user_4", self->decision.callees.data[0].name);
}

TEST(where_the_calls_of_a_function_lead)
{
	bool readable = true;
	const struct code_source source = { read_test_code, &readable };

	EXPECT_EQ(AT(counted_put), code_called_at(&source, AT(__put_user_4)));
	EXPECT_EQ(AT(__put_user_4), code_call_target(&source, AT(counted_put)));
	EXPECT_EQ(AT(counted_absolute), code_called_at(&source, AT(absolute)));
	EXPECT_EQ(AT(absolute), code_call_target(&source, AT(counted_absolute)));
	EXPECT_EQ(AT(passes_after), code_called_at(&source, AT(passes_after)));
	EXPECT_EQ(AT(passes_after), code_call_target(&source, AT(passes_after)));
	readable = false;
	EXPECT_EQ(AT(__put_user_4), code_called_at(&source, AT(__put_user_4)));
}

static int number_of(const char *name)
{
	int reg = 0;

	while (strcmp(name, code_register_name(reg)))
		reg++;
	return reg;
}

TEST(registers_that_thunks_jump_through)
{
	bool readable = true;
	const struct code_source source = { read_test_code, &readable };

	EXPECT_EQ(number_of("rax"), code_thunk_register(&source, AT(thunk_rax)));
	EXPECT_EQ(number_of("r11"), code_thunk_register(&source, AT(thunk_r11)));
	EXPECT_EQ(-1, code_thunk_register(&source, AT(calls_rax)));
	EXPECT_EQ(-1, code_thunk_register(&source, AT(absolute)));
	EXPECT_EQ(-1, code_thunk_register(&source, 0));
	EXPECT_EQ(number_of("r11"), thunk_register("__x86_indirect_thunk_r11"));
	EXPECT_EQ(number_of("r11"), thunk_register("__x86_indirect_call_thunk_r11"));
	EXPECT_EQ(number_of("rax"), thunk_register("__x86_indirect_jump_thunk_rax"));
	EXPECT_EQ(number_of("rax"), thunk_register("__x86_indirect_its_thunk_rax"));
	EXPECT_EQ(-1, thunk_register("__x86_return_thunk"));
}

TEST(a_thunk_that_counts_calls_is_still_the_thunk)
{
	bool readable = true;
	const struct code_source source = { read_test_code, &readable };
	struct symbolizer symbolizer = {};
	struct code_reader reader;
	struct branch_insn insn;

	code_reader_init(&reader, &symbolizer, &source);
	ASSERT_EQ(0, code_branch(&reader, AT(points_call), &insn));
	EXPECT_EQ(AT(__x86_indirect_call_thunk_rax), insn.target);
	code_reader_release(&reader);
}

/* As with enhanced IBRS: it was a jump to a thunk, and is no jump by a table. */
TEST(an_indirect_jump_is_a_tail_call_where_there_are_no_tables)
{
	bool readable = true;
	const struct code_source source = { read_test_code, &readable };
	const struct code_function function = { AT(hands_on), AT(hands_on_bad) + 6 - AT(hands_on), "hands_on" };
	struct symbolizer symbolizer = {};
	struct code_reader reader;
	struct block_graph graph = {};
	struct branch_insn insn;

	code_reader_init(&reader, &symbolizer, &source);
	ASSERT_EQ(0, block_graph_build(&reader, &function, NULL, &graph));
	EXPECT_TRUE(graph.has_tables);
	block_graph_release(&graph);
	code_reader_release(&reader);

	code_reader_init(&reader, &symbolizer, &source);
	reader.pointer_thunk = AT(thunk_rax);
	graph = (struct block_graph){};
	ASSERT_EQ(0, block_graph_build(&reader, &function, NULL, &graph));
	EXPECT_FALSE(graph.has_tables);
	ASSERT_EQ(0, code_branch(&reader, AT(hands_on_jmp), &insn));
	EXPECT_EQ(BRANCH_JUMP, insn.kind);
	EXPECT_EQ(AT(thunk_rax), insn.target);
	block_graph_release(&graph);
	code_reader_release(&reader);
}

#endif

TEST_HARNESS_MAIN
