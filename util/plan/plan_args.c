// SPDX-License-Identifier: BSD-2-Clause
/*
 * A plan's arguments: for each function, which arguments are captured, and the conditions on
 * them.
 */
#include "util/plan/plan_args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/ask/request.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/text/nearest.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/kernel.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/kernel/types/btf.h"
#include "util/plan/args/args.h"
#include "util/plan/args/args_select.h"
#include "util/plan/args/syscall_formats.h"
#include "util/plan/args/where_compile.h"
#include "util/plan/plan.h"

struct filler {
	const struct trace_request *request;
	struct plan *plan;
	struct kernel_btf *btf;		/* NULL: none */
	struct symbolizer *symbolizer;	/* NULL: no debug info */
};

/* If the compiler changed its parameters, its registers are all that is known. */
static struct args_func args_func_of(const struct filler *filler, const struct plan_func *func)
{
	bool changed = func->btf_id && filler->symbolizer &&
		       symbolizer_is_changed(filler->symbolizer, func->addr);

	return (struct args_func){ func->name, func->btf_module, changed ? 0 : func->btf_id };
}

static bool selects_func(const struct spec_list *funcs, const struct plan_func *func)
{
	return vec_find(spec, &funcs->v, spec_matches_name(spec, func->name, func->module));
}

/* Whether the list names one function: then arguments that it does not have are an error. */
static bool is_exact(const struct spec_list *funcs)
{
	return funcs->v.len == 1 && !strpbrk(funcs->v.data[0].name, "*?");
}

static const struct args_selection *selection_for(const struct trace_request *request,
						  const struct plan_func *func)
{
	const struct args_selection *found = NULL;

	vec_foreach(selection, &request->args_selections) {
		if (selects_func(&selection->funcs, func))
			found = selection;
	}
	return found;
}

/* Add a condition, or find an equal one. Returns its index + 1; -E2BIG (reported). */
static int add_where(struct plan *plan, const struct where *where)
{
	for (size_t i = 0; i < plan->wheres.len; i++) {
		if (!memcmp(&plan->wheres.data[i], where, sizeof(*where)))
			return i + 1;
	}
	if (plan->wheres.len == WHERE_MAX)
		return report(-E2BIG, "--where: the functions' arguments differ too much: no more than "
				      "%d different conditions", WHERE_MAX);
	if (vec_push(&plan->wheres, *where))
		return report_oom();
	return plan->wheres.len;
}

/*
 * Join all conditions on a function's arguments. @used: by rule, set if it applies to some
 * function
 */
static int fill_where(struct filler *filler, const struct plan_func *func,
		      const struct syscall_params *syscall, bool *used, struct func_args *args)
{
	struct args_func args_func = args_func_of(filler, func);
	struct where all, next;
	bool any = false;
	int err;

	for (size_t i = 0; i < filler->request->wheres.len; i++) {
		struct where_rule *rule = &filler->request->wheres.data[i];
		bool strict = is_exact(&rule->funcs);

		if (!selects_func(&rule->funcs, func))
			continue;
		err = where_compile(rule, strict, filler->btf, &args_func, syscall, arch_native,
				    &next);
		if (err && (strict || err == -ENOMEM))
			return err;
		if (err)
			continue;
		used[i] = true;
		if (any && where_and(&all, &next, &next))
			return report(-E2BIG, "--where: too many comparisons on the arguments of %s",
				      func->name);
		all = next;
		any = true;
	}
	if (!any)
		return 0;
	err = add_where(filler->plan, &all);
	if (err < 0)
		return err;
	args->items.where = err;
	if (!func->entry)
		filler->plan->wheres_inside |= 1u << (err - 1);
	return 0;
}

static struct args_options options_of(const struct trace_request *request)
{
	struct args_options options = request->args;

	options.members = request->args_mode == ARGS_VERBOSE;
	return options;
}

/* The parameters of a system call; NULL: the function is none, or they are not known. */
static const struct syscall_params *
find_syscall(struct filler *filler, const struct plan_func *func, struct syscall_params *params)
{
	return syscall_formats_find(&filler->plan->syscalls, func->name, params) ? params : NULL;
}

static int fill_args(struct filler *filler, struct plan_func *func, bool *used,
		     struct func_args *args)
{
	const struct args_selection *selection = selection_for(filler->request, func);
	struct args_options options = options_of(filler->request);
	struct args_func args_func = args_func_of(filler, func);
	struct syscall_params params;
	const struct syscall_params *syscall;
	int err = 0;

	syscall = find_syscall(filler, func, &params);
	if (selection) {
		bool strict = is_exact(&selection->funcs);

		err = args_select(selection, strict, filler->btf, &args_func, syscall, &options,
				  arch_native, args);
		/* Some functions that a glob selects do not have such arguments. */
		if (err == -EINVAL && !strict)
			err = 0;
	} else if (filler->request->modes & MODE_ARGS) {
		err = args_of_func(filler->btf, &args_func, syscall, &options, arch_native, args);
	}
	return err ?: fill_where(filler, func, syscall, used, args);
}

