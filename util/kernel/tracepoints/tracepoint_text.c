// SPDX-License-Identifier: BSD-2-Clause
/*
 * Records of tracepoints as text.
 *
 * libtraceevent believes what a record says: where its strings are, how many elements an array
 * has. So it gets a copy in which every __data_loc leads into the record, with zeros after that
 * end any string; and only such print fmts as cannot reach further than that.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#include "util/base/text/quote.h"
#include "util/kernel/tracepoints/tracepoint.h"

/* Zeros after a record: more than any one thing of fixed size that is printed. */
#define PADDING 4096
/* Elements of an array before the rest is "…". */
#define MAX_ELEMENTS 32
#define MAX_PRINT_DEPTH 64

/* A record that can be believed. */
struct checked {
	const struct tracepoint *tracepoint;
	uint8_t *data; /* size bytes, PADDING zeros and room for numbers; owned */
	size_t size; /* at least all fields */
	bool cut; /* a part of the record was missing */
};

struct location {
	uint32_t offset, length;
};

static struct location location_of(const struct checked *c, const struct tracepoint_field *field)
{
	struct location at;
	uint32_t word;

	memcpy(&word, c->data + field->offset, sizeof(word));
	at.offset = (word & 0xffff) + (field->relative ? field->offset + field->size : 0);
	at.length = word >> 16;
	return at;
}

/* Make the word of a dynamic field lead into the record. */
static void check_location(struct checked *c, const struct tracepoint_field *field)
{
	uint32_t base = field->relative ? field->offset + field->size : 0, word;
	struct location at = location_of(c, field);

	if (at.offset > c->size || !at.length) {
		c->cut |= at.length;
		at = (struct location){ c->size, 0 };
	}
	if (at.length > c->size - at.offset) {
		at.length = c->size - at.offset;
		c->cut = true;
	}
	word = (at.offset - base) | at.length << 16;
	memcpy(c->data + field->offset, &word, sizeof(word));
}

/* Bytes up to the end of all that libtraceevent may read, without padding. */
static size_t print_size(const struct checked *c)
{
	size_t numbers = c->tracepoint->print.values.len;

	return numbers ? TRACEPOINT_VALUES + numbers * sizeof(uint64_t) : c->size;
}

/* @print: there must be room for numbers, which are far from the rest. */
static int check_record(const struct tracepoint *tracepoint, const void *record, size_t size,
			bool print, struct checked *c)
{
	uint16_t type = tracepoint->id;

	*c = (struct checked){ .tracepoint = tracepoint, .size = size };
	if (c->size > TRACEPOINT_MAX_RECORD) {
		c->size = size = TRACEPOINT_MAX_RECORD;
		c->cut = true;
	}
	if (c->size < tracepoint->fixed_size) {
		c->size = tracepoint->fixed_size;
		c->cut = true;
	}
	c->data = calloc(1, (print ? print_size(c) : c->size) + PADDING);
	if (!c->data)
		return -ENOMEM;
	/* The kernel has put a pointer over the common fields. */
	if (size > 8)
		memcpy(c->data + 8, (const uint8_t *)record + 8, size - 8);
	memcpy(c->data, &type, sizeof(type));
	vec_foreach(field, &tracepoint->fields) {
		if (field->dynamic)
			check_location(c, field);
	}
	return 0;
}

/* By how libtraceevent refers to it. */
static const struct tracepoint_field *field_named(const struct checked *c, const char *name)
{
	return vec_find(field, &c->tracepoint->fields, name && !strcmp(field->name, name));
}

static bool is_dynamic(const struct checked *c, const char *name)
{
	const struct tracepoint_field *field = field_named(c, name);

	return field && field->dynamic;
}

static bool is_dynarray(const struct checked *c, const struct tep_print_arg *arg)
{
	return arg->dynarray.field && is_dynamic(c, arg->dynarray.field->name);
}

static uint64_t read_number(const void *at, uint32_t size, bool is_signed)
{
	union {
		uint8_t u8;
		uint16_t u16;
		uint32_t u32;
		uint64_t u64;
	} n = {};

	memcpy(&n, at, size <= 8 ? size : 8);
	switch (size) {
	case 1:
		return is_signed ? (uint64_t)(int8_t)n.u8 : n.u8;
	case 2:
		return is_signed ? (uint64_t)(int16_t)n.u16 : n.u16;
	case 4:
		return is_signed ? (uint64_t)(int32_t)n.u32 : n.u32;
	default:
		return n.u64;
	}
}

/* Whether an argument is a number that we computed. */
static bool is_value(const struct checked *c, const struct tep_print_arg *arg)
{
	return c->tracepoint->print.values.len && arg->type == TEP_PRINT_FIELD && arg->field.field &&
	       arg->field.field->offset >= (int)TRACEPOINT_VALUES;
}

