// SPDX-License-Identifier: BSD-2-Clause
/* Which x86-64 instructions are branches, and where to. */
#include <errno.h>

#include "util/kernel/code/instruction.h"
#include "util/kernel/code/instruction_internal.h"

static enum branch_kind kind_of_group5(const struct x86_insn *insn)
{
	switch (insn->digit) {
	case 2:
		return BRANCH_INDIRECT_CALL;
	case 4:
		return BRANCH_INDIRECT_JUMP;
	case 3:
	case 5:
		return BRANCH_SYSTEM; /* far: another code segment */
	default:
		return BRANCH_NONE;
	}
}

static enum branch_kind kind_of_one_byte(const struct x86_insn *insn)
{
	switch (insn->op) {
	case 0x70 ... 0x7f:
	case 0xe0 ... 0xe3:
		return BRANCH_CONDITIONAL;
	case 0xe8:
		return BRANCH_CALL;
	case 0xe9:
	case 0xeb:
		return BRANCH_JUMP;
	case 0xc2 ... 0xc3:
		return BRANCH_RETURN;
	case 0xff:
		return kind_of_group5(insn);
	case 0xca ... 0xcd: /* far return, int3, int */
	case 0xcf: /* iret */
	case 0xf1: /* int1 */
		return BRANCH_SYSTEM;
	default:
		return BRANCH_NONE;
	}
}

static enum branch_kind kind_of_two_bytes(const struct x86_insn *insn)
{
	switch (insn->op) {
	case 0x80 ... 0x8f:
		return BRANCH_CONDITIONAL;
	case 0x05: /* syscall */
	case 0x07: /* sysret */
	case 0x0b: /* ud2 */
	case 0x34 ... 0x35: /* sysenter, sysexit */
	case 0xb9: /* ud1 */
	case 0xff: /* ud0 */
		return BRANCH_SYSTEM;
	case 0x01:
		/* eretu, erets: with a prefix what is clac without. */
		return insn->repeat && insn->mod == 3 && insn->digit == 1 && (insn->rm & 7) == 2 ?
			       BRANCH_SYSTEM :
			       BRANCH_NONE;
	default:
		return BRANCH_NONE;
	}
}

int x86_branch(const uint8_t *code, size_t size, uint64_t at, struct branch_insn *ret_insn)
{
	struct branch_insn branch = { .kind = BRANCH_NONE };
	struct x86_insn insn;

	if (x86_parse(code, size, &insn))
		return -EINVAL;
	branch.length = insn.length;
	if (insn.map == X86_MAP_ONE)
		branch.kind = kind_of_one_byte(&insn);
	else if (insn.map == X86_MAP_0F)
		branch.kind = kind_of_two_bytes(&insn);
	if (branch.kind == BRANCH_CONDITIONAL || branch.kind == BRANCH_JUMP ||
	    branch.kind == BRANCH_CALL)
		branch.target = at + insn.length + insn.immediate;
	*ret_insn = branch;
	return 0;
}

int branch_decode(const uint8_t *code, size_t size, uint64_t at, struct branch_insn *ret_insn)
{
#if defined(__x86_64__)
	return x86_branch(code, size, at, ret_insn);
#else
	return -EOPNOTSUPP;
#endif
}
