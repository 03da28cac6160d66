/* SPDX-License-Identifier: BSD-2-Clause */
/* Sessions as a list, one line of text each: for `retsnoop report --list`. */
#ifndef RETSNOOP_VIEW_LISTS_SESSION_LIST_H
#define RETSNOOP_VIEW_LISTS_SESSION_LIST_H

#include "util/view/session/view.h"

/* Views that need neither traces nor stacks: text, CSV. NULL: out of memory. */
struct view *view_list_new(const struct view_context *context);
struct view *view_list_csv_new(const struct view_context *context);

#endif
