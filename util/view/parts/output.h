/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the output of views. */
#ifndef RETSNOOP_VIEW_PARTS_OUTPUT_H
#define RETSNOOP_VIEW_PARTS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "util/base/strbuf.h"

/*
 * Write all of @data and flush. 0; -EPIPE the reader closed the pipe; -ENOMEM the data is
 * incomplete (reported); -errno (reported).
 */
int output_data(FILE *out, const struct strbuf *data);

/* The same for text for people: in ASCII if terminal_is_ascii(). */
int output_text(FILE *out, struct strbuf *text);

/* Whether @out is a pipe that its reader closed: errno may be that of a later error. */
bool output_reader_left(FILE *out);

/* End a list that was printed in pieces. 0; -EPIPE; -EIO (reported). */
int output_end(FILE *out);

/*
 * Replace all other characters in place by ASCII characters with as many columns: "→" by ">", and
 * characters without a similar one by "?".
 */
void text_to_ascii(struct strbuf *text);

#endif
