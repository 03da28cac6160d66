/* SPDX-License-Identifier: BSD-2-Clause */
/* The source lines of decisions. For decision*.c only. */
#ifndef RETSNOOP_EXPLAIN_DECISION_LINES_H
#define RETSNOOP_EXPLAIN_DECISION_LINES_H

#include "util/explain/decision.h"
#include "util/explain/function/branch_path.h"
#include "util/explain/function/function_code.h"

void place_fill(const struct code_reader *reader, uint64_t addr, bool is_return,
		struct decision_place *ret_place);

/*
 * Fill in decision->to, to_shared and the skipped lines of a branch. decision->from is filled in
 * already.
 *
 * @to		address where execution went on
 */
int decision_lines_fill(struct code_reader *reader, const struct code_function *function,
			const struct path *path, uint64_t to, struct decision *decision);

#endif
