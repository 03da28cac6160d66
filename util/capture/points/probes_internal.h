/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of resolving points share. For probes*.c only. */
#ifndef RETSNOOP_CAPTURE_POINTS_PROBES_INTERNAL_H
#define RETSNOOP_CAPTURE_POINTS_PROBES_INTERNAL_H

#include "util/base/strmap.h"
#include "util/capture/points/probes.h"
#include "util/kernel/code/probe_point.h"
#include "util/kernel/symbols/symbols.h"

struct traceable;

struct probe_resolving {
	struct kernel *kernel;
	const struct code_source *code;
	struct code_source own_code;
	struct kcore kcore;
	struct probes *probes;
	/* What is known so far, each read when first needed. */
	struct symbols *symbols;
	const struct traceable *traceable;	/* NULL: not known, everything may be */
	bool asked_traceable;
	const char *tracefs;			/* NULL: not looked for */
	struct tracepoint_names tp_names;
	struct raw_tracepoints raw;
	bool have_tp_names, have_raw, have_module_raw;
	struct strmap known;			/* probes there are, by what makes them one */
	VEC(char *) keys;
	/* Of the spec at hand. */
	const struct probe_spec *spec;
	size_t usable, refused;
	struct strbuf why;			/* the first refusal */
	int why_err;
};

void probe_resolving_init(struct probe_resolving *r, struct kernel *kernel,
			  const struct probe_sources *sources);
void probe_resolving_release(struct probe_resolving *r);
/* Symbols, and what can be traced of them. */
int probe_resolving_symbols(struct probe_resolving *r);

/*
 * Add @probe, which is taken over, unless there is one with the same key, which is taken over
 * too. 0; -ENOMEM (reported).
 */
int probe_add(struct probe_resolving *r, struct probe *probe, char *key);
void probe_release(struct probe *probe);

/* A candidate of the spec at hand cannot be used. 0; -ENOMEM (reported). */
int probe_refuse(struct probe_resolving *r, int err, const char *fmt, ...) _printf_(3, 4);

/* Each adds and refuses what the spec at hand selects. 0; -errno (reported). */
int resolve_functions(struct probe_resolving *r);
int resolve_line(struct probe_resolving *r);
int resolve_tracepoints(struct probe_resolving *r);
int resolve_raw_tracepoints(struct probe_resolving *r);
/* Tracepoints of both kinds; NULL all. */
int list_tracepoints(struct probe_resolving *r, const char *glob);

/* What is wrong with a place, and which are right. */
void point_check_add(struct strbuf *sb, const char *func, uint64_t size, uint64_t offset,
		     const struct point_check *check);

#endif
