/* SPDX-License-Identifier: BSD-2-Clause */
/* The tools that sessions are explained with. */
#ifndef RETSNOOP_TRACE_EXPLAIN_EXPLAIN_CONTEXT_H
#define RETSNOOP_TRACE_EXPLAIN_EXPLAIN_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

struct attached;
struct decider;
struct plan;
struct symbolizer;
struct symbols;

/* All borrowed. */
struct explain_context {
	const struct plan *plan;
	const struct attached *attached;	/* how the plan was attached */
	struct symbolizer *symbolizer;
	const struct symbols *symbols;	/* for trimming branches; NULL: by functions only */
	struct decider *decider;	/* why a call failed, from its branches; NULL: not decided */
	uint64_t branch_types;		/* asked for: PERF_SAMPLE_BRANCH_x; 0 not known */
	bool branches_full;		/* branches that trimming leaves out, too */
	uint32_t branches_max;		/* newest branches shown; 0 all */
};

#endif
