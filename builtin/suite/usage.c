// SPDX-License-Identifier: BSD-2-Clause
/* Printing help from the tables. */
#include "builtin/suite/usage.h"

#include <gnu/libc-version.h>
#include <string.h>

#include <bpf/libbpf.h>
#include <elfutils/libdwfl.h>
#include <zlib.h>

#include "builtin/suite/options.h"
#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
#include "util/base/style.h"

#define WIDTH 80
#define INDENT 4	/* of options */
#define COLUMN 28	/* where their texts begin */

/*
 * Print @text, folded before WIDTH; the line is at @column now, where the text begins, and so do
 * further lines. It is not folded within [], so that a synopsis stays readable.
 */
static void print_folded(FILE *out, const char *text, int column)
{
	int indent = column;

	while (*text) {
		int depth = 0, len = 0;

		for (; text[len] && (depth || text[len] != ' '); len++)
			depth += (text[len] == '[') - (text[len] == ']');
		if (column > indent && column + 1 + len > WIDTH - 1) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		fwrite(text, 1, len, out);
		column += len;
		text += len + strspn(text + len, " ");
	}
	fputc('\n', out);
}

/* Lines of @text are paragraphs; one that begins with a space is printed as it is. */
static void print_paragraphs(FILE *out, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		char *line = strndup(text, len);

		if (line && (*line == ' ' || !*line))
			fprintf(out, "%s\n", line);
		else if (line)
			print_folded(out, line, 0);
		free(line);
		text += len + (text[len] == '\n');
	}
}

void print_usage(const struct command *command, FILE *out, bool color)
{
	const char *before = "Usage";

	for (const char *form = command->usage; form; before = "   or") {
		_cleanup_(free_p) char *line = strndup(form, strcspn(form, "\n"));
		int column = strlen(before) + strlen(": retsnoop ") + strlen(command->name) + 1;

		style_print(out, color, STYLE_NAME, "%s:", before);
		fprintf(out, " retsnoop %s ", command->name);

		print_folded(out, line ?: "", column);
		form = strchr(form, '\n');
		if (form)
			form++;
	}
}

static void print_option(FILE *out, bool color, const struct command *command,
			 const struct setting *option)
{
	_cleanup_(strbuf_release) struct strbuf names = STRBUF_INIT;
	const char *arg = option_arg(command, option);

	if (option->letter)
		strbuf_addf(&names, "-%c%s", option->letter, option->name ? ", " : "");
	else
		strbuf_pad(&names, 4, ' ');
	if (option->name)
		strbuf_addf(&names, "--%s%s", option->flags & SETTING_NEGATABLE ? "[no-]" : "",
			    option->name);
	if (arg)
		strbuf_addf(&names, option->flags & SETTING_OPTIONAL ? "[=%s]" :
				    option->name		     ? "=%s" :
								       " %s", arg);
	fprintf(out, "%*s", INDENT, "");
	style_print(out, color, STYLE_NAME, "%s", strbuf_str(&names));
	if (INDENT + (int)names.len > COLUMN - 2)
		fprintf(out, "\n%*s", COLUMN, "");
	else
		fprintf(out, "%*s", COLUMN - INDENT - (int)names.len, "");
	print_folded(out, option_help(command, option), COLUMN);
}

void print_option_group(const struct command *command, const struct option_group *group, FILE *out,
			bool color)
{
	for_each_option(o, group) {
		if (option_is_shown(command, o))
			print_option(out, color, command, o);
	}
}

/* A group may have no option for this command. */
static bool has_options(const struct command *command, const struct option_group *group)
{
	for_each_option(o, group) {
		if (option_is_shown(command, o))
			return true;
	}
	return false;
}

void print_heading(FILE *out, bool color, const char *title)
{
	fputc('\n', out);
	style_print(out, color, STYLE_NAME, "%s", title);
	fputc('\n', out);
}

static void print_examples(const struct command *command, FILE *out, bool color)
{
	print_heading(out, color, "Examples");
	for (const char *line = command->examples; *line;) {
		int len = strcspn(line, "\n");

		fprintf(out, "%*s%.*s\n", INDENT, "", len, line);
		line += len + (line[len] == '\n');
	}
}

static void print_help(const struct command *command, FILE *out, bool color, bool all)
{
	const struct option_group *groups[MAX_OPTION_GROUPS + 1];
	const char *before = "";

	command_option_groups(command, groups);
	print_usage(command, out, color);
	fputc('\n', out);
	print_paragraphs(out, command->help ?: command->summary);
	print_examples(command, out, color);
	for (int i = 0; groups[i]; i++) {
		const char *title = groups[i]->title ?: "Options";

		if (!has_options(command, groups[i]) ||
		    (!all && !option_group_is_own(command, groups[i])))
			continue;
		/* Neighbouring groups with the same title are printed as one group. */
		if (strcmp(title, before))
			print_heading(out, color, title);
		before = title;
		print_option_group(command, groups[i], out, color);
	}
}

void command_print_help(const struct command *command, FILE *out, bool color)
{
	print_help(command, out, color, false);
	fprintf(out, "\nCommon options: 'retsnoop %s --help-all', 'retsnoop help options'.\n",
		command->name);
}

void command_print_all_options(const struct command *command, FILE *out, bool color)
{
	print_help(command, out, color, true);
}

void print_version(FILE *out)
{
	const char *libbpf = libbpf_version_string();

	fprintf(out,
		"retsnoop %s\n"
		"libbpf   %s\n"
		"elfutils %s\n"
		"zlib     %s\n"
		"inih     %s\n"
		"glibc    %s\n",
		RETSNOOP_VERSION, *libbpf == 'v' ? libbpf + 1 : libbpf, dwfl_version(NULL),
		zlibVersion(), RETSNOOP_INIH_VERSION, gnu_get_libc_version());
}
