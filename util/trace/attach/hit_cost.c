// SPDX-License-Identifier: BSD-2-Clause
/* Attaches programs to a function of its own, and times system calls. */
#include "util/trace/attach/hit_cost.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/cost.h"
#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/bpf/insns.h"
#include "util/kernel/kernel.h"
#include "util/kernel/machine/kprobe_pmu.h"
#include "util/kernel/types/btf.h"
#include "util/trace/attach/links.h"

_Static_assert((int)HIT_KPROBE == (int)RUNG_KPROBE && (int)NR_HIT_KINDS == (int)NR_RUNGS &&
		       (int)HIT_KPROBE_SESSION == (int)RUNG_KPROBE_SESSION,
	       "hits are counted by attach method");

/* Used if the cost cannot be measured: usual values on processors of 2020. */
static const uint32_t usual_ns[NR_RUNGS] = {
	[RUNG_FSESSION_MULTI] = 60, [RUNG_KPROBE_SESSION] = 100, [RUNG_KPROBE_MULTI] = 100,
	[RUNG_FENTRY] = 30,	    [RUNG_KPROBE] = 500,
};

/* The shortest of many batches counts: interruptions only make a batch longer. */
#define BATCHES 64
#define CALLS 64

/* Enough for RUNG_KPROBE: a link and an event each for entries and for returns. */
#define MAX_FDS 6

/* Programs attached to the function of a system call. */
struct trial {
	const struct features *features;
	const struct programs *programs;
	enum rung rung;
	uint64_t addr;
	uint32_t btf_id;
	uint64_t cookie;
	int nothing;		/* result of an empty program, tested instead; -1 test ours */
	int fds[MAX_FDS];
	int nr_fds;
};

static uint64_t time_calls(void)
{
	uint64_t least = UINT64_MAX;

	for (int batch = 0; batch < BATCHES; batch++) {
		uint64_t start = now_ns(), took;

		for (int i = 0; i < CALLS; i++)
			syscall(SYS_getpgid, 0);
		took = now_ns() - start;
		least = took < least ? took : least;
	}
	return least;
}

static const struct symbol *find_function(struct kernel *kernel)
{
	_cleanup_(free_p) char *name = strf("%ssys_getpgid", arch_native->syscall_prefix);
	const struct symbol *const *named;
	struct symbols *symbols;

	if (!name || kernel_symbols(kernel, &symbols) || symbols_named(symbols, name, &named) != 1)
		return NULL;
	return named[0];
}

static int keep_fd(struct trial *trial, int fd)
{
	if (fd < 0)
		return fd;
	trial->fds[trial->nr_fds++] = fd;
	return 0;
}

/* Load a program that does nothing. Only for RUNG_KPROBE_SESSION. */
static int load_nothing(int result)
{
	const struct bpf_insn insns[] = {
		INSN_SET(BPF_REG_0, result),
		INSN_EXIT,
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		    .expected_attach_type = (enum bpf_attach_type)ATTACH_TRACE_KPROBE_SESSION);
	int fd = bpf_prog_load(BPF_PROG_TYPE_KPROBE, "retsnoop_cost", "GPL", insns,
			       ARRAY_SIZE(insns), &opts);

	return fd < 0 ? -errno : fd;
}

/* The program to attach. The caller closes the descriptor. */
static int get_program(const struct trial *trial, enum program_role role)
{
	if (trial->nothing >= 0)
		return load_nothing(trial->nothing);
	if (trial->rung == RUNG_FENTRY)
		return programs_copy(trial->programs, RUNG_FENTRY, role, trial->cookie, trial->btf_id, 0);
	return fcntl(trial->programs->fds[trial->rung][role], F_DUPFD_CLOEXEC, 0);
}

