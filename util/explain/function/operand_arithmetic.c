// SPDX-License-Identifier: BSD-2-Clause
/* Follows a value to those that it was computed or selected from: "(pgoff + (len >> 12))", "min(limit, ipc_mni)". */
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
	if (value->is_global && value->bytes == size && !value->shift) {
		term->size = size;
		return 0;
	}
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

/*
 * Bits of a number, where the mask was in a register, or leaves bits out of those that another mask has left: "flags &
 * 0x900". False: what is made of the terms is something else.
 */
static bool take_bits(struct follower *f, const struct insn_arithmetic *made, struct term *a, struct term *b)
{
	struct term *number = a->value.is_constant ? b : a;
	int64_t mask = a->value.is_constant ? a->value.value : b->value.value;

	if (*made->operator != '&' || made->shift || made->addend || number->value.offset ||
	    a->value.is_constant == b->value.is_constant || !mask || (mask < 0 && !number->value.is_masked))
		return false;
	expression_mask(&number->value, zero_extend(mask, made->to.size));
	if (!expression_is_known(&number->value))
		return true;
	expression_release(f->to);
	*f->to = number->value;
	number->value = (struct expression){};
	return true;
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
	if (take_bits(f, &made, &a, &b))
		return 0;
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

/* The step before @step that set the flags which it asks for; UINT32_MAX: not known. */
static uint32_t find_comparison(const struct operand_way *way, uint32_t step)
{
	while (step-- > 0) {
		const struct path_step *at = &way->path->steps.data[step];
		const struct insn_effect *effect = code_effect(way->reader, at->addr);

		if (!effect || at->exception || at->insn.kind == BRANCH_CALL || at->insn.kind == BRANCH_INDIRECT_CALL)
			break;
		if (effect->sets_flags)
			return step;
	}
	return UINT32_MAX;
}

/* Whether a register has the same value before both steps. */
static bool is_kept(const struct operand_way *way, uint8_t reg, uint32_t first, uint32_t second)
{
	const struct operand value = { .kind = OPERAND_REGISTER, .reg = reg, .size = 8 };
	struct written a = value_written(way, &value, first), b = value_written(way, &value, second);

	return a.by != WRITTEN_UNKNOWN && a.by == b.by && (a.by == WRITTEN_BEFORE || a.step == b.step);
}

/* Whether a register has what the step @compared compared, when a later step selects it. 1; 0; -ENOMEM. */
static int is_compared(const struct follower *f, const struct operand *operand, uint8_t reg, uint32_t compared,
		       struct position at)
{
	const struct operand own = { .kind = OPERAND_REGISTER, .reg = reg, .size = operand->size };
	_cleanup_(term_release) struct term term = {};
	int err;

	if (operand->kind == OPERAND_REGISTER)
		return operand->reg == reg && is_kept(f->way, reg, compared, at.step);
	if (operand->kind != OPERAND_CONSTANT)
		return 0;
	err = follow_term(f, &own, at, operand->size, &term);
	if (err)
		return err == -ENOMEM ? err : 0;
	return term.value.is_constant &&
	       zero_extend(term.value.value, operand->size) == zero_extend(operand->value, operand->size);
}

/* "min" or "max" of the operands, if the first one is selected where the condition holds; NULL: neither. */
static const char *selection_name(enum condition condition)
{
	switch (condition) {
	case CONDITION_LESS:
	case CONDITION_LESS_EQUAL:
	case CONDITION_BELOW:
	case CONDITION_BELOW_EQUAL:
		return "min";
	case CONDITION_GREATER:
	case CONDITION_GREATER_EQUAL:
	case CONDITION_ABOVE:
	case CONDITION_ABOVE_EQUAL:
		return "max";
	default:
		return NULL;
	}
}

int follow_select(struct follower *f, const struct insn_effect *effect, struct position at)
{
	_cleanup_(term_release) struct term a = {}, b = {};
	struct insn_operands operands;
	enum condition condition;
	struct position asked;
	const char *name;
	uint32_t step;
	int first, err;

	if (f->in_call || f->terms >= MAX_TERMS || !at.on_way || effect->computes || effect->from_is_zero ||
	    effect->other_is_zero || effect->from_is_memory)
		return 0;
	step = find_comparison(f->way, at.step);
	if (step == UINT32_MAX || code_operands(f->way->reader, f->way->path->steps.data[step].addr, &operands))
		return 0;
	if (operands.kind == OPERANDS_MASK && operands.b.kind == OPERAND_REGISTER && operands.a.reg == operands.b.reg) {
		operands.kind = OPERANDS_COMPARE;
		operands.b = (struct operand){ .kind = OPERAND_CONSTANT, .size = operands.a.size };
	}
	if (operands.kind != OPERANDS_COMPARE || operands.a.kind != OPERAND_REGISTER || operands.a.size < 4 ||
	    operands.a.size != f->used)
		return 0;
	condition = code_condition(f->way->reader, at.addr, &operands);
	first = operands.a.reg == effect->from;
	if (!first && operands.a.reg != effect->other)
		return 0;
	name = selection_name(first ? condition : condition_not(condition));
	if (!name || !is_kept(f->way, operands.a.reg, step, at.step))
		return 0;
	err = is_compared(f, &operands.b, first ? effect->other : effect->from, step, at);
	if (err <= 0)
		return err;
	asked = position_of_step(f->way->path, step);
	err = follow_term(f, &operands.a, asked, f->used, &a) ?: follow_term(f, &operands.b, asked, f->used, &b);
	if (err || !is_as_in_source(&a, &b, operands.a.size))
		return err == -ENOMEM ? err : 0;
	strbuf_addf(&f->to->text, "%s(", name);
	add_term(&f->to->text, &a, 0);
	strbuf_addstr(&f->to->text, ", ");
	add_term(&f->to->text, &b, 0);
	strbuf_addch(&f->to->text, ')');
	take_type(f->to, &a, &b, operands.a.size);
	f->to->is_computed = true;
	return 0;
}
