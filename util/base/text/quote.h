/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes any bytes safe for a terminal and for one line: all text from the kernel and from
 * processes goes through here, or through json.h. util/base/utf8.h says which characters are
 * safe.
 */
#ifndef RETSNOOP_BASE_TEXT_QUOTE_H
#define RETSNOOP_BASE_TEXT_QUOTE_H

#include <stddef.h>

#include "util/base/strbuf.h"

/*
 * Append @len bytes of UTF-8. Characters that a terminal does not just show, @quote, and with
 * @quote backslashes, are escaped as in C.
 *
 * @quote	put around them; 0 none
 */
void quote_add(struct strbuf *sb, const char *text, size_t len, char quote);

/* Append a name, with '?' for each byte of characters that a terminal does not just show. */
void quote_name_add(struct strbuf *sb, const char *text);

#endif
