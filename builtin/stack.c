// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop stack`: the call stack behind each failing call. */
#include "builtin/suite/command.h"

#include "builtin/tracing.h"
#include "util/ask/request.h"

static const char stack_help[] =
	"Traces the kernel functions that the globs select and, for each call of an entry function "
	"(-e) that fails, prints the kernel call stack down to the function where the failure "
	"began, with results and durations of the traced calls.\n"
	"\n"
	"Calls of allowed functions (-a) inside an entry call are traced with it; denied ones (-d) "
	"never are. With a workload after --, only it and its children are traced, until it ends.";

static const char stack_examples[] =
	"# Which kernel function made this mount(2) fail?\n"
	"retsnoop stack --syscall=mount -a '*mount*' -- mount /dev/sdb1 /mnt\n"
	"# Who gets EPERM or EACCES from opening files, on the whole machine?\n"
	"retsnoop stack -e do_sys_openat2 -a '*inode_permission*' -x EPERM,EACCES\n"
	"# All of bpf(2), until one failing call was shown\n"
	"retsnoop stack -c bpf --max-sessions=1";

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
	.examples = stack_examples,                                                                \
	.own_groups = tracing_own_groups,                                                          \
	.options = tracing_options,                                                                \
	.formats = TRACING_FORMATS,                                                         \
	.needs = NEED_TRACING

const struct command cmd_stack = { STACK_COMMAND, .run = stack_run };
const struct command cmd_default = { STACK_COMMAND, .run = default_run };
