/* SPDX-License-Identifier: BSD-2-Clause */
/* The CPU's branches before a session's result, as text. */
#ifndef RETSNOOP_VIEW_SESSION_BRANCHES_TEXT_H
#define RETSNOOP_VIEW_SESSION_BRANCHES_TEXT_H

#include "util/base/strbuf.h"

struct explained;
struct view_context;

/* Reused from session to session; starts zeroed. */
struct branches_text {
	struct strbuf cell;
};

/*
 * Append the session's branches, one per line, oldest first, or why there are none; nothing if
 * they are not shown. 0; -ENOMEM.
 */
int branches_text_add(struct branches_text *self, struct strbuf *text,
		      const struct view_context *context, const struct explained *explained);

/*
 * Append why there are no branches, and the remedy, as a sentence; nothing if there are branches.
 */
void branches_missing_add(struct strbuf *text, const struct explained *explained);
void branches_text_release(struct branches_text *self);

#endif
