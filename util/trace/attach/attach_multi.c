// SPDX-License-Identifier: BSD-2-Clause
/*
 * One link for many functions: fsession-multi, kprobe-session and kprobe-multi. Programs of
 * fsession-multi see one BTF, so each module has links of its own.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "util/ask/rung.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/kernel/machine/machine.h"
#include "util/trace/attach/attach_internal.h"
#include "util/trace/attach/links.h"

/* Functions of one rung (and one BTF), as multi links need them. */
struct batch {
	enum rung rung;
	int entry_fd, exit_fd;
	VEC(uint32_t) funcs;	/* plan indexes */
};

/* Returns that the kernel can wait for at least, on behalf of one link. */
#define MIN_INSTANCES 1024
#define MAX_ADDRS 4096

/*
 * How many addresses a link should have. Up to 6.13 fprobe has instances for the returns that it waits for,
 * by rethook: two for each CPU and address of the link (fprobe_init_rethook()). Threads that sleep in traced
 * calls use them up, and then the kernel skips calls. It does not mind an address that is named again.
 */
static size_t wanted_addrs(const struct attachment *a, const struct batch *batch)
{
	int cpus = libbpf_num_possible_cpus();
	size_t wanted = MIN_INSTANCES;
	size_t threads;

	if (batch->rung == RUNG_FSESSION_MULTI || !a->features->rethook || cpus < 1)
		return 0;
	/* A task may sleep in two traced calls, one inside the other. */
	threads = threads_count("");
	if (2 * threads > wanted)
		wanted = 2 * threads;
	wanted = (wanted + 2 * cpus - 1) / (2 * cpus);
	return wanted < MAX_ADDRS ? wanted : MAX_ADDRS;
}

/* @with_returns	addresses of a link that waits for returns: those of all @n functions, and repeated ones */
static int link_addrs(struct attachment *a, const struct batch *batch, const uint64_t *addrs,
		      const uint32_t *ids, const uint64_t *cookies, size_t n, size_t with_returns)
{
	int fd, err;

	switch (batch->rung) {
	case RUNG_FSESSION_MULTI:
		return attachment_keep(a, link_tracing_multi(batch->entry_fd, ids, cookies, n));
	case RUNG_KPROBE_SESSION:
		return attachment_keep(a, link_kprobe_multi(batch->entry_fd,
							    ATTACH_TRACE_KPROBE_SESSION, false,
							    addrs, cookies, with_returns));
	default:
		/* The return link first: each link is a user of fprobe, and their order matters. */
		fd = link_kprobe_multi(batch->exit_fd, ATTACH_TRACE_KPROBE_MULTI, true, addrs,
				       cookies, with_returns);
		err = attachment_keep(a, fd);
		if (err)
			return err;
		err = attachment_keep(a, link_kprobe_multi(batch->entry_fd,
							   ATTACH_TRACE_KPROBE_MULTI, false, addrs,
							   cookies, n));
		if (err)
			close(a->links.data[--a->links.len]);
		return err;
	}
}

static int link_batch(struct attachment *a, const struct batch *batch, size_t from, size_t to)
{
	size_t n = to - from, wanted = wanted_addrs(a, batch), nr = n < wanted ? wanted : n;
	_cleanup_(free_p) uint64_t *addrs = calloc(nr, sizeof(*addrs));
	_cleanup_(free_p) uint64_t *cookies = calloc(nr, sizeof(*cookies));
	_cleanup_(free_p) uint32_t *ids = calloc(nr, sizeof(*ids));
	int err;

	if (!addrs || !cookies || !ids)
		return report_oom();
	for (size_t i = 0; i < nr; i++) {
		uint32_t index = batch->funcs.data[from + i % n];

		addrs[i] = a->plan->funcs.data[index].addr;
		ids[i] = a->plan->funcs.data[index].btf_id;
		cookies[i] = programs_cookie(a->plan, index);
	}
	err = link_addrs(a, batch, addrs, ids, cookies, n, nr);
	return err == -ENOMEM && nr > n ? link_addrs(a, batch, addrs, ids, cookies, n, n) : err;
}

