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

bool code_jump_table(const uint8_t *code, size_t size, uint64_t at, size_t jump,
		     struct jump_table *ret_table)
{
	return code_rules.jump_table && code_rules.jump_table(code, size, at, jump, ret_table);
}

bool code_is_type_check(const uint8_t *code, size_t size)
{
	return code_rules.is_type_check && code_rules.is_type_check(code, size);
}
