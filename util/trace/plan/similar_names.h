/* SPDX-License-Identifier: BSD-2-Clause */
/* What a user who mistyped a function's name may have meant. */
#ifndef RETSNOOP_TRACE_PLAN_SIMILAR_NAMES_H
#define RETSNOOP_TRACE_PLAN_SIMILAR_NAMES_H

#include <stddef.h>

#include "util/kernel/symbols/symbols.h"

/**
 * The names that are most like @wanted, best first, no name twice.
 *
 * @wanted	a name or a glob, whose `*` and `?` are left out
 * @ret_names	room for @max of them; they belong to the table
 * @return	how many there are
 */
size_t nearest_names(const struct symbol *symbols, size_t nr, const char *wanted,
		     const char *ret_names[], size_t max);

#endif
