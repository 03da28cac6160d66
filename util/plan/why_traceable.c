// SPDX-License-Identifier: BSD-2-Clause
/*
 * Asks the sources of facts from the cheapest to the most expensive: symbols, debug info, module
 * files.
 */
#include "util/plan/why_traceable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/ask/request.h"
#include "util/ask/settings.h"
#include "util/base/report.h"
#include "util/base/text/glob.h"
#include "util/kernel/kernel.h"
#include "util/kernel/symbols/modules.h"
#include "util/plan/match/match.h"
#include "util/plan/match/similar_names.h"

static int add_inlined(void *arg, const char *into, const char *call_file, uint32_t call_line)
{
	struct traceability *why = arg;
	struct why_inlined inlined = { .line = call_line };

	/*
	 * Debug info describes a part split off a function like a call inlined into the function.
	 */
	if (into && !strcmp(into, why->name))
		return 0;
	inlined.into = strdup(into ?: "?");
	inlined.file = call_file ? strdup(call_file) : NULL;
	if (!inlined.into || (call_file && !inlined.file) || vec_push(&why->inlined, inlined)) {
		free(inlined.into);
		free(inlined.file);
		return report_oom();
	}
	return 0;
}

static int compare_inlined(const void *a, const void *b)
{
	const struct why_inlined *x = a, *y = b;
	int order = strcmp(x->file ?: "", y->file ?: "");

	if (!order)
		order = x->line < y->line ? -1 : x->line > y->line;
	return order ?: strcmp(x->into, y->into);
}

/* Keep one entry for a call that was inlined into several copies of a function. */
static void sort_inlined(struct traceability *why)
{
	size_t kept = 0;

	vec_sort(&why->inlined, compare_inlined);
	for (size_t i = 0; i < why->inlined.len; i++) {
		struct why_inlined *call = &why->inlined.data[i];

		if (kept && !compare_inlined(&why->inlined.data[kept - 1], call)) {
			free(call->into);
			free(call->file);
		} else {
			why->inlined.data[kept++] = *call;
		}
	}
	why->inlined.len = kept;
}

static int find_inlined(struct kernel *kernel, const struct spec *spec, struct traceability *why)
{
	struct symbolizer *symbolizer = NULL;
	struct debuginfo *info;
	uint64_t bias;
	int err;

	err = kernel_symbolizer(kernel, &symbolizer);
	if (err)
		return err;
	info = spec->module && strcmp(spec->module, "vmlinux") ?
		       symbolizer_module(symbolizer, spec->module, &bias) :
		       symbolizer_vmlinux(symbolizer);
	if (!info)
		return 0;
	why->has_debuginfo = true;
	why->name = spec->name;
	err = debuginfo_inlined_into(info, spec->name, add_inlined, why);
	if (err < 0)
		return err == -ENOMEM ? err : report(err, "cannot read debug info");
	why->name = NULL;
	sort_inlined(why);
	return 0;
}

static int find_symbols(const struct symbol *all, size_t nr, const struct spec *spec,
			struct traceability *why)
{
	uint64_t init_start = 0, init_end = 0;
	size_t len = strlen(spec->name);

	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(all[i].name, "_sinittext"))
			init_start = all[i].addr;
		else if (!strcmp(all[i].name, "_einittext"))
			init_end = all[i].addr;
	}
	for (size_t i = 0; i < nr; i++) {
		const struct symbol *symbol = &all[i];

		if (strncmp(symbol->name, spec->name, len) || !is_function_symbol(symbol))
			continue;
		if (!spec_matches_module(spec, symbol->module)) {
			if (!symbol->name[len] && vec_push(&why->elsewhere, symbol))
				return report_oom();
			continue;
		}
		if (!symbol->name[len] && symbol->addr >= init_start && symbol->addr < init_end)
			why->init = true;
		if (symbol->name[len] == '.' && vec_push(&why->variants, symbol))
			return report_oom();
	}
	return 0;
}

static void look_in_modules(const struct spec *spec, bool loaded, struct traceability *why)
{
	if (loaded)
		return;
	if (spec->module && strcmp(spec->module, "vmlinux")) {
		char *file = module_file(spec->module);

		why->module = strdup(spec->module);
		why->verdict = file ? WHY_NOT_LOADED : WHY_NO_MODULE;
		free(file);
		return;
	}
	if (!spec->module)
		why->module = module_defining(spec->name);
	if (why->module)
		why->verdict = WHY_NOT_LOADED;
}

static int find_why(struct kernel *kernel, const struct trace_request *request,
		    const struct spec *spec, struct traceability *why)
{
	const struct traceable *traceable;
	const struct symbol *all = NULL;
	struct symbols *symbols = NULL;
	size_t nr;
	int err;

	err = plan_select(kernel, request, PLAN_NO_ENTRIES | PLAN_QUIET, &why->plan) ?:
	      kernel_symbols(kernel, &symbols);
	if (err)
		return err;
	nr = symbols_all(symbols, &all);
	why->plan->unmatched.len = 0;	/* its texts belong to the request, which is released */
	err = find_symbols(all, nr, spec, why) ?: find_inlined(kernel, spec, why);
	if (err)
		return err;

	if (why->plan->funcs.len) {
		why->verdict = kernel_traceable(kernel, &traceable) == -ENOENT ? WHY_PRESENT :
										 WHY_TRACEABLE;
	} else if (why->plan->refused.len) {
		why->verdict = WHY_REFUSED;
	} else if (why->inlined.len) {
		why->verdict = WHY_INLINED;
	} else if (why->variants.len) {
		why->verdict = WHY_VARIANTS;
	} else if (why->elsewhere.len) {
		why->verdict = WHY_ELSEWHERE;
	} else {
		why->verdict = WHY_UNKNOWN;
		if (kernel_is_live(kernel))
			look_in_modules(spec, spec->module &&
				       symbols_have_module(symbols, spec->module), why);
		if (why->verdict == WHY_UNKNOWN) {
			why->nr_nearest = nearest_names(all, nr, spec->name, why->nearest, 3);
			why->syscall = !spec->module && names_syscall(all, nr, spec->name);
		}
	}
	return 0;
}

int traceability_find(struct kernel *kernel, const char *spec_text, struct traceability *ret_why)
{
	struct trace_request request;
	struct traceability why = { 0 };
	const struct spec *spec;
	int err;

	trace_request_init(&request);
	err = spec_list_add(&request.allow, spec_text);
	if (!err) {
		spec = request.allow.v.data;
		if (request.allow.v.len != 1 || spec->kind != SPEC_NAME || is_glob(spec->name))
			err = report(-EINVAL, "--why takes one function's name, not '%s'",
				     spec_text);
	}
	if (!err)
		err = find_why(kernel, &request, spec, &why);
	trace_request_release(&request);
	if (err)
		traceability_release(&why);
	else
		*ret_why = why;
	return err;
}

void traceability_check_methods(struct traceability *why)
{
	bool found = why->verdict != WHY_TRACEABLE;

	vec_foreach(func, &why->plan->funcs)
		found |= func->rungs;
	if (!found)
		why->verdict = WHY_NO_METHOD;
}

void traceability_release(struct traceability *why)
{
	plan_free(why->plan);
	vec_release(&why->variants);
	vec_release(&why->elsewhere);
	vec_foreach(inlined, &why->inlined) {
		free(inlined->into);
		free(inlined->file);
	}
	vec_release(&why->inlined);
	free(why->module);
	*why = (struct traceability){ 0 };
}
