// SPDX-License-Identifier: BSD-2-Clause
/* Conditions on arguments: parsing. */
#include "util/ask/where.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/text/errnames.h"

#define OPTION "--where"

/* Parentheses in parentheses. */
#define MAX_NESTING 64

struct parser {
	struct scan s;
	struct where_rule *rule;
	int depth;
};

static int add_node(struct parser *p, enum where_node_kind kind, uint16_t a, uint16_t b)
{
	return vec_push(&p->rule->nodes, (struct where_node){ kind, a, b }) ? report_oom() : 0;
}

static uint16_t last_node(const struct parser *p)
{
	return p->rule->nodes.len - 1;
}

/* Turns the last node's outcome around. */
static int add_not(struct parser *p)
{
	if (p->rule->nodes.data[last_node(p)].kind == WHERE_NOT) {
		/* Two '!' cancel out: the operand is the node before this one. */
		p->rule->nodes.len--;
		return 0;
	}
	return add_node(p, WHERE_NOT, last_node(p), 0);
}

/* The character after a backslash. */
static int scan_escape(struct parser *p, unsigned char *ret)
{
	static const char letters[] = "abfnrtv\\\"'?", means[] = "\a\b\f\n\r\t\v\\\"'?";
	const char *start = p->s.at - 1, *letter;
	unsigned int n = 0;

	letter = *p->s.at ? strchr(letters, *p->s.at) : NULL;
	if (letter) {
		p->s.at++;
		*ret = means[letter - letters];
		return 0;
	}
	if (*p->s.at == 'x' && isxdigit((unsigned char)p->s.at[1])) {
		p->s.at++;
		for (int i = 0; i < 2 && isxdigit((unsigned char)*p->s.at); i++)
			n = 16 * n + scan_hex_digit(*p->s.at++);
	} else if (*p->s.at >= '0' && *p->s.at <= '7') {
		for (int i = 0; i < 3 && *p->s.at >= '0' && *p->s.at <= '7'; i++)
			n = 8 * n + (*p->s.at++ - '0');
	} else {
		return scan_complain(&p->s, start, "unknown escape '\\'");
	}
	if (n > UINT8_MAX)
		return scan_complain(&p->s, start, "a character larger than a byte");
	*ret = n;
	return 0;
}

static int scan_character(struct parser *p, struct where_constant *value)
{
	const char *start = p->s.at++;
	unsigned char c = *p->s.at;
	int err = 0;

	if (!c || c == '\'')
		return scan_complain(&p->s, start, "a character is missing");
	p->s.at++;
	if (c == '\\')
		err = scan_escape(p, &c);
	if (err)
		return err;
	if (*p->s.at != '\'')
		return scan_complain(&p->s, start, "more than one byte, or the closing ' is missing,");
	p->s.at++;
	value->kind = WHERE_NUMBER;
	value->number = c;
	value->is_bits = true;
	return 0;
}

/* @prefix: of '~', whose text may end with a star that changes nothing. */
static int scan_text(struct parser *p, bool prefix, struct where_constant *value)
{
	const char *start = p->s.at++;
	unsigned char text[WHERE_MAX_TEXT], c;
	uint32_t len = 0;
	int err;

	while (*p->s.at != '"') {
		const char *at = p->s.at;

		if (!*at)
			return scan_complain(&p->s, start, "the closing '\"' is missing for the text");
		c = *p->s.at++;
		if (prefix && c == '*' && *p->s.at == '"')
			continue;
		if (prefix && strchr("*?[", c))
			return scan_complain(&p->s, at,
					     "with '~', only one '*' at the end is supported, "
					     "not this");
		if (c == '\\') {
			err = scan_escape(p, &c);
			if (err)
				return err;
		}
		if (!c)
			return scan_complain(&p->s, at,
					     "text cannot contain the NUL");
		if (len == sizeof(text))
			return report(-EINVAL,
				      OPTION ": only %d bytes of text are compared; one more "
					     "begins at column %d of '%s'",
				      WHERE_MAX_TEXT, scan_column(p->s.text, at), p->s.text);
		text[len++] = c;
	}
	p->s.at++;
	value->kind = WHERE_TEXT;
	value->len = len;
	value->text = strndup((char *)text, len);
	return value->text ? 0 : report_oom();
}

