// SPDX-License-Identifier: BSD-2-Clause
/* Asking the terminal. */
#include "util/base/terminal.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "util/base/macros.h"
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

bool terminal_color(enum color_when when, int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (when != COLOR_AUTO)
		return when == COLOR_ALWAYS;
	return !(no_color && *no_color) && term && strcmp(term, "dumb") && isatty(fd);
}

/* Not setlocale(3): a static program may find no locales, or those of another libc. */
bool terminal_locale_is_ascii(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *locale = getenv(names[i]);

		if (locale && *locale)
			return !strcasestr(locale, "utf-8") && !strcasestr(locale, "utf8");
	}
	return true;
}

static bool ascii;

void terminal_set_ascii(bool only)
{
	ascii = only;
}

bool terminal_is_ascii(void)
{
	return ascii;
}

static int current_verbosity;

void report_set_verbosity(int verbosity)
{
	current_verbosity = verbosity;
}

int report_verbosity(void)
{
	return current_verbosity;
}
