// SPDX-License-Identifier: BSD-2-Clause
/* Conditions on results: parsing. */
#include "util/trace/ask/result_expr.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/base/errnames.h"
#include "util/base/nearest.h"
#include "util/base/report.h"

#define RESULT_WORD "ret"

/* A walk through what the user wrote. */
struct scanner {
	const char *option;	/* "--return", for messages */
	const char *text;	/* all of it */
	const char *at;
	const char *end;	/* of the condition; behind it there may be blanks */
};

/* Where @at stands, as an editor counts it: the bytes that go on a character are none. */
static int column(const struct scanner *s, const char *at)
{
	int n = 1;

	for (const char *c = s->text; c < at; c++)
		n += ((unsigned char)*c & 0xc0) != 0x80;
	return n;
}

/* "--return: WHAT at column 3 of 'TEXT'" */
static int complain(const struct scanner *s, const char *at, const char *what)
{
	return report(-EINVAL, "%s: %s at column %d of '%s'", s->option, what, column(s, at),
		      s->text);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void skip_blanks(struct scanner *s)
{
	while (s->at < s->end && isspace((unsigned char)*s->at))
		s->at++;
}

/* Step over @token if it is what comes next. */
static bool take(struct scanner *s, const char *token)
{
	size_t len = strlen(token);

	if ((size_t)(s->end - s->at) < len || strncmp(s->at, token, len))
		return false;
	s->at += len;
	return true;
}

static bool take_result_word(struct scanner *s)
{
	const char *behind = s->at + strlen(RESULT_WORD);

	if (behind < s->end && is_word(*behind))
		return false;
	return take(s, RESULT_WORD);
}

/* Longer ones first. */
static const struct operator {
	const char *text;
	enum term_op op;
	const char *wants;
} operators[] = {
	{ "==", TERM_EQ, "'==' wants a number or -ERRNAME" },
	{ "!=", TERM_NE, "'!=' wants a number or -ERRNAME" },
	{ "<=", TERM_LE, "'<=' wants a number" },
	{ ">=", TERM_GE, "'>=' wants a number" },
	{ "<", TERM_LT, "'<' wants a number" },
	{ ">", TERM_GT, "'>' wants a number" },
};

static const struct operator *take_operator(struct scanner *s)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (take(s, operators[i].text))
			return &operators[i];
	}
	return NULL;
}

/* A decimal number has to fit a result; hex is what a register holds, its top bit is a sign. */
static int scan_number(struct scanner *s, const char *start, bool negative, int64_t *ret)
{
	bool hex = s->end - s->at > 2 && s->at[0] == '0' && (s->at[1] | 0x20) == 'x' &&
		   isxdigit((unsigned char)s->at[2]);
	uint64_t limit, n;
	char *end;

	errno = 0;
	n = strtoull(s->at, &end, hex ? 16 : 10);
	if (end < s->end && is_word(*end))
		return complain(s, start, "not a number");
	limit = negative ? (uint64_t)INT64_MAX + 1 : hex ? UINT64_MAX : INT64_MAX;
	if (errno || n > limit)
		return complain(s, start, "a number beyond 64 bits");
	s->at = end;
	*ret = negative ? -n : n;
	return 0;
}

static int report_unknown_errno(const struct scanner *s, const char *start, const char *name)
{
	struct nearest near = nearest_start(name);

	for (int i = 1; i <= MAX_ERRNO; i++) {
		if (errno_name(i))
			nearest_offer(&near, errno_name(i));
	}
	return nearest_report(&near, "give a number or a name such as -EINVAL",
			      "%s: there is no error '%s' at column %d of '%s'", s->option, name,
			      column(s, start), s->text);
}

static int scan_name(struct scanner *s, const char *start, bool sign, bool negative, int64_t *ret)
{
	static const struct {
		const char *name;
		int64_t value;
	} names[] = { { "NULL", 0 }, { "true", 1 }, { "false", 0 } };
	char name[48];
	size_t len = 0;
	int err;

	/* The longest errno has 21 letters: of more the beginning will do to say so. */
	while (s->at < s->end && is_word(*s->at)) {
		if (len < sizeof(name) - 1)
			name[len++] = *s->at;
		s->at++;
	}
	name[len] = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcasecmp(name, names[i].name))
			continue;
		if (sign)
			return complain(s, start, "a sign in front of no number");
		*ret = names[i].value;
		return 0;
	}
	err = errno_parse(name);
	if (err < 0)
		return report_unknown_errno(s, start, name);
	if (!negative)
		return report(-EINVAL, "%s: results are negative errnos: write '-%s' at column %d "
			      "of '%s'", s->option, name, column(s, start), s->text);
	*ret = -err;
	return 0;
}

/* @wanting: what to say when there is no value. */
static int scan_value(struct scanner *s, const char *wanting, int64_t *ret)
{
	const char *start = s->at;
	bool negative = take(s, "-"), sign = negative || take(s, "+");

	if (s->at < s->end && isdigit((unsigned char)*s->at))
		return scan_number(s, start, negative, ret);
	if (s->at < s->end && is_word(*s->at))
		return scan_name(s, start, sign, negative, ret);
	return complain(s, start, wanting);
}

