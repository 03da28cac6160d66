/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The data of a recording besides events, in memory and as chunks' contents
 * (Documentation/retsnoop-data.txt), for writing and for reading.
 */
#ifndef RETSNOOP_TRACE_RECORD_RECORDING_H
#define RETSNOOP_TRACE_RECORD_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "util/ask/request.h"
#include "util/base/strbuf.h"
#include "util/base/vec.h"
#include "util/base/wall_clock.h"
#include "util/kernel/symbols/recorded_kernel.h"
#include "util/trace/session/ledger.h"
#include "util/trace/session/session.h"

struct attached;
struct btf_subset;
struct kernel_btf;
struct plan;
struct symbol;
struct symbols;
struct tracepoint;

/* Strings from a file, kept as long as the data that refers to them. */
struct recording_strings {
	VEC(char *) v;
	size_t bytes;
};

void recording_strings_release(struct recording_strings *strings);

#define RECORDING_RUN_ID 16

/* Facts about the run, for views and for people. Owns its strings. */
struct recording_meta {
	char *tool;			/* "retsnoop 0.1.0" */
	char *command_line;
	char *host;			/* uname -n; NULL in older recordings */
	struct recorded_kernel kernel;
	struct wall_clock clock;
	enum clock_sync clock_sync;	/* at the run's start */
	uint64_t clock_error_us;	/* maximum error known to the kernel; 0: not known */
	int32_t utc_offset_s;		/* of local time, east of Greenwich */
	uint64_t start_ns;		/* CLOCK_MONOTONIC */
	uint8_t run[RECORDING_RUN_ID];	/* the same in all files of a run that rotates */
	uint32_t part;			/* number of the file among these: 0, 1, 2, ... */
	unsigned int modes;		/* MODE_x recorded */
	unsigned int shown_modes;	/* MODE_x shown by the command line */
	struct trace_request settings;	/* only those that are recorded (settings.h) */
	bool successes;			/* calls that succeeded were recorded too */
	bool interim;
	VEC(struct error_rule) error_rules;	/* without their globs */
	uint64_t trampoline, trampoline_end;	/* of struct session_rules */
};

void recording_meta_release(struct recording_meta *meta);

/*
 * Writers append the contents of a chunk to @sb, which remembers that memory ran out. Readers
 * return 0; -EBADMSG the contents make no sense; -ENOMEM (nothing is reported).
 */
void recording_put_meta(struct strbuf *sb, const struct recording_meta *meta);
int recording_get_meta(const void *data, size_t size, struct recording_meta *ret_meta);

/**
 * @types	collects its types; NULL: keep the ids of its own BTF
 * @return	0; -ENOMEM (reported)
 */
int recording_put_plan(struct strbuf *sb, const struct plan *plan, const struct attached *attached,
		       struct kernel_btf *btf, struct btf_subset *types);

/* The functions of the plan from @first on, without arguments: they were appended to it. */
void recording_put_funcs(struct strbuf *sb, const struct plan *plan, const struct attached *attached,
			 uint32_t first);
/* Appends them to the plan and its rungs. */
int recording_get_funcs(const void *data, size_t size, size_t nr_rules,
			struct recording_strings *strings, struct plan *plan,
			struct attached *attached);

/**
 * @nr_rules	number of error rules
 * @btf		types of the ids in it; NULL: none. Outlives the plan
 * @symbols	for formats of tracepoints; outlives the plan
 * @strings	its names; outlives the plan
 * @ret_plan	set on success; plan_free()
 * @ret_attached	set on success; attached_release()
 */
int recording_get_plan(const void *data, size_t size, size_t nr_rules, struct kernel_btf *btf,
		       struct symbols *symbols, struct recording_strings *strings,
		       struct plan **ret_plan, struct attached *ret_attached);

/* Functions' captured arguments, a part of the plan; @btf and @types as above. */
struct func_args;
int recording_put_args(struct strbuf *sb, const struct func_args *args, struct kernel_btf *btf,
		       struct btf_subset *types);
struct wire;
int recording_get_args(struct wire *wire, struct kernel_btf *btf,
		       struct recording_strings *strings, struct func_args *ret_args);

/* Probes, another part of the plan. */
struct probe;
struct probes;
int recording_put_probe(struct strbuf *sb, const struct probe *probe, struct kernel_btf *btf,
			struct btf_subset *types);
int recording_get_probe(struct wire *wire, struct kernel_btf *btf, struct symbols *symbols,
			struct recording_strings *strings, struct probe *ret_probe);

/* One BTF; @name NULL for vmlinux's. */
void recording_put_btf(struct strbuf *sb, const char *name, const void *btf, uint32_t size);

/* Adds to @btf, which the first call (vmlinux) creates. @bytes: total kept so far. */
int recording_get_btf(const void *data, size_t size, struct kernel_btf **btf, size_t *bytes);

void recording_put_module(struct strbuf *sb, const struct recorded_module *module);
int recording_get_modules(const void *data, size_t size, struct recorded_kernel *kernel);

int recording_get_symbols(const void *data, size_t size, struct symbols *symbols);

/* @dropped: recorded sessions that were removed for newer ones */
void recording_put_ledger(struct strbuf *sb, const struct ledger *ledger, uint64_t dropped);
int recording_get_ledger(const void *data, size_t size, struct ledger *ret_ledger,
			 uint64_t *ret_dropped);

/* @nr changes of the clock; the reader appends them to @clock. */
void recording_put_clock(struct strbuf *sb, const struct wall_change *changes, size_t nr);
int recording_get_clock(const void *data, size_t size, struct wall_clock *clock);

/* Paths of cgroups in @names that were not written yet; the reader adds them. */
struct cgroup_names;
void recording_put_cgroups(struct strbuf *sb, struct cgroup_names *names);
int recording_get_cgroups(const void *data, size_t size, struct cgroup_names *names);

/*
 * The next string of @wire, safe for terminals: all but printable ASCII is replaced. NULL: none, or
 * out of memory (wire->bad).
 */
char *recording_get_text(struct wire *wire);
/* The same, owned by @strings; "" is NULL. */
const char *recording_get_name(struct wire *wire, struct recording_strings *strings);

#endif
