// SPDX-License-Identifier: BSD-2-Clause
/* libbpf's messages. */
#include "util/kernel/machine/libbpf_log.h"

#include <bpf/libbpf.h>
#include <stdio.h>

#include "util/base/progress.h"
#include "util/base/report.h"

static int print_libbpf(enum libbpf_print_level level, const char *fmt, va_list args)
{
	int wanted = level == LIBBPF_DEBUG ? VERBOSITY_TRACE : VERBOSITY_DEBUG, n;

	if (report_verbosity() < wanted)
		return 0;
	progress_make_way();
	n = vfprintf(stderr, fmt, args);
	progress_go_on();
	return n;
}

void libbpf_log_init(void)
{
	libbpf_set_print(print_libbpf);
}
