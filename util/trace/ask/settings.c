// SPDX-License-Identifier: BSD-2-Clause
/*
 * All settings of a trace_request. From this table come the parser of command lines, -h, the
 * shells' completion, -C, configuration files, --config-help, what recordings keep, and the
 * options of `report`.
 *
 * Adding an option:
 *  1. a field in struct trace_request (request.h);
 *  2. a row here, in the group that it belongs to: with .key and .key_help it is a configuration
 *     key, too; .word or .choices is what completion offers;
 *  3. for `report`: .refused says why it makes no sense there, .report is another help text; a
 *     setting that sessions are shown with is recorded: .recorded, with a key of META that is
 *     free (settings.h, Documentation/retsnoop-data.txt);
 *  4. a value of no type that setting.h has: a function in setting_parsers.c;
 *  5. the code that reads the field;
 *  6. the manual page (Documentation/options-*.adoc, retsnoop-report.adoc; keys:
 *     retsnoop-config.adoc) and CHANGELOG.md;
 *  7. a test in tests/unit/test_commands.c, and one of the effect.
 */
#include "util/trace/ask/settings.h"

#include "bpf/event.h"
#include "util/capture/branches/branch_types.h"
#include "util/trace/ask/setting_parsers.h"

#define FIELD(member) SETTING_FIELD(struct trace_request, member)

#define NOTHING_ATTACHED "nothing is attached; that is for 'retsnoop record'"
#define NOTHING_RUNS "nothing runs; that is for 'retsnoop record'"
#define RECORDED_ALREADY "that is for recording; it cannot be changed any more"

_Static_assert(EVENT_MAX_DEPTH == 256, "the row of --max-depth says 256");
_Static_assert(ARGS_MAX_BYTES - 16 == 4080, "the rows of args.* say 4080");

static const struct setting_choice success_choices[] = {
	{ "y", NULL, SUCCESS_YES }, { "n", NULL, SUCCESS_NO }, {},
};

static const struct setting_choice symbolize_choices[] = {
	{ "auto", NULL, SYMBOLIZE_AUTO },     { "none", "n", SYMBOLIZE_NONE },
	{ "lines", "linenum", SYMBOLIZE_LINES }, { "inlines", "s", SYMBOLIZE_INLINES }, {},
};

static const struct setting_choice layout_choices[] = {
	{ "compact", "c", ARGS_COMPACT }, { "multiline", "m", ARGS_MULTILINE },
	{ "verbose", "v", ARGS_VERBOSE }, {},
};

static const char *symbolize_word(size_t i)
{
	static const char *const words[] = { "n", "s" };

	return i < 2 ? words[i] : NULL;
}

