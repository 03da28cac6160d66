// SPDX-License-Identifier: BSD-2-Clause
/*
 * Random conditions on random calls, against what they mean, which is worked out beside their text.
 */
#include "unit.h"

#include "tests/unit/where_fixture.h"

static uint64_t random_state;

static uint32_t below(uint32_t n)
{
	random_state = random_state * 6364136223846793005 + 1442695040888963407;
	return (random_state >> 33) % n;
}

/* Numbers that are near to each other, and to where something changes. */
static uint64_t odd_number(void)
{
	uint64_t number = below(2) ? 1ull << below(64) : 0;

	number += below(5);
	number -= below(4);
	return below(8) ? number : -number;
}

static const char *const words[] = {
	"", "a", "ab", "abc", "abcdefg", "abcdefgh", "abcdefghi", "b",
};

struct operand {
	const char *text;
	int bits;
	bool is_signed, pointer;
	__int128 value;
	const char *string;	/* it is text */
};

#define OPERANDS 19

static void operands_of(FIXTURE_DATA(where) *self, struct operand *operands)
{
	const struct thing *thing = &self->thing;
	const struct call *call = &self->call;
	const struct operand all[OPERANDS] = {
		{ "number", 32, true, false, call->number },
		{ "flags", 64, false, false, call->flags },
		{ "stacked", 64, true, false, call->stacked },
		{ "pair.x", 32, true, false, call->pair.x },
		{ "pair.y", 32, true, false, call->pair.y },
		{ "pair_stacked.y", 32, true, false, call->pair_stacked.y },
		{ "thing->u32", 32, false, false, thing->u32 },
		{ "thing->s32", 32, true, false, thing->s32 },
		{ "thing->u64", 64, false, false, thing->u64 },
		{ "thing->s64", 64, true, false, thing->s64 },
		{ "thing->u16", 16, false, false, thing->u16 },
		{ "thing->s16", 16, true, false, thing->s16 },
		{ "thing->u8", 8, false, false, thing->u8 },
		{ "thing->s8", 8, true, false, thing->s8 },
		{ "thing->mid", 17, false, false, thing->mid },
		{ "thing->sign", 12, true, false, thing->sign },
		{ "thing->raw", 64, false, true, (uintptr_t)thing->raw },
		{ "name", 0, false, false, 0, call->name },
		{ "thing->name", 0, false, false, 0, thing->name },
	};

	memcpy(operands, all, sizeof(all));
}

static void random_call(FIXTURE_DATA(where) *self)
{
	struct thing *thing = &self->thing;
	struct call *call = &self->call;

	call->number = odd_number();
	call->flags = odd_number();
	call->stacked = odd_number();
	call->pair = (struct pair){ odd_number(), odd_number() };
	call->pair_stacked = (struct pair){ odd_number(), odd_number() };
	thing->u32 = odd_number();
	thing->s32 = odd_number();
	thing->u64 = odd_number();
	thing->s64 = odd_number();
	thing->u16 = odd_number();
	thing->s16 = odd_number();
	thing->u8 = odd_number();
	thing->s8 = odd_number();
	thing->low = odd_number();
	thing->mid = odd_number();
	thing->sign = odd_number();
	thing->raw = (void *)odd_number();
	call->name = words[below(ARRAY_SIZE(words))];
	strcpy(thing->name, words[below(ARRAY_SIZE(words))]);
}

/* A condition as a tree, to say and to evaluate. */
struct tree {
	enum { LEAF, NOT, AND, OR } kind;
	struct tree *a, *b;
	int operand, op;	/* index; of ops[] */
	bool masked, bare;
	uint64_t mask;
	__int128 value;
	const char *word;
	bool prefix;
};

static const char *const ops[] = { "==", "!=", "<", "<=", ">", ">=" };

static __int128 wrapped(uint64_t number, int bits, bool is_signed)
{
	uint64_t cut = bits < 64 ? number & ((1ull << bits) - 1) : number;

	if (is_signed && cut >> (bits - 1))
		return (__int128)cut - ((__int128)1 << bits);
	return cut;
}

static struct tree *random_leaf(const struct operand *operands)
{
	struct tree *leaf = calloc(1, sizeof(*leaf));
	const struct operand *operand;

	leaf->operand = below(OPERANDS);
	operand = &operands[leaf->operand];
	leaf->op = below(6);
	if (operand->string) {
		leaf->op %= 2;
		leaf->word = words[below(ARRAY_SIZE(words))];
		leaf->prefix = !leaf->op && below(2);
		return leaf;
	}
	leaf->bare = !below(5);
	leaf->masked = !below(3);
	leaf->mask = wrapped(odd_number(), operand->bits, false);
	leaf->value = wrapped(odd_number(), operand->bits, operand->is_signed && !leaf->masked);
	/* Often what it is, or next to that. */
	if (below(2) && !leaf->masked && operand->value)
		leaf->value = operand->value;
	/* Refused, as they are the same for all numbers. */
	if (!leaf->value && (leaf->masked || !operand->is_signed) && (leaf->op == 2 || leaf->op == 5))
		leaf->op = 0;
	return leaf;
}

static struct tree *random_tree(const struct operand *operands, int *leaves)
{
	struct tree *tree;