static int scan_number(struct parser *p, const char *start, struct where_constant *value)
{
	char *end;

	value->kind = WHERE_NUMBER;
	value->is_bits = p->s.at[0] == '0' && !value->negative;
	errno = 0;
	value->number = strtoull(p->s.at, &end, 0);
	if (scan_is_word(*end) || *end == '.')
		return scan_complain(&p->s, start, "not a number");
	if (errno || (value->negative && value->number > (uint64_t)INT64_MAX + 1))
		return scan_complain(&p->s, start, "a number beyond 64 bits");
	value->negative &= value->number != 0;
	p->s.at = end;
	return 0;
}

static int scan_name(struct parser *p, const char *start, bool sign, struct where_constant *value)
{
	_cleanup_(free_p) char *name = NULL;
	const char *from = p->s.at;
	int number;

	while (scan_is_word(*p->s.at))
		p->s.at++;
	name = strndup(from, p->s.at - from);
	if (!name)
		return report_oom();
	value->kind = WHERE_NUMBER;
	if (value->negative) {
		number = errno_parse(name);
		if (number < 0)
			return scan_complain_errno(&p->s, start, name);
		value->number = number;
		return 0;
	}
	if (sign)
		return scan_complain(&p->s, start, "a sign without a number");
	if (!strcmp(name, "true") || !strcmp(name, "false") || !strcmp(name, "NULL")) {
		value->number = *name == 't';
		return 0;
	}
	value->kind = WHERE_NAME;
	value->len = strlen(name);
	value->text = take_ptr(name);
	return 0;
}

/* A number or a name of one. @wanting: the message if there is none. */
static int scan_constant(struct parser *p, const char *wanting, struct where_constant *value)
{
	const char *start;
	bool sign;

	scan_skip_blanks(&p->s);
	start = p->s.at;
	value->column = scan_column(p->s.text, start);
	if (*start == '\'')
		return scan_character(p, value);
	value->negative = *start == '-';
	sign = *start == '-' || *start == '+';
	p->s.at += sign;
	if (isdigit((unsigned char)*p->s.at))
		return scan_number(p, start, value);
	if (scan_is_word(*p->s.at))
		return scan_name(p, start, sign, value);
	return scan_complain(&p->s, start, wanting);
}

enum operator_flags {
	NEGATED = 1 << 0,
	FOR_TEXT = 1 << 1,
	FOR_NUMBERS = 1 << 2,
};

/* Longer ones first. */
static const struct operator {
	const char *text;
	enum term_op op;
	int flags;
	const char *wants;
} operators[] = {
	{ "==", TERM_EQ, FOR_NUMBERS | FOR_TEXT, "'==' needs a number, a name or \"text\"" },
	{ "!=", TERM_EQ, FOR_NUMBERS | FOR_TEXT | NEGATED,
	  "'!=' needs a number, a name or \"text\"" },
	{ "<=", TERM_LE, FOR_NUMBERS, "'<=' needs a number or a name" },
	{ ">=", TERM_LT, FOR_NUMBERS | NEGATED, "'>=' needs a number or a name" },
	{ "<", TERM_LT, FOR_NUMBERS, "'<' needs a number or a name" },
	{ ">", TERM_LE, FOR_NUMBERS | NEGATED, "'>' needs a number or a name" },
	{ "~", TERM_EQ, FOR_TEXT, "'~' needs \"beginning\"" },
};

/* '&' and a mask, if they are next. */
static int scan_mask(struct parser *p, struct where_term *term)
{
	scan_skip_blanks(&p->s);
	if (*p->s.at != '&' || p->s.at[1] == '&')
		return 0;
	if (term->masked)
		return scan_complain(&p->s, p->s.at, "only one '&' is supported, not the second");
	p->s.at++;
	term->masked = true;
	return scan_constant(p, "'&' needs a number or a name", &term->mask);
}

