// SPDX-License-Identifier: BSD-2-Clause
/* Handing out what views made. */
#include "util/view/output.h"

#include <errno.h>
#include <stdio_ext.h>
#include <string.h>

int output_text(FILE *out, const struct strbuf *text)
{
	int err;

	if (text->failed)
		return report_oom();
	errno = 0;
	if (fwrite(strbuf_str(text), 1, text->len, out) == text->len && !fflush(out))
		return 0;
	err = errno ?: EIO;
	if (err == EPIPE) {
		/* Said and done: nobody is to stumble over it at exit. */
		__fpurge(out);
		clearerr(out);
		return -EPIPE;
	}
	return report(-err, "cannot write the output: %s", strerror(err));
}
