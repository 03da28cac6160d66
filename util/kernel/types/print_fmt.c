// SPDX-License-Identifier: BSD-2-Clause
/*
 * A parser that only says yes or no. What it takes is less than C and less than libtraceevent
 * takes: where it says no, a record's fields are shown instead of its line.
 */
#include "util/kernel/types/print_fmt.h"

#include <ctype.h>
#include <string.h>

#define MAX_SIZE (64 << 10)
#define MAX_DEPTH 48
#define MAX_NAME 63
#define MAX_ARGS 64

struct fmt {
	const char *at, *end;
	const struct print_fmt_field *fields;
	size_t nr_fields;
	int depth;
	bool bad;
};

static bool no(struct fmt *f)
{
	f->bad = true;
	return false;
}

static void skip_blanks(struct fmt *f)
{
	while (f->at < f->end && (*f->at == ' ' || *f->at == '\t' || *f->at == '\n'))
		f->at++;
}

static char peek(struct fmt *f)
{
	skip_blanks(f);
	return f->at < f->end ? *f->at : '\0';
}

static bool take(struct fmt *f, const char *what)
{
	size_t len = strlen(what);

	skip_blanks(f);
	if ((size_t)(f->end - f->at) < len || memcmp(f->at, what, len))
		return false;
	f->at += len;
	return true;
}

static size_t word(struct fmt *f)
{
	size_t len = 0;

	skip_blanks(f);
	while (f->at + len < f->end &&
	       (isalnum((unsigned char)f->at[len]) || f->at[len] == '_'))
		len++;
	return len && !isdigit((unsigned char)*f->at) ? len : 0;
}

static bool take_name(struct fmt *f)
{
	size_t len = word(f);

	f->at += len;
	return (len && len <= MAX_NAME) || no(f);
}

/* The name of a field that there is. */
static bool take_field_name(struct fmt *f)
{
	size_t len = word(f);

	for (size_t i = 0; i < f->nr_fields; i++) {
		if (len == f->fields[i].len && !memcmp(f->at, f->fields[i].name, len))
			return take_name(f);
	}
	return no(f);
}

static bool is_word(struct fmt *f, const char *what)
{
	size_t len = word(f);

	return len == strlen(what) && !memcmp(f->at, what, len);
}

static bool take_number(struct fmt *f)
{
	const char *from = f->at;

	while (f->at < f->end && isalnum((unsigned char)*f->at))
		f->at++;
	return f->at - from <= 24 || no(f);
}

/* One conversion of a format string; @f is behind the '%'. */
static bool take_conversion(struct fmt *f)
{
	static const char *const lengths[] = { "hh", "h", "ll", "l", "L", "z" };
	size_t digits = 0;

	while (f->at < f->end && strchr("-+ #0", *f->at))
		f->at++;
	while (f->at < f->end && isdigit((unsigned char)*f->at) && ++digits)
		f->at++;
	if (digits > 3)
		return no(f);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t len = strlen(lengths[i]);

		if ((size_t)(f->end - f->at) > len && !memcmp(f->at, lengths[i], len)) {
			f->at += len;
			break;
		}
	}
	if (f->at == f->end || !strchr("diouxXcsp%", *f->at))
		return no(f);
	return *f->at++ != 'p' || f->at == f->end || !isalnum((unsigned char)*f->at) ||
	       strchr("sSfFIMUx", *f->at) || no(f);
}

/* @format: its conversions count. */
static bool take_string(struct fmt *f, bool format)
{
	if (!take(f, "\""))
		return no(f);
	while (f->at < f->end && *f->at != '"') {
		char c = *f->at++;

		if (c == '\\' && (f->at == f->end || !strchr("nt\"\\", *f->at++)))
			return no(f);
		if (c == '%' && format && !take_conversion(f))
			return false;
		if (((unsigned char)c < ' ' && c != '\n' && c != '\t') ||
		    (unsigned char)c >= 0x7f)
			return no(f);
	}
	return take(f, "\"") || no(f);
}

static bool take_expression(struct fmt *f);

/* As kernels have been writing it. */
static bool take_null(struct fmt *f)
{
	return take(f, "NULL") || take(f, "((void *)0)") || take(f, "0");
}

