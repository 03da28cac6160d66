// SPDX-License-Identifier: BSD-2-Clause
/*
 * All settings of a trace_request. From this table come the parser of command lines, -h, the
 * shells' completion, -C, configuration files, --config-help, what recordings keep, and the
 * options of `report`.
 *
 * Adding an option:
 *  1. a field in struct trace_request (request.h);
 *  2. a row here, in its group. With .key and .key_help it is a configuration key, too;
 *     completion offers .word or .choices;
 *  3. for `report`: .refused says why it makes no sense there, .report is another help text. A
 *     setting that changes how sessions are shown is recorded: .recorded, with an unused key of
 *     META (settings.h, Documentation/retsnoop-data.txt);
 *  4. for a value of a type that setting.h lacks: a function in setting_parsers.c;
 *  5. the code that reads the field. In BPF a field of struct bpf_config (bpf/config.h), copied
 *     by CONFIG() in the row, or set in configure() of util/trace/attach/programs.c if it is not a
 *     plain copy. A filter also in util/trace/session/session_filter.c, which does the same for
 *     `report`. Views, explain and the loss report have a pointer to the settings. If the setting
 *     needs or excludes another one: a row in check_combinations() (util/plan/predicates.c);
 *  6. the manual page (Documentation/options-*.adoc, retsnoop-report.adoc; keys:
 *     retsnoop-config.adoc) and CHANGELOG.md;
 *  7. a test in tests/unit/test_commands.c, and one of the effect.
 */
#include "util/ask/settings.h"

#include "bpf/event.h"
#include "util/ask/branch_types.h"
#include "util/ask/cases.h"
#include "util/ask/setting_parsers.h"
#include "util/base/macros.h"

#define FIELD(member) SETTING_FIELD(struct trace_request, member)
#define CONFIG(member)                                                                             \
	.config_offset = offsetof(struct bpf_config, member),                                      \
	.config_size = sizeof(((struct bpf_config *)NULL)->member)

#define NOTHING_ATTACHED "report attaches nothing; give it to 'retsnoop record'"
#define NOTHING_RUNS "report runs nothing; give it to 'retsnoop record'"
#define RECORDED_ALREADY "it cannot be changed after recording; give it to 'retsnoop record'"

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

static const struct setting_choice durations_choices[] = {
	{ "auto", NULL, DURATIONS_AUTO }, { "us", NULL, DURATIONS_US }, {},
};

static const struct setting_choice by_choices[] = {
	{ "process", NULL, SUMMARY_BY_PROCESS }, { "comm", NULL, SUMMARY_BY_COMM },
	{ "cgroup", NULL, SUMMARY_BY_CGROUP }, { "producer", NULL, SUMMARY_BY_PRODUCER },
	{ "host", NULL, SUMMARY_BY_HOST }, {},
};

static const char *symbolize_word(size_t i)
{
	static const char *const words[] = { "n", "s" };

	return i < 2 ? words[i] : NULL;
}

