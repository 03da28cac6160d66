// SPDX-License-Identifier: BSD-2-Clause
/* The object that an operand is a member of, where that has a name and a register still has its address. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/explain/condition_internal.h"
#include "util/explain/function/operand.h"

/* Copies of copies are rare. */
#define MAX_COPIES 4

/* The registers of an instruction that copies one to another as a whole; false: it is another one. */
static bool is_copy(const struct operand_way *way, uint32_t step, uint8_t *ret_to, uint8_t *ret_from)
{
	struct insn_operands operands;

	if (way->path->steps.data[step].insn.kind != BRANCH_NONE ||
	    code_operands(way->reader, way->path->steps.data[step].addr, &operands) ||
	    operands.kind != OPERANDS_COPY || operands.a.kind != OPERAND_REGISTER || operands.a.size != 8 ||
	    operands.b.kind != OPERAND_REGISTER || operands.b.size != 8)
		return false;
	*ret_to = operands.a.reg;
	*ret_from = operands.b.reg;
	return true;
}

/* The step after the last one before @step that wrote a register. */
static uint32_t set_since(const struct operand_way *way, uint8_t reg, uint32_t step)
{
	const struct operand value = { .kind = OPERAND_REGISTER, .reg = reg, .size = 8 };
	const struct written written = value_written(way, &value, step);

	return written.by == WRITTEN_BEFORE ? 0 : written.step + 1;
}

/* Whether a register has the same value before both steps. */
static bool is_unchanged(const struct operand_way *way, uint8_t reg, uint32_t from, uint32_t to)
{
	return set_since(way, reg, to) <= from;
}

/* The register that has before @to what *@reg had before @from; false: none that is known. */
static bool find_holder(const struct operand_way *way, uint8_t *reg, uint32_t from, uint32_t to)
{
	uint8_t other, copied;

	for (int i = 0; i < MAX_COPIES; i++) {
		uint32_t since = set_since(way, *reg, from);

		if (is_unchanged(way, *reg, from, to))
			return true;
		for (uint32_t step = since; step < from; step++) {
			if (!is_copy(way, step, &other, &copied) || copied != *reg ||
			    !is_unchanged(way, other, step + 1, to))
				continue;
			*reg = other;
			return true;
		}
		/* It may be a copy itself. */
		if (!since || !is_copy(way, since - 1, &other, &copied))
			return false;
		*reg = copied;
		from = since - 1;
	}
	return false;
}

int condition_take_owner(const struct operand_way *way, const struct expression *expression, uint32_t step,
			 struct decision_operand *to)
{
	const struct expression_owner *owner = &expression->owner;
	struct decision_owner found = { .reg = owner->reg, .offset = owner->offset };
	int64_t first;

	if (!owner->len || !owner->type || owner->len >= expression->text.len || expression->is_computed ||
	    strncmp(expression->text.s + owner->len, "->", 2))
		return 0;
	found.name_at = object_name_find(expression->btf, owner->type);
	first = found.name_at.steps[0] - owner->offset;
	if (!found.name_at.nr_steps || first != (int16_t)first)
		return 0;
	found.name_at.steps[0] = first;
	found.name = strndup(expression->text.s, owner->len);
	if (!found.name)
		return -ENOMEM;
	/* The name of the command that failed says nothing new. */
	if (!strcmp(found.name, "current") || !find_holder(way, &found.reg, owner->step, step)) {
		free(found.name);
		return 0;
	}
	to->owner = found;
	return 0;
}
