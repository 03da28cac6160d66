/* SPDX-License-Identifier: BSD-2-Clause */
/* What the commands that trace have in common: all but what each shows by itself. */
#ifndef RETSNOOP_BUILTIN_TRACING_H
#define RETSNOOP_BUILTIN_TRACING_H

#include "builtin/builtin.h"
#include "util/trace/ask/request.h"
#include "util/trace/plan/attached.h"

struct kernel;
struct run_result;

/* The options they take; command_parse() is given the request for each group. */
#define TRACING_OPTIONS                                                                            \
	&function_options, &mode_options, &branch_options, &args_options, &filter_options,         \
		&error_options, &run_options, &attach_options, &symbol_options, &general_options

extern const struct option_group *const tracing_options[];

/* Which functions to trace: what -h of these commands begins with. */
extern const struct option_group *const tracing_own_groups[];

/* How they can show sessions. */
#define TRACING_FORMATS                                                                            \
	(FORMAT_TEXT | FORMAT_JSON | FORMAT_FOLDED | FORMAT_FOLDED_ERRNO |                         \
	 FORMAT_FOLDED_LATENCY | FORMAT_CHROME | FORMAT_HTML |                                     \
	 FORMAT_CSV | FORMAT_PPROF)

#define TRACING_USAGE "-e GLOB [-a GLOB] [-d GLOB] [options] [-- COMMAND [ARG...]]"

/**
 * Run such a command from its command line to its exit status.
 *
 * @modes	MODE_x that it shows, to which options add; 0: what options ask for, or else the
 *		stack
 */
int tracing_run(const struct command *command, int argc, char **argv, unsigned int modes);

/* A tracing command that has parsed its command line, and made its plan. */
struct tracing {
	int argc;		/* of the command line */
	char **argv;
	struct trace_request request;
	struct command_args args;
	struct kernel *kernel;
	const struct plan *plan;
	struct attached attached;	/* of the plan, when it runs */
};

/* What is not the same for all of them. */
struct tracing_way {
	unsigned int modes;	/* as tracing_run() has it */
	/* The target of options that are the command's own, and the argument of what follows. */
	void *own;
	/* The modes shown of those that are traced; NULL: all of them. */
	unsigned int (*shown)(const struct trace_request *request);
	/* Look at the request, before the kernel is: 0; -EINVAL (reported). NULL: nothing to do. */
	int (*check)(struct tracing *tracing, void *own);
	/* Trace. An exit status. */
	int (*run)(struct tracing *tracing, void *own);
};

int tracing_run_as(const struct command *command, int argc, char **argv,
		   const struct tracing_way *way);

/* Whether it could be run now: what is wrong is reported. 0 with tracing_digest(), or an exit status. */
int tracing_try_as(const struct command *command, int argc, char **argv,
		   const struct tracing_way *way, uint64_t *ret_digest);

/* A number that differs if other functions are traced. */
uint64_t tracing_digest(const struct tracing *tracing);

/* As a shell would take it. The caller frees it; NULL when out of memory. */
char *tracing_command_line(const struct tracing *tracing);

/* What a run that went without an error missed, on stderr. */
void tracing_say_end(const struct run_result *result);

/* The exit status it gives. */
int tracing_status(const struct trace_request *request, const struct run_result *result);

#endif
