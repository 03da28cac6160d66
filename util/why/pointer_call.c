// SPDX-License-Identifier: BSD-2-Clause
/* Calls through pointers, as x86-64 and its kernels have them. */
#include "util/why/pointer_call.h"

#include <string.h>

#include "util/kernel/symbols/symbols.h"

#define NR_GENERAL 16
#define THUNK_PREFIX "__x86_indirect_thunk_"

static const struct {
	const char *name;
	uint16_t at;	/* in struct pt_regs */
} registers[NR_GENERAL] = {
	{ "rax", 80 }, { "rcx", 88 }, { "rdx", 96 }, { "rbx", 40 },
	{ "rsp", 152 }, { "rbp", 32 }, { "rsi", 104 }, { "rdi", 112 },
	{ "r8", 72 }, { "r9", 64 }, { "r10", 56 }, { "r11", 48 },
	{ "r12", 24 }, { "r13", 16 }, { "r14", 8 }, { "r15", 0 },
};

/* Each thunk has a name of its own; the first one has that of all of them, too. */
static int by_thunk(const struct symbols *symbols, uint64_t target)
{
	const struct symbol *first = NULL;
	size_t nr = symbols_aliases(symbols, target, &first);

	for (size_t i = 0; i < nr; i++) {
		if (strncmp(first[i].name, THUNK_PREFIX, strlen(THUNK_PREFIX)))
			continue;
		for (int r = 0; r < NR_GENERAL; r++) {
			if (!strcmp(first[i].name + strlen(THUNK_PREFIX), registers[r].name))
				return r;
		}
	}
	return -1;
}

int pointer_call_register(struct code_reader *reader, const struct symbols *symbols, uint64_t call)
{
	uint8_t code[16] = {};
	struct branch_insn insn;
	const uint8_t *p = code;
	int high = 0;

	if (code_branch(reader, call, &insn))
		return -1;
	if (insn.kind == BRANCH_CALL)
		return by_thunk(symbols, insn.target);
	if (insn.kind != BRANCH_INDIRECT_CALL || !reader->source ||
	    reader->source->read(reader->source->arg, call, code, insn.length) != insn.length)
		return -1;
	/* Prefixes of segments fill up the place of a longer call. */
	while (*p == 0x2e || *p == 0x3e)
		p++;
	if ((*p & 0xf0) == 0x40)
		high = (*p++ & 1) * 8;
	if (p[0] != 0xff || (p[1] & 0xf8) != 0xd0)
		return -1;
	return high + (p[1] & 7);
}

bool pointer_call_value(const uint8_t *regs, uint32_t size, int reg, uint64_t *ret_value)
{
	if (reg < 0 || reg >= NR_GENERAL || registers[reg].at + 8u > size)
		return false;
	memcpy(ret_value, regs + registers[reg].at, sizeof(*ret_value));
	return true;
}
