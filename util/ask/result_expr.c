// SPDX-License-Identifier: BSD-2-Clause
/* Conditions on results: parsing. */
#include "util/ask/result_expr.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/text/errnames.h"
#include "util/base/text/scan.h"

#define RESULT_WORD "ret"

static bool take_result_word(struct scan *s)
{
	const char *behind = s->at + strlen(RESULT_WORD);

	if (behind < s->end && scan_is_word(*behind))
		return false;
	return scan_take(s, RESULT_WORD);
}

/* Longer operators first. */
static const struct operator {
	const char *text;
	enum term_op op;
	const char *wants;
} operators[] = {
	{ "==", TERM_EQ, "'==' needs a number or -ERRNAME" },
	{ "!=", TERM_NE, "'!=' needs a number or -ERRNAME" },
	{ "<=", TERM_LE, "'<=' needs a number" },
	{ ">=", TERM_GE, "'>=' needs a number" },
	{ "<", TERM_LT, "'<' needs a number" },
	{ ">", TERM_GT, "'>' needs a number" },
};

/* A decimal number must fit a result. Hex is the value of a register; its top bit is the sign. */
static int scan_number(struct scan *s, const char *start, bool negative, int64_t *ret)
{
	bool hex = s->end - s->at > 2 && s->at[0] == '0' && (s->at[1] | 0x20) == 'x' &&
		   isxdigit((unsigned char)s->at[2]);
	uint64_t limit, n;
	char *end;

	errno = 0;
	n = strtoull(s->at, &end, hex ? 16 : 10);
	if (end < s->end && scan_is_word(*end))
		return scan_complain(s, start, "not a number");
	limit = negative ? (uint64_t)INT64_MAX + 1 : hex ? UINT64_MAX : INT64_MAX;
	if (errno || n > limit)
		return scan_complain(s, start, "a number beyond 64 bits");
	s->at = end;
	*ret = negative ? -n : n;
	return 0;
}

static int scan_name(struct scan *s, const char *start, bool sign, bool negative, int64_t *ret)
{
	static const struct {
		const char *name;
		int64_t value;
	} names[] = { { "NULL", 0 }, { "true", 1 }, { "false", 0 } };
	char name[48];
	size_t len = 0;
	int err;

	/* The longest errno has 21 letters: of a longer word, messages show the beginning. */
	while (s->at < s->end && scan_is_word(*s->at)) {
		if (len < sizeof(name) - 1)
			name[len++] = *s->at;
		s->at++;
	}
	name[len] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcasecmp(name, names[i].name))
			continue;
		if (sign)
			return scan_complain(s, start, "a sign without a number");
		*ret = names[i].value;
		return 0;
	}
	err = errno_parse(name);
	if (err < 0)
		return scan_complain_errno(s, start, name);
	if (!negative)
		return report(-EINVAL, "%s: results are negative errnos: write '-%s' at column %d "
			      "of '%s'", s->option, name, scan_column(s->text, start), s->text);
	*ret = -err;
	return 0;
}

/* @wanting: what the message asks for if there is no value. */
static int scan_value(struct scan *s, const char *wanting, int64_t *ret)
{
	const char *start = s->at;
	bool negative = scan_take(s, "-"), sign = negative || scan_take(s, "+");

	if (s->at < s->end && isdigit((unsigned char)*s->at))
		return scan_number(s, start, negative, ret);
	if (s->at < s->end && scan_is_word(*s->at))
		return scan_name(s, start, sign, negative, ret);
	return scan_complain(s, start, wanting);
}

/* @full: "ret" and an operator are required. */
static int scan_term(struct scan *s, bool full, struct config_term *term)
{
	const struct operator *operator;
	const char *start;
	bool word;
	int64_t value = 0;
	int err;

	scan_skip_blanks(s);
	start = s->at;
	word = take_result_word(s);
	if (full && !word)
		return scan_complain(s, start, "a condition such as 'ret == 0' is missing");
	scan_skip_blanks(s);
	start = s->at;
	operator = array_find(known, operators, scan_take(s, known->text));
	if (!operator && scan_take(s, "="))
		return scan_complain(s, start, "'=' is no comparison, '==' is one,");
	if (!operator && word)
		return scan_complain(s, start, "'ret' needs a comparison, one of == != < <= > >=,");
	scan_skip_blanks(s);
	err = scan_value(s, operator ? operator->wants : "a number or -ERRNAME is missing", &value);
	if (err)
		return err;
	*term = (struct config_term){ .value = value, .op = operator ? operator->op : TERM_EQ };
	return 0;
}

static int scan_terms(struct scan *s, bool full, struct config_terms *ret_terms)
{
	struct config_terms terms = {};
	const char *start;
	int err;

	do {
		scan_skip_blanks(s);
		if (terms.nr == CONFIG_TERMS)
			return report(-EINVAL, "%s: no more than %d conditions, and there is "
				      "another at column %d of '%s'", s->option, CONFIG_TERMS,
				      scan_column(s->text, s->at), s->text);
		err = scan_term(s, full, &terms.terms[terms.nr]);
		if (err)
			return err;
		terms.nr++;
		scan_skip_blanks(s);
		start = s->at;
	} while (scan_take(s, ",") || scan_take(s, "||"));
	if (scan_take(s, "&&"))
		return scan_complain(s, start, "conditions are alternatives: '||', no '&&',");
	if (start < s->end)
		return scan_complain(s, start, "unexpected text");
	*ret_terms = terms;
	return 0;
}

int result_expr_parse(const char *option, const char *text, struct result_expr *ret_expr)
{
	struct scan s = scan_start(option, text);
	struct result_expr expr = {};
	int err = scan_terms(&s, false, &expr.terms);

	if (err)
		return err;
	expr.text = scan_trimmed(text, s.end);
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
 * The colon before the condition: the last one followed by "ret", or else the last one that does
 * not begin a source path. NULL: none.
 */
static const char *find_colon(const char *text)
{
	const char *any = NULL;

	for (const char *c = text + strlen(text); c > text; c--) {
		const char *next = c;

		if (c[-1] != ':')
			continue;
		next += strspn(next, " \t");
		if (startswith(next, RESULT_WORD) &&
		    !scan_is_word(next[strlen(RESULT_WORD)]) && next[strlen(RESULT_WORD)] != '.')
			return c - 1;
		if (!any && c - 1 > text + strspn(text, " \t"))
			any = c - 1;
	}
	return any;
}

int error_rule_parse(const char *text, struct error_rule *ret_rule)
{
	struct scan s = scan_start("--error-if", text);
	const char *colon = find_colon(text);
	struct error_rule rule = {};
	int err;

	if (!colon)
		return report(-EINVAL, "--error-if: '%s' is not of the form 'GLOB: ret == 0'",
			      text);
	s.at = colon + 1;
	err = scan_terms(&s, true, &rule.expr.terms);
	err = err ?: spec_list_add_before(&rule.funcs, "--error-if", text, colon);
	if (!err) {
		rule.expr.text = scan_trimmed(colon + 1, s.end);
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
