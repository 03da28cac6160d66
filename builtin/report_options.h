/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of `retsnoop report`. */
#ifndef RETSNOOP_BUILTIN_REPORT_OPTIONS_H
#define RETSNOOP_BUILTIN_REPORT_OPTIONS_H

#include "builtin/report_read.h"
#include "builtin/suite/command.h"
#include "util/ask/request.h"

extern const struct option_group *const report_option_groups[];

struct report_options {
	VEC(char *) paths;	/* at least one; borrowed, as others */
	VEC(char *) others;	/* --diff: the recordings to compare with */
	struct report_choice choice;
	bool diff;
};

void report_options_release(struct report_options *options);

/*
 * Parse the command line. The request knows which settings were given; the others will come from the
 * recording. Returns as command_parse() does.
 */
int report_options_parse(const struct command *command, int argc, char **argv,
			 struct trace_request *request, struct report_options *options,
			 struct command_args *ret_args);

/*
 * Fill in settings that were not given: how sessions are shown, from the first recording; sources of
 * debug info, from this machine's configuration. 0; -EINVAL and others (reported).
 */
int report_take_settings(const struct report_set *set, struct trace_request *request);

#endif
