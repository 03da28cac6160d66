// SPDX-License-Identifier: BSD-2-Clause
/*
 * A translator of print fmts. It accepts less than C and less than libtraceevent: where it refuses,
 * a record's fields are shown instead of its line.
 */
#include "util/kernel/tracepoints/print_fmt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/kernel/tracepoints/print_term.h"

#define MAX_SIZE (64 << 10)
#define MAX_ARGS 64

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

/* "%p" in the forms that libtraceevent knows. */
static const struct pointer {
	const char *form;
	uint32_t size;	/* of the field; 0: a dynamic array, or a field of any size */
	bool number;
} pointers[] = {
	/* Longer ones first. */
	{ "ISpsfc", 0, false }, { "ISpc", 0, false }, { "ISc", 0, false }, { "ISp", 0, false },
	{ "IS", 0, false },	{ "I4", 4, false },   { "i4", 4, false },  { "I6c", 16, false },
	{ "I6", 16, false },	{ "i6", 16, false },  { "MF", 6, false },  { "MR", 6, false },
	{ "M", 6, false },	{ "mR", 6, false },   { "m", 6, false },   { "Ub", 16, false },
	{ "UB", 16, false },	{ "Ul", 16, false },  { "UL", 16, false }, { "U", 16, false },
	{ "S", 0, true },	{ "s", 0, true },     { "F", 0, true },	   { "f", 0, true },
	{ "", 0, true },
};

struct conversion {
	enum kind kind;	/* of its argument */
	uint32_t size;	/* of DATA, unless 0 */
	bool plain;	/* without a width and the like */
	bool precision;	/* "%.*s": an argument before that for the string */
	bool character;	/* "%c" */
	bool unknown;	/* its number is not in the record, nor known otherwise */
};

static size_t skip_digits(const char **at)
{
	size_t digits = strspn(*at, "0123456789");

	*at += digits;
	return digits;
}

static bool take_pointer(const char **at, struct conversion *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(pointers); i++) {
		size_t len = strlen(pointers[i].form);

		if (strncmp(*at, pointers[i].form, len))
			continue;
		*at += len;
		c->kind = pointers[i].number ? NUMBER : DATA;
		c->size = pointers[i].size;
		/* Another letter makes another form, to the kernel or to libtraceevent. */
		return !isalnum((unsigned char)**at) || *pointers[i].form;
	}
	return false;
}

/* One conversion of a format string; *at is after the '%'. *ret_none: "%%" */
static bool take_conversion(const char **at, struct conversion *c, bool *ret_none)
{
	static const char *const lengths[] = { "hh", "h", "ll", "l", "L", "z" };
	const char *from = *at;

	*c = (struct conversion){ .kind = NUMBER };
	*ret_none = false;
	/* libtraceevent does not know the flags '+' and ' '. */
	*at += strspn(*at, "-#0");
	if (skip_digits(at) > 3)
		return false;
	if (**at == '.') {
		(*at)++;
		c->precision = **at == '*';
		*at += c->precision;
		if (skip_digits(at) > 3)
			return false;
	}
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		if (!strncmp(*at, lengths[i], strlen(lengths[i]))) {
			*at += strlen(lengths[i]);
			break;
		}
	}
	if (!**at || !strchr("diouxXcsp%", **at) || (c->precision && **at != 's'))
		return false;
	c->plain = *at == from;
	switch (*(*at)++) {
	case '%':
		*ret_none = true;
		return c->plain;
	case 's':
		c->kind = STRING;
		return true;
	case 'p':
		return take_pointer(at, c);
	case 'c':
		c->character = true;
		return !isalpha((unsigned char)(*at)[-2]);
	default:
		return true;
	}
}

/* The number before a string that is how much of it is printed. */
static bool take_precision(struct fmt *f, struct strbuf *sb)
{
	size_t values = f->out->values.len;
	char *text;
	struct term t;

	if (!take_expression(f, &t) || !number_text(f, &t, &text))
		return false;
	strbuf_addf(sb, ", %s", text);
	free(text);
	/* A constant is not written so. */
	if (f->out->values.len == values || !scan_take(&f->s, ","))
		return refuse_fmt(f);
	f->out->values.data[values].precision = true;
	return true;
}

static bool add_character(struct fmt *f, const struct term *t, struct strbuf *sb)
{
	struct print_fmt *out = f->out;

	strbuf_addf(sb, "REC->" PRINT_VALUE "%zu", out->values.len);
	return !vec_push(&out->values, (struct print_fmt_value){ .node = t->node, .character = true }) ||
	       refuse_fmt(f);
}

