// SPDX-License-Identifier: BSD-2-Clause
/*
 * A parser that only accepts or refuses. It accepts less than C and less than libtraceevent: where
 * it refuses, a record's fields are shown instead of its line.
 */
#include "util/kernel/types/print_fmt.h"

#include <ctype.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/text/scan.h"

#define MAX_SIZE (64 << 10)
#define MAX_NESTING 48
#define MAX_NAME 63
#define MAX_ARGS 64

struct fmt {
	struct scan s;
	const struct print_fmt_field *fields;
	size_t nr_fields;
	int depth;
	bool bad;
};

static bool refuse_fmt(struct fmt *f)
{
	f->bad = true;
	return false;
}

/* No control characters but these two, and ASCII only. */
static bool is_printable(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		unsigned char c = text[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c >= 0x7f)
			return false;
	}
	return true;
}

static char peek_token(struct fmt *f)
{
	return scan_peek(&f->s);
}

static bool take_token(struct fmt *f, const char *token)
{
	return scan_take(&f->s, token);
}

static bool take_name(struct fmt *f)
{
	size_t len = scan_name_length(&f->s);

	f->s.at += len;
	return (len && len <= MAX_NAME) || refuse_fmt(f);
}

/* Read the name of a field, which must exist. */
static bool take_field_name(struct fmt *f)
{
	size_t len = scan_name_length(&f->s);

	for (size_t i = 0; i < f->nr_fields; i++) {
		if (len == f->fields[i].len && !memcmp(f->s.at, f->fields[i].name, len))
			return take_name(f);
	}
	return refuse_fmt(f);
}

static bool next_is(struct fmt *f, const char *what)
{
	size_t len = scan_name_length(&f->s);

	return len == strlen(what) && !memcmp(f->s.at, what, len);
}

static bool take_number(struct fmt *f)
{
	const char *from = f->s.at;

	while (f->s.at < f->s.end && isalnum((unsigned char)*f->s.at))
		f->s.at++;
	return f->s.at - from <= 24 || refuse_fmt(f);
}

/* One conversion of a format string; @f is after the '%'. */
static bool take_conversion(struct fmt *f)
{
	static const char *const lengths[] = { "hh", "h", "ll", "l", "L", "z" };
	size_t digits = 0;

	while (f->s.at < f->s.end && strchr("-+ #0", *f->s.at))
		f->s.at++;
	while (f->s.at < f->s.end && isdigit((unsigned char)*f->s.at) && ++digits)
		f->s.at++;
	if (digits > 3)
		return refuse_fmt(f);
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		size_t len = strlen(lengths[i]);

		if ((size_t)(f->s.end - f->s.at) > len && !memcmp(f->s.at, lengths[i], len)) {
			f->s.at += len;
			break;
		}
	}
	if (f->s.at == f->s.end || !strchr("diouxXcsp%", *f->s.at))
		return refuse_fmt(f);
	return *f->s.at++ != 'p' || f->s.at == f->s.end || !isalnum((unsigned char)*f->s.at) ||
	       strchr("sSfFIMUx", *f->s.at) || refuse_fmt(f);
}

/* @format: its conversions count. */
static bool take_string(struct fmt *f, bool format)
{
	if (!take_token(f, "\""))
		return refuse_fmt(f);
	while (f->s.at < f->s.end && *f->s.at != '"') {
		char c = *f->s.at++;

		if (c == '\\' && (f->s.at == f->s.end || !strchr("nt\"\\", *f->s.at++)))
			return refuse_fmt(f);
		if (c == '%' && format && !take_conversion(f))
			return false;
	}
	return take_token(f, "\"") || refuse_fmt(f);
}

static bool take_expression(struct fmt *f);

/* NULL, in the forms that kernels write. */
static bool take_null(struct fmt *f)
{
	return take_token(f, "NULL") || take_token(f, "((void *)0)") || take_token(f, "0");
}

/* "{ 1, "one" }, { 2, "two" }", after a comma. */
static bool take_pairs(struct fmt *f)
{
	do {
		/* The kernel's own ends with a comma, or with { -1, NULL }. */
		if (peek_token(f) == ')')
			return true;
		if (!take_token(f, "{") || !take_expression(f) || !take_token(f, ","))
			return refuse_fmt(f);
		if (peek_token(f) == '"' ? !take_string(f, false) : !take_null(f))
			return refuse_fmt(f);
		if (!take_token(f, "}"))
			return refuse_fmt(f);
	} while (take_token(f, ","));
	return true;
}

/*
 * Functions in print fmts, and their parameters: n a field, e an expression, s a string, p pairs.
 */
