// SPDX-License-Identifier: BSD-2-Clause
/* Looks at the list of modules, and at the symbols only if there is a new one. */
#include "util/trace/run/run_modules.h"

#include <string.h>

#include "util/base/report.h"
#include "util/kernel/kernel.h"
#include "util/kernel/symbols/symbols.h"
#include "util/trace/ask/request.h"
#include "util/trace/plan/match.h"

void run_modules_start(struct run_modules *modules, const struct trace_request *request,
		       struct kernel *kernel)
{
	struct loaded_modules now = {};
	struct symbols *symbols;

	if (kernel_symbols(kernel, &symbols) || modules_list(&now)) {
		vec_release(&now.v);
		return;
	}
	/* A module that was loaded after the symbols were read is new. */
	vec_foreach(module, &now.v) {
		if (symbols_have_module(symbols, module->name) && vec_push(&modules->known.v, *module)) {
			vec_release(&now.v);
			return;
		}
	}
	vec_release(&now.v);
	modules->request = request;
}

static void warn_of_module(const struct match *match, const char *module)
{
	unsigned int selected = 0;

	for (size_t i = 0; i < match->nr_symbols; i++) {
		const struct symbol *symbol = &match->symbols[i];

		selected += symbol->module && match->marks[i] & (MARK_ENTRY | MARK_ALLOW) &&
			    !(match->marks[i] & MARK_DENY) && !strcmp(symbol->module, module);
	}
	if (selected)
		warning("module %s was loaded during the run: %u function%s of it that -e or -a "
			"select%s %s not traced; start retsnoop again to trace %s", module, selected,
			selected == 1 ? "" : "s", selected == 1 ? "s" : "",
			selected == 1 ? "is" : "are", selected == 1 ? "it" : "them");
}

static void warn_of_new(const struct run_modules *modules, const struct loaded_modules *now)
{
	struct kernel *kernel = NULL;
	struct match match = {};
	int err = kernel_new(&modules->request->symbols, &kernel);

	err = err ?: match_request(kernel, modules->request, &match);
	vec_foreach(module, &now->v) {
		if (!err && !modules_have(&modules->known, module))
			warn_of_module(&match, module->name);
	}
	match_release(&match);
	if (kernel)
		kernel_free(kernel);
}

void run_modules_check(struct run_modules *modules)
{
	struct loaded_modules now = {};
	bool changed = false;

	if (!modules->request)
		return;
	if (modules_list(&now)) {
		vec_release(&now.v);
		return;
	}
	vec_foreach(module, &now.v)
		changed |= !modules_have(&modules->known, module);
	if (changed)
		warn_of_new(modules, &now);
	vec_release(&modules->known.v);
	modules->known = now;
}

void run_modules_stop(struct run_modules *modules)
{
	vec_release(&modules->known.v);
}
