/* SPDX-License-Identifier: BSD-2-Clause */
/* What the commands that trace have in common: all but what each shows by itself. */
#ifndef RETSNOOP_BUILTIN_TRACING_H
#define RETSNOOP_BUILTIN_TRACING_H

#include "builtin/builtin.h"

/* The options they take; command_parse() is given the request for each group. */
#define TRACING_OPTIONS                                                                            \
	&function_options, &mode_options, &branch_options, &args_options, &filter_options,         \
		&error_options, &run_options, &attach_options, &symbol_options, &general_options

extern const struct option_group *const tracing_options[];

/* How they can show sessions. */
#define TRACING_FORMATS                                                                            \
	(FORMAT_TEXT | FORMAT_JSON | FORMAT_FOLDED | FORMAT_FOLDED_ERRNO |                         \
	 FORMAT_FOLDED_LATENCY | FORMAT_CHROME | FORMAT_HTML)

#define TRACING_USAGE "-e GLOB [-a GLOB] [-d GLOB] [options] [-- COMMAND [ARG...]]"

/**
 * Run such a command from its command line to its exit status.
 *
 * @modes	MODE_x that it shows, to which options add; 0: what options ask for, or else the
 *		stack
 */
int tracing_run(const struct command *command, int argc, char **argv, unsigned int modes);

#endif
