/* SPDX-License-Identifier: BSD-2-Clause */
/* The program as a whole: its overview, and what a command line without a command means. */
#ifndef RETSNOOP_BUILTIN_SUITE_DISPATCH_H
#define RETSNOOP_BUILTIN_SUITE_DISPATCH_H

#include <stdbool.h>
#include <stdio.h>

/* Find the command and run it; the exit status. */
int dispatch(int argc, char **argv);

/* `retsnoop -h`: what it is, the commands. */
void print_overview(FILE *out, bool color);

/* Offers the nearest name; EXIT_USAGE. */
int report_unknown_command(const char *name);

#endif
