// SPDX-License-Identifier: BSD-2-Clause
/* Functions as JSON, one object a line. The members are in Documentation/retsnoop-funcs.adoc. */

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/kernel/symbols/symbols.h"
#include "util/plan/why_traceable.h"
#include "util/view/lists/funcs_facts.h"
#include "util/view/lists/funcs_view.h"
#include "util/view/parts/json.h"

static int write_line(const struct funcs_view *view, struct strbuf *sb)
{
	strbuf_addch(sb, '\n');
	if (sb->failed)
		return report_oom();
	if (fwrite(sb->s, 1, sb->len, view->out) != sb->len)
		return report(-EIO, "cannot write the output: %m");
	return 0;
}

/* @type	NULL in an object that has one */
static void add_function(const struct funcs_view *view, struct json *json, const char *type,
			 const struct plan_func *func)
{
	_cleanup_(func_facts_release) struct func_facts facts;

	func_facts_find(view->kernel, func, &facts);
	json_object(json, NULL);
	if (type)
		json_string(json, "type", type);
	json_string(json, "name", func->name);
	json_string(json, "module", func->module);
	json_hex(json, "addr", func->addr);
	json_uint(json, "size", func->size);
	json_string(json, "file", facts.file);
	json_uint(json, "line", facts.line);
	json_string(json, "returns", return_kind_name(func->returns));
	json_string(json, "fails", func_fails(func, view->request));
	json_string(json, "rung",
		    func->rungs ? rung_name(func_rung(func, funcs_view_rung(view, func))) : NULL);
	json_array(json, "rungs");
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		if (func->rungs & RUNG_BIT(rung))
			json_string(json, NULL, rung_name(rung));
	}
	json_close(json);
	json_string(json, "prototype", facts.prototype.len ? strbuf_str(&facts.prototype) : NULL);
	json_close(json);
}

static int print_function(const struct funcs_view *view, const struct plan_func *func)
{
	_cleanup_(strbuf_release) struct strbuf sb = STRBUF_INIT;
	struct json json = JSON_INIT(&sb);

	add_function(view, &json, "function", func);
	return write_line(view, &sb);
}

static const char *const verdicts[] = {
	[WHY_TRACEABLE] = "traceable",
	[WHY_PRESENT] = "present",
	[WHY_NO_METHOD] = "no-method",
	[WHY_REFUSED] = "refused",
	[WHY_INLINED] = "inlined",
	[WHY_VARIANTS] = "variants-only",
	[WHY_NOT_LOADED] = "module-not-loaded",
	[WHY_NO_MODULE] = "no-such-module",
	[WHY_ELSEWHERE] = "elsewhere",
	[WHY_UNKNOWN] = "unknown",
};

static int print_why(const struct funcs_view *view, const char *name,
		     const struct traceability *why)
{
	_cleanup_(strbuf_release) struct strbuf sb = STRBUF_INIT;
	struct json json = JSON_INIT(&sb);

	json_object(&json, NULL);
	json_string(&json, "type", "function_why");
	json_string(&json, "name", name);
	if (why->verdict == WHY_PRESENT)
		json_null(&json, "traceable");
	else
		json_bool(&json, "traceable", why->verdict == WHY_TRACEABLE);
	json_string(&json, "verdict", verdicts[why->verdict]);
	if (why->verdict == WHY_REFUSED)
		json_string(&json, "reason",
			    why->init ? "__init" : refusal_text(&why->plan->refused.data[0]));
	if (why->module)
		json_string(&json, "module", why->module);
	json_array(&json, "functions");
	vec_foreach(func, &why->plan->funcs)
		add_function(view, &json, NULL, func);
	json_close(&json);
	json_array(&json, "variants");
	vec_foreach(variant, &why->variants)
		json_string(&json, NULL, (*variant)->name);
	json_close(&json);
	json_bool(&json, "debug_info", why->has_debuginfo);
	json_array(&json, "inlined");
	vec_foreach(call, &why->inlined) {
		json_object(&json, NULL);
		json_string(&json, "into", call->into);
		json_string(&json, "file", call->file);
		json_uint(&json, "line", call->line);
		json_close(&json);
	}
	json_close(&json);
	json_array(&json, "elsewhere");
	vec_foreach(symbol, &why->elsewhere)
		json_string(&json, NULL, (*symbol)->module ?: "vmlinux");
	json_close(&json);
	json_array(&json, "nearest");
	for (size_t i = 0; i < why->nr_nearest; i++)
		json_string(&json, NULL, why->nearest[i]);
	json_close(&json);
	json_close(&json);
	return write_line(view, &sb);
}

const struct funcs_view funcs_view_json = { .func = print_function, .why = print_why };
