// SPDX-License-Identifier: BSD-2-Clause
/* The calling convention of riscv, which its routines in assembly keep, too. */
#include "util/kernel/code/routine.h"

/* Nothing follows registers across calls there. */
const struct routine usual_routine = { .writes = ALL_REGISTERS, .result = REG_RESULT };

const struct routine_rules routine_rules = {};
