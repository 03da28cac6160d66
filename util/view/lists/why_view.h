/* SPDX-License-Identifier: BSD-2-Clause */
/* One of the failures of a recording explained, the others listed: for `retsnoop why -i`. */
#ifndef RETSNOOP_VIEW_LISTS_WHY_VIEW_H
#define RETSNOOP_VIEW_LISTS_WHY_VIEW_H

#include "util/view/session/view.h"

/*
 * Views that show everything at their end, as context->why says: text and JSON. NULL when out of
 * memory.
 */
struct view *view_why_new(const struct view_context *context);
struct view *view_why_json_new(const struct view_context *context);

#endif
