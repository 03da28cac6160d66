// SPDX-License-Identifier: BSD-2-Clause
/*
 * Resolves a request: from marked symbols to functions, one for each address, with their facts
 * from BTF.
 */
#include "util/plan/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/ask/request.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/search.h"
#include "util/base/strmap.h"
#include "util/kernel/code/routine.h"
#include "util/kernel/kernel.h"
#include "util/kernel/traceable.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/kernel_struct.h"
#include "util/kernel/types/symbol_variant.h"
#include "util/plan/capture.h"
#include "util/plan/match/deny.h"
#include "util/plan/match/match.h"
#include "util/plan/plan_internal.h"

/* The kernel's limit for a trampoline's function (MAX_BPF_FUNC_ARGS). */
#define MAX_PARAMS 12

/* The state of resolving a request. */
struct resolving {
	struct kernel *kernel;
	const struct trace_request *request;
	struct match match;
	const struct traceable *traceable;	/* NULL: not known, everything may be */
	struct kernel_btf *btf;			/* NULL: none */
	struct plan *plan;
	bool quiet;
	bool never_return;	/* some of the functions that were to be entry functions */
	/* For each function that has BTF: its name there. */
	VEC(const char *) btf_names;
};

/*
 * Choose which alias at an address to print: a name given in full first, then names that globs
 * match, then @best.
 */
static const struct symbol *choose_alias(const struct match *match, size_t first, size_t end,
					 const struct symbol *best)
{
	const struct symbol *chosen = NULL;
	unsigned int chosen_marks = 0;

	for (size_t i = first; i < end; i++) {
		const struct symbol *symbol = &match->symbols[i];
		unsigned int marks = match->marks[i];

		if (!(marks & (MARK_ENTRY | MARK_ALLOW)))
			continue;
		if (!chosen || (marks & MARK_EXACT) > (chosen_marks & MARK_EXACT) ||
		    (symbol == best && (marks & MARK_EXACT) == (chosen_marks & MARK_EXACT))) {
			chosen = symbol;
			chosen_marks = marks;
		}
	}
	return chosen;
}

static const char *denied_by_us(const struct match *match, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		const char *why = deny_reason(match->symbols[i].name);

		if (why)
			return why;
	}
	return NULL;
}

static bool never_returns(const struct match *match, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		if (is_noreturn(match->symbols[i].name))
			return true;
	}
	return false;
}

/* Add or refuse the function whose names are the symbols [first, end). */
static int add_function(struct resolving *r, const struct symbols *symbols, size_t first,
			size_t end)
{
	const struct match *match = &r->match;
	uint64_t addr = match->symbols[first].addr;
	const struct symbol *symbol;
	struct plan_func func = { 0 };
	struct plan_refusal refusal = { 0 };
	unsigned int marks = 0;

	for (size_t i = first; i < end; i++)
		marks |= match->marks[i];
	if (marks & MARK_DENY || !(marks & (MARK_ENTRY | MARK_ALLOW)))
		return 0;
	symbol =
		choose_alias(match, first, end, end - first > 1 ? symbols_at(symbols, addr) : NULL);

	refusal.name = symbol->name;
	refusal.module = symbol->module;
	refusal.exact = marks & MARK_EXACT;
	refusal.entry = marks & MARK_ENTRY;
	/* Our own list first: its reason says most. */
	if (denied_by_us(match, first, end)) {
		refusal.why = REFUSED_DENIED;
	} else if (r->traceable && traceable_is_blacklisted(r->traceable, addr)) {
		refusal.why = REFUSED_BLACKLISTED;
	} else if (r->traceable && !traceable_has(r->traceable, addr)) {
		refusal.why = REFUSED_NOT_TRACEABLE;
		refusal.guessed = traceable_is_of_btf(r->traceable);
	} else {
		func.addr = addr;
		func.size = symbol->size;
		func.name = symbol->name;
		func.module = symbol->module;
		/* A session ends when its entry call returns. */
		func.entry = marks & MARK_ENTRY && !never_returns(match, first, end);
		if (marks & MARK_ENTRY && !func.entry) {
			r->never_return = true;
			if (marks & MARK_EXACT && !r->quiet)
				warning("%s does not return, so it cannot be an entry function",
					symbol->name);
		}
		return vec_push(&r->plan->funcs, func);
	}
	return vec_push(&r->plan->refused, refusal);
}

static int add_functions(struct resolving *r)
{
	const struct match *match = &r->match;
	struct symbols *symbols = NULL;
	int err = kernel_symbols(r->kernel, &symbols);

	for (size_t i = 0, end; i < match->nr_symbols && !err; i = end) {
		for (end = i + 1; end < match->nr_symbols; end++) {
			if (match->symbols[end].addr != match->symbols[i].addr)
				break;
		}
		if (end == i + 1 && !match->marks[i])
			continue;
		if (add_function(r, symbols, i, end))
			err = report_oom();
	}
	return err;
}

