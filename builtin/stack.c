// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop stack`: the call stack behind each failing call. */
#include "builtin/builtin.h"

#include "builtin/tracing.h"
#include "util/trace/ask/request.h"

static const char stack_help[] =
	"Traces the kernel functions that the globs select and, for each call of an entry function "
	"(-e) that fails, prints the kernel call stack down to the function where the failure "
	"began, with results and durations of the traced calls.\n"
	"\n"
	"Calls of allowed functions (-a) inside an entry call are traced with it; denied ones (-d) "
	"never are. With a workload after --, only it and its children are traced, until it ends.";

static int stack_run(const struct command *command, int argc, char **argv)
{
	return tracing_run(command, argc, argv, MODE_STACK);
}

static int default_run(const struct command *command, int argc, char **argv)
{
	return tracing_run(command, argc, argv, 0);
}

#define STACK_COMMAND                                                                              \
	.name = "stack",                                                                           \
	.summary = "show the call stack behind each failing call",                                 \
	.usage = TRACING_USAGE,                                                                    \
	.help = stack_help,                                                                        \
	.options = tracing_options,                                                                \
	.formats = TRACING_FORMATS,                                                         \
	.needs = NEED_TRACING

const struct command cmd_stack = { STACK_COMMAND, .run = stack_run };
const struct command cmd_default = { STACK_COMMAND, .run = default_run };
