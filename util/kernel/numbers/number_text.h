/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers that have names, as text. */
#ifndef RETSNOOP_KERNEL_NUMBERS_NUMBER_TEXT_H
#define RETSNOOP_KERNEL_NUMBERS_NUMBER_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/kernel/numbers/number_names.h"

/* Add "MS_RDONLY|MS_NOEXEC", "_IOW('T', 0xca, 4 bytes)". False: the number has no name, and nothing was added. */
bool number_add(struct strbuf *text, const struct number_names *names, uint64_t value);

/* Add the name of all of a number, "TUNSETIFF". False: it has none, and nothing was added. */
bool number_add_name(struct strbuf *text, const struct number_names *names, uint64_t value);

/* Add "O_CLOEXEC | O_NONBLOCK". False: not all of these bits are flags that have names, and nothing was added. */
bool number_add_flags(struct strbuf *text, const struct number_names *names, uint64_t flags);

/*
 * Whether the source writes a large number so, as the nanoseconds of a second: a multiple of 1,000, or the number before
 * one, which compilers compare with in its place.
 */
static inline bool number_is_round(int64_t value)
{
	return value && (value % 1000 == 0 || (value > 0 && (value + 1) % 1000 == 0));
}

/* Add "SIGKILL", or a number that has no name. */
void signal_add(struct strbuf *text, uint64_t signal);

#endif
