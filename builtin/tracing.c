// SPDX-License-Identifier: BSD-2-Clause
/* The way of a tracing command: parse, check, plan, trace, show, and the exit status. */
#include "builtin/tracing.h"

#include <errno.h>
#include <stdio.h>

#include "builtin/show.h"
#include "builtin/suite/options.h"
#include "builtin/suite/output_file.h"
#include "util/ask/processes.h"
#include "util/ask/settings.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/kernel/kernel.h"
#include "util/kernel/machine/process.h"
#include "util/plan/plan.h"
#include "util/plan/predicates.h"
#include "util/trace/run/run.h"
#include "util/trace/run/workload.h"
#include "util/view/lists/funcs_view.h"

const struct option_group *const tracing_options[] = { TRACING_OPTIONS, NULL };
const struct option_group *const tracing_own_groups[] = { &function_options, NULL };

static int on_session(void *arg, const struct session *session)
{
	return show_session(arg, session);
}

static int on_summary(void *arg, const struct summary *summary)
{
	struct show *show = arg;

	return show->view->summary(show->view, summary);
}

static int on_ready(void *arg, const struct session_rules *rules)
{
	say(VERBOSITY_NORMAL, "Receiving data...");
	return 0;
}

static int on_end(void *arg, struct run_result *result)
{
	show_end(arg, result);
	tracing_say_end(result);
	return 0;
}

void tracing_say_end(const struct run_result *result)
{
	if (result->started)
		ledger_print(&result->ledger);
	else
		say(VERBOSITY_NORMAL, "retsnoop: interrupted before tracing began");
}

int tracing_status(const struct trace_request *request, const struct run_result *result)
{
	if (!result->started)
		return EXIT_NOTHING;
	if (request->forward_status && result->workload_ran)
		return result->workload_status;
	return result->ledger.shown || result->pipe_closed ? EXIT_SHOWN : EXIT_NOTHING;
}

/* A longer command line is cut. */
#define COMMAND_LINE_MAX (32 << 10)

static void add_word(struct strbuf *line, const char *word)
{
	strbuf_addch(line, ' ');
	if (*word && !word[strcspn(word, " \t\n'\"\\*?[]()<>|&;$`#~!{}")]) {
		strbuf_addstr(line, word);
		return;
	}
	strbuf_addch(line, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			strbuf_addstr(line, "'\\''");
		else
			strbuf_addch(line, *word);
	}
	strbuf_addch(line, '\'');
}

char *tracing_command_line(const struct tracing *tracing)
{
	struct strbuf line = STRBUF_INIT;

	strbuf_addstr(&line, "retsnoop");
	for (int i = 0; i < tracing->argc && line.len < COMMAND_LINE_MAX; i++)
		add_word(&line, tracing->argv[i]);
	if (line.failed)
		strbuf_release(&line);
	else if (line.len > COMMAND_LINE_MAX)
		line.s[COMMAND_LINE_MAX] = '\0';
	return line.s;
}

static int show_live(struct tracing *tracing, void *own)
{
	const struct trace_request *request = &tracing->request;
	_cleanup_(free_p) char *command_line = tracing_command_line(tracing);
	struct run_result result = {};
	struct run_handler handler = { .session = on_session, .summary = on_summary,
				       .ready = on_ready, .end = on_end };
	struct show show;
	int err;

	if (show_init_live(&show, tracing->plan, &tracing->attached, tracing->kernel, request,
			   show_has_cgroups(request, tracing->args.format)))
		return EXIT_CANNOT;
	show.context.color = tracing->args.color;
	show.live.origin.command_line = command_line;
	show_say_machine();
	err = show_open(&show, request, tracing->args.format);
	handler.output = &show.output;
	handler.clock = &show.clock;
	handler.cgroups = show.cgroup_watch;
	handler.arg = &show;
	err = err ?: run_trace(tracing->kernel, tracing->plan, request, &handler, &tracing->attached,
			       &result);
	show_close(&show);
	return err ? EXIT_CANNOT : tracing_status(request, &result);
}

/* The functions on stdout, as `retsnoop funcs` lists them. */
static int dry_run(struct tracing *tracing)
{
	const struct trace_request *request = &tracing->request;
	enum format format = tracing->args.format;
	struct funcs_view view = format == FORMAT_JSON ? funcs_view_json : funcs_view_names;
	int err;

	view.out = stdout;
	view.request = request;
	view.kernel = tracing->kernel;
	view.plan = tracing->plan;
	err = run_dry(tracing->kernel, tracing->plan, request, &tracing->attached);
	view.rungs = tracing->attached.rungs;
	vec_foreach(func, &tracing->plan->funcs)
		err = err ?: view.func(&view, func);
	return err ? EXIT_CANNOT : EXIT_SHOWN;
}

/*
 * Whether there would be no point in a run without branches: they are what the command is for, and
 * no option asks for something else.
 *
 * @modes	the command's
 */