static bool take_arg(struct fmt *f, struct conversion *c, struct strbuf *sb)
{
	char *text = NULL;
	struct term t;

	if ((c->precision && !take_precision(f, sb)) || !take_expression(f, &t))
		return false;
	strbuf_addstr(sb, ", ");
	if (t.kind == NUMBER && t.unknown && c->kind == NUMBER) {
		c->unknown = true;
		strbuf_addstr(sb, "\"?\"");
		return true;
	}
	if (t.kind == NUMBER) {
		if (c->character)
			return add_character(f, &t, sb);
		if (c->kind != NUMBER || !number_text(f, &t, &text))
			return refuse_fmt(f);
		strbuf_addstr(sb, text);
		free(text);
		return true;
	}
	/* An array of characters is a string, too. */
	if (c->kind == NUMBER || (c->kind == DATA && t.kind != DATA) ||
	    (c->size && (t.field->dynamic || t.field->size != c->size)) ||
	    (c->kind == STRING && t.kind == DATA && (t.field->dynamic || !t.field->array)))
		return refuse_fmt(f);
	/* libtraceevent applies a width to each flag, not to all of them; and to no bytes. */
	if (!c->plain && (strstr(t.text, "__print_flags") || strstr(t.text, "__print_hex") ||
			  strstr(t.text, "__print_array")))
		return refuse_fmt(f);
	strbuf_addstr(sb, t.text);
	return true;
}

/*
 * Append a conversion, without its '%', as libtraceevent needs it. "%#x" is "0x0" to the kernel for
 * 0, and "0" to the C library.
 */
static void add_conversion(struct strbuf *sb, const char *text, size_t len, bool character)
{
	size_t flags = strspn(text, "-#0");
	bool special = memchr(text, '#', flags), zeros = memchr(text, '0', flags);
	int width = atoi(text + flags);
	char last = text[len - 1];

	/* Blanks would be between the prefix and the number. */
	if (!special || (last != 'x' && last != 'X') || (width && !zeros) ||
	    memchr(text, '-', flags) || memchr(text, '.', len)) {
		strbuf_addch(sb, '%');
		strbuf_add(sb, text, len - 1);
		strbuf_addch(sb, character ? 's' : last);
		return;
	}
	strbuf_addf(sb, "0%c%%", last);
	if (width > 2)
		strbuf_addf(sb, "0%d", width - 2);
	text += flags;
	len -= flags;
	for (; isdigit((unsigned char)*text); len--)
		text++;
	strbuf_add(sb, text, len);
}

/* Translate @format into @sb, and the arguments for its conversions into @args. */
static bool take_args(struct fmt *f, const char *format, struct strbuf *sb, struct strbuf *args)
{
	struct conversion conversion;
	const char *from, *percent;
	int nr = 0;
	bool none;

	for (; (percent = strchr(format, '%')); format = from) {
		strbuf_add(sb, format, percent - format);
		from = percent + 1;
		if (!take_conversion(&from, &conversion, &none))
			return refuse_fmt(f);
		/* libtraceevent refuses a print fmt without an argument for a conversion. */
		if (!none && scan_peek(&f->s) != '\0' &&
		    (++nr > MAX_ARGS || !scan_take(&f->s, ",") || !take_arg(f, &conversion, args)))
			return refuse_fmt(f);
		if (conversion.unknown)
			strbuf_addstr(sb, "%s");
		else
			add_conversion(sb, percent + 1, from - percent - 1, conversion.character);
	}
	strbuf_addstr(sb, format);
	return true;
}

/* More arguments than conversions: C ignores them. */
static bool skip_args(struct fmt *f)
{
	struct term t;

	for (int args = 0; scan_take(&f->s, ","); args++) {
		if (args > MAX_ARGS || !take_expression(f, &t))
			return refuse_fmt(f);
	}
	return true;
}

static bool compile_fmt(struct fmt *f)
{
	struct strbuf given = STRBUF_INIT, args = STRBUF_INIT, *text = &f->out->text;
	bool good = take_strings(f, &given, true);

	if (good) {
		strbuf_addch(text, '"');
		good = take_args(f, strbuf_str(&given), text, &args) && skip_args(f);
		strbuf_addch(text, '"');
		strbuf_add(text, strbuf_str(&args), args.len);
	}
	good = good && !f->bad && scan_peek(&f->s) == '\0' && f->s.at == f->s.end &&
	       !text->failed && !args.failed;
	strbuf_release(&given);
	strbuf_release(&args);
	return good;
}

bool print_fmt_compile(const char *text, size_t size, const struct print_fmt_field *fields,
		       size_t nr_fields, struct print_fmt *ret)
{
	struct fmt f = {
		.s = { .text = text, .at = text, .end = text + size },
		.fields = fields,
		.nr_fields = nr_fields,
		.out = ret,
	};
	bool good = size <= MAX_SIZE && is_printable(text, size);

	/* A kernel's field must not be taken for one that stands for a number. */
	for (size_t i = 0; i < nr_fields; i++) {
		if (fields[i].len >= strlen(PRINT_VALUE) &&
		    !memcmp(fields[i].name, PRINT_VALUE, strlen(PRINT_VALUE)))
			good = false;
	}
	good = good && compile_fmt(&f);
	vec_foreach(t, &f.texts)
		free(*t);
	vec_release(&f.texts);
	return good;
}

void print_fmt_release(struct print_fmt *fmt)
{
	strbuf_release(&fmt->text);
	print_expr_release(&fmt->expr);
	vec_release(&fmt->values);
}
