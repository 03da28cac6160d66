/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Conditions on arguments: --where 'GLOB: attr->map_type == 2 && cmd == BPF_MAP_CREATE'. Parsed
 * without a kernel, then compiled for each function that the glob selects
 * (util/plan/args/where_compile.h), to be evaluated by BPF (bpf/arg_items.h, struct where).
 *
 *	EXPR	EXPR || EXPR, EXPR && EXPR, ! EXPR, ( EXPR ), a comparison; precedence as in C
 *	comparison
 *		OPERAND [& MASK] [OP VALUE]; without OP: is not 0. '&' comes before OP.
 *		(OPERAND & MASK) OP VALUE is the same. '!' before it needs parentheses.
 *	OPERAND	as in --args (args_selection.h): a, b->c, b.c, b[2], *e
 *	OP	== != < <= > >=, and for text == != ~ (begins with)
 *	VALUE	a number (decimal, hex, octal, 'c'), an enumerator, NULL, true, false, -ERRNAME, "text";
 *		~ needs "text", and a star at its end changes nothing
 *
 * Numbers have the operand's size and sign. The result of '&' has no sign. For == and !=, a
 * number in hex, octal or as a character may also give the bytes of a signed number. A pointer
 * may equal NULL, an address or an error. Text is the target of a `char *`, or an array of char,
 * signed or not: up to WHERE_MAX_TEXT bytes of it are compared. Numbers that cannot be read,
 * because a pointer on the way is NULL, are 0; text that cannot be read equals nothing and begins
 * with nothing, not even with "".
 */
#ifndef RETSNOOP_ASK_WHERE_H
#define RETSNOOP_ASK_WHERE_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/arg_items.h"
#include "bpf/config.h"
#include "util/ask/arg_path.h"
#include "util/ask/spec.h"
#include "util/base/vec.h"

#define WHERE_MAX_TEXT (8 * WHERE_WORDS - 1)
#define WHERE_MAX_TERMS 64	/* in the text; far fewer of them may be different */
#define WHERE_MAX_NODES (4 * WHERE_MAX_TERMS)	/* including a '!' for each other node */

struct btf;

/* A comparison's right side, or a mask. */
struct where_constant {
	enum where_constant_kind {
		WHERE_NUMBER,
		WHERE_NAME,	/* an enumerator */
		WHERE_TEXT,
	} kind;
	int column;
	uint64_t number;	/* magnitude, without the sign */
	bool negative;
	bool is_bits;		/* written in hex, octal or as a character: compare the bytes */
	char *text;		/* a name, or text */
	uint32_t len;		/* of it */

	/* WHERE_NAME: the BTF of the last look-up, and its value there; NULL: none yet. */
	const struct btf *known_in;
	uint64_t known_number;
	bool known_negative;
};

/* A comparison. Only three operators remain: the others are one of these with a '!'. */
struct where_term {
	struct arg_path path;
	bool masked;
	bool prefix;		/* text: compare its beginning */
	enum term_op op;	/* TERM_EQ, TERM_LT or TERM_LE */
	struct where_constant mask, value;
};

struct where_node {
	enum where_node_kind { WHERE_TERM, WHERE_NOT, WHERE_AND, WHERE_OR } kind;
	uint16_t a, b;		/* the term's index; nodes', which come before this one */
};

struct where_rule {
	char *text;		/* as it was given */
	struct spec_list funcs;	/* of one spec */
	VEC(struct where_term) terms;
	VEC(struct where_node) nodes;	/* the last one is the whole expression */
};

/**
 * Parse the value of --where.
 *
 * @return	0; -EINVAL (reported, with the column); -ENOMEM (reported)
 */
int where_parse(const char *text, struct where_rule *ret_rule);
void where_rule_release(struct where_rule *rule);

#endif
