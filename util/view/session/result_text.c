// SPDX-License-Identifier: BSD-2-Clause
/* Results as text. */
#include "util/view/session/result_text.h"

#include "bpf/result_rule.h"
#include "util/ask/result_expr.h"
#include "util/base/text/errnames.h"
#include "util/plan/plan.h"
#include "util/trace/session/outcome.h"

/* Larger numbers look like addresses or flags: hex reads better. */
#define DECIMAL_MIN (1ull << 30)
#define DECIMAL_MAX (1ull << 20)

static struct result_value signed_value(int64_t value)
{
	if (value < 0)
		return (struct result_value){ true, -(uint64_t)value };
	return (struct result_value){ false, value };
}

struct result_value result_value(uint64_t result, enum return_kind returns)
{
	switch (returns) {
	case RETURN_BOOL:
		return (struct result_value){ false, (uint8_t)result != 0 };
	case RETURN_UNKNOWN:
	case RETURN_INT32:
		return signed_value((int32_t)result);
	case RETURN_INT64:
		return signed_value((int64_t)result);
	case RETURN_UNSIGNED32:
		return (struct result_value){ false, (uint32_t)result };
	case RETURN_UNSIGNED8:
	case RETURN_UNSIGNED16:
	case RETURN_INT8:
	case RETURN_INT16:
	case RETURN_NARROW:
		return signed_value(result_number(result, returns));
	case RETURN_POINTER:
	case RETURN_UNSIGNED64:
	case RETURN_VOID:
	case RETURN_STRUCT:
		break;
	}
	return (struct result_value){ false, result };
}

enum return_kind result_shown_as(uint64_t result, enum return_kind returns)
{
	if (returns == RETURN_UNKNOWN && result >> 56 == 0xff && result >> 32 != UINT32_MAX &&
	    result_errno(result, returns) == RESULT_NOT_FAILED)
		return RETURN_POINTER;
	return returns;
}

static void add_hex(struct strbuf *sb, uint64_t value)
{
	strbuf_addstr(sb, "[0x");
	strbuf_addhex(sb, value);
	strbuf_addch(sb, ']');
}

static void add_number(struct strbuf *sb, uint64_t result, enum return_kind returns)
{
	struct result_value value = result_value(result, returns);

	if (value.magnitude <= (value.negative ? DECIMAL_MIN : DECIMAL_MAX)) {
		strbuf_addstr(sb, value.negative ? "[-" : "[");
		strbuf_adduint(sb, value.magnitude);
		strbuf_addch(sb, ']');
	} else if (returns == RETURN_UNKNOWN || returns == RETURN_INT32) {
		add_hex(sb, (uint32_t)result);
	} else {
		add_hex(sb, value.negative ? result : value.magnitude);
	}
}

void result_add(struct strbuf *sb, uint64_t result, enum return_kind returns)
{
	int err = result_errno(result, returns);
	const char *name = err > 0 ? errno_name(err) : NULL;

	if (name) {
		strbuf_addstr(sb, "[-");
		strbuf_addstr(sb, name);
		strbuf_addch(sb, ']');
		return;
	}
	if (err > 0) {
		strbuf_addf(sb, "[-%d]", err);
		return;
	}
	switch (result_shown_as(result, returns)) {
	case RETURN_VOID:
		strbuf_addstr(sb, "[void]");
		break;
	case RETURN_STRUCT:
		strbuf_addstr(sb, "[struct]");
		break;
	case RETURN_BOOL:
		strbuf_addstr(sb, (uint8_t)result ? "[true]" : "[false]");
		break;
	case RETURN_POINTER:
		if (result)
			add_hex(sb, result);
		else
			strbuf_addstr(sb, "[NULL]");
		break;
	default:
		add_number(sb, result, returns);
		break;
	}
}

enum style result_style(const struct plan_func *func, const struct error_rule *rules,
			uint64_t result)
{
	if (result_failed(func, rules, result))
		return STYLE_BAD;
	return func->returns == RETURN_VOID || func->returns == RETURN_STRUCT ? STYLE_ASIDE :
										STYLE_GOOD;
}
