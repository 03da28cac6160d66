/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A walk through text in one of the small languages of options and kernel files:
 *
 *	struct scan s = scan_start("--args", text);
 *	while (scan_take(&s, ","))
 *		...
 *	return scan_peek(&s) ? scan_complain(&s, s.at, "unexpected text") : 0;
 *
 * Blanks between tokens are skipped. The text is borrowed.
 */
#ifndef RETSNOOP_BASE_TEXT_SCAN_H
#define RETSNOOP_BASE_TEXT_SCAN_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

struct scan {
	const char *option;	/* for messages: "--args" */
	const char *text;	/* the whole text, for messages */
	const char *at;		/* the next byte */
	const char *end;
};

/* Whitespace, for strspn(), strpbrk() and the like. */
#define SCAN_BLANKS " \t\n\v\f\r"

struct scan scan_start(const char *option, const char *text);

/* A letter, a digit or '_'. */
static inline bool scan_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

void scan_skip_blanks(struct scan *s);

/* The next byte that is not blank, which is then at s->at; '\0' at the end. */
char scan_peek(struct scan *s);

/* Skip blanks, and @token if it comes next. */
bool scan_take(struct scan *s, const char *token);

/* Skip blanks. Length of the name that comes next, which does not begin with a digit; 0 none. */
size_t scan_name_length(struct scan *s);

/* Column of @at in @text, counted from 1 as in an editor: one per UTF-8 character. */
int scan_column(const char *text, const char *at);

/* Report "--args: WHAT at column 3 of 'TEXT'", with the column of @at. Returns -EINVAL. */
int scan_complain(const struct scan *s, const char *at, const char *what);

/* The same for an unknown name of an error, with the nearest known one. Returns -EINVAL. */
int scan_complain_errno(const struct scan *s, const char *at, const char *name);

/* Narrow *@text..@end to the text without blanks around it. Returns the length. */
size_t scan_trim(const char **text, const char *end);

/* A heap copy of @text..@end without blanks around it; NULL out of memory. */
char *scan_trimmed(const char *text, const char *end);

/* The value of a hexadecimal digit; -1 for other characters. */
int scan_hex_digit(char c);

#endif
