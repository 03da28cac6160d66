// SPDX-License-Identifier: BSD-2-Clause
/* Parsing of function specs, from the command line and from files. */
#include "util/ask/spec.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/no_line.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/text/glob.h"
#include "util/base/text/scan.h"
#include "util/kernel/symbols/syscall_name.h"
#include "util/kernel/types/symbol_variant.h"

static void spec_release(struct spec *spec)
{
	free(spec->text);
	free(spec->name);
	free(spec->module);
}

/* Split `name` or `name [module]`, without surrounding blanks. */
static int split_module(struct spec *spec)
{
	const char *text = spec->text, *end = text + strlen(text);
	const char *open = strchr(text, '['), *close;

	if (!open) {
		spec->name = strdup(text);
		return spec->name ? 0 : report_oom();
	}
	close = strchr(open, ']');
	if (!close || close + 1 != end || open == text)
		return report(-EINVAL, "function '%s': a module is written 'NAME [MODULE]'", text);
	spec->name = scan_trimmed(text, open);
	spec->module = scan_trimmed(open + 1, close);
	if (!spec->name || !spec->module)
		return report_oom();
	if (!*spec->module)
		return report(-EINVAL, "function '%s': the module's name is empty", text);
	return 0;
}

static int parse_syscall(struct spec *spec)
{
	spec->kind = SPEC_SYSCALL;
	spec->name = strdup(spec->text + strlen(SPEC_SYSCALL_PREFIX));
	if (!spec->name)
		return report_oom();
	for (const char *s = spec->name; *s; s++) {
		if (!isalnum((unsigned char)*s) && !strchr("_*?", *s))
			return report(-EINVAL, "'%s' is not the name of a system call", spec->name);
	}
	return *spec->name ? 0 : report(-EINVAL, "the name of a system call is missing, for example "
						 SPEC_SYSCALL_PREFIX "mount");
}

static int parse_kind(struct spec *spec)
{
	if (*spec->text == ':') {
		const char *path = spec->text + 1;

		/* DWARF's paths have no "./"; pasted paths often do. */
		while (startswith(path, "./"))
			path += 2;
		if (!*path)
			return report(-EINVAL, "function ':': a source path must follow, "
				      "such as ':kernel/bpf/*.c'");
		spec->kind = SPEC_SOURCE;
		spec->name = strdup(path);
		return spec->name ? 0 : report_oom();
	}
	if (startswith(spec->text, SPEC_SYSCALL_PREFIX))
		return parse_syscall(spec);
	spec->kind = SPEC_NAME;
	return split_module(spec);
}

static int add_one(void *arg, const char *text, const char *end)
{
	struct spec_list *list = arg;
	struct spec spec = { 0 };
	int err;

	spec.text = scan_trimmed(text, end);
	if (!spec.text)
		return report_oom();
	if (!*spec.text)
		err = report(-EINVAL, "an empty function name; write '*' for all functions");
	else
		err = parse_kind(&spec);
	/* A name has no blanks: two names on one line are an error. */
	if (!err && spec.kind == SPEC_NAME && strpbrk(spec.name, SCAN_BLANKS))
		err = report(-EINVAL, "function '%s': a name has no blanks; give each function an "
			     "option or a line of its own", spec.text);
	if (!err && vec_push(&list->v, spec))
		err = report_oom();
	if (err)
		spec_release(&spec);
	return err;
}

/* Where a `#` comment begins: at the start of a line or after a blank. */
static const char *find_comment(const char *line)
{
	const char *hash = line;

	while ((hash = strchr(hash, '#'))) {
		if (hash == line || strchr(SCAN_BLANKS, hash[-1]))
			return hash;
		hash++;
	}
	return line + strlen(line);
}

static int read_stream(FILE *stream, const char *name, const char *what, spec_line_fn fn, void *arg)
{
	_cleanup_(free_p) char *line = NULL;
	size_t cap = 0;
	int err;

	for (unsigned long number = 1; getline(&line, &cap, stream) >= 0; number++) {
		const char *text = line;
		size_t len = scan_trim(&text, find_comment(line));

		if (!len)
			continue;
		if (*text == '@')
			return report(-EINVAL, "%s:%lu: a list of %s cannot name another", name,
				      number, what);
		err = fn(arg, text, text + len);
		if (err)
			return err == -EINVAL ? report(err, "(from %s, line %lu)", name, number) :
						err;
	}
	err = no_line_error(stream);
	return err ? report(err, "cannot read %s: %s", name, strerror(-err)) : 0;
}

int spec_read_lines(const char *path, const char *what, spec_line_fn fn, void *arg)
{
	_cleanup_(fclose_p) FILE *stream = NULL;

	if (!*path)
		return report(-EINVAL, "'@': a file's name must follow, or '-' for standard input");
	if (!strcmp(path, "-"))
		return read_stream(stdin, "standard input", what, fn, arg);
	stream = fopen(path, "re");
	if (!stream)
		return report(-errno, "cannot read the list of %s %s: %s", what, path,
			      strerror(errno));
	return read_stream(stream, path, what, fn, arg);
}

/* "a,b": neither names of functions nor paths in the kernel's tree have commas. */
static int add_parts(struct spec_list *list, const char *text, const char *end)
{
	const char *comma;
	int err = 0;

	while (!err && (comma = memchr(text, ',', end - text))) {
		err = add_one(list, text, comma);
		text = comma + 1;
	}
	return err ?: add_one(list, text, end);
}

int spec_list_add(struct spec_list *list, const char *text)
{
	const char *end = text + strlen(text);

	list->given = true;
	scan_trim(&text, end);
	if (*text == '@')
		return spec_read_lines(text + 1, "functions", add_one, list);
	return add_parts(list, text, end);
}

int spec_list_add_before(struct spec_list *list, const char *option, const char *text,
			 const char *colon)
{
	_cleanup_(free_p) char *glob = scan_trimmed(text, colon);

	if (!glob)
		return report_oom();
	if (!*glob)
		return report(-EINVAL, "%s: no function before ':' in '%s'", option, text);
	if (*glob == '@')
		return report(-EINVAL, "%s takes one GLOB and no list of them: '%s'", option, glob);
	return spec_list_add(list, glob);
}

int spec_list_add_syscalls(struct spec_list *list, const char *names)
{
	_cleanup_(free_p) char *copy = strdup(names);
	char *rest = copy, *name;
	int err = copy ? 0 : report_oom();

	while (!err && (name = strsep(&rest, ","))) {
		_cleanup_(free_p) char *text = strf(SPEC_SYSCALL_PREFIX "%s", name);

		err = text ? spec_list_add(list, text) : report_oom();
	}
	return err;
}

void spec_list_release(struct spec_list *list)
{
	vec_foreach(spec, &list->v)
		spec_release(spec);
	vec_release(&list->v);
}

bool spec_matches_module(const struct spec *spec, const char *module)
{
	return !spec->module || glob_matches(spec->module, module ? module : "vmlinux");
}

/* Link-time optimisation may have renamed it. */
static bool glob_matches_function(const char *glob, const char *name)
{
	char known[SYMBOL_NAME_SIZE];

	return glob_matches(glob, name) || (symbol_known_name(name, known) && glob_matches(glob, known));
}

bool spec_matches_name(const struct spec *spec, const char *name, const char *module)
{
	if (spec->kind == SPEC_SYSCALL)
		return !module && syscall_entry_matches(name, spec->name);
	return spec->kind == SPEC_NAME && spec_matches_module(spec, module) &&
	       glob_matches_function(spec->name, name);
}
