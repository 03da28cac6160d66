// SPDX-License-Identifier: BSD-2-Clause
/* Asking the terminal. */
#include "util/base/terminal.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "util/base/units.h"

int terminal_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	uint64_t n;

	if (columns && !parse_number(columns, 1, INT_MAX, &n))
		return n;
	/* Fails on anything but a terminal. */
	return ioctl(fd, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}
