// SPDX-License-Identifier: BSD-2-Clause
/*
 * Arguments of print fmts. Numbers are made nodes of an expression; strings, and bytes that are
 * printed as such, stay text for libtraceevent.
 */
#include "util/kernel/tracepoints/print_term.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/macros.h"

#define MAX_NESTING 48
#define MAX_NAME 63

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

static bool next_is(struct fmt *f, const char *what)
{
	size_t len = scan_name_length(&f->s);

	return len == strlen(what) && !memcmp(f->s.at, what, len);
}

/* Read the name of a field, which must exist. */
static bool take_field_name(struct fmt *f, const struct print_fmt_field **ret)
{
	size_t len = scan_name_length(&f->s);

	for (size_t i = 0; i < f->nr_fields; i++) {
		if (len != f->fields[i].len || memcmp(f->s.at, f->fields[i].name, len))
			continue;
		*ret = &f->fields[i];
		return take_name(f);
	}
	return refuse_fmt(f);
}

/* A term's text, which the parser keeps. Takes @text. */
static bool set_text(struct fmt *f, struct term *t, enum kind kind, char *text)
{
	*t = (struct term){ .kind = kind, .text = text };
	if (text && !vec_push(&f->texts, text))
		return true;
	free(text);
	return refuse_fmt(f);
}

static bool set_number(struct fmt *f, struct term *t, int node)
{
	*t = (struct term){ .kind = NUMBER, .node = node };
	return node >= 0 || refuse_fmt(f);
}

bool number_text(struct fmt *f, const struct term *t, char **ret)
{
	struct print_fmt *out = f->out;

	*ret = NULL;
	if (t->kind != NUMBER || t->unknown)
		return refuse_fmt(f);
	if (out->expr.nodes.data[t->node].op == PRINT_CONSTANT)
		*ret = strf("%" PRIu64, out->expr.nodes.data[t->node].value);
	else if (!vec_push(&out->values, (struct print_fmt_value){ .node = t->node }))
		*ret = strf("REC->" PRINT_VALUE "%zu", out->values.len - 1);
	return *ret || refuse_fmt(f);
}

bool take_strings(struct fmt *f, struct strbuf *sb, bool format)
{
	if (peek_token(f) != '"')
		return refuse_fmt(f);
	while (take_token(f, "\"")) {
		const char *from = f->s.at;

		for (; f->s.at < f->s.end && *f->s.at != '"'; f->s.at++) {
			if (*f->s.at != '\\')
				continue;
			/* libtraceevent prints escapes in arguments as they are. */
			if (!format || ++f->s.at == f->s.end || !strchr("nt\"\\", *f->s.at))
				return refuse_fmt(f);
		}
		strbuf_add(sb, from, f->s.at - from);
		if (!take_token(f, "\""))
			return refuse_fmt(f);
	}
	return !sb->failed || refuse_fmt(f);
}

/* A string as libtraceevent gets it, with its quotes. */
static bool take_string(struct fmt *f, char **ret)
{
	struct strbuf sb = STRBUF_INIT;
	bool good = take_strings(f, &sb, false);

	*ret = good ? strf("\"%s\"", strbuf_str(&sb)) : NULL;
	strbuf_release(&sb);
	return *ret || refuse_fmt(f);
}

/* NULL, in the forms that kernels write. */
static bool take_null(struct fmt *f)
{
	return take_token(f, "NULL") || take_token(f, "((void *)0)") || take_token(f, "0");
}

/* One of { 1, "one" }. @flags: a mask. */
static bool take_pair(struct fmt *f, struct strbuf *sb, bool flags)
{
	const struct print_node *node;
	char *text = NULL;
	struct term t;

	if (!take_token(f, "{") || !take_expression(f, &t) || !take_token(f, ","))
		return refuse_fmt(f);
	if (peek_token(f) != '"' ? !take_null(f) : !take_string(f, &text))
		return refuse_fmt(f);
	node = t.kind == NUMBER && !t.unknown ? &f->out->expr.nodes.data[t.node] : NULL;
	if (t.kind != NUMBER || (node && node->op != PRINT_CONSTANT))
		f->bad = true;
	/* To the kernel, each mask contains 0; and libtraceevent takes bit 63 for a sign. */
	if (node && flags && text && (int64_t)node->value <= 0)
		f->bad = true;
	/* A pair without a string ends the kernel's list. */
	if (node && text)
		strbuf_addf(sb, ", {%" PRIu64 ", %s}", node->value, text);
	free(text);
	return (take_token(f, "}") && !f->bad) || refuse_fmt(f);
}