static bool needs_branches(const struct trace_request *request, unsigned int modes)
{
	if (!(request->modes & MODE_BRANCHES))
		return false;
	if (!modes || modes & MODE_BRANCHES)
		return !(request->modes_asked & ~MODE_BRANCHES) && !request->probes.v.len;
	return !(request->modes & (MODE_STACK | MODE_TRACE));
}

/* Nothing was traced of them from then on, which no loss report can know. */
static void say_processes_exited(const struct trace_request *request)
{
	uint32_t first = 0, nr = 0;

	vec_foreach(pid, &request->allow_pids) {
		if (!process_of(*pid) && !nr++)
			first = *pid;
	}
	if (nr == 1)
		say(VERBOSITY_NORMAL, "  -p: process %u has exited", first);
	else if (nr)
		say(VERBOSITY_NORMAL, "  -p: %u of %zu processes have exited", nr,
		    request->allow_pids.len);
}

static int parse_request(const struct command *command, int argc, char **argv,
			 const struct tracing_way *way, struct tracing *tracing)
{
	struct trace_request *request = &tracing->request;
	struct command_args *args = &tracing->args;
	void *targets[MAX_OPTION_GROUPS];
	int err;

	for (size_t i = 0; command->options[i]; i++)
		targets[i] = command->options[i]->id ? request : way->own;
	trace_request_init(request);
	request->modes = way->modes;
	err = settings_load(request) ?: command_parse(command, argc, argv, targets, args);
	if (err)
		return err;
	if (!way->modes && !(request->modes & (MODE_STACK | MODE_TRACE)))
		request->modes |= MODE_STACK;
	vec_foreach(point, &args->args) {
		err = probe_spec_list_add(&request->probes, *point);
		if (err)
			return err;
	}
	if (command->takes_arguments && !request->probes.given)
		return report(-EINVAL, "no points given; for example tp:sched:sched_process_exec, or "
				       "'retsnoop probe --list'");
	request->shown_modes = show_modes(way->shown ? way->shown(request) : request->modes,
					  args->format);
	if (!way->shown)
		request->modes = request->shown_modes;
	request->workload = args->workload;
	request->symbols.vmlinux = request->vmlinux_path;
	if (request->summary && !(args->format & FORMAT_LISTS))
		return report(-EINVAL, "--summary supports only text, json and csv");
	if (args->format == FORMAT_CSV && !request->summary)
		return report(-EINVAL, "--format=csv needs --summary");
	trace_request_settle(request);
	request->branches_needed = needs_branches(request, way->modes);
	err = predicates_check(request);
	if (!err && request->user)
		err = workload_check_user(request->user);
	err = err ?: processes_check(request);
	/* Attaching may take long: report an error before it. */
	err = err ?: output_file_check(args);
	return err ?: way->check ? way->check(tracing, way->own) : 0;
}

/* Make a plan from the parsed request. 0, or an exit status. */
static int make_plan(struct tracing *tracing)
{
	const struct trace_request *request = &tracing->request;
	int err = kernel_new(&request->symbols, &tracing->kernel);

	err = err ?: plan_build(tracing->kernel, request, 0, NULL, &tracing->plan);
	if (err == -ENOENT)
		return EXIT_NOTHING;
	return err == -EINVAL ? EXIT_USAGE : err ? EXIT_CANNOT : 0;
}

static void tracing_release(struct tracing *tracing)
{
	attached_release(&tracing->attached);
	if (tracing->plan)
		plan_free(tracing->plan);
	if (tracing->kernel)
		kernel_free(tracing->kernel);
	command_args_release(&tracing->args);
	trace_request_release(&tracing->request);
}

int tracing_try_as(const struct command *command, int argc, char **argv,
		   const struct tracing_way *way)
{
	_cleanup_(tracing_release) struct tracing tracing = { .argc = argc, .argv = argv };
	int status;

	status = parse_request(command, argc, argv, way, &tracing);
	if (status)
		return command_exit_status(status);
	return make_plan(&tracing);
}

int tracing_run_as(const struct command *command, int argc, char **argv,
		   const struct tracing_way *way)
{
	_cleanup_(tracing_release) struct tracing tracing = { .argc = argc, .argv = argv };
	int status;

	status = parse_request(command, argc, argv, way, &tracing);
	if (status)
		return command_exit_status(status);
	if (command_check_needs(command))
		return EXIT_CANNOT;
	status = make_plan(&tracing);
	if (status)
		return status;
	if (output_file_open(&tracing.args, &tracing.request.workload_stdout))
		return EXIT_CANNOT;
	predicates_print(&tracing.request, tracing.plan);
	if (tracing.request.dry_run)
		return dry_run(&tracing);
	status = way->run(&tracing, way->own);
	say_processes_exited(&tracing.request);
	return status;
}

int tracing_run(const struct command *command, int argc, char **argv, unsigned int modes)
{
	const struct tracing_way way = { .modes = modes, .run = show_live };

	return tracing_run_as(command, argc, argv, &way);
}
