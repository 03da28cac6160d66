/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that cannot be attached to: why, in words. */
#ifndef RETSNOOP_TRACE_ATTACH_ATTACH_REFUSAL_H
#define RETSNOOP_TRACE_ATTACH_ATTACH_REFUSAL_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/trace/ask/rung.h"

struct plan;
struct plan_func;

/*
 * Append what the kernel means by refusing a function on a rung: "it takes more arguments than this
 * kernel's trampolines hand on".
 *
 * @err		negative errno
 */
void attach_error_add(struct strbuf *sb, enum rung rung, const struct plan_func *func, int err);

/*
 * Append the whole message: "fentry refuses 'do_mmap': ..."; of a function that no rung was found
 * for (RUNG_AUTO) why, with how many others there are of that name and in that case.
 *
 * @forced	the rung that was asked for; RUNG_AUTO any
 */
void attach_refusal_add(struct strbuf *sb, const struct plan *plan, uint32_t index,
			enum rung forced, int err);

/* Whether a function of the same name was refused at attaching already: one message is enough. */
bool attach_was_refused(const struct plan *plan, uint32_t index);

#endif
