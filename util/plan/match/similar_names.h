/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that a user who mistyped a function's name may have meant. */
#ifndef RETSNOOP_PLAN_MATCH_SIMILAR_NAMES_H
#define RETSNOOP_PLAN_MATCH_SIMILAR_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "util/base/text/nearest.h"
#include "util/kernel/symbols/symbols.h"

/**
 * The names most similar to @text, best first, no name twice.
 *
 * @text	a name or a glob
 * @ret_names	room for @max names, which belong to the table
 * @return	the number of names
 */
size_t nearest_names(const struct symbol *symbols, size_t nr, const char *text,
		     const char *ret_names[], size_t max);

/* Whether a name is that of a system call; a glob is not. */
bool names_syscall(const struct symbol *symbols, size_t nr, const char *name);

/* Add the names of all system calls to the candidates. False: none is known. */
bool offer_syscalls(const struct symbol *symbols, size_t nr, struct nearest *near);

#endif
