// SPDX-License-Identifier: BSD-2-Clause
/* The kernel's printf(), applied to captured arguments. */
#include "util/view/values/printf_text.h"

#include <ctype.h>
#include <string.h>

#include "util/view/values/btf_value.h"

/* The kernel prints no wider numbers; longer text is cut. */
#define MAX_WIDTH 256
#define MAX_TEXT 4096

/* A printk() format may begin with this and its level. */
#define LEVEL_MARK '\001'

struct conversion {
	bool left, plus, space, alternate, zero;
	int width;
	int precision;		/* -1: none */
	unsigned int bits;	/* size of an integer */
	char what;		/* 0: the kernel does not have this conversion */
};

struct walk {
	struct strbuf *sb;
	const struct value_format *format;
	const struct printf_call *call;
	const char *at, *end;
	uint32_t word;		/* the next argument */
	bool missing;		/* the current conversion has no argument */
};

static char peek_char(const struct walk *w)
{
	return w->at < w->end ? *w->at : '\0';
}

static bool take_char(struct walk *w, char c)
{
	if (w->at == w->end || *w->at != c)
		return false;
	w->at++;
	return true;
}

static struct printf_word next_word(struct walk *w)
{
	if (w->word < w->call->nr)
		return w->call->words[w->word++];
	w->missing = true;
	return (struct printf_word){};
}

static int bounded_width(int64_t n)
{
	return n > MAX_WIDTH ? MAX_WIDTH : n < -MAX_WIDTH ? -MAX_WIDTH : (int)n;
}

/* Digits, or an argument that says the number. */
static int scan_number(struct walk *w)
{
	int n = 0;

	if (take_char(w, '*'))
		return bounded_width((int32_t)next_word(w).value);
	while (isdigit((unsigned char)peek_char(w)))
		n = bounded_width(n * 10 + (*w->at++ - '0'));
	return n;
}

static void scan_flags(struct walk *w, struct conversion *c)
{
	for (;; w->at++) {
		switch (peek_char(w)) {
		case '-':
			c->left = true;
			break;
		case '+':
			c->plus = true;
			break;
		case ' ':
			c->space = true;
			break;
		case '#':
			c->alternate = true;
			break;
		case '0':
			c->zero = true;
			break;
		default:
			return;
		}
	}
}

/* A conversion, after its percent sign. */
static struct conversion scan_conversion(struct walk *w)
{
	struct conversion c = { .precision = -1, .bits = 32 };

	scan_flags(w, &c);
	c.width = scan_number(w);
	if (c.width < 0) {
		c.left = true;
		c.width = -c.width;
	}
	if (take_char(w, '.')) {
		c.precision = scan_number(w);
		if (c.precision < 0)
			c.precision = 0;
	}
	if (take_char(w, 'h')) {
		c.bits = take_char(w, 'h') ? 8 : 16;
	} else if (take_char(w, 'l')) {
		take_char(w, 'l');
		c.bits = 64;
	} else if (take_char(w, 'L') || take_char(w, 'z') || take_char(w, 'Z') ||
		   take_char(w, 't') || take_char(w, 'j')) {
		c.bits = 64;
	}
	if (peek_char(w) && strchr("cspdiuxXo%", peek_char(w)))
		c.what = *w->at++;
	return c;
}

static void add_padded(struct walk *w, const struct conversion *c, const void *text, size_t len)
{
	int pad = (size_t)c->width > len ? c->width - (int)len : 0;

	if (!c->left)
		strbuf_pad(w->sb, pad, ' ');
	strbuf_add(w->sb, text, len);
	if (c->left)
		strbuf_pad(w->sb, pad, ' ');
}

