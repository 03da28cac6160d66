// SPDX-License-Identifier: BSD-2-Clause
/* The calling convention of riscv, which its routines in assembly keep, too. */
#include "util/kernel/code/routine.h"

/* Nothing follows registers across calls there. */
const struct routine usual_routine = { .writes = ALL_REGISTERS, .result = REG_RESULT };

enum thunk_kind thunk_kind(const char *symbol, const char *module)
{
	return NO_THUNK;
}

int thunk_register(const char *symbol)
{
	return -1;
}

const struct routine *asm_routine_by_name(const char *symbol)
{
	return NULL;
}
