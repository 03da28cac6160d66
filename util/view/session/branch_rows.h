/* SPDX-License-Identifier: BSD-2-Clause */
/* A session's branches with names and sources: what all forms of the view have in common. */
#ifndef RETSNOOP_VIEW_SESSION_BRANCH_ROWS_H
#define RETSNOOP_VIEW_SESSION_BRANCH_ROWS_H

#include <stdint.h>

#include "util/base/vec.h"
#include "util/capture/branches/branch_trim.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/trace/plan/plan_index.h"
#include "util/trace/session/session.h"

struct view_context;

struct branch_side {
	uint64_t addr;
	const char *name;	/* NULL: not in any symbol; of the plan or the symbol table */
	const char *module;	/* NULL for vmlinux */
	uint64_t offset;	/* from the name's address */
	uint32_t first_source;	/* in `sources`: innermost first, as the symbolizer has them */
	uint32_t nr_sources;
};

struct branch_row {
	const struct branch *branch;
	struct branch_side from;	/* the branch instruction itself */
	/* Where it went. A return's source is that of the call, not of what follows it. */
	struct branch_side to;
};

/* Kept from session to session; all zeros to begin with. */
struct branch_rows {
	struct branches branches;	/* trimmed, of the session filled in last */
	VEC(struct branch_row) rows;	/* those to show, oldest first */
	VEC(struct source_frame) sources;
	struct plan_index index;
};

/* The function whose return it was, or NULL. */
const struct plan_func *branch_rows_func(const struct view_context *context,
					 const struct session *session);

/* 0; -ENOMEM. */
int branch_rows_fill(struct branch_rows *rows, const struct view_context *context,
		     const struct session *session);
void branch_rows_release(struct branch_rows *rows);

#endif