static void add_integer(struct walk *w, const struct conversion *c, uint64_t n)
{
	bool is_signed = c->what == 'd' || c->what == 'i';
	unsigned int unused = 64 - c->bits;
	char spec[16], *at = spec, *digit;
	size_t start = w->sb->len;
	bool prefixed_zero;

	n <<= unused;
	n = is_signed ? (uint64_t)((int64_t)n >> unused) : n >> unused;
	/* "0x0" to the kernel, and "0" to the C library. */
	prefixed_zero = !n && c->alternate && (c->what == 'x' || c->what == 'X');
	n += prefixed_zero;
	*at++ = '%';
	if (c->left)
		*at++ = '-';
	if (c->plus)
		*at++ = '+';
	if (c->space)
		*at++ = ' ';
	if (c->alternate)
		*at++ = '#';
	if (c->zero)
		*at++ = '0';
	strcpy(at, c->precision < 0 ? "*ll" : "*.*ll");
	at += strlen(at);
	*at++ = c->what;
	*at = '\0';
	if (c->precision < 0)
		strbuf_addf(w->sb, spec, c->width, (unsigned long long)n);
	else
		strbuf_addf(w->sb, spec, c->width, c->precision, (unsigned long long)n);
	digit = prefixed_zero && !w->sb->failed ? strrchr(w->sb->s + start, '1') : NULL;
	if (digit)
		*digit = '0';
}

static void add_string(struct walk *w, const struct conversion *c, const struct printf_word *word)
{
	struct strbuf text = STRBUF_INIT;
	size_t len = word->len;
	bool cut = word->cut;

	if (word->text) {
		if (c->precision >= 0 && (size_t)c->precision <= len) {
			len = c->precision;
			cut = false;
		}
		strbuf_add(&text, word->text, len);
		if (cut)
			strbuf_addstr(&text, "…");
	} else if (!word->value) {
		strbuf_addstr(&text, "(null)");
	} else {
		value_pointer_add(&text, w->format, word->value, false);
	}
	add_padded(w, c, strbuf_str(&text), text.len);
	strbuf_release(&text);
}

/* The letters after %p select what to print; only names of functions are known here. */
static void add_pointer(struct walk *w, struct conversion *c, const struct printf_word *word)
{
	bool function = peek_char(w) && strchr("sSfFB", peek_char(w));
	struct strbuf text = STRBUF_INIT;

	/* "%*pb", "%*ph", "%*pE": the number is the size of what the pointer leads to. */
	if (peek_char(w) && strchr("bhE", peek_char(w)))
		c->width = 0;
	while (isalnum((unsigned char)peek_char(w)))
		w->at++;
	value_pointer_add(&text, w->format, word->value, function);
	add_padded(w, c, strbuf_str(&text), text.len);
	strbuf_release(&text);
}

/* False: the kernel would stop here, too. */
static bool add_conversion(struct walk *w)
{
	struct conversion c = scan_conversion(w);
	struct printf_word word;
	char character;

	if (!c.what)
		return false;
	if (c.what == '%') {
		strbuf_addch(w->sb, '%');
		return true;
	}
	word = next_word(w);
	character = word.value;
	if (w->missing) {
		while (c.what == 'p' && isalnum((unsigned char)peek_char(w)))
			w->at++;
		strbuf_addstr(w->sb, "…");
	} else if (c.what == 's') {
		add_string(w, &c, &word);
	} else if (c.what == 'p') {
		add_pointer(w, &c, &word);
	} else if (c.what == 'c') {
		add_padded(w, &c, &character, 1);
	} else {
		add_integer(w, &c, word.value);
	}
	return true;
}

bool printf_takes_words(const char *format, size_t len)
{
	const char *end = format + len;

	for (const char *at = format; at + 1 < end; at++) {
		if (*at != '%')
			continue;
		if (at[1] != '%')
			return true;
		at++;
	}
	return false;
}

void printf_text_add(struct strbuf *sb, const struct value_format *format,
		     const struct printf_call *call)
{
	struct walk w = {
		.sb = sb,
		.format = format,
		.call = call,
		.at = call->format,
		.end = call->format + call->len,
	};
	size_t limit = sb->len + MAX_TEXT;
	bool going_on = true;

	if (call->len > 1 && *w.at == LEVEL_MARK)
		w.at += 2;
	while (w.at < w.end && going_on) {
		const char *percent = memchr(w.at, '%', w.end - w.at);

		if (!percent)
			percent = w.end;
		strbuf_add(sb, w.at, percent - w.at);
		w.at = percent;
		if (take_char(&w, '%'))
			going_on = add_conversion(&w);
		going_on = going_on && sb->len < limit;
	}
	if (!going_on || call->cut)
		strbuf_addstr(sb, "…");
}