static int compare_funcs(const void *a, const void *b)
{
	const struct plan_func *x = a, *y = b;

	if (x->entry != y->entry)
		return x->entry ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/*
 * Find the function in BTF by any of its names, the plan's name first. A function that link-time
 * optimisation renamed to `foo.llvm.123` is `foo` in BTF, even if no symbol has that name.
 *
 * @ret_name	the symbol with the name in BTF; NULL: none
 * @return	0; 1 the name is ambiguous; -ENOENT
 */
static int find_in_btf(struct resolving *r, const struct symbols *symbols, struct plan_func *func,
		       const char **ret_name)
{
	_cleanup_(free_p) char *known = NULL;
	const struct symbol *aliases = NULL;
	size_t nr;
	int found;

	*ret_name = func->name;
	found = kernel_btf_find_func(r->btf, func->name, func->module, &func->btf_id,
				     &func->btf_module);
	if (found >= 0)
		return found;
	nr = symbols_aliases(symbols, func->addr, &aliases);
	for (size_t i = 0; i < nr; i++) {
		*ret_name = aliases[i].name;
		found = kernel_btf_find_func(r->btf, aliases[i].name, func->module, &func->btf_id,
					     &func->btf_module);
		if (found >= 0)
			return found;
	}
	*ret_name = NULL;
	if (symbol_variant(func->name) != VARIANT_RENAMED)
		return -ENOENT;
	known = strndup(func->name, symbol_known_length(func->name));
	return known ? kernel_btf_find_func(r->btf, known, func->module, &func->btf_id,
					    &func->btf_module) : -ENOENT;
}

static const char shared_name[] = "several functions have that name";

static int add_types(struct resolving *r, const struct symbols *symbols, struct plan_func *func)
{
	const char *name = NULL;
	struct btf_shape shape;
	int found;

	func->rungs =
		RUNG_BIT(RUNG_KPROBE) | RUNG_BIT(RUNG_KPROBE_SESSION) | RUNG_BIT(RUNG_KPROBE_MULTI);
	found = r->btf ? find_in_btf(r, symbols, func, &name) : -ENOENT;
	if (found < 0) {
		func->btf_id = 0;
		func->btf_module = 0;
		func->no_trampoline = "BTF does not have it";
		if (r->btf)
			func->returns = kernel_btf_return_kind_of_clone(r->btf, func->name,
									func->module);
		return vec_push(&r->btf_names, NULL);
	}
	func->returns = kernel_btf_return_kind(r->btf, func->btf_module, func->btf_id);
	kernel_btf_shape(r->btf, func->btf_module, func->btf_id, &shape);
	func->arg_slots = shape.arg_slots < 255 ? shape.arg_slots : 255;
	func->struct_args = shape.struct_args;
	/* The kernel finds a trampoline's function by name, so the name must be unique. */
	if (!name)
		func->no_trampoline = "link-time optimisation has renamed it";
	else if (found)
		func->no_trampoline = shared_name;
	else if (shape.untypable)
		func->no_trampoline = "it is variadic, or passes or returns too large a struct";
	else if (shape.params > MAX_PARAMS)
		func->no_trampoline = "it has more than 12 parameters";
	else if (is_noreturn(name))
		func->no_trampoline = "it does not return";
	else
		func->rungs |= RUNG_TRAMPOLINES;
	if (func->no_trampoline)
		name = NULL;
	return vec_push(&r->btf_names, name);
}

/*
 * Whether this kernel finds the function of a trampoline in the module of its BTF. From 5.11 to 6.2 kernels
 * look for the name in everything, first in vmlinux (bpf_check_attach_target()). The change added the member.
 */
static bool kernel_finds_in_module(const struct kernel_btf *btf)
{
	return kernel_struct_has(kernel_btf_types(btf, 0), "bpf_prog_aux", "mod");
}

/*
 * Whether exactly one symbol of the module, or of the kernel itself, has the name.
 *
 * @anywhere	symbols of other modules and of the kernel count, too
 */
static bool is_unique(const struct symbols *symbols, const char *name, const char *module, bool anywhere)
{
	const struct symbol *const *named;
	size_t nr = symbols_named(symbols, name, &named), found = 0;

	for (size_t i = 0; i < nr; i++)
		found += !strcmp(named[i]->name, name) &&
			 (anywhere || !strcmp(named[i]->module ?: "", module ?: ""));
	return found == 1;
}

/* Remove trampolines' rungs from functions whose name another function has too. */
static void check_names_unique(struct resolving *r, const struct symbols *symbols)
{
	bool in_module = r->btf && kernel_finds_in_module(r->btf);

	for (size_t i = 0; i < r->plan->funcs.len; i++) {
		struct plan_func *func = &r->plan->funcs.data[i];
		const char *name = r->btf_names.data[i], *why = shared_name;

		if (name && is_unique(symbols, name, func->module, false)) {
			if (!func->module || in_module || is_unique(symbols, name, func->module, true))
				continue;
			why = "this kernel would take another function of that name";
		}
		func->rungs &= ~RUNG_TRAMPOLINES;
		func->no_trampoline = func->no_trampoline ?: why;
	}
}

/* Without BTF, results are taken for ints, those of void and bool functions included. */
static int warn_of_untyped_modules(const struct resolving *r)
{
	struct strmap modules = STRMAP_INIT;
	const char *first = NULL;
	size_t nr = 0;

	vec_foreach(func, &r->plan->funcs) {
		if (!func->module || kernel_btf_find_module(r->btf, func->module) >= 0)
			continue;
		if (!strmap_put(&modules, func->module, 0)) {
			strmap_release(&modules);
			return report_oom();
		}
		first = first ?: func->module;
		nr++;
	}
	if (modules.len == 1)
		warning("module %s has no BTF: results of its %zu function%s count as ints", first, nr,
			nr == 1 ? "" : "s");
	else if (nr)
		warning("%zu modules have no BTF, %s for one: results of their %zu functions count as ints",
			modules.len, first, nr);
	strmap_release(&modules);
	return 0;
}

static int resolve_types(struct resolving *r)
{
	struct symbols *symbols = NULL;
	int err = kernel_symbols(r->kernel, &symbols);

	if (!err)
		err = kernel_get_btf(r->kernel, &r->btf);
	if (err && err != -ENOENT)
		return err;
	vec_foreach(func, &r->plan->funcs) {
		if (add_types(r, symbols, func))
			return report_oom();
	}
	check_names_unique(r, symbols);
	return r->btf && !r->quiet ? warn_of_untyped_modules(r) : 0;
}

static struct plan_func *find_func(const struct plan *plan, uint64_t addr)
{
	/* Entry functions first, then the others; each part sorted by address. */
	const size_t starts[] = { 0, plan->nr_entries, plan->funcs.len };

	for (int part = 0; part < 2; part++) {
		size_t start = starts[part], end = starts[part + 1], at;

		at = start + bisect(i, end - start, plan->funcs.data[start + i].addr < addr);
		if (at < end && plan->funcs.data[at].addr == addr)
			return &plan->funcs.data[at];
	}
	return NULL;
}

/* Apply a rule to the functions that it selects; a later rule overrides it. */
static void apply_rule(struct plan *plan, const struct match *match, size_t index)
{
	const struct plan_func *last = NULL;

	for (size_t i = 0; i < match->nr_symbols; i++) {
		struct plan_func *func;

		if (!match->marks[i])
			continue;
		func = find_func(plan, match->symbols[i].addr);
		/* Aliases are next to each other. */
		if (!func || func == last)
			continue;
		last = func;
		plan->rules.data[index].selected++;
		if (!return_kind_is_number(func->returns))
			continue;
		plan->rules.data[index].numbers++;
		func->rule = index + 1;
	}
}

static int apply_rules(struct resolving *r)
{
	struct plan *plan = r->plan;
	int err = 0;

	for (size_t i = 0; i < r->request->error_rules.len && !err; i++) {
		struct match match;

		if (vec_push(&plan->rules, (struct plan_rule){ 0 }))
			return report_oom();
		err = match_list(r->kernel, &r->request->error_rules.data[i].funcs, &match);
		if (!err)
			apply_rule(plan, &match, i);
		match_release(&match);
	}
	vec_foreach(func, &plan->funcs) {
		if (func->rule)
			plan->rules.data[func->rule - 1].ruled++;
	}
	return err;
}

const char *refusal_text(const struct plan_refusal *refusal)
{
	const char *why;

	switch (refusal->why) {
	case REFUSED_NOT_TRACEABLE:
		if (refusal->guessed)
			return "it is not in BTF, which stands in for tracefs' list of functions";
		return "the kernel has no ftrace location for it (notrace, or __init and gone)";
	case REFUSED_BLACKLISTED:
		return "it is on the kernel's kprobe blacklist";
	case REFUSED_DENIED:
		why = deny_reason(refusal->name);
		return why ? why : "it is another name of a function that tracing itself uses";
	case REFUSED_ATTACH:
		break;
	}
	return "the kernel refused to attach to it";
}

/* The names of the functions in the plan. Keys are the plan's. */
static int collect_names(const struct plan *plan, struct strmap *names)
{
	vec_foreach(func, &plan->funcs) {
		if (!strmap_put(names, func->name, 0))
			return report_oom();
	}
	return 0;
}

static int warn_of_refused(const struct plan *plan)
{
	struct strmap names = STRMAP_INIT;
	size_t warned = 0, more = 0;

	say(VERBOSITY_VERBOSE, "%zu function%s selected, %zu more refused", plan->funcs.len,
	    plan->funcs.len == 1 ? "" : "s", plan->refused.len);
	vec_foreach(refusal, &plan->refused) {
		if (report_verbosity() >= VERBOSITY_DEBUG && !refusal->exact)
			say(VERBOSITY_DEBUG, "%s refused: %s", refusal->name,
			    refusal_text(refusal));
		/*
		 * If only some functions of that name are refused, the user probably meant the
		 * others.
		 */
		if (!refusal->exact)
			continue;
		if (!names.len && collect_names(plan, &names)) {
			strmap_release(&names);
			return -ENOMEM;
		}
		if (strmap_get(&names, refusal->name))
			continue;
		if (warned++ >= PLAN_MAX_WARNINGS)
			more++;
		else
			warning("%s%s%s%s cannot be traced: %s", refusal->name,
				refusal->module ? " [" : "", refusal->module ? refusal->module : "",
				refusal->module ? "]" : "", refusal_text(refusal));
	}
	if (more)
		warning("and %zu more cannot be traced", more);
	strmap_release(&names);
	return 0;
}

static int report_no_entries(const struct resolving *r)
{
	const struct plan *plan = r->plan;
	bool refused = false, guessed = false;

	if (!r->request->entry.v.len)
		return report(-ENOENT, "no entry functions: give at least one with -e, "
				       "such as -e '*_sys_bpf'");
	if (r->never_return)
		return report(-ENOENT,
			      "none of the entry functions returns, and a session ends with "
			      "its entry function's return; give another one with -e");
	vec_foreach(refusal, &plan->refused) {
		refused |= refusal->entry;
		guessed |= refusal->entry && refusal->guessed;
	}
	if (guessed)
		return report(-EPERM, "none of the entry functions is known to be traceable without tracefs' list "
				      "of functions");
	if (refused)
		return report(-ENOENT, "none of the entry functions can be traced; "
				       "see 'retsnoop funcs --why NAME'");
	if (plan->unmatched.len)
		return report(-ENOENT, "no entry function matches; "
				       "see 'retsnoop funcs --why NAME'");
	return report(-ENOENT, "no entry function is left: -d leaves all of them out");
}

static void expect_errors(struct plan *plan)
{
	vec_foreach(func, &plan->funcs) {
		if (func->returns == RETURN_UNSIGNED64)
			func->returns = RETURN_INT64;
	}
}

int plan_select(struct kernel *kernel, const struct trace_request *request, unsigned int flags,
		struct plan **ret_plan)
{
	struct resolving r = { .kernel = kernel, .request = request, .quiet = flags & PLAN_QUIET };
	struct plan *plan = calloc(1, sizeof(*plan));
	int err;

	if (!plan)
		return report_oom();
	r.plan = plan;
	plan->unsigned_errors = flags & PLAN_UNSIGNED_ERRORS;
	kernel_prefetch(kernel);
	err = match_request(kernel, request, &r.match);
	if (!err) {
		err = kernel_traceable(kernel, &r.traceable);
		if (err == -ENOENT)
			err = 0;
	}
	if (!err)
		err = add_functions(&r);
	if (!err) {
		vec_sort(&plan->funcs, compare_funcs);
		vec_foreach(func, &plan->funcs)
			plan->nr_entries += func->entry;
		err = plan_note_unmatched(plan, request, &r.match, r.quiet);
	}
	if (!err && !r.quiet)
		err = warn_of_refused(plan);
	if (!err && !plan->nr_entries && !(flags & PLAN_NO_ENTRIES))
		err = report_no_entries(&r);
	if (!err && !(flags & PLAN_NO_TYPES))
		err = resolve_types(&r) ?: apply_rules(&r);
	if (plan->unsigned_errors)
		expect_errors(plan);
	if (!err && kernel_is_live(kernel))
		err = plan_find_recursion_in_kernel(plan);
	match_release(&r.match);
	vec_release(&r.btf_names);
	if (err) {
		plan_free(plan);
		return err;
	}
	*ret_plan = plan;
	return 0;
}

void plan_free(const struct plan *constant)
{
	struct plan *plan = (struct plan *)constant;

	if (!plan)
		return;
	for (size_t i = 0; i < NR_CAPTURES; i++) {
		if (captures[i]->unplan)
			captures[i]->unplan(plan);
	}
	vec_release(&plan->funcs);
	vec_release(&plan->refused);
	vec_release(&plan->unmatched);
	vec_release(&plan->rules);
	free(plan);
}
