// SPDX-License-Identifier: BSD-2-Clause
/* The parts of a path from an argument: stars, members, elements. */
#include "util/ask/arg_path.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/arg_items.h"
#include "util/base/report.h"

#define MAX_PARTS 32

static int scan_name(struct scan *s, const char *missing, char **ret_name, int *ret_column)
{
	size_t len = scan_name_length(s);

	if (!len)
		return scan_complain(s, s->at, missing);
	*ret_name = strndup(s->at, len);
	if (!*ret_name)
		return report_oom();
	*ret_column = scan_column(s->text, s->at);
	s->at += len;
	return 0;
}

static int scan_index(struct scan *s, struct arg_part *part)
{
	unsigned long n;
	char *end;

	scan_skip_blanks(s);
	part->column = scan_column(s->text, s->at);
	if (!isdigit((unsigned char)*s->at))
		return scan_complain(s, s->at, "'[' needs a number");
	errno = 0;
	n = strtoul(s->at, &end, 0);
	if (errno || n > UINT16_MAX)
		return scan_complain(s, s->at, "an index beyond 65535");
	if (scan_is_word(*end))
		return scan_complain(s, s->at, "not a number");
	s->at = end;
	part->index = n;
	if (!scan_take(s, "]"))
		return scan_complain(s, s->at, "']' is missing");
	return 0;
}

/* One more of "->name", ".name", "[1]". Its kind is left alone when there is none. */
static int scan_part(struct scan *s, struct arg_part *part, bool *ret_found)
{
	*ret_found = true;
	if (scan_take(s, "->")) {
		part->kind = ARG_PART_ARROW;
		return scan_name(s, "the name of a member is missing", &part->name, &part->column);
	}
	if (scan_take(s, ".")) {
		part->kind = ARG_PART_DOT;
		return scan_name(s, "the name of a member is missing", &part->name, &part->column);
	}
	if (scan_take(s, "[")) {
		part->kind = ARG_PART_INDEX;
		return scan_index(s, part);
	}
	*ret_found = false;
	return 0;
}

void arg_path_release(struct arg_path *path)
{
	vec_foreach(part, &path->parts)
		free(part->name);
	vec_release(&path->parts);
	free(path->text);
	free(path->name);
}

int arg_path_scan(struct scan *s, struct arg_path *path)
{
	const char *start;
	int err;

	scan_skip_blanks(s);
	start = s->at;
	while (scan_take(s, "*")) {
		if (++path->stars > ARGS_MAX_STEPS)
			return scan_complain(s, s->at, "too many pointers to follow");
	}
	err = scan_name(s, "the name of an argument is missing", &path->name, &path->column);
	while (!err) {
		struct arg_part part = {};
		bool found;

		err = scan_part(s, &part, &found);
		if (err || !found) {
			free(part.name);
			break;
		}
		if (path->parts.len == MAX_PARTS) {
			free(part.name);
			return scan_complain(s, s->at, "too long a way");
		}
		if (vec_push(&path->parts, part)) {
			free(part.name);
			return report_oom();
		}
	}
	if (err)
		return err;
	path->text = scan_trimmed(start, s->at);
	return path->text ? 0 : report_oom();
}
