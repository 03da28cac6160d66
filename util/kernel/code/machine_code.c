// SPDX-License-Identifier: BSD-2-Clause
/* Rules that only some CPUs have; the others have no function for them. */
#include "util/kernel/code/machine_code.h"

int code_call_register(const uint8_t *code, size_t size)
{
	return code_rules.call_register ? code_rules.call_register(code, size) : -1;
}

bool code_breaks_kprobe(const struct branch_insn *insn)
{
	return code_rules.breaks_kprobe && code_rules.breaks_kprobe(insn);
}

bool code_takes_no_kprobe(const uint8_t *code, size_t before, bool loosely)
{
	return code_rules.takes_no_kprobe && code_rules.takes_no_kprobe(code, before, loosely);
}

bool code_is_retry(const uint8_t *code, size_t before)
{
	return code_rules.is_retry && code_rules.is_retry(code, before);
}

uint64_t code_made_constant(const uint8_t *code, size_t size, uint64_t at, size_t offset)
{
	return code_rules.made_address ? code_rules.made_address(code, size, at, offset) : 0;
}

uint64_t code_call_target(const struct code_source *source, uint64_t target)
{
	uint8_t code[CODE_VENEER_SIZE];
	long have = code_rules.veneer_target && source ? source->read(source->arg, target, code, sizeof(code)) : 0;

	return have > 0 ? code_rules.veneer_target(code, have, target) ?: target : target;
}

uint64_t code_called_at(const struct code_source *source, uint64_t function)
{
	uint8_t code[CODE_VENEER_SIZE];

	if (!code_rules.veneer_before || !source ||
	    source->read(source->arg, function - sizeof(code), code, sizeof(code)) != (long)sizeof(code))
		return function;
	return function - code_rules.veneer_before(code, sizeof(code));
}

int code_thunk_register(const struct code_source *source, uint64_t target)
{
	uint8_t code[CODE_VENEER_SIZE];
	long have = code_rules.jump_register && source && target ?
			    source->read(source->arg, target, code, sizeof(code)) : 0;

	return have > 0 ? code_rules.jump_register(code, have) : -1;
}

size_t code_find_number(const uint8_t *code, size_t size, size_t from, int32_t number)
{
	return code_rules.find_number ? code_rules.find_number(code, size, from, number) : size;
}

size_t code_find_call(const uint8_t *code, size_t size, uint64_t at, size_t from, uint64_t *ret_target)
{
	return code_rules.find_call ? code_rules.find_call(code, size, at, from, ret_target) : size;
}

size_t code_find_pointer_jump(const uint8_t *code, size_t size, uint64_t at, size_t from, uint64_t *ret_thunk)
{
	return code_rules.find_pointer_jump ?
		       code_rules.find_pointer_jump(code, size, at, from, ret_thunk) :
		       size;
}

bool code_jump_table(const uint8_t *code, size_t size, uint64_t at, size_t jump,
		     struct jump_table *ret_table)
{
	return code_rules.jump_table && code_rules.jump_table(code, size, at, jump, ret_table);
}

bool code_is_type_check(const uint8_t *code, size_t size)
{
	return code_rules.is_type_check && code_rules.is_type_check(code, size);
}
