/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Long text on a terminal goes through a pager, as in git: $RETSNOOP_PAGER, $PAGER, or less, which
 * exits at once if the text fits on the screen. "" and "cat" mean no pager; so does a program that is
 * not installed.
 */
#ifndef RETSNOOP_BUILTIN_SUITE_PAGER_H
#define RETSNOOP_BUILTIN_SUITE_PAGER_H

#include <stdbool.h>

/*
 * Send standard output to a pager from now on, if it is a terminal. $COLUMNS is set to the
 * terminal's width, for terminal_width(). From now on the pager handles Ctrl-C. If the user leaves
 * the pager early, writing fails with EPIPE. Call it after command_parse(), which decides about
 * colours.
 */
void pager_start(void);

/* Start no pager later (--no-pager). */
void pager_forbid(void);

/* Whether a pager was started. */
bool pager_is_on(void);

/* Wait until the user leaves the pager. For main(), after all output. */
void pager_finish(void);

#endif
