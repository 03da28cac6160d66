// SPDX-License-Identifier: BSD-2-Clause
/* Functions as text. */
#include "util/view/lists/funcs_view.h"

#include <inttypes.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/style.h"
#include "util/kernel/kernel.h"
#include "util/plan/why_traceable.h"
#include "util/view/lists/funcs_facts.h"
#include "util/view/parts/output.h"

int funcs_view_width(const struct plan_func *func)
{
	return strlen(func->name) + (func->module ? strlen(func->module) + 3 : 0);
}

enum rung funcs_view_rung(const struct funcs_view *view, const struct plan_func *func)
{
	return view->rungs ? view->rungs[func - view->plan->funcs.data] : RUNG_AUTO;
}

static int print_name(const struct funcs_view *view, const struct plan_func *func)
{
	if (func->module)
		fprintf(view->out, "%s [%s]\n", func->name, func->module);
	else
		fprintf(view->out, "%s\n", func->name);
	return output_end(view->out);
}

static void print_source(const struct funcs_view *view, const struct func_facts *facts)
{
	if (facts->line)
		style_print(view->out, view->color, STYLE_PLACE, "%s:%" PRIu32, facts->file,
			    facts->line);
	else
		style_print(view->out, view->color, STYLE_PLACE, "%s", facts->file);
}

static int print_long(const struct funcs_view *view, const struct plan_func *func)
{
	_cleanup_(func_facts_release) struct func_facts facts;
	int padding = view->name_width - funcs_view_width(func);

	func_facts_find(view->kernel, func, &facts);
	style_print(view->out, view->color, STYLE_NAME, "%s", func->name);
	if (func->module)
		fprintf(view->out, " [%s]", func->module);
	fprintf(view->out, "%*s  ", padding > 0 ? padding : 0, "");
	style_print(view->out, view->color, STYLE_ASIDE, "# %016" PRIx64 " %6" PRIu64, func->addr,
		    func->size);
	fprintf(view->out, "  %-14s  %-10s fails: %s",
		func->rungs ? rung_name(func_rung(func, funcs_view_rung(view, func))) : "none",
		return_kind_name(func->returns), func_fails(func, view->request));
	if (facts.file) {
		fputs("  ", view->out);
		print_source(view, &facts);
	}
	if (facts.prototype.len)
		fprintf(view->out, "  %s", strbuf_str(&facts.prototype));
	fputc('\n', view->out);
	return output_end(view->out);
}

static void print_variants(const struct funcs_view *view, const struct traceability *why)
{
	vec_foreach(variant, &why->variants)
		fprintf(view->out, "    %s%s%s%s\n", (*variant)->name,
			(*variant)->module ? " [" : "", (*variant)->module ?: "",
			(*variant)->module ? "]" : "");
}

static void print_inlined(const struct funcs_view *view, const struct traceability *why)
{
	vec_foreach(call, &why->inlined) {
		fprintf(view->out, "    %s", call->into);
		if (call->file) {
			fputc(' ', view->out);
			style_print(view->out, view->color, STYLE_PLACE, "(%s:%" PRIu32 ")",
				    call->file, call->line);
		}
		fputc('\n', view->out);
	}
}

static void print_how(const struct funcs_view *view, const struct plan_func *func)
{
	_cleanup_(func_facts_release) struct func_facts facts;
	enum rung assigned = funcs_view_rung(view, func);
	const char *separator = "";

	func_facts_find(view->kernel, func, &facts);
	fprintf(view->out, "  address    %016" PRIx64 ", %" PRIu64 " bytes%s%s\n", func->addr,
		func->size, func->module ? ", module " : "", func->module ?: "");
	if (facts.file) {
		fputs("  source     ", view->out);
		print_source(view, &facts);
		fputc('\n', view->out);
	}
	if (facts.prototype.len)
		fprintf(view->out, "  prototype  %s\n", strbuf_str(&facts.prototype));
	fprintf(view->out, "  returns    %s; fails when: %s\n", return_kind_name(func->returns),
		func_fails(func, view->request));
	if (assigned != RUNG_AUTO)
		fprintf(view->out, "  method     %s\n", rung_name(assigned));
	fputs("  methods    ", view->out);
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		if (!(func->rungs & RUNG_BIT(rung)))
			continue;
		fprintf(view->out, "%s%s", separator, rung_name(rung));
		separator = ", ";
	}
	fputc('\n', view->out);
}

