// SPDX-License-Identifier: BSD-2-Clause
/* Results, durations and times as text. */
#include "util/view/result.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "bpf/result.h"
#include "util/base/errnames.h"
#include "util/trace/plan.h"
#include "util/trace/result_expr.h"

#define NS_PER_SEC 1000000000ll

/* Numbers beyond look like addresses or flags: hex reads better. */
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
	int32_t narrow;

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
	case RETURN_NARROW:
		/* Most often extended to 32 bits, by its sign; if not, the rest is garbage. */
		narrow = (int32_t)result;
		if (narrow >= INT16_MIN && narrow <= UINT16_MAX)
			return signed_value(narrow);
		return (struct result_value){ false, (uint16_t)result };
	case RETURN_POINTER:
	case RETURN_UNSIGNED64:
	case RETURN_VOID:
	case RETURN_STRUCT:
		break;
	}
	return (struct result_value){ false, result };
}

static void add_number(struct strbuf *sb, uint64_t result, enum return_kind returns)
{
	struct result_value value = result_value(result, returns);

	if (value.negative && value.magnitude <= DECIMAL_MIN)
		strbuf_addf(sb, "[-%" PRIu64 "]", value.magnitude);
	else if (!value.negative && value.magnitude <= DECIMAL_MAX)
		strbuf_addf(sb, "[%" PRIu64 "]", value.magnitude);
	else if (returns == RETURN_UNKNOWN || returns == RETURN_INT32)
		strbuf_addf(sb, "[0x%" PRIx32 "]", (uint32_t)result);
	else if (value.negative)
		strbuf_addf(sb, "[0x%" PRIx64 "]", result);
	else
		strbuf_addf(sb, "[0x%" PRIx64 "]", value.magnitude);
}

void result_add(struct strbuf *sb, uint64_t result, enum return_kind returns)
{
	int err = result_errno(result, returns);

	if (err > 0 && errno_name(err)) {
		strbuf_addf(sb, "[-%s]", errno_name(err));
		return;
	}
	if (err > 0) {
		strbuf_addf(sb, "[-%d]", err);
		return;
	}
	switch (returns) {
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
			strbuf_addf(sb, "[0x%" PRIx64 "]", result);
		else
			strbuf_addstr(sb, "[NULL]");
		break;
	default:
		add_number(sb, result, returns);
		break;
	}
}

bool result_failed(const struct plan_func *func, const struct error_rule *rules, uint64_t result)
{
	if (func->rule)
		return terms_hold(&rules[func->rule - 1].expr.terms, result, func->returns);
	return result_errno(result, func->returns) != RESULT_NOT_FAILED;
}

enum style result_style(const struct plan_func *func, const struct error_rule *rules,
			uint64_t result)
{
	if (result_failed(func, rules, result))
		return STYLE_BAD;
	return func->returns == RETURN_VOID || func->returns == RETURN_STRUCT ? STYLE_ASIDE :
										STYLE_GOOD;
}

void duration_add(struct strbuf *sb, uint64_t ns)
{
	uint64_t us = ns / 1000;

	if (us < 10000000)
		strbuf_addf(sb, "%" PRIu64 "us", us);
	else
		strbuf_addf(sb, "%" PRIu64 ".%03" PRIu64 "s", us / 1000000, us / 1000 % 1000);
}

/* Rounds down, before the epoch too. */
static long split(int64_t wall_ns, struct tm *ret_tm)
{
	long rest = wall_ns % NS_PER_SEC;
	time_t seconds = wall_ns / NS_PER_SEC;

	if (rest < 0) {
		rest += NS_PER_SEC;
		seconds--;
	}
	localtime_r(&seconds, ret_tm);
	return rest;
}

void clock_add(struct strbuf *sb, int64_t wall_ns)
{
	struct tm tm;
	long rest = split(wall_ns, &tm);

	strbuf_addf(sb, "%02d:%02d:%02d.%06ld", tm.tm_hour, tm.tm_min, tm.tm_sec, rest / 1000);
}

void timestamp_add(struct strbuf *sb, int64_t wall_ns)
{
	struct tm tm;
	long rest = split(wall_ns, &tm), offset = tm.tm_gmtoff / 60;

	strbuf_addf(sb, "%04d-%02d-%02dT%02d:%02d:%02d.%09ld%c%02ld:%02ld", tm.tm_year + 1900,
		    tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, rest,
		    offset < 0 ? '-' : '+', labs(offset) / 60, labs(offset) % 60);
}
