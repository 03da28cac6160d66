// SPDX-License-Identifier: BSD-2-Clause
/* Numbers in print fmts, by the rules of C for types, promotion and conversion. */
#include "util/kernel/tracepoints/print_expr.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/text/scan.h"

/* Values are computed by functions that call themselves. */
#define MAX_DEPTH 256

static const struct print_type type_int = { .size = 4, .is_signed = true };

/* Names of types that kernels use in print fmts; those of the C language are parsed. */
static const struct {
	const char *name;
	uint8_t size;
	bool is_signed;
} types[] = {
	{ "u8", 1, false },	    { "__u8", 1, false },     { "uint8_t", 1, false },
	{ "s8", 1, true },	    { "__s8", 1, true },      { "int8_t", 1, true },
	{ "u16", 2, false },	    { "__u16", 2, false },    { "uint16_t", 2, false },
	{ "s16", 2, true },	    { "__s16", 2, true },     { "int16_t", 2, true },
	{ "u32", 4, false },	    { "__u32", 4, false },    { "uint32_t", 4, false },
	{ "s32", 4, true },	    { "__s32", 4, true },     { "int32_t", 4, true },
	{ "u64", 8, false },	    { "__u64", 8, false },    { "uint64_t", 8, false },
	{ "s64", 8, true },	    { "__s64", 8, true },     { "int64_t", 8, true },
	{ "__le16", 2, false },	    { "__le32", 4, false },   { "__le64", 8, false },
	{ "__be16", 2, false },	    { "__be32", 4, false },   { "__be64", 8, false },
	{ "uint", 4, false },	    { "ulong", 8, false },    { "ushort", 2, false },
	{ "size_t", 8, false },	    { "ssize_t", 8, true },   { "uintptr_t", 8, false },
	{ "loff_t", 8, true },	    { "sector_t", 8, false }, { "ino_t", 8, false },
	{ "pid_t", 4, true },	    { "dev_t", 4, false },    { "gfp_t", 4, false },
	{ "fmode_t", 4, false },    { "umode_t", 2, false },  { "blk_opf_t", 4, false },
	{ "pgoff_t", 8, false },    { "dma_addr_t", 8, false }, { "phys_addr_t", 8, false },
	{ "__kernel_rwf_t", 4, true },
};

static bool has_word(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(text, word, len);
}

/* How often a type has each word. */
struct type_words {
	int is_unsigned, is_signed, chars, shorts, ints, longs, bools, stars, structs, others;
	const char *other;
	size_t other_len;
};

static void count_word(struct type_words *w, const char *text, size_t len)
{
	static const struct {
		const char *word;
		size_t member;
	} counted[] = {
		{ "unsigned", offsetof(struct type_words, is_unsigned) },
		{ "signed", offsetof(struct type_words, is_signed) },
		{ "char", offsetof(struct type_words, chars) },
		{ "short", offsetof(struct type_words, shorts) },
		{ "int", offsetof(struct type_words, ints) },
		{ "long", offsetof(struct type_words, longs) },
		{ "bool", offsetof(struct type_words, bools) },
		{ "_Bool", offsetof(struct type_words, bools) },
		{ "struct", offsetof(struct type_words, structs) },
		{ "union", offsetof(struct type_words, structs) },
		{ "enum", offsetof(struct type_words, structs) },
	};

	if (has_word(text, len, "const") || has_word(text, len, "volatile"))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(counted); i++) {
		if (has_word(text, len, counted[i].word)) {
			(*(int *)((char *)w + counted[i].member))++;
			return;
		}
	}
	w->others++;
	w->other = text;
	w->other_len = len;
}

static bool named_type(const struct type_words *w, struct print_type *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (has_word(w->other, w->other_len, types[i].name)) {
			*ret = (struct print_type){ types[i].size, types[i].is_signed, false, false };
			return true;
		}
	}
	return false;
}

