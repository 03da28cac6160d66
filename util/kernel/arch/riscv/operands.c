// SPDX-License-Identifier: BSD-2-Clause
/* Operands of comparisons are not followed on riscv: only `why` needs them. */
#include "util/kernel/code/operands.h"

#include "util/kernel/arch/riscv/registers.h"

void operands_decode(const uint8_t *code, size_t size, struct insn_operands *ret_operands)
{
	*ret_operands = (struct insn_operands){};
}

enum condition operands_condition(const uint8_t *code, size_t size,
				  const struct insn_operands *compared)
{
	return CONDITION_UNKNOWN;
}

bool operands_arithmetic(const uint8_t *code, size_t size, struct insn_arithmetic *ret_arithmetic)
{
	return false;
}

bool operands_element(const uint8_t *code, size_t size, struct insn_element *ret_element)
{
	return false;
}

bool operands_compared_if(const uint8_t *code, size_t size, const uint8_t *branch, size_t branch_size,
			  struct insn_operands *ret_compared, bool *ret_otherwise)
{
	return false;
}

bool operands_is_current(const uint8_t *code, size_t size, uint64_t addr, uint64_t current_task)
{
	return false;
}

int operands_parameter(uint32_t index)
{
	return index < 8 ? riscv_x(RISCV_A0 + index) : -1;
}

int operands_stack_parameter(int64_t offset)
{
	return offset >= 0 && offset % 8 == 0 ? offset / 8 : -1;
}
