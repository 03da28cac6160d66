/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds places for kprobes in a function, by reading its code. */
#ifndef RETSNOOP_KERNEL_CODE_PROBE_POINT_H
#define RETSNOOP_KERNEL_CODE_PROBE_POINT_H

#include <stdint.h>

#include "util/kernel/symbols/code_source.h"

enum point_place {
	POINT_GOOD,	/* an instruction begins there */
	POINT_MIDDLE,	/* inside an instruction: see before and after */
	POINT_OUTSIDE,	/* not in the function: see before */
	POINT_BREAKS,	/* an instruction that no kprobe may be on: code_breaks_kprobe() */
	POINT_UNKNOWN,	/* its code cannot be read or followed; the kernel decides */
};

struct point_check {
	enum point_place place;
	/* Offsets of the nearest instructions; after == before: there is none after it. */
	uint64_t before, after;
	int have_before;	/* `before` and `after` are known */
};

/**
 * Check a place in a function.
 *
 * @size	of the function in bytes; 0: not known, then it is assumed to include the offset
 */
void point_check(const struct code_source *source, uint64_t func, uint64_t size, uint64_t offset,
		 struct point_check *ret_check);

#endif