/* Report a glob that selects no traced function. */
static int report_no_func(const struct plan *plan, const char *option, const struct spec_list *funcs)
{
	const char *glob = funcs->v.data[0].text;
	struct nearest near = nearest_start(glob);

	if (funcs->v.data[0].kind == SPEC_SOURCE)
		return report(-EINVAL, "%s takes names of functions, and no source path: '%s'", option, glob);
	vec_foreach(func, &plan->funcs)
		nearest_offer(&near, func->name);
	return nearest_report(&near, "-e and -a say what is traced",
			      "%s: no traced function is selected by '%s'", option, glob);
}

/*
 * If a selection fits none of the functions that its glob selects, it is an error, which is
 * reported for the first of them. 0: it fits some function.
 */
static int check_selection(struct filler *filler, const struct args_selection *selection)
{
	struct args_options options = options_of(filler->request);
	struct plan *plan = filler->plan;
	const struct plan_func *first = NULL;
	const struct syscall_params *syscall;
	struct syscall_params params;
	_cleanup_(func_args_release) struct func_args args = {};
	struct args_func args_func;

	for (size_t i = 0; i < plan->funcs.len; i++) {
		const struct plan_func *func = &plan->funcs.data[i];

		if (!selects_func(&selection->funcs, func))
			continue;
		/* A later selection of the same function overrides this one. */
		if (plan->args[i].nr || selection_for(filler->request, func) != selection)
			return 0;
		first = first ?: func;
	}
	if (!first)
		return report_no_func(plan, "--args", &selection->funcs);
	syscall = find_syscall(filler, first, &params);
	args_func = args_func_of(filler, first);
	return args_select(selection, true, filler->btf, &args_func, syscall, &options, arch_native,
			   &args);
}

static int report_no_where(struct filler *filler, struct where_rule *rule)
{
	const struct syscall_params *syscall;
	struct syscall_params params;
	struct args_func args_func;
	struct where where;

	vec_foreach(func, &filler->plan->funcs) {
		if (!selects_func(&rule->funcs, func))
			continue;
		syscall = find_syscall(filler, func, &params);
		args_func = args_func_of(filler, func);
		return where_compile(rule, true, filler->btf, &args_func, syscall, arch_native,
				     &where);
	}
	return report_no_func(filler->plan, "--where", &rule->funcs);
}

int plan_args(struct kernel *kernel, const struct trace_request *request, struct plan *plan)
{
	struct filler filler = { .request = request, .plan = plan };
	_cleanup_(free_p) bool *used = NULL;
	int err;

	if (!trace_request_has_args(request) && !request->wheres.len)
		return 0;
	if (kernel_get_btf(kernel, &filler.btf))
		filler.btf = NULL;	/* registers, then */
	if (kernel_symbolizer(kernel, &filler.symbolizer))
		filler.symbolizer = NULL;
	used = calloc(request->wheres.len + 1, sizeof(*used));
	plan->args = calloc(plan->funcs.len + PLAN_SPARE, sizeof(*plan->args));
	if (!plan->args || !used)
		return report_oom();
	for (size_t i = 0; i < plan->funcs.len; i++) {
		err = fill_args(&filler, &plan->funcs.data[i], used, &plan->args[i]);
		if (err)
			return err;
	}
	vec_foreach(selection, &request->args_selections) {
		err = check_selection(&filler, selection);
		if (err)
			return err;
	}
	for (size_t i = 0; i < request->wheres.len; i++) {
		err = used[i] ? 0 : report_no_where(&filler, &request->wheres.data[i]);
		if (err)
			return err;
	}
	return 0;
}

/* BPF has the conditions that the run began with. */
int plan_args_more(struct kernel *kernel, const struct trace_request *request, struct plan *plan,
		   uint32_t func)
{
	struct filler filler = { .request = request, .plan = plan };
	uint32_t nr_wheres = plan->wheres.len, inside = plan->wheres_inside;
	_cleanup_(free_p) bool *used = NULL;
	int err;

	if (!plan->args)
		return 0;
	if (kernel_get_btf(kernel, &filler.btf))
		filler.btf = NULL;
	if (kernel_symbolizer(kernel, &filler.symbolizer))
		filler.symbolizer = NULL;
	used = calloc(request->wheres.len + 1, sizeof(*used));
	if (!used)
		return -ENOMEM;
	err = fill_args(&filler, &plan->funcs.data[func], used, &plan->args[func]);
	if (!err && (plan->wheres.len > nr_wheres || plan->wheres_inside != inside))
		err = -E2BIG;
	if (!err)
		return 0;
	plan->wheres.len = nr_wheres;
	plan->wheres_inside = inside;
	func_args_release(&plan->args[func]);
	plan->args[func] = (struct func_args){};
	return err;
}

void plan_args_release(struct plan *plan)
{
	for (size_t i = 0; plan->args && i < plan->funcs.len; i++)
		func_args_release(&plan->args[i]);
	free(plan->args);
	syscall_formats_release(&plan->syscalls);
	vec_release(&plan->wheres);
}
