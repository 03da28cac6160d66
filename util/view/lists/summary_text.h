/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of the summary's text. */
#ifndef RETSNOOP_VIEW_LISTS_SUMMARY_TEXT_H
#define RETSNOOP_VIEW_LISTS_SUMMARY_TEXT_H

#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/capture/summary/summary.h"
#include "util/trace/plan/plan.h"

/*
 * "[-EINVAL]", "[NULL]", "ok"; "[error]": what --error-if calls one and has no errno. Only for
 * these it matters what kind of function it was.
 */
void outcome_add(struct strbuf *sb, const struct plan_func *func, int32_t err);

/* The same as a word: "EINVAL", "NULL", "ok", "error"; the number of an errno without a name. */
void outcome_word_add(struct strbuf *sb, const struct plan_func *func, int32_t err);

/* With --by=producer: the function; NULL none. */
const struct plan_func *group_producer(const struct plan *plan, const struct summary_group *group);

/*
 * One that stands for the entry functions, of which a producer's outcome does not tell which it
 * was: one that returns pointers if any does.
 */
const struct plan_func *any_entry(const struct plan *plan);

/*
 * A power of two of durations a line, from the shortest call to the longest, with a mark where many
 * empty ones are left out:
 * "[1.02us, 2.05us)       17 |@@@@@@      |".
 */
void histogram_add(struct strbuf *sb, const struct summary_row *row, unsigned int width);

#endif
