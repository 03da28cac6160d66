// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop lbr`: the branches that the CPU took before a call failed. */
#include "builtin/suite/command.h"

#include "builtin/tracing.h"
#include "util/ask/request.h"

static const char lbr_help[] =
	"Traces the kernel functions that the globs select. For each call of an entry function "
	"(-e) that fails, prints the last branches that the CPU took before the innermost failing "
	"traced function returned, oldest first, and the call stack. If branches and debug info "
	"show it, the branch that the error came from is printed, too.\n"
	"\n"
	"Needs a CPU that records branches: Intel's LBR, or AMD since Zen 4; in a virtual "
	"machine, the host must pass the records on. A CPU keeps few records, so trace the "
	"failing function itself (-a); with --lbr=any, each of its last steps is recorded.";

static const struct option_group *const lbr_own_groups[] = { &function_options, &branch_options, NULL };

static const char lbr_examples[] =
	"# The branches before an error was returned, and the one that decided it\n"
	"retsnoop lbr --lbr=any -e '*_sys_bpf' -a array_map_alloc_check -- ./program\n"
	"# The functions that returned last, of all kinds of failures\n"
	"retsnoop lbr -e '*_sys_mount' -a '*mount*' -- mount /dev/sdb1 /mnt\n"
	"# With the lines of source that decided\n"
	"retsnoop lbr --lbr=any --source=. -e '*_sys_bpf' -a map_create -- ./program";

static int lbr_run(const struct command *command, int argc, char **argv)
{
	return tracing_run(command, argc, argv, MODE_BRANCHES | MODE_STACK);
}

const struct command cmd_lbr = {
	.name = "lbr",
	.summary = "show the branches the CPU took before a call failed",
	.usage = TRACING_USAGE,
	.help = lbr_help,
	.examples = lbr_examples,
	.own_groups = lbr_own_groups,
	.options = tracing_options,
	.formats = TRACING_FORMATS,
	.needs = NEED_TRACING,
	.run = lbr_run,
};