const struct setting settings[] = {
	{ "entry", 'e', SETTINGS_FUNCTIONS, 0, SETTING_CUSTOM, "GLOB",
	  "Functions to watch, from entry to return. GLOB is a name with * and ?, 'NAME [MODULE]', "
	  "syscall:NAME, ':SOURCE-PATH', or @FILE with one of these per line",
	  FIELD(entry), .parse = parse_spec, .report = "Show only calls of these entry functions" },
	{ "allow", 'a', SETTINGS_FUNCTIONS, 0, SETTING_CUSTOM, "GLOB",
	  "Functions to trace inside calls of entry functions", FIELD(allow), .parse = parse_spec,
	  .report = "Show only calls inside which such a function was called" },
	{ "deny", 'd', SETTINGS_FUNCTIONS, 0, SETTING_CUSTOM, "GLOB",
	  "Functions to leave out, even if another option selects them", FIELD(deny), .parse = parse_spec,
	  .report = "Leave out calls of these entry functions" },
	{ "syscall", 0, SETTINGS_FUNCTIONS, 0, SETTING_CUSTOM, "NAME",
	  "System calls to watch, separated by commas: the same as -e syscall:NAME", FIELD(entry),
	  .parse = parse_syscalls, .report = "Show only these system calls" },
	{ "case", 'c', SETTINGS_FUNCTIONS, 0, SETTING_CUSTOM, "NAME",
	  "Add the functions of a case: bpf, perf, or one from the configuration",
	  .parse = parse_case, .word = case_name,
	  .refused = "cases are for tracing; use -e and -a to select recorded functions" },

	{ "trace", 'T', SETTINGS_MODES, SETTING_NEGATABLE, SETTING_CUSTOM, NULL,
	  "Show every traced call of a session, in order. Without -E, successful calls are shown too",
	  .parse = parse_mode, .value = MODE_TRACE,
	  .report = "Show every traced call of a session, in order" },
	{ "call-stack", 'E', SETTINGS_MODES, SETTING_NEGATABLE, SETTING_CUSTOM, NULL,
	  "Show the call stack that led to the result of a session",
	  .parse = parse_mode, .value = MODE_STACK },
	{ "summary", 0, SETTINGS_MODES, SETTING_NEGATABLE, SETTING_CUSTOM, NULL,
	  "Show counts instead of sessions: by function and result, with latencies, and errors by "
	  "the function they came from", FIELD(summary), .parse = parse_summary },
	{ "interval", 0, SETTINGS_MODES, 0, SETTING_CUSTOM, "SECONDS",
	  "Print a summary every SECONDS and begin a new one; 500ms and 1m work too",
	  FIELD(interval_ns), .parse = parse_interval,
	  .refused = "a recording is counted as a whole; use --summary" },
	{ "by", 0, SETTINGS_MODES, 0, SETTING_CUSTOM, "WHAT",
	  "Count also by process (id and name), comm (the process's name; -n compares the thread's), "
	  "cgroup, producer (the function an error came from) or, of recordings, host. Implies "
	  "--summary", FIELD(summary_by), .choices = by_choices, .parse = parse_by },
	{ "histogram", 0, SETTINGS_MODES, SETTING_NEGATABLE, SETTING_CUSTOM, NULL,
	  "Print a histogram for each row of a summary; the default without --by",
	  FIELD(histograms), .parse = parse_histogram },
	{ "show", 0, SETTINGS_MODES, 0, SETTING_CUSTOM, "WHAT",
	  "Also show of each session: cgroup, pod, container, unit, host, uid, cpu, trace; several with "
	  "commas", FIELD(show),
	  .max = SHOW_ALL, .parse = parse_show, .word = show_word,
	  .recorded = { META_SHOW, 0, 4 } },
	{ "time-unit", 0, SETTINGS_MODES, 0, SETTING_CHOICE, "UNIT",
	  "Print durations in the unit that fits (auto, the default), or all in microseconds (us)",
	  FIELD(durations), .choices = durations_choices, .max = DURATIONS_US,
	  .values = "auto or us", .key = "fmt.time-unit", .key_help = "unit of durations; as --time-unit",
	  .recorded = { META_SHOW, 1, 1 } },
	{ "stats", 0, SETTINGS_MODES, 0, SETTING_TIME, "SECONDS",
	  "Print what was seen and what may be missing to standard error every SECONDS",
	  FIELD(stats_ns), .unit = NSEC_PER_SEC, .min = 1,
	  .values = "a time; try 10 (seconds), 500ms or 1m", .refused = NOTHING_RUNS },

	{ "pid", 'p', SETTINGS_FILTERS, 0, SETTING_CUSTOM, "PID",
	  "Show only processes with these ids, separated by commas", .parse = parse_pids },
	{ "no-pid", 'P', SETTINGS_FILTERS, 0, SETTING_CUSTOM, "PID",
	  "Leave out processes with these ids", .parse = parse_pids },
	{ "comm", 'n', SETTINGS_FILTERS, 0, SETTING_CUSTOM, "NAME",
	  "Show only threads with these names, separated by commas; @FILE has one name per line", .parse = parse_comm },
	{ "no-comm", 'N', SETTINGS_FILTERS, 0, SETTING_CUSTOM, "NAME",
	  "Leave out threads with these names", .parse = parse_comm },
	{ "cgroup", 0, SETTINGS_FILTERS, 0, SETTING_CUSTOM, "PATH",
	  "Show only processes in this cgroup (version 2) or below it; may be given several times, and "
	  "be a glob, which selects cgroups that appear later, too",
	  .parse = parse_cgroup, .refused = "cgroups are selected when recording; --show=cgroup shows them" },
	{ "pod", 0, SETTINGS_FILTERS, 0, SETTING_CUSTOM, "UID",
	  "Show only processes of this Kubernetes pod", .parse = parse_cgroup_owner,
	  .value = CGROUP_POD, .refused = "pods are selected when recording; --show=pod shows them" },
	{ "container", 0, SETTINGS_FILTERS, 0, SETTING_CUSTOM, "ID",
	  "Show only processes of this container; the beginning of its id will do",
	  .parse = parse_cgroup_owner, .value = CGROUP_CONTAINER,
	  .refused = "containers are selected when recording; --show=container shows them" },
	{ "unit", 0, SETTINGS_FILTERS, 0, SETTING_CUSTOM, "NAME",
	  "Show only processes of this unit of systemd; may be a glob", .parse = parse_cgroup_owner,
	  .value = CGROUP_UNIT, .refused = "units are selected when recording; --show=unit shows them" },
	{ "uid", 0, SETTINGS_FILTERS, 0, SETTING_CUSTOM, "USER",
	  "Show only processes of these users, by name or number, separated by commas",
	  .parse = parse_users },
	{ "allow-errors", 'x', SETTINGS_FILTERS, 0, SETTING_CUSTOM, "ERROR",
	  "Show only calls that failed with these errors: EINVAL, -22, NULL or any, separated by "
	  "commas",
	  FIELD(allow_errnos), .parse = parse_errors, .word = error_word },
	{ "deny-errors", 'X', SETTINGS_FILTERS, 0, SETTING_CUSTOM, "ERROR",
	  "Leave out calls that failed with these errors", FIELD(deny_errnos), .parse = parse_errors,
	  .word = error_word },
	{ "return", 0, SETTINGS_FILTERS, 0, SETTING_CUSTOM, "EXPR",
	  "Show only calls with such a result: -EINVAL, '<0', '!=0', NULL; commas separate "
	  "alternatives. Implies -S", .parse = parse_return,
	  .report = "Show only calls with such a result: -EINVAL, '<0', '!=0', NULL; commas separate "
		    "alternatives" },
	{ "longer", 'L', SETTINGS_FILTERS, 0, SETTING_TIME, "TIME",
	  "Show only calls that took at least this many milliseconds; 500us and 1s work too",
	  FIELD(longer_ns), CONFIG(longer_ns), .unit = NSEC_PER_MSEC,
	  .values = "a time; try 5 (milliseconds), 20us or 1s" },
	{ "fn-longer", 0, SETTINGS_FILTERS, 0, SETTING_TIME, "TIME",
	  "Show only calls inside which a traced call took at least this long",
	  FIELD(fn_longer_ns), CONFIG(fn_longer_ns), .unit = NSEC_PER_MSEC,
	  .values = "a time; try 5 (milliseconds), 20us or 1s" },
	{ "max-depth", 0, SETTINGS_FILTERS, 0, SETTING_NUMBER, "N",
	  "Keep this many levels of nested calls, up to 256; deeper calls are only counted",
	  FIELD(max_depth), CONFIG(max_depth), .min = 1, .max = EVENT_MAX_DEPTH,
	  .initial = EVENT_MAX_DEPTH,
	  .values = "a number from 1 to 256", .recorded = { META_MAX_DEPTH, 0, 4 },
	  .refused = "deeper calls were not recorded; record with a larger --max-depth" },
	{ "success-stacks", 'S', SETTINGS_FILTERS, SETTING_OPTIONAL | SETTING_NEGATABLE,
	  SETTING_CHOICE, "y|n",
	  "-S or -Sy: also show successful calls; -Sn: show only failed calls. By default traces "
	  "without stacks show both, stacks and branches only failed calls",
	  FIELD(success), .choices = success_choices, .value = SUCCESS_YES, .off = SUCCESS_NO,
	  .values = "y or n",
	  .report = "-Sn: show only failed calls; by default all recorded calls are shown" },
	{ "interim-stacks", 'I', SETTINGS_FILTERS, SETTING_NEGATABLE, SETTING_FLAG, NULL,
	  "Also show errors that were handled on the way", FIELD(interim), CONFIG(interim) },

	{ "error-if", 0, SETTINGS_ERRORS, 0, SETTING_CUSTOM, "RULE",
	  "'GLOB: ret OP VALUE': for functions matching GLOB, only such results are errors; || "
	  "separates alternatives", .parse = parse_error_rule,
	  .refused = "calls were judged when they were recorded; record with --error-if" },

	{ "duration", 0, SETTINGS_RUN, 0, SETTING_TIME, "TIME",
	  "End after this many seconds; 500ms and 2m work too",
	  FIELD(duration_ns), .unit = NSEC_PER_SEC, .min = 1,
	  .values = "a time; try 10 (seconds), 500ms or 2m",
	  .refused = NOTHING_RUNS ", or use --max-sessions" },
	{ "at", 0, SETTINGS_RUN, 0, SETTING_CUSTOM, "TIME",
	  "Attach, and begin to record at TIME: 12:30, 12:30:05, '2026-01-02 12:30', or +10s from now",
	  FIELD(at_ns), .parse = parse_at, .refused = NOTHING_RUNS ", or use --since" },
	{ "max-sessions", 0, SETTINGS_RUN, 0, SETTING_NUMBER, "N",
	  "End after N calls have been shown", FIELD(max_sessions), .min = 1, .max = UINT64_MAX,
	  .values = "a number of calls", .report = "Show at most N calls" },
	{ "budget", 0, SETTINGS_RUN, 0, SETTING_CUSTOM, "PERCENT",
	  "Keep what tracing takes of the CPUs' time below PERCENT, such as 1%: follow fewer calls, and give "
	  "up functions that are called most and do not fail",
	  FIELD(budget_ppm), .parse = parse_budget, .refused = NOTHING_RUNS },
	{ "trace-context", 0, SETTINGS_RUN, SETTING_OPTIONAL | SETTING_NEGATABLE, SETTING_CUSTOM, "FROM",
	  "Show the trace and span that the thread worked on. FROM: threads (OpenTelemetry's thread context), "
	  "map (of its eBPF instrumentation), or the map's path; by default both, as far as they exist",
	  FIELD(trace_context), .parse = parse_trace_context,
	  .refused = "traces are read when recording; --show=trace shows them" },
	{ "user", 'u', SETTINGS_RUN, 0, SETTING_CUSTOM, "USER",
	  "Run the workload as this user, with its groups and HOME", FIELD(user),
	  .parse = parse_string, .refused = NOTHING_RUNS },
	{ "forward-status", 0, SETTINGS_RUN, SETTING_NEGATABLE, SETTING_FLAG, NULL,
	  "Exit with the status of the workload, unless retsnoop itself failed", FIELD(forward_status),
	  .refused = NOTHING_RUNS },

	{ "attach", 0, SETTINGS_ATTACH, 0, SETTING_CUSTOM, "METHOD",
	  "Attach method: auto (the best available), fsession-multi, kprobe-session, kprobe-multi, "
	  "fentry or kprobe", FIELD(rung), .initial = RUNG_AUTO, .parse = parse_rung,
	  .word = rung_word, .refused = NOTHING_ATTACHED },
	{ "kprobes-multi", 'M', SETTINGS_ATTACH, 0, SETTING_CONST, NULL,
	  "Same as --attach=kprobe-multi", FIELD(rung), .value = RUNG_KPROBE_MULTI,
	  .refused = NOTHING_ATTACHED },
	{ "kprobes", 'K', SETTINGS_ATTACH, 0, SETTING_CONST, NULL,
	  "Same as --attach=kprobe", FIELD(rung), .value = RUNG_KPROBE,
	  .refused = NOTHING_ATTACHED },
	{ "fentries", 'F', SETTINGS_ATTACH, 0, SETTING_CONST, NULL,
	  "Same as --attach=fentry", FIELD(rung), .value = RUNG_FENTRY,
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
	  .max = MAX_SESSION_BUF_SIZE, .key = "bpf.session-buf-size", .values = "a size from 1K to 1M",
	  .key_help = "trace kept per call, until the call is shown or dropped",
	  .refused = RECORDED_ALREADY },

	{ "kernel", 'k', SETTINGS_SYMBOLS, 0, SETTING_CUSTOM, "VMLINUX",
	  "Kernel image with debug info, if it is not in a usual place", .parse = parse_vmlinux,
	  .report = "Image of the recorded kernel with debug info, if it is not in a usual place" },
	{ "symbolize", 's', SETTINGS_SYMBOLS, SETTING_OPTIONAL, SETTING_CHOICE, "LEVEL",
	  "Use of debug info: -sn none, -s source lines, -ss also inlined calls. By default all that "
	  "is found", FIELD(symbols.level), .choices = symbolize_choices,
	  .value = SYMBOLIZE_LINES, .max = SYMBOLIZE_INLINES, .word = symbolize_word,
	  .values = "auto, none, lines or inlines", .key = "stacks.symb-mode",
	  .key_help = "use of debug info; as -s", .recorded = { META_STACKS, 3, 1 } },
	{ "debuginfod", 0, SETTINGS_SYMBOLS, SETTING_NEGATABLE | SETTING_IN_FULL, SETTING_FLAG, NULL,
	  "Ask debuginfod servers for missing debug info; Ctrl-C gives up",
	  FIELD(symbols.debuginfod), .key = "symbols.debuginfod",
	  .key_help = "ask debuginfod servers for missing debug info; as --debuginfod" },
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
	  "Show arguments of traced calls, by name and type", .parse = parse_mode, .value = MODE_ARGS,
	  .report = "Show captured arguments" },
	{ "args", 0, SETTINGS_ARGS, 0, SETTING_CUSTOM, "SELECTION",
	  "'GLOB: a, b->c.d, *e': for functions matching GLOB, show only these arguments and what "
	  "they point to", .parse = parse_args_selection,
	  .refused = "a recording has only the arguments captured for it; use -A to show them" },
	{ "where", 0, SETTINGS_ARGS, 0, SETTING_CUSTOM, "CONDITION",
	  "'GLOB: EXPR': show only calls of entry functions with such arguments, and sessions in which "
	  "a call of another function has them: attr->map_type == 2 && cmd == BPF_MAP_CREATE",
	  .parse = parse_where,
	  .refused = "arguments that were not captured cannot be compared; record with --where" },
	{ "inject-probe", 'J', SETTINGS_ARGS, 0, SETTING_CUSTOM, "POINT",
	  "A point inside sessions, shown in the trace with the data available there: "
	  "kprobe:FUNC[+OFF], kretprobe:FUNC, tp:CATEGORY:NAME, rawtp:NAME, line:FILE:LINE or @FILE; "
	  "names may be globs",
	  .parse = parse_probe, .refused = "probes cannot be added to a recording; record with -J" },
	{ .group = SETTINGS_KEYS, .type = SETTING_SIZE, FIELD(args.max_total), .max = 4080,
	  .initial = ARGS_DEFAULT_TOTAL, .key = "args.max-total-args-size",
	  .values = "a number of bytes up to 4080",
	  .key_help = "limit for the arguments of one call", .refused = RECORDED_ALREADY },
	{ .group = SETTINGS_KEYS, .type = SETTING_SIZE, FIELD(args.max_sized), .max = 4080,
	  .initial = ARGS_DEFAULT_SIZED, .key = "args.max-sized-arg-size",
	  .values = "a number of bytes up to 4080",
	  .key_help = "limit for the target of one pointer; 0: pointers are not followed",
	  .refused = RECORDED_ALREADY },
	{ .group = SETTINGS_KEYS, .type = SETTING_SIZE, FIELD(args.max_str), .max = 4080,
	  .initial = ARGS_DEFAULT_STR, .key = "args.max-str-arg-size",
	  .values = "a number of bytes up to 4080",
	  .key_help = "limit for one string; 0: strings are not captured",
	  .refused = RECORDED_ALREADY },
	{ .group = SETTINGS_KEYS, .type = SETTING_FLAG, FIELD(args.raw_ptrs),
	  .key = "args.capture-raw-ptrs", .refused = RECORDED_ALREADY,
	  .key_help = "also capture the values of pointers that are followed" },
	{ .group = SETTINGS_KEYS, .type = SETTING_CHOICE, FIELD(args_mode),
	  .choices = layout_choices, .max = ARGS_VERBOSE, .key = "args.fmt-mode",
	  .values = "compact (c), multiline (m) or verbose (v)",
	  .key_help = "arguments on the line of the call, one per line, or one member per line",
	  .recorded = { META_ARGS, 0, 4 } },
	{ .group = SETTINGS_KEYS, .type = SETTING_COUNT, FIELD(args_width), .max = UINT32_MAX,
	  .initial = 120, .key = "args.fmt-max-arg-width", .values = "a number of columns; 0 means any",
	  .key_help = "columns of the value of an argument; longer values are cut and marked",
	  .recorded = { META_ARGS, 1, 4 } },

	{ "lbr", 'B', SETTINGS_BRANCHES,
	  SETTING_OPTIONAL | SETTING_NEGATABLE | SETTING_BARE_IN_REPORT, SETTING_CUSTOM, "SPEC",
	  "The last branches that the CPU took before the result: any_return (unless SPEC says "
	  "otherwise), any, any_call, cond, call, ind_call, ind_jump, call_stack, abort_tx, in_tx, "
	  "no_tx, several with commas, or a mask as perf_event_open(2) has them",
	  FIELD(branch_types), .max = UINT64_MAX, .parse = parse_branches,
	  .word = branch_types_name, .recorded = { META_BRANCHES, 2, 8 },
	  .report = "Show the CPU's branches before the result" },
	/* The name in earlier versions, and a name that says what the option does. */
	{ NULL, 'R', SETTINGS_BRANCHES, SETTING_OPTIONAL | SETTING_HIDDEN | SETTING_BARE_IN_REPORT,
	  SETTING_CUSTOM, "SPEC", .parse = parse_branches },
	{ "branches", 0, SETTINGS_BRANCHES,
	  SETTING_OPTIONAL | SETTING_NEGATABLE | SETTING_HIDDEN | SETTING_BARE_IN_REPORT,
	  SETTING_CUSTOM, "SPEC", .parse = parse_branches },
	{ "lbr-full", 0, SETTINGS_BRANCHES, SETTING_NEGATABLE, SETTING_FLAG, NULL,
	  "Also show branches that tracing itself took, and blank ones", FIELD(branches_full),
	  .recorded = { META_BRANCHES, 0, 1 } },
	{ "lbr-max-count", 0, SETTINGS_BRANCHES, 0, SETTING_NUMBER, "N",
	  "Show at most N branches, those closest to the return; 0 shows all",
	  FIELD(branches_max), .max = UINT32_MAX, .values = "a number of branches; 0 means all",
	  .key = "fmt.lbr-max-count", .recorded = { META_BRANCHES, 1, 4 },
	  .key_help = "branches shown, those closest to the return; as --lbr-max-count" },
	{ "source", 0, SETTINGS_BRANCHES, 0, SETTING_CUSTOM, "DIR",
	  "Kernel source tree, to show the lines that led to a result; by default the one that the "
	  "distribution installed", FIELD(source_dir), .parse = parse_string,
	  .report = "Source tree of the recorded kernel, to show the lines that led to a result" },

	{ "config", 'C', SETTINGS_GENERAL, 0, SETTING_CUSTOM, "KEY=VALUE",
	  "Set a configuration key for this run", .parse = parse_config,
	  .report = "Set a configuration key for this report" },
	{ "config-help", 0, SETTINGS_GENERAL, 0, SETTING_CUSTOM, NULL,
	  "List the configuration keys", .parse = parse_config_help },
	{}
};

_Static_assert(ARRAY_SIZE(settings) <= MAX_SETTINGS + 1,
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

void trace_request_init(struct trace_request *request)
{
	*request = (struct trace_request){ .symbols.live = true };
	for_each_setting(setting, settings) {
		if (setting->initial)
			setting_put(setting, request, setting->initial);
	}
}

void settings_configure(const struct trace_request *request, struct bpf_config *config)
{
	for_each_setting(setting, settings) {
		const struct setting field = { .offset = setting->config_offset,
					       .size = setting->config_size };

		if (field.size)
			setting_put(&field, config, setting_get(setting, request));
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
