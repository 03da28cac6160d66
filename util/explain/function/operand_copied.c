// SPDX-License-Identifier: BSD-2-Clause
/* Follows a value to the program's memory that it was copied from: "uattr->attr_set". */
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/search.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/operand_internal.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/code/routine.h"
#include "util/kernel/symbols/symbols.h"

/* The parameters of copy_from_user(). */
enum { COPY_TO, COPY_FROM, COPY_SIZE };

static bool is_copy(const struct operand_way *way, const struct branch_insn *insn)
{
	static const char *const names[] = {
		"_copy_from_user", "copy_from_user", "_inline_copy_from_user", "__arch_copy_from_user",
	};
	const struct symbol *symbol =
		insn->kind == BRANCH_CALL ? called_symbol_of(way->reader, insn->target) : NULL;

	return symbol && array_find(known, names, !strcmp(symbol->name, *known));
}

/* Whether a step's instruction may put the address of a place on the stack into a register: relative to @base. */
static bool puts_address(const struct operand_way *way, uint32_t step, uint8_t base, int64_t *ret_at)
{
	const uint64_t addr = way->path->steps.data[step].addr;
	const struct insn_effect *effect = code_effect(way->reader, addr);
	struct insn_operands operands;

	if (!effect || code_operands(way->reader, addr, &operands))
		return false;
	if (operands.kind == OPERANDS_ADDRESS && operands.b.kind == OPERAND_MEMORY && operands.b.reg == base)
		*ret_at = operands.b.value;
	else if (effect->kind == EFFECT_COPY && effect->from == base)
		*ret_at = 0;
	else
		return false;
	return true;
}

/*
 * The step that put the address of a place on the stack into a register, from which step @copied took it; it is used
 * for nothing else before step @until. *ret_at: the place, relative to @base. UINT32_MAX: there is none.
 */
static uint32_t address_kept(const struct operand_way *way, uint8_t base, uint32_t copied, uint32_t until,
			     int64_t *ret_at)
{
	const struct path_step *steps = way->path->steps.data;
	const struct insn_effect *effect = code_effect(way->reader, steps[copied].addr);
	struct operand value = { .kind = OPERAND_REGISTER, .size = 8 };
	struct written written;

	if (!effect || effect->kind != EFFECT_COPY || operands_is_parameter(effect->from))
		return UINT32_MAX;
	value.reg = effect->from;
	written = value_written(way, &value, copied);
	if (written.by != WRITTEN_HERE || !puts_address(way, written.step, base, ret_at))
		return UINT32_MAX;
	for (uint32_t i = written.step + 1; i < until; i++) {
		const struct insn_effect *other = code_effect(way->reader, steps[i].addr);

		if (!other || steps[i].exception ||
		    (i < copied && (other->moves_stack || other->writes & REG_BIT(base))) ||
		    (i != copied && steps[i].insn.kind == BRANCH_NONE &&
		     !code_leaves_alone(way->reader, steps[i].addr, value.reg)))
			return UINT32_MAX;
	}
	return written.step;
}

uint32_t address_passed(const struct operand_way *way, uint8_t reg, uint8_t base, uint32_t call, uint32_t until,
			int64_t *ret_at)
{
	const struct operand value = { .kind = OPERAND_REGISTER, .reg = reg, .size = 8 };
	struct written written = value_written(way, &value, call);
	const struct path_step *steps = way->path->steps.data;
	const struct insn_effect *effect;
	uint32_t taken;

	if (written.by != WRITTEN_HERE)
		return UINT32_MAX;
	taken = puts_address(way, written.step, base, ret_at) ?
			written.step :
			address_kept(way, base, written.step, until, ret_at);
	for (uint32_t i = written.step + 1; taken != UINT32_MAX && i < call; i++) {
		effect = code_effect(way->reader, steps[i].addr);
		if (!effect || effect->moves_stack || effect->writes & REG_BIT(base) || steps[i].exception ||
		    (steps[i].insn.kind == BRANCH_NONE && !code_leaves_alone(way->reader, steps[i].addr, reg)) ||
		    (steps[i].insn.kind != BRANCH_NONE && steps[i].insn.kind != BRANCH_CONDITIONAL &&
		     steps[i].insn.kind != BRANCH_JUMP))
			return UINT32_MAX;
	}
	return taken;
}

/* The bytes that a call copies; 0: not known. */
static int size_copied(const struct follower *f, struct position call, int64_t *ret_size)
{
	_cleanup_(expression_release) struct expression own = {};
	const struct follower inner = { .way = f->way, .size = 8, .used = 8 };
	const struct operand value = { .kind = OPERAND_REGISTER, .reg = operands_parameter(COPY_SIZE), .size = 8 };
	int err = follow_best(&inner, &value, call, &own);

	*ret_size = own.is_constant && !own.offset ? own.value : 0;
	return err;
}

int follow_copied(struct follower *f, const struct operand *memory, struct position before)
{
	const struct operand_way *way = f->way;
	struct operand place = *memory, from = { .kind = OPERAND_MEMORY, .size = memory->size };
	struct written written = {};
	int64_t at = 0, size = 0;
	uint32_t taken;
	int err;

	if (!before.on_way || expression_is_known(f->to))
		return 0;
	written = value_written(way, memory, before.step);
	if (written.by == WRITTEN_UNKNOWN || !written.called)
		return 0;
	for (uint32_t i = before.step; i-- > (written.by == WRITTEN_HERE ? written.step + 1 : 0);) {
		const struct path_step *step = &way->path->steps.data[i];
		const struct insn_effect *effect = code_effect(way->reader, step->addr);

		if (place.reg == REG_STACK && effect)
			place.value += effect->moves_stack;
		if (!is_copy(way, &step->insn))
			continue;
		taken = address_passed(way, operands_parameter(COPY_TO), place.reg, i, before.step, &at);
		if (taken == UINT32_MAX)
			return 0;
		err = size_copied(f, position_of_step(way->path, i), &size);
		if (err)
			return err;
		if (place.value < at || place.value + place.size > at + size)
			continue;
		/* A function that gets the address, too, may have changed it. */
		if (stack_is_shared_but(way, memory, before.step, written.called, taken))
			return 0;
		from.reg = operands_parameter(COPY_FROM);
		from.value = place.value - at;
		return follow_best(f, &from, position_of_step(way->path, i), f->to);
	}
	return 0;
}

int follow_read(struct follower *f, uint8_t reg, const struct branch_insn *insn, struct position at, bool *ret_reads)
{
	const struct symbol *symbol =
		insn->kind == BRANCH_CALL ? called_symbol_of(f->way->reader, insn->target) : NULL;
	const struct routine *routine = symbol ? asm_routine_by_name(symbol->name) : NULL;
	struct operand from = { .kind = OPERAND_MEMORY };

	*ret_reads = routine && routine->reads && reg == routine->value;
	if (!*ret_reads)
		return 0;
	/* "__get_user_4" */
	from.size = atoi(symbol->name + strcspn(symbol->name, "1248"));
	from.reg = routine->address;
	return from.size ? follow_best(f, &from, at, f->to) : 0;
}
