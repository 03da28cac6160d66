// SPDX-License-Identifier: BSD-2-Clause
/* Attaches programs that do nothing, and times system calls. */
#include "util/trace/attach/hit_cost.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/budget.h"
#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/kernel/kernel.h"
#include "util/kernel/machine/kprobe_pmu.h"
#include "util/kernel/types/btf.h"
#include "util/trace/attach/links.h"

_Static_assert((int)HIT_KPROBE == (int)RUNG_KPROBE && (int)NR_HIT_KINDS == (int)NR_RUNGS &&
		       (int)HIT_KPROBE_SESSION == (int)RUNG_KPROBE_SESSION,
	       "hits are counted by attach method");

/* Where it cannot be measured: what is usual on processors of 2020. */
static const uint32_t usual_ns[NR_RUNGS] = {
	[RUNG_FSESSION_MULTI] = 60, [RUNG_KPROBE_SESSION] = 100, [RUNG_KPROBE_MULTI] = 100,
	[RUNG_FENTRY] = 30,	    [RUNG_KPROBE] = 500,
};

/* The least of many batches: whatever interrupts a batch makes it longer. */
#define BATCHES 64
#define CALLS 64

/* Both ends, for RUNG_KPROBE with links and events. */
#define MAX_FDS 6

struct nothing {
	enum rung rung;
	uint64_t addr;
	uint32_t btf_id;
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
	static const char *const names[] = { "__x64_sys_getpgid", "__arm64_sys_getpgid" };
	const struct symbol *const *named;
	struct symbols *symbols;

	if (kernel_symbols(kernel, &symbols))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (symbols_named(symbols, names[i], &named) == 1)
			return named[0];
	}
	return NULL;
}

static int keep(struct nothing *nothing, int fd)
{
	if (fd < 0)
		return fd;
	nothing->fds[nothing->nr_fds++] = fd;
	return 0;
}

static int load_program(const struct nothing *nothing, bool at_return)
{
	static const int attach_types[NR_RUNGS][2] = {
		[RUNG_FSESSION_MULTI] = { ATTACH_TRACE_FSESSION_MULTI },
		[RUNG_KPROBE_SESSION] = { ATTACH_TRACE_KPROBE_SESSION },
		[RUNG_KPROBE_MULTI] = { ATTACH_TRACE_KPROBE_MULTI, ATTACH_TRACE_KPROBE_MULTI },
		[RUNG_FENTRY] = { BPF_TRACE_FENTRY, BPF_TRACE_FEXIT },
	};
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		    .expected_attach_type =
			    (enum bpf_attach_type)attach_types[nothing->rung][at_return],
		    .attach_btf_id = nothing->rung == RUNG_FENTRY ? nothing->btf_id : 0);
	int fd = bpf_prog_load(rung_is_trampoline(nothing->rung) ? BPF_PROG_TYPE_TRACING :
								   BPF_PROG_TYPE_KPROBE,
			       "retsnoop_cost", "GPL", insns, ARRAY_SIZE(insns), &opts);

	return fd < 0 ? -errno : fd;
}

static int attach_end(struct nothing *nothing, bool at_return)
{
	_cleanup_(close_fd) int prog = load_program(nothing, at_return);
	const uint64_t cookie = 0;
	struct kprobe_link link;
	struct kprobe_pmu pmu;
	int err;

	if (prog < 0)
		return prog;
	switch (nothing->rung) {
	case RUNG_FSESSION_MULTI:
		return keep(nothing, link_tracing_multi(prog, &nothing->btf_id, &cookie, 1));
	case RUNG_KPROBE_SESSION:
		return keep(nothing, link_kprobe_multi(prog, ATTACH_TRACE_KPROBE_SESSION, false,
						       &nothing->addr, &cookie, 1));
	case RUNG_KPROBE_MULTI:
		return keep(nothing, link_kprobe_multi(prog, ATTACH_TRACE_KPROBE_MULTI, at_return,
						       &nothing->addr, &cookie, 1));
	case RUNG_FENTRY:
		return keep(nothing, link_raw(prog, NULL));
	default:
		err = kprobe_pmu_init(&pmu) ?:
		      link_kprobe(&pmu, prog, at_return, nothing->addr, false, 0, &link);
		if (err)
			return err;
		keep(nothing, link.perf_fd);
		return link.link_fd < 0 ? 0 : keep(nothing, link.link_fd);
	}
}

static void measure(struct nothing *nothing, struct features *features)
{
	uint64_t without = time_calls(), with = 0;
	int err = 0;

	for (int at_return = !rung_is_session(nothing->rung); at_return >= 0 && !err; at_return--)
		err = attach_end(nothing, at_return);
	if (!err)
		with = time_calls();
	while (nothing->nr_fds)
		close(nothing->fds[--nothing->nr_fds]);
	if (err || with <= without) {
		say(VERBOSITY_VERBOSE, "What a hit by %s costs could not be measured; it counts as %u ns.",
		    rung_name(nothing->rung), features->hit_ns[nothing->rung]);
		return;
	}
	features->hit_ns[nothing->rung] = (with - without + CALLS / 2) / CALLS;
	say(VERBOSITY_VERBOSE, "A hit by %s costs %u ns before anything is done.",
	    rung_name(nothing->rung), features->hit_ns[nothing->rung]);
}

void hit_costs_measure(struct kernel *kernel, const struct plan *plan, struct features *features)
{
	const struct symbol *function = find_function(kernel);
	struct kernel_btf *btf;
	bool used[NR_RUNGS] = {};
	uint32_t btf_id = 0;
	int module;

	for (int rung = 0; rung < NR_RUNGS; rung++)
		features->hit_ns[rung] = usual_ns[rung];
	if (!function)
		return;
	if (!kernel_get_btf(kernel, &btf) &&
	    kernel_btf_find_func(btf, function->name, NULL, &btf_id, &module))
		btf_id = 0;
	vec_foreach(func, &plan->funcs) {
		if (func->rung < NR_RUNGS)
			used[func->rung] = true;
	}
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		struct nothing nothing = { rung, function->addr, btf_id, {}, 0 };

		if (used[rung] && (btf_id || !rung_is_trampoline(rung)))
			measure(&nothing, features);
	}
}