bool print_type_parse(const char *text, size_t len, struct print_type *ret)
{
	struct type_words w = { 0 };
	const char *end = text + len;

	while (text < end) {
		const char *from = text;

		while (text < end && scan_is_word(*text))
			text++;
		if (text > from)
			count_word(&w, from, text - from);
		else if (*text == '*')
			w.stars++, text++;
		else if (strchr(SCAN_BLANKS, *text))
			text++;
		else
			return false;
	}
	if (w.stars) {
		*ret = (struct print_type){ .size = 8, .pointer = true };
		return true;
	}
	if (w.structs)
		return false;
	if (w.others)
		return w.others == 1 && named_type(&w, ret);
	if (w.bools)
		return *ret = (struct print_type){ .size = 1, .boolean = true }, true;
	if (!w.is_unsigned && !w.is_signed && !w.chars && !w.shorts && !w.ints && !w.longs)
		return false;
	*ret = (struct print_type){
		.size = w.chars ? 1 : w.shorts ? 2 : w.longs ? 8 : 4,
		.is_signed = !w.is_unsigned,
	};
	/* Whether a plain char has a sign is the compiler's choice; kernels before 6.2 had no rule. */
	return !w.chars || w.is_unsigned || w.is_signed;
}

bool print_number_parse(const char *text, size_t len, uint64_t *ret, struct print_type *ret_type)
{
	bool is_unsigned = false, is_long = false, decimal;
	char copy[32], *end;

	if (!len || len >= sizeof(copy))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	errno = 0;
	*ret = strtoull(copy, &end, 0);
	if (errno || end == copy)
		return false;
	decimal = *copy != '0';
	for (; *end; end++) {
		if (*end != 'u' && *end != 'U' && *end != 'l' && *end != 'L')
			return false;
		is_unsigned |= *end == 'u' || *end == 'U';
		is_long |= *end == 'l' || *end == 'L';
	}
	if (*ret > UINT32_MAX || (*ret > INT32_MAX && decimal && !is_unsigned))
		is_long = true;
	if (*ret > INT64_MAX || (*ret > INT32_MAX && !is_long))
		is_unsigned = true;
	*ret_type = (struct print_type){ .size = is_long ? 8 : 4, .is_signed = !is_unsigned };
	return true;
}

