// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop funcs`: the functions that globs select, and why a function cannot be traced. */
#include "builtin/suite/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "builtin/suite/output_file.h"
#include "builtin/suite/pager.h"
#include "builtin/tracing.h"
#include "util/ask/settings.h"
#include "util/base/cleanup.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/kernel/kernel.h"
#include "util/plan/attached.h"
#include "util/plan/predicates.h"
#include "util/plan/why_traceable.h"
#include "util/trace/attach/features.h"
#include "util/trace/attach/rung_choice.h"
#include "util/trace/attach/self_test.h"
#include "util/view/lists/funcs_view.h"

struct funcs_options {
	bool longer;		/* -l */
	bool count;
	bool by_name;		/* --sort=name */
	const char *why;	/* --why FUNC; in argv */
};

static int parse_why(const struct setting *setting, void *target, const char *value, bool on)
{
	struct funcs_options *options = target;

	if (options->why)
		return report(-EINVAL, "--why takes one function and nothing else");
	options->why = value;
	return 0;
}

static const struct setting_choice orders[] = {
	{ "address", NULL, false }, { "name", NULL, true }, {},
};

static const struct setting funcs_rows[] = {
	{ "long", 'l', .flags = SETTING_NEGATABLE, .type = SETTING_FLAG,
	  SETTING_FIELD(struct funcs_options, longer),
	  .help = "Print more about each: address, size, attach method, return kind and what counts as a "
		  "failure, source line, prototype" },
	{ "sort", .type = SETTING_CHOICE, .arg = "KEY",
	  SETTING_FIELD(struct funcs_options, by_name), .choices = orders,
	  .values = "'address' or 'name'", .help = "By address (the default) or by name" },
	{ "count", .flags = SETTING_NEGATABLE, .type = SETTING_FLAG,
	  SETTING_FIELD(struct funcs_options, count), .help = "Print only the number of functions" },
	{ "why", .type = SETTING_CUSTOM, .arg = "FUNC", .parse = parse_why,
	  .help = "Explain one function: how it can be traced, or why it can't. 'FUNC [MODULE]' "
		  "works too" },
	{}
};

static const struct option_group own_options = { .settings = funcs_rows };

static const struct option_group *const funcs_options[] = {
	&own_options, &function_options, &error_options, &symbol_options, &general_options, NULL,
};

static int compare_names(const void *a, const void *b)
{
	const struct plan_func *x = *(const struct plan_func *const *)a;
	const struct plan_func *y = *(const struct plan_func *const *)b;
	int order = strcmp(x->name, y->name);

	if (!order)
		order = strcmp(x->module ?: "", y->module ?: "");
	return order ?: (x->addr < y->addr ? -1 : x->addr > y->addr);
}

