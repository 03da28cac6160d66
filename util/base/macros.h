/* SPDX-License-Identifier: BSD-2-Clause */
/* Helpers that C lacks. */
#ifndef RETSNOOP_BASE_MACROS_H
#define RETSNOOP_BASE_MACROS_H

#include <stdbool.h>
#include <string.h>

#include "util/base/search.h"

/* The number of elements of an array; not for pointers. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* The compiler checks the arguments from @b on against the format, which is argument @a. */
#define _printf_(a, b) __attribute__((format(printf, a, b)))

static inline bool startswith(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static inline bool endswith(const char *text, const char *suffix)
{
	size_t len = strlen(text), suffix_len = strlen(suffix);

	return len >= suffix_len && !memcmp(text + len - suffix_len, suffix, suffix_len);
}

#endif