/* { 1, "one" }, { 2, "two" } */
static bool take_pairs(struct fmt *f, struct strbuf *sb, bool flags)
{
	do {
		/* The kernel's own ends with a comma. */
		if (peek_token(f) == ')')
			return true;
		if (!take_pair(f, sb, flags))
			return false;
	} while (take_token(f, ","));
	return true;
}

enum result { TEXT, BYTES, LENGTH, FIRST, SIZE };

/*
 * Functions in print fmts, and their parameters: n a dynamic field, e a number, d data, s a string,
 * p pairs, m pairs with masks, t a type.
 */
static const struct function {
	const char *name, *args;
	enum result result;
} functions[] = {
	{ "__get_str", "n", TEXT },
	{ "__get_rel_str", "n", TEXT },
	{ "__get_dynamic_array", "n", BYTES },
	{ "__get_rel_dynamic_array", "n", BYTES },
	{ "__get_sockaddr", "n", BYTES },
	{ "__get_dynamic_array_len", "n", LENGTH },
	{ "__get_rel_dynamic_array_len", "n", LENGTH },
	{ "__get_bitmask", "n", TEXT },
	{ "__get_rel_bitmask", "n", TEXT },
	{ "__get_cpumask", "n", TEXT },
	{ "__get_rel_cpumask", "n", TEXT },
	{ "__print_symbolic", "ep", TEXT },
	{ "__print_flags", "esm", TEXT },
	{ "__print_hex", "de", TEXT },
	{ "__print_hex_str", "de", TEXT },
	{ "__print_array", "dee", TEXT },
	{ "__builtin_expect", "ee", FIRST },
	{ "sizeof", "t", SIZE },
};

/* Read a type up to the ")" after it. */
static bool take_type(struct fmt *f, struct print_type *ret)
{
	const char *from = f->s.at;

	while (scan_name_length(&f->s)) {
		if (!take_name(f))
			return false;
	}
	while (take_token(f, "*"))
		;
	return print_type_parse(from, f->s.at - from, ret);
}

/* One argument; @sb gets it for libtraceevent. */
static bool take_argument(struct fmt *f, char what, struct strbuf *sb, struct term *t)
{
	char *text = NULL;
	bool good;

	*t = (struct term){ 0 };
	switch (what) {
	case 'n':
		good = take_field_name(f, &t->field) && t->field->dynamic;
		if (good)
			strbuf_add(sb, t->field->name, t->field->len);
		return good || refuse_fmt(f);
	case 's':
		good = take_string(f, &text);
		break;
	case 'd':
		good = take_expression(f, t) && t->kind == DATA;
		text = good ? strdup(t->text) : NULL;
		break;
	default:
		good = take_expression(f, t) && number_text(f, t, &text);
		break;
	}
	if (text)
		strbuf_addstr(sb, text);
	free(text);
	return (good && text) || refuse_fmt(f);
}

static bool take_arguments(struct fmt *f, const char *args, struct strbuf *sb, struct term *first)
{
	struct term t;

	for (const char *arg = args; *arg; arg++) {
		if (arg > args && !take_token(f, ","))
			return refuse_fmt(f);
		if (*arg == 'p' || *arg == 'm') {
			/* Each pair brings its comma; an empty list has one, too. */
			size_t len = sb->len;

			if (!take_pairs(f, sb, *arg == 'm'))
				return false;
			if (sb->len == len)
				strbuf_addstr(sb, ", ");
			continue;
		}
		if (arg > args)
			strbuf_addstr(sb, ", ");
		if (!take_argument(f, *arg, sb, &t))
			return false;
		if (arg == args)
			*first = t;
	}
	return take_token(f, ")") || refuse_fmt(f);
}

