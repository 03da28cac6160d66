/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages about functions that cannot be attached to. */
#ifndef RETSNOOP_TRACE_ATTACH_ATTACH_REFUSAL_H
#define RETSNOOP_TRACE_ATTACH_ATTACH_REFUSAL_H

#include <stdbool.h>
#include <stdint.h>

#include "util/ask/rung.h"
#include "util/base/strbuf.h"

struct attached;
struct features;
struct plan;

/*
 * Append the whole message: "fentry refuses 'do_mmap': ...". For a function without a rung
 * (RUNG_AUTO) the reason, and the number of other functions of that name without one.
 *
 * @forced	the rung that was asked for; RUNG_AUTO any
 */
void attach_refusal_add(struct strbuf *sb, const struct plan *plan, const struct attached *attached,
			const struct features *features, uint32_t index, enum rung forced, int err);

/* Whether attaching refused a function of the same name before: one message is enough. */
bool attach_was_refused(const struct plan *plan, const struct attached *attached, uint32_t index);

#endif
