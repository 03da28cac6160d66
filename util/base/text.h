/* SPDX-License-Identifier: BSD-2-Clause */
/* Beginnings and ends of strings. */
#ifndef RETSNOOP_BASE_TEXT_H
#define RETSNOOP_BASE_TEXT_H

#include <stdbool.h>
#include <string.h>

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
