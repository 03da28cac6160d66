/* SPDX-License-Identifier: BSD-2-Clause */
/* Results as text. */
#ifndef RETSNOOP_VIEW_SESSION_RESULT_TEXT_H
#define RETSNOOP_VIEW_SESSION_RESULT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/base/style.h"
#include "util/kernel/types/return_kind_name.h"

struct error_rule;
struct plan_func;

/* A result as a number; meaningless for RETURN_VOID and RETURN_STRUCT. */
struct result_value {
	bool negative;
	uint64_t magnitude;	/* of a negative number: without the sign */
};

/* The value in a return register, without the parts that are undefined for this kind. */
struct result_value result_value(uint64_t result, enum return_kind returns);

/*
 * The kind to show a result as. A function without BTF may return a pointer: its result is one if it is
 * no errno and an address of the kernel. Addresses whose upper half is only the sign are numbers.
 */
enum return_kind result_shown_as(uint64_t result, enum return_kind returns);

/* "[-EINVAL]", "[NULL]", "[true]", "[void]", "[0xffff888126ae9100]", "[5]", "[struct]". */
void result_add(struct strbuf *sb, uint64_t result, enum return_kind returns);

/* Errors are highlighted, and results that say nothing are dim. */
enum style result_style(const struct plan_func *func, const struct error_rule *rules,
			uint64_t result);

#endif