static const struct {
	const char *name, *args;
} functions[] = {
	{ "__get_str", "n" },
	{ "__get_rel_str", "n" },
	{ "__get_dynamic_array", "n" },
	{ "__get_rel_dynamic_array", "n" },
	{ "__get_dynamic_array_len", "n" },
	{ "__get_rel_dynamic_array_len", "n" },
	{ "__get_bitmask", "n" },
	{ "__get_rel_bitmask", "n" },
	{ "__print_symbolic", "ep" },
	{ "__print_flags", "esp" },
	{ "__print_hex", "ee" },
	{ "__print_hex_str", "ee" },
	{ "__print_array", "eee" },
	{ "__builtin_expect", "ee" },
};

static bool take_arguments(struct fmt *f, const char *args)
{
	if (!take_token(f, "("))
		return refuse_fmt(f);
	for (const char *arg = args; *arg; arg++) {
		if (arg > args && !take_token(f, ","))
			return refuse_fmt(f);
		if (*arg == 'n' ? !take_field_name(f) :
		    *arg == 'e' ? !take_expression(f) :
		    *arg == 's' ? !take_string(f, false) :
				  !take_pairs(f))
			return refuse_fmt(f);
	}
	return take_token(f, ")") || refuse_fmt(f);
}

/* "(unsigned long)", "(const char *)"; nothing is taken if it is no type. */
static bool take_cast(struct fmt *f)
{
	const char *from = f->s.at;
	int words = 0;

	if (take_token(f, "(")) {
		while (scan_name_length(&f->s) && !next_is(f, "REC")) {
			if (!take_name(f))
				return false;
			words++;
		}
		while (words && take_token(f, "*"))
			;
		/*
		 * A name in parentheses is a constant, unless something follows that has a value.
		 */
		if (words && take_token(f, ")") &&
		    (scan_is_word(peek_token(f)) || strchr("(~!-", peek_token(f))))
			return peek_token(f) != '\0';
	}
	f->s.at = from;
	return false;
}

static bool take_field(struct fmt *f)
{
	if (!take_token(f, "REC") || !take_token(f, "->") || !take_field_name(f))
		return refuse_fmt(f);
	/* An element of an array: its index is a constant. */
	if (!take_token(f, "["))
		return true;
	return (isdigit((unsigned char)peek_token(f)) && take_number(f) && take_token(f, "]")) ||
	       refuse_fmt(f);
}

/* 'F' */
static bool take_character(struct fmt *f)
{
	const char *at = f->s.at;

	if (f->s.end - at < 3 || at[2] != '\'' || at[1] < ' ' || at[1] >= 0x7f || at[1] == '\'' ||
	    at[1] == '\\' || at[1] == '"')
		return refuse_fmt(f);
	f->s.at += 3;
	return true;
}

static bool take_primary(struct fmt *f)
{
	char c = peek_token(f);

	if (c == '\'')
		return take_character(f);
	if (c == '"')
		return take_string(f, false);
	if (isdigit((unsigned char)c))
		return take_number(f);
	if (c == '(') {
		take_token(f, "(");
		return (take_expression(f) && take_token(f, ")")) || refuse_fmt(f);
	}
	if (next_is(f, "REC"))
		return take_field(f);
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		if (next_is(f, functions[i].name))
			return take_name(f) && take_arguments(f, functions[i].args);
	}
	/* A constant; other functions are refused, since their results are not known. */
	return take_name(f) && (peek_token(f) != '(' || refuse_fmt(f));
}

static bool take_unary(struct fmt *f)
{
	bool good;

	if (++f->depth > MAX_NESTING)
		return refuse_fmt(f);
	if (take_token(f, "!") || take_token(f, "~") || take_token(f, "-"))
		good = take_unary(f);
	else if (take_cast(f))
		good = take_unary(f);
	else
		good = take_primary(f);
	f->depth--;
	return good && !f->bad;
}

static bool take_operator(struct fmt *f)
{
	static const char *const operators[] = {
		"<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
		"+", "-", "*", "/", "%", "&", "|", "^", "<", ">",
	};

	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		if (take_token(f, operators[i]))
			return true;
	}
	return false;
}

static bool take_expression(struct fmt *f)
{
	int operators = 0;

	if (++f->depth > MAX_NESTING || !take_unary(f))
		return refuse_fmt(f);
	while (take_operator(f)) {
		if (++operators > MAX_NESTING || !take_unary(f))
			return refuse_fmt(f);
	}
	if (take_token(f, "?")) {
		if (!take_expression(f) || !take_token(f, ":") || !take_expression(f))
			return refuse_fmt(f);
	}
	f->depth--;
	return true;
}

bool print_fmt_is_plain(const char *text, size_t size, const struct print_fmt_field *fields,
			size_t nr_fields)
{
	struct fmt f = {
		.s = { .text = text, .at = text, .end = text + size },
		.fields = fields,
		.nr_fields = nr_fields,
	};
	int args = 0;

	if (size > MAX_SIZE || !is_printable(text, size) || !take_string(&f, true))
		return false;
	while (take_token(&f, ",")) {
		if (++args > MAX_ARGS || !take_expression(&f))
			return false;
	}
	return !f.bad && peek_token(&f) == '\0' && f.s.at == f.s.end;
}
