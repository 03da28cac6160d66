// SPDX-License-Identifier: BSD-2-Clause
/*
 * Attaching, rung by rung. attach_multi.c makes links that many functions share; the rungs with
 * links for each function are here.
 */
#include "util/trace/attach/attach.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/fd_limit.h"
#include "util/base/clock.h"
#include "util/base/macros.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/plan/capture.h"
#include "util/kernel/kernel.h"
#include "util/kernel/types/btf.h"
#include "util/trace/attach/attach_internal.h"
#include "util/trace/attach/hit_cost.h"
#include "util/trace/attach/kept_kprobes.h"
#include "util/trace/attach/links.h"
#include "util/trace/attach/rung_choice.h"

DEFINE_CLEANUP(struct attachment *, attachment_free)

const struct programs *attachment_programs(const struct attachment *a)
{
	return a->programs;
}

int attachment_keep(struct attachment *a, int fd)
{
	if (fd < 0)
		return fd;
	if (vec_push(&a->links, fd)) {
		close(fd);
		return -ENOMEM;
	}
	return 0;
}

int attachment_keep_breakpoint(struct attachment *a, int fd)
{
	int err = attachment_keep(a, fd);

	return err ?: vec_push(&a->breakpoints, fd);
}

bool attachment_interrupted(struct attachment *a)
{
	return a->interrupted && a->interrupted(a->arg);
}

int attachment_btf_fd(struct attachment *a, int module)
{
	const struct kernel_btf_module *m;
	struct kernel_btf *btf;
	int err, fd;

	if (!module)
		return 0;
	err = kernel_get_btf(a->kernel, &btf);
	if (err)
		return err;
	m = kernel_btf_module(btf, module);
	if (!m || !m->id)
		return -ENOENT;
	fd = bpf_btf_get_fd_by_id(m->id);
	return fd < 0 ? -errno : fd;
}

int attachment_keep_copy(struct attachment *a, int fd)
{
	if (fd >= 0 && vec_push(&a->copies, fd)) {
		close(fd);
		return -ENOMEM;
	}
	return fd;
}

int attachment_loosen(struct attachment *a, size_t first, size_t first_copy, enum rung rung, uint32_t func)
{
	size_t nr = a->links.len - first + a->copies.len - first_copy;

	if (vec_reserve(&a->loose, a->loose.len + nr))
		return report_oom();
	for (size_t i = first; i < a->links.len; i++)
		vec_push(&a->loose, (struct loose_link){ a->links.data[i], rung, func, false });
	for (size_t i = first_copy; i < a->copies.len; i++)
		vec_push(&a->loose, (struct loose_link){ a->copies.data[i], rung, func, true });
	a->links.len = first;
	a->copies.len = first_copy;
	return 0;
}

/* With --budget, entry functions have links of their own: they are never given up for good. */
static int attach_parts(struct attachment *a, enum rung rung, int module)
{
	if (!a->given_up)
		return attach_multi(a, rung, module, PART_ALL);
	return attach_multi(a, rung, module, PART_ENTRIES) ?:
	       attach_multi(a, rung, module, PART_LOOSE);
}

static int attach_fentry(struct attachment *a, uint32_t index)
{
	const struct plan_func *func = &a->plan->funcs.data[index];
	uint64_t cookie = programs_cookie(a->plan, index);
	size_t links = a->links.len;
	int btf_fd, fd, err = 0;

	btf_fd = attachment_btf_fd(a, func->btf_module);
	if (btf_fd < 0)
		return btf_fd;
	for (int role = PROGRAM_EXIT; role >= PROGRAM_ENTRY && !err; role--) {
		fd = programs_copy(a->programs, RUNG_FENTRY, role, cookie, func->btf_id, btf_fd);
		if (fd < 0) {
			err = fd;
			break;
		}
		/* Kept to read the kernel's count of missed hits at the end. */
		fd = attachment_keep_copy(a, fd);
		err = fd < 0 ? fd : attachment_keep(a, link_raw(fd, NULL));
	}
	if (btf_fd)
		close(btf_fd);
	while (err && a->links.len > links)
		close(a->links.data[--a->links.len]);
	return err;
}

