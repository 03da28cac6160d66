// SPDX-License-Identifier: BSD-2-Clause
/*
 * The values that the deciding branch compared: places a probe on the comparison, and reads its
 * data.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/strbuf.h"
#include "util/kernel/code/machine_code.h"
#include "util/plan/points/probes.h"
#include "util/why/way/target.h"

/* The operand in memory; NULL: there is none. */
static const struct operand *memory_of(const struct decision_condition *condition)
{
	if (condition->a.operand.kind == OPERAND_MEMORY)
		return &condition->a.operand;
	return condition->b.operand.kind == OPERAND_MEMORY ? &condition->b.operand : NULL;
}

/*
 * The path to the object's name from the operand's register, which is the pointer or leads to it.
 */
static struct probe_name name_of(const struct decision_operand *operand)
{
	const struct object_name *from = &operand->name_at;
	struct probe_name name = {};
	int at = code_saved_at(operand->operand.reg);

	if (!from->nr_steps || at < 0)
		return name;
	name.reg = at / 8;
	if (operand->operand.kind == OPERAND_MEMORY)
		name.steps[name.nr_steps++] = operand->operand.value;
	else if (operand->operand.kind != OPERAND_REGISTER)
		return name;
	for (uint32_t i = 0; i < from->nr_steps; i++)
		name.steps[name.nr_steps++] = from->steps[i];
	return name;
}

/* The same of the object that the operand is a member of. */
static struct probe_name name_of_owner(const struct decision_operand *operand)
{
	const struct decision_owner *owner = &operand->owner;
	struct probe_name name = {};
	int at = code_saved_at(owner->reg);

	if (!owner->name || at < 0)
		return name;
	name.reg = at / 8;
	name.nr_steps = owner->name_at.nr_steps;
	for (uint32_t i = 0; i < owner->name_at.nr_steps; i++)
		name.steps[i] = owner->name_at.steps[i];
	return name;
}

#define NR_NAMES 4

/*
 * Which of the names are read: what operands lead to comes before what they are members of.
 *
 * @which	indexes of NR_NAMES, of a and b by turns
 */
static uint32_t find_names(const struct decision_condition *condition, struct probe_name names[PROBE_NAMES],
			   uint32_t which[PROBE_NAMES])
{
	const struct probe_name all[NR_NAMES] = {
		name_of(&condition->a),
		name_of(&condition->b),
		name_of_owner(&condition->a),
		name_of_owner(&condition->b),
	};
	uint32_t nr = 0;

	for (uint32_t i = 0; i < NR_NAMES && nr < PROBE_NAMES; i++) {
		if (!all[i].nr_steps)
			continue;
		names[nr] = all[i];
		which[nr++] = i;
	}
	return nr;
}

int target_place_condition(const struct target *target, struct code_reader *reader,
			   struct probes *probes)
{
	const struct operand *memory = memory_of(&target->condition);
	uint32_t bytes = code_saved_registers() + sizeof(struct probe_tail);
	struct probe_capture capture = { .fixed = bytes, .has_tail = true };
	uint32_t which[PROBE_NAMES];
	int at = memory ? code_saved_at(memory->reg) : 0;

	if (!target->condition.text || !target->condition.compared_at || !code_saved_registers() ||
	    target->condition.a.operand.kind == OPERAND_VARIABLE ||
	    target->condition.b.operand.kind == OPERAND_VARIABLE)
		return -ENOENT;
	if (memory) {
		if (at < 0 || memory->value != (int16_t)memory->value || memory->size > 8)
			return -ENOENT;
		capture.memory_size = memory->size;
		capture.memory_register = at / 8;
		capture.memory_at = memory->value;
	}
	find_names(&target->condition, capture.names, which);
	return target_add_point(target, reader, probes, target->condition.compared_at, capture);
}

static bool read_operand(const struct operand *operand, const uint8_t *data,
			 const struct probe_tail *tail, uint64_t *ret_value)
{
	switch (operand->kind) {
	case OPERAND_REGISTER:
		if (code_saved_at(operand->reg) < 0)
			return false;
		memcpy(ret_value, data + code_saved_at(operand->reg), sizeof(*ret_value));
		return true;
	case OPERAND_MEMORY:
		*ret_value = tail->value;
		return tail->is_read;
	case OPERAND_CONSTANT:
		*ret_value = operand->value;
		return true;
	default:
		return false;
	}
}

/* A name that fills its place may be longer. */
static void take_name(char **to, const char *name)
{
	size_t len = strnlen(name, PROBE_NAME_BYTES - 1);

	free(*to);
	*to = !len			  ? NULL :
	      len < PROBE_NAME_BYTES - 1 ? strndup(name, len) :
					    strf("%.*s…", (int)len - 1, name);
}

/* The probe has them in the order of find_names(). */
static void take_names(struct decision_condition *condition, const uint8_t *data, const struct probe_tail *tail)
{
	struct decision_operand *const operands[] = { &condition->a, &condition->b };
	struct probe_name names[PROBE_NAMES];
	uint32_t which[PROBE_NAMES], nr = find_names(condition, names, which);

	for (uint32_t i = 0; i < nr; i++) {
		struct decision_operand *operand = operands[which[i] % 2];
		struct decision_owner *owner = &operand->owner;

		take_name(which[i] < 2 ? &operand->object : &owner->object, tail->names[i]);
		if (which[i] < 2)
			continue;
		memcpy(&owner->value, data + code_saved_at(owner->reg), sizeof(owner->value));
		owner->value -= owner->offset;
	}
}

/* If registers could not be read, all of them are 0, also the stack pointer. */
static bool has_registers(const uint8_t *data)
{
	int at = code_saved_at(REG_STACK);
	uint64_t stack = 0;

	if (at >= 0)
		memcpy(&stack, data + at, sizeof(stack));
	return stack;
}

static enum values_read take(struct decision_condition *condition, const uint8_t *data,
			     const struct probe_tail *tail)
{
	uint64_t a, b;

	if (!read_operand(&condition->a.operand, data, tail, &a) ||
	    !read_operand(&condition->b.operand, data, tail, &b))
		return VALUES_NOT_READ;
	return condition_take_values(condition, a, b) ? VALUES_HOLD : VALUES_DIFFER;
}

enum values_read target_take_values(struct target *target, const uint8_t *data, uint32_t size)
{
	struct decision_condition *condition = &target->condition;
	enum values_read read = VALUES_DIFFER;
	struct probe_tail tail;

	if (size < code_saved_registers() + sizeof(tail) || !has_registers(data))
		return VALUES_NOT_READ;
	memcpy(&tail, data + code_saved_registers(), sizeof(tail));
	if (!condition->either)
		read = take(condition, data, &tail);
	for (uint32_t i = 0; condition->either && i < NR_EITHER && read == VALUES_DIFFER; i++) {
		read = take(&condition->either[i], data, &tail);
		if (read == VALUES_HOLD)
			condition_choose(condition, i);
	}
	if (read != VALUES_HOLD)
		return read;
	take_names(condition, data, &tail);
	return VALUES_HOLD;
}