static int by_btf_id_cmp(const void *va, const void *vb, void *arg)
{
	const struct plan *plan = arg;
	uint32_t a = plan->funcs.data[*(const uint32_t *)va].btf_id;
	uint32_t b = plan->funcs.data[*(const uint32_t *)vb].btf_id;

	return a < b ? -1 : a > b;
}

/*
 * Attach one link for all functions. If the kernel refuses it, attach one link for each half: the
 * kernel attaches all functions or none, and does not report which function it refused. 6.7 to
 * 6.11 also refuse large batches of return probes for lack of memory (ENOMEM); halves work.
 */
static int attach_range(struct attachment *a, const struct batch *batch, size_t from, size_t to)
{
	size_t middle = from + (to - from) / 2;
	int err;

	if (from == to)
		return 0;
	if (attachment_interrupted(a))
		return -EINTR;
	err = link_batch(a, batch, from, to);
	if (!err) {
		a->nr_attached += to - from;
		progress_update(&a->progress, a->nr_attached, a->wanted);
		return 0;
	}
	if (err == -EPERM || err == -EMFILE)
		return report(err, "cannot attach: %s", strerror(-err));
	if (to - from == 1)
		return attachment_refuse(a, batch->funcs.data[from], err);
	say(VERBOSITY_DEBUG, "%s refuses a link for %zu functions (%s), trying halves",
	    rung_name(batch->rung), to - from, strerror(-err));
	err = attach_range(a, batch, from, middle);
	return err ?: attach_range(a, batch, middle, to);
}

static bool is_in_part(const struct attachment *a, uint32_t index, enum part part)
{
	bool entry = a->plan->funcs.data[index].entry;

	switch (part) {
	case PART_ALL:
		return true;
	case PART_ENTRIES:
		return entry && !a->given_up[index];
	case PART_HOT:
		return entry && a->given_up[index];
	default:
		return !entry && !a->given_up[index];
	}
}

int attach_multi(struct attachment *a, enum rung rung, int module, enum part part)
{
	struct batch batch = { .rung = rung };
	size_t first = a->links.len, first_copy = a->copies.len;
	int err = 0, btf_fd;

	for (uint32_t i = a->first; i < a->plan->funcs.len && !err; i++) {
		const struct plan_func *func = &a->plan->funcs.data[i];

		if (a->attached->rungs[i] == rung && (module < 0 || func->btf_module == module) &&
		    is_in_part(a, i, part))
			err = vec_push(&batch.funcs, i) ? report_oom() : 0;
	}
	if (!err && batch.funcs.len)
		err = programs_load_rung(a->programs, rung);
	batch.entry_fd = a->programs->fds[rung][PROGRAM_ENTRY];
	batch.exit_fd = a->programs->fds[rung][PROGRAM_EXIT];
	if (!err && batch.funcs.len && module > 0) {
		btf_fd = attachment_btf_fd(a, module);
		batch.entry_fd = btf_fd < 0 ? btf_fd :
			attachment_keep_copy(a, programs_copy(a->programs, rung, PROGRAM_ENTRY, 0,
							      0, btf_fd));
		if (btf_fd > 0)
			close(btf_fd);
	}
	if (!err && batch.funcs.len && rung == RUNG_FSESSION_MULTI)
		qsort_r(batch.funcs.data, batch.funcs.len, sizeof(uint32_t), by_btf_id_cmp, (void *)a->plan);
	if (!err && batch.funcs.len && batch.entry_fd < 0) {
		vec_foreach(index, &batch.funcs)
			err = err ?: attachment_refuse(a, *index, batch.entry_fd);
	} else if (!err) {
		err = attach_range(a, &batch, 0, batch.funcs.len);
	}
	vec_release(&batch.funcs);
	if (!err && part != PART_ALL)
		err = attachment_loosen(a, first, first_copy, rung,
					part == PART_LOOSE ? FUNC_ALL :
					part == PART_HOT   ? FUNC_HOT : FUNC_ENTRIES);
	return err;
}
