/* SPDX-License-Identifier: BSD-2-Clause */
/* Handing out what views made. */
#ifndef RETSNOOP_VIEW_PARTS_OUTPUT_H
#define RETSNOOP_VIEW_PARTS_OUTPUT_H

#include <stdio.h>

#include "util/base/strbuf.h"

/*
 * Write @text as a whole and flush. 0; -EPIPE nobody reads any more; -ENOMEM the text is not whole
 * (reported); -errno (reported).
 */
int output_text(FILE *out, const struct strbuf *text);

#endif
