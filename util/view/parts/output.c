// SPDX-License-Identifier: BSD-2-Clause
/* Handing out what views made. */
#include "util/view/parts/output.h"

#include <errno.h>
#include <stdio_ext.h>
#include <string.h>

#include "util/base/progress.h"
#include "util/base/report.h"

int output_text(FILE *out, const struct strbuf *text)
{
	bool written;
	int err;

	if (text->failed)
		return report_oom();
	progress_make_way();
	errno = 0;
	written = fwrite(strbuf_str(text), 1, text->len, out) == text->len && !fflush(out);
	err = errno ?: EIO;
	progress_go_on();
	if (written)
		return 0;
	if (err == EPIPE) {
		/* Said and done: nobody is to stumble over it at exit. */
		__fpurge(out);
		clearerr(out);
		return -EPIPE;
	}
	return report(-err, "cannot write the output: %s", strerror(err));
}
