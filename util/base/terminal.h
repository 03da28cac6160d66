/* SPDX-License-Identifier: BSD-2-Clause */
/* What is known of the terminal that output goes to. */
#ifndef RETSNOOP_BASE_TERMINAL_H
#define RETSNOOP_BASE_TERMINAL_H

#include <stdbool.h>

/*
 * How many columns a line may have: $COLUMNS if that is a positive number, else the width of the
 * terminal that @fd is, else 0 for no limit.
 */
int terminal_width(int fd);

/* --color */
enum color_when {
	COLOR_AUTO, /* on a terminal that knows colours, and $NO_COLOR is not set */
	COLOR_ALWAYS,
	COLOR_NEVER,
};

bool terminal_color(enum color_when when, int fd);

#endif
