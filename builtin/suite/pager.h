/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Long text on a terminal goes through a pager, as in git: $RETSNOOP_PAGER, $PAGER, else less,
 * told to leave again when all fits on the screen. "" or "cat" is none. Where the program is not
 * there, text goes to the terminal as it is.
 */
#ifndef RETSNOOP_BUILTIN_SUITE_PAGER_H
#define RETSNOOP_BUILTIN_SUITE_PAGER_H

#include <stdbool.h>

/*
 * From here on standard output goes to a pager; nothing happens unless it is a terminal. $COLUMNS
 * is set to its width, for terminal_width(). Ctrl-C is the pager's from here on; one that is left
 * early shows as EPIPE. To be called after command_parse(), which looks whether there are
 * colours.
 */
void pager_start(void);

/* There is to be none (--no-pager). Before it is started. */
void pager_forbid(void);

/* Whether there is one. */
bool pager_is_on(void);

/* Wait until the user has left it. For main(), after all has been written. */
void pager_finish(void);

#endif
