// SPDX-License-Identifier: BSD-2-Clause
/* Conditions as the source writes them, what they mean, and their values. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/base/text/errnames.h"
#include "util/explain/condition_internal.h"
#include "util/kernel/numbers/number_text.h"

/* Larger numbers are easier to read in hex. */
#define MAX_DECIMAL 9999

/* Unsigned numbers: write "<= 0" and "< 1" as "== 0", "> 0" and ">= 1" as "!= 0". */
static void put_zero(struct decision_condition *condition)
{
	struct decision_operand *b = &condition->b;

	if (condition->kind != OPERANDS_COMPARE || b->operand.kind != OPERAND_CONSTANT ||
	    b->value > 1)
		return;
	if (condition->condition == (b->value ? CONDITION_BELOW : CONDITION_BELOW_EQUAL))
		condition->condition = CONDITION_EQUAL;
	else if (condition->condition == (b->value ? CONDITION_ABOVE_EQUAL : CONDITION_ABOVE))
		condition->condition = CONDITION_NOT_EQUAL;
	else
		return;
	b->value = b->operand.value = 0;
}

/* A test of the sign bit means: is the number negative? */
static void take_sign(struct decision_condition *condition)
{
	struct decision_operand *a = &condition->a, *b = &condition->b;

	if (condition->kind != OPERANDS_MASK || b->operand.kind != OPERAND_CONSTANT ||
	    !a->is_typed || !a->is_signed || a->whole ||
	    zero_extend(b->value, a->operand.size) != 1ull << (a->operand.size * 8 - 1))
		return;
	condition->kind = OPERANDS_COMPARE;
	condition->condition =
		condition->condition == CONDITION_EQUAL ? CONDITION_GREATER_EQUAL : CONDITION_LESS;
	b->value = 0;
}

/* What is compiled as a test of the sign is one of the highest bit, if the number has no sign. */
static void take_highest_bit(struct decision_condition *condition)
{
	struct decision_operand *a = &condition->a, *b = &condition->b;

	if (condition->kind != OPERANDS_COMPARE || b->operand.kind != OPERAND_CONSTANT ||
	    b->value || !a->is_unsigned)
		return;
	if (condition->condition == CONDITION_LESS)
		condition->condition = CONDITION_NOT_EQUAL;
	else if (condition->condition == CONDITION_GREATER_EQUAL)
		condition->condition = CONDITION_EQUAL;
	else
		return;
	condition->kind = OPERANDS_MASK;
	b->value = 1ull << (a->operand.size * 8 - 1);
}

/* Whether the operator of "(a ^ (b + c))" binds less than a comparison. */
static bool binds_less(const char *name)
{
	int depth = 0;

	for (; *name; name++) {
		depth += (*name == '(') - (*name == ')');
		if (depth == 1 && (*name == '^' || *name == '&' || *name == '|'))
			return true;
	}
	return false;
}

bool condition_has_operator(const char *name)
{
	int depth = 0;

	for (const char *at = name; *at; at++) {
		bool opens_call = *at == '(' && at > name && (isalnum((unsigned char)at[-1]) || at[-1] == '_');

		if (opens_call || (depth && *at == '('))
			depth++;
		else if (depth && *at == ')')
			depth--;
		else if (!depth && *at == ' ')
			return true;
	}
	return false;
}

/* "(len >> 12)" is "len >> 12" in a comparison. */
static void take_parentheses(struct decision_operand *operand)
{
	char *name = operand->name;
	size_t len = name ? strlen(name) : 0;

	if (!operand->is_computed || operand->is_masked || !len || *name != '(' || name[len - 1] != ')' ||
	    binds_less(name) || !strncmp(name, "(u32)", 5) || !strncmp(name, "(s32)", 5))
		return;
	memmove(name, name + 1, len - 2);
	name[len - 2] = '\0';
}

void condition_simplify(struct decision_condition *condition)
{
	put_zero(condition);
	take_sign(condition);
	take_highest_bit(condition);
	if (condition->kind != OPERANDS_COMPARE)
		return;
	take_parentheses(&condition->a);
	take_parentheses(&condition->b);
}

/* Whether a variable or member with this name contains errors. */
static bool is_called_error(const char *name)
{
	static const char *const endings[] = { "err", "ret", "error", "rc", "retval", "result" };
	size_t len = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		size_t own = strlen(endings[i]);

		if (len >= own && !strcmp(name + len - own, endings[i]))
			return true;
	}
	return false;
}

