// SPDX-License-Identifier: BSD-2-Clause
/* What the deciding branch compared: a probe on the comparison, and what it kept. */
#include <errno.h>
#include <string.h>

#include "util/capture/points/probes.h"
#include "util/kernel/code/machine_code.h"
#include "util/why/target.h"

/* The operand in memory; NULL: there is none. */
static const struct operand *memory_of(const struct decision_condition *condition)
{
	if (condition->a.operand.kind == OPERAND_MEMORY)
		return &condition->a.operand;
	return condition->b.operand.kind == OPERAND_MEMORY ? &condition->b.operand : NULL;
}

int target_place_condition(const struct target *target, struct probes *probes)
{
	const struct operand *memory = memory_of(&target->condition);
	uint32_t bytes = code_saved_registers();
	struct probe_capture capture = { .fixed = bytes, .max = bytes };
	int at = memory ? code_saved_at(memory->reg) : 0;

	if (!target->condition.text || !target->condition.compared_at || !bytes)
		return -ENOENT;
	if (memory) {
		if (at < 0 || memory->value != (int16_t)memory->value || memory->size > 8)
			return -ENOENT;
		capture.fixed += PROBE_MEMORY_BYTES;
		capture.max = capture.fixed;
		capture.memory_size = memory->size;
		capture.memory_register = at / 8;
		capture.memory_at = memory->value;
	}
	return target_add_point(target, probes, target->condition.compared_at, capture);
}

static bool read_operand(const struct operand *operand, const uint8_t *data, uint32_t size,
			 uint64_t *ret_value)
{
	uint64_t memory[2];
	int at;

	switch (operand->kind) {
	case OPERAND_REGISTER:
		at = code_saved_at(operand->reg);
		if (at < 0 || at + sizeof(*ret_value) > size)
			return false;
		memcpy(ret_value, data + at, sizeof(*ret_value));
		return true;
	case OPERAND_MEMORY:
		if (size < code_saved_registers() + sizeof(memory))
			return false;
		memcpy(memory, data + code_saved_registers(), sizeof(memory));
		*ret_value = memory[0];
		return memory[1];
	case OPERAND_CONSTANT:
		*ret_value = operand->value;
		return true;
	default:
		return false;
	}
}

bool target_take_values(struct target *target, const uint8_t *data, uint32_t size)
{
	struct decision_condition *condition = &target->condition;
	uint64_t a, b;

	return read_operand(&condition->a.operand, data, size, &a) &&
	       read_operand(&condition->b.operand, data, size, &b) &&
	       condition_take_values(condition, a, b);
}
