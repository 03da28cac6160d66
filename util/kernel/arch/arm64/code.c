// SPDX-License-Identifier: BSD-2-Clause
/* Code of arm64 is neither decoded nor recognized yet. */
#include <errno.h>

#include "util/kernel/code/instruction.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/code/operands.h"
#include "util/kernel/code/routine.h"

const struct routine usual_routine = { .writes = ALL_REGISTERS, .result = REG_RESULT };

int insn_decode(const uint8_t *code, size_t size, uint64_t at, struct insn *ret_insn)
{
	return -EOPNOTSUPP;
}

void operands_decode(const uint8_t *code, size_t size, struct insn_operands *ret_operands)
{
	*ret_operands = (struct insn_operands){};
}

enum condition operands_condition(const uint8_t *code, size_t size,
				  const struct insn_operands *compared)
{
	return CONDITION_UNKNOWN;
}

int operands_parameter(uint32_t index)
{
	return -1;
}

size_t code_entry_size(const uint8_t *code, size_t size)
{
	return ENTRY_CALL_SIZE;
}

bool code_is_padding(const uint8_t *code, size_t size)
{
	return false;
}

bool code_is_probed(const uint8_t *code, const uint8_t *last, size_t last_length)
{
	return false;
}

enum trap code_trap_kind(const uint8_t *code, size_t size)
{
	return TRAP_NONE;
}

int code_call_register(const uint8_t *code, size_t size)
{
	return -1;
}

const char *code_register_name(int reg)
{
	return NULL;
}

bool code_breaks_kprobe(const struct branch_insn *insn)
{
	return false;
}

int code_syscall_argument(const char *member)
{
	return -1;
}

size_t code_saved_registers(void)
{
	return 0;
}

int code_saved_at(int reg)
{
	return -1;
}

bool code_is_type_check(const uint8_t *code, size_t size)
{
	return false;
}

enum thunk_kind thunk_kind(const char *symbol, const char *module)
{
	return NO_THUNK;
}

const struct routine *asm_routine_by_name(const char *symbol)
{
	return NULL;
}
