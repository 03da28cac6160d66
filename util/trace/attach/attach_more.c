// SPDX-License-Identifier: BSD-2-Clause
/* Attaches functions that were appended to the plan, and lets go of those whose module is gone. */
#include <string.h>

#include "util/base/report.h"
#include "util/trace/attach/attach_internal.h"
#include "util/trace/attach/rung_choice.h"

int attachment_add(struct attachment *a, uint32_t first, uint64_t branches, uint32_t *ret_nr)
{
	interrupted_fn interrupted = a->interrupted;
	uint32_t before = a->nr_attached;
	int err;

	/* The other methods' programs were not loaded. */
	rungs_assign_more(a->plan, a->features, a->forced, branches, a->programs->rungs, first,
			  a->attached->rungs);
	err = programs_fill_more(a->programs, a->features, a->plan, first);
	if (err)
		return report(err, "cannot fill the BPF maps: %s", strerror(-err));
	/* Ignore signals meanwhile; they are handled afterwards. */
	a->interrupted = NULL;
	a->first = first;
	err = attach_functions(a);
	a->first = 0;
	a->interrupted = interrupted;
	*ret_nr = a->nr_attached - before;
	return err;
}

static bool is_of_module(const struct attachment *a, uint32_t func, const char *module)
{
	const char *of = func < a->plan->funcs.len ? a->plan->funcs.data[func].module : NULL;

	return of && !strcmp(of, module);
}

/* Whether a function counts as attached that has no link of its own. */
static bool is_attached(const struct attachment *a, uint32_t func)
{
	enum rung rung = a->attached->rungs[func];

	/* Detached for a while, or given up. */
	if (a->given_up && a->given_up[func])
		return rung != RUNG_AUTO && a->plan->funcs.data[func].entry;
	return rung != RUNG_AUTO && !rung_is_single(rung);
}

/*
 * The kernel has removed the kprobes. Links of other methods mostly keep a module from being unloaded, but
 * not kprobe-multi's of older kernels, nor those of functions that are detached for a while (--budget). No
 * function is attached again once its module is gone.
 */
uint32_t attachment_drop_module(struct attachment *a, const char *module)
{
	uint32_t dropped = 0;
	size_t kept = 0;

	for (size_t i = 0; i < a->loose.len; i++) {
		struct loose_link link = a->loose.data[i];

		if (!is_of_module(a, link.func, module)) {
			a->loose.data[kept++] = link;
			continue;
		}
		attachment_close_loose(a, &link);
		dropped += a->attached->rungs[link.func] != RUNG_AUTO;
		a->attached->rungs[link.func] = RUNG_AUTO;
	}
	a->loose.len = kept;
	for (uint32_t i = 0; i < a->plan->funcs.len; i++) {
		if (!is_of_module(a, i, module))
			continue;
		dropped += is_attached(a, i);
		a->attached->rungs[i] = RUNG_AUTO;
	}
	a->nr_attached -= dropped;
	return dropped;
}
