/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* When a result is an error: one rule for BPF and for printing. */
#ifndef RETSNOOP_BPF_RESULT_RULE_H
#define RETSNOOP_BPF_RESULT_RULE_H

#include <linux/types.h>

#include "bpf/config.h"
#include "bpf/return_kind.h"

#define RESULT_MAX_ERRNO 4095	/* include/linux/err.h */
#define RESULT_NOT_FAILED (-1)

/*
 * The errno (1..4095) that @result stands for, 0 for a NULL pointer that is a failure, or
 * RESULT_NOT_FAILED.
 */
static inline __attribute__((always_inline)) int result_errno(__u64 result, __u32 returns)
{
	__s64 value;

	switch (returns) {
	case RETURN_POINTER:
		if (!result)
			return 0;
		value = (__s64)result;
		break;
	case RETURN_UNKNOWN:
	case RETURN_INT32:
		value = (__s32)result;
		break;
	case RETURN_INT64:
		value = (__s64)result;
		break;
	default:
		return RESULT_NOT_FAILED;
	}
	return value < 0 && value >= -RESULT_MAX_ERRNO ? (int)-value : RESULT_NOT_FAILED;
}

/*
 * A result as the number that conditions compare: signed, of the function's own size. Of one or two
 * bytes, it has its own sign; where that is not known, it is mostly sign-extended to 32 bits, and if
 * not, the rest of the register is garbage.
 */
static inline __attribute__((always_inline)) __s64 result_number(__u64 result, __u32 returns)
{
	__s32 narrow = (__s32)result;

	switch (returns) {
	case RETURN_BOOL:
		return (__u8)result != 0;
	case RETURN_UNKNOWN:
	case RETURN_INT32:
	case RETURN_UNSIGNED32:
		return narrow;
	case RETURN_UNSIGNED8:
		return (__u8)result;
	case RETURN_UNSIGNED16:
		return (__u16)result;
	case RETURN_INT8:
		return (__s8)result;
	case RETURN_INT16:
		return (__s16)result;
	case RETURN_NARROW:
		return narrow >= -32768 && narrow <= 65535 ? narrow : (__u16)result;
	default:
		return (__s64)result;
	}
}

static inline __attribute__((always_inline)) int term_holds(__s64 number, __u32 op, __s64 value)
{
	switch (op) {
	case TERM_EQ:
		return number == value;
	case TERM_NE:
		return number != value;
	case TERM_LT:
		return number < value;
	case TERM_LE:
		return number <= value;
	case TERM_GT:
		return number > value;
	default:
		return number >= value;
	}
}

/* Whether one of the terms holds. @returns has a number: not RETURN_VOID or RETURN_STRUCT. */
static inline __attribute__((always_inline)) int
terms_hold(const volatile struct config_terms *terms, __u64 result, __u32 returns)
{
	__s64 number = result_number(result, returns);
	int holds = 0;

	for (__u32 i = 0; i < CONFIG_TERMS; i++) {
		if (i < terms->nr)
			holds |= term_holds(number, terms->terms[i].op, terms->terms[i].value);
	}
	return holds;
}

/* result_errno() for functions with a rule of the user's (--error-if). */
static inline __attribute__((always_inline)) int
result_errno_by(const volatile struct config_terms *terms, __u64 result, __u32 returns)
{
	__s64 number = result_number(result, returns);

	if (returns == RETURN_VOID || returns == RETURN_STRUCT ||
	    !terms_hold(terms, result, returns))
		return RESULT_NOT_FAILED;
	return number < 0 && number >= -RESULT_MAX_ERRNO ? (int)-number : 0;
}

/* Whether such a function can fail; if not, its return leaves a chain as it is. */
static inline __attribute__((always_inline)) int result_can_fail(__u32 returns)
{
	return returns == RETURN_POINTER || returns == RETURN_UNKNOWN || returns == RETURN_INT32 ||
	       returns == RETURN_INT64;
}

#endif
