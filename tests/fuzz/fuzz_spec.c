// SPDX-License-Identifier: BSD-2-Clause
/*
 * What users write for functions, probes, arguments, results and times. An input is a byte that
 * picks the language, a text and, after a newline, a name that the text may match.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/ask/request.h"
#include "util/ask/settings.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/text/glob.h"
#include "util/base/text/moment.h"
#include "util/base/text/nearest.h"
#include "util/base/units.h"
#include "util/kernel/symbols/syscall_name.h"
#include "util/plan/plan.h"
#include "util/plan/predicates.h"

#define BEGIN 1767225600000000000 /* of a recording */

static void match(const struct spec_list *list, const char *name)
{
	vec_foreach(spec, &list->v) {
		if (spec->kind != SPEC_SOURCE)
			spec_matches_name(spec, name, NULL);
		spec_matches_module(spec, name);
	}
}

static void try_glob(const char *glob, const char *name)
{
	char *literal = glob_literal(glob);
	bool matches = glob_matches(glob, name);

	if (matches && literal && !strstr(name, literal))
		abort();
	if (!glob_matches("*", name) || (!is_glob(glob) && matches != !strcmp(glob, name)))
		abort();
	if (glob_match_path(glob, name) && !matches)
		abort();
	syscall_matches(name, glob);
	syscall_entry_matches(name, glob);
	syscall_of_entry(name);
	free(literal);
}

static void try_spec(const char *text, const char *name)
{
	struct spec_list list = {};

	/* A file of any name is not read. */
	if (!strchr(text, '@') && !spec_list_add(&list, text))
		match(&list, name);
	if (!spec_list_add_syscalls(&list, text))
		match(&list, name);
	spec_list_release(&list);
}

static void try_file(const char *text, const char *name)
{
	static struct fuzz_file file;
	struct probe_spec_list probes = {};
	struct spec_list list = {};
	char *lines = strdup(text), *path;

	/* There are no lines in a text that ends at a newline; and no files in files. */
	for (char *c = lines; *c; c++)
		*c = *c == '\r' ? '\n' : *c == '@' ? '.' : *c;
	fuzz_file_write(&file, lines, strlen(lines));
	path = strf("@%s", file.path);
	if (!spec_list_add(&list, path))
		match(&list, name);
	probe_spec_list_add(&probes, path);
	probe_spec_list_release(&probes);
	spec_list_release(&list);
	free(path);
	free(lines);
}

static void try_probe(const char *text, const char *name)
{
	struct probe_spec_list list = {};

	if (*text != '@')
		probe_spec_list_add(&list, text);
	probe_spec_list_release(&list);
}

static void try_args(const char *text, const char *name)
{
	struct args_selection selection = {};

	if (!args_selection_parse(text, &selection))
		match(&selection.funcs, name);
	args_selection_release(&selection);
}

static void try_where(const char *text, const char *name)
{
	struct where_rule rule = {};

	if (!where_parse(text, &rule))
		match(&rule.funcs, name);
	where_rule_release(&rule);
}

static void try_result(const char *text, const char *name)
{
	struct result_expr expr = {};
	struct error_rule rule = {};
	struct errno_set set = {};

	if (!result_expr_parse("--return", text, &expr))
		result_expr_release(&expr);
	if (!error_rule_parse(text, &rule)) {
		match(&rule.funcs, name);
		error_rule_release(&rule);
	}
	errno_set_add(&set, text);
}

static void try_time(const char *text, const char *name)
{
	struct moment moment;
	uint64_t number;
	bool on;

	if (!moment_parse(text, &moment))
		moment_resolve(&moment, BEGIN);
	parse_size(text, &number);
	parse_duration(text, NSEC_PER_MSEC, &number);
	parse_number(text, 0, UINT64_MAX, &number);
	parse_bool(text, &on);
}

/* Whether a value would have files read, or something printed. */
static bool is_harmless(const struct setting *setting, const char *value)
{
	static const char *const files[] = { "vmlinux", "source", "case", "config-help" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		if (setting->name && !strcmp(setting->name, files[i]))
			return false;
	}
	return !strchr(value, '@');
}

/* "NAME=VALUE;NAME=VALUE": options, then all that is concluded from them. */
static void try_options(const char *text, const char *name)
{
	char *copy = strdup(text), *rest = copy, *option;
	struct trace_request request;
	const struct plan plan = { 0 };

	trace_request_init(&request);
	/* Without these no request passes. */
	request.modes = MODE_STACK;
	if (spec_list_add(&request.entry, "x"))
		abort();
	while ((option = strsep(&rest, ";"))) {
		char *value = strchr(option, '=');

		if (value)
			*value++ = '\0';
		for_each_setting(setting, settings) {
			bool takes = setting->arg != NULL;

			if (!setting->name || strcmp(setting->name, option) || takes != !!value)
				continue;
			if (is_harmless(setting, value ?: ""))
				settings_parse(setting, &request, value, true);
		}
	}
	trace_request_settle(&request);
	report_set_verbosity(VERBOSITY_VERBOSE);
	if (!predicates_check(&request))
		predicates_print(&request, &plan);
	trace_request_release(&request);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	static void (*const languages[])(const char *text, const char *name) = {
		try_glob, try_spec, try_file, try_probe, try_args, try_where, try_result, try_time,
		try_options,
	};
	struct wire wire = wire_of(input, size);
	uint8_t language = wire_get_u8(&wire);
	char *text, *name;

	fuzz_quiet();
	text = fuzz_text(&wire, '\n');
	name = fuzz_text(&wire, '\0');
	languages[language % ARRAY_SIZE(languages)](text, name);
	free(text);
	free(name);
	return 0;
}