	if (*leaves == 1 || !below(4)) {
		--*leaves;
		return random_leaf(operands);
	}
	tree = calloc(1, sizeof(*tree));
	tree->kind = NOT + below(3);
	if (tree->kind != NOT)
		--*leaves;
	tree->a = random_tree(operands, leaves);
	if (tree->kind == NOT)
		return tree;
	++*leaves;
	if (*leaves < 1)
		*leaves = 1;
	tree->b = random_tree(operands, leaves);
	return tree;
}

static void tree_free(struct tree *tree)
{
	if (!tree)
		return;
	tree_free(tree->a);
	tree_free(tree->b);
	free(tree);
}

static void say_number(struct strbuf *sb, __int128 value)
{
	if (value < 0)
		strbuf_addf(sb, "-%llu", (unsigned long long)-value);
	else
		strbuf_addf(sb, below(2) && value <= INT8_MAX ? "0x%llx" : "%llu",
			    (unsigned long long)value);
}

/* @binds: how tight what is around it does: 0 nothing, 1 ||, 2 &&, 3 ! */
static void say_tree(struct strbuf *sb, const struct tree *tree, const struct operand *operands,
		     int binds)
{
	int own = tree->kind == OR ? 1 : tree->kind == AND ? 2 : 3;
	bool parentheses = own < binds || !below(6) || (binds == 3 && tree->kind == LEAF);

	if (parentheses)
		strbuf_addch(sb, '(');
	if (tree->kind == NOT) {
		strbuf_addch(sb, '!');
		say_tree(sb, tree->a, operands, 3);
	} else if (tree->kind != LEAF) {
		say_tree(sb, tree->a, operands, own);
		strbuf_addstr(sb, tree->kind == AND ? " && " : "||");
		/* They group to the left; to the right it takes parentheses, or comes to the same. */
		say_tree(sb, tree->b, operands, own);
	} else if (tree->word) {
		strbuf_addf(sb, "%s %s \"%s%s\"", operands[tree->operand].text,
			    tree->prefix ? "~" : ops[tree->op], tree->word,
			    tree->prefix && below(2) ? "*" : "");
	} else {
		bool inner = tree->masked && below(2);

		strbuf_addf(sb, "%s%s", inner ? "(" : "", operands[tree->operand].text);
		if (tree->masked)
			strbuf_addf(sb, " & 0x%llx%s", (unsigned long long)tree->mask,
				    inner ? ")" : "");
		if (!tree->bare) {
			strbuf_addf(sb, " %s ", ops[tree->op]);
			say_number(sb, tree->value);
		}
	}
	if (parentheses)
		strbuf_addch(sb, ')');
}

static bool tree_holds(const struct tree *tree, const struct operand *operands)
{
	const struct operand *operand = &operands[tree->operand];
	__int128 value = operand->value;

	if (tree->kind == NOT)
		return !tree_holds(tree->a, operands);
	if (tree->kind == AND)
		return tree_holds(tree->a, operands) && tree_holds(tree->b, operands);
	if (tree->kind == OR)
		return tree_holds(tree->a, operands) || tree_holds(tree->b, operands);
	if (tree->prefix)
		return !strncmp(operand->string, tree->word, strlen(tree->word));
	if (tree->word)
		return !strcmp(operand->string, tree->word) == !tree->op;
	if (tree->masked)
		value = wrapped((uint64_t)value & tree->mask, operand->bits, false);
	if (tree->bare)
		return value;
	switch (tree->op) {
	case 0: return value == tree->value;
	case 1: return value != tree->value;
	case 2: return value < tree->value;
	case 3: return value <= tree->value;
	case 4: return value > tree->value;
	default: return value >= tree->value;
	}
}

TEST_F(where, holds_when_what_it_says_is_so_whatever_it_says)
{
	struct operand operands[OPERANDS];
	int outcomes[2] = {}, checked = 0;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		map_text(words[i], false);
	for (int round = 0; round < 6000; round++) {
		struct strbuf text = STRBUF_INIT;
		int leaves = 1 + below(8);
		struct tree *tree;

		random_state += round;
		random_call(self);
		operands_of(self, operands);
		tree = random_tree(operands, &leaves);
		strbuf_addstr(&text, "f: ");
		say_tree(&text, tree, operands, 0);
		reset(self);
		self->err = where_parse(text.s, &self->rule);
		ASSERT_EQ(0, self->err);
		self->err = compile_for(self, &self->func, false);
		/* Too many different ones. */
		if (self->err != -E2BIG) {
			ASSERT_EQ(0, self->err) { TH_LOG("%s", text.s); }
			for (int call = 0; call < 6; call++) {
				bool expected = tree_holds(tree, operands);

				ASSERT_EQ(expected, holds(self)) { TH_LOG("%s", text.s); }
				outcomes[expected]++;
				random_call(self);
				operands_of(self, operands);
			}
			checked++;
		}
		tree_free(tree);
		strbuf_release(&text);
	}
	EXPECT_LT(3000, checked);
	EXPECT_LT(3000, outcomes[0]);
	EXPECT_LT(3000, outcomes[1]);
}

TEST_HARNESS_MAIN
