// SPDX-License-Identifier: BSD-2-Clause
/* The calling convention of arm64, which its routines in assembly keep, too. */
#include "util/kernel/code/routine.h"

#include "util/kernel/arch/arm64/registers.h"

/* x0 to x18, and the return address. */
const struct routine usual_routine = {
	.writes = REG_BIT(ARM64_X0) | ((REG_BIT(ARM64_X1 + 18) - 1) & ~(REG_BIT(ARM64_X1) - 1)) |
		  REG_BIT(ARM64_X30),
	.result = ARM64_X0,
};

const struct routine_rules routine_rules = {};
