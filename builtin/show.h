/* SPDX-License-Identifier: BSD-2-Clause */
/* A request's views on standard output: what tracing live and showing recordings have in common. */
#ifndef RETSNOOP_BUILTIN_SHOW_H
#define RETSNOOP_BUILTIN_SHOW_H

#include "builtin/builtin.h"
#include "util/base/wall_clock.h"
#include "util/kernel/code/code_source.h"
#include "util/kernel/machine/cgroup_names.h"
#include "util/kernel/symbols/recorded_kernel.h"
#include "util/trace/run/run.h"
#include "util/view/session/view.h"
#include "util/view/values/value_symbol.h"

struct attached;
struct cgroup_watch;
struct decider;
struct kernel;
struct plan;
struct session;
struct source_text;
struct symbolizer;
struct symbols;
struct trace_request;

/*
 * What sessions of one kernel are shown with: the running one, or that of a recording. Borrowed but
 * for what show_source_open() makes.
 */
struct show_source {
	const struct plan *plan;
	const struct attached *attached;	/* how the plan was attached */
	struct symbolizer *symbolizer;
	const struct symbols *symbols;
	const struct error_rule *error_rules;
	const struct wall_clock *clock;
	struct cgroup_names *cgroups;
	struct code_source code;	/* to tell why a call failed, where there are branches */
	const char *release;		/* whose source is looked for; NULL: nowhere */
	struct view_origin origin;
	unsigned int modes;		/* MODE_x that its sessions can have */
	struct value_symbols value_symbols;	/* owned, as all below */
	struct explainer explainer;
	struct decider *decider;
	struct source_text *source;
};

struct show {
	struct run_output output;
	struct kcore kcore;
	struct wall_clock clock;
	struct cgroup_names cgroups;
	struct cgroup_watch *cgroup_watch;	/* NULL: none */
	struct recorded_kernel kernel;	/* the running one; only where a view needs it */
	struct show_source live;	/* of the running kernel, or of the only recording */
	struct show_source *source;	/* of the sessions that are shown now */
	unsigned int modes;		/* MODE_x that are shown of a session that has them */
	struct view_context context;
	struct view *view;
};

/**
 * What is shown, and how, as the request has it; of time of day what is so now. What is to be
 * otherwise is changed before it is opened.
 *
 * @plan	outlives it, as all others do
 * @attached	filled in when it is opened
 */
void show_init(struct show *show, const struct plan *plan, const struct attached *attached,
	       const struct trace_request *request, struct symbolizer *symbolizer,
	       const struct symbols *symbols);

/**
 * The same with the running kernel's symbols and code.
 *
 * @hear_cgroups	have the names of cgroups that are gone by the time they are shown
 * @return		0; -errno (reported)
 */
int show_init_live(struct show *show, const struct plan *plan, const struct attached *attached,
		   struct kernel *kernel, const struct trace_request *request, bool hear_cgroups);

/* Whether the names of cgroups are shown, or cgroups are selected by patterns. */
bool show_has_cgroups(const struct trace_request *request, enum format format);

/* With -v: when and where this runs. */
void show_say_machine(void);

/* What a format makes of MODE_x: some show nothing but the trace. */
unsigned int show_modes(unsigned int modes, enum format format);

/* Begin. 0; -errno (reported). Close either way. */
int show_open(struct show *show, const struct trace_request *request, enum format format);

/*
 * The same in two steps, where there are several sources: one is turned to before the view begins.
 */
int show_source_open(const struct show *show, struct show_source *source,
		     const struct trace_request *request);
int show_begin(struct show *show, const struct trace_request *request, enum format format);

/* The next sessions are of @source, which is open. */
void show_turn_to(struct show *show, struct show_source *source);
void show_source_close(struct show_source *source);

/* Show one session. 0; -errno (reported but for -EPIPE). */
int show_session(struct show *show, const struct session *session);

/* Print the end of the output, after a run without an error. */
void show_end(struct show *show, const struct run_result *result);
void show_close(struct show *show);

#endif
