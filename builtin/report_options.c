// SPDX-License-Identifier: BSD-2-Clause
/* Command lines of `retsnoop report`: parsed once to know the recording, and once to change it. */
#include "builtin/report_options.h"

#include <errno.h>
#include <string.h>

#include "builtin/options.h"
#include "builtin/trace_config.h"
#include "util/base/report.h"

/* A row's key is a letter, or this and its place among those below. */
#define OPT_PASSED_ON (OPTION_LONG + 0x100)
#define OPT_REFUSED (OPTION_LONG + 0x200)

#define OPT_DIFF OPTION_LONG

/* What parse functions are told. */
struct target {
	bool diff, input;			/* --diff, -i were given */
	struct report_options *options;		/* NULL: the second time */
	struct trace_request *request;		/* NULL: the first time */
};

/* Options of the tracing commands without letters, by name. */
static const struct passed_on {
	const struct option_group *group;
	const char *name;
} passed_on[] = {
	{ &mode_options, "summary" },
	{ &filter_options, "return" },
	{ &filter_options, "fn-longer" },
	{ &run_options, "max-sessions" },
	{ &branch_options, "lbr-full" },
	{ &branch_options, "lbr-max-count" },
	{ &branch_options, "source" },
	{ &symbol_options, "debuginfod" },
	{ &general_options, "config-help" },
};

enum {
	PASS_SUMMARY,
	PASS_RETURN,
	PASS_FN_LONGER,
	PASS_MAX_SESSIONS,
	PASS_LBR_FULL,
	PASS_LBR_MAX_COUNT,
	PASS_SOURCE,
	PASS_DEBUGINFOD,
	PASS_CONFIG_HELP,
};

enum {
	REFUSE_ARGS = OPT_REFUSED,
	REFUSE_WHERE,
	REFUSE_CGROUP,
	REFUSE_UID,
	REFUSE_MAX_DEPTH,
	REFUSE_ERROR_IF,
	REFUSE_INTERVAL,
	REFUSE_ATTACH,
	REFUSE_DURATION,
	REFUSE_STATS,
	REFUSE_DRY_RUN,
	REFUSE_FORWARD_STATUS,
	REFUSE_LIVE,
	REFUSE_MAX_SIZE,
	REFUSE_FULL_BTF,
};

#define NOTHING_ATTACHED "nothing is attached; that is for 'retsnoop record'"
#define NOTHING_RUNS "nothing runs; that is for 'retsnoop record'"

static const struct refused {
	int key;
	const char *name, *why;
} refused[] = {
	{ 'J', "-J", "points that were not there are not recorded" },
	{ REFUSE_ARGS, "--args", "what was captured of arguments is what there is; -A shows it" },
	{ REFUSE_WHERE, "--where", "arguments that were not captured cannot be compared" },
	{ REFUSE_CGROUP, "--cgroup", "a recording does not know processes' cgroups" },
	{ REFUSE_UID, "--uid", "a recording does not know processes' users" },
	{ REFUSE_MAX_DEPTH, "--max-depth", "what was deeper was not recorded" },
	{ REFUSE_ERROR_IF, "--error-if",
	  "which calls failed was decided when they were recorded" },
	{ REFUSE_INTERVAL, "--interval", "a recording is counted as a whole; --summary does" },
	{ 'c', "-c", "ready sets are for tracing; -e and -a select of what was recorded" },
	{ REFUSE_ATTACH, "--attach", NOTHING_ATTACHED },
	{ 'M', "-M", NOTHING_ATTACHED },
	{ 'K', "-K", NOTHING_ATTACHED },
	{ 'F', "-F", NOTHING_ATTACHED },
	{ REFUSE_DRY_RUN, "--dry-run", NOTHING_ATTACHED },
	{ REFUSE_DURATION, "--duration", NOTHING_RUNS "; --max-sessions ends a report" },
	{ REFUSE_STATS, "--stats", NOTHING_RUNS },
	{ REFUSE_FORWARD_STATUS, "--forward-status", NOTHING_RUNS },
	{ REFUSE_LIVE, "--live", NOTHING_RUNS },
	{ REFUSE_MAX_SIZE, "--max-size", "nothing is written; that is for 'retsnoop record'" },
	{ REFUSE_FULL_BTF, "--full-btf", "nothing is written; that is for 'retsnoop record'" },
};

