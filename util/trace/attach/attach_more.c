// SPDX-License-Identifier: BSD-2-Clause
/* Attaches functions that were appended to the plan, and lets go of those whose module is gone. */
#include <string.h>
#include <unistd.h>

#include "util/base/report.h"
#include "util/trace/attach/attach_internal.h"
#include "util/trace/attach/links.h"
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

/*
 * While other methods than kprobe have links to a function, its module cannot be unloaded. The kernel has
 * removed the kprobes.
 */
uint32_t attachment_drop_module(struct attachment *a, const char *module)
{
	uint32_t dropped = 0;
	uint64_t count;
	size_t kept = 0;

	for (size_t i = 0; i < a->loose.len; i++) {
		struct loose_link link = a->loose.data[i];
		const char *of = link.func >= FUNC_ENTRIES ? NULL : a->plan->funcs.data[link.func].module;

		if (link.rung != RUNG_KPROBE || !of || strcmp(of, module)) {
			a->loose.data[kept++] = link;
			continue;
		}
		if (!link_missed(link.fd, &count))
			a->missed += count;
		close(link.fd);
		dropped += a->attached->rungs[link.func] != RUNG_AUTO;
		a->attached->rungs[link.func] = RUNG_AUTO;
	}
	a->loose.len = kept;
	a->nr_attached -= dropped;
	return dropped;
}
