/* SPDX-License-Identifier: BSD-2-Clause */
/* The last write to a register, on any way through a function. */
#ifndef RETSNOOP_EXPLAIN_FUNCTION_REACHING_H
#define RETSNOOP_EXPLAIN_FUNCTION_REACHING_H

#include <stdint.h>

#include "util/explain/function/function_code.h"

/**
 * The only instruction that can have written a register last when an address of the function is
 * reached. A call counts as a write of the registers that it may change.
 *
 * @ret_at	0: none, the register has the value of the function's entry
 * @return	0; -ENOENT there are several, or not known; -ENOMEM
 */
int reaching_write(struct code_reader *reader, const struct code_function *function, uint8_t reg,
		   uint64_t addr, uint64_t *ret_at);

#endif