static const struct argp_option input_rows[] = {
	{ "input", 'i', "FILE", 0,
	  "The recording, - for standard input; " REPORT_DEFAULT_PATH " by default" },
	{ "output", 'o', "FILE", 0, "Write to FILE instead of standard output" },
	{ "diff", OPT_DIFF, NULL, 0,
	  "Compare two recordings: which ways errors took, and how long calls took" },
	{}
};

static const struct argp_option mode_rows[] = {
	{ "trace", 'T', NULL, 0, "Show every traced call of a session, in order" },
	{ "no-trace", OPTION_NO('T'), NULL, OPTION_HIDDEN, NULL },
	{ "call-stack", 'E', NULL, 0, "Show the call stack behind the result of a session" },
	{ "no-call-stack", OPTION_NO('E'), NULL, OPTION_HIDDEN, NULL },
	{ "capture-args", 'A', NULL, 0, "Show arguments, where they were captured" },
	{ "no-capture-args", OPTION_NO('A'), NULL, OPTION_HIDDEN, NULL },
	{ "lbr", 'B', NULL, 0, "Show the CPU's branches before the result" },
	{ "no-lbr", OPTION_NO('B'), NULL, OPTION_HIDDEN, NULL },
	{ "lbr-full", OPT_PASSED_ON + PASS_LBR_FULL, NULL, 0,
	  "Show those, too, that tracing itself took, and blank ones" },
	{ "no-lbr-full", OPTION_NO(OPT_PASSED_ON + PASS_LBR_FULL), NULL, OPTION_HIDDEN, NULL },
	{ "lbr-max-count", OPT_PASSED_ON + PASS_LBR_MAX_COUNT, "N", 0,
	  "Show no more than N, those closest to the return; 0 all" },
	{ "source", OPT_PASSED_ON + PASS_SOURCE, "DIR", 0,
	  "Source tree of the recorded kernel, to show the lines that led to a result" },
	{ "summary", OPT_PASSED_ON + PASS_SUMMARY, NULL, 0,
	  "Show no single sessions; count them by function and result, with latencies, and errors "
	  "by the function they came from" },
	{ "no-summary", OPTION_NO(OPT_PASSED_ON + PASS_SUMMARY), NULL, OPTION_HIDDEN, NULL },
	{ "max-sessions", OPT_PASSED_ON + PASS_MAX_SESSIONS, "N", 0, "Show no more than N calls" },
	{}
};

static const struct argp_option filter_rows[] = {
	{ "entry", 'e', "GLOB", 0, "Only calls of these entry functions" },
	{ "allow", 'a', "GLOB", 0, "Only calls inside which such a function was called" },
	{ "deny", 'd', "GLOB", 0, "Not calls of these entry functions" },
	{ "pid", 'p', "PID", 0, "Only the processes with these ids: one, or several with commas" },
	{ "no-pid", 'P', "PID", 0, "Not the processes with these ids" },
	{ "comm", 'n', "NAME", 0, "Only processes of that name; @FILE has one name a line" },
	{ "no-comm", 'N', "NAME", 0, "Not processes of that name" },
	{ "allow-errors", 'x', "ERROR", 0,
	  "Only calls that failed so: EINVAL, -22, NULL or any; several with commas" },
	{ "deny-errors", 'X', "ERROR", 0, "Not calls that failed so" },
	{ "return", OPT_PASSED_ON + PASS_RETURN, "EXPR", 0,
	  "Only calls with such a result: -EINVAL, '<0', '!=0', NULL; alternatives with commas" },
	{ "longer", 'L', "TIME", 0,
	  "Only calls that took at least so many milliseconds; 500us and 1s work too" },
	{ "fn-longer", OPT_PASSED_ON + PASS_FN_LONGER, "TIME", 0,
	  "Only calls inside which some traced call took at least that long" },
	{ "success-stacks", 'S', "y|n", OPTION_ARG_OPTIONAL,
	  "-Sn: only calls that failed; by default all that were recorded" },
	{ "no-success-stacks", OPTION_NO('S'), NULL, OPTION_HIDDEN, NULL },
	{ "interim-stacks", 'I', NULL, 0, "Errors that were handled on the way, too" },
	{ "no-interim-stacks", OPTION_NO('I'), NULL, OPTION_HIDDEN, NULL },
	{}
};

