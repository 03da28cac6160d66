// SPDX-License-Identifier: BSD-2-Clause
/* Which arguments, and what they lead to: --args. */
#include "util/ask/args_selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/arg_items.h"
#include "util/base/report.h"

#define OPTION "--args"

static int scan_paths(struct scan *s, struct args_selection *selection)
{
	do {
		struct arg_path path = {};
		int err = arg_path_scan(s, &path);

		if (!err && selection->paths.len == ARGS_MAX_ITEMS)
			err = report(-EINVAL, "--args: no more than %d of a function at column %d "
				     "of '%s'", ARGS_MAX_ITEMS, path.column, s->text);
		if (!err && vec_push(&selection->paths, path))
			err = report_oom();
		if (err) {
			arg_path_release(&path);
			return err;
		}
	} while (scan_take(s, ","));
	return *s->at ? scan_complain(s, s->at, "unexpected text") : 0;
}

/* The colon after the glob: the last one, which does not begin a source path. */
static const char *find_colon(const char *text)
{
	const char *colon = strrchr(text, ':');

	return colon && colon > text + strspn(text, " \t") ? colon : NULL;
}

int args_selection_parse(const char *text, struct args_selection *ret_selection)
{
	const char *colon = find_colon(text);
	struct args_selection selection = {};
	struct scan s = scan_start(OPTION, text);
	int err;

	if (!colon)
		return report(-EINVAL, "--args: '%s' is not of the form 'GLOB: a, b->c, *d'", text);
	s.at = colon + 1;
	selection.text = strdup(text);
	err = selection.text ? scan_paths(&s, &selection) : report_oom();
	err = err ?: spec_list_add_before(&selection.funcs, OPTION, text, colon);
	if (err)
		args_selection_release(&selection);
	else
		*ret_selection = selection;
	return err;
}

void args_selection_release(struct args_selection *selection)
{
	vec_foreach(path, &selection->paths)
		arg_path_release(path);
	vec_release(&selection->paths);
	spec_list_release(&selection->funcs);
	free(selection->text);
	selection->text = NULL;
}
