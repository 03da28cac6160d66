// SPDX-License-Identifier: BSD-2-Clause
/* Two comparisons of the source that compilers make one of: "val < 1 || val > 32767" is "val - 1 > 0x7ffe". */
#include <inttypes.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/explain/condition_internal.h"
#include "util/kernel/numbers/number_text.h"

/* Larger bounds are easier to read in hex. */
#define MAX_DECIMAL_BOUND 10000000

static bool find_range(const struct decision_condition *condition, struct condition_range *range)
{
	const struct decision_operand *a = &condition->a, *b = &condition->b;
	uint8_t size = a->operand.size;
	uint64_t largest, width = zero_extend(b->value, size);

	if (condition->kind != OPERANDS_COMPARE || !a->addend || size < 4 ||
	    b->operand.kind != OPERAND_CONSTANT || b->name)
		return false;
	/* "x < 6" among unsigned numbers is "x <= 5". */
	if (condition->condition == CONDITION_BELOW || condition->condition == CONDITION_ABOVE_EQUAL)
		width--;
	else if (condition->condition != CONDITION_BELOW_EQUAL && condition->condition != CONDITION_ABOVE)
		return false;
	range->is_outside = condition->condition == CONDITION_ABOVE || condition->condition == CONDITION_ABOVE_EQUAL;
	range->low = -a->addend;
	largest = zero_extend(UINT64_MAX, size) >> a->is_signed;
	if (!width || width >= largest || (!a->is_signed && range->low < 0) || range->low >= (int64_t)(largest >> 1))
		return false;
	range->high = range->low + width;
	/* It wraps: not a range. */
	if (range->low > 0 && width > largest - range->low)
		return false;
	range->is_open = range->low > 0 && width == largest - range->low;
	return true;
}

static void add_bound(struct strbuf *text, int64_t bound)
{
	if ((bound <= MAX_DECIMAL_BOUND && bound >= -MAX_DECIMAL_BOUND) || number_is_round(bound))
		strbuf_addf(text, "%" PRId64, bound);
	else
		strbuf_addf(text, "%s0x%" PRIx64, bound < 0 ? "-" : "", bound < 0 ? -(uint64_t)bound : (uint64_t)bound);
}

void condition_take_range(struct decision_condition *condition)
{
	struct decision_operand *a = &condition->a;

	condition->is_range = find_range(condition, &condition->range);
	if (condition->is_range)
		a->name[strlen(a->name) - a->addend_len] = '\0';
	else
		a->addend = 0;
}

void condition_add_range(struct strbuf *text, const struct decision_condition *condition)
{
	const struct condition_range *range = &condition->range;
	const char *name = condition->a.name;

	if (range->low == 1 && !condition->a.is_signed) {
		strbuf_addf(text, "%s %s 0", name, range->is_outside ? "==" : "!=");
	} else {
		strbuf_addf(text, "%s %s ", name, range->is_outside ? "<" : ">=");
		add_bound(text, range->low);
	}
	if (range->is_open)
		return;
	strbuf_addf(text, " %s %s %s ", range->is_outside ? "||" : "&&", name, range->is_outside ? ">" : "<=");
	add_bound(text, range->high);
}
