// SPDX-License-Identifier: BSD-2-Clause
/* Conditions of branches. */
#include "util/view/session/condition_view.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/base/utf8.h"
#include "util/explain/condition.h"
#include "util/kernel/numbers/number_text.h"
#include "util/view/parts/json.h"
#include "util/view/values/value_text.h"

#define OBJECT_BYTES 64

/* Larger numbers are easier to read in hex. */
#define MANY 0x10000l

/* As its bounds are: a number of nanoseconds that is compared with a second. */
static bool is_decimal(const struct decision_condition *condition, int64_t value)
{
	const struct decision_operand *b = &condition->b;

	if ((value > -MANY && value < MANY) || number_is_round(value))
		return true;
	if (condition->is_range)
		return number_is_round(condition->range.low) || number_is_round(condition->range.high);
	return b->operand.kind == OPERAND_CONSTANT && number_is_round(b->value);
}

static void add_value(struct strbuf *text, const struct decision_condition *condition,
		      const struct decision_operand *operand)
{
	int64_t value = sign_extend(operand->value, operand->operand.size);
	const char *name = operand->is_typed ? condition_errno(condition, operand, value) : NULL;
	bool as_signed = condition_is_signed(condition->condition) ||
			 (operand->is_signed && !condition_is_unsigned(condition->condition));

	if (operand->is_pointer && !value)
		strbuf_addstr(text, "NULL");
	else if (condition_value_name(operand, operand->value))
		strbuf_addstr(text, condition_value_name(operand, operand->value));
	else if (condition->kind != OPERANDS_MASK && condition_add_char(text, operand, value))
		return;
	else if (condition->kind == OPERANDS_MASK || operand->is_masked)
		strbuf_addf(text, "0x%" PRIx64, operand->value);
	else if (name)
		strbuf_addf(text, "-%s", name);
	else if (operand->is_pointer)
		strbuf_addf(text, "0x%" PRIx64, operand->value);
	else if (as_signed && is_decimal(condition, value))
		strbuf_addf(text, "%" PRId64, value);
	else if (!as_signed && operand->value <= INT64_MAX && is_decimal(condition, operand->value))
		strbuf_addf(text, "%" PRIu64, operand->value);
	else
		strbuf_addf(text, "0x%" PRIx64, operand->value);
}

/* Whether the condition does not already show the value. */
static bool value_says_more(const struct decision_condition *condition,
			    const struct decision_operand *operand)
{
	return operand->name && !(condition->is_power && operand == &condition->b) &&
	       !(condition->kind == OPERANDS_COMPARE && condition->condition == CONDITION_EQUAL &&
		 condition->b.operand.kind == OPERAND_CONSTANT) &&
	       !operand->is_bool;
}

static bool says_more(const struct decision_condition *condition,
		      const struct decision_operand *operand)
{
	/* That of a constant only says something beside the other one. */
	if (operand->operand.kind == OPERAND_CONSTANT && !condition->a.has_value)
		return false;
	return operand->has_value && value_says_more(condition, operand);
}

bool condition_lacks_values(const struct decision_condition *condition)
{
	if (condition && condition->either)
		return true;
	return condition && condition->text && !condition->a.has_value &&
	       condition->a.operand.kind != OPERAND_VARIABLE &&
	       condition->b.operand.kind != OPERAND_VARIABLE &&
	       value_says_more(condition, &condition->a);
}

static void add_object(struct strbuf *text, const char *object)
{
	char shown[OBJECT_BYTES];

	snprintf(shown, sizeof(shown), "%s", object);
	utf8_hide(shown, strlen(shown), 0);
	strbuf_addf(text, " \"%s\"", shown);
}

static void add_operand(struct strbuf *text, const struct decision_condition *condition,
			const struct decision_operand *operand, bool first)
{
	if (!says_more(condition, operand))
		return;
	if (operand->is_negated && condition->kind == OPERANDS_MASK) {
		strbuf_addf(text, "%s%s = 0x%" PRIx64, first ? "    " : ", ", operand->name + 1,
			    zero_extend(~operand->value, operand->whole ?: operand->operand.size));
		return;
	}
	strbuf_addf(text, "%s%s = ", first ? "    " : ", ", operand->name);
	add_value(text, condition, operand);
	if (operand->object)
		add_object(text, operand->object);
}

