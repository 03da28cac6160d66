// SPDX-License-Identifier: BSD-2-Clause
/*
 * Where instructions of riscv begin and lead (RISC-V Instruction Set Manual, RV64GC). What they do to
 * registers is not followed: only `why` asks for that.
 */
#include "util/kernel/code/instruction.h"

#include <errno.h>

#include "util/kernel/arch/riscv/registers.h"

static uint32_t bits(uint32_t word, int high, int low)
{
	return word >> low & (~0u >> (31 - (high - low)));
}

static int64_t sign_of(uint32_t value, int nr)
{
	return (int64_t)((uint64_t)value << (64 - nr)) >> (64 - nr);
}

static bool is_link(uint32_t reg)
{
	return reg == RISCV_RA || reg == RISCV_T0;
}

/* jalr, jr: by what they keep and what they go to. */
static enum branch_kind jalr_kind(uint32_t keeps, uint32_t to)
{
	if (is_link(keeps))
		return BRANCH_INDIRECT_CALL;
	return is_link(to) ? BRANCH_RETURN : BRANCH_INDIRECT_JUMP;
}

static void decode_whole(uint32_t word, uint64_t at, struct branch_insn *insn)
{
	uint32_t rd = bits(word, 11, 7), rs1 = bits(word, 19, 15);

	switch (bits(word, 6, 0)) {
	case 0x63:
		insn->kind = BRANCH_CONDITIONAL;
		insn->target = at + sign_of(bits(word, 31, 31) << 12 | bits(word, 7, 7) << 11 |
						    bits(word, 30, 25) << 5 | bits(word, 11, 8) << 1,
					    13);
		break;
	case 0x6f:
		insn->kind = is_link(rd) ? BRANCH_CALL : BRANCH_JUMP;
		insn->target = at + sign_of(bits(word, 31, 31) << 20 | bits(word, 19, 12) << 12 |
						    bits(word, 20, 20) << 11 |
						    bits(word, 30, 21) << 1,
					    21);
		break;
	case 0x67:
		insn->kind = jalr_kind(rd, rs1);
		break;
	case 0x73: /* ecall, ebreak, sret; not those on control registers */
		if (!bits(word, 14, 12) && !rd && word >> 25 != 0x09 && word != 0x10500073)
			insn->kind = BRANCH_SYSTEM;
		break;
	}
}

static void decode_compressed(uint32_t half, uint64_t at, struct branch_insn *insn)
{
	uint32_t group = bits(half, 1, 0) << 3 | bits(half, 15, 13), reg = bits(half, 11, 7);

	switch (group) {
	case 8 + 5: /* c.j */
		insn->kind = BRANCH_JUMP;
		insn->target = at + sign_of(bits(half, 12, 12) << 11 | bits(half, 8, 8) << 10 |
						    bits(half, 10, 9) << 8 | bits(half, 6, 6) << 7 |
						    bits(half, 7, 7) << 6 | bits(half, 2, 2) << 5 |
						    bits(half, 11, 11) << 4 | bits(half, 5, 3) << 1,
					    12);
		break;
	case 8 + 6: /* c.beqz, c.bnez */
	case 8 + 7:
		insn->kind = BRANCH_CONDITIONAL;
		insn->target = at + sign_of(bits(half, 12, 12) << 8 | bits(half, 6, 5) << 6 |
						    bits(half, 2, 2) << 5 | bits(half, 11, 10) << 3 |
						    bits(half, 4, 3) << 1,
					    9);
		break;
	case 16 + 4: /* c.jr, c.jalr, c.ebreak */
		if (bits(half, 6, 2))
			break;
		if (!reg)
			insn->kind = BRANCH_SYSTEM;
		else
			insn->kind = jalr_kind(bits(half, 12, 12) ? RISCV_RA : 0, reg);
		break;
	}
}

int insn_decode(const uint8_t *code, size_t size, uint64_t at, struct insn *ret_insn)
{
	uint32_t word;

	*ret_insn = (struct insn){};
	if (size < 2)
		return -EINVAL;
	word = code[0] | code[1] << 8;
	/* All zeros is no instruction; five ones begin a longer one, of which kernels have none. */
	if (!word || bits(word, 4, 0) == 0x1f)
		return -EINVAL;
	if (bits(word, 1, 0) != 3) {
		ret_insn->branch.length = 2;
		decode_compressed(word, at, &ret_insn->branch);
		return 0;
	}
	if (size < 4)
		return -EINVAL;
	word |= code[2] << 16 | (uint32_t)code[3] << 24;
	ret_insn->branch.length = 4;
	decode_whole(word, at, &ret_insn->branch);
	return 0;
}
