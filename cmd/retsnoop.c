// SPDX-License-Identifier: BSD-2-Clause
/* retsnoop: which kernel function made this call fail, and why? */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "builtin/builtin.h"
#include "builtin/dispatch.h"
#include "builtin/pager.h"
#include "util/base/report.h"

int main(int argc, char **argv)
{
	int status = dispatch(argc, argv);

	/* A full disk must not look like success; who leaves a pager has seen enough. */
	if ((fflush(stdout) || ferror(stdout)) && status < EXIT_USAGE && !pager_is_on())
		status = report(EXIT_CANNOT, "cannot write to standard output: %s",
				strerror(errno));
	pager_finish();
	return status;
}
