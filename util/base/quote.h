/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes that came from anywhere, made fit for a terminal and for one line. */
#ifndef RETSNOOP_BASE_QUOTE_H
#define RETSNOOP_BASE_QUOTE_H

#include <stddef.h>

#include "util/base/strbuf.h"

/*
 * Append @len bytes: UTF-8 as it is; control characters, @quote and, where there is a @quote,
 * backslashes escaped as in C.
 *
 * @quote	put around them; 0 none
 */
void quote_add(struct strbuf *sb, const char *text, size_t len, char quote);

#endif