/* An operator and its operand, if they are next. */
static int scan_comparison(struct parser *p, struct where_term *term, bool *ret_compared,
			   bool *ret_negated)
{
	const struct operator *operator;
	const char *start;

	scan_skip_blanks(&p->s);
	start = p->s.at;
	operator = array_find(known, operators, scan_take(&p->s, known->text));
	*ret_compared = operator;
	if (!operator)
		return *start == '=' ?
			       scan_complain(&p->s, start, "'=' is no comparison, '==' is one,") :
			       0;
	*ret_negated = operator->flags & NEGATED;
	term->op = operator->op;
	scan_skip_blanks(&p->s);
	if (*p->s.at != '"') {
		if (!(operator->flags & FOR_NUMBERS))
			return scan_complain(&p->s, p->s.at, operator->wants);
		return scan_constant(p, operator->wants, &term->value);
	}
	if (!(operator->flags & FOR_TEXT))
		return scan_complain(&p->s, start,
				     "text supports only ==, != and ~, not the operator");
	if (term->masked)
		return scan_complain(&p->s, start,
				     "the result of '&' is a number and cannot be compared with text");
	term->value.column = scan_column(p->s.text, p->s.at);
	term->prefix = *operator->text == '~';
	return scan_text(p, term->prefix, &term->value);
}

static void term_release(struct where_term *term)
{
	arg_path_release(&term->path);
	free(term->mask.text);
	free(term->value.text);
}

/* Report a '!' that could be for one operand or for all that follows. */
static int complain_about_not(const struct parser *p, const char *start)
{
	return scan_complain(&p->s, start, "'!' applies to one operand: use parentheses, as in "
			   "'!(a == 1)',");
}

static int scan_term(struct parser *p, bool after_not)
{
	struct where_term term = {};
	bool compared = false, negated = false;
	const char *start;
	int err;

	scan_skip_blanks(&p->s);
	start = p->s.at;
	if (p->rule->terms.len == WHERE_MAX_TERMS)
		return scan_complain(&p->s, p->s.at, "too many terms");
	err = arg_path_scan(&p->s, &term.path);
	err = err ?: scan_mask(p, &term);
	err = err ?: scan_comparison(p, &term, &compared, &negated);
	if (!err && after_not && (term.masked || compared))
		err = complain_about_not(p, start);
	if (!err && vec_push(&p->rule->terms, term))
		err = report_oom();
	if (err) {
		term_release(&term);
		return err;
	}
	err = add_node(p, WHERE_TERM, p->rule->terms.len - 1, 0);
	/* Without an operator: is not 0. */
	if (!err && (!compared || negated))
		err = add_not(p);
	return err;
}

/*
 * The operand that was in parentheses is compared after them: (a & 3) == 1. It is all that the
 * nodes from @first on have.
 */
static int compare_parenthesized(struct parser *p, size_t first, bool bare)
{
	struct where_term *term;
	bool compared = false, negated = false;
	int err;

	scan_skip_blanks(&p->s);
	if ((*p->s.at != '&' || p->s.at[1] == '&') && !strchr("=<>~", *p->s.at) &&
	    !startswith(p->s.at, "!="))
		return 0;
	if (!*p->s.at)
		return 0;
	if (!bare)
		return scan_complain(&p->s, p->s.at,
				     "parentheses give true or false, which cannot be compared or "
				     "masked");
	term = &p->rule->terms.data[p->rule->terms.len - 1];
	err = scan_mask(p, term);
	err = err ?: scan_comparison(p, term, &compared, &negated);
	if (err || !compared)
		return err;
	/* It was there as !(a == 0). */
	p->rule->nodes.len = first + 1;
	return negated ? add_not(p) : 0;
}

static int scan_or(struct parser *p);

