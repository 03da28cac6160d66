/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of `retsnoop report`. */
#ifndef RETSNOOP_BUILTIN_REPORT_OPTIONS_H
#define RETSNOOP_BUILTIN_REPORT_OPTIONS_H

#include "builtin/builtin.h"
#include "builtin/report_open.h"
#include "util/trace/ask/request.h"

extern const struct option_group *const report_option_groups[];

struct report_options {
	const char *path;
	const char *other;	/* to be compared with; NULL: none is */
	struct report_choice choice;
	bool diff, input;	/* --diff, -i were given */
};

/*
 * As command_parse() returns. The request knows which settings were given; the others are to be
 * those of the recording.
 */
int report_options_parse(const struct command *command, int argc, char **argv,
			 struct trace_request *request, struct report_options *options,
			 struct command_args *ret_args);

#endif
