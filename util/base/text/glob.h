/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Globs: `*` matches any run of characters, `?` one character; other characters match themselves.
 */
#ifndef RETSNOOP_BASE_TEXT_GLOB_H
#define RETSNOOP_BASE_TEXT_GLOB_H

#include <stdbool.h>

/* Whether all of @text matches @glob. Linear in practice, no recursion. */
bool glob_matches(const char *glob, const char *text);

/* The same for paths: neither `*` nor `?` matches a '/'. */
bool glob_match_path(const char *glob, const char *path);

/* Whether @text contains glob characters. */
bool is_glob(const char *text);

/*
 * The longest run of @glob without glob characters, as a copy: every text that matches contains it,
 * and strstr() is faster than matching. NULL: out of memory.
 */
char *glob_literal(const char *glob);

#endif
