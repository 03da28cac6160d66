// SPDX-License-Identifier: BSD-2-Clause
/* Messages to stderr. stdout is flushed first so that a terminal shows them in order. */
#include "util/base/report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static int current_verbosity;

void report_set_verbosity(int verbosity)
{
	current_verbosity = verbosity;
}

int report_verbosity(void)
{
	return current_verbosity;
}

static void print_line(const char *prefix, const char *fmt, va_list args)
{
	fflush(stdout);
	flockfile(stderr);
	fputs(prefix, stderr);
	vfprintf(stderr, fmt, args);
	fputc('\n', stderr);
	funlockfile(stderr);
}

int report(int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print_line("retsnoop: ", fmt, args);
	va_end(args);
	return err;
}

void warning(const char *fmt, ...)
{
	va_list args;

	if (current_verbosity < VERBOSITY_NORMAL)
		return;
	va_start(args, fmt);
	print_line("retsnoop: warning: ", fmt, args);
	va_end(args);
}

void say(int level, const char *fmt, ...)
{
	va_list args;

	if (current_verbosity < level)
		return;
	va_start(args, fmt);
	print_line("", fmt, args);
	va_end(args);
}

int report_oom(void)
{
	return report(-ENOMEM, "out of memory");
}