/* strcmp(), strncmp(), memcmp(): a difference is no errno. */
static bool is_comparison(const char *name)
{
	const char *end = strchr(name, '(');

	return end && end - name > 3 && !strncmp(end - 3, "cmp", 3);
}

const char *condition_errno(const struct decision_condition *condition,
			    const struct decision_operand *like, int64_t value)
{
	if (!is_error(value) || condition->kind == OPERANDS_MASK ||
	    like->operand.size < 4 || (value == -1 && !like->is_result && !like->is_pointer) ||
	    (like->is_typed && !like->is_signed && !like->is_pointer))
		return NULL;
	if (like->is_named && !like->is_result && !like->is_pointer && !is_called_error(like->name))
		return NULL;
	if (like->is_result && like->name && is_comparison(like->name))
		return NULL;
	return errno_name(-value);
}

const char *condition_value_name(const struct decision_operand *like, uint64_t value)
{
	static const char mode[] = "mode & 0xf000)";
	static const char *const names[16] = {
		[1] = "S_IFIFO", [2] = "S_IFCHR", [4] = "S_IFDIR", [6] = "S_IFBLK",
		[8] = "S_IFREG", [10] = "S_IFLNK", [12] = "S_IFSOCK",
	};

	if (like->is_socket_state)
		return condition_socket_state(value);
	return like->is_masked && strstr(like->name, mode) && !(value & ~0xf000ull) ? names[value >> 12] : NULL;
}

bool condition_add_char(struct strbuf *text, const struct decision_operand *like, int64_t value)
{
	if (!like->is_char || (value && (value < ' ' || value > '~')))
		return false;
	if (value)
		strbuf_addf(text, value == '\'' || value == '\\' ? "'\\%c'" : "'%c'", (char)value);
	else
		strbuf_addstr(text, "'\\0'");
	return true;
}

/*
 * Whether the source has a mask as the bits that it leaves out, as in "flags & ~(O_CLOEXEC | O_NONBLOCK)": it has
 * most bits, the highest included. What is tested must be all of what the name means.
 */
static bool is_complement(const struct decision_operand *like, int64_t mask, uint8_t size)
{
	uint64_t others = zero_extend(~(uint64_t)mask, size);

	return size >= 4 && mask < 0 && others && !like->whole && !like->has_part &&
	       __builtin_popcountll(others) < size * 4;
}

/* A constant, written as the source writes values of that type. */
static void add_constant(struct strbuf *text, const struct decision_condition *condition,
			 const struct decision_operand *like, int64_t constant, uint8_t size)
{
	int64_t value = sign_extend(constant, size);
	bool is_mask = condition->kind == OPERANDS_MASK || (like->is_masked && value);
	bool is_rest = condition->kind == OPERANDS_MASK && is_complement(like, value, size);
	uint64_t others = zero_extend(~(uint64_t)constant, size);
	/* Among unsigned numbers, a negative one is larger than the others. */
	bool is_large = value < 0 && condition_is_unsigned(condition->condition);
	/* More functions return -1 for "none" than are compared with -EPERM. */
	bool is_none = value == -1 && !like->is_pointer;
	const char *name = is_large || is_none ? NULL : condition_errno(condition, like, value);
	const char *value_name = condition->kind == OPERANDS_MASK && like->is_socket_state ?
					 NULL : condition_value_name(like, zero_extend(constant, size));

	if (like->is_pointer && !value)
		strbuf_addstr(text, "NULL");
	else if (name)
		strbuf_addf(text, "-%s", name);
	else if (value_name)
		strbuf_addstr(text, value_name);
	else if (is_mask && condition_add_flag(text, like, zero_extend(constant, size)))
		return;
	else if (condition_add_number(text, condition, like, is_rest ? others : zero_extend(constant, size), is_rest))
		return;
	else if (is_rest)
		strbuf_addf(text, "~0x%" PRIx64, others);
	else if (!is_mask && condition_add_char(text, like, value))
		return;
	else if (is_mask || is_large || ((value > MAX_DECIMAL || value < -MAX_DECIMAL) && !number_is_round(value)) ||
		 (value < 0 && !like->is_signed && !condition_is_signed(condition->condition)))
		strbuf_addf(text, "0x%" PRIx64, zero_extend(constant, size));
	else
		strbuf_addf(text, "%" PRId64, value);
}

