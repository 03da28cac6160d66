// SPDX-License-Identifier: BSD-2-Clause
/* Functions as JSON, one object a line. The members are in Documentation/retsnoop-funcs.adoc. */
#include <errno.h>

#include "util/base/cleanup.h"
#include "util/base/json.h"
#include "util/base/report.h"
#include "util/trace/why.h"
#include "util/kernel/symbols.h"
#include "util/view/funcs.h"
#include "util/view/funcs_facts.h"

static int write_line(const struct funcs_view *view, struct strbuf *sb)
{
	strbuf_addch(sb, '\n');
	if (sb->failed)
		return report_oom();
	if (fwrite(sb->s, 1, sb->len, view->out) != sb->len)
		return report(-EIO, "cannot write the output");
	return 0;
}

static void add_function(const struct funcs_view *view, struct strbuf *sb,
			 const struct plan_func *func)
{
	_cleanup_(func_facts_release) struct func_facts facts;

	func_facts_find(view->kernel, func, &facts);
	json_begin_object(sb, NULL);
	json_add_string(sb, "name", func->name);
	json_add_string(sb, "module", func->module);
	json_add_address(sb, "address", func->addr);
	json_add_uint(sb, "size", func->size);
	json_add_string(sb, "file", facts.file);
	json_add_uint(sb, "line", facts.line);
	json_add_string(sb, "returns", return_kind_name(func->returns));
	json_add_string(sb, "fails", return_kind_rule(func->returns));
	json_add_string(sb, "rung", rung_name(func_rung(func)));
	json_begin_array(sb, "rungs");
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		if (func->rungs & RUNG_BIT(rung))
			json_add_string(sb, NULL, rung_name(rung));
	}
	json_end_array(sb);
	json_add_string(sb, "prototype", facts.prototype.len ? strbuf_str(&facts.prototype) : NULL);
	json_end_object(sb);
}

static int print_function(const struct funcs_view *view, const struct plan_func *func)
{
	_cleanup_(strbuf_release) struct strbuf sb = STRBUF_INIT;

	add_function(view, &sb, func);
	return write_line(view, &sb);
}

static const char *const verdicts[] = {
	[WHY_TRACEABLE] = "traceable",
	[WHY_REFUSED] = "refused",
	[WHY_INLINED] = "inlined",
	[WHY_VARIANTS] = "variants-only",
	[WHY_NOT_LOADED] = "module-not-loaded",
	[WHY_NO_MODULE] = "no-such-module",
	[WHY_ELSEWHERE] = "elsewhere",
	[WHY_UNKNOWN] = "unknown",
};

static int print_why(const struct funcs_view *view, const char *name, const struct why *why)
{
	_cleanup_(strbuf_release) struct strbuf sb = STRBUF_INIT;

	json_begin_object(&sb, NULL);
	json_add_string(&sb, "name", name);
	json_add_bool(&sb, "traceable", why->verdict == WHY_TRACEABLE);
	json_add_string(&sb, "verdict", verdicts[why->verdict]);
	if (why->verdict == WHY_REFUSED)
		json_add_string(&sb, "reason",
				why->init ? "__init" : refusal_text(&why->plan->refused.data[0]));
	if (why->module)
		json_add_string(&sb, "module", why->module);
	json_begin_array(&sb, "functions");
	vec_foreach(func, &why->plan->funcs)
		add_function(view, &sb, func);
	json_end_array(&sb);
	json_begin_array(&sb, "variants");
	vec_foreach(variant, &why->variants)
		json_add_string(&sb, NULL, (*variant)->name);
	json_end_array(&sb);
	json_add_bool(&sb, "debug_info", why->has_debuginfo);
	json_begin_array(&sb, "inlined");
	vec_foreach(call, &why->inlined) {
		json_begin_object(&sb, NULL);
		json_add_string(&sb, "into", call->into);
		json_add_string(&sb, "file", call->file);
		json_add_uint(&sb, "line", call->line);
		json_end_object(&sb);
	}
	json_end_array(&sb);
	json_begin_array(&sb, "elsewhere");
	vec_foreach(symbol, &why->elsewhere)
		json_add_string(&sb, NULL, (*symbol)->module ?: "vmlinux");
	json_end_array(&sb);
	json_begin_array(&sb, "nearest");
	for (size_t i = 0; i < why->nr_nearest; i++)
		json_add_string(&sb, NULL, why->nearest[i]);
	json_end_array(&sb);
	json_end_object(&sb);
	return write_line(view, &sb);
}

const struct funcs_view funcs_view_json = { .func = print_function, .why = print_why };
