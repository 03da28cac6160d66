/* SPDX-License-Identifier: BSD-2-Clause */
/* The CPU's branches before a session's result, as text. */
#ifndef RETSNOOP_VIEW_BRANCHES_TEXT_H
#define RETSNOOP_VIEW_BRANCHES_TEXT_H

#include "util/base/strbuf.h"
#include "util/trace/branch_trim.h"
#include "util/trace/session.h"

struct view_context;

/* Kept from session to session. */
struct branches_text {
	struct branches branches;	/* trimmed, of the session shown last */
	struct strbuf cell;
};

/* Nothing when the session has none to show. 0; -ENOMEM. */
int branches_text_add(struct branches_text *self, struct strbuf *text,
		      const struct view_context *context, const struct session *session);
void branches_text_release(struct branches_text *self);

#endif