static int attach_end(struct trial *trial, bool at_return)
{
	_cleanup_(close_fd) int prog = get_program(trial, at_return ? PROGRAM_EXIT : PROGRAM_ENTRY);
	struct kprobe_link link;
	struct kprobe_pmu pmu;
	int err;

	if (prog < 0)
		return prog;
	switch (trial->rung) {
	case RUNG_FSESSION_MULTI:
		return keep_fd(trial, link_tracing_multi(prog, &trial->btf_id, &trial->cookie, 1));
	case RUNG_KPROBE_SESSION:
		return keep_fd(trial, link_kprobe_multi(prog, ATTACH_TRACE_KPROBE_SESSION, false,
						     &trial->addr, &trial->cookie, 1));
	case RUNG_KPROBE_MULTI:
		return keep_fd(trial, link_kprobe_multi(prog, ATTACH_TRACE_KPROBE_MULTI, at_return,
						     &trial->addr, &trial->cookie, 1));
	case RUNG_FENTRY:
		return keep_fd(trial, link_raw(prog, NULL));
	default:
		err = kprobe_pmu_init(&pmu) ?:
		      link_kprobe(&pmu, prog, at_return, trial->addr,
				  trial->features->attach_cookies, trial->cookie, &link);
		if (err)
			return err;
		keep_fd(trial, link.perf_fd);
		return link.link_fd < 0 ? 0 : keep_fd(trial, link.link_fd);
	}
}

/* Nanoseconds that the system call takes with these programs; 0: they cannot be attached. */
static uint64_t time_with(struct trial *trial)
{
	uint64_t took = 0;
	int err = 0;

	for (int at_return = !rung_is_session(trial->rung); at_return >= 0 && !err; at_return--)
		err = attach_end(trial, at_return);
	if (!err)
		took = time_calls() / CALLS;
	while (trial->nr_fds)
		close(trial->fds[--trial->nr_fds]);
	return took;
}

static uint32_t excess_of(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Programs time a part of each entry call themselves. Measure the rest: subtract their own time. */
static void measure_bracket(struct trial *trial, uint64_t a_hit, struct budget_control *control)
{
	struct budget_cpu before, after;
	uint64_t took, timed;

	trial->cookie |= COOKIE_ENTRY;
	if (budget_cpus_read(trial->programs, &before))
		return;
	took = time_with(trial);
	if (!took || budget_cpus_read(trial->programs, &after))
		return;
	timed = (after.outside_ns - before.outside_ns) / (BATCHES * CALLS);
	/* With several methods, the largest value counts. */
	if (excess_of(took, a_hit + timed) > control->bracket_ns)
		control->bracket_ns = excess_of(took, a_hit + timed);
}

static void measure(struct trial *trial, struct budget_control *control)
{
	uint64_t without = time_calls() / CALLS, with = time_with(trial);

	if (with <= without) {
		say(VERBOSITY_VERBOSE, "What a hit by %s costs could not be measured; it counts as %u ns.",
		    rung_name(trial->rung), control->hit_ns[trial->rung]);
		return;
	}
	control->hit_ns[trial->rung] = with - without;
	measure_bracket(trial, with, control);
	if (trial->rung == RUNG_KPROBE_SESSION) {
		trial->nothing = 1;
		with = time_with(trial);
		trial->nothing = 0;
		control->exit_ns = excess_of(time_with(trial), with);
	}
	say(VERBOSITY_VERBOSE, "A hit by %s costs %u ns where nothing comes of it.",
	    rung_name(trial->rung), control->hit_ns[trial->rung]);
	say(VERBOSITY_DEBUG, "%u ns more where the return is not skipped, %u ns around what is timed.",
	    control->exit_ns, control->bracket_ns);
}

void hit_costs_measure(struct kernel *kernel, const struct features *features,
		       const struct programs *programs, const struct plan *plan,
		       const struct attached *attached, struct budget_control *ret_control)
{
	const struct symbol *function = find_function(kernel);
	struct kernel_btf *btf;
	bool used[NR_RUNGS] = {};
	uint32_t btf_id = 0;
	int module;

	*ret_control = (struct budget_control){ .keep = BUDGET_KEEP_ALL };
	for (int rung = 0; rung < NR_RUNGS; rung++)
		ret_control->hit_ns[rung] = usual_ns[rung];
	if (!function)
		return;
	if (kernel_get_btf(kernel, &btf) ||
	    kernel_btf_find_func(btf, function->name, NULL, &btf_id, &module))
		btf_id = 0;
	for (size_t i = 0; i < plan->funcs.len; i++) {
		if (attached->rungs[i] != RUNG_AUTO)
			used[attached->rungs[i]] = true;
	}
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		struct trial trial = {
			.features = features, .programs = programs, .rung = rung, .addr = function->addr,
			.btf_id = btf_id, .cookie = UINT32_MAX, .nothing = -1,
		};

		if (used[rung] && (btf_id || !rung_is_trampoline(rung)))
			measure(&trial, ret_control);
	}
}
