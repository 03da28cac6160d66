// SPDX-License-Identifier: BSD-2-Clause
/* Which of the CPU's branches are shown. */
#include "util/trace/branches/branch_trim_internal.h"

#include "util/trace/session/session.h"

static bool touches_function(const struct branch *branch, const struct branch_place_rules *rules)
{
	if (is_blank(branch))
		return false;
	return (!(branch->marks & FROM_INSIDE) && rules->in_function(rules->arg, branch->from)) ||
	       (!(branch->marks & TO_INSIDE) && rules->in_function(rules->arg, branch->to));
}

static bool leads_to_tracing(const struct branch *branch, const struct branch_place_rules *rules)
{
	return is_tracings(&branch->to_place) && !rules->in_function(rules->arg, branch->to);
}

/*
 * The function's last record, or NULL. It is not the last that has to do with it where it left by a
 * tail call, or returned by way of a thunk: what follows is its own until tracing is reached.
 *
 * @returned	where that seems to be; what there is where nothing has to do with the function
 */
static struct branch *find_end(struct branches *branches, const struct branch_place_rules *rules,
			       struct branch *returned)
{
	struct branch *first = branches->v.data, *past = first + branches->v.len, *end = past;

	while (end > first && !touches_function(end - 1, rules))
		end--;
	if (end-- == first)
		return returned;
	if (leads_to_tracing(end, rules))
		return end;
	for (struct branch *branch = end + 1; branch < past; branch++) {
		if (is_blank(branch) || branch->marks & (TO_INSIDE | AROUND))
			continue;
		/* Tracing was reached by a way that was not recorded. */
		if (is_tracings(&branch->from_place))
			break;
		if (leads_to_tracing(branch, rules))
			return branch;
	}
	return end;
}

/* Branches that tracing repeats are not the function's. */
static void mark_duplicates(struct branches *branches, const struct branch *end)
{
	struct branch *before = NULL;

	vec_foreach(branch, &branches->v) {
		if (is_blank(branch))
			continue;
		if (before && before != end && before->from == branch->from &&
		    before->to == branch->to) {
			branch->marks |= BRANCH_IS_DUPLICATE;
			before->times++;
		} else {
			branch->times = 1;
			before = branch;
		}
	}
}

static struct code_place place_of(const struct branch_place_rules *rules, uint64_t addr)
{
	if (!rules->place || !addr)
		return (struct code_place){ .kind = CODE_OTHER };
	return rules->place(rules->arg, addr);
}

int branches_trim(const struct session *session, const struct branch_place_rules *rules,
		  struct branches *branches)
{
	uint32_t nr = 0;
	struct branch *returned, *end;

	branches->v.len = 0;
	branches->nr_recorded = branches->nr_shown = 0;
	branches->none_left = true;
	if (!session->branches || !session->nr_branches)
		return 0;
	if (vec_reserve(&branches->v, session->nr_branches))
		return -ENOMEM;
	for (uint32_t i = session->nr_branches; i-- > 0;) {
		const struct event_branch *event = &session->branches[i];
		bool blank = !event->from || !event->to;
		uint64_t to = blank || !rules->landing ? event->to : rules->landing(rules->arg, event->to);

		branches->nr_recorded += !blank;
		branches->v.data[branches->v.len++] = (struct branch){
			.from = event->from,
			.to = to,
			.flags = event->flags,
			.nr = BRANCH_NO_NR,
			.marks = blank ? BRANCH_IS_BLANK : 0,
			.from_place = place_of(rules, event->from),
			.to_place = place_of(rules, to),
		};
	}
	find_interrupts(branches, rules);
	returned = find_tracing(branches, rules);
	end = find_end(branches, rules, returned);
	mark_duplicates(branches, end);
	vec_foreach(branch, &branches->v) {
		if (!is_blank(branch) &&
		    (!end || branch > end || (branch->marks & AROUND && branch < end)))
			branch->marks |= BRANCH_IS_TRACING;
		if (!is_blank(branch) && branch->marks & (FROM_INSIDE | TO_INSIDE))
			branch->marks |= BRANCH_IS_INTERRUPT;
		branch->marks &= BRANCH_LEFT_OUT | BRANCH_IS_INTERRUPT;
	}
	for (size_t i = branches->v.len; i-- > 0;) {
		if (!(branches->v.data[i].marks & BRANCH_LEFT_OUT))
			branches->v.data[i].nr = nr++;
	}
	branches->nr_shown = nr;
	branches->none_left = !nr;
	return 0;
}

void branches_release(struct branches *branches)
{
	vec_release(&branches->v);
}
