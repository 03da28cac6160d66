// SPDX-License-Identifier: BSD-2-Clause
/*
 * Instructions of riscv, which are read here on any machine: their sizes, and where they lead. What reads
 * them is built into this test, in place of what is for this machine.
 */
#include <errno.h>

#include "unit.h"

#include "util/base/macros.h"
#include "util/kernel/arch/riscv/code.c"
#include "util/kernel/arch/riscv/instruction.c"
#include "util/kernel/arch/riscv/operands.c"
#include "util/kernel/arch/riscv/routines.c"

#define AT 0xffffffff80010000ull

/* As the GNU assembler has them. */
static const struct {
	uint32_t word;
	const char *text;
	uint8_t length;
	enum branch_kind kind;
	int64_t to;
} insns[] = {
	{ 0x00b50a63, "beq a0, a1", 4, BRANCH_CONDITIONAL, 0x14 },
	{ 0xf965, "c.bnez a0", 2, BRANCH_CONDITIONAL, -0x10 },
	{ 0x001000ef, "jal ra", 4, BRANCH_CALL, 0x800 },
	{ 0xfe1ff06f, "j", 4, BRANCH_JUMP, -0x20 },
	{ 0x004780e7, "jalr 4(a5)", 4, BRANCH_INDIRECT_CALL, 0 },
	{ 0x00078067, "jr a5", 4, BRANCH_INDIRECT_JUMP, 0 },
	{ 0x00008067, "ret", 4, BRANCH_RETURN, 0 },
	{ 0x8082, "c.jr ra", 2, BRANCH_RETURN, 0 },
	{ 0x00001297, "auipc t0, 1", 4, BRANCH_NONE, 0 },
	{ 0x000282e7, "jalr t0, t0", 4, BRANCH_INDIRECT_CALL, 0 },
	{ 0x00000073, "ecall", 4, BRANCH_SYSTEM, 0 },
	{ 0x10200073, "sret", 4, BRANCH_SYSTEM, 0 },
	{ 0x10500073, "wfi", 4, BRANCH_NONE, 0 },
	{ 0x12000073, "sfence.vma", 4, BRANCH_NONE, 0 },
	{ 0x10002573, "csrr a0, sstatus", 4, BRANCH_NONE, 0 },
	{ 0x4588, "c.lw a0, 8(a1)", 2, BRANCH_NONE, 0 },
	{ 0xa801, "c.j", 2, BRANCH_JUMP, 0x10 },
	{ 0xbfed, "c.j", 2, BRANCH_JUMP, -6 },
	{ 0xc105, "c.beqz a0", 2, BRANCH_CONDITIONAL, 0x20 },
	{ 0xfde5, "c.bnez a1", 2, BRANCH_CONDITIONAL, -8 },
	{ 0x8782, "c.jr a5", 2, BRANCH_INDIRECT_JUMP, 0 },
	{ 0x9782, "c.jalr a5", 2, BRANCH_INDIRECT_CALL, 0 },
	{ 0x9002, "c.ebreak", 2, BRANCH_SYSTEM, 0 },
	{ 0x1101, "c.addi sp, -32", 2, BRANCH_NONE, 0 },
	{ 0x852e, "c.mv a0, a1", 2, BRANCH_NONE, 0 },
	{ 0x00100073, "ebreak", 4, BRANCH_SYSTEM, 0 },
};

TEST(instructions_have_their_size_and_lead_where_they_do)
{
	for (size_t i = 0; i < ARRAY_SIZE(insns); i++) {
		const uint32_t word = insns[i].word;
		struct insn insn;

		ASSERT_EQ(0, insn_decode((const uint8_t *)&word, insns[i].length, AT, &insn));
		EXPECT_EQ(insns[i].length, insn.branch.length)
		{
			TH_LOG("%s", insns[i].text);
		}
		EXPECT_EQ(insns[i].kind, insn.branch.kind)
		{
			TH_LOG("%s", insns[i].text);
		}
		EXPECT_EQ(insns[i].to ? AT + insns[i].to : 0, insn.branch.target)
		{
			TH_LOG("%s", insns[i].text);
		}
		EXPECT_EQ(-EINVAL,
			  insn_decode((const uint8_t *)&word, insns[i].length - 1, AT, &insn));
	}
}