static const char *sign_of(enum condition condition)
{
	static const char *const signs[NR_CONDITIONS] = {
		[CONDITION_EQUAL] = "==",	[CONDITION_NOT_EQUAL] = "!=",
		[CONDITION_LESS] = "<",		[CONDITION_LESS_EQUAL] = "<=",
		[CONDITION_GREATER] = ">",	[CONDITION_GREATER_EQUAL] = ">=",
		[CONDITION_BELOW] = "<",	[CONDITION_BELOW_EQUAL] = "<=",
		[CONDITION_ABOVE] = ">",	[CONDITION_ABOVE_EQUAL] = ">=",
	};

	return signs[condition];
}

/* Whether this is compiled from IS_ERR(): 1 which holds, -1 which does not hold, 0 no. */
static int is_err(const struct decision_condition *condition)
{
	if (condition->kind != OPERANDS_COMPARE || condition->b.operand.kind != OPERAND_CONSTANT ||
	    condition->a.operand.size != 8)
		return 0;
	switch (condition->condition) {
	case CONDITION_ABOVE:
		return (int64_t)condition->b.value == -MAX_ERRNO - 1;
	case CONDITION_ABOVE_EQUAL:
		return (int64_t)condition->b.value == -MAX_ERRNO;
	case CONDITION_BELOW_EQUAL:
		return -((int64_t)condition->b.value == -MAX_ERRNO - 1);
	case CONDITION_BELOW:
		return -((int64_t)condition->b.value == -MAX_ERRNO);
	default:
		return 0;
	}
}

/* "a == 0 && b == 0", "a != 0 || b != 0": what holds for the bits of both. */
static void add_either(struct strbuf *text, const struct decision_condition *condition)
{
	bool all = condition->condition == CONDITION_EQUAL || condition->condition == CONDITION_GREATER_EQUAL;

	strbuf_addf(text, "%s %s ", condition->a.name, sign_of(condition->condition));
	strbuf_addstr(text, condition->a.is_pointer ? "NULL" : "0");
	strbuf_addf(text, " %s %s %s ", all ? "&&" : "||", condition->b.name, sign_of(condition->condition));
	strbuf_addstr(text, condition->b.is_pointer ? "NULL" : "0");
}

/* "flags & BIT(nr)", "!(BIT(nr) & 0x7)". */
static void add_bit(struct strbuf *text, const struct decision_condition *condition)
{
	bool is_set = condition->condition == CONDITION_NOT_EQUAL;

	strbuf_addstr(text, is_set ? "" : "!(");
	if (condition->b.name)
		strbuf_addf(text, "%s & BIT(%s)", condition->b.name, condition->a.name);
	else
		strbuf_addf(text, "BIT(%s) & 0x%" PRIx64, condition->a.name,
			    zero_extend(condition->b.value, condition->b.operand.size));
	strbuf_addstr(text, is_set ? "" : ")");
}

/* "flags & 0x2" for "(flags & 0x2) != 0", and "!(flags & 0x2)". False: it is neither, and nothing was added. */
static bool add_masked(struct strbuf *text, const struct decision_condition *condition)
{
	const struct decision_operand *a = &condition->a, *b = &condition->b;
	bool is_set = condition->condition == CONDITION_NOT_EQUAL;

	if (!a->is_masked || b->operand.kind != OPERAND_CONSTANT || b->value || *a->name != '(' ||
	    (!is_set && condition->condition != CONDITION_EQUAL))
		return false;
	if (is_set)
		strbuf_add(text, a->name + 1, strlen(a->name) - 2);
	else
		strbuf_addf(text, "!%s", a->name);
	return true;
}

