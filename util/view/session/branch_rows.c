// SPDX-License-Identifier: BSD-2-Clause
/* A session's branches with names and sources. */
#include "util/view/session/branch_rows.h"

#include <linux/perf_event.h>
#include <string.h>

#include "util/base/glob.h"
#include "util/capture/branches/branch_places.h"
#include "util/trace/attach/tracing_code.h"
#include "util/view/session/view.h"

const struct plan_func *branch_rows_func(const struct view_context *context,
					 const struct session *session)
{
	if (session->branches_func >= context->plan->funcs.len)
		return NULL;
	return &context->plan->funcs.data[session->branches_func];
}

static struct branch_side name_side(struct branch_rows *rows, const struct view_context *context,
				    uint64_t addr, bool is_return, struct symbolized *found)
{
	struct branch_side side = { .addr = addr };
	const struct plan_func *func;

	symbolizer_lookup(context->symbolizer, addr, is_return, found);
	func = plan_func_at(&rows->index, context->plan, addr - is_return, found->symbol);
	if (found->symbol) {
		side.name = found->symbol->name;
		side.module = found->symbol->module;
		side.offset = found->offset;
	}
	if (func) {
		side.name = func->name;
		side.module = func->module;
		side.offset = addr - func->addr;
	}
	return side;
}

static int keep_sources(struct branch_rows *rows, const struct symbolized *found,
			struct branch_side *side)
{
	side->first_source = rows->sources.len;
	for (int i = 0; i < found->nr_frames; i++) {
		if (vec_push(&rows->sources, found->frames[i]))
			return -ENOMEM;
		side->nr_sources++;
	}
	return 0;
}

/*
 * Whether a branch is a return, by where it goes. CPUs say it when asked to; unasked, what some
 * leave there is of another numbering. Otherwise, what leads from one function into the midst of
 * another is one, but for the way back from an interrupt, a thunk's jump by way of a return, parts
 * of one function, and a trampoline that goes on in the function.
 */
static bool is_return(const struct view_context *context, const struct branch *branch,
		      const struct branch_side *from, const struct branch_side *to)
{
	uint32_t type = BRANCH_TYPE(branch->flags);

	if (context->branch_types & PERF_SAMPLE_BRANCH_TYPE_SAVE && type != PERF_BR_UNKNOWN)
		return type == PERF_BR_RET || type == PERF_BR_COND_RET;
	if (!to->name || !to->offset || !from->name)
		return false;
	if (!strcmp(from->name, to->name) || is_cold_part_of(from->name, to->name) ||
	    is_cold_part_of(to->name, from->name))
		return false;
	if (branch->from_place.kind == CODE_INTERRUPT_EXIT ||
	    glob_match("__x86_indirect_*", from->name))
		return false;
	return !is_tracing_code(from->name, from->module) || to->offset > FENTRY_CALL_MAX;
}

static int add_row(struct branch_rows *rows, const struct view_context *context,
		   const struct branch *branch)
{
	struct branch_row row = { .branch = branch };
	struct symbolized found;
	int err;

	row.from = name_side(rows, context, branch->from, false, &found);
	err = keep_sources(rows, &found, &row.from);
	row.to = name_side(rows, context, branch->to, false, &found);
	if (is_return(context, branch, &row.from, &row.to))
		row.to = name_side(rows, context, branch->to, true, &found);
	err = err ?: keep_sources(rows, &found, &row.to);
	return err ?: vec_push(&rows->rows, row);
}

/* The oldest one to show, when only so many are. */
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
 * Made code that is not in the table may be there by now: looking it up by way of the symbolizer
 * has the table read again.
 */
static void know_symbols(const struct view_context *context, const struct session *session)
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

int branch_rows_fill(struct branch_rows *rows, const struct view_context *context,
		     const struct session *session)
{
	const struct branch_places places = {
		.symbols = context->symbols,
		.func = branch_rows_func(context, session),
		.plan = context->plan,
		.index = &rows->index,
	};
	const struct branch_place_rules rules = branch_places_rules(&places);
	int err;

	rows->rows.len = rows->sources.len = 0;
	err = plan_index_fill(&rows->index, context->plan);
	know_symbols(context, session);
	err = err ?: branches_trim(session, &rules, &rows->branches);
	if (err)
		return err;
	for (size_t i = first_shown(&rows->branches, context->branches_max);
	     !err && i < rows->branches.v.len; i++) {
		const struct branch *branch = &rows->branches.v.data[i];

		if (context->branches_full || !(branch->marks & BRANCH_LEFT_OUT))
			err = add_row(rows, context, branch);
	}
	return err;
}

void branch_rows_release(struct branch_rows *rows)
{
	branches_release(&rows->branches);
	vec_release(&rows->rows);
	vec_release(&rows->sources);
	plan_index_release(&rows->index);
}
