/* SPDX-License-Identifier: BSD-2-Clause */
/* The call stack behind a session, as text: DESIGN 6. */
#ifndef RETSNOOP_VIEW_SESSION_STACK_TEXT_H
#define RETSNOOP_VIEW_SESSION_STACK_TEXT_H

#include "util/base/strbuf.h"
#include "util/trace/explain/stack_rows.h"

struct view_context;

/* Kept from session to session; all zeros to begin with. */
struct stack_text {
	struct stack_rows rows;
	struct strbuf cell;
};

/* Append the session's stack, a row a line. 0; -ENOMEM. */
int stack_text_add(struct stack_text *self, struct strbuf *text, const struct view_context *context,
		   const struct session *session);
void stack_text_release(struct stack_text *self);

#endif