void condition_add_text(struct strbuf *text, const struct decision_condition *condition)
{
	const struct decision_operand *a = &condition->a, *b = &condition->b;

	if (condition->kind == OPERANDS_EITHER)
		return add_either(text, condition);
	if (condition->kind == OPERANDS_BIT)
		return add_bit(text, condition);
	if (condition->is_range)
		return condition_add_range(text, condition);

	if (condition->is_power) {
		strbuf_addf(text, "%sis_power_of_2(%s)", condition->condition == CONDITION_BELOW ? "" : "!", a->name);
		return;
	}
	if (condition->is_list_empty) {
		strbuf_addf(text, "%s%s(%s)", condition->condition == CONDITION_EQUAL ? "" : "!",
			    a->is_packet ? "skb_queue_empty" : "list_empty", b->name);
		return;
	}
	if (a->is_container) {
		strbuf_addf(text, "container_of(%s, ...) %s NULL", a->name, sign_of(condition->condition));
		return;
	}
	if (is_err(condition)) {
		strbuf_addf(text, "%sIS_ERR(%s)", is_err(condition) < 0 ? "!" : "", a->name);
		return;
	}
	if (condition->kind == OPERANDS_MASK) {
		bool is_set = condition->condition == CONDITION_NOT_EQUAL;

		if (a->is_bool && b->operand.kind == OPERAND_CONSTANT && (a->is_bit || b->value == 1)) {
			strbuf_addf(text, "%s%s", is_set ? "" : "!", a->name);
			return;
		}
		/* "!(~flags & 3)" is that both bits are set. */
		if (a->is_negated && b->operand.kind == OPERAND_CONSTANT) {
			strbuf_addf(text, "(%s & 0x%" PRIx64 ") %s 0x%" PRIx64, a->name + 1, b->value,
				    is_set ? "!=" : "==", b->value);
			return;
		}
		strbuf_addf(text, "%s%s & ", is_set ? "" : "!(", a->name);
		if (b->name)
			strbuf_addstr(text, b->name);
		else
			add_constant(text, condition, a, b->value, b->operand.size);
		strbuf_addstr(text, is_set ? "" : ")");
		return;
	}
	if (a->is_bool && b->operand.kind == OPERAND_CONSTANT && !b->value &&
	    (condition->condition == CONDITION_EQUAL ||
	     condition->condition == CONDITION_NOT_EQUAL)) {
		strbuf_addf(text, "%s%s", condition->condition == CONDITION_EQUAL ? "!" : "",
			    a->name);
		return;
	}
	if (add_masked(text, condition))
		return;
	strbuf_addf(text, "%s %s ", a->name, sign_of(condition->condition));
	if (b->name)
		strbuf_addstr(text, b->name);
	else
		add_constant(text, condition, a, b->value, b->operand.size);
}

bool condition_is_failure(const struct decision_condition *condition)
{
	const struct decision_operand *a = &condition->a, *b = &condition->b;
	bool is_equal = condition->condition == CONDITION_EQUAL;

	if (condition->kind == OPERANDS_EITHER || condition->kind == OPERANDS_BIT)
		return false;
	if (!condition->text || !a->is_result || b->operand.kind != OPERAND_CONSTANT || b->name)
		return false;
	if (condition->kind == OPERANDS_MASK)
		return a->is_bool && is_equal && b->value == 1;
	if (is_err(condition))
		return is_err(condition) > 0;
	if (condition_errno(condition, a, sign_extend(b->value, a->operand.size)))
		return is_equal;
	if (b->value)
		return false;
	return is_equal ? a->is_pointer || a->is_bool :
			  a->is_signed && (condition->condition == CONDITION_LESS ||
					   condition->condition == CONDITION_NOT_EQUAL);
}

void condition_choose(struct decision_condition *condition, uint32_t which)
{
	struct decision_condition chosen = condition->either[which];

	condition->either[which] = (struct decision_condition){};
	chosen.after = take_ptr(condition->after);
	condition_release(condition);
	*condition = chosen;
}

bool condition_holds_with(const struct decision_condition *condition, uint64_t a, uint64_t b)
{
	uint8_t size = condition->a.operand.size;

	switch (condition->kind) {
	case OPERANDS_MASK:
		return condition_holds(condition->condition, a & b, 0, size);
	case OPERANDS_EITHER:
		return condition_holds(condition->condition, a | b, 0, size);
	case OPERANDS_BIT:
		a &= condition->b.operand.size * 8 - 1;
		return condition_holds(condition->condition, b >> a & 1, 0, 1);
	default:
		return condition_holds(condition->condition, a, b, size);
	}
}

bool condition_take_values(struct decision_condition *condition, uint64_t a, uint64_t b)
{
	uint8_t size = condition->a.operand.size;

	if (condition->b.operand.kind == OPERAND_CONSTANT)
		b = condition->b.value;
	if (!condition_holds_with(condition, a, b))
		return false;
	if (condition->is_range || condition->is_power)
		a -= condition->a.addend;
	condition->a.value = zero_extend(a, condition->a.whole ?: size);
	condition->a.has_value = true;
	if (condition->b.operand.kind != OPERAND_CONSTANT) {
		condition->b.value = zero_extend(b, condition->b.operand.size);
		condition->b.has_value = true;
	}
	return true;
}