/* A number with something in it whose value is not known. */
static bool set_unknown(struct fmt *f, struct term *t)
{
	const struct print_type type = { .size = 4, .is_signed = true };
	bool good = set_number(f, t, print_expr_constant(&f->out->expr, 0, type));

	t->unknown = true;
	return good;
}

/* The size of a struct is not known: "(struct page *)0xfffffdffc0000000 - start * sizeof(struct page)" of arm64. */
static bool take_sizeof(struct fmt *f, struct term *t)
{
	const struct print_type size_type = { .size = 8 };
	bool is_struct = scan_name_length(&f->s) == strlen("struct") && startswith(f->s.at, "struct");
	struct print_type type;
	bool known = take_type(f, &type);

	if ((!known && !is_struct) || !take_token(f, ")"))
		return refuse_fmt(f);
	if (!known)
		return set_unknown(f, t);
	return set_number(f, t, print_expr_constant(&f->out->expr, type.size, size_type));
}

static bool take_function(struct fmt *f, const struct function *function, struct term *t)
{
	const struct print_type long_type = { .size = 8, .is_signed = true };
	struct strbuf sb = STRBUF_INIT;
	struct term first = { 0 };
	bool good;

	if (!take_name(f) || !take_token(f, "("))
		return refuse_fmt(f);
	if (function->result == SIZE)
		return take_sizeof(f, t);
	strbuf_addf(&sb, "%s(", function->name);
	good = take_arguments(f, function->args, &sb, &first);
	strbuf_addch(&sb, ')');
	good = good && !sb.failed;
	if (good && (function->result == TEXT || function->result == BYTES)) {
		good = set_text(f, t, function->result == TEXT ? STRING : DATA,
				strdup(strbuf_str(&sb)));
		t->field = first.field;
	} else if (good && function->result == LENGTH) {
		good = set_number(f, t, print_expr_length(&f->out->expr, first.field->offset));
	} else if (good) {
		good = set_number(f, t, print_expr_cast(&f->out->expr, long_type, first.node));
	}
	strbuf_release(&sb);
	return good || refuse_fmt(f);
}

/* "(unsigned long)", "(const char *)"; nothing is taken if it is no type. */
static bool take_cast(struct fmt *f, struct print_type *ret)
{
	const char *from = f->s.at;

	/*
	 * A name in parentheses is a constant, unless something follows that has a value.
	 */
	if (take_token(f, "(") && scan_name_length(&f->s) && !next_is(f, "REC") &&
	    take_type(f, ret) && take_token(f, ")") &&
	    (scan_is_word(peek_token(f)) || (peek_token(f) && strchr("(~!-", peek_token(f)))))
		return true;
	f->s.at = from;
	return false;
}

/* An element of an array: its index is a constant. */
static bool take_element(struct fmt *f, const struct print_fmt_field *field, struct term *t)
{
	struct print_type type, index_type;
	const char *from = f->s.at;
	uint64_t index;

	while (f->s.at < f->s.end && isalnum((unsigned char)*f->s.at))
		f->s.at++;
	if (!print_number_parse(from, f->s.at - from, &index, &index_type) || !take_token(f, "]") ||
	    !field->array || field->dynamic ||
	    !print_type_parse(field->type, field->type_len, &type) ||
	    index >= field->size / type.size)
		return refuse_fmt(f);
	return set_number(f, t, print_expr_field(&f->out->expr, field->offset + index * type.size,
						 type));
}

/* Whether a field that is no array is a number. */
static bool field_type(const struct print_fmt_field *field, struct print_type *ret)
{
	bool pointer = memchr(field->type, '*', field->type_len);

	if (field->size != 1 && field->size != 2 && field->size != 4 && field->size != 8)
		return false;
	*ret = (struct print_type){
		.size = field->size,
		.is_signed = field->is_signed && !pointer,
		.pointer = pointer,
	};
	return true;
}

