/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Views show sessions. Each form of output is one struct of functions; callers never test which
 * form it is.
 */
#ifndef RETSNOOP_VIEW_SESSION_VIEW_H
#define RETSNOOP_VIEW_SESSION_VIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "util/ask/request.h"
#include "util/base/strbuf.h"
#include "util/explain/explain.h"
#include "util/view/values/btf_value.h"

struct cgroup_names;
struct error_rule;
struct ledger;
struct recorded_kernel;
struct source_text;
struct summary;
struct wall_clock;

/* Which kind of failure is explained (`retsnoop why -i`), and the outcome. */
struct why_choice {
	uint32_t call; /* its number in the list; 0: the last that programs do not expect */
	bool known;		/* set at the end: its decision was found */
};

struct view {
	const struct view_context *context;
	struct strbuf text, scratch;	/* the next output, and a part of it */
	bool begun;			/* for tables, and lists in JSON: something was printed */
	/* All may be NULL. 0 or a negative errno; -EPIPE ends the run quietly. */
	int (*begin)(struct view *view);
	int (*session)(struct view *view, const struct explained *explained);
	int (*summary)(struct view *view, const struct summary *summary);
	/* @ledger NULL: the run was interrupted before it began. */
	int (*end)(struct view *view, const struct ledger *ledger);
	void (*free)(struct view *view);
	unsigned int needs; /* parts of a session to explain: MODE_STACK, MODE_BRANCHES */
};

/* The origin of sessions. All borrowed; NULL: not known. */
struct view_origin {
	const char *tool;		/* "retsnoop 0.1.0" */
	const char *command_line;
	const char *host;
	uint32_t number;		/* of the recording, among several; 0: only one */
	const char *release, *machine;	/* of the kernel */
	int64_t start_ns;		/* time of day, since the epoch */
	const struct recorded_kernel *kernel;	/* build ids */
};

/*
 * The data that views need; it and all that it refers to outlive the view. Members about the
 * kernel may change between two sessions: each of several recordings has its own.
 */
struct view_context {
	FILE *out;			/* only data is written here */
	struct explain_context explain;	/* with the plan and the settings */
	const struct error_rule *error_rules;	/* of the request; NULL: none */
	unsigned int modes; /* MODE_x (util/ask/request.h): parts of a session to show */
	bool several;			/* sessions come from several recordings */
	bool list;			/* traces and stacks are not shown */
	struct why_choice *why;		/* explain one failure; NULL: show all sessions */
	struct value_format args;	/* how captured arguments are shown */
	struct source_text *source;	/* lines to show with the decision; NULL none */
	int width;			/* columns of the terminal (terminal_width()); 0 no limit */
	struct cgroup_names *cgroups;	/* paths; NULL: ids only */
	const struct wall_clock *clock;	/* times of day; may get changes. NULL: monotonic ones */
	const struct view_origin *origin;	/* NULL: not known */
	bool histograms;		/* show histograms in a summary */
	bool no_hints;			/* name no options that would tell more */
	bool color;			/* use colours in text (util/base/style.h) */
	bool verbose;			/* -v: addresses, frames left out by default */
};

/*
 * Sessions as text: trace, branches and stack, one below the other. Interim sessions have no
 * trace. NULL: out of memory.
 */
struct view *view_text_new(const struct view_context *context);

/* The same as JSON: one object per line. */
struct view *view_json_new(const struct view_context *context);

/* Traces for Perfetto, speedscope and chrome://tracing: MODE_TRACE's. Folded stacks: folded.h. */
struct view *view_chrome_new(const struct view_context *context);

/* All sessions on one page, for a browser. */
struct view *view_html_new(const struct view_context *context);

/*
 * For views: allocate a view of @size bytes, which begins with struct view; all is 0 except
 * context and free(). NULL: out of memory. A view that owns more than view_free() releases has
 * its own free(), which ends with view_free().
 */
void *view_new(size_t size, const struct view_context *context);
void view_free(struct view *view);

/* Explain a session, and show it. 0; -errno (reported, except -EPIPE). */
int view_session(struct view *view, struct explainer *explainer, const struct session *session);

/* For views: the parts of a session that are shown (MODE_x). */
unsigned int view_modes(const struct view_context *context, const struct session *session);

/* Counts instead of sessions (--summary): tables and histograms; one JSON object per line; CSV. */
struct view *view_summary_new(const struct view_context *context);
struct view *view_summary_json_new(const struct view_context *context);
struct view *view_summary_csv_new(const struct view_context *context);

#endif
