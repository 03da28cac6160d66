// SPDX-License-Identifier: BSD-2-Clause
/* Options about arguments, shared by the tracing commands. */
#include "builtin/builtin.h"

#include <errno.h>

#include "util/base/report.h"
#include "util/trace/ask/request.h"

enum {
	OPT_ARGS = OPTION_LONG + 0x40,
	OPT_WHERE,
};

static const struct argp_option args_rows[] = {
	{ "capture-args", 'A', NULL, 0, "Arguments of traced calls, by name and type" },
	{ "no-capture-args", OPTION_NO('A'), NULL, OPTION_HIDDEN, NULL },
	{ "args", OPT_ARGS, "SELECTION", 0,
	  "'GLOB: a, b->c.d, *e': of functions that GLOB selects, just these arguments and what they "
	  "lead to" },
	{ "where", OPT_WHERE, "CONDITION", 0,
	  "'GLOB: EXPR': only calls of entry functions with such arguments, and sessions in which a "
	  "call of other functions has them: attr->map_type == 2 && cmd == BPF_MAP_CREATE" },
	{ "inject-probe", 'J', "POINT", 0,
	  "A point inside sessions, shown in the trace with what can be seen there: kprobe:FUNC[+OFF], "
	  "kretprobe:FUNC, tp:CATEGORY:NAME, rawtp:NAME, line:FILE:LINE or @FILE; names may be globs" },
	{}
};

static int add_selection(struct trace_request *request, const char *text)
{
	struct args_selection selection;
	int err = args_selection_parse(text, &selection);

	if (err)
		return err;
	if (!vec_push(&request->args_selections, selection))
		return 0;
	args_selection_release(&selection);
	return report_oom();
}

static int add_where(struct trace_request *request, const char *text)
{
	struct where_rule rule;
	int err;

	if (request->wheres.len == WHERE_MAX)
		return report(-EINVAL, "--where: no more than %d conditions", WHERE_MAX);
	err = where_parse(text, &rule);
	if (err)
		return err;
	if (!vec_push(&request->wheres, rule))
		return 0;
	where_rule_release(&rule);
	return report_oom();
}

static int parse_args(int key, char *arg, void *target)
{
	struct trace_request *request = target;

	switch (key) {
	case 'A':
		request->modes |= MODE_ARGS;
		request->modes_asked |= MODE_ARGS;
		return 0;
	case OPTION_NO('A'):
		request->modes &= ~MODE_ARGS;
		request->modes_asked &= ~MODE_ARGS;
		return 0;
	case OPT_WHERE:
		return add_where(request, arg);
	case 'J':
		return probe_spec_list_add(&request->probes, arg);
	case OPT_ARGS:
		return add_selection(request, arg);
	}
	return -EINVAL;
}

const struct option_group args_options = {
	.title = "Arguments",
	.options = args_rows,
	.parse = parse_args,
};