static int keep_kprobe(struct attachment *a, int prog_fd, bool at_return, uint64_t addr,
		       const char *module, uint64_t cookie)
{
	struct kprobe_link link;
	int err;

	if (a->kept && !module && a->features->attach_cookies)
		return attachment_keep(a, kept_kprobes_link(a->kept, &a->pmu, prog_fd, at_return, addr,
							    cookie));
	err = link_kprobe(&a->pmu, prog_fd, at_return, addr, a->features->attach_cookies, cookie, &link);
	if (err)
		return err;
	/* The link holds a reference to its perf event. */
	if (link.link_fd >= 0)
		close(link.perf_fd);
	return attachment_keep(a, link.link_fd >= 0 ? link.link_fd : link.perf_fd);
}

/* The return probe first: a stack taken at entry then still has the real return address (5.10). */
static int attach_kprobe(struct attachment *a, uint32_t index)
{
	const struct plan_func *func = &a->plan->funcs.data[index];
	uint64_t cookie = programs_cookie(a->plan, index);
	size_t links = a->links.len;
	int err = 0;

	for (int role = PROGRAM_EXIT; role >= PROGRAM_ENTRY && !err; role--)
		err = keep_kprobe(a, a->programs->fds[RUNG_KPROBE][role], role == PROGRAM_EXIT,
				  func->addr, func->module, cookie);
	while (err && a->links.len > links)
		close(a->links.data[--a->links.len]);
	return err;
}

#define SLOW_RUNG_FUNCTIONS 200
#define SAMPLE_FUNCTIONS 3

/*
 * Estimate from the first functions how long @nr functions will take on this kernel, and print
 * it.
 */
static void announce_cost(struct attachment *a, enum rung rung, size_t nr, uint64_t attach_ns)
{
	size_t fds = SAMPLE_FUNCTIONS * 2;
	uint64_t start = now_ns(), detach_ns;

	/* Detach the first functions to measure detaching; attach_single() then starts again. */
	for (size_t i = 0; i < fds && a->links.len; i++)
		close(a->links.data[--a->links.len]);
	detach_ns = now_ns() - start;
	say(VERBOSITY_NORMAL,
	    "Attaching %zu functions one by one (%s): on this kernel about %llu s, and leaving "
	    "them at most %llu s.", nr, rung_name(rung),
	    (unsigned long long)(attach_ns * nr / SAMPLE_FUNCTIONS / NSEC_PER_SEC + 1),
	    (unsigned long long)(detach_ns * nr / SAMPLE_FUNCTIONS / NSEC_PER_SEC + 1));
}

static bool is_loose(const struct attachment *a, enum rung rung, uint32_t index)
{
	const struct plan_func *func = &a->plan->funcs.data[index];

	return a->given_up || (rung == RUNG_KPROBE && func->module);
}

int attach_one(struct attachment *a, uint32_t index)
{
	enum rung rung = a->attached->rungs[index];
	size_t first = a->links.len, first_copy = a->copies.len;
	int err = rung == RUNG_FENTRY ? attach_fentry(a, index) : attach_kprobe(a, index);

	return err ?: attachment_loosen(a, first, first_copy, rung, index);
}

static int attach_single(struct attachment *a, enum rung rung)
{
	int (*attach)(struct attachment *, uint32_t) =
		rung == RUNG_FENTRY ? attach_fentry : attach_kprobe;
	uint64_t start = now_ns();
	size_t nr = 0, done = 0, first, first_copy;
	bool announced = false;
	int err;

	for (size_t i = a->first; i < a->plan->funcs.len; i++)
		nr += a->attached->rungs[i] == rung;
	if (!nr)
		return 0;
	err = programs_load_rung(a->programs, rung);
	if (err)
		return err;
	if (rung == RUNG_KPROBE) {
		err = kprobe_pmu_init(&a->pmu);
		if (err)
			return report(err, "this kernel has no perf kprobes (CONFIG_KPROBE_EVENTS), "
					   "or /sys is not mounted");
	}
	for (uint32_t i = a->first; i < a->plan->funcs.len; i++) {
		if (a->attached->rungs[i] != rung)
			continue;
		if (attachment_interrupted(a))
			return -EINTR;
		first = a->links.len;
		first_copy = a->copies.len;
		err = attach(a, i);
		if (!err && is_loose(a, rung, i) && (announced || nr <= SLOW_RUNG_FUNCTIONS))
			err = attachment_loosen(a, first, first_copy, rung, i);
		if (err == -EMFILE)
			return report(err, "out of file descriptors after %u functions; raise "
					   "ulimit -n, or choose fewer", a->nr_attached);
		if (err == -ENOMEM && !a->links.len)
			return report_oom();
		if (err) {
			err = attachment_refuse(a, i, err);
			if (err)
				return err;
			continue;
		}
		a->nr_attached++;
		done++;
		if (!announced && nr > SLOW_RUNG_FUNCTIONS && done == SAMPLE_FUNCTIONS) {
			announce_cost(a, rung, nr, now_ns() - start);
			announced = true;
			a->nr_attached -= SAMPLE_FUNCTIONS;
			done = 0;
			i = a->first - 1;
			continue;
		}
		progress_update(&a->progress, a->nr_attached, a->wanted);
	}
	return 0;
}

