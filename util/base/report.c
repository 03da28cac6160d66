// SPDX-License-Identifier: BSD-2-Clause
/* Messages to stderr. stdout is flushed first so that a terminal shows them in order. */
#include "util/base/report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "util/base/progress.h"
#include "util/base/strbuf.h"
#include "util/base/style.h"
#include "util/base/terminal.h"
#include "util/base/utf8.h"

/* Messages quote what they complain about; of a line of binary garbage the beginning will do. */
#define MAX_MESSAGE 2000

/* Bytes of a list that are written at a time. */
#define LIST_PIECE (32 * 1024)

static enum color_when color_when;

void report_set_color(enum color_when when)
{
	color_when = when;
}

/* What a terminal would obey becomes '?'. */
static void make_printable(struct strbuf *text)
{
	if (text->len > MAX_MESSAGE) {
		text->len = MAX_MESSAGE;
		text->s[text->len] = '\0';
		strbuf_addstr(text, "...");
	}
	utf8_hide(text->s, text->len, 0);
}

static void print_line(const char *prefix, enum style style, const char *fmt, va_list args)
{
	struct strbuf text = STRBUF_INIT, line = STRBUF_INIT;

	strbuf_vaddf(&text, fmt, args);
	make_printable(&text);
	if (*prefix) {
		style_add(&line, terminal_color(color_when, STDERR_FILENO), style, prefix);
		strbuf_addch(&line, ' ');
	}
	fflush(stdout);
	progress_make_way();
	fprintf(stderr, "%s%s\n", strbuf_str(&line),
		text.failed ? "out of memory" : strbuf_str(&text));
	progress_go_on();
	strbuf_release(&line);
	strbuf_release(&text);
}

int report(int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print_line("retsnoop:", STYLE_BAD, fmt, args);
	va_end(args);
	return err;
}

void warning(const char *fmt, ...)
{
	va_list args;

	if (report_verbosity() < VERBOSITY_NORMAL)
		return;
	va_start(args, fmt);
	print_line("retsnoop: warning:", STYLE_DOUBT, fmt, args);
	va_end(args);
}

void say(int level, const char *fmt, ...)
{
	va_list args;

	if (report_verbosity() < level)
		return;
	va_start(args, fmt);
	print_line("", STYLE_NONE, fmt, args);
	va_end(args);
}

static void list_write(struct say_list *list)
{
	fflush(stdout);
	progress_make_way();
	fputs(list->text.failed ? "out of memory\n" : strbuf_str(&list->text), stderr);
	progress_go_on();
	strbuf_reset(&list->text);
}

void say_list_add(struct say_list *list, const char *fmt, ...)
{
	struct strbuf line = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&line, fmt, args);
	va_end(args);
	make_printable(&line);
	strbuf_addf(&list->text, "%s\n", strbuf_str(&line));
	strbuf_release(&line);
	if (list->text.len >= LIST_PIECE)
		list_write(list);
}

void say_list_end(struct say_list *list)
{
	if (list->text.len)
		list_write(list);
	strbuf_release(&list->text);
}

int report_oom(void)
{
	return report(-ENOMEM, "out of memory");
}
