// SPDX-License-Identifier: BSD-2-Clause
/* Detaches functions while the others stay attached: --budget. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "util/base/report.h"
#include "util/trace/attach/attach_internal.h"
#include "util/trace/attach/links.h"
#include "util/trace/attach/rung_choice.h"

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

static bool shares(const struct loose_link *link, uint32_t group, uint32_t rungs)
{
	return link->func == group && rungs & RUNG_BIT(link->rung);
}

/* A link of one function, which is to be detached now. */
static bool is_single(const struct attachment *a, const struct loose_link *link, bool entry)
{
	return link->func < FUNC_ENTRIES && a->given_up[link->func] &&
	       a->plan->funcs.data[link->func].entry == entry;
}

void attachment_close_loose(struct attachment *a, const struct loose_link *link)
{
	uint64_t count;

	if (link->is_program && !prog_recursion_misses(link->fd, &count))
		a->recursion_misses += count;
	else if (!link->is_program && !link_missed(link->fd, &count))
		a->missed += count;
	close(link->fd);
}

/* Close the links that @group shares, and those that functions given up have for themselves. */
static void close_loose(struct attachment *a, uint32_t group, uint32_t rungs, bool entry)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->loose.len; i++) {
		struct loose_link link = a->loose.data[i];

		if (!shares(&link, group, rungs) && !is_single(a, &link, entry)) {
			a->loose.data[kept++] = link;
			continue;
		}
		attachment_close_loose(a, &link);
	}
	a->loose.len = kept;
}

/* Attach a part again, all functions that share a link. 0; -errno (reported) */
static int attach_part(struct attachment *a, uint32_t rungs, enum part part)
{
	interrupted_fn interrupted = a->interrupted;
	uint32_t attached = a->nr_attached;
	int modules = 0, err = 0;

	vec_foreach(func, &a->plan->funcs)
		modules = func->btf_module > modules ? func->btf_module : modules;
	/* Ignore signals meanwhile; they are handled afterwards. */
	a->interrupted = NULL;
	if (rungs & RUNG_BIT(RUNG_FSESSION_MULTI)) {
		for (int module = 0; module <= modules && !err; module++)
			err = attach_multi(a, RUNG_FSESSION_MULTI, module, part);
	}
	if (rungs & RUNG_BIT(RUNG_KPROBE_SESSION))
		err = err ?: attach_multi(a, RUNG_KPROBE_SESSION, -1, part);
	if (rungs & RUNG_BIT(RUNG_KPROBE_MULTI))
		err = err ?: attach_multi(a, RUNG_KPROBE_MULTI, -1, part);
	a->interrupted = interrupted;
	a->nr_attached = attached;
	return err;
}

int attachment_give_up(struct attachment *a, const uint32_t *funcs, size_t nr)
{
	uint32_t rungs = 0;
	int err;

	for (size_t i = 0; i < nr; i++) {
		rungs |= RUNG_BIT(a->attached->rungs[funcs[i]]);
		a->given_up[funcs[i]] = true;
	}
	close_loose(a, FUNC_ALL, rungs, false);
	err = attach_part(a, rungs, PART_LOOSE);
	a->nr_attached -= nr;
	a->nr_given_up += nr;
	return err;
}

bool attachment_is_hot(const struct attachment *a, uint32_t func)
{
	return a->given_up && a->given_up[func] && a->plan->funcs.data[func].entry;
}

int attachment_set_hot(struct attachment *a, const uint32_t *funcs, size_t nr)
{
	uint32_t rungs = 0;

	for (size_t i = 0; i < nr; i++) {
		rungs |= RUNG_BIT(a->attached->rungs[funcs[i]]);
		a->given_up[funcs[i]] = true;
	}
	close_loose(a, FUNC_ENTRIES, rungs, true);
	close_loose(a, FUNC_HOT, UINT32_MAX, true);
	return attach_part(a, rungs, PART_ENTRIES);
}

void attachment_pause_hot(struct attachment *a)
{
	close_loose(a, FUNC_HOT, UINT32_MAX, true);
}

/* A module was just unloaded, which attachment_drop_module() will be told of. */
static bool may_be_gone(const struct attachment *a, uint32_t func, int err)
{
	return a->plan->funcs.data[func].module && err != -ENOMEM && err != -EMFILE;
}

int attachment_resume_hot(struct attachment *a)
{
	uint32_t rungs = 0;
	int err = 0;

	for (uint32_t i = 0; i < a->plan->funcs.len && !err; i++) {
		if (!attachment_is_hot(a, i) || a->attached->rungs[i] == RUNG_AUTO)
			continue;
		rungs |= RUNG_BIT(a->attached->rungs[i]);
		if (rung_is_single(a->attached->rungs[i]))
			err = attach_one(a, i);
		if (err && may_be_gone(a, i, err))
			err = 0;
	}
	return err ? report(err, "--budget: cannot attach again: %s", strerror(-err)) :
		     attach_part(a, rungs, PART_HOT);
}