int attach_functions(struct attachment *a)
{
	int modules = 0, err = 0;

	for (uint32_t i = a->first; i < a->plan->funcs.len; i++) {
		const struct plan_func *func = &a->plan->funcs.data[i];

		if (func->btf_module > modules)
			modules = func->btf_module;
		if (a->attached->rungs[i] == RUNG_AUTO)
			err = err ?: attachment_refuse(a, i, -EOPNOTSUPP);
		else
			a->wanted++;
	}
	for (int module = 0; module <= modules && !err; module++)
		err = attach_parts(a, RUNG_FSESSION_MULTI, module);
	err = err ?: attach_single(a, RUNG_FENTRY);
	err = err ?: attach_parts(a, RUNG_KPROBE_SESSION, -1);
	err = err ?: attach_parts(a, RUNG_KPROBE_MULTI, -1);
	err = err ?: attach_single(a, RUNG_KPROBE);
	return err;
}

int attachment_copy_program(struct attachment *a, const char *name, int type, uint64_t index)
{
	return attachment_keep_copy(a, programs_copy_indexed(a->programs, name, type, index));
}

int attachment_keep_kprobe(struct attachment *a, int prog_fd, bool at_return, uint64_t addr,
			   const char *module, uint64_t index)
{
	int err = a->pmu.type ? 0 : kprobe_pmu_init(&a->pmu);

	return err ?: keep_kprobe(a, prog_fd, at_return, addr, module, index);
}

bool attachment_has_cookies(const struct attachment *a)
{
	return a->features->attach_cookies;
}

static int attach_followers(struct attachment *a)
{
	static const char *const names[] = { "sched_process_fork", "sched_process_exit",
					     "sched_process_free" };
	const int fds[] = { a->programs->fork_fd, a->programs->exit_fd, a->programs->exit_fd };
	int err;

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++) {
		if (fds[i] < 0)
			continue;
		err = attachment_keep(a, link_raw(fds[i], names[i]));
		if (err)
			return report(err, "cannot follow processes (tracepoint %s): %s", names[i],
				      strerror(-err));
	}
	return 0;
}

static void say_what_is_attached(const struct attachment *a, uint64_t ms)
{
	struct say_list list = SAY_LIST_INIT;
	uint32_t nr = 0;

	if (report_verbosity() < VERBOSITY_VERBOSE)
		return;
	for (size_t i = 0; i < a->plan->funcs.len; i++) {
		enum rung rung = a->attached->rungs[i];

		if (rung != RUNG_AUTO)
			say_list_add(&list, "Attached to function #%u '%s' (%s).", ++nr,
				     a->plan->funcs.data[i].name, rung_name(rung));
	}
	say_list_end(&list);
	say(VERBOSITY_VERBOSE, "Total %u kernel functions attached successfully!", nr);
	say(VERBOSITY_VERBOSE, "Successfully attached in %llu ms.", (unsigned long long)ms);
}

