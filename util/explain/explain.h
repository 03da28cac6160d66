/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prepares a session for views: finds places for addresses, trims branches, finds the decision.
 * Every view, text or JSON, live or of a recording, prints the same struct explained.
 */
#ifndef RETSNOOP_EXPLAIN_EXPLAIN_H
#define RETSNOOP_EXPLAIN_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "util/explain/branch_rows.h"
#include "util/explain/decision.h"
#include "util/explain/explain_context.h"
#include "util/explain/place.h"
#include "util/explain/stack_rows.h"
#include "util/trace/session/session.h"

struct explained {
	const struct explain_context *context;
	const struct session *session;
	/* The parts that are filled in: MODE_STACK, MODE_BRANCHES (util/ask/request.h). */
	unsigned int parts;
	bool has_decision;
	struct places places;		/* the sources of all places below */
	struct stack_rows stack;
	struct branch_rows branches;
	struct decision decision;
};

/* Kept from session to session; all zeros but for the context to begin with. */
struct explainer {
	const struct explain_context *context;	/* borrowed */
	struct plan_index index;
	struct explained explained;
};

/**
 * Explain a session.
 *
 * @parts	MODE_STACK and MODE_BRANCHES, as needed; branches come with the decision, if there is
 *		a decider. A session without branches, and without a reason for it, has no such part.
 * @return	the explainer's, until the next session; it refers to the session. NULL: out of memory
 *		(reported).
 */
const struct explained *explain(struct explainer *explainer, const struct session *session,
				unsigned int parts);
void explainer_release(struct explainer *explainer);

/*
 * For a session that failed and has no decision: which traced function its result came from, and
 * how it went up from there. The parts must include MODE_STACK.
 *
 * @decision	zeroed; release it
 * @return	0; -ENOMEM
 */
int explain_origin(const struct explained *explained, struct decision *decision);

#endif