/* REC->field, (REC)->field; @address: after "&" */
static bool take_field(struct fmt *f, bool address, struct term *t)
{
	const struct print_fmt_field *field;
	struct print_type type;

	if (!take_token(f, "(REC)") && !take_token(f, "REC"))
		return refuse_fmt(f);
	if (!take_token(f, "->") || !take_field_name(f, &field) || field->dynamic)
		return refuse_fmt(f);
	if (take_token(f, "["))
		return take_element(f, field, t);
	if (!field->array && !address) {
		return field_type(field, &type) ?
			       set_number(f, t, print_expr_field(&f->out->expr, field->offset, type)) :
			       refuse_fmt(f);
	}
	if (!set_text(f, t, DATA, strf("REC->%.*s", (int)field->len, field->name)))
		return false;
	t->field = field;
	return true;
}

/* 'F' */
static bool take_character(struct fmt *f, struct term *t)
{
	const struct print_type type = { .size = 4, .is_signed = true };
	const char *at = f->s.at;

	if (f->s.end - at < 3 || at[2] != '\'' || at[1] < ' ' || at[1] >= 0x7f || at[1] == '\'' ||
	    at[1] == '\\' || at[1] == '"')
		return refuse_fmt(f);
	f->s.at += 3;
	return set_number(f, t, print_expr_constant(&f->out->expr, at[1], type));
}

static bool take_number(struct fmt *f, struct term *t)
{
	struct print_type type;
	const char *from = f->s.at;
	uint64_t value;

	while (f->s.at < f->s.end && isalnum((unsigned char)*f->s.at))
		f->s.at++;
	if (!print_number_parse(from, f->s.at - from, &value, &type))
		return refuse_fmt(f);
	return set_number(f, t, print_expr_constant(&f->out->expr, value, type));
}

/* A constant; functions are refused, since their results are not known. */
static bool take_constant(struct fmt *f, struct term *t)
{
	const struct print_type type = { .size = 4, .is_signed = true };
	size_t len = scan_name_length(&f->s);
	const char *name = f->s.at;
	uint64_t value = 0;
	bool known = print_constant_named(name, len, &value);

	if (!take_name(f) || peek_token(f) == '(' || peek_token(f) == '[')
		return refuse_fmt(f);
	return known ? set_number(f, t, print_expr_constant(&f->out->expr, value, type)) : set_unknown(f, t);
}

static bool take_primary(struct fmt *f, struct term *t)
{
	char c = peek_token(f), *text;

	if (c == '\'')
		return take_character(f, t);
	if (c == '"')
		return take_string(f, &text) && set_text(f, t, STRING, text);
	if (isdigit((unsigned char)c))
		return take_number(f, t);
	if (next_is(f, "REC") || (c == '(' && f->s.end - f->s.at > 4 && !memcmp(f->s.at, "(REC)", 5)))
		return take_field(f, false, t);
	if (take_token(f, "("))
		return (take_expression(f, t) && take_token(f, ")")) || refuse_fmt(f);
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		if (next_is(f, functions[i].name))
			return take_function(f, &functions[i], t);
	}
	return take_constant(f, t);
}

/* Apply a cast. Bytes and strings keep their text: only numbers have types. */
static bool cast_term(struct fmt *f, struct print_type type, struct term *t)
{
	bool unknown = t->unknown;

	if (t->kind != NUMBER)
		return type.pointer || refuse_fmt(f);
	if (!set_number(f, t, print_expr_cast(&f->out->expr, type, t->node)))
		return false;
	t->unknown = unknown;
	return true;
}

static bool apply_unary(struct fmt *f, enum print_op op, struct term *t)
{
	bool unknown = t->unknown;

	if (t->kind != NUMBER ||
	    !set_number(f, t, print_expr_unary(&f->out->expr, op, t->node)))
		return refuse_fmt(f);
	t->unknown = unknown;
	return true;
}

static bool take_unary(struct fmt *f, struct term *t)
{
	struct print_type type;
	bool good;

	if (++f->depth > MAX_NESTING)
		return refuse_fmt(f);
	if (take_token(f, "!"))
		good = take_unary(f, t) && apply_unary(f, PRINT_NOT, t);
	else if (take_token(f, "~"))
		good = take_unary(f, t) && apply_unary(f, PRINT_COMPLEMENT, t);
	else if (take_token(f, "-"))
		good = take_unary(f, t) && apply_unary(f, PRINT_NEGATE, t);
	else if (take_token(f, "&"))
		good = take_field(f, true, t);
	else if (take_cast(f, &type))
		good = take_unary(f, t) && cast_term(f, type, t);
	else
		good = take_primary(f, t);
	f->depth--;
	return good && !f->bad;
}

