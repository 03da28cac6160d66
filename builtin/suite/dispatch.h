/* SPDX-License-Identifier: BSD-2-Clause */
/* From a command line to a command; the overview of all commands. */
#ifndef RETSNOOP_BUILTIN_SUITE_DISPATCH_H
#define RETSNOOP_BUILTIN_SUITE_DISPATCH_H

#include <stdbool.h>
#include <stdio.h>

/* Find the command and run it. Returns the exit status. */
int dispatch(int argc, char **argv);

/* `retsnoop -h`: the purpose of retsnoop, and its commands. */
void print_overview(FILE *out, bool color);

/* Report an unknown command, with the nearest known name. Returns EXIT_USAGE. */
int report_unknown_command(const char *name);

#endif