TEST(what_no_kernel_has_is_refused)
{
	const uint32_t none = 0, longer = 0x1f;
	struct insn insn;

	EXPECT_EQ(-EINVAL, insn_decode((const uint8_t *)&none, 4, AT, &insn));
	EXPECT_EQ(-EINVAL, insn_decode((const uint8_t *)&longer, 4, AT, &insn));
}

TEST(each_register_has_a_name_and_a_place)
{
	uint32_t seen = 0;

	for (uint32_t n = 1; n < 32; n++) {
		int reg = riscv_x(n);

		ASSERT_LT(reg, NR_REGISTERS);
		seen |= REG_BIT(reg);
		EXPECT_EQ((int)n * 8, code_saved_at(reg));
	}
	EXPECT_EQ(31, __builtin_popcount(seen));
	EXPECT_STREQ("sp", code_register_name(REG_STACK));
	EXPECT_STREQ("s0", code_register_name(REG_FRAME));
	EXPECT_STREQ("a0", code_register_name(REG_RESULT));
	EXPECT_EQ(NULL, code_register_name(NR_REGISTERS));
	EXPECT_STREQ("a7", code_register_name(operands_parameter(7)));
	EXPECT_EQ(-1, operands_parameter(8));
	EXPECT_EQ(0, code_syscall_argument(280));
	EXPECT_EQ(1, code_syscall_argument(88));
	EXPECT_EQ(5, code_syscall_argument(120));
	EXPECT_EQ(-1, code_syscall_argument(80));
	EXPECT_EQ(-1, code_syscall_argument(128));
}

TEST(tracing_has_eight_bytes_at_the_entry)
{
	static const uint16_t nops[] = { 1, 1, 1, 1, 0x1101 };
	static const uint32_t traced[] = { 0x00001297, 0x000282e7 }, own[] = { 0x00b50a63, 1 };

	EXPECT_EQ(8, code_entry_size((const uint8_t *)nops, sizeof(nops)));
	EXPECT_EQ(0, code_entry_size((const uint8_t *)(nops + 1), 8));
	EXPECT_EQ(8, code_entry_size((const uint8_t *)traced, sizeof(traced)));
	EXPECT_EQ(0, code_entry_size((const uint8_t *)own, sizeof(own)));
}

TEST(what_only_other_cpus_have_is_not_there)
{
	static const uint8_t code[16] = { 0x82, 0x90 }; /* c.jalr ra */
	const struct branch_insn call = { .kind = BRANCH_CALL, .length = 8 };
	struct jump_table table;
	uint64_t target;

	EXPECT_EQ(-1, code_call_register(code, sizeof(code)));
	EXPECT_FALSE(code_breaks_kprobe(&call));
	EXPECT_FALSE(code_takes_no_kprobe(code, 0, false));
	EXPECT_FALSE(code_is_retry(code, 0));
	EXPECT_EQ(0, code_made_constant(code, sizeof(code), AT, 0));
	EXPECT_EQ(sizeof(code), code_find_number(code, sizeof(code), 0, -22));
	EXPECT_EQ(sizeof(code), code_find_call(code, sizeof(code), AT, 0, &target));
	EXPECT_EQ(sizeof(code), code_find_pointer_jump(code, sizeof(code), AT, 0, &target));
	EXPECT_FALSE(code_jump_table(code, sizeof(code), AT, 0, &table));
	EXPECT_FALSE(code_is_type_check(code, sizeof(code)));
	EXPECT_EQ(NO_THUNK, thunk_kind("__x86_indirect_thunk_rax", NULL));
	EXPECT_EQ(-1, thunk_register("__x86_indirect_thunk_rax"));
	EXPECT_EQ(NULL, asm_routine_by_name("__get_user_8"));
}

TEST_HARNESS_MAIN
