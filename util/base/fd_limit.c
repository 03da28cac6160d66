// SPDX-License-Identifier: BSD-2-Clause
/* setrlimit(RLIMIT_NOFILE). */
#include "util/base/fd_limit.h"

#include <sys/resource.h>

void fd_limit_raise(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}
