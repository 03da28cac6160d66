/* SPDX-License-Identifier: BSD-2-Clause */
/* The terminal that output goes to, and the user's settings for it. */
#ifndef RETSNOOP_BASE_TERMINAL_H
#define RETSNOOP_BASE_TERMINAL_H

#include <stdbool.h>

/*
 * The columns of a line: $COLUMNS if that is a positive number, else the width of the terminal
 * @fd, else 0 for no limit.
 */
int terminal_width(int fd);

/* --color */
enum color_when {
	COLOR_AUTO, /* on a terminal that knows colours, and $NO_COLOR is not set */
	COLOR_ALWAYS,
	COLOR_NEVER,
};

/* How much is printed to stderr; set once by the command line. */
enum verbosity {
	VERBOSITY_QUIET = -1,	/* errors only */
	VERBOSITY_NORMAL = 0,
	VERBOSITY_VERBOSE = 1,	/* -v */
	VERBOSITY_DEBUG = 2,	/* -vv */
	VERBOSITY_TRACE = 3,	/* -vvv, libbpf's own log included */
};

void report_set_verbosity(int verbosity);
int report_verbosity(void);

bool terminal_color(enum color_when when, int fd);

/* Whether the locale of $LC_ALL, $LC_CTYPE and $LANG has another charset than UTF-8. */
bool terminal_locale_is_ascii(void);

/* Set whether text has only ASCII characters; called once by the command line. */
void terminal_set_ascii(bool ascii);
bool terminal_is_ascii(void);

#endif
