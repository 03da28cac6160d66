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

#include "util/trace/ask/request.h"
#include "util/trace/explain/explain.h"
#include "util/view/values/btf_value.h"

struct cgroup_names;
struct error_rule;
struct ledger;
struct recorded_kernel;
struct source_text;
struct summary;
struct wall_clock;

/* Which of the failures that are alike is explained (`retsnoop why -i`), and what came of it. */
struct why_choice {
	uint32_t call;		/* its number in the list; 0: the last that programs do not expect */
	bool known;		/* set at the end: what decided it is named */
};

struct view {
	/* All may be NULL. 0 or a negative errno; -EPIPE ends the run quietly. */
	int (*begin)(struct view *view);
	int (*session)(struct view *view, const struct explained *explained);
	int (*summary)(struct view *view, const struct summary *summary);
	/* @ledger NULL: the run was interrupted before it began. */
	int (*end)(struct view *view, const struct ledger *ledger);
	void (*free)(struct view *view);
	unsigned int needs;	/* what is to be explained of a session: MODE_STACK, MODE_BRANCHES */
};

/* Where sessions are from. All borrowed; what is not known is NULL. */
struct view_origin {
	const char *tool;		/* "retsnoop 0.1.0" */
	const char *command_line;
	const char *host;
	uint32_t number;		/* of the recording, among several; 0: there is one */
	const char *release, *machine;	/* of the kernel */
	int64_t start_ns;		/* time of day, since the epoch */
	const struct recorded_kernel *kernel;	/* build ids */
};

/*
 * What views need to know; it and all that it refers to outlive the view. Between two sessions what
 * belongs to one kernel may change: of several recordings each session has its own.
 */
struct view_context {
	FILE *out;			/* data goes here and nothing else does */
	struct explain_context explain;	/* what the sessions are explained with; has the plan */
	const struct error_rule *error_rules;	/* of the request; NULL when there are none */
	unsigned int modes;		/* MODE_x (util/trace/ask/request.h): what to show of a session */
	bool several;			/* sessions are of several recordings */
	bool list;			/* only what is known without traces and stacks */
	struct why_choice *why;		/* explain one failure; NULL: show all sessions */
	struct value_format args;	/* how arguments are shown, where they were captured */
	struct source_text *source;	/* lines to show with the decision; NULL none */
	int width;			/* columns of the terminal (terminal_width()); 0 no limit */
	uint32_t max_depth;		/* levels of nested calls kept; 0 EVENT_MAX_DEPTH */
	unsigned int show;		/* SHOW_x: what else to say of a session */
	enum durations durations;	/* their unit */
	struct cgroup_names *cgroups;	/* paths; NULL: ids only */
	const struct wall_clock *clock;	/* times of day; may get changes. NULL: monotonic ones */
	const struct view_origin *origin;	/* NULL: not known */
	bool histograms;		/* of the rows of a summary */
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

/* Explain a session, and show it. 0; -errno (reported but for -EPIPE). */
int view_session(struct view *view, struct explainer *explainer, const struct session *session);

/* For views: the parts of a session that are shown (MODE_x), and the depth limit in force. */
unsigned int view_modes(const struct view_context *context, const struct session *session);
uint32_t view_max_depth(const struct view_context *context);

/* Counts instead of sessions (--summary): tables and histograms; one JSON object per line; CSV. */
struct view *view_summary_new(const struct view_context *context);
struct view *view_summary_json_new(const struct view_context *context);
struct view *view_summary_csv_new(const struct view_context *context);

#endif
