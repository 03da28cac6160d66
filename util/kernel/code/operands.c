// SPDX-License-Identifier: BSD-2-Clause
/* Conditions between numbers, whatever the CPU. */
#include "util/kernel/code/operands.h"

enum condition condition_not(enum condition condition)
{
	static const uint8_t opposite[NR_CONDITIONS] = {
		[CONDITION_EQUAL] = CONDITION_NOT_EQUAL,
		[CONDITION_NOT_EQUAL] = CONDITION_EQUAL,
		[CONDITION_LESS] = CONDITION_GREATER_EQUAL,
		[CONDITION_LESS_EQUAL] = CONDITION_GREATER,
		[CONDITION_GREATER] = CONDITION_LESS_EQUAL,
		[CONDITION_GREATER_EQUAL] = CONDITION_LESS,
		[CONDITION_BELOW] = CONDITION_ABOVE_EQUAL,
		[CONDITION_BELOW_EQUAL] = CONDITION_ABOVE,
		[CONDITION_ABOVE] = CONDITION_BELOW_EQUAL,
		[CONDITION_ABOVE_EQUAL] = CONDITION_BELOW,
	};

	return opposite[condition];
}

bool condition_is_signed(enum condition condition)
{
	return condition >= CONDITION_LESS && condition <= CONDITION_GREATER_EQUAL;
}

bool condition_is_unsigned(enum condition condition)
{
	return condition >= CONDITION_BELOW && condition <= CONDITION_ABOVE_EQUAL;
}

int64_t sign_extend(uint64_t value, uint8_t size)
{
	int shift = 64 - 8 * size;

	return (int64_t)(value << shift) >> shift;
}

uint64_t zero_extend(uint64_t value, uint8_t size)
{
	return size == 8 ? value : value & ((1ull << 8 * size) - 1);
}

bool condition_holds(enum condition condition, uint64_t a, uint64_t b, uint8_t size)
{
	int shift = 64 - 8 * size;
	/* The upper part decides, as it would with numbers of that size. */
	uint64_t x = a << shift, y = b << shift;
	int64_t sx = x, sy = y;

	switch (condition) {
	case CONDITION_EQUAL:
		return x == y;
	case CONDITION_NOT_EQUAL:
		return x != y;
	case CONDITION_LESS:
		return sx < sy;
	case CONDITION_LESS_EQUAL:
		return sx <= sy;
	case CONDITION_GREATER:
		return sx > sy;
	case CONDITION_GREATER_EQUAL:
		return sx >= sy;
	case CONDITION_BELOW:
		return x < y;
	case CONDITION_BELOW_EQUAL:
		return x <= y;
	case CONDITION_ABOVE:
		return x > y;
	case CONDITION_ABOVE_EQUAL:
		return x >= y;
	default:
		return false;
	}
}

bool operands_is_parameter(uint8_t reg)
{
	for (uint32_t i = 0; operands_parameter(i) >= 0; i++) {
		if (operands_parameter(i) == reg)
			return true;
	}
	return false;
}
