/* SPDX-License-Identifier: BSD-2-Clause */
/* A session's call stack, as text. */
#ifndef RETSNOOP_VIEW_SESSION_STACK_TEXT_H
#define RETSNOOP_VIEW_SESSION_STACK_TEXT_H

#include "util/base/strbuf.h"

struct explained;
struct view_context;

/* Reused from session to session; starts zeroed. */
struct stack_text {
	struct strbuf cell;
};

/* Append the session's stack, one row per line. 0; -ENOMEM. */
int stack_text_add(struct stack_text *self, struct strbuf *text, const struct view_context *context,
		   const struct explained *explained);
void stack_text_release(struct stack_text *self);

#endif
