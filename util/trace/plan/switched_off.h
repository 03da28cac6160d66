/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is attached and yet not heard of, because somebody has switched off what it stands on. The
 * kernel attaches to it all the same, and no counter of its own tells.
 */
#ifndef RETSNOOP_TRACE_PLAN_SWITCHED_OFF_H
#define RETSNOOP_TRACE_PLAN_SWITCHED_OFF_H

#include <stdint.h>

struct plan;
struct switches;

struct switched_off {
	uint32_t by_ftrace;	/* functions, and points at the beginnings of some */
	uint32_t by_kprobes;	/* the same */
};

/* @plan	attached: functions without a rung are not */
struct switched_off switched_off_count(const struct plan *plan, const struct switches *switches);

#endif
