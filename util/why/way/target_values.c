// SPDX-License-Identifier: BSD-2-Clause
/*
 * The values that the deciding branch compared: places a probe on the comparison, and reads its
 * data.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

int target_place_condition(const struct target *target, struct code_reader *reader,
			   struct probes *probes)
{
	const struct operand *memory = memory_of(&target->condition);
	uint32_t bytes = code_saved_registers() + sizeof(struct probe_tail);
	struct probe_capture capture = { .fixed = bytes, .max = bytes, .has_tail = true };
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
	capture.names[0] = name_of(&target->condition.a);
	capture.names[1] = name_of(&target->condition.b);
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

static void take_name(struct decision_operand *operand, const char *name)
{
	free(operand->object);
	operand->object = *name ? strndup(name, PROBE_NAME_BYTES - 1) : NULL;
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
	take_name(&condition->a, tail.names[0]);
	take_name(&condition->b, tail.names[1]);
	return VALUES_HOLD;
}
