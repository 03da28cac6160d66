/* SPDX-License-Identifier: BSD-2-Clause */
/* The tools that sessions are explained with. */
#ifndef RETSNOOP_EXPLAIN_EXPLAIN_CONTEXT_H
#define RETSNOOP_EXPLAIN_EXPLAIN_CONTEXT_H

#include <stdint.h>

struct attached;
struct code_source;
struct decider;
struct plan;
struct symbolizer;
struct symbols;
struct trace_request;

/* All borrowed. */
struct explain_context {
	const struct plan *plan;
	const struct trace_request *settings;	/* how sessions are shown */
	const struct attached *attached;	/* how the plan was attached */
	struct symbolizer *symbolizer;
	const struct symbols *symbols;	/* for trimming branches; NULL: by functions only */
	const struct code_source *code;	/* for trimming branches; NULL: none can be read */
	struct decider *decider;	/* why a call failed, from its branches; NULL: not decided */
	uint64_t branch_types;		/* asked for: PERF_SAMPLE_BRANCH_x; 0 not known */
};

#endif
