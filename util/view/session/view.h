/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Views: how sessions are shown. One struct of functions a form of output; whoever runs them never
 * asks which it is.
 */
#ifndef RETSNOOP_VIEW_SESSION_VIEW_H
#define RETSNOOP_VIEW_SESSION_VIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct error_rule;
#include "util/view/values/btf_value.h"

struct decider;
struct ledger;
struct plan;
struct session;
struct source_text;
struct summary;
struct symbolizer;
struct symbols;
struct wall_clock;

struct view {
	/* All may be NULL. 0 or a negative errno; -EPIPE ends the run quietly. */
	int (*begin)(struct view *view);
	int (*session)(struct view *view, const struct session *session);
	int (*summary)(struct view *view, const struct summary *summary);
	/* @ledger NULL: the run was interrupted before it began. */
	int (*end)(struct view *view, const struct ledger *ledger);
	void (*free)(struct view *view);
};

/* What views need to know; all borrowed, all outlive the view. */
struct view_context {
	FILE *out;			/* data goes here and nothing else does */
	const struct plan *plan;
	const struct error_rule *error_rules;	/* of the request; NULL when there are none */
	struct symbolizer *symbolizer;
	const struct symbols *symbols;	/* that branches are trimmed by; NULL: known by functions only */
	unsigned int modes;		/* MODE_x (util/trace/ask/request.h): what to show of a session */
	struct value_format args;	/* how arguments are shown, where they were captured */
	struct decider *decider;	/* why a call failed, from its branches; NULL: not to be said */
	struct source_text *source;	/* lines to show with it; NULL none */
	uint64_t branch_types;		/* asked for: PERF_SAMPLE_BRANCH_x; 0 not known */
	bool branches_full;		/* branches that trimming leaves out, too */
	uint32_t branches_max;		/* newest branches shown; 0 all */
	int width;			/* columns of the terminal (terminal_width()); 0 no limit */
	uint32_t max_depth;		/* nested calls kept; 0 EVENT_MAX_DEPTH */
	const struct wall_clock *clock;	/* times of day; may get changes. NULL: monotonic ones */
	bool color;			/* text is to have colours (util/base/style.h) */
	bool verbose;			/* -v: addresses, frames left out by default */
	bool unfiltered;		/* keep the frames that tracing adds */
	bool emit_addrs;
	bool dec_offs;
};

/*
 * Sessions as text: the trace, the branches, the stack, or one below the other. Of an interim
 * session there is no trace to show. NULL when out of memory.
 */
struct view *view_text_new(const struct view_context *context);

/* The same as JSON: one object a line. */
struct view *view_json_new(const struct view_context *context);

/* Traces for Perfetto, speedscope and chrome://tracing: MODE_TRACE's. Folded stacks: folded.h. */
struct view *view_chrome_new(const struct view_context *context);

/* All of it on one page, for a browser. */
struct view *view_html_new(const struct view_context *context);

/*
 * For those who make views: what there is to show of a session, whether there are branches or a
 * reason why there are none, and the depth limit in force.
 */
unsigned int view_modes(const struct view_context *context, const struct session *session);
bool view_has_branches(const struct session *session);
uint32_t view_max_depth(const struct view_context *context);

/* Counts instead of sessions (--summary): tables and histograms; one JSON object a line. */
struct view *view_summary_new(const struct view_context *context);
struct view *view_summary_json_new(const struct view_context *context);

#endif
