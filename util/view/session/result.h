/* SPDX-License-Identifier: BSD-2-Clause */
/* Results as text. */
#ifndef RETSNOOP_VIEW_SESSION_RESULT_H
#define RETSNOOP_VIEW_SESSION_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/base/style.h"
#include "util/kernel/types/return_kind.h"

struct error_rule;
struct plan_func;

/* A result as a number, which means something for all but RETURN_VOID and RETURN_STRUCT. */
struct result_value {
	bool negative;
	uint64_t magnitude;	/* of a negative number: without the sign */
};

/* What a return register holds, the parts of it that the kind leaves undefined put aside. */
struct result_value result_value(uint64_t result, enum return_kind returns);

/* "[-EINVAL]", "[NULL]", "[true]", "[void]", "[0xffff888126ae9100]", "[5]", "[struct]". */
void result_add(struct strbuf *sb, uint64_t result, enum return_kind returns);

/*
 * Whether that result is a failure of that function: by --error-if where a rule is given for it,
 * else by its kind. @rules are the request's, and may be NULL when no function has one.
 */
bool result_failed(const struct plan_func *func, const struct error_rule *rules, uint64_t result);

/* Errors stand out, and what says nothing stands back. */
enum style result_style(const struct plan_func *func, const struct error_rule *rules,
			uint64_t result);

#endif
