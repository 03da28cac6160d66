/* SPDX-License-Identifier: BSD-2-Clause */
/* A session's branches with names and sources. */
#ifndef RETSNOOP_EXPLAIN_BRANCH_ROWS_H
#define RETSNOOP_EXPLAIN_BRANCH_ROWS_H

#include <stdint.h>

#include "util/base/vec.h"
#include "util/explain/place.h"
#include "util/trace/branches/branch_trim.h"
#include "util/trace/session/session.h"

struct explain_context;

struct branch_row {
	const struct branch *branch;
	struct place from;	/* the branch instruction itself */
	/* The target. A return's source line is that of the call, not of the code after it. */
	struct place to;
};

/* Kept from session to session; all zeros to begin with. */
struct branch_rows {
	struct branches branches;	/* trimmed; of the last session */
	VEC(struct branch_row) v;	/* branches to show, oldest first */
};

/* The function whose return the branches were read at, or NULL. */
const struct plan_func *branches_func(const struct plan *plan, const struct session *session);

/* @places gets the sources. 0; -ENOMEM. */
int branch_rows_fill(struct branch_rows *rows, const struct explain_context *context,
		     struct places *places, const struct session *session);
void branch_rows_release(struct branch_rows *rows);

#endif
