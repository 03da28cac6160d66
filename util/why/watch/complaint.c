// SPDX-License-Identifier: BSD-2-Clause
/* Finds errnos and paths in texts. */
#include "util/why/watch/complaint.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/text/errnames.h"

/* The text of an errno in the language of retsnoop's environment, which is the command's, too. */
static const char *translated(int err)
{
	static locale_t locale;

	if (!locale)
		locale = newlocale(LC_ALL_MASK, "", (locale_t)0);
	return locale ? strerror_l(err, locale) : strerror(err);
}

/* What iptables(8) writes in place of the C library's text. */
static const char *text_of_iptables(int err)
{
	switch (err) {
	case EPERM:
		return "Permission denied (you must be root)";
	case ENOENT:
		return "No chain/target/match by that name";
	case EEXIST:
		return "Chain already exists";
	default:
		return NULL;
	}
}

/* Python's "[Errno 111]", and "errno=111" and the like: how long that is; 0: not there, or of another errno. */
static size_t names_number(const char *complaint, int err)
{
	static const char word[] = "errno";

	for (const char *at = complaint; (at = strcasestr(at, word)); at++) {
		const char *number = at + strlen(word);
		char *end;

		number += strspn(number, " :=(-");
		if (isdigit((unsigned char)*number) && strtol(number, &end, 10) == err &&
		    !isalnum((unsigned char)*end))
			return end - at;
	}
	return 0;
}

size_t complaint_names(const char *complaint, int err)
{
	/* As programs write it: "Unknown error 524" for an errno that the C library does not know. */
	const char *text = strerror(err), *name = errno_name(err), *own = text_of_iptables(err);

	if (own && strstr(complaint, own))
		return strlen(own);
	/* Go has texts in small letters. */
	if (name && strcasestr(complaint, text))
		return strlen(text);
	own = name ? translated(err) : NULL;
	if (own && own != text && strstr(complaint, own))
		return strlen(own);
	if (name && strstr(complaint, name))
		return strlen(name);
	return names_number(complaint, err);
}

int complaint_errno(const char *complaint)
{
	size_t longest = 0, len;
	int found = 0;

	for (int err = 1; err <= LAST_ERRNO; err++) {
		len = complaint_names(complaint, err);
		if (len > longest) {
			longest = len;
			found = err;
		}
	}
	return found;
}

/* Whether a character may go on in a path. A dot may also end a sentence. */
static bool is_of_path(const char *at)
{
	if (*at == '.')
		return is_of_path(at + 1);
	return isalnum((unsigned char)*at) || (*at && strchr("/_-+~@%", *at));
}

bool complaint_has_path(const char *complaint, const char *path)
{
	size_t len = strlen(path);

	if (!len)
		return false;
	for (const char *at = complaint; (at = strstr(at, path)); at++) {
		if ((at == complaint || !is_of_path(at - 1)) && !is_of_path(at + len))
			return true;
	}
	return false;
}

/* Whether a mark is there as a word: "INFORMATION" has no INFO. */
static bool is_mark_at(const char *complaint, const char *at, const char *mark)
{
	size_t len = strlen(mark);

	return (at == complaint || !isalnum((unsigned char)at[-1])) && startswith(at, mark) &&
	       (!isalnum((unsigned char)mark[len - 1]) || !isalnum((unsigned char)at[len]));
}

enum complaint_mark complaint_mark_of(const char *complaint)
{
	static const struct {
		const char *text;
		enum complaint_mark mark;
	} marks[] = {
		{ "LOG:", COMPLAINT_REMARK }, { "DEBUG", COMPLAINT_REMARK }, { "INFO", COMPLAINT_REMARK },
		{ "NOTICE", COMPLAINT_REMARK }, { "WARNING", COMPLAINT_REMARK }, { "[debug]", COMPLAINT_REMARK },
		{ "[info]", COMPLAINT_REMARK }, { "[notice]", COMPLAINT_REMARK }, { "[warn]", COMPLAINT_REMARK },
		{ "warning:", COMPLAINT_REMARK }, { "FATAL", COMPLAINT_FATAL }, { "PANIC", COMPLAINT_FATAL },
		{ "ERROR", COMPLAINT_ERROR }, { "ALERT", COMPLAINT_FATAL }, { "CRITICAL", COMPLAINT_FATAL },
		{ "EMERG", COMPLAINT_FATAL }, { "[emerg]", COMPLAINT_FATAL }, { "[alert]", COMPLAINT_FATAL },
		{ "[crit]", COMPLAINT_FATAL }, { "[error]", COMPLAINT_ERROR }, { "fatal:", COMPLAINT_FATAL },
		{ "error:", COMPLAINT_ERROR }, { "fatal error", COMPLAINT_FATAL }, { "Fatal error", COMPLAINT_FATAL },
	};

	for (const char *at = complaint; *at; at++) {
		for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
			if (*at == marks[i].text[0] && is_mark_at(complaint, at, marks[i].text))
				return marks[i].mark;
		}
	}
	return COMPLAINT_UNMARKED;
}
