/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The options of `retsnoop report`: those of tracing that make sense of what is over, with the
 * recording's settings where they say nothing.
 */
#ifndef RETSNOOP_BUILTIN_REPORT_OPTIONS_H
#define RETSNOOP_BUILTIN_REPORT_OPTIONS_H

#include "builtin/builtin.h"
#include "util/trace/ask/request.h"

#define REPORT_DEFAULT_PATH "retsnoop.data"

extern const struct option_group *const report_option_groups[];

/* What has to be known before the rest makes sense. */
struct report_options {
	const char *path;
	const char *output;	/* NULL: standard output */
	const char *other;	/* to be compared with; NULL: none is */
};

/* Only these. As command_parse() returns. */
int report_options_scan(const struct command *command, int argc, char **argv,
			struct report_options *options);

/* All others, into a request that has the recording's settings. */
int report_options_parse(const struct command *command, int argc, char **argv,
			 struct trace_request *request, struct command_args *ret_args);

#endif
