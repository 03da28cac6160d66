/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a register was written last, whichever way a function took. */
#ifndef RETSNOOP_TRACE_EXPLAIN_REACHING_H
#define RETSNOOP_TRACE_EXPLAIN_REACHING_H

#include <stdint.h>

#include "util/trace/explain/function_code.h"

/**
 * The one instruction that can have written a register last when an address of the function is
 * reached. A call is one for the registers that it may change.
 *
 * @ret_at	0: none, it is as it was when the function was called
 * @return	0; -ENOENT there are several, or it is not known; -ENOMEM
 */
int reaching_write(struct code_reader *reader, const struct code_function *function, uint8_t reg,
		   uint64_t addr, uint64_t *ret_at);

#endif
