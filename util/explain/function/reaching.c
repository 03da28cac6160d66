// SPDX-License-Identifier: BSD-2-Clause
/* Reaching definitions of one register, over all ways from a function's entry. */
#include "util/explain/function/reaching.h"

#include <errno.h>

#include "util/base/vec.h"
#include "util/kernel/symbols/symbols.h"

#define MAX_SIZE (64 * 1024)

/* The state at an address: one of these, or 2 + the index of the instruction that wrote last. */
#define NOT_REACHED 0
#define UNWRITTEN 1
#define SEVERAL UINT32_MAX

struct reaching {
	struct code_reader *reader;
	const struct code_function *function;
	const struct symbol *cold;	/* the cold part; NULL: none found so far */
	uint8_t reg;
	VEC(uint32_t) states;	/* for each byte of the function, and of its cold part */
	VEC(uint32_t) open;	/* indexes to go on from */
	uint32_t at_tables;	/* joined state at jumps whose targets are not known */
};

#define NO_INDEX UINT32_MAX

static int make_room(struct reaching *reaching, uint64_t size)
{
	for (uint64_t i = 0; i < size; i++) {
		if (vec_push(&reaching->states, NOT_REACHED))
			return -ENOMEM;
	}
	return 0;
}

static uint32_t index_of(const struct reaching *reaching, uint64_t addr)
{
	const struct code_function *function = reaching->function;

	if (addr - function->addr < function->size)
		return addr - function->addr;
	if (reaching->cold && addr - reaching->cold->addr < reaching->cold->size)
		return function->size + (addr - reaching->cold->addr);
	return NO_INDEX;
}

static uint64_t address_of(const struct reaching *reaching, uint32_t index)
{
	return index < reaching->function->size ?
		       reaching->function->addr + index :
		       reaching->cold->addr + (index - reaching->function->size);
}

static uint32_t merge(uint32_t a, uint32_t b)
{
	if (a == NOT_REACHED || a == b)
		return b;
	return b == NOT_REACHED ? a : SEVERAL;
}

static int add_reached(struct reaching *reaching, uint64_t addr, uint32_t state)
{
	uint32_t index = index_of(reaching, addr), merged;
	const struct symbol *symbol;

	if (index == NO_INDEX) {
		if (!function_contains(reaching->reader, reaching->function, addr))
			return 0;
		symbol = symbol_of(reaching->reader, addr);
		if (!symbol || reaching->cold || symbol->size > MAX_SIZE)
			return -ENOENT;
		reaching->cold = symbol;
		if (make_room(reaching, symbol->size))
			return -ENOMEM;
		index = index_of(reaching, addr);
	}
	merged = merge(reaching->states.data[index], state);
	if (merged == reaching->states.data[index])
		return 0;
	reaching->states.data[index] = merged;
	return vec_push(&reaching->open, index);
}

static bool may_write(struct reaching *reaching, const struct insn *insn, uint64_t addr)
{
	bool is_call = insn->branch.kind == BRANCH_CALL ||
		       insn->branch.kind == BRANCH_INDIRECT_CALL;

	/* The call of tracing keeps everything. */
	if (is_call && addr < function_body(reaching->reader, reaching->function))
		return false;
	if (is_call)
		return callee_at(reaching->reader, insn->branch.target).writes &
		       REG_BIT(reaching->reg);
	return !insn->is_known || insn->effect.writes & REG_BIT(reaching->reg);
}

static int reach_by_table(struct reaching *reaching, uint64_t addr, uint32_t state)
{
	uint64_t targets[CODE_MAX_TARGETS];
	uint32_t nr = code_table_targets(reaching->reader, reaching->function, addr, targets);
	int err = 0;

	if (!nr)
		reaching->at_tables = merge(reaching->at_tables, state);
	for (uint32_t i = 0; !err && i < nr; i++)
		err = add_reached(reaching, targets[i], state);
	return err;
}

static int go_on(struct reaching *reaching, uint32_t index)
{
	uint64_t addr = address_of(reaching, index);
	uint32_t state = reaching->states.data[index];
	const struct insn *insn;
	struct branch_insn branch;
	int err;

	if (code_insn(reaching->reader, addr, &insn))
		return -ENOENT;
	branch = insn->branch;
	if (branch.kind == BRANCH_SYSTEM) {
		if (code_trap(reaching->reader, reaching->function, addr) == TRAP_ENDS)
			return 0;
	} else if (may_write(reaching, insn, addr)) {
		state = index + 2;
	}
	switch (branch.kind) {
	case BRANCH_RETURN:
		return 0;
	case BRANCH_INDIRECT_JUMP:
		return reach_by_table(reaching, addr, state);
	case BRANCH_JUMP:
		return add_reached(reaching, branch.target, state);
	case BRANCH_CONDITIONAL:
		err = add_reached(reaching, branch.target, state);
		if (err)
			return err;
		break;
	case BRANCH_CALL:
		if (callee_at(reaching->reader, branch.target).kind == CALLEE_NO_RETURN)
			return 0;
		break;
	default:
		break;
	}
	return add_reached(reaching, addr + branch.length, state);
}

static int find(struct reaching *reaching, uint64_t addr, uint64_t *ret_at)
{
	int err = add_reached(reaching, reaching->function->addr, UNWRITTEN);
	uint32_t index, state;

	while (!err && reaching->open.len)
		err = go_on(reaching, reaching->open.data[--reaching->open.len]);
	if (err)
		return err;
	index = index_of(reaching, addr);
	if (index == NO_INDEX || reaching->states.data[index] == NOT_REACHED)
		return -ENOENT;
	state = merge(reaching->states.data[index], reaching->at_tables);
	if (state == SEVERAL)
		return -ENOENT;
	*ret_at = state == UNWRITTEN ? 0 : address_of(reaching, state - 2);
	return 0;
}

int reaching_write(struct code_reader *reader, const struct code_function *function, uint8_t reg,
		   uint64_t addr, uint64_t *ret_at)
{
	struct reaching reaching = { .reader = reader, .function = function, .reg = reg };
	int err;

	if (function->size > MAX_SIZE)
		return -ENOENT;
	err = make_room(&reaching, function->size);
	err = err ?: find(&reaching, addr, ret_at);
	vec_release(&reaching.states);
	vec_release(&reaching.open);
	return err;
}