static const struct argp_option symbol_rows[] = {
	{ "kernel", 'k', "VMLINUX", 0,
	  "The recorded kernel's image with debug info, when it is in no usual place" },
	{ "debuginfod", OPT_PASSED_ON + PASS_DEBUGINFOD, NULL, 0,
	  "Ask debuginfod servers for debug info that is not here; Ctrl-C gives up" },
	{ "no-debuginfod", OPTION_NO(OPT_PASSED_ON + PASS_DEBUGINFOD), NULL, OPTION_HIDDEN, NULL },
	{ "symbolize", 's', "LEVEL", OPTION_ARG_OPTIONAL,
	  "Use of debug info: -sn none, -s source lines, -ss inlined calls, too. By default all "
	  "there is" },
	{}
};

static const struct argp_option other_rows[] = {
	{ "config", 'C', "KEY=VALUE", 0, "Set a configuration key for this report" },
	{ "config-help", OPT_PASSED_ON + PASS_CONFIG_HELP, NULL, 0, "List the configuration keys" },
	{ "inject-probe", 'J', "POINT", OPTION_HIDDEN, NULL },
	{ "case", 'c', "NAME", OPTION_HIDDEN, NULL },
	{ "kprobes-multi", 'M', NULL, OPTION_HIDDEN, NULL },
	{ "kprobes", 'K', NULL, OPTION_HIDDEN, NULL },
	{ "fentries", 'F', NULL, OPTION_HIDDEN, NULL },
	{ "args", REFUSE_ARGS, "SELECTION", OPTION_HIDDEN, NULL },
	{ "where", REFUSE_WHERE, "CONDITION", OPTION_HIDDEN, NULL },
	{ "cgroup", REFUSE_CGROUP, "PATH", OPTION_HIDDEN, NULL },
	{ "uid", REFUSE_UID, "USER", OPTION_HIDDEN, NULL },
	{ "max-depth", REFUSE_MAX_DEPTH, "N", OPTION_HIDDEN, NULL },
	{ "error-if", REFUSE_ERROR_IF, "RULE", OPTION_HIDDEN, NULL },
	{ "interval", REFUSE_INTERVAL, "SECONDS", OPTION_HIDDEN, NULL },
	{ "attach", REFUSE_ATTACH, "RUNG", OPTION_HIDDEN, NULL },
	{ "duration", REFUSE_DURATION, "TIME", OPTION_HIDDEN, NULL },
	{ "stats", REFUSE_STATS, "SECONDS", OPTION_HIDDEN, NULL },
	{ "dry-run", REFUSE_DRY_RUN, NULL, OPTION_HIDDEN, NULL },
	{ "forward-status", REFUSE_FORWARD_STATUS, NULL, OPTION_HIDDEN, NULL },
	{ "live", REFUSE_LIVE, NULL, OPTION_HIDDEN, NULL },
	{ "max-size", REFUSE_MAX_SIZE, "SIZE", OPTION_HIDDEN, NULL },
	{ "full-btf", REFUSE_FULL_BTF, NULL, OPTION_HIDDEN, NULL },
	{}
};

static int parse_input(int key, char *arg, void *data)
{
	struct target *target = data;

	if (key == OPT_DIFF) {
		target->diff = true;
		return 0;
	}
	target->input |= key == 'i';
	if (!target->options)
		return 0;
	if (!*arg)
		return report(-EINVAL, "-%c: the name of a file is missing", key);
	if (key == 'i')
		target->options->path = arg;
	else
		target->options->output = strcmp(arg, "-") ? arg : NULL;
	return 0;
}

static int pass_on(const struct passed_on *to, bool on, char *arg, struct trace_request *request)
{
	for_each_option(option, to->group) {
		if (option->name && !strcmp(option->name, to->name))
			return to->group->parse(on ? option->key : OPTION_NO(option->key), arg,
						request);
	}
	return -EINVAL;
}