/* @full: "ret" and an operator have to be there. */
static int scan_term(struct scanner *s, bool full, struct config_term *term)
{
	const struct operator *operator;
	const char *start;
	bool word;
	int64_t value = 0;
	int err;

	skip_blanks(s);
	start = s->at;
	word = take_result_word(s);
	if (full && !word)
		return complain(s, start, "a condition such as 'ret == 0' is missing");
	skip_blanks(s);
	start = s->at;
	operator = take_operator(s);
	if (!operator && take(s, "="))
		return complain(s, start, "'=' is no comparison, '==' is one,");
	if (!operator && word)
		return complain(s, start, "'ret' wants a comparison, one of == != < <= > >=,");
	skip_blanks(s);
	err = scan_value(s, operator ? operator->wants : "a number or -ERRNAME is missing", &value);
	if (err)
		return err;
	*term = (struct config_term){ .value = value, .op = operator ? operator->op : TERM_EQ };
	return 0;
}

static int scan_terms(struct scanner *s, bool full, struct config_terms *ret_terms)
{
	struct config_terms terms = {};
	const char *start;
	int err;

	do {
		skip_blanks(s);
		if (terms.nr == CONFIG_TERMS)
			return report(-EINVAL, "%s: no more than %d conditions, and there is "
				      "another at column %d of '%s'", s->option, CONFIG_TERMS,
				      column(s, s->at), s->text);
		err = scan_term(s, full, &terms.terms[terms.nr]);
		if (err)
			return err;
		terms.nr++;
		skip_blanks(s);
		start = s->at;
	} while (take(s, ",") || take(s, "||"));
	if (take(s, "&&"))
		return complain(s, start, "conditions are alternatives: '||', no '&&',");
	if (start < s->end)
		return complain(s, start, "this makes no sense");
	*ret_terms = terms;
	return 0;
}

/* The text from @start on without the blanks around it. */
static char *trimmed(const char *start, const char *end)
{
	while (start < end && isspace((unsigned char)*start))
		start++;
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	return strndup(start, end - start);
}

int result_expr_parse(const char *option, const char *text, struct result_expr *ret_expr)
{
	struct scanner s = { option, text, text, text + strlen(text) };
	struct result_expr expr = {};
	int err = scan_terms(&s, false, &expr.terms);

	if (err)
		return err;
	expr.text = trimmed(text, s.end);
	if (!expr.text)
		return report_oom();
	*ret_expr = expr;
	return 0;
}

void result_expr_release(struct result_expr *expr)
{
	free(expr->text);
	expr->text = NULL;
	expr->terms.nr = 0;
}

/*
 * The colon in front of the condition: the last one that "ret" follows; without, the last one
 * that does not begin a source path. NULL: none.
 */
static const char *find_colon(const char *text)
{
	const char *any = NULL;

	for (const char *c = text + strlen(text); c > text; c--) {
		const char *next = c;

		if (c[-1] != ':')
			continue;
		next += strspn(next, " \t");
		if (!strncmp(next, RESULT_WORD, strlen(RESULT_WORD)) &&
		    !is_word(next[strlen(RESULT_WORD)]) && next[strlen(RESULT_WORD)] != '.')
			return c - 1;
		if (!any && c - 1 > text + strspn(text, " \t"))
			any = c - 1;
	}
	return any;
}

static int parse_glob(const char *text, const char *colon, struct spec_list *funcs)
{
	char *glob = trimmed(text, colon);
	int err;

	if (!glob)
		return report_oom();
	if (!*glob)
		err = report(-EINVAL, "--error-if: no function in front of ':' in '%s'", text);
	else if (*glob == '@')
		err = report(-EINVAL, "--error-if takes one GLOB and no list of them: '%s'", glob);
	else
		err = spec_list_add(funcs, glob);
	free(glob);
	return err;
}

int error_rule_parse(const char *text, struct error_rule *ret_rule)
{
	struct scanner s = { "--error-if", text, NULL, text + strlen(text) };
	const char *colon = find_colon(text);
	struct error_rule rule = {};
	int err;

	if (!colon)
		return report(-EINVAL, "--error-if: '%s' is not of the form 'GLOB: ret == 0'",
			      text);
	s.at = colon + 1;
	err = scan_terms(&s, true, &rule.expr.terms);
	err = err ?: parse_glob(text, colon, &rule.funcs);
	if (!err) {
		rule.expr.text = trimmed(colon + 1, s.end);
		err = rule.expr.text ? 0 : report_oom();
	}
	if (err)
		error_rule_release(&rule);
	else
		*ret_rule = rule;
	return err;
}

void error_rule_release(struct error_rule *rule)
{
	spec_list_release(&rule->funcs);
	result_expr_release(&rule->expr);
}