static int compare_addrs(const void *a, const void *b)
{
	const struct plan_func *x = *(const struct plan_func *const *)a;
	const struct plan_func *y = *(const struct plan_func *const *)b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int print_list(const struct plan *plan, bool by_name, struct funcs_view *view)
{
	VEC(const struct plan_func *) funcs = VEC_INIT;
	struct progress progress;
	int err = 0;

	if (vec_reserve(&funcs, plan->funcs.len))
		return report_oom();
	vec_foreach(func, &plan->funcs) {
		int width = funcs_view_width(func);

		funcs.data[funcs.len++] = func;
		/* Do not widen the column for a very long name. */
		if (width > view->name_width && width <= 48)
			view->name_width = width;
	}
	/* The plan lists entry functions first. */
	vec_sort(&funcs, by_name ? compare_names : compare_addrs);
	pager_start();
	progress = progress_start_beside_output("Looking up functions");
	for (size_t i = 0; i < funcs.len && !err; i++) {
		progress_update(&progress, i, funcs.len);
		err = view->func(view, funcs.data[i]);
	}
	progress_end(&progress);
	vec_release(&funcs);
	return err;
}

/* The running kernel's rungs that pass their test. */
static int try_rungs(struct kernel *kernel, const struct plan *plan, enum rung *rungs,
		     struct features *features)
{
	struct self_test *test = NULL;
	int err = features_probe(kernel, features);

	if (err)
		return err;
	err = self_test_assign(kernel, plan, features, RUNG_AUTO, 0, rungs, &test);
	if (!err)
		self_test_drop_wrong(test, features);
	self_test_free(test);
	/* Knowing that no method works is a result, too; it was reported. */
	return err == -EOPNOTSUPP ? 0 : err;
}

static int read_rungs(struct kernel *kernel, const struct plan *plan, enum rung *rungs,
		      struct features *features)
{
	return features_read(kernel, features) ?:
	       rungs_assign(plan, features, RUNG_AUTO, 0, NULL, rungs);
}

/*
 * Keep only the rungs that work on this kernel. For the running kernel, that is known only with the
 * privileges to load BPF; without them, show all rungs that a function's kind allows.
 */
static void assign_rungs(struct kernel *kernel, struct plan *plan, struct funcs_view *view,
			 struct attached *attached)
{
	static const struct command tracing = { .name = "funcs", .needs = NEED_TRACING };
	struct features features;
	uint32_t has = 0;

	if (!plan->funcs.len || attached_init(attached, plan))
		return;
	view->rungs = attached->rungs;
	if (!kernel_is_live(kernel) ?
		    read_rungs(kernel, plan, attached->rungs, &features) :
		    !command_has_rights(&tracing) || try_rungs(kernel, plan, attached->rungs, &features))
		return;
	for (int rung = 0; rung < NR_RUNGS; rung++)
		has |= features.rungs[rung] ? RUNG_BIT(rung) : 0;
	vec_foreach(func, &plan->funcs)
		func->rungs &= has;
}

static int list_functions(struct kernel *kernel, const struct trace_request *request,
			  const struct funcs_options *options, struct funcs_view *view)
{
	bool names_only = view->func == funcs_view_names.func || options->count;
	_cleanup_(attached_release) struct attached attached = {};
	_cleanup_(plan_free_p) struct plan *plan = NULL;
	int err;

	err = plan_select(kernel, request, PLAN_NO_ENTRIES | (names_only ? PLAN_NO_TYPES : 0),
			  &plan);
	if (err)
		return EXIT_CANNOT;
	if (predicates_check_rules(request, plan))
		return EXIT_USAGE;
	view->plan = plan;
	if (!names_only)
		assign_rungs(kernel, plan, view, &attached);
	if (options->count)
		printf("%zu\n", plan->funcs.len);
	else
		err = print_list(plan, options->by_name, view);
	if (err)
		return err == -EPIPE ? EXIT_SHOWN : EXIT_CANNOT;
	return plan->funcs.len ? EXIT_SHOWN : EXIT_NOTHING;
}

static int explain_function(struct kernel *kernel, const char *name, struct funcs_view *view)
{
	_cleanup_(attached_release) struct attached attached = {};
	struct traceability why;
	int err, status;

	err = traceability_find(kernel, name, &why);
	if (err)
		return err == -EINVAL ? EXIT_USAGE : EXIT_CANNOT;
	view->plan = why.plan;
	assign_rungs(kernel, why.plan, view, &attached);
	traceability_check_methods(&why);
	pager_start();
	err = view->why(view, name, &why);
	status = err			     ? (err == -EPIPE ? EXIT_SHOWN : EXIT_CANNOT) :
		 why.plan->funcs.len && why.verdict != WHY_NO_METHOD ? EXIT_SHOWN :
								       EXIT_NOTHING;
	traceability_release(&why);
	return status;
}

/* -k may name another kernel than the running one, or the running kernel may hide its addresses. */
static int open_kernel(const struct trace_request *request, struct kernel **ret_kernel)
{
	struct symbolizer_options options = request->symbols;

	bool other = options.vmlinux && !kernel_image_is_running(options.vmlinux);
	struct symbols *symbols;
	int err;

	options.live = !options.vmlinux || (!other && !kernel_addresses_hidden());
	err = kernel_new(&options, ret_kernel);
	if (err || options.live)
		return err;
	/* Add the remark only if the file can be read. */
	err = kernel_symbols(*ret_kernel, &symbols);
	if (!err && other)
		say(VERBOSITY_NORMAL,
		    "retsnoop: %s is not the running kernel: every function in it is listed, "
		    "traceable or not",
		    options.vmlinux);
	else if (!err)
		say(VERBOSITY_NORMAL,
		    "retsnoop: the running kernel hides its addresses: every function in %s is "
		    "listed, traceable or not",
		    options.vmlinux);
	return err;
}

static int fill_request(struct trace_request *request, const struct command_args *args)
{
	for (size_t i = 0; i < args->args.len; i++) {
		size_t first = request->allow.v.len;
		int err = spec_list_add(&request->allow, args->args.data[i]);

		if (err)
			return err;
		for (size_t j = first; j < request->allow.v.len; j++)
			request->allow.v.data[j].argument = true;
	}
	/* An empty list was given: it selects nothing. */
	if (!request->entry.given && !request->allow.given)
		return spec_list_add(&request->allow, "*");
	return 0;
}

static int parse_and_list(const struct command *command, int argc, char **argv,
			  struct trace_request *request)
{
	_cleanup_(command_args_release) struct command_args args = {};
	_cleanup_(kernel_free_p) struct kernel *kernel = NULL;
	struct funcs_options options = {};
	struct funcs_view view;
	void *const targets[] = { &options, request, request, request, request };
	int err;

	err = settings_load(request) ?: command_parse(command, argc, argv, targets, &args);
	if (err)
		return command_exit_status(err);
	if (options.why && (options.longer || options.count || options.by_name || args.args.len ||
			    request->entry.v.len || request->allow.v.len || request->deny.v.len ||
			    request->error_rules.len))
		return report(EXIT_USAGE, "--why takes one function and nothing else");
	if (options.count && (options.longer || options.by_name || args.format != FORMAT_TEXT))
		return report(EXIT_USAGE, "--count cannot be combined with -l, --sort or --format");
	if (request->error_rules.len && !options.longer && args.format != FORMAT_JSON)
		return report(EXIT_USAGE, "--error-if is seen with -l or --format=json");
	err = fill_request(request, &args);
	if (err)
		return command_exit_status(err);

	if (output_file_open(&args, NULL) || open_kernel(request, &kernel))
		return EXIT_CANNOT;
	view = args.format == FORMAT_JSON ? funcs_view_json :
	       options.longer		  ? funcs_view_long :
					    funcs_view_names;
	view.out = stdout;
	view.request = request;
	view.kernel = kernel;
	view.color = args.color;
	return options.why ? explain_function(kernel, options.why, &view) :
			     list_functions(kernel, request, &options, &view);
}

static int funcs_run(const struct command *command, int argc, char **argv)
{
	struct trace_request request;
	int status;

	trace_request_init(&request);
	status = parse_and_list(command, argc, argv, &request);
	trace_request_release(&request);
	return status;
}

static const char funcs_help[] =
	"Lists the kernel functions that the globs select, one per line; without globs, all "
	"functions that can be traced. -e @FILE reads such a list, -e @- reads it from a pipe.\n"
	"\n"
	"A function is listed if -e, -a or a GLOB selects it and -d does not. With -k and the "
	"vmlinux of a kernel that is not running, every function is listed, since it is not known "
	"which of them could be traced there.";

static const char funcs_examples[] =
	"# What would be traced?\n"
	"retsnoop funcs -e '*_sys_bpf' -a 'bpf_*' -d 'bpf_lsm_*'\n"
	"# Why is a function never in the output?\n"
	"retsnoop funcs --why do_change_type\n"
	"# The functions of a source file, with what each returns\n"
	"retsnoop funcs -l ':fs/namespace.c'";

const struct command cmd_funcs = {
	.name = "funcs",
	.summary = "list the functions that a set of globs selects",
	.usage = "[-l | --count] [--why FUNC] [-k VMLINUX] [-e|-a|-d GLOB]... [GLOB]...",
	.help = funcs_help,
	.examples = funcs_examples,
	.own_groups = tracing_own_groups,
	.options = funcs_options,
	.formats = FORMAT_TEXT | FORMAT_JSON,
	.run = funcs_run,
};
