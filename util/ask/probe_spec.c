// SPDX-License-Identifier: BSD-2-Clause
/* Parsing of points, from the command line and from files. */
#include "util/ask/probe_spec.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/ask/spec.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/text/nearest.h"
#include "util/base/text/scan.h"

/* What each kind looks like, for messages. */
static const struct {
	const char *name, *form;
} kinds[NR_PROBE_KINDS] = {
	[PROBE_KPROBE] = { "kprobe", "kprobe:FUNC[+OFF]" },
	[PROBE_KRETPROBE] = { "kretprobe", "kretprobe:FUNC" },
	[PROBE_TP] = { "tp", "tp:CATEGORY:NAME" },
	[PROBE_RAWTP] = { "rawtp", "rawtp:NAME" },
	[PROBE_LINE] = { "line", "line:FILE:LINE" },
};

/* What other programs call them. */
static const struct {
	const char *name;
	enum probe_kind kind;
} other_names[] = {
	{ "tracepoint", PROBE_TP },	   { "raw_tp", PROBE_RAWTP },
	{ "raw_tracepoint", PROBE_RAWTP }, { "rawtracepoint", PROBE_RAWTP },
	{ "fentry", PROBE_KPROBE },	   { "fexit", PROBE_KRETPROBE },
	{ "kfunc", PROBE_KPROBE },	   { "kretfunc", PROBE_KRETPROBE },
	{ "source", PROBE_LINE },	   { "src", PROBE_LINE },
};

const char *probe_kind_name(enum probe_kind kind)
{
	return kinds[kind].name;
}

static int report_column(const struct probe_spec *spec, const char *at, const char *what)
{
	return report(-EINVAL, "probe: %s at column %d of '%s'; write %s", what,
		      scan_column(spec->text, at), spec->text, kinds[spec->kind].form);
}

static int report_kind(const struct probe_spec *spec, const char *name)
{
	struct nearest near = nearest_start(name);

	for (size_t i = 0; i < ARRAY_SIZE(other_names); i++) {
		if (!strcmp(name, other_names[i].name))
			return report(-EINVAL,
				      "probe: unknown kind '%s' at column 1 of '%s'; "
				      "write %s",
				      name, spec->text, kinds[other_names[i].kind].form);
	}
	for (size_t i = 0; i < NR_PROBE_KINDS; i++)
		nearest_offer(&near, kinds[i].name);
	/* As trace-cmd and perf write tracepoints. */
	if (!near.name && !strchr(spec->text + strlen(name) + 1, ':'))
		return report(-EINVAL,
			      "probe: unknown kind '%s' at column 1 of '%s'; write tp:%s for a "
			      "tracepoint, kprobe:FUNC[+OFF], kretprobe:FUNC, rawtp:NAME or "
			      "line:FILE:LINE", name, spec->text, spec->text);
	return nearest_report(&near,
			      "there are kprobe:FUNC[+OFF], kretprobe:FUNC, tp:CATEGORY:NAME, "
			      "rawtp:NAME and line:FILE:LINE",
			      "probe: unknown kind '%s' at column 1 of '%s'", name, spec->text);
}

static int parse_kind(struct probe_spec *spec, const char **ret_rest)
{
	const char *colon = strchr(spec->text, ':');
	char *name;
	int err;

	if (!colon)
		return report(-EINVAL,
			      "probe: '%s' does not say what kind of point it is; write kprobe:%s, "
			      "kretprobe:, tp:, rawtp: or line:",
			      spec->text, spec->text);
	name = strndup(spec->text, colon - spec->text);
	if (!name)
		return report_oom();
	for (size_t i = 0; i < NR_PROBE_KINDS; i++) {
		if (!strcmp(name, kinds[i].name)) {
			spec->kind = i;
			*ret_rest = colon + 1;
			free(name);
			return 0;
		}
	}
	err = report_kind(spec, name);
	free(name);
	return err;
}

/* Copy @from..@end, which has to be a name: something, without blanks. */
static int take_name(const struct probe_spec *spec, const char *from, const char *end,
		     const char *what, char **ret)
{
	char message[64];

	if (from == end) {
		snprintf(message, sizeof(message), "%s is missing", what);
		return report_column(spec, from, message);
	}
	for (const char *c = from; c < end; c++) {
		if (strchr(SCAN_BLANKS, *c))
			return report_column(spec, c, "a blank");
		if (*c == ':')
			return report_column(spec, c, "one ':' too many");
	}
	*ret = strndup(from, end - from);
	return *ret ? 0 : report_oom();
}

/* ` [MODULE]` at the end; *end is moved before it. */
static int take_module(struct probe_spec *spec, const char *from, const char **end)
{
	const char *open = memchr(from, '[', *end - from), *close;
	int err;

	if (!open)
		return 0;
	close = *end - 1;
	if (*close != ']')
		return report_column(spec, open, "a module without its ']'");
	err = take_name(spec, open + 1, close, "the module", &spec->module);
	if (err)
		return err;
	for (*end = open; *end > from && strchr(SCAN_BLANKS, (*end)[-1]);)
		(*end)--;
	return 0;
}