static void print_reason(const struct funcs_view *view, const char *name,
			 const struct traceability *why)
{
	FILE *out = view->out;

	switch (why->verdict) {
	case WHY_TRACEABLE:
		fprintf(out, "%s can be traced.\n", name);
		vec_foreach(func, &why->plan->funcs)
			print_how(view, func);
		break;
	case WHY_PRESENT:
		fprintf(out,
			"%s is a function of this kernel; where that runs, 'retsnoop funcs --why' "
			"can tell if it can be traced.\n",
			name);
		vec_foreach(func, &why->plan->funcs)
			print_how(view, func);
		break;
	case WHY_NO_METHOD:
		fprintf(out,
			"%s cannot be traced here: no usable attach method supports it; "
			"'retsnoop doctor' shows why.\n", name);
		break;
	case WHY_REFUSED:
		fprintf(out, "%s cannot be traced: %s.\n", name,
			why->init ? "it is __init, and its code is gone since boot" :
				    refusal_text(&why->plan->refused.data[0]));
		break;
	case WHY_INLINED:
		fprintf(out,
			"%s cannot be traced: it has no code of its own, every call is "
			"inlined. Trace the callers.\n",
			name);
		break;
	case WHY_VARIANTS:
		fprintf(out,
			"%s cannot be traced by that name: the compiler made variants of it, "
			"with other arguments or parts split off. Ask for '%s.*'.\n",
			name, name);
		break;
	case WHY_NOT_LOADED:
		fprintf(out, "%s cannot be traced: its module %s is not loaded (modprobe %s).\n",
			name, why->module, why->module);
		break;
	case WHY_NO_MODULE:
		fprintf(out, "%s cannot be traced: module %s is neither loaded nor installed.\n",
			name, why->module);
		break;
	case WHY_ELSEWHERE:
		fprintf(out, "%s cannot be traced: it is not in that module. It is in:\n", name);
		vec_foreach(symbol, &why->elsewhere)
			fprintf(out, "    %s [%s]\n", (*symbol)->name,
				(*symbol)->module ?: "vmlinux");
		break;
	case WHY_UNKNOWN:
		if (why->syscall) {
			fprintf(out,
				"%s is no function but a system call; --syscall %s selects its "
				"entry functions.\n", name, name);
			break;
		}
		fprintf(out, "%s cannot be traced: this kernel has no such function%s.\n", name,
			why->has_debuginfo ?
				"" :
				", or it is inlined everywhere, which debug info would tell");
		break;
	}
}

static int print_why(const struct funcs_view *view, const char *name,
		     const struct traceability *why)
{
	FILE *out = view->out;

	print_reason(view, name, why);
	if (why->nr_nearest) {
		fputs("  Names like it:\n", out);
		for (size_t i = 0; i < why->nr_nearest; i++)
			fprintf(out, "    %s\n", why->nearest[i]);
	}
	if (why->variants.len) {
		fputs("  Variants that the compiler made of it:\n", out);
		print_variants(view, why);
	}
	if (why->inlined.len) {
		fprintf(out, "  Inlined, and so not seen, in %zu place%s:\n", why->inlined.len,
			why->inlined.len == 1 ? "" : "s");
		print_inlined(view, why);
	}
	return output_end(view->out);
}

const struct funcs_view funcs_view_names = { .func = print_name, .why = print_why };
const struct funcs_view funcs_view_long = { .func = print_long, .why = print_why };
