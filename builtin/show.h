/* SPDX-License-Identifier: BSD-2-Clause */
/* Shows sessions in the view that a request asks for: for live traces and for recordings. */
#ifndef RETSNOOP_BUILTIN_SHOW_H
#define RETSNOOP_BUILTIN_SHOW_H

#include "builtin/suite/command.h"
#include "util/base/wall_clock.h"
#include "util/kernel/live_code.h"
#include "util/kernel/machine/cgroup_names.h"
#include "util/kernel/symbols/code_source.h"
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
 * Everything needed to show sessions of one kernel: the running one, or that of a recording. All is
 * borrowed except the members made by show_source_open().
 */
struct show_source {
	const struct plan *plan;
	const struct attached *attached;	/* how the plan was attached */
	struct symbolizer *symbolizer;
	const struct symbols *symbols;
	const struct error_rule *error_rules;
	const struct wall_clock *clock;
	struct cgroup_names *cgroups;
	struct code_source code;	/* to find the deciding branch, if there are branches */
	const char *release;		/* of the kernel, to find its source; NULL: do not search */
	struct view_origin origin;
	unsigned int modes;		/* MODE_x that its sessions can have */
	uint64_t branch_types;		/* asked for: PERF_SAMPLE_BRANCH_x; 0: those by default */
	struct value_symbols value_symbols;	/* this and all below: owned */
	struct explainer explainer;
	struct decider *decider;
	struct source_text *source;
};

struct show {
	struct run_output output;
	struct live_code live_code;
	struct wall_clock clock;
	struct cgroup_names cgroups;
	struct cgroup_watch *cgroup_watch;	/* NULL: none */
	struct recorded_kernel kernel;	/* the running one; read only if a view needs it */
	struct show_source live;	/* of the running kernel, or of the only recording */
	struct show_source *source;	/* of the sessions that are shown now */
	unsigned int modes;		/* MODE_x to show, as far as a session has them */
	struct view_context context;
	struct view *view;
};

/**
 * Set up from the request. The caller may change members before it opens the view.
 *
 * @plan	must outlive it, as all other arguments
 * @attached	must be filled in when the first session is shown
 */
void show_init(struct show *show, const struct plan *plan, const struct attached *attached,
	       const struct trace_request *request, struct symbolizer *symbolizer,
	       const struct symbols *symbols);

/**
 * The same with the running kernel's symbols and code.
 *
 * @hear_cgroups	watch cgroups, so that names of removed ones are known
 * @return		0; -errno (reported)
 */
int show_init_live(struct show *show, const struct plan *plan, const struct attached *attached,
		   struct kernel *kernel, const struct trace_request *request, bool hear_cgroups);

/* Whether the names of cgroups are shown, or cgroups are selected by patterns. */
bool show_has_cgroups(const struct trace_request *request, enum format format);

/* With -v: print the time, the host and the kernel. */
void show_say_machine(void);

/* The MODE_x that a format can show: some show only the trace. */
unsigned int show_modes(unsigned int modes, enum format format);

/* Open output and view, and begin the view. 0; -errno (reported). Close it either way. */
int show_open(struct show *show, const struct trace_request *request, enum format format);

/*
 * The same in steps, for several sources. Between them, call show_turn_to().
 */
int show_source_open(const struct show *show, struct show_source *source,
		     const struct trace_request *request);
int show_begin(struct show *show, const struct trace_request *request, enum format format);

/* Show the next sessions with @source, which must be open. */
void show_turn_to(struct show *show, struct show_source *source);
void show_source_close(struct show_source *source);

/* Show one session. 0; -errno (reported but for -EPIPE). */
int show_session(struct show *show, const struct session *session);

/* Print the end of the output, after a run without an error. */
void show_end(struct show *show, const struct run_result *result);
void show_close(struct show *show);

#endif
