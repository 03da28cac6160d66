// SPDX-License-Identifier: BSD-2-Clause
/* Conditions on arguments, compiled for one function. */
#include "util/plan/args/where_compile.h"

#include <errno.h>
#include <string.h>

#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/text/errnames.h"
#include "util/base/text/nearest.h"
#include "util/kernel/types/btf_types.h"
#include "util/plan/args/args_internal.h"
#include "util/plan/args/args_object.h"

#define OPTION "--where"

#define COMPLAIN(origin, column, fmt, ...)                                                         \
	((origin)->strict ? report(-EINVAL, OPTION ": " fmt " at column %d of '%s'",               \
				   ##__VA_ARGS__, (column), (origin)->text) : -EINVAL)

/* A number that an operand is. */
struct number {
	enum { UNSIGNED, SIGNED, AS_COMPARED } sign;
	bool pointer;
	uint32_t limit_bits;	/* what the type can hold */
	uint32_t bits;		/* it has, of the item's, from `shift` on */
	uint32_t shift;
};

/* The number that bits, or a constant with its sign, are. */
struct constant {
	uint64_t number;
	bool negative;
	bool is_bits;
};

static uint64_t low_bits(uint32_t n)
{
	return n < 64 ? (1ull << n) - 1 : UINT64_MAX;
}

static const struct btf_type *type_of(const struct arg_object *o)
{
	return o->btf && !o->pointers_to ? btf_underneath(o->btf, o->type) : NULL;
}

/* A comparison with text needs no declaration as text: names are often unsigned char. */
static bool is_byte(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf_underneath(btf, id);

	return type && btf_is_int(type) && type->size == 1 && !(btf_int_encoding(type) & BTF_INT_BOOL);
}

static bool is_string_pointer(const struct arg_object *o)
{
	uint32_t pointee;

	if (o->pointers_to)
		return o->pointers_to == 1 && (o->text || (o->btf && is_byte(o->btf, o->type)));
	pointee = o->btf ? btf_pointee(o->btf, o->type) : 0;
	return pointee && is_byte(o->btf, pointee);
}

static bool is_byte_array(const struct arg_object *o)
{
	const struct btf_type *type = type_of(o);

	return type && btf_is_array(type) && is_byte(o->btf, btf_array(type)->type);
}

/* An enumerator that is looked for, and what was found so far. */
struct enumerator {
	const char *name;
	struct nearest *near;	/* offer it the names instead */
	bool found, ambiguous;
	struct constant value;
};

static void offer_enumerator(struct enumerator *e, const char *name, uint64_t value, bool negative)
{
	struct constant found = { negative ? -value : value, negative, true };

	if (e->near)
		nearest_offer(e->near, name);
	if (e->near || strcmp(name, e->name))
		return;
	if (e->found)
		e->ambiguous |= e->value.number != found.number || e->value.negative != negative;
	e->value = found;
	e->found = true;
}

static void offer_enum(struct enumerator *e, const struct btf *btf, const struct btf_type *type)
{
	bool is_signed = btf_kflag(type);

	for (int i = 0; i < btf_vlen(type); i++) {
		if (btf_is_enum(type)) {
			int32_t value = btf_enum(type)[i].val;

			offer_enumerator(e, btf_name(btf, btf_enum(type)[i].name_off),
					 is_signed ? (uint64_t)(int64_t)value : (uint32_t)value,
					 is_signed && value < 0);
		} else {
			const struct btf_enum64 *value = &btf_enum64(type)[i];

			offer_enumerator(e, btf_name(btf, value->name_off), btf_enum64_value(value),
					 is_signed && value->val_hi32 >> 31);
		}
	}
}

static bool is_boolean(const struct btf_type *type)
{
	return btf_is_int(type) && btf_int_encoding(type) & BTF_INT_BOOL;
}

/* @own: the enum it has to be of; NULL: any. */
static void offer_enums(struct enumerator *e, const struct btf *btf, const struct btf_type *own)
{
	uint32_t nr = btf && !own ? btf__type_cnt(btf) : 0;

	if (own)
		offer_enum(e, btf, own);
	for (uint32_t id = 1; id < nr; id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);

		if (type && btf_is_any_enum(type))
			offer_enum(e, btf, type);
	}
}

static int report_no_enumerator(const struct arg_object *o, const struct where_constant *constant,
				const struct btf_type *own)
{
	struct nearest near = nearest_start(constant->text);
	struct enumerator e = { .name = constant->text, .near = &near };

	if (!o->origin->strict)
		return -EINVAL;
	offer_enums(&e, o->btf, own);
	return nearest_report(&near, "give a number, an enumerator, NULL, true, false, -ERRNAME or "
			      "\"text\"", OPTION ": unknown value '%s'%s%s at column %d of '%s'",
			      constant->text, own ? " in enum " : "",
			      own ? btf_type_name(o->btf, own) : "", constant->column,
			      o->origin->text);
}

static int find_enumerator(const struct arg_object *o, struct where_constant *constant,
			   struct constant *ret)
{
	const struct btf_type *own = type_of(o);
	struct enumerator e = { .name = constant->text };

	if (own && !btf_is_any_enum(own))
		own = NULL;
	if (!own && o->btf && o->btf == constant->known_in) {
		*ret = (struct constant){ constant->known_number, constant->known_negative, true };
		return 0;
	}
	offer_enums(&e, o->btf, own);
	if (!e.found)
		return report_no_enumerator(o, constant, own);
	if (e.ambiguous)
		return COMPLAIN(o->origin, constant->column, "'%s' has several values, give the one "
				"that is meant,", constant->text);
	if (!own) {
		constant->known_in = o->btf;
		constant->known_number = e.value.number;
		constant->known_negative = e.value.negative;
	}
	*ret = e.value;
	return 0;
}

static int constant_of(const struct arg_object *o, struct where_constant *constant,
		       struct constant *ret)
{
	if (constant->kind == WHERE_NAME)
		return find_enumerator(o, constant, ret);
	*ret = (struct constant){ constant->number, constant->negative, constant->is_bits };
	return 0;
}

static int report_no_number(const struct arg_object *o, const struct arg_path *path,
			    const struct btf_type *type)
{
	struct strbuf names = STRBUF_INIT;
	int err;

	if (is_byte_array(o) && btf_is_char(o->btf, btf_array(type)->type))
		return COMPLAIN(o->origin, path->column, "'%s' is text, compare it with some, as in "
				"'%s == \"text\"',", path->text, path->text);
	if (type && btf_is_array(type))
		return COMPLAIN(o->origin, path->column, "'%s' is an array, compare an element, as in "
				"'a[0]',", path->text);
	if (!type || !btf_is_composite(type))
		return COMPLAIN(o->origin, path->column, "'%s' is no number", path->text);
	if (!o->origin->strict)
		return -EINVAL;
	arg_object_members(o, &names);
	err = report(-EINVAL, OPTION ": '%s' is a %s, compare a member, it has %s, at column %d of "
		     "'%s'", path->text, btf_is_union(type) ? "union" : "struct",
		     names.len ? names.s : "none", path->column, o->origin->text);
	strbuf_release(&names);
	return err;
}

/* The value of the operand as a number. Sets its item, too. */
static int number_of(struct arg_object *o, const struct param *param, const struct arg_path *path,
		     struct number *ret_number)
{
	const struct btf_type *type = type_of(o);
	struct number number = {};
	uint32_t size = 0;
	uint8_t skip = 0;
	int err;

	if (o->pointers_to || (type && btf_is_ptr(type))) {
		number.pointer = true;
		size = 8;
	} else if (!type && !param->type && !path->parts.len && !path->stars) {
		size = param->number_size;
		number.sign = param->is_signed ? SIGNED : UNSIGNED;
	} else if (type && btf_is_int(type)) {
		size = type->size;
		number.sign = btf_int_encoding(type) & BTF_INT_SIGNED ? SIGNED : UNSIGNED;
	} else if (type && btf_is_any_enum(type)) {
		size = type->size;
		number.sign = btf_kflag(type) ? SIGNED : AS_COMPARED;
	}
	if (!size)
		return report_no_number(o, path, type);
	err = arg_object_settle(o, &skip, path->text, path->column);
	if (err)
		return err;
	number.bits = o->bits ?: 8 * size;
	number.limit_bits = type && is_boolean(type) ? 1 : number.bits;
	number.shift = 8 * skip + (o->bits ? o->bit_offset : 0);
	size = (number.shift + number.bits + 7) / 8;
	if (size > 8)
		return COMPLAIN(o->origin, path->column, "'%s' is not within 8 bytes that begin where "
				"a byte does", path->text);
	o->item.kind = ARG_VALUE;
	o->item.size = size;
	if (o->in_user)
		o->item.flags |= ARG_USER;
	*ret_number = number;
	return 0;
}

static int report_out_of_range(const struct arg_object *o, const struct where_term *term,
			       const struct number *number, bool is_signed, int column)
{
	uint32_t bits = number->limit_bits;

	if (!is_signed)
		return COMPLAIN(o->origin, column, "'%s%s' is never that: it is 0 to %llu,",
				term->path.text, term->masked ? " & ..." : "",
				(unsigned long long)low_bits(bits));
	return COMPLAIN(o->origin, column, "'%s' is never that: it is %lld to %lld,",
			term->path.text, -(long long)low_bits(bits - 1) - 1,
			(long long)low_bits(bits - 1));
}

/* The bits, as many as @number has, that stand for the constant, if there are such. */
static bool bits_of(const struct constant *c, const struct number *number, bool is_signed,
		    bool bits_count, uint64_t *ret)
{
	uint64_t most = low_bits(number->limit_bits - is_signed);

	if (c->negative ? !is_signed || c->number > most + 1 :
			  c->number > most && !(is_signed && bits_count && c->is_bits &&
						c->number <= low_bits(number->limit_bits)))
		return false;
	*ret = (c->negative ? -c->number : c->number) & low_bits(number->bits);
	return true;
}

/*
 * -1 for all ones, as in C: ids and file descriptors are signed to the caller and unsigned here.
 * What is smaller than an int would be promoted, and is never negative. A long may be an int to
 * whoever called, who left the upper half 0 (fd of mmap()): it would not be equal, and nothing
 * would say so.
 */
static bool wraps_unsigned(const struct constant *c, const struct number *number,
			   const struct where_term *term)
{
	return c->negative && number->sign == UNSIGNED && !number->pointer && !term->masked &&
	       term->op == TERM_EQ && number->bits == 32 &&
	       c->number <= low_bits(number->bits - 1) + 1;
}

static int compile_mask(const struct arg_object *o, struct where_term *term,
			const struct number *number, uint64_t *ret_mask)
{
	struct constant c;
	int err;

	*ret_mask = low_bits(number->bits);
	if (!term->masked)
		return 0;
	err = constant_of(o, &term->mask, &c);
	if (err)
		return err;
	/* -8 is all but the lowest bits. */
	if (!bits_of(&c, number, c.negative, false, ret_mask))
		return report_out_of_range(o, term, number, c.negative, term->mask.column);
	return 0;
}

/* Whether a number is compared as signed. */
static bool compares_signed(const struct number *number, const struct where_term *term,
			    const struct constant *c)
{
	if (term->masked)
		return false;
	/* A type without a name for negative values may yet have them. */
	if (number->sign == AS_COMPARED)
		return c->negative || (term->op != TERM_EQ && !c->number);
	return number->sign == SIGNED;
}

static int compile_number(struct arg_object *o, const struct param *param,
			  struct where_term *term, struct where_test *test)
{
	struct number number = {};
	struct constant c;
	uint64_t mask, bits;
	bool is_signed;
	int err = number_of(o, param, &term->path, &number);

	err = err ?: compile_mask(o, term, &number, &mask);
	err = err ?: constant_of(o, &term->value, &c);
	if (err)
		return err;
	is_signed = compares_signed(&number, term, &c);
	if (number.pointer && !term->masked && c.negative && c.number <= MAX_ERRNO) {
		bits = -c.number;
	} else if (wraps_unsigned(&c, &number, term)) {
		bits = -c.number & low_bits(number.bits);
	} else if (!bits_of(&c, &number, is_signed, term->op == TERM_EQ, &bits)) {
		return report_out_of_range(o, term, &number, is_signed, term->value.column);
	}
	if (!is_signed && term->op == TERM_LT && !bits)
		return COMPLAIN(o->origin, term->value.column, "'%s' is unsigned and never less than "
				"0, as", term->path.text);
	test->item = o->item;
	test->op = term->op;
	test->mask[0] = mask << number.shift;
	test->value = bits << number.shift;
	if (term->op == TERM_EQ || !is_signed)
		return 0;
	/* The sign is at the top of the bytes that are read. */
	if (number.shift + number.bits != 8u * o->item.size)
		return COMPLAIN(o->origin, term->path.column, "'%s' is a bitfield with a sign, of which "
				"only == and != can be told,", term->path.text);
	test->is_signed = true;
	if (number.bits < 64 && bits >> (number.bits - 1))
		bits |= ~low_bits(number.bits);
	test->value = bits << number.shift;
	return 0;
}

static int compile_text(struct arg_object *o, const struct where_term *term,
			struct where_test *test)
{
	const struct arg_path *path = &term->path;
	const struct btf_type *type = type_of(o);
	uint32_t nr = 0, masked = term->value.len + !term->prefix;
	uint32_t pointee = o->pointers_to ? o->type : o->btf ? btf_pointee(o->btf, o->type) : 0;
	uint8_t skip = 0;
	int err;

	if (is_byte_array(o)) {
		nr = btf_array(type)->nelems;
		if (!o->in_memory)
			return COMPLAIN(o->origin, path->column, "'%s' is passed by value, and its text "
					"cannot be compared", path->text);
		if (nr && term->value.len > nr)
			return COMPLAIN(o->origin, term->value.column, "'%s' has room for %u bytes, "
					"and there are more", path->text, nr);
		/* Text that fills the buffer has no NUL. */
		if (nr && masked > nr)
			masked = nr;
	} else if (!is_string_pointer(o)) {
		return COMPLAIN(o->origin, path->column, "'%s' is no text", path->text);
	} else if (o->in_user) {
		return COMPLAIN(o->origin, path->column, "'%s' is in user memory, where pointers are "
				"not followed", path->text);
	} else if (o->user || (pointee && o->btf && btf_has_tag(o->btf, pointee, "user"))) {
		o->item.flags |= ARG_USER;
	}
	err = arg_object_settle(o, &skip, path->text, path->column);
	if (err)
		return err;
	if (skip)
		return COMPLAIN(o->origin, path->column, "'%s' does not begin where a register does",
				path->text);
	if (o->in_user)
		o->item.flags |= ARG_USER;
	o->item.kind = type && btf_is_array(type) ? ARG_VALUE : ARG_STRING;
	o->item.size = sizeof(test->text);
	test->item = o->item;
	test->op = TERM_EQ;
	test->is_text = true;
	memset(test->mask, 0xff, masked);
	memcpy(test->text, term->value.text, term->value.len);
	return 0;
}

static int compile_term(struct where_term *term, const struct arg_origin *origin, const char *func,
			const struct params *params, struct where_test *test)
{
	const struct param *param;
	struct arg_object o;
	int err = arg_path_param(&term->path, origin, func, params, &param);

	err = err ?: arg_path_follow(&term->path, origin, param, &o);
	if (err)
		return err;
	return term->value.kind == WHERE_TEXT ? compile_text(&o, term, test) :
						compile_number(&o, param, term, test);
}

/* The index of a test, which is added if it is not there; -1: no room. */
static int add_test(struct where *where, const struct where_test *test)
{
	for (uint32_t i = 0; i < where->nr; i++) {
		if (!memcmp(&where->tests[i], test, sizeof(*test)))
			return i;
	}
	if (where->nr == WHERE_MAX_TESTS)
		return -1;
	where->tests[where->nr] = *test;
	return where->nr++;
}

/* A bit for each outcome of all tests together. */
struct truth {
	uint64_t words[4];
};

static struct truth truth_of_test(int test)
{
	struct truth truth = {};

	for (int i = 0; i < 256; i++)
		truth.words[i / 64] |= (uint64_t)(i >> test & 1) << i % 64;
	return truth;
}

static struct truth truth_of_node(const struct where_node *node, const struct truth *nodes,
				  const uint8_t *tests)
{
	struct truth truth;

	if (node->kind == WHERE_TERM)
		return truth_of_test(tests[node->a]);
	for (int i = 0; i < 4; i++) {
		uint64_t a = nodes[node->a].words[i];

		truth.words[i] = node->kind == WHERE_NOT ? ~a :
				 node->kind == WHERE_AND ? a & nodes[node->b].words[i] :
							   a | nodes[node->b].words[i];
	}
	return truth;
}

/* Outcomes of tests that there are none of do not occur. */
static void set_truth(struct where *where, const struct truth *truth)
{
	uint32_t outcomes = 1u << where->nr;

	for (uint32_t i = 0; i < 4; i++)
		where->truth[i] = outcomes <= 64 * i ? 0 :
				  truth->words[i] & low_bits(outcomes - 64 * i);
}

int where_compile(struct where_rule *rule, bool strict, struct kernel_btf *btf,
		  const struct args_func *func, const struct syscall_params *syscall,
		  const struct arch *arch, struct where *ret_where)
{
	struct arg_origin origin = { OPTION, rule->text, strict };
	struct truth nodes[WHERE_MAX_NODES];
	uint8_t tests[WHERE_MAX_TERMS];
	struct where where = {};
	struct params params;

	params_of_func(btf, func, syscall, arch, &params);
	for (size_t i = 0; i < rule->terms.len; i++) {
		struct where_term *term = &rule->terms.data[i];
		struct where_test test = {};
		int err = compile_term(term, &origin, func->name, &params, &test), index;

		if (err)
			return err;
		index = add_test(&where, &test);
		if (index < 0)
			return !strict ? -E2BIG :
			       report(-E2BIG, OPTION ": no more than %d different comparisons, and "
				      "there is another at column %d of '%s'", WHERE_MAX_TESTS,
				      term->path.column, rule->text);
		tests[i] = index;
	}
	for (size_t i = 0; i < rule->nodes.len; i++)
		nodes[i] = truth_of_node(&rule->nodes.data[i], nodes, tests);
	set_truth(&where, &nodes[rule->nodes.len - 1]);
	*ret_where = where;
	return 0;
}

int where_and(const struct where *a, const struct where *b, struct where *ret_where)
{
	int index[WHERE_MAX_TESTS];
	struct where both = *a;
	struct truth truth = {};

	for (uint32_t i = 0; i < b->nr; i++) {
		index[i] = add_test(&both, &b->tests[i]);
		if (index[i] < 0)
			return -E2BIG;
	}
	for (uint32_t i = 0; i < 1u << both.nr; i++) {
		uint32_t of_a = i & (low_bits(a->nr)), of_b = 0;

		for (uint32_t n = 0; n < b->nr; n++)
			of_b |= (i >> index[n] & 1) << n;
		truth.words[i / 64] |= (a->truth[of_a / 64] >> of_a % 64 &
					b->truth[of_b / 64] >> of_b % 64 & 1) << i % 64;
	}
	set_truth(&both, &truth);
	*ret_where = both;
	return 0;
}
