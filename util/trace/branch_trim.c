// SPDX-License-Identifier: BSD-2-Clause
/*
 * What of the CPU's branches is worth a line: the end of the function among what tracing did after
 * it, interrupts that cut in.
 */
#include "util/trace/branch_trim.h"

#include "util/trace/session.h"

/* What is known of a record while they are sorted out; above the marks. */
enum {
	FROM_INSIDE = 1 << 16,	/* an interrupt */
	TO_INSIDE = 1 << 17,
	OPENS = 1 << 18,	/* begins an interrupt that is not over */
	REOPENS = 1 << 19,	/* one that seemed to be over, but went back to elsewhere */
};

/* The code of one entry takes no more. */
#define ENTRY_SIZE 128

static enum interrupt_place place_of(const struct branch_place_rules *rules, uint64_t addr)
{
	return rules->interrupt_place ? rules->interrupt_place(rules->arg, addr) : INTERRUPT_NONE;
}

static bool is_blank(const struct branch *branch)
{
	return branch->marks & BRANCH_IS_BLANK;
}

/* @outside	the first one comes from what was interrupted */
static void mark_inside(struct branch *first, struct branch *last, bool outside)
{
	for (struct branch *branch = first; branch <= last; branch++) {
		if (branch > first || !outside)
			branch->marks |= FROM_INSIDE;
		if (branch < last)
			branch->marks |= TO_INSIDE;
	}
}

/*
 * The beginning that a way back belongs to: the one that was interrupted there. Else, with @any,
 * the one before: exceptions may go on elsewhere, and another task that ran meanwhile goes back to
 * its own. NULL: it was not recorded.
 */
static struct branch *find_beginning(struct branches *branches, struct branch *end, bool any)
{
	struct branch *branch = end, *open = NULL, *over = NULL;

	while (branch > branches->v.data) {
		branch--;
		if (!(branch->marks & (OPENS | REOPENS)))
			continue;
		if (branch->from == end->to)
			return branch;
		if (!open && branch->marks & OPENS)
			open = branch;
		else if (!over && branch->marks & REOPENS)
			over = branch;
	}
	return any ? (open ?: over) : NULL;
}

/* The record before that says anything, and is not of another interrupt that is over; or NULL. */
static struct branch *one_before(struct branches *branches, struct branch *branch)
{
	while (branch > branches->v.data) {
		branch--;
		if (!is_blank(branch) && !(branch->marks & FROM_INSIDE))
			return branch;
	}
	return NULL;
}

/*
 * Marks an interrupt of which the beginning is not there. In a ring that keeps jumps, the way back
 * is behind one to it, and the beginning is older than the ring. In one that keeps returns only,
 * two go to an entry: of what it calls first, to switch stacks, and of the handler.
 */
static void mark_without_beginning(struct branches *branches,
				   const struct branch_place_rules *rules, struct branch *end)
{
	struct branch *before = one_before(branches, end), *last = NULL, *branch;

	end->marks |= FROM_INSIDE;
	if (!before)
		return;
	if (place_of(rules, before->to) != INTERRUPT_EXIT) {
		for (branch = before; branch; branch = one_before(branches, branch)) {
			if (place_of(rules, branch->to) != INTERRUPT_BODY)
				continue;
			if (last && last->to > branch->to && last->to - branch->to < ENTRY_SIZE) {
				mark_inside(branch, end, false);
				return;
			}
			last = branch;
		}
	}
	mark_inside(branches->v.data, end, false);
}

/* @certain	it goes back from an interrupt, whichever */
static void end_interrupt(struct branches *branches, const struct branch_place_rules *rules,
			  struct branch *end, bool certain)
{
	struct branch *first = find_beginning(branches, end, certain);

	if (!first) {
		if (certain)
			mark_without_beginning(branches, rules, end);
		return;
	}
	mark_inside(first, end, true);
	if (first->from != end->to || !certain) {
		first->marks = (first->marks & ~OPENS) | REOPENS;
		return;
	}
	for (struct branch *branch = first; branch < end; branch++)
		branch->marks &= ~(OPENS | REOPENS);
}

