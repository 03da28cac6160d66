// SPDX-License-Identifier: BSD-2-Clause
/* Looks at the list of modules, and at the symbols only if there is a new one. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "util/base/report.h"
#include "util/kernel/kernel.h"
#include "util/kernel/symbols/symbols.h"
#include "util/plan/plan_more.h"
#include "util/trace/run/run_internal.h"

/* The memory of old tables of symbols that is a reason to begin anew: about ten of them. */
#define MAX_RETIRED (128u << 20)

static bool is_unmatched(const struct plan *plan, const struct spec *spec)
{
	return vec_find(unmatched, &plan->unmatched, unmatched->text == spec->text);
}

static bool may_select_more(const struct plan *plan, const struct spec_list *list)
{
	return vec_find(spec, &list->v,
			spec->kind == SPEC_SOURCE ||
				(spec->kind == SPEC_NAME &&
				 (spec->module || spec->optional || strpbrk(spec->name, "*?[") ||
				  is_unmatched(plan, spec))));
}

/* Single kprobes do not keep a module, nor does what is detached for a while (--budget). */
static bool may_go(const struct run *run)
{
	for (size_t i = 0; i < run->plan->funcs.len; i++) {
		if (run->plan->funcs.data[i].module &&
		    (run->attached->rungs[i] == RUNG_KPROBE || run->request->budget_ppm))
			return true;
	}
	return false;
}

bool run_modules_may_come(const struct run *run)
{
	return may_go(run) || may_select_more(run->plan, &run->request->entry) ||
	       may_select_more(run->plan, &run->request->allow);
}

/* The plan has warned that these specs match nothing: say that this may change. */
static void say_awaited(const struct run *run, const struct spec_list *list)
{
	vec_foreach(spec, &list->v) {
		if (spec->kind == SPEC_NAME && spec->module && is_unmatched(run->plan, spec))
			say(VERBOSITY_NORMAL, "retsnoop: '%s' is traced as soon as such a module is loaded",
			    spec->text);
	}
}

void run_modules_start(struct run *run, struct kernel *kernel)
{
	struct run_modules *modules = &run->modules;
	struct loaded_modules now = {};
	struct symbols *symbols;
	int err;

	if (!run_modules_may_come(run) || kernel_symbols(kernel, &symbols))
		return;
	err = modules_list(&now);
	/* A module that was loaded after the symbols were read is new. */
	vec_foreach(module, &now.v) {
		if (!err && symbols_have_module(symbols, module->name))
			err = vec_push(&modules->known.v, *module);
	}
	vec_release(&now.v);
	if (err)
		return;
	modules->kernel = kernel;
	say_awaited(run, &run->request->entry);
	say_awaited(run, &run->request->allow);
}

static const char *plural(uint32_t nr, const char *one, const char *more)
{
	return nr == 1 ? one : more;
}

/* A name, or "ext4 and others". */
static const char *name_modules(const struct loaded_modules *modules, struct strbuf *sb)
{
	strbuf_addf(sb, "%s %s%s", plural(modules->v.len, "module", "modules"), modules->v.data[0].name,
		    modules->v.len > 1 ? " and others" : "");
	return strbuf_str(sb);
}

/* Of those that the request selects: why they are not traced. */
static void warn_of_untraced(const char *modules, uint32_t nr, const char *why)
{
	if (nr)
		warning("%s: %u function%s that -e or -a select%s %s not traced: %s", modules, nr,
			plural(nr, "", "s"), plural(nr, "s", ""), plural(nr, "is", "are"), why);
}