/* What an operand is a member of: "dentry" of "dentry->d_flags". */
static void add_owner(struct strbuf *text, const struct decision_operand *operand)
{
	const struct decision_owner *owner = &operand->owner;

	if (!operand->is_named || !owner->object)
		return;
	strbuf_addf(text, "    %s = 0x%" PRIx64, owner->name, owner->value);
	add_object(text, owner->object);
	strbuf_addch(text, '\n');
}

static bool is_text(const char *bytes, size_t len)
{
	return !find_first(byte, bytes, len,
			   !isalnum((unsigned char)*byte) && !strchr("_-.+/ \n", *byte));
}

/* The characters of a number in memory; 0: a number. */
static size_t length_as_text(uint64_t number, size_t size)
{
	const char *bytes = (const char *)&number;
	size_t len = strnlen(bytes, size);

	for (size_t i = len; i < size; i++) {
		if (bytes[i])
			return 0;
	}
	return len >= 3 && is_text(bytes, len) ? len : 0;
}

/* A number as text has it: with the first character in the highest byte, as 0x58465342 is written for "XFSB". */
static uint64_t in_order_of_text(const struct decision_operand *like, uint64_t number, size_t size)
{
	if (!like->is_host_number)
		return number;
	return size == 8 ? __builtin_bswap64(number) : __builtin_bswap32(number);
}

/* Compilers compare several characters at once in place of strcmp() with a constant. */
static void add_as_text(struct strbuf *text, const struct decision_condition *condition)
{
	const struct decision_operand *a = &condition->a, *b = &condition->b;
	size_t size = a->operand.size, len, len_a;
	uint64_t own, other;

	if (condition->kind != OPERANDS_COMPARE || condition->condition != CONDITION_NOT_EQUAL ||
	    b->operand.kind != OPERAND_CONSTANT || (size != 4 && size != 8) || a->is_pointer)
		return;
	own = in_order_of_text(a, a->value, size);
	other = in_order_of_text(a, zero_extend(b->value, size), size);
	len = length_as_text(other, size);
	len_a = strnlen((const char *)&own, size);
	/* A number that is no text was not meant as one. */
	if (!len || (a->is_host_number && !len_a) || !is_text((const char *)&own, len_a))
		return;
	strbuf_addstr(text, ", as text ");
	value_string_add(text, &own, len_a, false);
	strbuf_addstr(text, ", and not ");
	value_string_add(text, &other, len, false);
}

void condition_text_add(struct strbuf *text, const struct decision_condition *condition)
{
	bool a, b;

	if (!condition || !condition->text)
		return;
	strbuf_addf(text, "  because %s\n", condition->text);
	a = says_more(condition, &condition->a);
	b = says_more(condition, &condition->b);
	add_operand(text, condition, &condition->a, true);
	add_operand(text, condition, &condition->b, !a);
	if (a)
		add_as_text(text, condition);
	if (a || b)
		strbuf_addch(text, '\n');
	add_owner(text, &condition->a);
	add_owner(text, &condition->b);
	if (condition->after)
		strbuf_addf(text, "  after %s\n", condition->after);
}

static void json_operand(struct json *json, const struct decision_operand *operand)
{
	uint8_t bytes =
		operand->whole && operand->has_value ? operand->whole : operand->operand.size;

	json_object(json, NULL);
	json_string(json, "name", operand->name);
	json_bool(json, "named_by_source", operand->is_named);
	json_uint(json, "bytes", bytes);
	/* Constants are sign-extended. */
	if (operand->has_value)
		json_hex(json, "value", zero_extend(operand->value, bytes));
	if (operand->object)
		json_string(json, "object", operand->object);
	if (operand->is_named && operand->owner.object) {
		json_object(json, "member_of");
		json_string(json, "name", operand->owner.name);
		json_hex(json, "value", operand->owner.value);
		json_string(json, "object", operand->owner.object);
		json_close(json);
	}
	json_close(json);
}

void condition_json_add(struct json *json, const struct decision_condition *condition)
{
	if (!condition || !condition->text) {
		json_null(json, "condition");
		return;
	}
	json_object(json, "condition");
	json_string(json, "text", condition->text);
	json_array(json, "operands");
	for (uint32_t i = 0; condition->either && i < NR_EITHER; i++) {
		json_operand(json, &condition->either[i].a);
		json_operand(json, &condition->either[i].b);
	}
	if (!condition->either && condition->a.name) {
		json_operand(json, &condition->a);
		json_operand(json, &condition->b);
	}
	json_close(json);
	if (condition->after)
		json_string(json, "after", condition->after);
	json_close(json);
}
