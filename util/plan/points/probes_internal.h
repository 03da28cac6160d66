/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the parts that resolve points. For probes*.c only. */
#ifndef RETSNOOP_PLAN_POINTS_PROBES_INTERNAL_H
#define RETSNOOP_PLAN_POINTS_PROBES_INTERNAL_H

#include "util/base/strmap.h"
#include "util/kernel/code/probe_point.h"
#include "util/kernel/live_code.h"
#include "util/kernel/symbols/symbols.h"
#include "util/plan/points/probes.h"

struct traceable;

struct probe_resolving {
	struct kernel *kernel;
	const struct code_source *code;
	struct code_source own_code;
	struct live_code live;
	struct probes *probes;
	/* Facts, each read on first use. */
	struct symbols *symbols;
	const struct traceable *traceable;	/* NULL: not known, everything may be */
	bool asked_traceable;
	const char *tracefs;			/* NULL: not searched */
	struct tracepoint_names tp_names;
	struct raw_tracepoints raw;
	bool have_tp_names, have_raw, have_module_raw;
	struct print_enums *enums;		/* NULL: none, or not needed so far */
	struct strmap known;			/* probes so far, by key */
	VEC(char *) keys;
	/* Of the current spec. */
	const struct probe_spec *spec;
	size_t usable, refused;
	struct strbuf why;			/* the first refusal */
	int why_err;
};

/* Load symbols, and the list of traceable functions. */
int probe_resolving_symbols(struct probe_resolving *r);

/*
 * Add @probe unless there is one with the same key. Takes over @probe and @key. 0; -ENOMEM
 * (reported).
 */
int probe_add(struct probe_resolving *r, struct probe *probe, char *key);

/* A candidate of the current spec cannot be used. 0; -ENOMEM (reported). */
int probe_refuse(struct probe_resolving *r, int err, const char *fmt, ...) _printf_(3, 4);

/* Add or refuse the points that the current spec selects. 0; -errno (reported). */
int resolve_functions(struct probe_resolving *r);
int resolve_line(struct probe_resolving *r);
int resolve_tracepoints(struct probe_resolving *r);
int resolve_raw_tracepoints(struct probe_resolving *r);
/* Tracepoints of both kinds; NULL all. */
int list_tracepoints(struct probe_resolving *r, const char *glob);

/* Append why a place is wrong, and the nearest right ones. */
void point_check_add(struct strbuf *sb, const char *func, uint64_t size, uint64_t offset,
		     const struct point_check *check);

#endif
