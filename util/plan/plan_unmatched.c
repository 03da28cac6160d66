// SPDX-License-Identifier: BSD-2-Clause
/* Warnings about specs that select nothing. */
#include "util/plan/plan_internal.h"

#include <string.h>

#include "util/ask/request.h"
#include "util/base/report.h"
#include "util/base/text/glob.h"
#include "util/plan/match/match.h"
#include "util/plan/match/similar_names.h"
#include "util/plan/plan.h"

static bool module_matches(const struct match *match, const struct spec *spec)
{
	const char *last = NULL;

	for (size_t i = 0; i < match->nr_symbols; i++) {
		const char *module = match->symbols[i].module;

		/* Each module's name is kept once. */
		if (i && module == last)
			continue;
		last = module;
		if (spec_matches_module(spec, module))
			return true;
	}
	return false;
}

static void warn_of_syscall(const struct match *match, const struct spec *spec)
{
	/* "__x64_sys_mount" and "sys_mount" mean mount. */
	const char *sys = strstr(spec->name, "sys_");
	struct nearest near = nearest_start(sys ? sys + strlen("sys_") : spec->name);

	if (!offer_syscalls(match->symbols, match->nr_symbols, &near))
		warning("system calls cannot be selected by name on this kernel: it has no entry "
			"functions with known names");
	else if (is_glob(spec->name))
		warning("no system call matches '%s'", spec->name);
	else if (near.name)
		warning("this kernel has no system call '%s'; did you mean '%s'?", spec->name,
			near.name);
	else
		warning("this kernel has no system call '%s'; 'retsnoop funcs " SPEC_SYSCALL_PREFIX
			"*' lists them", spec->name);
}

static void warn_of_unmatched(const struct match *match, const struct spec *spec,
			      const struct plan_unmatched *unmatched)
{
	const char *option = unmatched->option;

	if (spec->kind == SPEC_SYSCALL)
		warn_of_syscall(match, spec);
	else if (spec->kind == SPEC_SOURCE)
		warning("%s '%s': no function comes from such a source file; paths are relative "
			"to the kernel tree and '*' stays within a directory",
			option, spec->text);
	else if (!module_matches(match, spec))
		warning("%s '%s' matches no function: no module '%s' is loaded", option, spec->text,
			spec->module);
	else if (!spec->module && names_syscall(match->symbols, match->nr_symbols, spec->name))
		warning("%s '%s' matches no function, but it is a system call; try %s%s", option,
			spec->text, !strcmp(option, "-e") ? "--syscall " : SPEC_SYSCALL_PREFIX,
			spec->name);
	else if (unmatched->nearest)
		warning("%s '%s' matches no function; did you mean '%s'?", option, spec->text,
			unmatched->nearest);
	else if (is_glob(spec->text))
		warning("%s '%s' matches no function", option, spec->text);
	else
		warning("%s '%s' matches no function; see 'retsnoop funcs --why %s'", option,
			spec->text, spec->name);
}

/*
 * Whether all functions that a glob matched are refused. False if aliases make that hard to tell. @hits does
 * not count what an earlier glob had selected.
 */
static bool selects_only_refused(const struct plan *plan, const struct spec *spec, uint32_t hits)
{
	uint32_t refused = 0;

	if (hits > plan->refused.len || spec->kind == SPEC_SOURCE ||
	    (spec->kind == SPEC_NAME && !is_glob(spec->name)))
		return false;
	vec_foreach(refusal, &plan->refused)
		refused += spec_matches_name(spec, refusal->name, refusal->module);
	if (refused != hits)
		return false;
	return !vec_find(func, &plan->funcs, spec_matches_name(spec, func->name, func->module));
}

int plan_note_unmatched(struct plan *plan, const struct trace_request *request,
			const struct match *match, bool quiet)
{
	static const char *const options[NR_LISTS] = { "-e", "-a", "-d" };
	const struct spec_list *lists[NR_LISTS] = { &request->entry, &request->allow,
						    &request->deny };
	size_t warned = 0, more = 0;

	for (int l = 0; l < NR_LISTS; l++) {
		for (size_t i = 0; i < lists[l]->v.len; i++) {
			const struct spec *spec = &lists[l]->v.data[i];
			const char *option = spec->argument ? "GLOB" : options[l];
			struct plan_unmatched unmatched = { spec->text, option, NULL };

			if (spec->optional)
				continue;
			if (match->hits[l][i]) {
				if (!quiet && l != LIST_DENY && warned < PLAN_MAX_WARNINGS &&
				    selects_only_refused(plan, spec, match->hits[l][i])) {
					warning("%s '%s' matches only functions that cannot be "
						"traced (-vv names them)",
						option, spec->text);
					warned++;
				}
				continue;
			}
			if (!quiet && warned < PLAN_MAX_WARNINGS && spec->kind == SPEC_NAME)
				nearest_names(match->symbols, match->nr_symbols, spec->name,
					      &unmatched.nearest, 1);
			if (vec_push(&plan->unmatched, unmatched))
				return report_oom();
			if (quiet)
				continue;
			if (warned++ < PLAN_MAX_WARNINGS)
				warn_of_unmatched(match, spec, &unmatched);
			else
				more++;
		}
	}
	if (more)
		warning("and %zu more match no function", more);
	return 0;
}
