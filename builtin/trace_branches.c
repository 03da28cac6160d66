// SPDX-License-Identifier: BSD-2-Clause
/* Options about the CPU's branches, shared by the tracing commands. */
#include "builtin/builtin.h"

#include <errno.h>
#include <string.h>

#include "util/base/report.h"
#include "util/base/units.h"
#include "util/capture/branches/branch_types.h"
#include "util/trace/ask/request.h"

enum {
	OPT_BRANCHES = OPTION_LONG + 0x80,
	OPT_LBR_FULL,
	OPT_LBR_MAX_COUNT,
	OPT_SOURCE,
};

static const struct argp_option branch_rows[] = {
	{ "lbr", 'B', "SPEC", OPTION_ARG_OPTIONAL,
	  "The last branches that the CPU took before the result: any_return (unless SPEC says "
	  "otherwise), any, any_call, cond, call, ind_call, ind_jump, call_stack, abort_tx, in_tx, "
	  "no_tx, several with commas, or a mask as perf_event_open(2) has them" },
	{ "no-lbr", OPTION_NO('B'), NULL, OPTION_HIDDEN, NULL },
	/* Its name in earlier programs, and one that says what it is. */
	{ NULL, 'R', "SPEC", OPTION_ARG_OPTIONAL | OPTION_HIDDEN, NULL },
	{ "branches", OPT_BRANCHES, "SPEC", OPTION_ARG_OPTIONAL | OPTION_HIDDEN, NULL },
	{ "no-branches", OPTION_NO(OPT_BRANCHES), NULL, OPTION_HIDDEN, NULL },
	{ "lbr-full", OPT_LBR_FULL, NULL, 0,
	  "Show those, too, that tracing itself took, and blank ones" },
	{ "no-lbr-full", OPTION_NO(OPT_LBR_FULL), NULL, OPTION_HIDDEN, NULL },
	{ "lbr-max-count", OPT_LBR_MAX_COUNT, "N", 0,
	  "Show no more than N, those closest to the return; 0 all" },
	{ "source", OPT_SOURCE, "DIR", 0,
	  "Kernel source tree, to show the lines that led to a result; unless given, one that the "
	  "distribution installed" },
	{}
};

static int add_branches(struct trace_request *request, const char *spec)
{
	request->modes |= MODE_BRANCHES;
	request->modes_asked |= MODE_BRANCHES;
	return spec ? branch_types_parse(spec, &request->branch_types) : 0;
}

static int set_source(struct trace_request *request, const char *dir)
{
	char *copy = strdup(dir);

	if (!copy)
		return report_oom();
	free(request->source_dir);
	request->source_dir = copy;
	return 0;
}

static int set_max_count(struct trace_request *request, const char *arg)
{
	uint64_t n;

	if (parse_number(arg, 0, UINT32_MAX, &n))
		return report(-EINVAL, "--lbr-max-count: '%s' is not a number of branches", arg);
	request->branches_max = n;
	return 0;
}

static int parse_branches(int key, char *arg, void *target)
{
	struct trace_request *request = target;

	switch (key) {
	case 'B':
	case 'R':
	case OPT_BRANCHES:
		return add_branches(request, arg);
	case OPTION_NO('B'):
	case OPTION_NO(OPT_BRANCHES):
		request->modes &= ~MODE_BRANCHES;
		request->modes_asked &= ~MODE_BRANCHES;
		request->branch_types = 0;
		return 0;
	case OPT_LBR_FULL:
	case OPTION_NO(OPT_LBR_FULL):
		request->branches_full = key == OPT_LBR_FULL;
		return 0;
	case OPT_LBR_MAX_COUNT:
		return set_max_count(request, arg);
	case OPT_SOURCE:
		return set_source(request, arg);
	}
	return -EINVAL;
}

const struct option_group branch_options = {
	.title = "Branches",
	.options = branch_rows,
	.parse = parse_branches,
};