/* 0, even if they cannot be attached, which is said; -ENOMEM (reported). */
static int add_modules(struct run *run, const struct loaded_modules *added)
{
	_cleanup_(strbuf_release) struct strbuf names = STRBUF_INIT;
	const char *modules = name_modules(added, &names);
	struct plan_more more = {};
	uint32_t nr = 0;
	int err;

	err = plan_add_modules(run->modules.kernel, run->request, added, run->plan, run->attached, &more);
	if (err)
		return err == -ENOMEM ? err : 0;
	warn_of_untraced(modules, more.unfit, "--where would need another condition for them");
	/* Another run has room again. */
	if (more.no_room && run->handler->reload)
		kill(getpid(), SIGHUP);
	else
		warn_of_untraced(modules, more.no_room, "a run has no room for so many functions of "
				 "new modules; start retsnoop again to trace them");
	if (!more.nr)
		return 0;
	err = attachment_add(run->attachment, more.first, branch_run_wanted(run->request), &nr);
	if (nr)
		say(VERBOSITY_NORMAL, "retsnoop: %s %s loaded: %u function%s of %s %s traced from now on",
		    modules, plural(added->v.len, "was", "were"), nr, plural(nr, "", "s"),
		    plural(added->v.len, "it", "them"), plural(nr, "is", "are"));
	return err == -ENOMEM ? err : 0;
}

static void drop_module(struct run *run, const char *module)
{
	uint32_t nr = attachment_drop_module(run->attachment, module);

	if (nr)
		say(VERBOSITY_NORMAL, "retsnoop: module %s was unloaded: %u function%s of it %s no longer "
		    "traced", module, nr, plural(nr, "", "s"), plural(nr, "is", "are"));
}

/* One that is being loaded counts when it is live. */
static void drop_loading(struct loaded_modules *modules)
{
	size_t kept = 0;

	vec_foreach(module, &modules->v) {
		if (!module->loading)
			modules->v.data[kept++] = *module;
	}
	modules->v.len = kept;
}

/* What changed since the last time. Release both lists either way. */
static int look_at_modules(struct run_modules *modules, struct loaded_modules *ret_added,
			   struct loaded_modules *ret_gone)
{
	struct loaded_modules now = {};
	int err = modules_list(&now);

	err = err ?: modules_subtract(&now, &modules->known, ret_added);
	drop_loading(ret_added);
	err = err ?: modules_subtract(&modules->known, &now, ret_gone);
	if (err) {
		vec_release(&now.v);
		return err;
	}
	vec_release(&modules->known.v);
	modules->known = now;
	return 0;
}

/* Each change of modules leaves a table of symbols behind. Another run begins with one. */
static void reload_if_worn(const struct run *run)
{
	struct symbols *symbols;

	if (run->handler->reload && !kernel_symbols(run->modules.kernel, &symbols) &&
	    symbols_retired_bytes(symbols) > MAX_RETIRED)
		kill(getpid(), SIGHUP);
}

int run_modules_check(struct run *run)
{
	struct run_modules *modules = &run->modules;
	struct loaded_modules added = {}, gone = {};
	uint32_t first = run->plan->funcs.len;
	int err = 0;

	run->look_at_modules = false;
	/* Without memory, the lists are compared again next time. */
	if (!modules->kernel || look_at_modules(modules, &added, &gone) ||
	    !(added.v.len || gone.v.len))
		goto out;
	vec_foreach(module, &gone.v) {
		kernel_forget_module(modules->kernel, module->name);
		drop_module(run, module->name);
	}
	vec_foreach(module, &added.v)
		kernel_forget_module(modules->kernel, module->name);
	if (added.v.len) {
		run_resume_privileges();
		err = add_modules(run, &added);
		run_drop_privileges(run);
	}
	if (!err && run->handler->modules)
		err = run_check_shown(run, run->handler->modules(run->handler->arg, first));
	if (!err)
		reload_if_worn(run);
out:
	vec_release(&added.v);
	vec_release(&gone.v);
	return err;
}

void run_modules_end(struct run *run)
{
	_cleanup_(strbuf_release) struct strbuf names = STRBUF_INIT;
	struct loaded_modules added = {}, gone = {};
	struct plan_more more = {};

	if (!run->modules.kernel || look_at_modules(&run->modules, &added, &gone) || !added.v.len)
		goto out;
	run_resume_privileges();
	if (!plan_add_modules(run->modules.kernel, run->request, &added, run->plan, run->attached, &more))
		warn_of_untraced(name_modules(&added, &names),
				 more.nr + more.unfit + more.no_room, "the run ended");
	run_drop_privileges(run);
out:
	vec_release(&added.v);
	vec_release(&gone.v);
}

void run_modules_stop(struct run *run)
{
	vec_release(&run->modules.known.v);
}
