/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The user's request, validated and independent of any kernel. Commands differ only in how they
 * fill it. It owns everything in it.
 */
#ifndef RETSNOOP_ASK_REQUEST_H
#define RETSNOOP_ASK_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/event.h"
#include "bpf/summary_rows.h"
#include "util/ask/args_selection.h"
#include "util/ask/cgroup_pattern.h"
#include "util/ask/errno_set.h"
#include "util/ask/probe_spec.h"
#include "util/ask/result_expr.h"
#include "util/ask/rung.h"
#include "util/ask/spec.h"
#include "util/ask/where.h"
#include "util/base/vec.h"
#include "util/kernel/symbols/symbolizer.h"

/* Whether sessions whose entry call succeeded are shown. */
enum success_mode {
	SUCCESS_AUTO,	/* as trace_request_shows_successes() says */
	SUCCESS_NO,	/* -Sn */
	SUCCESS_YES,	/* -S, -Sy */
};

/* The parts of a session that are shown; bits. */
enum trace_modes {
	MODE_STACK = 1 << 0,	/* -E */
	MODE_TRACE = 1 << 1,	/* -T */
	MODE_ARGS = 1 << 2,	/* -A: arguments in the trace */
	MODE_BRANCHES = 1 << 3,	/* --lbr, -R, -B: the CPU's last branches */
};

/* How arguments are laid out. */
enum args_mode {
	ARGS_COMPACT,	/* on the call's line */
	ARGS_MULTILINE,	/* one argument per line */
	ARGS_VERBOSE,	/* one member per line, zeroes included */
};

/* Other facts that are shown with a session; bits. A recording keeps them. */
enum show_bits {
	SHOW_CGROUP = 1 << 0,
	SHOW_UID = 1 << 1,
	SHOW_CPU = 1 << 2,
	SHOW_POD = 1 << 3,
	SHOW_CONTAINER = 1 << 4,
	SHOW_UNIT = 1 << 5,
	SHOW_HOST = 1 << 6,
	SHOW_TRACE = 1 << 7,
	SHOW_ALL = (1 << 8) - 1,
};

/* How durations are printed. A recording keeps it. */
enum durations {
	DURATIONS_AUTO,	/* the unit that fits */
	DURATIONS_US,
};

/* Whether a summary has histograms. */
enum histograms {
	HISTOGRAMS_AUTO,	/* only if rows are grouped by nothing but function and result */
	HISTOGRAMS_NO,
	HISTOGRAMS_YES,
};

#define MAX_SETTINGS 96

/* OpenTelemetry's eBPF instrumentation pins its map here. */
#define DEFAULT_TRACE_CONTEXT "/sys/fs/bpf/otel/traces_ctx_v1"

struct trace_request {
	unsigned int modes;		/* MODE_x of the command, and those that options add */
	unsigned int modes_asked;	/* added by options */
	unsigned int modes_off;		/* removed by options */
	unsigned int shown_modes;	/* modes without those that are only recorded */
	bool summary;			/* --summary: counts instead of sessions */
	enum summary_by summary_by;	/* --by: what else its rows are grouped by */
	bool summary_producers;		/* group by producer too: for export */
	enum histograms histograms;	/* --histogram, --no-histogram */
	uint32_t show;			/* --show: SHOW_x */
	enum durations durations;	/* --time-unit */
	uint64_t interval_ns;		/* --interval between summaries; 0: one at the end */
	uint64_t stats_ns;		/* --stats: interval of the ledger; 0: only at the end */
	unsigned int trace_context;	/* --trace-context: TRACE_CONTEXT_x; both: as far as they exist */
	char *trace_context_map;	/* path of the map; NULL: the default */
	uint32_t budget_ppm;		/* --budget: millionths of CPU time for tracing; 0 any */

	struct spec_list entry;		/* -e: a call of one of these opens a session */
	struct spec_list allow;		/* -a */
	struct spec_list deny;		/* -d: wins over entry and allow */

	struct probe_spec_list probes;	/* -J: points inside sessions, shown in the trace */

	enum rung rung;			/* --attach, -M -K -F; RUNG_AUTO */
	bool dry_run;

