// SPDX-License-Identifier: BSD-2-Clause
/* Finds the registers of calls through pointers. */
#include "util/why/pointer_call.h"

#include <string.h>

#include "util/kernel/code/machine_code.h"
#include "util/kernel/code/routine.h"
#include "util/kernel/symbols/symbols.h"

/* Each thunk has a name of its own; the first one also has the name of the whole array. */
static int by_thunk(const struct code_source *source, const struct symbols *symbols, uint64_t target)
{
	const struct symbol *first = NULL;
	size_t nr = symbols_aliases(symbols, target, &first);

	for (size_t i = 0; i < nr; i++) {
		int reg = thunk_register(first[i].name);

		if (reg >= 0)
			return reg;
	}
	return code_thunk_register(source, target);
}

int pointer_call_register(struct code_reader *reader, const struct symbols *symbols, uint64_t call)
{
	uint8_t code[INSN_MAX_LENGTH + 1] = {};
	struct branch_insn insn;
	int reg = -1;

	if (code_branch(reader, call, &insn))
		return -1;
	if (insn.kind != BRANCH_CALL && insn.kind != BRANCH_JUMP && insn.kind != BRANCH_INDIRECT_CALL &&
	    insn.kind != BRANCH_INDIRECT_JUMP)
		return -1;
	/* A jump that is shown as one to a thunk may be indirect. */
	if (reader->source && reader->source->read(reader->source->arg, call, code, insn.length) == insn.length)
		reg = code_call_register(code, insn.length);
	/* A jump at a function's end is a tail call. */
	if (reg < 0 && (insn.kind == BRANCH_CALL || insn.kind == BRANCH_JUMP))
		reg = by_thunk(reader->source, symbols, insn.target);
	return reg;
}

bool pointer_call_value(const uint8_t *regs, uint32_t size, int reg, uint64_t *ret_value)
{
	int at = code_saved_at(reg);

	if (at < 0 || at + sizeof(*ret_value) > size)
		return false;
	memcpy(ret_value, regs + at, sizeof(*ret_value));
	return true;
}