/*
 * Rings that keep calls only have no ways back. Where the function itself goes on, an interrupt of
 * it was over.
 */
static void end_open_ones(struct branches *branches, const struct branch_place_rules *rules)
{
	struct branch *past = branches->v.data + branches->v.len;

	for (struct branch *first = branches->v.data; first < past; first++) {
		struct branch *next = first + 1;

		if (!(first->marks & OPENS) || !rules->in_function(rules->arg, first->from))
			continue;
		while (next < past && (is_blank(next) || next->marks & FROM_INSIDE ||
				       !rules->in_function(rules->arg, next->from)))
			next++;
		if (next == past)
			continue;
		mark_inside(first, next, true);
		next->marks &= ~FROM_INSIDE;
	}
}

/*
 * From the oldest on. A beginning without a way back is where all this happened, and did not cut
 * in.
 */
static void find_interrupts(struct branches *branches, const struct branch_place_rules *rules)
{
	bool begins = false;

	vec_foreach(branch, &branches->v) {
		enum interrupt_place from, to;
		bool goes_on = begins;

		if (is_blank(branch))
			continue;
		from = place_of(rules, branch->from);
		to = place_of(rules, branch->to);
		begins = to == INTERRUPT_ENTRY;
		if (begins && !goes_on)
			branch->marks |= OPENS;
		if (from == INTERRUPT_EXIT && (to == INTERRUPT_NONE || to == INTERRUPT_BODY))
			end_interrupt(branches, rules, branch, true);
		else if (from != INTERRUPT_NONE && to == INTERRUPT_NONE)
			end_interrupt(branches, rules, branch, false);
	}
	end_open_ones(branches, rules);
}

static bool touches(const struct branch *branch, const struct branch_place_rules *rules)
{
	if (is_blank(branch))
		return false;
	return (!(branch->marks & FROM_INSIDE) && rules->in_function(rules->arg, branch->from)) ||
	       (!(branch->marks & TO_INSIDE) && rules->in_function(rules->arg, branch->to));
}

static bool leads_to_tracing(const struct branch *branch, const struct branch_place_rules *rules)
{
	return rules->is_tracing && rules->is_tracing(rules->arg, branch->to) &&
	       !rules->in_function(rules->arg, branch->to);
}

/*
 * The function's last record, or NULL. It is not the last that has to do with it where it left by a
 * tail call, or returned by way of a thunk: what follows is its own until tracing is reached.
 */
static struct branch *find_end(struct branches *branches, const struct branch_place_rules *rules)
{
	struct branch *first = branches->v.data, *past = first + branches->v.len, *end = past;

	while (end > first && !touches(end - 1, rules))
		end--;
	if (end-- == first)
		return NULL;
	for (struct branch *branch = end; branch < past; branch++) {
		if (is_blank(branch) || branch->marks & TO_INSIDE)
			continue;
		if (leads_to_tracing(branch, rules))
			return branch;
		/* Tracing was reached by a way that was not recorded. */
		if (branch > end && rules->is_tracing &&
		    rules->is_tracing(rules->arg, branch->from))
			break;
	}
	return end;
}

/* What tracing repeats is not the function's. */
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

int branches_trim(const struct session *session, const struct branch_place_rules *rules,
		  struct branches *branches)
{
	uint32_t nr = 0;
	struct branch *end;

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

		branches->nr_recorded += !blank;
		branches->v.data[branches->v.len++] = (struct branch){
			.from = event->from,
			.to = event->to,
			.flags = event->flags,
			.nr = BRANCH_NO_NR,
			.marks = blank ? BRANCH_IS_BLANK : 0,
		};
	}
	find_interrupts(branches, rules);
	end = find_end(branches, rules);
	branches->none_left = !end;
	mark_duplicates(branches, end);
	vec_foreach(branch, &branches->v) {
		if (!is_blank(branch) && (!end || branch > end))
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
	return 0;
}

void branches_release(struct branches *branches)
{
	vec_release(&branches->v);
}
