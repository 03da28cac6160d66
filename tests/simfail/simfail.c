/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * simfail: makes system calls fail on purpose. A program for tests and examples; it is not installed.
 *
 * Each case makes one known call fail (or, for comparison, succeed). It knows the errno that user
 * space must see and the kernel function at fault, so a test can compare a tracer's answer with them.
 *
 * Cases are harmless: they change nothing on the machine, no mount or exec ever succeeds, and files
 * in a temporary directory are removed again.
 */
#define _GNU_SOURCE 1
#include <argp.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "simfail.h"
#include "util/base/macros.h"
#include "util/base/text/nearest.h"

#define DEFAULT_WIDTH 20

enum exit_status {
	EXIT_AS_EXPECTED = 0,
	EXIT_NOT_AS_EXPECTED = 1,
	EXIT_USAGE = 2,
	EXIT_CANNOT = 3,
};

enum verdict {
	VERDICT_OK,
	VERDICT_FAILED,
	VERDICT_SKIPPED,
};

struct options {
	bool verbose;
	bool list;
	bool all;
	unsigned long count;
	char **names;		/* in argv */
	int name_cnt;
};

/* In the order in which they are listed and run. */
static const struct simfail_case *const all_cases[] = {
	simfail_bpf_cases,
	simfail_healthy_cases,
	simfail_file_cases,
	simfail_process_cases,
	simfail_killed_cases,
	simfail_socket_cases,
	simfail_io_uring_cases,
	simfail_perf_key_cases,
	simfail_remap_cases,
	simfail_deep_cases,
	simfail_plain_file_cases,
	simfail_plain_old_call_cases,
	simfail_plain_mount_cases,
	simfail_plain_socket_cases,
	simfail_plain_process_cases,
	simfail_plain_memory_cases,
	simfail_plain_subsystem_cases,
};

/* NULL after the last. */
static const struct simfail_case *next_case(const struct simfail_case *c)
{
	const struct simfail_case *end;
	size_t i;

	c++;
	if (c->name)
		return c;
	for (i = 0; i < ARRAY_SIZE(all_cases); i++) {
		for (end = all_cases[i]; end->name; end++)
			;
		if (end == c)
			break;
	}
	/* A table is empty on machines that have none of its calls. */
	while (++i < ARRAY_SIZE(all_cases)) {
		if (all_cases[i]->name)
			return all_cases[i];
	}
	return NULL;
}

/* c is NULL at the end. */
#define for_each_case(c) for ((c) = all_cases[0]; (c); (c) = next_case(c))

const char *simfail_errno_name(int err)
{
	const char *name;

	if (err == SIMFAIL_VARIOUS)
		return "various";
	if (!err)
		return "0";
	name = strerrorname_np(err);
	return name ?: "?";
}

int simfail_skip(struct simfail_run *run, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(run->why_skipped, sizeof(run->why_skipped), fmt, args);
	va_end(args);
	return SIMFAIL_SKIP;
}

/* Whether the errno means that this case was never let near the function it is about. */
static bool is_refusal(const struct simfail_case *c, int err)
{
	if (err == c->expected)
		return false;
	if (err == ENOSYS)
		return true;
	return (c->needs & NEED_PRIVILEGE) && (err == EPERM || err == EACCES);
}

static enum verdict run_case(const struct simfail_case *c, const struct options *options)
{
	struct simfail_run run = {};
	unsigned long i;
	int err = 0;

	if (options->verbose)
		fprintf(stderr, "EXECUTING CASE [%s] '%s'...\n", c->group, c->name);

	for (i = 0; i < options->count; i++) {
		err = c->run(c, &run);
		if (err != c->expected)
			break;
	}

	if (err == SIMFAIL_SKIP) {
		fprintf(stderr, "simfail: %s: skipped: %s\n", c->name, run.why_skipped);
		return VERDICT_SKIPPED;
	}
	if (is_refusal(c, err)) {
		fprintf(stderr, "simfail: %s: skipped: refused with %s%s\n", c->name,
			simfail_errno_name(err),
			err == ENOSYS ? ", this kernel has no such call" :
			geteuid()     ? ", run it as root" :
					" even as root: lockdown, a security module or a container");
		return VERDICT_SKIPPED;
	}
	if (err != c->expected) {
		fprintf(stderr, "simfail: %s: expected %s, got %s", c->name,
			simfail_errno_name(c->expected), simfail_errno_name(err));
		if (i)
			fprintf(stderr, " (in repetition %lu)", i + 1);
		fputc('\n', stderr);
		return VERDICT_FAILED;
	}
	if (options->verbose)
		fprintf(stderr, "  %s as expected%s%s\n",
			err ? simfail_errno_name(err) : "success", strcmp(c->fault, "-") ? ", from " : "",
			strcmp(c->fault, "-") ? c->fault : "");
	return VERDICT_OK;
}