static int parse_passed(const struct option_group *group, int key, char *arg, void *data)
{
	const struct target *target = data;
	int passed = key & ~OPTION_NO(0);

	if (!target->request)
		return 0;
	if (passed >= OPT_PASSED_ON && passed < OPT_REFUSED)
		return pass_on(&passed_on[passed - OPT_PASSED_ON], passed == key, arg,
			       target->request);
	return group->parse(key, arg, target->request);
}

static int parse_mode(int key, char *arg, void *data)
{
	bool args = key == 'A' || key == OPTION_NO('A');
	bool branches = key == 'B' || key == OPTION_NO('B');

	return parse_passed(args     ? &args_options :
			    branches ? &branch_options :
				       &mode_options,
			    key, arg, data);
}

static int parse_filter(int key, char *arg, void *data)
{
	bool functions = key == 'e' || key == 'a' || key == 'd';

	if (functions && *arg == ':')
		return report(-EINVAL, "-%c: a recording knows functions by name, not by source file",
			      key);
	return parse_passed(functions ? &function_options : &filter_options, key, arg, data);
}

static int parse_symbol(int key, char *arg, void *data)
{
	return parse_passed(&symbol_options, key, arg, data);
}

static int parse_other(int key, char *arg, void *data)
{
	const struct target *target = data;

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		if (refused[i].key == key)
			return report(-EINVAL, "report: %s: %s", refused[i].name, refused[i].why);
	}
	/* It needs no recording. */
	if (key == OPT_PASSED_ON + PASS_CONFIG_HELP)
		return pass_on(&passed_on[PASS_CONFIG_HELP], true, arg, NULL);
	if (!target->request)
		return 0;
	if (!strncmp(arg, "bpf.", 4) ||
	    (!strncmp(arg, "args.", 5) && strncmp(arg, "args.fmt-", 9)))
		return report(-EINVAL, "-C %s: that is for recording; it cannot be changed any more",
			      arg);
	return trace_config_set(target->request, arg);
}

static const struct option_group input_group = { "Recording", input_rows, parse_input, NULL };
static const struct option_group mode_group = { "What is shown", mode_rows, parse_mode, NULL };
static const struct option_group filter_group = {
	"Which calls are shown", filter_rows, parse_filter, NULL,
};
static const struct option_group symbol_group = { "Symbols", symbol_rows, parse_symbol, NULL };
static const struct option_group other_group = { "General", other_rows, parse_other, NULL };

const struct option_group *const report_option_groups[] = {
	&input_group, &mode_group, &filter_group, &symbol_group, &other_group, NULL,
};

#define NR_GROUPS (sizeof(report_option_groups) / sizeof(report_option_groups[0]) - 1)

static int parse(const struct command *command, int argc, char **argv, struct target *target,
		 struct command_args *ret_args)
{
	void *targets[NR_GROUPS];
	int err;

	for (size_t i = 0; i < NR_GROUPS; i++)
		targets[i] = target;
	err = command_parse(command, argc, argv, targets, ret_args);
	if (err)
		return err;
	if (target->diff && target->input)
		return report(-EINVAL, "--diff takes two recordings as arguments, and no -i");
	if (target->diff && ret_args->args.len != 2)
		return report(-EINVAL, "--diff takes two recordings: 'retsnoop report --diff A B'");
	if (target->diff && !strcmp(ret_args->args.data[0], "-") &&
	    !strcmp(ret_args->args.data[1], "-"))
		return report(-EINVAL, "--diff: standard input can be one of the two only");
	if (!target->diff && ret_args->args.len)
		return report(-EINVAL, "report: unexpected argument '%s'; a recording goes after -i",
			      ret_args->args.data[0]);
	return 0;
}

int report_options_scan(const struct command *command, int argc, char **argv,
			struct report_options *options)
{
	struct target target = { .options = options };
	struct command_args args = {};
	int err = parse(command, argc, argv, &target, &args);

	if (!err && target.diff) {
		options->path = args.args.data[0];
		options->other = args.args.data[1];
	}
	command_args_release(&args);
	return err;
}

int report_options_parse(const struct command *command, int argc, char **argv,
			 struct trace_request *request, struct command_args *ret_args)
{
	struct target target = { .request = request };

	return parse(command, argc, argv, &target, ret_args);
}
