// SPDX-License-Identifier: BSD-2-Clause
/* A session's branches with names and sources. */
#include "util/explain/branch_rows.h"

#include <linux/perf_event.h>
#include <string.h>

#include "util/ask/request.h"
#include "util/explain/explain_context.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/code/routine.h"
#include "util/trace/attach/tracing_code.h"
#include "util/trace/branches/branch_places.h"

const struct plan_func *branches_func(const struct plan *plan, const struct session *session)
{
	if (session->branches_func >= plan->funcs.len)
		return NULL;
	return &plan->funcs.data[session->branches_func];
}

/*
 * Whether a branch is a return. CPUs record types of branches only on request; without a request,
 * some leave numbers there that mean something else. Then a branch from one function into the
 * middle of another is a return, with four exceptions: the return from an interrupt, the return
 * instruction of a thunk, branches between parts of one function, and a trampoline that continues
 * in the function.
 */
static bool is_return(uint64_t branch_types, const struct branch *branch, const struct place *from,
		      const struct place *to)
{
	uint32_t type = BRANCH_TYPE(branch->flags);

	if (branch_types & PERF_SAMPLE_BRANCH_TYPE_SAVE && type != PERF_BR_UNKNOWN)
		return type == PERF_BR_RET || type == PERF_BR_COND_RET;
	if (!to->name || !to->offset || !from->name)
		return false;
	if (!strcmp(from->name, to->name) || is_cold_part_of(from->name, to->name) ||
	    is_cold_part_of(to->name, from->name))
		return false;
	if (branch->from_place.kind == CODE_INTERRUPT_EXIT ||
	    thunk_kind(from->name, from->module) == CALL_THUNK)
		return false;
	return !is_tracing_code(from->name, from->module) || to->offset > ENTRY_CALL_MAX;
}

static int add_row(struct branch_rows *rows, uint64_t branch_types, struct places *places,
		   const struct branch *branch)
{
	struct branch_row row = { .branch = branch };
	struct symbolized found;
	int err;

	row.from = place_find(places, branch->from, false, &found);
	err = place_keep_sources(places, &found, &row.from);
	row.to = place_find(places, branch->to, false, &found);
	if (is_return(branch_types, branch, &row.from, &row.to))
		row.to = place_find(places, branch->to, true, &found);
	err = err ?: place_keep_sources(places, &found, &row.to);
	return err ?: vec_push(&rows->v, row);
}

/* The oldest branch to show, if only @max are shown. */
static size_t first_shown(const struct branches *branches, uint32_t max)
{
	size_t first = branches->v.len;
	uint32_t left = max;

	if (!max)
		return 0;
	while (first && left)
		left -= !(branches->v.data[--first].marks & BRANCH_LEFT_OUT);
	return left ? 0 : first;
}

/*
 * Generated code may be newer than the symbol table: looking it up through the symbolizer reads
 * the table again.
 */
static void know_symbols(const struct explain_context *context, const struct session *session)
{
	struct symbolized found;

	if (!session->branches || !context->symbols)
		return;
	for (uint32_t i = 0; i < session->nr_branches; i++) {
		const struct event_branch *branch = &session->branches[i];

		if (branch->to && !symbols_at(context->symbols, branch->to)) {
			symbolizer_lookup(context->symbolizer, branch->to, false, &found);
			return;
		}
	}
}

int branch_rows_fill(struct branch_rows *rows, const struct explain_context *context,
		     struct places *places, const struct session *session)
{
	const struct branch_places known = {
		.symbols = context->symbols,
		.func = branches_func(context->plan, session),
		.plan = context->plan,
		.index = places->index,
		.code = context->code,
	};
	const struct branch_place_rules rules = branch_places_rules(&known);
	int err;

	rows->v.len = 0;
	know_symbols(context, session);
	err = branches_trim(session, &rules, &rows->branches);
	if (err)
		return err;
	for (size_t i = first_shown(&rows->branches, context->settings->branches_max);
	     !err && i < rows->branches.v.len; i++) {
		const struct branch *branch = &rows->branches.v.data[i];

		if (context->settings->branches_full || !(branch->marks & BRANCH_LEFT_OUT))
			err = add_row(rows, context->branch_types, places, branch);
	}
	return err;
}

void branch_rows_release(struct branch_rows *rows)
{
	branches_release(&rows->branches);
	vec_release(&rows->v);
}