bool print_constant_named(const char *name, size_t len, uint64_t *ret)
{
	static const struct {
		const char *name;
		uint64_t value;
	} known[] = {
		{ "HI_SOFTIRQ", 0 },	   { "TIMER_SOFTIRQ", 1 },     { "NET_TX_SOFTIRQ", 2 },
		{ "NET_RX_SOFTIRQ", 3 },   { "BLOCK_SOFTIRQ", 4 },     { "IRQ_POLL_SOFTIRQ", 5 },
		{ "TASKLET_SOFTIRQ", 6 },  { "SCHED_SOFTIRQ", 7 },     { "HRTIMER_SOFTIRQ", 8 },
		{ "RCU_SOFTIRQ", 9 },	   { "HRTIMER_NORESTART", 0 }, { "HRTIMER_RESTART", 1 },
		{ "false", 0 },		   { "true", 1 },	       { "IPPROTO_UDP", 17 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (has_word(name, len, known[i].name)) {
			*ret = known[i].value;
			return true;
		}
	}
	return false;
}

/* A value of 64 bits as one of @type, extended again. */
static uint64_t convert(uint64_t value, struct print_type type)
{
	if (type.boolean)
		return value != 0;
	switch (type.size) {
	case 1:
		return type.is_signed ? (uint64_t)(int8_t)value : (uint8_t)value;
	case 2:
		return type.is_signed ? (uint64_t)(int16_t)value : (uint16_t)value;
	case 4:
		return type.is_signed ? (uint64_t)(int32_t)value : (uint32_t)value;
	default:
		return value;
	}
}

static struct print_type promoted(struct print_type type)
{
	return type.size < 4 ? type_int : type;
}

/* The type in which an operator computes with both. */
static struct print_type common_type(struct print_type a, struct print_type b)
{
	a = promoted(a);
	b = promoted(b);
	if (a.pointer || b.pointer)
		return (struct print_type){ .size = 8, .pointer = true };
	if (a.size != b.size)
		return a.size > b.size ? a : b;
	return a.is_signed ? b : a;
}

static const struct print_node *node_at(const struct print_expr *expr, int node)
{
	return &expr->nodes.data[node];
}

static bool divide(enum print_op op, uint64_t a, uint64_t b, struct print_type type, uint64_t *ret)
{
	if (!b)
		return false;
	if (!type.is_signed) {
		*ret = op == PRINT_DIV ? a / b : a % b;
		return true;
	}
	if ((int64_t)b == -1 && (int64_t)a <= (type.size == 8 ? INT64_MIN : INT32_MIN))
		return false;
	*ret = op == PRINT_DIV ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b;
	return true;
}

static bool shift(enum print_op op, uint64_t a, uint64_t count, struct print_type type,
		  uint64_t *ret)
{
	if (count >= type.size * 8u)
		return false;
	if (op == PRINT_SHL)
		*ret = a << count;
	else
		*ret = type.is_signed ? (uint64_t)((int64_t)a >> count) : a >> count;
	return true;
}

static bool compare(enum print_op op, uint64_t a, uint64_t b, bool is_signed)
{
	bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;

	switch (op) {
	case PRINT_LT:
		return less;
	case PRINT_GT:
		return !less && a != b;
	case PRINT_LE:
		return less || a == b;
	case PRINT_GE:
		return !less;
	case PRINT_EQ:
		return a == b;
	default:
		return a != b;
	}
}

static bool binary_value(const struct print_expr *expr, const struct print_node *node, uint64_t a,
			 uint64_t b, uint64_t *ret)
{
	struct print_type ta = node_at(expr, node->a)->type, tb = node_at(expr, node->b)->type;
	struct print_type type = common_type(ta, tb);
	enum print_op op = node->op;

	if (op == PRINT_SHL || op == PRINT_SHR)
		return shift(op, a, b, node->type, ret);
	a = convert(a, type);
	b = convert(b, type);
	switch (op) {
	case PRINT_DIV:
	case PRINT_MOD:
		return divide(op, a, b, type, ret);
	case PRINT_MUL:
		*ret = a * b;
		return true;
	case PRINT_ADD:
		*ret = a + b;
		return true;
	case PRINT_SUB:
		*ret = a - b;
		return true;
	case PRINT_AND:
		*ret = a & b;
		return true;
	case PRINT_XOR:
		*ret = a ^ b;
		return true;
	case PRINT_OR:
		*ret = a | b;
		return true;
	default:
		*ret = compare(op, a, b, type.is_signed);
		return true;
	}
}

static uint64_t field_value(const struct print_node *node, const void *data)
{
	uint64_t value = 0;
	uint32_t word;

	if (node->op == PRINT_LENGTH) {
		memcpy(&word, (const char *)data + node->offset, sizeof(word));
		return word >> 16;
	}
	memcpy(&value, (const char *)data + node->offset, node->type.size);
	return value;
}

static bool raw_value(const struct print_expr *expr, const struct print_node *node,
		      const void *data, uint64_t *ret)
{
	uint64_t a, b;

	if (node->op == PRINT_CONSTANT)
		return *ret = node->value, true;
	if (node->op == PRINT_FIELD || node->op == PRINT_LENGTH)
		return *ret = field_value(node, data), true;
	if (!print_expr_value(expr, node->a, data, &a))
		return false;
	switch (node->op) {
	case PRINT_CAST:
		return *ret = a, true;
	case PRINT_NOT:
		return *ret = !a, true;
	case PRINT_COMPLEMENT:
		return *ret = ~a, true;
	case PRINT_NEGATE:
		return *ret = -a, true;
	case PRINT_CHOICE:
		return print_expr_value(expr, a ? node->b : node->c, data, ret);
	case PRINT_LOGICAL_AND:
	case PRINT_LOGICAL_OR:
		/* The right side may be undefined where the left side decides. */
		if (!a == (node->op == PRINT_LOGICAL_AND))
			return *ret = !!a, true;
		if (!print_expr_value(expr, node->b, data, &b))
			return false;
		return *ret = !!b, true;
	default:
		return print_expr_value(expr, node->b, data, &b) &&
		       binary_value(expr, node, a, b, ret);
	}
}

bool print_expr_value(const struct print_expr *expr, int node, const void *data, uint64_t *ret)
{
	const struct print_node *n = node_at(expr, node);

	if (!raw_value(expr, n, data, ret))
		return false;
	*ret = convert(*ret, n->type);
	return true;
}

static bool is_constant(const struct print_expr *expr, int node)
{
	return node_at(expr, node)->op == PRINT_CONSTANT;
}

static int add_node(struct print_expr *expr, struct print_node node)
{
	if (expr->nodes.len >= INT_MAX || vec_push(&expr->nodes, node))
		return -1;
	return expr->nodes.len - 1;
}

/* Add a node, or a constant in its place; @constant: its operands are. */
static int add_folded(struct print_expr *expr, struct print_node node, bool constant)
{
	const struct print_node *nodes = expr->nodes.data;
	uint64_t value;

	/* Those that are not used are node 0. */
	node.depth = nodes[node.a].depth;
	node.depth = node.depth > nodes[node.b].depth ? node.depth : nodes[node.b].depth;
	node.depth = node.depth > nodes[node.c].depth ? node.depth : nodes[node.c].depth;
	if (++node.depth > MAX_DEPTH)
		return -1;
	if (!constant)
		return add_node(expr, node);
	if (!raw_value(expr, &node, NULL, &value))
		return -1;
	return print_expr_constant(expr, value, node.type);
}

int print_expr_constant(struct print_expr *expr, uint64_t value, struct print_type type)
{
	return add_node(expr, (struct print_node){ .op = PRINT_CONSTANT,
						   .type = type,
						   .value = convert(value, type) });
}

int print_expr_field(struct print_expr *expr, uint32_t offset, struct print_type type)
{
	return add_node(expr,
			(struct print_node){ .op = PRINT_FIELD, .type = type, .offset = offset });
}

int print_expr_length(struct print_expr *expr, uint32_t offset)
{
	return add_node(expr, (struct print_node){ .op = PRINT_LENGTH,
						   .type = type_int,
						   .offset = offset });
}

int print_expr_cast(struct print_expr *expr, struct print_type type, int a)
{
	return add_folded(expr, (struct print_node){ .op = PRINT_CAST, .type = type, .a = a },
			  is_constant(expr, a));
}

int print_expr_unary(struct print_expr *expr, enum print_op op, int a)
{
	struct print_type type = node_at(expr, a)->type;

	if (op == PRINT_NOT)
		type = type_int;
	else if (type.pointer)
		return -1;
	return add_folded(expr, (struct print_node){ .op = op, .type = promoted(type), .a = a },
			  is_constant(expr, a));
}

static struct print_type binary_type(enum print_op op, struct print_type a, struct print_type b)
{
	if (op == PRINT_LOGICAL_AND || op == PRINT_LOGICAL_OR || (op >= PRINT_LT && op <= PRINT_NE))
		return type_int;
	return op == PRINT_SHL || op == PRINT_SHR ? promoted(a) : common_type(a, b);
}

int print_expr_binary(struct print_expr *expr, enum print_op op, int a, int b)
{
	struct print_type type =
		binary_type(op, node_at(expr, a)->type, node_at(expr, b)->type);

	/* How far a step of a pointer goes is not known. */
	if (type.pointer)
		return -1;
	return add_folded(expr, (struct print_node){ .op = op, .type = type, .a = a, .b = b },
			  is_constant(expr, a) && is_constant(expr, b));
}

int print_expr_choice(struct print_expr *expr, int a, int b, int c)
{
	struct print_type type = common_type(node_at(expr, b)->type, node_at(expr, c)->type);

	return add_folded(expr,
			  (struct print_node){ .op = PRINT_CHOICE, .type = type, .a = a, .b = b,
					       .c = c },
			  is_constant(expr, a) && is_constant(expr, b) && is_constant(expr, c));
}

void print_expr_release(struct print_expr *expr)
{
	vec_release(&expr->nodes);
}