/* "5" or "0x5", and nothing after it. */
static int take_number(const struct probe_spec *spec, const char *from, const char *end,
		       const char *what, uint64_t max, uint64_t *ret)
{
	bool hex = end - from > 2 && from[0] == '0' && (from[1] | 0x20) == 'x';
	char message[64];
	uint64_t n;
	char *stop;

	snprintf(message, sizeof(message), "%s is no number", what);
	if (from == end || !isxdigit((unsigned char)from[hex ? 2 : 0]))
		return report_column(spec, from, message);
	errno = 0;
	n = strtoull(from, &stop, hex ? 16 : 10);
	if (stop != end) {
		if (!hex && isxdigit((unsigned char)*stop))
			return report_column(spec, stop, "a hexadecimal number without its 0x");
		return report_column(spec, stop, message);
	}
	if (errno || n > max)
		return report_column(spec, from, "a number too large");
	*ret = n;
	return 0;
}

static int parse_function(struct probe_spec *spec, const char *rest)
{
	const char *end = rest + strlen(rest), *plus;
	int err = take_module(spec, rest, &end);

	if (err)
		return err;
	plus = memchr(rest, '+', end - rest);
	err = take_name(spec, rest, plus ?: end, "the function", &spec->name);
	if (err || !plus)
		return err;
	if (spec->kind == PROBE_KRETPROBE)
		return report_column(spec, plus, "a return has no offset");
	return take_number(spec, plus + 1, end, "the offset", INT32_MAX, &spec->offset);
}

static int parse_tracepoint(struct probe_spec *spec, const char *rest)
{
	const char *end = rest + strlen(rest), *colon = strpbrk(rest, ":/");
	int err;

	if (!colon)
		return report(-EINVAL,
			      "probe: the name is missing at column %d of '%s'; write "
			      "tp:CATEGORY:NAME, tp:%s:* for a whole category, or tp:*:%s for a name "
			      "in any",
			      scan_column(spec->text, end), spec->text, *rest ? rest : "CATEGORY",
			      *rest ? rest : "NAME");
	err = take_name(spec, rest, colon, "the category", &spec->category);
	return err ?: take_name(spec, colon + 1, end, "the name", &spec->name);
}

static int parse_line(struct probe_spec *spec, const char *rest)
{
	const char *end = rest + strlen(rest), *colon = strrchr(rest, ':');
	uint64_t line;
	int err;

	if (!colon)
		return report_column(spec, end, "the line is missing");
	/* A tree's root means nothing to DWARF; people paste such paths all the same. */
	while (startswith(rest, "./"))
		rest += 2;
	err = take_name(spec, rest, colon, "the file", &spec->name) ?:
	      take_number(spec, colon + 1, end, "the line", UINT32_MAX, &line);
	if (err)
		return err;
	if (!line)
		return report_column(spec, colon + 1, "line numbers begin at 1, not 0,");
	spec->line = line;
	return 0;
}

static int parse_point(struct probe_spec *spec)
{
	const char *rest = NULL;
	int err = parse_kind(spec, &rest);

	if (err)
		return err;
	switch (spec->kind) {
	case PROBE_KPROBE:
	case PROBE_KRETPROBE:
		return parse_function(spec, rest);
	case PROBE_TP:
		return parse_tracepoint(spec, rest);
	case PROBE_RAWTP:
		return take_name(spec, rest, rest + strlen(rest), "the name", &spec->name);
	default:
		return parse_line(spec, rest);
	}
}

static void spec_release(struct probe_spec *spec)
{
	free(spec->text);
	free(spec->name);
	free(spec->category);
	free(spec->module);
}

/* A spec_line_fn. */
static int add_one(void *arg, const char *text, const char *end)
{
	struct probe_spec_list *list = arg;
	struct probe_spec spec = { .text = strndup(text, end - text) };
	int err;

	if (!spec.text)
		return report_oom();
	err = *spec.text ? parse_point(&spec) :
			   report(-EINVAL, "probe: an empty point; write one such as kprobe:FUNC");
	if (!err && vec_push(&list->v, spec))
		err = report_oom();
	if (err)
		spec_release(&spec);
	return err;
}

int probe_spec_list_add(struct probe_spec_list *list, const char *text)
{
	const char *end;

	list->given = true;
	text += strspn(text, SCAN_BLANKS);
	for (end = text + strlen(text); end > text && strchr(SCAN_BLANKS, end[-1]);)
		end--;
	if (*text == '@') {
		size_t before = list->v.len;
		int err = spec_read_lines(text + 1, "points", add_one, list);

		if (!err && list->v.len == before)
			warning("the list of points %s has none",
				strcmp(text, "@-") ? text + 1 : "on standard input");
		return err;
	}
	return add_one(list, text, end);
}

void probe_spec_list_release(struct probe_spec_list *list)
{
	vec_foreach(spec, &list->v)
		spec_release(spec);
	vec_release(&list->v);
}
