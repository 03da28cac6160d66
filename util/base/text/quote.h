/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes that came from anywhere, made fit for a terminal and for one line: all text of the kernel's
 * and of processes goes through here, or through json.h. What is fit is util/base/text/utf8.h's to say.
 */
#ifndef RETSNOOP_BASE_TEXT_QUOTE_H
#define RETSNOOP_BASE_TEXT_QUOTE_H

#include <stddef.h>

#include "util/base/strbuf.h"

/*
 * Append @len bytes: UTF-8 as it is; what a terminal would not just show, @quote and, where there
 * is a @quote, backslashes escaped as in C.
 *
 * @quote	put around them; 0 none
 */
void quote_add(struct strbuf *sb, const char *text, size_t len, char quote);

/* Append a name, with '?' for each byte of what a terminal would not just show. */
void quote_name_add(struct strbuf *sb, const char *text);

#endif
