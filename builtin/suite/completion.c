// SPDX-License-Identifier: BSD-2-Clause
/* Print the options of a command, for programs to read. */
#include "builtin/suite/completion.h"

#include <string.h>

#include "builtin/suite/options.h"
#include "util/base/cleanup.h"
#include "util/base/strbuf.h"

static void add_word(struct strbuf *words, const char *word)
{
	if (words->len)
		strbuf_addch(words, ' ');
	strbuf_addstr(words, word);
}

static void add_words(struct strbuf *words, const struct command *command,
		      const struct setting *option)
{
	for (size_t i = 0; option->word && option->word(i); i++)
		add_word(words, option->word(i));
	for (size_t i = 0; !option->word && option->choices && option->choices[i].name; i++)
		add_word(words, option->choices[i].name);
	for (unsigned int bit = 1; option_is_format(option) && bit <= command->formats; bit <<= 1) {
		if (command->formats & bit)
			add_word(words, format_name(bit));
	}
}

/* The length of the first sentence, or of a part of it that can stand alone. */
static int sentence_length(const char *text)
{
	size_t len = strcspn(text, ".;");

	while (text[len] && text[len + 1] && text[len + 1] != ' ')
		len += 1 + strcspn(text + len + 1, ".;");
	return len;
}

static void list_option(const struct command *command, const struct setting *option, FILE *out)
{
	_cleanup_(strbuf_release) struct strbuf words = STRBUF_INIT;
	const char *brackets = option->flags & SETTING_OPTIONAL ? "[]" : "";
	const char *arg = option_arg(command, option), *help = option_help(command, option);

	if (arg)
		add_words(&words, command, option);
	else
		brackets = "";
	if (option->name)
		fprintf(out, "--%s", option->name);
	fputc('\t', out);
	if (option->letter)
		fprintf(out, "-%c", option->letter);
	fprintf(out, "\t%.1s%s%s\t%s\t%.*s\n", brackets, arg ?: "", *brackets ? brackets + 1 : "",
		strbuf_str(&words), sentence_length(help), help);
}

void command_list_options(const struct command *command, FILE *out)
{
	const struct option_group *groups[MAX_OPTION_GROUPS + 1];

	command_option_groups(command, groups);
	for (int i = 0; groups[i]; i++) {
		for_each_option(o, groups[i]) {
			if (option_is_shown(command, o))
				list_option(command, o, out);
		}
	}
}