/* Load only programs of assigned rungs: a fallback rung may never be needed. */
static int load_first_rungs(struct attachment *a)
{
	uint32_t rungs = 0;
	int err = 0;

	for (size_t i = 0; i < a->plan->funcs.len; i++) {
		if (a->attached->rungs[i] != RUNG_AUTO)
			rungs |= RUNG_BIT(a->attached->rungs[i]);
	}
	for (int rung = 0; rung < NR_RUNGS && !err; rung++) {
		if (rungs & RUNG_BIT(rung))
			err = programs_load_rung(a->programs, rung);
	}
	return err;
}

static const struct btf *types_of(struct kernel *kernel, const struct features *features)
{
	struct kernel_btf *btf;

	return features->btf && !kernel_get_btf(kernel, &btf) ? kernel_btf_types(btf, 0) : NULL;
}

int attachment_new(struct kernel *kernel, const struct features *features, const struct plan *plan,
		   struct attached *attached, const struct trace_request *request,
		   const struct attach_options *options, struct attachment **ret_attachment)
{
	_cleanup_(attachment_free_p) struct attachment *a = calloc(1, sizeof(*a));
	uint32_t rungs = rungs_needed(plan, attached->rungs, features, request->rung);
	uint64_t start;
	int err;

	if (!a)
		return report_oom();
	a->kernel = kernel;
	a->features = features;
	a->plan = plan;
	a->attached = attached;
	a->forced = request->rung;
	a->interrupted = options->interrupted;
	a->arg = options->arg;
	a->kept = options->kept;
	if (a->kept)
		kept_kprobes_begin(a->kept);
	if (request->budget_ppm) {
		a->given_up = calloc(plan->funcs.len + PLAN_SPARE, sizeof(*a->given_up));
		if (!a->given_up)
			return report_oom();
	}
	/* Each link needs a descriptor. */
	fd_limit_raise();
	start = now_ns();
	a->progress = progress_start("Loading BPF programs");
	err = programs_load(types_of(kernel, features), features, rungs, plan, request, options->follow, &a->programs);
	err = err ?: load_first_rungs(a);
	if (!err && a->given_up)
		hit_costs_measure(kernel, features, a->programs, plan, attached, &a->control);
	progress_end(&a->progress);
	if (err)
		return err;
	say(VERBOSITY_VERBOSE, "Loaded BPF programs in %llu ms.",
	    (unsigned long long)ms_since(start));
	start = now_ns();
	a->progress = progress_start("Attaching");
	err = attach_followers(a) ?: attach_functions(a);
	a->first_probe_link = a->links.len;
	a->first_probe_copy = a->copies.len;
	for (size_t i = 0; i < NR_CAPTURES && !err; i++) {
		if (captures[i]->attach && captures[i]->used(plan, request))
			err = captures[i]->attach(a, plan, attached);
	}
	a->end_probe_link = a->links.len;
	a->end_probe_copy = a->copies.len;
	progress_end(&a->progress);
	if (err) {
		attachment_detach(a, options->interrupted, options->arg);
		return err;
	}
	attachment_say_refused(a);
	if (!a->nr_attached)
		return report(-ENOENT, "nothing could be attached");
	a->attach_ms = ms_since(start);
	say_what_is_attached(a, a->attach_ms);
	*ret_attachment = take_ptr(a);
	return 0;
}

static void count_recursion(int prog_fd, struct ledger *ledger)
{
	uint64_t count;

	if (prog_fd < 0)
		return;
	if (prog_recursion_misses(prog_fd, &count))
		ledger->kernel_counts = false;
	else
		ledger->recursion_misses += count;
}

void attachment_functions(const struct attachment *a, struct ledger *ledger)
{
	ledger->attached = a->nr_attached;
	ledger->refused = a->plan->refused.len + a->attached->refused.len;
	ledger->given_up = a->nr_given_up;
	ledger->asked = a->nr_attached + a->nr_given_up + ledger->refused;
}

/* Other threads on that CPU pass while it is preempted. */
static bool may_be_preempted(const struct attachment *a)
{
	return a->features->preemptible &&
	       find_first(rung, a->attached->rungs, a->plan->funcs.len,
			  *rung == RUNG_FENTRY || *rung == RUNG_FSESSION_MULTI);
}

