// SPDX-License-Identifier: BSD-2-Clause
/* The option tables, for programs to read. */
#include "builtin/completion.h"

#include <string.h>

#include "builtin/options.h"
#include "util/base/cleanup.h"
#include "util/base/errnames.h"
#include "util/base/strbuf.h"
#include "util/capture/branches/branch_types.h"
#include "util/trace/ask/rung.h"

#define MAX_ERRNO 4095

static void add_word(struct strbuf *words, const char *word)
{
	if (words->len)
		strbuf_addch(words, ' ');
	strbuf_addstr(words, word);
}

/* By what the argument is called: the help has it so, too. */
static void add_words(struct strbuf *words, const struct command *command,
		      const struct argp_option *option)
{
	const char *arg = option->arg;

	if (!strcmp(arg, "SPEC")) {
		for (size_t i = 0; branch_types_name(i); i++)
			add_word(words, branch_types_name(i));
	} else if (!strcmp(arg, "WHEN")) {
		strbuf_addstr(words, "auto always never");
	} else if (!strcmp(arg, "LEVEL")) {
		strbuf_addstr(words, "n s");
	} else if (!strcmp(arg, "y|n")) {
		strbuf_addstr(words, "y n");
	} else if (!strcmp(arg, "NAME") && option->key == 'c') {
		strbuf_addstr(words, "bpf perf");
	} else if (!strcmp(arg, "RUNG")) {
		for (int rung = 0; rung <= RUNG_AUTO; rung++)
			add_word(words, rung_name(rung));
	} else if (!strcmp(arg, "FORMAT")) {
		for (unsigned int bit = 1; bit <= command->formats; bit <<= 1) {
			if (command->formats & bit)
				add_word(words, format_name(bit));
		}
	} else if (!strcmp(arg, "ERROR")) {
		add_word(words, "any");
		add_word(words, "NULL");
		for (int err = 1; err <= MAX_ERRNO; err++) {
			if (errno_name(err))
				add_word(words, errno_name(err));
		}
	}
}

/* Up to the end of the first sentence, or of a part that can stand by itself. */
static int sentence(const char *text)
{
	size_t len = strcspn(text, ".;");

	while (text[len] && text[len + 1] && text[len + 1] != ' ')
		len += 1 + strcspn(text + len + 1, ".;");
	return len;
}

static void list_option(const struct command *command, const struct argp_option *option, FILE *out)
{
	_cleanup_(strbuf_release) struct strbuf words = STRBUF_INIT;
	const char *brackets = option->flags & OPTION_ARG_OPTIONAL ? "[]" : "";
	int len = sentence(option->doc ?: "");

	if (option->arg)
		add_words(&words, command, option);
	if (option->name)
		fprintf(out, "--%s", option->name);
	fputc('\t', out);
	if (option->key > ' ' && option->key < 0x7f)
		fprintf(out, "-%c", option->key);
	fprintf(out, "\t%.1s%s%s\t%s\t%.*s\n", brackets, option->arg ?: "",
		*brackets ? brackets + 1 : "", strbuf_str(&words), len, option->doc ?: "");
}

void command_list_options(const struct command *command, FILE *out)
{
	const struct option_group *groups[MAX_OPTION_GROUPS + 1];

	command_option_groups(command, groups);
	for (int i = 0; groups[i]; i++) {
		for_each_option(o, groups[i]) {
			if (!(o->flags & OPTION_HIDDEN))
				list_option(command, o, out);
		}
	}
}
