/* SPDX-License-Identifier: BSD-2-Clause */
/* Handing out what views made. */
#ifndef RETSNOOP_VIEW_PARTS_OUTPUT_H
#define RETSNOOP_VIEW_PARTS_OUTPUT_H

#include <stdio.h>

#include "util/base/strbuf.h"

/*
 * Write @data as a whole and flush. 0; -EPIPE nobody reads any more; -ENOMEM the data is not whole
 * (reported); -errno (reported).
 */
int output_data(FILE *out, const struct strbuf *data);

/* The same for text that people read: in ASCII where terminal_is_ascii() says so. */
int output_text(FILE *out, struct strbuf *text);

/*
 * Replace all other characters by ASCII ones that take as many columns, in place: "→" by ">", and
 * those without a likeness by "?".
 */
void text_to_ascii(struct strbuf *text);

#endif
