// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop lbr`: the branches that the CPU took before a call failed. */
#include "builtin/builtin.h"

#include "builtin/tracing.h"
#include "util/trace/ask/request.h"

static const char lbr_help[] =
	"Traces the kernel functions that the globs select and, for each call of an entry function "
	"(-e) that fails, prints the last branches that the CPU took before the innermost failing "
	"call of a traced function returned, oldest first, with the call stack below, and, as far as "
	"branches and debug info tell, the branch that the error came from.\n"
	"\n"
	"That needs a CPU that records branches, and access to it: Intel's LBR or AMD's since Zen 4, "
	"and in a virtual machine a host that passes it on. The record is short: trace the function "
	"itself that fails (-a), and with --lbr=any its last steps can be followed one by one.";

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
