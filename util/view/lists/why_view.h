/* SPDX-License-Identifier: BSD-2-Clause */
/* Explains one failure of a recording, and lists the others: for `retsnoop why -i`. */
#ifndef RETSNOOP_VIEW_LISTS_WHY_VIEW_H
#define RETSNOOP_VIEW_LISTS_WHY_VIEW_H

#include "util/view/session/view.h"

/*
 * Views that show everything at their end, according to context->why: text and JSON. NULL: out of
 * memory.
 */
struct view *view_why_new(const struct view_context *context);
struct view *view_why_json_new(const struct view_context *context);

#endif
