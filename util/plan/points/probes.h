/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requested points, resolved against one kernel: the place of each, and the data to capture when
 * it is hit.
 *
 * Built once, constant from then on. It owns its strings and tracepoints, or borrows them from
 * the kernel, which must outlive it.
 */
#ifndef RETSNOOP_PLAN_POINTS_PROBES_H
#define RETSNOOP_PLAN_POINTS_PROBES_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/arg_items.h"
#include "util/ask/probe_spec.h"
#include "util/base/strbuf.h"
#include "util/base/vec.h"
#include "util/kernel/symbols/code_source.h"
#include "util/kernel/tracepoints/raw_tracepoint.h"
#include "util/kernel/tracepoints/tracepoint.h"
#include "util/kernel/types/return_kind_name.h"
#include "util/plan/args/args.h"

struct kernel;
struct kernel_btf;

/* A word of a record that leads to data after it: length << 16 | offset. */
struct probe_dynamic {
	uint16_t offset;	/* of the word */
	uint16_t base;		/* start of the offset in it: 0, or after the word */
};

#define PROBE_MAX_DYNAMIC 8
#define PROBE_MAX_BYTES (PROBE_DATA_BYTES - 16)	/* what BPF keeps of one */

/*
 * What BPF copies when a probe is hit; probe_text_add() gets these bytes unchanged.
 *
 *	PROBE_KPROBE, PROBE_KRETPROBE	`fixed` bytes of the context, a struct pt_regs
 *	PROBE_RAWTP			`fixed` bytes of the context, 8 for each argument, are
 *					what arguments are found in: see probe.args
 *	PROBE_TP			bpf_probe_read_kernel() from the context, because direct
 *					loads beyond the fields are refused: `fixed` bytes; then for
 *					each of `dynamic` n = its word (in what was read), end =
 *					max(end, base + (n & 0xffff) + (n >> 16)) with `fixed` to
 *					begin with, and all up to min(end, PROBE_MAX_BYTES). Reading too
 *					much is harmless: the kernel's buffer is larger than any record.
 */
struct probe_capture {
	uint32_t fixed;		/* bytes */
	uint32_t nr_dynamic;
	struct probe_dynamic dynamic[PROBE_MAX_DYNAMIC];
	/*
	 * PROBE_KPROBE: memory that registers lead to is captured, in a struct probe_tail at the
	 * end of `fixed`.
	 */
	bool has_tail;
	uint8_t memory_size;	/* bytes, 1 to 8; 0: none */
	uint8_t memory_register;	/* word of struct pt_regs */
	int16_t memory_at;	/* from there */
	struct probe_name names[PROBE_NAMES];
};

struct probe {
	enum probe_kind kind;	/* never PROBE_LINE: those are kprobes */
	char *text;		/* shown after the ◎: "kprobe:do_open+0x4"; owned */
	const char *name;	/* function or tracepoint */
	const char *category;	/* PROBE_TP */
	const char *module;	/* kprobes, PROBE_RAWTP; NULL for vmlinux */
	uint64_t addr;		/* kprobes: run-time address, offset included */
	uint64_t func, func_size;	/* kprobes: of the function; size 0 unknown */
	uint64_t offset;	/* kprobes */
	struct tracepoint *tracepoint;	/* PROBE_TP: its id and fields; owned */
	struct raw_tracepoint raw;	/* PROBE_RAWTP: raw.proto 0 without BTF */
	struct func_args args;		/* PROBE_RAWTP: what is captured (probes_args()); owned */
	enum return_kind returns;	/* PROBE_KRETPROBE: the same */
	struct probe_capture capture;
	/*
	 * PROBE_KPROBE: one of the CPU's 4 breakpoints, where the kernel refuses a kprobe. Users
	 * cannot ask for it.
	 */
	bool by_breakpoint;
	bool by_glob;			/* selected only by globs: it may be left out */
};

/* Index is the probe's id. */
struct probes {
	VEC(struct probe) v;
	struct kernel_btf *btf;		/* NULL: none, or not needed so far; borrowed */
	VEC(char *) names;		/* names in probes that nothing else owns */
	bool optional;			/* not requested by the user: the kernel may refuse all */
};

/* With more, attaching one by one takes minutes. */
#define PROBES_MAX 1024

/* Sources that are not part of a struct kernel; for tests. */
struct probe_sources {
	const char *tracefs;	/* NULL: where it is mounted */
	const struct code_source *code;	/* NULL: /proc/kcore */
};

enum probes_flags {
	PROBES_NO_LIMIT = 1 << 0,	/* allow more than PROBES_MAX: nothing will be attached */
};

/**
 * Resolve points. A point that a glob selects and that cannot be used is left out, which -v
 * reports. A full name that cannot be used, or a glob that leaves no point, is an error. All
 * errors are reported, each with the nearest usable name.
 *
 * @sources	NULL: the running system's
 * @flags	PROBES_x
 * @ret_probes	set on success only; release with probes_free()
 * @return	0; -ENOENT, -EINVAL a point that does not exist or is impossible; -E2BIG too many;
 *		-errno (all reported)
 */
int probes_resolve(struct kernel *kernel, const struct probe_spec_list *specs,
		   const struct probe_sources *sources, unsigned int flags,
		   struct probes **ret_probes);
void probes_free(struct probes *probes);
/* Free the members of one probe. */
void probe_release(struct probe *probe);

/**
 * Look up facts for tracing in BTF: the captured arguments of raw tracepoints, as for functions,
 * and the result kinds of functions with kretprobes. 0; -ENOMEM (reported).
 */
int probes_args(struct kernel *kernel, const struct args_options *options, struct probes *probes);

/**
 * List matching tracepoints and raw tracepoints, but no functions.
 *
 * @glob	"sched:*", "*exec*" (matched with the name and with category:name), or a point
 *		with its kind, for example kprobe:GLOB; NULL all
 */
int probes_list(struct kernel *kernel, const char *glob, const struct probe_sources *sources,
		struct probes **ret_probes);

/**
 * Find out whether a point can be used, and why not.
 *
 * @ret_usable	number of places where it can be used; 0: the reason is in @why
 * @return	0; -EINVAL malformed, -errno (reported)
 */
int probes_why(struct kernel *kernel, const char *point, const struct probe_sources *sources,
	       size_t *ret_usable, struct strbuf *why);

/*
 * The kernel refused to attach a probe: append the meaning, and an alternative.
 *
 * @err		negative errno of perf_event_open(), BPF_RAW_TRACEPOINT_OPEN or BPF_LINK_CREATE
 */
void probe_attach_error(const struct probe *probe, const struct probe_sources *sources, int err,
			struct strbuf *sb);

#endif