/* Longer ones first. */
static const struct operator {
	const char *token;
	enum print_op op;
	int precedence;
} operators[] = {
	{ "<<", PRINT_SHL, 8 },		{ ">>", PRINT_SHR, 8 },
	{ "<=", PRINT_LE, 7 },		{ ">=", PRINT_GE, 7 },
	{ "==", PRINT_EQ, 6 },		{ "!=", PRINT_NE, 6 },
	{ "&&", PRINT_LOGICAL_AND, 2 },	{ "||", PRINT_LOGICAL_OR, 1 },
	{ "+", PRINT_ADD, 9 },		{ "-", PRINT_SUB, 9 },
	{ "*", PRINT_MUL, 10 },		{ "/", PRINT_DIV, 10 },
	{ "%", PRINT_MOD, 10 },		{ "&", PRINT_AND, 5 },
	{ "|", PRINT_OR, 3 },		{ "^", PRINT_XOR, 4 },
	{ "<", PRINT_LT, 7 },		{ ">", PRINT_GT, 7 },
};

/* The operator that comes next, if it binds at least that strongly. */
static const struct operator *take_operator(struct fmt *f, int precedence)
{
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		const char *from = f->s.at;

		if (!take_token(f, operators[i].token))
			continue;
		if (operators[i].precedence >= precedence)
			return &operators[i];
		f->s.at = from;
		return NULL;
	}
	return NULL;
}

static bool take_binary(struct fmt *f, int precedence, struct term *t)
{
	const struct operator *operator;
	struct term right;
	int steps = 0;

	if (!take_unary(f, t))
		return false;
	while ((operator = take_operator(f, precedence))) {
		if (++steps > MAX_NESTING ||
		    !take_binary(f, operator->precedence + 1, &right) || t->kind != NUMBER ||
		    right.kind != NUMBER)
			return refuse_fmt(f);
		if (t->unknown || right.unknown) {
			set_unknown(f, t);
			continue;
		}
		if (!set_number(f, t, print_expr_binary(&f->out->expr, operator->op, t->node,
							right.node)))
			return false;
	}
	return true;
}

/* What the kernel prints for NULL in place of a string. */
static void name_null(struct fmt *f, struct term *t)
{
	const struct print_node *node = &f->out->expr.nodes.data[t->node];

	if (t->kind == NUMBER && node->op == PRINT_CONSTANT && node->type.pointer && !node->value)
		*t = (struct term){ .kind = STRING, .text = "\"(null)\"" };
}

/* "cond ? yes : no"; @t: the condition, then the result. */
static bool take_choice(struct fmt *f, struct term *t)
{
	struct term yes, no, condition = *t;
	char *text;

	if (!take_expression(f, &yes) || !take_token(f, ":") || !take_expression(f, &no) ||
	    condition.kind != NUMBER)
		return refuse_fmt(f);
	if (yes.kind == NUMBER && no.kind == NUMBER) {
		if (condition.unknown || yes.unknown || no.unknown)
			return set_unknown(f, t);
		return set_number(f, t, print_expr_choice(&f->out->expr, condition.node, yes.node, no.node));
	}
	name_null(f, &yes);
	name_null(f, &no);
	if (yes.kind == NUMBER || no.kind == NUMBER || !number_text(f, &condition, &text))
		return refuse_fmt(f);
	if (!set_text(f, t, STRING, strf("(%s ? %s : %s)", text, yes.text, no.text)))
		f->bad = true;
	free(text);
	return !f->bad;
}

bool take_expression(struct fmt *f, struct term *t)
{
	if (++f->depth > MAX_NESTING || !take_binary(f, 1, t))
		return refuse_fmt(f);
	if (take_token(f, "?") && !take_choice(f, t))
		return false;
	f->depth--;
	return true;
}
