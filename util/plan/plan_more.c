// SPDX-License-Identifier: BSD-2-Clause
/* Plans the request again, for the kernel as it is now, and takes over what is new. */
#include "util/plan/plan_more.h"

#include <errno.h>
#include <string.h>

#include "util/ask/request.h"
#include "util/base/report.h"
#include "util/kernel/kernel.h"
#include "util/kernel/symbols/modules.h"
#include "util/kernel/types/btf.h"
#include "util/plan/args/args.h"
#include "util/plan/attached.h"
#include "util/plan/plan.h"
#include "util/plan/plan_args.h"

static bool is_of(const struct loaded_modules *modules, const struct plan_func *func)
{
	return vec_find(module, &modules->v, func->module && !strcmp(func->module, module->name));
}

/* What was planned while its module was loading may be @attached; NULL: nothing of these modules is. */
static bool is_more(const struct loaded_modules *modules, const struct plan *plan,
		    const struct attached *attached, const struct plan_func *func)
{
	return is_of(modules, func) && !(attached && attached_has(attached, plan, func));
}

/* Names in the table that lives as long as the plan, and the index that BTF has there. */
static int translate(struct kernel *kernel, struct symbols *symbols, struct plan_func *func)
{
	const struct symbol *aliases;
	size_t nr = symbols_aliases(symbols, func->addr, &aliases);
	struct kernel_btf *btf;

	for (size_t i = 0; i < nr; i++) {
		if (strcmp(aliases[i].name, func->name) || !aliases[i].module)
			continue;
		func->name = aliases[i].name;
		func->module = aliases[i].module;
		if (!func->btf_id)
			return 0;
		func->btf_module = kernel_get_btf(kernel, &btf) ? -ENOENT :
					   kernel_btf_find_module(btf, func->module);
		return func->btf_module < 0 ? -ENOENT : 0;
	}
	return -ENOENT;
}

/* The module may have been unloaded meanwhile: then its functions are left out. */
static int take_over(struct kernel *kernel, const struct trace_request *request,
		     const struct loaded_modules *modules, const struct plan *fresh,
		     struct plan *plan, const struct attached *attached, struct plan_more *more)
{
	struct symbols *symbols;
	int err = kernel_symbols(kernel, &symbols) ?: symbols_refresh(symbols);

	if (err)
		return err;
	vec_foreach(module, &modules->v)
		kernel_forget_module(kernel, module->name);
	vec_foreach(func, &fresh->funcs) {
		struct plan_func copy = *func;

		if (!is_more(modules, plan, attached, func) || translate(kernel, symbols, &copy))
			continue;
		/* What points to functions stays valid only if they do not move. */
		if (plan->nr_more == PLAN_SPARE) {
			more->no_room++;
			continue;
		}
		plan->funcs.data[plan->funcs.len++] = copy;
		err = plan_args_more(kernel, request, plan, plan->funcs.len - 1);
		if (err) {
			plan->funcs.len--;
			if (err == -ENOMEM)
				return report_oom();
			more->unfit++;
		} else {
			plan->nr_more++;
			more->nr++;
		}
	}
	return 0;
}

int plan_add_modules(struct kernel *kernel, const struct trace_request *request,
		     const struct loaded_modules *modules, const struct plan *constant,
		     const struct attached *attached, struct plan_more *ret_more)
{
	struct plan *plan = (struct plan *)constant, *fresh = NULL;
	struct kernel *now = NULL;
	uint32_t selected = 0;
	unsigned int flags = PLAN_QUIET | PLAN_NO_ENTRIES;
	int err = kernel_new(&request->symbols, &now);

	if (plan->unsigned_errors)
		flags |= PLAN_UNSIGNED_ERRORS;
	if (!vec_find(func, &plan->funcs, is_of(modules, func)))
		attached = NULL;
	*ret_more = (struct plan_more){ .first = plan->funcs.len };
	err = err ?: plan_select(now, request, flags, &fresh);
	for (size_t i = 0; !err && i < fresh->funcs.len; i++)
		selected += is_more(modules, plan, attached, &fresh->funcs.data[i]);
	/* Reading symbols again keeps the older table: only if that is of use. */
	if (selected && plan->nr_more < PLAN_SPARE)
		err = take_over(kernel, request, modules, fresh, plan, attached, ret_more);
	else
		ret_more->no_room = selected;
	plan_free(fresh);
	if (now)
		kernel_free(now);
	return err;
}
