/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* When a result is an error: one rule for BPF and for printing. */
#ifndef RETSNOOP_RESULT_H
#define RETSNOOP_RESULT_H

#include <linux/types.h>

#include "util/kernel/return_kind.h"

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

/* Whether such a function can fail at all; one that cannot says nothing when it returns. */
static inline __attribute__((always_inline)) int result_can_fail(__u32 returns)
{
	return returns == RETURN_POINTER || returns == RETURN_UNKNOWN || returns == RETURN_INT32 ||
	       returns == RETURN_INT64;
}

#endif
