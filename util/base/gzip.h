/* SPDX-License-Identifier: BSD-2-Clause */
/* Data compressed with gzip. */
#ifndef RETSNOOP_BASE_GZIP_H
#define RETSNOOP_BASE_GZIP_H

#include "util/base/strbuf.h"

/* Append @len bytes, compressed. 0; -ENOMEM (not reported) */
int gzip_add(struct strbuf *out, const char *data, size_t len);

#endif
