// SPDX-License-Identifier: BSD-2-Clause
/* Parts of an instruction, for callers that need no more. */
#include "util/kernel/code/instruction.h"

int branch_decode(const uint8_t *code, size_t size, uint64_t at, struct branch_insn *ret_insn)
{
	struct insn insn;
	int err = insn_decode(code, size, at, &insn);

	if (!err)
		*ret_insn = insn.branch;
	return err;
}

size_t instruction_length(const uint8_t *code, size_t size)
{
	struct insn insn;

	return insn_decode(code, size, 0, &insn) ? 0 : insn.branch.length;
}