static void list_cases(void)
{
	const struct simfail_case *c;
	int name_width = DEFAULT_WIDTH, fault_width = DEFAULT_WIDTH, from_width = DEFAULT_WIDTH;

	for_each_case(c) {
		if ((int)strlen(c->name) > name_width)
			name_width = strlen(c->name);
		if ((int)strlen(c->fault) > fault_width)
			fault_width = strlen(c->fault);
		if (c->from && (int)strlen(c->from) > from_width)
			from_width = strlen(c->from);
	}
	for_each_case(c)
		printf("%-*s  %-12s  %-*s  %-*s  %s\n", name_width, c->name,
		       simfail_errno_name(c->expected), fault_width, c->fault, from_width,
		       c->from ?: "-", c->summary);
}

static bool is_glob(const char *name)
{
	return strpbrk(name, "*?[");
}

static bool selects(const char *name, const struct simfail_case *c)
{
	return is_glob(name) ? !fnmatch(name, c->name, 0) : !strcmp(name, c->name);
}

/* Every name selects something, or nothing is run at all. */
static int check_names(const struct options *options)
{
	const struct simfail_case *c;
	struct nearest near;
	int i;

	for (i = 0; i < options->name_cnt; i++) {
		for_each_case(c)
			if (selects(options->names[i], c))
				break;
		if (c)
			continue;
		near = nearest_start(options->names[i]);
		for_each_case(c)
			nearest_offer(&near, c->name);
		fprintf(stderr, "simfail: no case '%s'", options->names[i]);
		if (near.name)
			fprintf(stderr, ", the nearest is '%s'", near.name);
		fputs("; -l lists them\n", stderr);
		return -ENOENT;
	}
	return 0;
}

static int run_cases(const struct options *options)
{
	bool failed = false, skipped = false;
	const struct simfail_case *c;
	enum verdict verdict;
	int i;

	if (options->all) {
		for_each_case(c)
			failed |= run_case(c, options) == VERDICT_FAILED;
	}
	for (i = 0; i < options->name_cnt; i++) {
		for_each_case(c) {
			if (!selects(options->names[i], c))
				continue;
			verdict = run_case(c, options);
			failed |= verdict == VERDICT_FAILED;
			/* a case named exactly must run; a glob skips cases that cannot */
			skipped |= verdict == VERDICT_SKIPPED && !is_glob(options->names[i]);
		}
	}
	if (failed)
		return EXIT_NOT_AS_EXPECTED;
	return skipped ? EXIT_CANNOT : EXIT_AS_EXPECTED;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	char *end;

	switch (key) {
	case 'v':
		options->verbose = true;
		return 0;
	case 'a':
		options->all = true;
		return 0;
	case 'l':
		options->list = true;
		return 0;
	case 'n':
		errno = 0;
		options->count = strtoul(arg, &end, 10);
		if (errno || *end || end == arg || *arg == '-' || !options->count)
			argp_error(state, "'%s' is not a count of at least 1", arg);
		return 0;
	case ARGP_KEY_ARGS:
		options->names = state->argv + state->next;
		options->name_cnt = state->argc - state->next;
		return 0;
	case ARGP_KEY_END:
		if (!options->all && !options->list && !options->name_cnt)
			argp_error(state, "no case given; name some, or -a for all (-l lists them)");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option argp_options[] = {
	{ "all", 'a', NULL, 0, "Run all cases", 0 },
	{ "list", 'l', NULL, 0,
	  "List the cases: name, expected errno, function at fault, the differing result below it, "
	  "summary",
	  0 },
	{ "count", 'n', "COUNT", 0, "Run each case COUNT times", 0 },
	{ "verbose", 'v', NULL, 0, "Print each case and its result to stderr", 0 },
	{},
};

static const struct argp argp = {
	.options = argp_options,
	.parser = parse_option,
	.args_doc = "CASE...",
	.doc = "Makes system calls fail on purpose: something to trace, for examples and tests.\n"
	       "CASE is a name or a glob.\v"
	       "Exit status: 0 every case gave its expected errno; 1 one did not; 2 usage; 3 a case "
	       "asked for by name cannot run on this kernel or with these privileges.",
};

int main(int argc, char **argv)
{
	struct options options = { .count = 1 };

	argp_err_exit_status = EXIT_USAGE;
	if (argp_parse(&argp, argc, argv, 0, NULL, &options))
		return EXIT_USAGE;
	if (options.list) {
		list_cases();
		return EXIT_AS_EXPECTED;
	}
	if (check_names(&options))
		return EXIT_USAGE;
	return run_cases(&options);
}
