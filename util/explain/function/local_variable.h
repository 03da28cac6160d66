/* SPDX-License-Identifier: BSD-2-Clause */
/* Values by the source's variables that hold them, where there is debug info. */
#ifndef RETSNOOP_EXPLAIN_FUNCTION_LOCAL_VARIABLE_H
#define RETSNOOP_EXPLAIN_FUNCTION_LOCAL_VARIABLE_H

#include <stdint.h>

#include "util/explain/function/expression.h"
#include "util/kernel/code/operands.h"

/**
 * The variable or parameter that is in a register, or in memory on the stack, while the instruction at an
 * address of the way's function is about to run.
 *
 * @place	OPERAND_REGISTER, of which size bytes are used (0: not known), or OPERAND_MEMORY
 * @to		empty before; and after, if none is known, or it is not exactly this place
 * @return	0; -ENOMEM
 */
int local_variable_add(const struct operand_way *way, const struct operand *place, uint64_t addr,
		       struct expression *to);

#endif
