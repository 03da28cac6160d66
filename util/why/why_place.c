// SPDX-License-Identifier: BSD-2-Clause
/* Places the probes of a run in the functions that are examined. */
#include <errno.h>
#include <stdlib.h>

#include "util/base/report.h"
#include "util/kernel/code/machine_code.h"
#include "util/plan/points/probes.h"
#include "util/why/pointer_call.h"
#include "util/why/why_internal.h"

/* Probes of a pass in all functions together. */
#define MAX_PROBES 256

/* Find calls through pointers in the code. 0; -ENOMEM. */
static int find_sites(struct why *why, struct target *target)
{
	struct code_reader *reader = &why->code->reader;
	struct branch_insn insn;

	target->sites_known = true;
	vec_foreach(block, &target->graph.blocks) {
		for (uint64_t addr = block->addr; addr < block->end; addr += insn.length) {
			struct pointer_site site = { .call = addr, .probe = TARGET_NO_PROBE };

			if (target->sites.len >= TARGET_MAX_SITES)
				return 0;
			if (code_branch(reader, addr, &insn))
				break;
			site.breaks = code_breaks_kprobe(&insn);
			site.reg = insn.kind == BRANCH_NONE ? -1 :
				   pointer_call_register(reader, why->code->symbols, addr);
			if (site.reg >= 0 && vec_push(&target->sites, site))
				return -ENOMEM;
		}
	}
	return 0;
}

/* Then one run shows both which call through a pointer matters, and its target. */
static int place_sites(struct why *why, struct target *target, struct probes *probes)
{
	int err = target->sites_known ? 0 : find_sites(why, target);

	vec_foreach(site, &target->sites) {
		if (!err && site->probe == TARGET_NO_PROBE && probes->v.len < MAX_PROBES)
			err = target_place_site(target, probes, site);
	}
	return err;
}

int why_place(struct why *why, struct target *target, struct probes *probes)
{
	int err;

	target->probes.len = 0;
	vec_foreach(site, &target->sites)
		site->probe = TARGET_NO_PROBE;
	target->placed = true;
	err = target_place(target, &why->code->reader, probes, TARGET_MAX_PROBES);
	return err ?: place_sites(why, target, probes);
}

int why_place_probes(struct why *why, struct pass_ask *ask)
{
	struct probes *probes = calloc(1, sizeof(*probes));
	int err = 0;

	if (!probes)
		return report_oom();
	for (size_t i = 0; !err && i < why->targets.len; i++) {
		struct target *target = why->targets.data[i];
		uint32_t left = MAX_PROBES - probes->v.len;

		/*
		 * Without a command, each run sees another call: check whether it takes the same
		 * way.
		 */
		target->placed = (!target->decided || !why->ask->command) && !target->unusable &&
				 left;
		target->probes.len = 0;
		vec_foreach(site, &target->sites)
			site->probe = TARGET_NO_PROBE;
		if (target_wants_pointer(target)) {
			target->pointer_tried++;
			err = target_place_site(target, probes,
						&target->sites.data[target->pointer]);
		}
		if (err || !target->placed)
			continue;
		err = target_place(target, &why->code->reader, probes,
				   left < TARGET_MAX_PROBES ? left : TARGET_MAX_PROBES);
	}
	/* Inner functions are more likely to be decided next. */
	for (size_t i = why->targets.len; !err && i-- > 0;) {
		if (why->targets.data[i]->placed && !why->targets.data[i]->decided)
			err = place_sites(why, why->targets.data[i], probes);
	}
	if (err || !probes->v.len) {
		probes_free(probes);
		return err ? report_oom() : 0;
	}
	ask->probes = probes;
	return 0;
}
