// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop trace`: every traced call of a session, in order. */
#include "builtin/suite/command.h"

#include "builtin/tracing.h"
#include "util/ask/request.h"

static const char trace_help[] =
	"Traces the kernel functions that the globs select and, for each call of an entry function "
	"(-e), failed or not, prints every traced call inside it, in order and by nesting, with "
	"results and durations. -Sn prints only calls that fail; so does -E, which adds their "
	"stacks.\n"
	"\n"
	"Calls of allowed functions (-a) inside an entry call are traced with it; denied ones (-d) "
	"never are. What is not shown does not leave the kernel. With a workload after --, only it "
	"and its children are traced, until it ends.";

static const char trace_examples[] =
	"# What happened in mount(2) before it failed, and how long each call took\n"
	"retsnoop trace --syscall=mount -a '*mount*' -- mount /dev/sdb1 /mnt\n"
	"# Writes of postgres to ext4 that took over 20 ms, failed or not\n"
	"retsnoop trace -e ksys_write -a 'ext4_*' -n postgres -L 20\n"
	"# Failing calls only, each with its stack\n"
	"retsnoop trace -E -e '*_sys_bpf' -a ':kernel/bpf/*.c' -- ./program";

static int trace_run(const struct command *command, int argc, char **argv)
{
	return tracing_run(command, argc, argv, MODE_TRACE);
}

const struct command cmd_trace = {
	.name = "trace",
	.summary = "show every traced call, with results and durations",
	.usage = TRACING_USAGE,
	.help = trace_help,
	.examples = trace_examples,
	.own_groups = tracing_own_groups,
	.options = tracing_options,
	.formats = TRACING_FORMATS,
	.needs = NEED_TRACING,
	.run = trace_run,
};