	/* Filters, all decided in the kernel. */
	VEC(uint32_t) allow_pids;	/* -p: thread group ids */
	VEC(uint32_t) deny_pids;	/* -P */
	bool leave_out_self;		/* ignore calls of this process */
	VEC(char *) allow_comms;	/* -n: compared as the kernel keeps them, 15 bytes */
	VEC(char *) deny_comms;		/* -N */
	struct errno_set allow_errnos;	/* -x */
	struct errno_set deny_errnos;	/* -X */
	VEC(uint32_t) uids;		/* --uid */
	VEC(char *) cgroups;		/* --cgroup: directories of cgroup2, and those below them */
	VEC(struct cgroup_pattern) cgroup_patterns;	/* --cgroup GLOB, --pod --container --unit */
	uint64_t longer_ns;		/* -L: entry calls at least this long; 0 all */
	uint64_t fn_longer_ns;		/* --fn-longer: some call inside at least this long; 0 */
	struct result_expr result;	/* --return: the entry call's */
	VEC(struct error_rule) error_rules;	/* --error-if; the last that matches counts */
	enum success_mode success;
	bool interim;			/* -I: also stacks of errors that were handled */
	uint32_t max_depth;		/* --max-depth: levels of nested calls kept */
	uint32_t kept_at;		/* entry functions keep their error there (bpf/kept.bpf.h); 0: they return it */

	/* When to end. */
	char **workload;		/* -- COMMAND ARGS, NULL-terminated; NULL none; borrowed */
	char *user;			/* -u: who runs the workload; NULL: who runs retsnoop */
	int workload_stdout;		/* its standard output; 0: the same as retsnoop's */
	bool workload_may_fail;		/* see struct workload_env */
	bool forward_status;
	int64_t at_ns;			/* --at: when recording begins, since the epoch; 0 at once */
	uint64_t duration_ns;		/* 0 no limit */
	uint64_t max_sessions;		/* 0 no limit */

	/* -C bpf.* */
	uint64_t ringbuf_size;		/* bytes, a power of two of pages */
	uint32_t sessions_size;		/* sessions open at once */
	uint32_t session_buf_size;	/* bytes of trace kept with a session, a power of two; 0 enough */

	VEC(struct where_rule) wheres;	/* --where: all must hold */

	/* -C args.*, --args */
	struct args_options args;
	VEC(struct args_selection) args_selections;	/* the last that matches a function counts */
	enum args_mode args_mode;
	uint32_t args_width;		/* columns of a value; 0 any */

	/* --lbr */
	uint64_t branch_types;		/* PERF_SAMPLE_BRANCH_x; 0: DEFAULT_BRANCH_TYPES */
	bool branches_needed;		/* nothing else is shown: without them the run fails */
	bool branches_full;		/* --lbr-full: keep tracing's own branches and blank ones */
	uint32_t branches_max;		/* --lbr-max-count: newest ones shown; 0 all */
	char *source_dir;		/* --source: kernel tree with lines to show; NULL: search */

	/* -C stacks.*, -s, -k */
	struct symbolizer_options symbols;	/* vmlinux owned here (vmlinux_path) */
	char *vmlinux_path;
	bool stacks_unfiltered;		/* keep the frames that tracing itself adds */
	bool stacks_emit_addrs;
	bool stacks_dec_offs;		/* offsets in decimal */

	bool given[MAX_SETTINGS];	/* on the command line, by place in settings[] (settings.c) */
};

#define DEFAULT_RINGBUF_SIZE (8 * 1024 * 1024)
#define DEFAULT_SESSION_BUF_SIZE (16 * 1024)
#define MAX_SESSION_BUF_SIZE (1024 * 1024)
#define DEFAULT_ARGS_BUF_SIZE (64 * 1024)	/* with arguments */
#define MIN_ARGS_BUF_SIZE (8 * 1024)	/* for the largest call: ARGS_MAX_BYTES, and marks */

/* After all options: set what some imply, unless others say otherwise. */
void trace_request_settle(struct trace_request *request);
void trace_request_release(struct trace_request *request);
/* Whether arguments are to be captured. */
bool trace_request_has_args(const struct trace_request *request);
/*
 * Whether sessions whose entry call succeeded are shown, recorded or counted. Without -S, stacks
 * and branches show only failures; traces alone, summaries and --return show both.
 */
bool trace_request_shows_successes(const struct trace_request *request);

/* Levels of nested calls kept. @settings: NULL, or of a recording that does not say, the default. */
static inline uint32_t trace_request_max_depth(const struct trace_request *settings)
{
	return settings && settings->max_depth ? settings->max_depth : EVENT_MAX_DEPTH;
}

#endif