/* The kernel has some return probes for each kprobe, and for each fprobe that uses rethook. */
static bool has_limited_returns(const struct attachment *a)
{
	for (size_t i = 0; i < a->plan->funcs.len; i++) {
		enum rung rung = a->attached->rungs[i];

		if (rung == RUNG_KPROBE ||
		    (a->features->rethook && (rung == RUNG_KPROBE_MULTI || rung == RUNG_KPROBE_SESSION)))
			return true;
	}
	return false;
}

static bool is_within(size_t i, size_t first, size_t end)
{
	return i >= first && i < end;
}

void attachment_count(const struct attachment *a, struct ledger *ledger)
{
	uint64_t count, before, hits = 0;

	/* Read before BPF's own count: a hit between the two reads must not look like a loss. */
	vec_foreach(fd, &a->breakpoints)
		hits += breakpoint_hits(*fd, &count) ? 0 : count;
	programs_stats(a->programs, &ledger->stats);
	if (hits > ledger->stats.breakpoints) {
		ledger->missed_by_kernel += hits - ledger->stats.breakpoints;
		ledger->breakpoints_missed += hits - ledger->stats.breakpoints;
	}
	ledger->kernel_counts = true;
	ledger->missed_by_kernel += a->missed;
	ledger->recursion_misses += a->recursion_misses;
	vec_foreach(link, &a->loose) {
		int err;

		if (link->is_program) {
			count_recursion(link->fd, ledger);
			continue;
		}
		err = link_missed(link->fd, &count);
		if (!err)
			ledger->missed_by_kernel += count;
		else if (err != -ENOENT)
			ledger->kernel_counts = false;
	}
	vec_foreach(fd, &a->links) {
		int err = link_missed(*fd, &count);

		if (!err)
			ledger->missed_by_kernel += count;
		else if (err != -ENOENT)
			ledger->kernel_counts = false;
		if (!err && is_within(fd - a->links.data, a->first_probe_link, a->end_probe_link))
			ledger->probes_missed += count;
	}
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		for (int role = 0; role < NR_PROGRAM_ROLES; role++)
			count_recursion(a->programs->fds[rung][role], ledger);
	}
	ledger->preempted |= may_be_preempted(a);
	ledger->returns_limited |= a->features->rungs[RUNG_FENTRY] && has_limited_returns(a);
	/* A fork that was skipped is a child that is not followed. */
	count_recursion(a->programs->fork_fd, ledger);
	vec_foreach(fd, &a->copies) {
		before = ledger->recursion_misses;
		count_recursion(*fd, ledger);
		if (is_within(fd - a->copies.data, a->first_probe_copy, a->end_probe_copy))
			ledger->probes_missed += ledger->recursion_misses - before;
	}
	attachment_functions(a, ledger);
}

/* With this many functions, a single link takes seconds to close. */
#define MANY_FUNCTIONS 5000

void attachment_detach(struct attachment *a, interrupted_fn interrupted, void *arg)
{
	uint64_t start = now_ns();
	bool all;

	for (; a->loose.len; a->loose.len--) {
		int fd = a->loose.data[a->loose.len - 1].fd;

		if (vec_push(&a->links, fd))
			close(fd);
	}
	if (!a->links.len)
		return;
	if (a->nr_attached < MANY_FUNCTIONS)
		say(VERBOSITY_NORMAL, "Detaching...");
	else
		say(VERBOSITY_NORMAL,
		    "Detaching %u functions, which may take as long as attaching did (%llu s); Ctrl-C "
		    "again leaves it to the background.", a->nr_attached,
		    (unsigned long long)(a->attach_ms / 1000 + 1));
	all = detach_links(a->links.data, a->links.len, interrupted, arg);
	a->links.len = a->breakpoints.len = 0;
	if (!all)
		return;
	say(VERBOSITY_NORMAL, "DONE in %llu ms.", (unsigned long long)ms_since(start));
	programs_say_slots(a->programs);
}

void attachment_free(struct attachment *a)
{
	if (!a)
		return;
	vec_foreach(fd, &a->links)
		close(*fd);
	vec_release(&a->links);
	vec_foreach(link, &a->loose)
		close(link->fd);
	vec_release(&a->loose);
	free(a->given_up);
	vec_release(&a->breakpoints);
	vec_foreach(fd, &a->copies)
		close(*fd);
	vec_release(&a->copies);
	programs_free(a->programs);
	free(a);
}