/* "{ 1, "one" }, { 2, "two" }", after a comma. */
static bool take_pairs(struct fmt *f)
{
	do {
		/* The kernel's own ends with a comma, or with { -1, NULL }. */
		if (peek(f) == ')')
			return true;
		if (!take(f, "{") || !take_expression(f) || !take(f, ","))
			return no(f);
		if (peek(f) == '"' ? !take_string(f, false) : !take_null(f))
			return no(f);
		if (!take(f, "}"))
			return no(f);
	} while (take(f, ","));
	return true;
}

/* Those that print fmts have, and what is in their parentheses: n a field, e an expression, s a
 * string, p pairs.
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
	if (!take(f, "("))
		return no(f);
	for (const char *arg = args; *arg; arg++) {
		if (arg > args && !take(f, ","))
			return no(f);
		if (*arg == 'n' ? !take_field_name(f) :
		    *arg == 'e' ? !take_expression(f) :
		    *arg == 's' ? !take_string(f, false) :
				  !take_pairs(f))
			return no(f);
	}
	return take(f, ")") || no(f);
}

/* "(unsigned long)", "(const char *)"; nothing is taken if it is no type. */
static bool take_cast(struct fmt *f)
{
	const char *from = f->at;
	int words = 0;

	if (take(f, "(")) {
		while (word(f) && !is_word(f, "REC")) {
			if (!take_name(f))
				return false;
			words++;
		}
		while (words && take(f, "*"))
			;
		/* A name in parentheses is a constant, unless something follows that has a value. */
		if (words && take(f, ")") &&
		    (word(f) || isdigit((unsigned char)peek(f)) || strchr("(~!-", peek(f))))
			return peek(f) != '\0';
	}
	f->at = from;
	return false;
}

static bool take_field(struct fmt *f)
{
	if (!take(f, "REC") || !take(f, "->") || !take_field_name(f))
		return no(f);
	/* An element, whose place is written down. */
	if (!take(f, "["))
		return true;
	return (isdigit((unsigned char)peek(f)) && take_number(f) && take(f, "]")) || no(f);
}

/* 'F' */
static bool take_character(struct fmt *f)
{
	if (f->end - f->at < 3 || f->at[2] != '\'' || f->at[1] < ' ' || f->at[1] >= 0x7f ||
	    f->at[1] == '\'' || f->at[1] == '\\' || f->at[1] == '"')
		return no(f);
	f->at += 3;
	return true;
}

static bool take_primary(struct fmt *f)
{
	char c = peek(f);

	if (c == '\'')
		return take_character(f);
	if (c == '"')
		return take_string(f, false);
	if (isdigit((unsigned char)c))
		return take_number(f);
	if (c == '(') {
		take(f, "(");
		return (take_expression(f) && take(f, ")")) || no(f);
	}
	if (is_word(f, "REC"))
		return take_field(f);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (is_word(f, functions[i].name))
			return take_name(f) && take_arguments(f, functions[i].args);
	}
	/* A constant; no other function is known to print what it would. */
	return take_name(f) && (peek(f) != '(' || no(f));
}

static bool take_unary(struct fmt *f)
{
	bool good;

	if (++f->depth > MAX_DEPTH)
		return no(f);
	if (take(f, "!") || take(f, "~") || take(f, "-"))
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

	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (take(f, operators[i]))
			return true;
	}
	return false;
}

static bool take_expression(struct fmt *f)
{
	int operators = 0;

	if (++f->depth > MAX_DEPTH || !take_unary(f))
		return no(f);
	while (take_operator(f)) {
		if (++operators > MAX_DEPTH || !take_unary(f))
			return no(f);
	}
	if (take(f, "?")) {
		if (!take_expression(f) || !take(f, ":") || !take_expression(f))
			return no(f);
	}
	f->depth--;
	return true;
}

bool print_fmt_is_plain(const char *text, size_t size, const struct print_fmt_field *fields,
			size_t nr_fields)
{
	struct fmt f = { text, text + size, fields, nr_fields, 0, false };
	int args = 0;

	if (size > MAX_SIZE || !take_string(&f, true))
		return false;
	while (take(&f, ",")) {
		if (++args > MAX_ARGS || !take_expression(&f))
			return false;
	}
	return !f.bad && peek(&f) == '\0' && f.at == f.end;
}
