/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of the summary's text. */
#ifndef RETSNOOP_VIEW_LISTS_SUMMARY_TEXT_H
#define RETSNOOP_VIEW_LISTS_SUMMARY_TEXT_H

#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/plan/plan.h"
#include "util/trace/summary/summary.h"

/*
 * "[-EINVAL]", "[NULL]", "ok"; "[error]": an error by --error-if that has no errno. @func matters
 * only for [NULL] and [error].
 */
void outcome_add(struct strbuf *sb, const struct plan_func *func, int32_t err);

/* The same as a word: "EINVAL", "NULL", "ok", "error"; the number of an errno without a name. */
void outcome_word_add(struct strbuf *sb, const struct plan_func *func, int32_t err);

/* The function of a group with --by=producer; NULL none. */
const struct plan_func *group_producer(const struct plan *plan, const struct summary_group *group);

/*
 * An entry function for showing a producer's outcome, whose entry function is not known: one that
 * returns pointers if any does.
 */
const struct plan_func *any_entry(const struct plan *plan);

/*
 * One line per power of two of durations, from the shortest call to the longest, with a mark
 * where many empty lines are left out:
 * "[1.02us, 2.05us)       17 |@@@@@@      |".
 */
void histogram_add(struct strbuf *sb, const struct summary_row *row, unsigned int width);

#endif
