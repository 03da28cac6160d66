/* SPDX-License-Identifier: BSD-2-Clause */
/* A set of results that count as errors: errnos, NULL, or any of them. */
#ifndef RETSNOOP_ASK_ERRNO_SET_H
#define RETSNOOP_ASK_ERRNO_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/text/errnames.h"

#define ERRNO_SET_WORDS ((MAX_ERRNO + 1) / 64)

/* Bit N is errno N; bit 0 is NULL. */
struct errno_set {
	uint64_t bits[ERRNO_SET_WORDS];
	bool used;	/* at least one error was added */
};

/* Add "EINVAL", "-22", "NULL", "any". 0, -EINVAL (not reported). */
int errno_set_add(struct errno_set *set, const char *text);

/* @err	positive, up to MAX_ERRNO; 0: NULL */
void errno_set_add_number(struct errno_set *set, int err);

bool errno_set_has(const struct errno_set *set, int err);

#endif