const struct setting settings[] = {
	{ "entry", 'e', SETTINGS_FUNCTIONS, 0, SETTING_CUSTOM, "GLOB",
	  "Functions whose calls are watched, from entry to return. GLOB is a name with * and ?, "
	  "'NAME [MODULE]', ':SOURCE-PATH', or @FILE with one of these a line",
	  FIELD(entry), .parse = parse_spec, .report = "Only calls of these entry functions" },
	{ "allow", 'a', SETTINGS_FUNCTIONS, 0, SETTING_CUSTOM, "GLOB",
	  "Functions to trace inside such a call, too", FIELD(allow), .parse = parse_spec,
	  .report = "Only calls inside which such a function was called" },
	{ "deny", 'd', SETTINGS_FUNCTIONS, 0, SETTING_CUSTOM, "GLOB",
	  "Functions to leave out, whatever else selects them", FIELD(deny), .parse = parse_spec,
	  .report = "Not calls of these entry functions" },
	{ "case", 'c', SETTINGS_FUNCTIONS, 0, SETTING_CUSTOM, "NAME",
	  "A ready set of the three: bpf, perf, or one from the configuration",
	  .parse = parse_case, .word = case_word,
	  .refused = "ready sets are for tracing; -e and -a select of what was recorded" },

	{ "trace", 'T', SETTINGS_MODES, SETTING_NEGATABLE, SETTING_CUSTOM, NULL,
	  "Show every traced call of a session, in order. Without -E, successful calls are shown, too",
	  .parse = parse_mode, .value = MODE_TRACE,
	  .report = "Show every traced call of a session, in order" },
	{ "call-stack", 'E', SETTINGS_MODES, SETTING_NEGATABLE, SETTING_CUSTOM, NULL,
	  "Show the call stack behind the result of a session",
	  .parse = parse_mode, .value = MODE_STACK },
	{ "summary", 0, SETTINGS_MODES, SETTING_NEGATABLE, SETTING_CUSTOM, NULL,
	  "Show no single sessions; count them by function and result, with latencies, and errors "
	  "by the function they came from", FIELD(summary), .parse = parse_summary },
	{ "interval", 0, SETTINGS_MODES, 0, SETTING_CUSTOM, "SECONDS",
	  "Print such a summary that often, and begin a new one; 500ms and 1m work too",
	  FIELD(interval_ns), .parse = parse_interval,
	  .refused = "a recording is counted as a whole; --summary does" },
	{ "stats", 0, SETTINGS_MODES, 0, SETTING_TIME, "SECONDS",
	  "Say that often, on standard error, what was seen and what may have been missed",
	  FIELD(stats_ns), .unit = NSEC_PER_SEC, .min = 1,
	  .values = "a time; try 10 (seconds), 500ms or 1m", .refused = NOTHING_RUNS },

	{ "pid", 'p', SETTINGS_FILTERS, 0, SETTING_CUSTOM, "PID",
	  "Only the processes with these ids: one, or several with commas", .parse = parse_pids },
	{ "no-pid", 'P', SETTINGS_FILTERS, 0, SETTING_CUSTOM, "PID",
	  "Not the processes with these ids", .parse = parse_pids },
	{ "comm", 'n', SETTINGS_FILTERS, 0, SETTING_CUSTOM, "NAME",
	  "Only processes of that name; @FILE has one name a line", .parse = parse_comm },
	{ "no-comm", 'N', SETTINGS_FILTERS, 0, SETTING_CUSTOM, "NAME",
	  "Not processes of that name", .parse = parse_comm },
	{ "cgroup", 0, SETTINGS_FILTERS, 0, SETTING_CUSTOM, "PATH",
	  "Only processes in that cgroup (version 2) or below it; may be given several times",
	  .parse = parse_cgroup, .refused = "a recording does not know processes' cgroups" },
	{ "uid", 0, SETTINGS_FILTERS, 0, SETTING_CUSTOM, "USER",
	  "Only processes of that user, by name or number; several with commas",
	  .parse = parse_users, .refused = "a recording does not know processes' users" },
	{ "allow-errors", 'x', SETTINGS_FILTERS, 0, SETTING_CUSTOM, "ERROR",
	  "Only calls that failed so: EINVAL, -22, NULL or any; several with commas",
	  FIELD(allow_errnos), .parse = parse_errors, .word = error_word },
	{ "deny-errors", 'X', SETTINGS_FILTERS, 0, SETTING_CUSTOM, "ERROR",
	  "Not calls that failed so", FIELD(deny_errnos), .parse = parse_errors,
	  .word = error_word },
	{ "return", 0, SETTINGS_FILTERS, 0, SETTING_CUSTOM, "EXPR",
	  "Only calls with such a result: -EINVAL, '<0', '!=0', NULL; alternatives with commas. "
	  "Implies -S", .parse = parse_return,
	  .report = "Only calls with such a result: -EINVAL, '<0', '!=0', NULL; alternatives with "
		    "commas" },
	{ "longer", 'L', SETTINGS_FILTERS, 0, SETTING_TIME, "TIME",
	  "Only calls that took at least so many milliseconds; 500us and 1s work too",
	  FIELD(longer_ns), .unit = NSEC_PER_MSEC,
	  .values = "a time; try 5 (milliseconds), 20us or 1s" },
	{ "fn-longer", 0, SETTINGS_FILTERS, 0, SETTING_TIME, "TIME",
	  "Only calls inside which some traced call took at least that long",
	  FIELD(fn_longer_ns), .unit = NSEC_PER_MSEC,
	  .values = "a time; try 5 (milliseconds), 20us or 1s" },
	{ "max-depth", 0, SETTINGS_FILTERS, 0, SETTING_NUMBER, "N",
	  "Keep that many nested calls of a session, up to 256; deeper ones are only counted",
	  FIELD(max_depth), .min = 1, .max = EVENT_MAX_DEPTH, .initial = EVENT_MAX_DEPTH,
	  .values = "a number from 1 to 256", .recorded = { META_MAX_DEPTH, 0, 4 },
	  .refused = "what was deeper was not recorded" },
	{ "success-stacks", 'S', SETTINGS_FILTERS, SETTING_OPTIONAL | SETTING_NEGATABLE,
	  SETTING_CHOICE, "y|n",
	  "-S or -Sy: show successful calls, too; -Sn: show only failed calls. By default traces "
	  "without stacks show both, stacks and branches only failed calls",
	  FIELD(success), .choices = success_choices, .value = SUCCESS_YES, .off = SUCCESS_NO,
	  .values = "y or n",
	  .report = "-Sn: only calls that failed; by default all that were recorded" },
	{ "interim-stacks", 'I', SETTINGS_FILTERS, SETTING_NEGATABLE, SETTING_FLAG, NULL,
	  "Errors that were handled on the way, too", FIELD(interim) },

	{ "error-if", 0, SETTINGS_ERRORS, 0, SETTING_CUSTOM, "RULE",
	  "'GLOB: ret OP VALUE': of functions that GLOB selects, such results are errors and no "
	  "others; alternatives with ||", .parse = parse_error_rule,
	  .refused = "which calls failed was decided when they were recorded" },

	{ "duration", 0, SETTINGS_RUN, 0, SETTING_TIME, "TIME",
	  "End after that many seconds; 500ms and 2m work too",
	  FIELD(duration_ns), .unit = NSEC_PER_SEC, .min = 1,
	  .values = "a time; try 10 (seconds), 500ms or 2m",
	  .refused = NOTHING_RUNS "; --max-sessions ends a report" },
	{ "max-sessions", 0, SETTINGS_RUN, 0, SETTING_NUMBER, "N",
	  "End when N calls have been shown", FIELD(max_sessions), .min = 1, .max = UINT64_MAX,
	  .values = "a number of calls", .report = "Show no more than N calls" },
	{ "forward-status", 0, SETTINGS_RUN, SETTING_NEGATABLE, SETTING_FLAG, NULL,
	  "Exit as the workload did, unless retsnoop itself failed", FIELD(forward_status),
	  .refused = NOTHING_RUNS },

	{ "attach", 0, SETTINGS_ATTACH, 0, SETTING_CUSTOM, "RUNG",
	  "How to attach: auto (the best there is), fsession-multi, kprobe-session, kprobe-multi, "
	  "fentry or kprobe", FIELD(rung), .initial = RUNG_AUTO, .parse = parse_rung,
	  .word = rung_word, .refused = NOTHING_ATTACHED },
	{ "kprobes-multi", 'M', SETTINGS_ATTACH, 0, SETTING_CONST, NULL,
	  "The same as --attach=kprobe-multi", FIELD(rung), .value = RUNG_KPROBE_MULTI,
	  .refused = NOTHING_ATTACHED },
	{ "kprobes", 'K', SETTINGS_ATTACH, 0, SETTING_CONST, NULL,
	  "The same as --attach=kprobe", FIELD(rung), .value = RUNG_KPROBE,
	  .refused = NOTHING_ATTACHED },
	{ "fentries", 'F', SETTINGS_ATTACH, 0, SETTING_CONST, NULL,
	  "The same as --attach=fentry", FIELD(rung), .value = RUNG_FENTRY,
	  .refused = NOTHING_ATTACHED },
	{ "dry-run", 0, SETTINGS_ATTACH, SETTING_NEGATABLE, SETTING_FLAG, NULL,
	  "Print what would be traced and how; attach nothing", FIELD(dry_run),
	  .refused = NOTHING_ATTACHED },
	/* The kernel keeps the size of a ring buffer in 32 bits. */
	{ .group = SETTINGS_KEYS, .type = SETTING_POWER, FIELD(ringbuf_size), .max = 1ull << 31,
	  .initial = DEFAULT_RINGBUF_SIZE, .key = "bpf.ringbuf-size", .values = "a size up to 2G",
	  .key_help = "buffer between the kernel and retsnoop", .refused = RECORDED_ALREADY },
	{ .group = SETTINGS_KEYS, .type = SETTING_COUNT, FIELD(sessions_size), .min = 1,
	  .max = 1 << 20, .initial = 1024, .key = "bpf.sessions-size",
	  .values = "a number up to 1M", .key_help = "calls that can be under way at once",
	  .refused = RECORDED_ALREADY },
	/* The default of 0 is replaced by trace_request_settle(). */
	{ .group = SETTINGS_KEYS, .type = SETTING_POWER, FIELD(session_buf_size), .min = 1 << 10,
	  .max = 1 << 20, .key = "bpf.session-buf-size", .values = "a size from 1K to 1M",
	  .key_help = "trace kept with each of them, until it is known to be wanted",
	  .refused = RECORDED_ALREADY },

	{ "kernel", 'k', SETTINGS_SYMBOLS, 0, SETTING_CUSTOM, "VMLINUX",
	  "Kernel image with debug info, when it is in no usual place", .parse = parse_vmlinux,
	  .report = "The recorded kernel's image with debug info, when it is in no usual place" },
	{ "symbolize", 's', SETTINGS_SYMBOLS, SETTING_OPTIONAL, SETTING_CHOICE, "LEVEL",
	  "Use of debug info: -sn none, -s source lines, -ss inlined calls, too. By default all "
	  "there is", FIELD(symbols.level), .choices = symbolize_choices,
	  .value = SYMBOLIZE_LINES, .max = SYMBOLIZE_INLINES, .word = symbolize_word,
	  .values = "auto, none, lines or inlines", .key = "stacks.symb-mode",
	  .key_help = "use of debug info; as -s", .recorded = { META_STACKS, 3, 1 } },
	{ "debuginfod", 0, SETTINGS_SYMBOLS, SETTING_NEGATABLE, SETTING_FLAG, NULL,
	  "Ask debuginfod servers for debug info that is not here; Ctrl-C gives up",
	  FIELD(symbols.debuginfod), .key = "symbols.debuginfod",
	  .key_help = "ask debuginfod servers for debug info that is not here; as --debuginfod" },
	{ .group = SETTINGS_KEYS, .type = SETTING_FLAG, FIELD(stacks_unfiltered),
	  .key = "stacks.unfiltered", .recorded = { META_STACKS, 0, 1 },
	  .key_help = "keep the stack frames that tracing itself adds" },
	{ .group = SETTINGS_KEYS, .type = SETTING_FLAG, FIELD(stacks_emit_addrs),
	  .key = "stacks.emit-addrs", .recorded = { META_STACKS, 1, 1 },
	  .key_help = "print the address of each frame" },
	{ .group = SETTINGS_KEYS, .type = SETTING_FLAG, FIELD(stacks_dec_offs),
	  .key = "stacks.dec-offs", .recorded = { META_STACKS, 2, 1 },
	  .key_help = "print offsets in functions as decimal numbers" },

	{ "capture-args", 'A', SETTINGS_ARGS, SETTING_NEGATABLE, SETTING_CUSTOM, NULL,
	  "Arguments of traced calls, by name and type", .parse = parse_mode, .value = MODE_ARGS,
	  .report = "Show arguments, where they were captured" },
	{ "args", 0, SETTINGS_ARGS, 0, SETTING_CUSTOM, "SELECTION",
	  "'GLOB: a, b->c.d, *e': of functions that GLOB selects, just these arguments and what they "
	  "lead to", .parse = parse_args_selection,
	  .refused = "what was captured of arguments is what there is; -A shows it" },
	{ "where", 0, SETTINGS_ARGS, 0, SETTING_CUSTOM, "CONDITION",
	  "'GLOB: EXPR': only calls of entry functions with such arguments, and sessions in which a "
	  "call of other functions has them: attr->map_type == 2 && cmd == BPF_MAP_CREATE",
	  .parse = parse_where,
	  .refused = "arguments that were not captured cannot be compared" },
	{ "inject-probe", 'J', SETTINGS_ARGS, 0, SETTING_CUSTOM, "POINT",
	  "A point inside sessions, shown in the trace with what can be seen there: kprobe:FUNC[+OFF], "
	  "kretprobe:FUNC, tp:CATEGORY:NAME, rawtp:NAME, line:FILE:LINE or @FILE; names may be globs",
	  .parse = parse_probe, .refused = "points that were not there are not recorded" },
	{ .group = SETTINGS_KEYS, .type = SETTING_SIZE, FIELD(args.max_total), .max = 4080,
	  .initial = ARGS_DEFAULT_TOTAL, .key = "args.max-total-args-size",
	  .values = "a number of bytes up to 4080",
	  .key_help = "captured of a call's arguments, at most", .refused = RECORDED_ALREADY },
	{ .group = SETTINGS_KEYS, .type = SETTING_SIZE, FIELD(args.max_sized), .max = 4080,
	  .initial = ARGS_DEFAULT_SIZED, .key = "args.max-sized-arg-size",
	  .values = "a number of bytes up to 4080",
	  .key_help = "captured of what a pointer leads to, at most; 0: pointers are not followed",
	  .refused = RECORDED_ALREADY },
	{ .group = SETTINGS_KEYS, .type = SETTING_SIZE, FIELD(args.max_str), .max = 4080,
	  .initial = ARGS_DEFAULT_STR, .key = "args.max-str-arg-size",
	  .values = "a number of bytes up to 4080",
	  .key_help = "captured of a string, at most; 0: strings are not captured",
	  .refused = RECORDED_ALREADY },
	{ .group = SETTINGS_KEYS, .type = SETTING_FLAG, FIELD(args.raw_ptrs),
	  .key = "args.capture-raw-ptrs", .refused = RECORDED_ALREADY,
	  .key_help = "capture pointers themselves, too, where they are followed" },
	{ .group = SETTINGS_KEYS, .type = SETTING_CHOICE, FIELD(args_mode),
	  .choices = layout_choices, .max = ARGS_VERBOSE, .key = "args.fmt-mode",
	  .values = "compact (c), multiline (m) or verbose (v)",
	  .key_help = "arguments on the call's line, on a line each, or a line for each member",
	  .recorded = { META_ARGS, 0, 4 } },
	{ .group = SETTINGS_KEYS, .type = SETTING_COUNT, FIELD(args_width), .max = UINT32_MAX,
	  .initial = 120, .key = "args.fmt-max-arg-width", .values = "a number of columns; 0 any",
	  .key_help = "columns of an argument's value; what is more is cut, with a mark",
	  .recorded = { META_ARGS, 1, 4 } },

	{ "lbr", 'B', SETTINGS_BRANCHES,
	  SETTING_OPTIONAL | SETTING_NEGATABLE | SETTING_BARE_IN_REPORT, SETTING_CUSTOM, "SPEC",
	  "The last branches that the CPU took before the result: any_return (unless SPEC says "
	  "otherwise), any, any_call, cond, call, ind_call, ind_jump, call_stack, abort_tx, in_tx, "
	  "no_tx, several with commas, or a mask as perf_event_open(2) has them",
	  FIELD(branch_types), .max = UINT64_MAX, .parse = parse_branches,
	  .word = branch_types_name, .recorded = { META_BRANCHES, 2, 8 },
	  .report = "Show the CPU's branches before the result" },
	/* Its name in earlier programs, and one that says what it is. */
	{ NULL, 'R', SETTINGS_BRANCHES, SETTING_OPTIONAL | SETTING_HIDDEN | SETTING_BARE_IN_REPORT,
	  SETTING_CUSTOM, "SPEC", .parse = parse_branches },
	{ "branches", 0, SETTINGS_BRANCHES,
	  SETTING_OPTIONAL | SETTING_NEGATABLE | SETTING_HIDDEN | SETTING_BARE_IN_REPORT,
	  SETTING_CUSTOM, "SPEC", .parse = parse_branches },
	{ "lbr-full", 0, SETTINGS_BRANCHES, SETTING_NEGATABLE, SETTING_FLAG, NULL,
	  "Show those, too, that tracing itself took, and blank ones", FIELD(branches_full),
	  .recorded = { META_BRANCHES, 0, 1 } },
	{ "lbr-max-count", 0, SETTINGS_BRANCHES, 0, SETTING_NUMBER, "N",
	  "Show no more than N, those closest to the return; 0 all",
	  FIELD(branches_max), .max = UINT32_MAX, .values = "a number of branches; 0 all",
	  .key = "fmt.lbr-max-count", .recorded = { META_BRANCHES, 1, 4 },
	  .key_help = "branches shown, those closest to the return; as --lbr-max-count" },
	{ "source", 0, SETTINGS_BRANCHES, 0, SETTING_CUSTOM, "DIR",
	  "Kernel source tree, to show the lines that led to a result; unless given, one that the "
	  "distribution installed", .parse = parse_source,
	  .report = "Source tree of the recorded kernel, to show the lines that led to a result" },

	{ "config", 'C', SETTINGS_GENERAL, 0, SETTING_CUSTOM, "KEY=VALUE",
	  "Set a configuration key for this run", .parse = parse_config,
	  .report = "Set a configuration key for this report" },
	{ "config-help", 0, SETTINGS_GENERAL, 0, SETTING_CUSTOM, NULL,
	  "List the configuration keys", .parse = parse_config_help },
	{}
};

_Static_assert(sizeof(settings) / sizeof(settings[0]) <= MAX_SETTINGS + 1,
	       "trace_request.given has room for every setting");

int settings_parse(const struct setting *setting, struct trace_request *request, const char *value,
		   bool on)
{
	int err = setting_parse(setting, request, value, on);

	if (!err)
		request->given[setting - settings] = true;
	return err;
}

bool settings_given(const struct trace_request *request, const struct setting *setting)
{
	return request->given[setting - settings];
}

void settings_init(struct trace_request *request)
{
	for_each_setting(setting, settings) {
		if (setting->initial)
			setting_put(setting, request, setting->initial);
	}
}

void settings_copy_recorded(struct trace_request *to, const struct trace_request *from)
{
	for_each_setting(setting, settings) {
		bool given = settings_given(to, setting) && !(setting->flags & SETTING_BARE_IN_REPORT);

		if (setting->recorded.key && !given)
			setting_put(setting, to, setting_get(setting, from));
	}
}

const struct setting *settings_recorded(uint16_t key, unsigned int place)
{
	for_each_setting(setting, settings) {
		if (setting->recorded.key == key && setting->recorded.place == place)
			return setting;
	}
	return NULL;
}