/* A constant of the print fmt. -1: no constant, or larger than any value in records. */
static int64_t constant_value(const struct tep_print_arg *arg)
{
	char *end;
	long long n;

	if (!arg || arg->type != TEP_PRINT_ATOM || !arg->atom.atom)
		return -1;
	n = strtoll(arg->atom.atom, &end, 0);
	return end == arg->atom.atom || n < 0 || n > TRACEPOINT_MAX_RECORD ? -1 : n;
}

/* How many elements an array of the print fmt has; -1: that takes more than a look. */
static int64_t count_of(const struct checked *c, const struct tep_print_arg *arg)
{
	const struct tracepoint_field *field;
	uint64_t n;

	while (arg && arg->type == TEP_PRINT_TYPE)
		arg = arg->typecast.item;
	if (!arg)
		return -1;
	switch (arg->type) {
	case TEP_PRINT_FIELD:
		if (is_value(c, arg)) {
			n = read_number(c->data + arg->field.field->offset, sizeof(n), false);
			return n > TRACEPOINT_MAX_RECORD ? -1 : (int64_t)n;
		}
		field = field_named(c, arg->field.name);
		if (!field || field->array)
			return -1;
		n = read_number(c->data + field->offset, field->size, field->is_signed);
		return n > TRACEPOINT_MAX_RECORD ? -1 : (int64_t)n;
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		if (!is_dynarray(c, arg))
			return -1;
		return location_of(c, field_named(c, arg->dynarray.field->name)).length;
	default:
		return constant_value(arg);
	}
}

/* Whether the record has @count bytes where the print fmt reads them. */
static bool array_fits(const struct checked *c, const struct tep_print_arg *arg, int64_t count)
{
	const struct tracepoint_field *field;
	size_t offset;

	if (!arg || count < 0)
		return false;
	if (arg->type == TEP_PRINT_DYNAMIC_ARRAY) {
		if (!is_dynarray(c, arg))
			return false;
		offset = location_of(c, field_named(c, arg->dynarray.field->name)).offset;
	} else if (arg->type == TEP_PRINT_FIELD) {
		field = field_named(c, arg->field.name);
		if (!field)
			return false;
		offset = field->offset;
	} else {
		return false;
	}
	return (uint64_t)count <= c->size - offset;
}

static bool args_are_safe(const struct checked *c, const struct tep_print_arg *arg, int depth);

static bool op_is_safe(const struct checked *c, const struct tep_print_arg *arg, int depth)
{
	const char *op = arg->op.op ?: "";

	/* libtraceevent divides by 0, and reads elements that do not exist. */
	if ((*op == '/' || *op == '%') && constant_value(arg->op.right) <= 0)
		return false;
	if (*op == '[' &&
	    (constant_value(arg->op.right) < 0 || constant_value(arg->op.right) > 255))
		return false;
	return args_are_safe(c, arg->op.left, depth) && args_are_safe(c, arg->op.right, depth);
}

/* Whether printing an argument stays within the record and its padding. */
static bool arg_is_safe(const struct checked *c, const struct tep_print_arg *arg, int depth)
{
	if (depth > MAX_PRINT_DEPTH)
		return false;
	switch (arg->type) {
	case TEP_PRINT_NULL:
	case TEP_PRINT_ATOM:
	case TEP_PRINT_FIELD:
		return true;
	case TEP_PRINT_FLAGS:
		return args_are_safe(c, arg->flags.field, depth);
	case TEP_PRINT_SYMBOL:
		return args_are_safe(c, arg->symbol.field, depth);
	case TEP_PRINT_TYPE:
		return args_are_safe(c, arg->typecast.item, depth);
	case TEP_PRINT_OP:
		return op_is_safe(c, arg, depth);
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		return array_fits(c, arg->hex.field, count_of(c, arg->hex.size));
	case TEP_PRINT_STRING:
	case TEP_PRINT_BSTRING:
		return is_dynamic(c, arg->string.string);
	case TEP_PRINT_BITMASK:
		return is_dynamic(c, arg->bitmask.bitmask);
	case TEP_PRINT_DYNAMIC_ARRAY:
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		return is_dynarray(c, arg);
	default:
		/*
		 * Functions of plugins, what is newer than this; arrays of numbers, which
		 * libtraceevent 1.7 prints as "1 2", not as "{0x1,0x2}"; and masks of CPUs, some of
		 * which it never gets done with.
		 */
		return false;
	}
}

static bool args_are_safe(const struct checked *c, const struct tep_print_arg *arg, int depth)
{
	for (; arg; arg = arg->next) {
		if (!arg_is_safe(c, arg, depth + 1))
			return false;
	}
	return true;
}

static bool is_printable(const struct checked *c)
{
	const struct tep_print_fmt *fmt = &c->tracepoint->event->print_fmt;

	return args_are_safe(c, fmt->args, 0);
}

