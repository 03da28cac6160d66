// SPDX-License-Identifier: BSD-2-Clause
/* Walks through text in small languages. */
#include "util/base/text/scan.h"

#include <errno.h>
#include <string.h>

#include "util/base/report.h"
#include "util/base/text/errnames.h"
#include "util/base/text/nearest.h"
#include "util/base/utf8.h"

struct scan scan_start(const char *option, const char *text)
{
	return (struct scan){ option, text, text, text + strlen(text) };
}

void scan_skip_blanks(struct scan *s)
{
	while (s->at < s->end && isspace((unsigned char)*s->at))
		s->at++;
}

char scan_peek(struct scan *s)
{
	scan_skip_blanks(s);
	return s->at < s->end ? *s->at : '\0';
}

bool scan_take(struct scan *s, const char *token)
{
	size_t len = strlen(token);

	scan_skip_blanks(s);
	if ((size_t)(s->end - s->at) < len || memcmp(s->at, token, len))
		return false;
	s->at += len;
	return true;
}

size_t scan_name_length(struct scan *s)
{
	const char *at;

	if (isdigit((unsigned char)scan_peek(s)))
		return 0;
	for (at = s->at; at < s->end && scan_is_word(*at); at++)
		;
	return at - s->at;
}

int scan_column(const char *text, const char *at)
{
	int n = 1;

	for (const char *c = text; c < at; c++)
		n += !utf8_is_continuation(*c);
	return n;
}

int scan_complain(const struct scan *s, const char *at, const char *what)
{
	return report(-EINVAL, "%s: %s at column %d of '%s'", s->option, what,
		      scan_column(s->text, at), s->text);
}

int scan_complain_errno(const struct scan *s, const char *at, const char *name)
{
	struct nearest near = nearest_start(name);

	for (int i = 1; i <= MAX_ERRNO; i++) {
		if (errno_name(i))
			nearest_offer(&near, errno_name(i));
	}
	return nearest_report(&near, "give a number or a name such as -EINVAL",
			      "%s: unknown error '%s' at column %d of '%s'", s->option, name,
			      scan_column(s->text, at), s->text);
}

size_t scan_trim(const char **text, const char *end)
{
	while (*text < end && isspace((unsigned char)**text))
		(*text)++;
	while (end > *text && isspace((unsigned char)end[-1]))
		end--;
	return end - *text;
}

char *scan_trimmed(const char *text, const char *end)
{
	size_t len = scan_trim(&text, end);

	return strndup(text, len);
}

int scan_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
