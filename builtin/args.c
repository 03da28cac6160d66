// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop args`: a trace with the arguments of every call. */
#include "builtin/suite/command.h"

#include "builtin/tracing.h"
#include "util/ask/request.h"

static const char args_help[] =
	"Traces the kernel functions that the globs select. For each call of an entry function "
	"(-e), failed or not, prints every traced call inside it with its arguments by name, and "
	"the data that pointers lead to. The kernel's own types describe them. -Sn prints only "
	"calls that fail.\n"
	"\n"
	"Captured data stays in the kernel until the entry call has returned and is to be shown. "
	"--args selects arguments and members.";

static const struct option_group *const args_own_groups[] = { &function_options, &args_options, NULL };

static const char args_examples[] =
	"# The arguments of the failing calls of mount(2)\n"
	"retsnoop args -Sn --syscall=mount -a path_mount -- mount /dev/sdb1 /mnt\n"
	"# Only some arguments, and what they point to\n"
	"retsnoop args -e do_filp_open --args '*: pathname->name, op->open_flag'\n"
	"# Only calls with certain arguments\n"
	"retsnoop args -e __sys_bpf --where '__sys_bpf: cmd == BPF_PROG_LOAD'";

static int args_run(const struct command *command, int argc, char **argv)
{
	return tracing_run(command, argc, argv, MODE_TRACE | MODE_ARGS);
}

const struct command cmd_args = {
	.name = "args",
	.summary = "show every traced call with its arguments",
	.usage = TRACING_USAGE,
	.help = args_help,
	.examples = args_examples,
	.own_groups = args_own_groups,
	.options = tracing_options,
	.formats = TRACING_FORMATS,
	.needs = NEED_TRACING,
	.run = args_run,
};