/* Compute the numbers of the print fmt. */
static bool add_values(const struct checked *c)
{
	const struct print_fmt *print = &c->tracepoint->print;

	for (size_t i = 0; i < print->values.len; i++) {
		const struct print_fmt_value *v = &print->values.data[i];
		uint64_t value;

		if (!print_expr_value(&print->expr, v->node, c->data, &value) ||
		    (v->precision && value > TRACEPOINT_MAX_RECORD))
			return false;
		if (v->character)
			value &= 0xff;
		memcpy(c->data + TRACEPOINT_VALUES + i * sizeof(value), &value, sizeof(value));
	}
	return true;
}

static bool print_by_fmt(const struct checked *c, struct strbuf *sb)
{
	struct tep_record record = {
		.data = c->data,
		.size = print_size(c),
		.record_size = print_size(c),
	};
	struct trace_seq text;
	size_t len;
	bool good;

	if (!c->tracepoint->readable || !add_values(c) || !is_printable(c))
		return false;
	trace_seq_init(&text);
	tep_print_event(c->tracepoint->tep, &text, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&text);
	good = text.state == TRACE_SEQ__GOOD &&
	       !(c->tracepoint->event->flags & TEP_EVENT_FL_FAILED);
	if (good) {
		for (len = strlen(text.buffer); len && strchr(" \n", text.buffer[len - 1]);)
			len--;
		quote_add(sb, text.buffer, len, 0);
	}
	trace_seq_destroy(&text);
	return good;
}

/* Small numbers as people count, large ones as registers are read. */
static void number_add(struct strbuf *sb, uint64_t n, uint32_t size, bool is_signed)
{
	if (is_signed && (int64_t)n < 0 && (int64_t)n >= -(1 << 20))
		strbuf_addf(sb, "%" PRId64, (int64_t)n);
	else if (n <= 1 << 20)
		strbuf_addf(sb, "%" PRIu64, n);
	else
		strbuf_addf(sb, "0x%" PRIx64, size < 8 ? n & (((uint64_t)1 << 8 * size) - 1) : n);
}

static void elements_add(struct strbuf *sb, const struct tracepoint_field *field,
			 const uint8_t *data, size_t size)
{
	size_t nr = size / field->element_size;

	strbuf_addch(sb, '[');
	for (size_t i = 0; i < nr && i < MAX_ELEMENTS; i++) {
		if (i)
			strbuf_addch(sb, ',');
		number_add(sb,
			   read_number(data + i * field->element_size, field->element_size,
				       field->is_signed),
			   field->element_size, field->is_signed);
	}
	strbuf_addstr(sb, nr > MAX_ELEMENTS ? ",…]" : "]");
}

static void value_add(const struct checked *c, const struct tracepoint_field *field,
		      struct strbuf *sb)
{
	struct location at = { field->offset, field->size };

	if (field->dynamic)
		at = location_of(c, field);
	else if (field->array && !field->size)
		at.length = c->size - field->offset; /* a flexible array: the rest */
	if (field->string)
		quote_add(sb, (char *)c->data + at.offset,
			  strnlen((char *)c->data + at.offset, at.length), '\'');
	else if (field->array || field->size > 8)
		elements_add(sb, field, c->data + at.offset, at.length);
	else
		number_add(sb, read_number(c->data + at.offset, at.length, field->is_signed),
			   at.length, field->is_signed && !field->pointer);
}

static void fields_add(const struct checked *c, struct strbuf *sb)
{
	const char *separator = "";

	vec_foreach(field, &c->tracepoint->fields) {
		strbuf_addf(sb, "%s%s=", separator, field->name);
		value_add(c, field, sb);
		separator = " ";
	}
}

void tracepoint_add(const struct tracepoint *tracepoint, const void *record, size_t size,
		    struct strbuf *sb)
{
	struct checked c;

	if (check_record(tracepoint, record, size, true, &c)) {
		sb->failed = true;
		return;
	}
	if (!print_by_fmt(&c, sb))
		fields_add(&c, sb);
	if (c.cut)
		strbuf_addstr(sb, "…");
	free(c.data);
}

/* Whether a part of the field is after the end of the record. *ret_none: all of it is. */
static bool is_cut(const struct tracepoint_field *field, const void *record, size_t size,
		   bool *ret_none)
{
	uint64_t end;
	uint32_t word;

	*ret_none = field->offset + field->size > size;
	if (*ret_none || !field->dynamic)
		return *ret_none;
	memcpy(&word, (const uint8_t *)record + field->offset, sizeof(word));
	end = (word & 0xffff) + (word >> 16) + (field->relative ? field->offset + field->size : 0);
	return word >> 16 && end > (size < TRACEPOINT_MAX_RECORD ? size : TRACEPOINT_MAX_RECORD);
}

void tracepoint_field_add(const struct tracepoint *tracepoint, const struct tracepoint_field *field,
			  const void *record, size_t size, struct strbuf *sb)
{
	struct checked c;
	bool none, cut = is_cut(field, record, size, &none);

	if (check_record(tracepoint, record, size, false, &c)) {
		sb->failed = true;
		return;
	}
	if (!none)
		value_add(&c, field, sb);
	if (cut)
		strbuf_addstr(sb, "…");
	free(c.data);
}