/* Whether the last term, of the one node and its '!' from @first on, is compared with nothing. */
static bool is_bare(const struct parser *p, size_t first)
{
	const struct where_rule *rule = p->rule;

	return rule->nodes.len == first + 2 && rule->nodes.data[first].kind == WHERE_TERM &&
	       rule->nodes.data[first + 1].kind == WHERE_NOT &&
	       !rule->terms.data[rule->nodes.data[first].a].value.column;
}

static int scan_unary(struct parser *p, bool after_not)
{
	size_t first = p->rule->nodes.len;
	const char *start, *after;
	int err;

	scan_skip_blanks(&p->s);
	start = p->s.at;
	if (*start != '!' && *start != '(')
		return scan_term(p, after_not);
	if (++p->depth > MAX_NESTING)
		return scan_complain(&p->s, p->s.at, "parentheses nested too deeply");
	p->s.at++;
	if (*start == '!') {
		err = scan_unary(p, true);
		err = err ?: add_not(p);
	} else {
		err = scan_or(p);
		if (!err && !scan_take(&p->s, ")"))
			err = scan_complain(&p->s, p->s.at, *p->s.at ? "unexpected text" :
								       "')' is missing");
		after = p->s.at;
		err = err ?: compare_parenthesized(p, first, is_bare(p, first));
		if (!err && after_not && p->s.at > after + strspn(after, SCAN_BLANKS))
			err = complain_about_not(p, start);
	}
	p->depth--;
	return err;
}

static int scan_and(struct parser *p)
{
	int err = scan_unary(p, false);

	while (!err && scan_take(&p->s, "&&")) {
		uint16_t left = last_node(p);

		err = scan_unary(p, false);
		err = err ?: add_node(p, WHERE_AND, left, last_node(p));
	}
	return err;
}

static int scan_or(struct parser *p)
{
	int err = scan_and(p);

	while (!err && scan_take(&p->s, "||")) {
		uint16_t left = last_node(p);

		err = scan_and(p);
		err = err ?: add_node(p, WHERE_OR, left, last_node(p));
	}
	return err;
}

static int scan_condition(struct parser *p)
{
	int err = scan_or(p);

	if (err)
		return err;
	scan_skip_blanks(&p->s);
	if (*p->s.at == ')')
		return scan_complain(&p->s, p->s.at, "a ')' without a '('");
	if (*p->s.at == '|')
		return scan_complain(&p->s, p->s.at,
				     "'||' separates alternatives, not this,");
	return *p->s.at ? scan_complain(&p->s, p->s.at, "unexpected text") : 0;
}

/* The colon after the glob: the first one that is not part of it, as in "syscall:NAME" and ":PATH". */
static const char *find_colon(const char *text)
{
	const char *glob = text + strspn(text, " \t");

	if (startswith(glob, SPEC_SYSCALL_PREFIX))
		glob += strlen(SPEC_SYSCALL_PREFIX);
	return strchr(glob + (*glob == ':'), ':');
}

int where_parse(const char *text, struct where_rule *ret_rule)
{
	const char *colon = find_colon(text);
	struct where_rule rule = {};
	struct parser p = { .s = scan_start(OPTION, text), .rule = &rule };
	int err;

	if (!colon)
		return report(-EINVAL, OPTION ": '%s' is not of the form 'GLOB: a == 1 && b->c'",
			      text);
	p.s.at = colon + 1;
	rule.text = strdup(text);
	err = rule.text ? scan_condition(&p) : report_oom();
	err = err ?: spec_list_add_before(&rule.funcs, OPTION, text, colon);
	if (err)
		where_rule_release(&rule);
	else
		*ret_rule = rule;
	return err;
}

void where_rule_release(struct where_rule *rule)
{
	vec_foreach(term, &rule->terms)
		term_release(term);
	vec_release(&rule->terms);
	vec_release(&rule->nodes);
	spec_list_release(&rule->funcs);
	free(rule->text);
	rule->text = NULL;
}
