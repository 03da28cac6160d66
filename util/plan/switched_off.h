/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions that are attached but never hit, because ftrace or kprobes are switched off. The kernel
 * attaches anyway, and none of its counters shows it.
 */
#ifndef RETSNOOP_PLAN_SWITCHED_OFF_H
#define RETSNOOP_PLAN_SWITCHED_OFF_H

#include <stdbool.h>
#include <stdint.h>

#include "util/ask/rung.h"

struct attached;
struct plan;
struct switches;

/* Whether functions of a rung are heard of through ftrace alone. */
bool rung_needs_ftrace(enum rung rung);

struct switched_off {
	uint32_t by_ftrace;	/* functions, and probes at the beginnings of functions */
	uint32_t by_kprobes;	/* the same */
};

/* @attached	functions without a rung are not counted */
struct switched_off switched_off_count(const struct plan *plan, const struct attached *attached,
				       const struct switches *switches);

#endif
