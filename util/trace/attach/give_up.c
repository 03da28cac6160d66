// SPDX-License-Identifier: BSD-2-Clause
/* Detaches functions while the others stay attached: --budget. */
#include <unistd.h>

#include "util/trace/attach/attach_internal.h"
#include "util/trace/attach/links.h"

bool attachment_can_give_up(const struct attachment *a, uint32_t func)
{
	return a->given_up && !a->given_up[func] && !a->plan->funcs.data[func].entry &&
	       a->attached->rungs[func] != RUNG_AUTO;
}

uint32_t attachment_hit_ns(const struct attachment *a, uint32_t func)
{
	enum rung rung = a->attached->rungs[func];

	return rung < NR_RUNGS ? a->control.hit_ns[rung] : 0;
}

int attachment_keep_calls(struct attachment *a, uint32_t keep)
{
	a->control.keep = keep;
	return budget_control_write(a->programs, &a->control);
}

/* Close the links of functions given up, and the links that they share with other functions. */
static void close_loose(struct attachment *a, uint32_t rungs)
{
	uint64_t count;
	size_t kept = 0;

	for (size_t i = 0; i < a->loose.len; i++) {
		struct loose_link link = a->loose.data[i];

		if (link.func == FUNC_ALL ? !(rungs & RUNG_BIT(link.rung)) : !a->given_up[link.func]) {
			a->loose.data[kept++] = link;
			continue;
		}
		if (!link_missed(link.fd, &count))
			a->missed += count;
		close(link.fd);
	}
	a->loose.len = kept;
}

int attachment_give_up(struct attachment *a, const uint32_t *funcs, size_t nr)
{
	interrupted_fn interrupted = a->interrupted;
	uint32_t attached = a->nr_attached - nr, rungs = 0;
	int modules = 0, err = 0;

	for (size_t i = 0; i < nr; i++) {
		rungs |= RUNG_BIT(a->attached->rungs[funcs[i]]);
		a->given_up[funcs[i]] = true;
	}
	vec_foreach(func, &a->plan->funcs)
		modules = func->btf_module > modules ? func->btf_module : modules;
	close_loose(a, rungs);
	/* Ignore signals meanwhile; they are handled afterwards. */
	a->interrupted = NULL;
	if (rungs & RUNG_BIT(RUNG_FSESSION_MULTI)) {
		for (int module = 0; module <= modules && !err; module++)
			err = attach_multi(a, RUNG_FSESSION_MULTI, module, PART_LOOSE);
	}
	if (rungs & RUNG_BIT(RUNG_KPROBE_SESSION))
		err = err ?: attach_multi(a, RUNG_KPROBE_SESSION, -1, PART_LOOSE);
	if (rungs & RUNG_BIT(RUNG_KPROBE_MULTI))
		err = err ?: attach_multi(a, RUNG_KPROBE_MULTI, -1, PART_LOOSE);
	a->interrupted = interrupted;
	a->nr_attached = attached;
	a->nr_given_up += nr;
	return err;
}
