/* SPDX-License-Identifier: BSD-2-Clause */
/* The way of every tracing command, from its command line to its exit status. */
#ifndef RETSNOOP_BUILTIN_TRACING_H
#define RETSNOOP_BUILTIN_TRACING_H

#include "builtin/suite/command.h"
#include "util/ask/request.h"
#include "util/plan/attached.h"

struct kernel;
struct run_result;

/* The options of tracing commands; their target is the request. */
#define TRACING_OPTIONS                                                                            \
	&function_options, &mode_options, &branch_options, &args_options, &filter_options,         \
		&error_options, &run_options, &attach_options, &symbol_options, &general_options

extern const struct option_group *const tracing_options[];

/* The group of options that -h of these commands prints: which functions to trace. */
extern const struct option_group *const tracing_own_groups[];

/* Formats of sessions and summaries; csv only with --summary (parse_request()). */
#define TRACING_FORMATS                                                                            \
	(FORMAT_TEXT | FORMAT_JSON | FORMAT_FOLDED | FORMAT_FOLDED_ERRNO |                         \
	 FORMAT_FOLDED_LATENCY | FORMAT_CHROME | FORMAT_HTML |                                     \
	 FORMAT_CSV | FORMAT_PPROF)

#define TRACING_USAGE "-e GLOB [-a GLOB] [-d GLOB] [options] [-- COMMAND [ARG...]]"

/**
 * Run a tracing command from its command line to its exit status.
 *
 * @modes	MODE_x that the command shows; options add to them. 0: only the modes that options ask
 *		for, or the stack
 */
int tracing_run(const struct command *command, int argc, char **argv, unsigned int modes);

/* The state of a tracing command, after parsing and planning. */
struct tracing {
	int argc;		/* of the command line */
	char **argv;
	struct trace_request request;
	struct command_args args;
	struct kernel *kernel;
	const struct plan *plan;
	struct attached attached;	/* what became of the plan; filled in by the run */
};

/* What differs between tracing commands. */
struct tracing_way {
	unsigned int modes;	/* as for tracing_run() */
	/* The target of the command's own options, and the argument of the functions below. */
	void *own;
	/* The traced modes that are shown; NULL: all of them. */
	unsigned int (*shown)(const struct trace_request *request);
	/* Check the request, before the kernel is examined: 0; -EINVAL (reported). May be NULL. */
	int (*check)(struct tracing *tracing, void *own);
	/* Trace. Returns an exit status. */
	int (*run)(struct tracing *tracing, void *own);
};

int tracing_run_as(const struct command *command, int argc, char **argv,
		   const struct tracing_way *way);

/* Whether it could be run now: what is wrong is reported. 0, or an exit status. */
int tracing_try_as(const struct command *command, int argc, char **argv,
		   const struct tracing_way *way);

/* The command line, quoted for a shell. The caller frees it; NULL: out of memory. */
char *tracing_command_line(const struct tracing *tracing);

/* Print the loss report of a run without errors to stderr. */
void tracing_say_end(const struct run_result *result);

/* The exit status of a run without errors. */
int tracing_status(const struct trace_request *request, const struct run_result *result);

#endif
