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

struct cgroup_watch;
struct kernel;
struct plan;
struct session;
struct source_text;
struct symbolizer;
struct symbols;
struct trace_request;

struct show {
	struct run_output output;
	struct value_symbols value_symbols;
	/* What telling why a call failed takes, where there are branches to tell it from. */
	struct kcore kcore;
	struct code_source code;
	struct wall_clock clock;
	struct cgroup_names cgroups;
	struct cgroup_watch *cgroup_watch;	/* NULL: none */
	const char *release;		/* whose source is looked for; NULL: nowhere */
	struct view_origin origin;
	struct recorded_kernel kernel;	/* the running one; only where a view needs it */
	struct explainer explainer;
	struct source_text *source;
	struct view_context context;
	struct view *view;
};

/**
 * What is shown, and how, as the request has it; of time of day what is so now. What is to be
 * otherwise is changed before it is opened.
 *
 * @plan	outlives it, as all others do
 */
void show_init(struct show *show, const struct plan *plan, const struct trace_request *request,
	       struct symbolizer *symbolizer, const struct symbols *symbols);

/**
 * The same with the running kernel's symbols and code.
 *
 * @hear_cgroups	have the names of cgroups that are gone by the time they are shown
 * @return		0; -errno (reported)
 */
int show_init_live(struct show *show, const struct plan *plan, struct kernel *kernel,
		   const struct trace_request *request, bool hear_cgroups);

/* Whether the names of cgroups are shown, or cgroups are selected by patterns. */
bool show_has_cgroups(const struct trace_request *request, enum format format);

/* With -v: when and where this runs. */
void show_say_machine(void);

/* What a format makes of MODE_x: some show nothing but the trace. */
unsigned int show_modes(unsigned int modes, enum format format);

/* Begin. 0; -errno (reported). Close either way. */
int show_open(struct show *show, const struct trace_request *request, enum format format);

/* Show one session. 0; -errno (reported but for -EPIPE). */
int show_session(struct show *show, const struct session *session);

/* What ends it, behind a run that went without an error. */
void show_end(struct show *show, const struct run_result *result);
void show_close(struct show *show);

#endif
