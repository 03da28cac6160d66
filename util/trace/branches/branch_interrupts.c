// SPDX-License-Identifier: BSD-2-Clause
/* Interrupts among the CPU's branches. */
#include "util/trace/branches/branch_trim_internal.h"

/* The code of one entry takes no more. */
#define ENTRY_SIZE 128

static bool is_interrupts(const struct code_place *place)
{
	switch (place->kind) {
	case CODE_INTERRUPT_ENTRY:
	case CODE_INTERRUPT:
	case CODE_INTERRUPT_EXIT:
		return true;
	default:
		return false;
	}
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
 * is after one to it, and the beginning is older than the ring. In one that keeps returns only,
 * two go to an entry: of what it calls first, to switch stacks, and of the handler.
 */
static void mark_without_beginning(struct branches *branches, struct branch *end)
{
	struct branch *before = one_before(branches, end), *last = NULL, *branch;

	end->marks |= FROM_INSIDE;
	if (!before)
		return;
	if (before->to_place.kind != CODE_INTERRUPT_EXIT) {
		for (branch = before; branch; branch = one_before(branches, branch)) {
			if (branch->to_place.kind != CODE_INTERRUPT)
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
static void end_interrupt(struct branches *branches, struct branch *end, bool certain)
{
	struct branch *first = find_beginning(branches, end, certain);

	if (!first) {
		if (certain)
			mark_without_beginning(branches, end);
		return;
	}
	mark_inside(first, end, true);
	if (first->to_place.is_breakpoint) {
		for (struct branch *branch = first; branch <= end; branch++)
			branch->marks |= AROUND;
	}
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
void find_interrupts(struct branches *branches, const struct branch_place_rules *rules)
{
	bool begins = false;

	vec_foreach(branch, &branches->v) {
		bool goes_on = begins, from = is_interrupts(&branch->from_place);
		bool to = is_interrupts(&branch->to_place);

		if (is_blank(branch))
			continue;
		begins = branch->to_place.kind == CODE_INTERRUPT_ENTRY;
		if (begins && !goes_on)
			branch->marks |= OPENS;
		if (branch->from_place.kind == CODE_INTERRUPT_EXIT &&
		    (!to || branch->to_place.kind == CODE_INTERRUPT))
			end_interrupt(branches, branch, true);
		else if (from && !to)
			end_interrupt(branches, branch, false);
	}
	end_open_ones(branches, rules);
}
