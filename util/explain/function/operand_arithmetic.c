// SPDX-License-Identifier: BSD-2-Clause
/* Follows a value to those that it was computed from: "(pgoff + (len >> 12))". */
#include <bpf/btf.h>
#include <errno.h>

#include "util/base/cleanup.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/operand_internal.h"
#include "util/kernel/numbers/number_text.h"
#include "util/kernel/types/btf_types.h"

/* Computations one inside the other; more of them hide the rest of the condition. */
#define MAX_TERMS 2
/* Larger constants are easier to read in hex. */
#define MAX_DECIMAL 4096

/* A number that is a part of a sum. */
struct term {
	struct expression value;
	uint8_t size;		/* of its type; 0: a constant */
};

static void term_release(struct term *term)
{
	expression_release(&term->value);
}

/* 0; -ENOENT it has no name, or is no number; -ENOMEM. */
static int follow_term(const struct follower *f, const struct operand *operand, struct position at, uint8_t size,
		       struct term *term)
{
	const struct follower inner = {
		.way = f->way,
		.nesting = f->nesting,
		.size = size,
		.used = size,
		.terms = f->terms + 1,
		.is_short = f->is_short,
		.by_variables = f->by_variables,
	};
	struct expression *value = &term->value;
	int err = follow_best(&inner, operand, at, value);

	if (err)
		return err;
	if (value->is_constant)
		return 0;
	if (!expression_is_number(value) || value->is_negated || expression_is_bool(value))
		return -ENOENT;
	term->size = btf_size_of(value->btf, value->type);
	/* Smaller ones become an int. A part of a larger one is another number. */
	return term->size > size || (value->bytes && value->bytes < term->size) ? -ENOENT : 0;
}

static void add_constant(struct strbuf *text, int64_t value)
{
	if ((value < -MAX_DECIMAL || value > MAX_DECIMAL) && !number_is_round(value))
		strbuf_addf(text, "0x%llx", (unsigned long long)value);
	else
		strbuf_addf(text, "%lld", (long long)value);
}

/* " + 8"; nothing for 0. */
static void add_addend(struct strbuf *text, int64_t addend)
{
	if (!addend)
		return;
	strbuf_addstr(text, addend < 0 ? " - " : " + ");
	add_constant(text, addend < 0 ? -addend : addend);
}

static void add_term(struct strbuf *text, const struct term *term, uint8_t shift)
{
	const struct expression *value = &term->value;
	bool is_sum = value->offset || value->is_masked;

	if (value->is_constant)
		return add_constant(text, shift ? value->value << shift : value->value);
	strbuf_addstr(text, shift ? "(" : "");
	strbuf_addstr(text, is_sum ? "(" : "");
	strbuf_addstr(text, value->text.s);
	add_addend(text, value->offset);
	strbuf_addstr(text, is_sum ? ")" : "");
	if (shift)
		strbuf_addf(text, " << %d)", shift);
}

/* The type of the result, if it is that of an operand in C, too. */
static void take_type(struct expression *to, const struct term *a, const struct term *b, uint8_t size)
{
	const struct term *whole = a->size == size ? a : b;

	to->bytes = size;
	if (whole->size != size || (a->size == b->size && expression_is_signed(&a->value) !=
								  expression_is_signed(&b->value)))
		return;
	to->btf = whole->value.btf;
	to->type = whole->value.type;
}

/*
 * Whether the terms have the same values in C: there, two ints are added as ints, and what a long has above
 * them is kept.
 */
static bool is_as_in_source(const struct term *a, const struct term *b, uint8_t size)
{
	if (a->value.is_constant && b->value.is_constant)
		return false;
	return size == 4 || a->size == 8 || b->size == 8;
}

int follow_arithmetic(struct follower *f, uint8_t reg, struct position at)
{
	_cleanup_(term_release) struct term a = {}, b = {};
	struct insn_arithmetic made;
	struct strbuf *text = &f->to->text;
	uint8_t size;
	int err;

	if (f->in_call || f->terms >= MAX_TERMS || !code_arithmetic(f->way->reader, at.addr, &made) ||
	    made.to.reg != reg || made.to.size < 4)
		return 0;
	size = made.to.size;
	err = follow_term(f, &made.a, at, size, &a) ?: follow_term(f, &made.b, at, size, &b);
	if (err || !is_as_in_source(&a, &b, size))
		return err == -ENOMEM ? err : 0;
	strbuf_addch(text, '(');
	add_term(text, &a, 0);
	strbuf_addf(text, " %s ", made.operator);
	if (b.value.is_constant && b.value.value < 0 && *made.operator == '&')
		strbuf_addf(text, "~0x%llx", (unsigned long long)~b.value.value);
	else
		add_term(text, &b, made.shift);
	add_addend(text, made.addend);
	strbuf_addch(text, ')');
	take_type(f->to, &a, &b, size);
	f->to->is_computed = true;
	return 0;
}
