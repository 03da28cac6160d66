// SPDX-License-Identifier: BSD-2-Clause
/*
 * What tracing did among the CPU's branches: at the entry of the function, and around calls of
 * other traced functions. It begins where a branch leads to tracing's code and ends where one leads
 * away, but not to the start of a function: that is a call, by which tracing gets its work done. In
 * rings that do not keep jumps and calls, trampolines are left unseen, for the function.
 */
#include "util/kernel/code/machine_code.h"
#include "util/trace/branches/branch_trim_internal.h"

/* Straight on, a function does not go further. */
#define STRAIGHT_MAX 4096

enum where {
	OUTSIDE,
	AT_TRAMPOLINE,	/* or another place that goes back to what was interrupted */
	AT_PROGRAM,	/* goes back to tracing, whatever it calls */
	CALLED,		/* a function that others call as well, called by tracing */
};

struct walk {
	const struct branch_place_rules *rules;
	struct branch *oldest;	/* what may be tracing's, too, without a sign of it */
	struct branch *first;	/* the first of the tracing under way */
	struct branch *last;	/* that is surely of it */
	struct branch *before;	/* the record before this one */
	struct code_place origin; /* where a return thunk was reached from */
	enum where where;
	bool returned;		/* it began with the return of what was traced */
};

static bool is_start(const struct code_place *place)
{
	return place->offset <= ENTRY_MARK_SIZE;
}

/* Code that belongs to tracing once tracing has begun. */
static bool is_part(const struct code_place *place)
{
	return is_tracings(place) || place->kind == CODE_PROGRAM;
}

static enum where where_at(const struct code_place *place)
{
	return place->kind == CODE_PROGRAM || place->kind == CODE_TRACING_PROGRAM ? AT_PROGRAM :
										     AT_TRAMPOLINE;
}

static void mark_around(struct branch *first, struct branch *last)
{
	for (struct branch *branch = first; branch <= last; branch++) {
		if (!is_blank(branch))
			branch->marks |= AROUND;
	}
}

/* Whether the CPU went straight on from one record to the next, as far as can be seen. */
static bool is_straight(const struct branch *before, const struct branch *branch)
{
	return before->to <= branch->from && branch->from - before->to < STRAIGHT_MAX;
}

/*
 * Marks what led to @first without a gap: tracing was under way before the ring begins. Interrupts
 * make no gap, as they go back to where they were.
 */
static void mark_older(struct walk *walk, struct branch *first)
{
	struct branch *later = first, *branch = first;

	while (branch > walk->oldest) {
		branch--;
		if (is_blank(branch) || branch->marks & TO_INSIDE)
			continue;
		if (!is_straight(branch, later))
			return;
		if (branch->marks & FROM_INSIDE)
			continue;
		mark_around(branch, later - 1);
		later = branch;
	}
	mark_around(walk->oldest, later - 1);
}

/*
 * Whether a traced function's return leads there. A return through a thunk may be any function's;
 * the oldest record may as well be of tracing.
 */
static bool is_traced_return(const struct walk *walk, const struct branch *branch,
			     const struct code_place *from)
{
	const struct branch_place_rules *rules = walk->rules;

	if (from->kind == CODE_THUNK)
		return walk->before;
	return !is_start(from) && (!rules->is_traced || branch->from_place.kind == CODE_THUNK ||
				   rules->is_traced(rules->arg, branch->from));
}

/* Whether it is of traced functions' code. */
static bool is_own(const struct walk *walk, const struct branch *branch)
{
	const struct branch_place_rules *rules = walk->rules;

	return rules->in_function(rules->arg, branch->from) ||
	       (rules->is_traced && rules->is_traced(rules->arg, branch->from));
}

static void begin_tracing(struct walk *walk, struct branch *branch, const struct code_place *from)
{
	const struct code_place *to = &branch->to_place;

	walk->first = walk->last = branch;
	walk->where = where_at(to);
	walk->returned = false;
	/*
	 * On the way to a program, a function returned to tracing. The branches after it are
	 * tracing's.
	 */
	if (to->kind == CODE_TRACING_PROGRAM && !is_start(to)) {
		struct branch *first = branch;

		while (first > walk->oldest && (is_blank(first - 1) || !is_own(walk, first - 1)))
			first--;
		mark_around(first, branch - 1);
	}
	if (is_part(from) || (to->kind != CODE_TRAMPOLINE && !is_start(to)))
		/* It is under way: it goes on, or back to what goes on. */
		mark_older(walk, branch);
	else
		walk->returned = is_traced_return(walk, branch, from);
}

/* That a traced function returned is worth a line, not how it went on. */
static void end_tracing(struct walk *walk)
{
	mark_around(walk->first + walk->returned, walk->last);
	walk->oldest = walk->last + 1;
	walk->where = OUTSIDE;
}

/* Whether it goes on after the call of tracing at a function's entry. */
static bool is_entered(const struct code_place *to)
{
	return to->offset == ENTRY_CALL_SIZE || to->offset == ENTRY_MARK_SIZE + ENTRY_CALL_SIZE;
}

/* @branch leads from tracing back to the interrupted code. */
static void leave_tracing(struct walk *walk, struct branch *branch)
{
	struct branch *first = walk->first;

	walk->last = branch;
	if (is_entered(&branch->to_place) && branch->to - first->from != ENTRY_CALL_SIZE) {
		/* The records have no call of that trampoline, so all of them belong to it. */
		mark_older(walk, first);
		walk->returned = false;
	}
	end_tracing(walk);
}

static void step_outside(struct walk *walk, struct branch *branch, const struct code_place *from)
{
	const struct code_place *to = &branch->to_place;

	if (!is_tracings(to) && !is_tracings(from))
		return;
	begin_tracing(walk, branch, from);
	if (is_part(to) || to->kind == CODE_THUNK)
		return;
	walk->where = CALLED;
	if (!is_start(to))
		leave_tracing(walk, branch);
}

static void step_inside(struct walk *walk, struct branch *branch, const struct code_place *from)
{
	const struct code_place *to = &branch->to_place;

	if (is_part(to)) {
		walk->where = where_at(to);
		walk->last = branch;
	} else if (to->kind == CODE_THUNK) {
		if (is_part(from) || walk->where == CALLED || walk->where == AT_PROGRAM)
			walk->last = branch;
	} else if (is_part(from)) {
		walk->last = branch;
		if (is_start(to))
			walk->where = CALLED;
		else
			leave_tracing(walk, branch);
	} else if (walk->where == AT_TRAMPOLINE) {
		/* The records do not show how it was left. */
		if (from->kind == CODE_THUNK && is_entered(to))
			walk->last = branch;
		end_tracing(walk);
	} else if (walk->where == AT_PROGRAM && is_own(walk, branch)) {
		/* Rings without returns do not have it either: only its own branches show it. */
		end_tracing(walk);
	} else {
		walk->last = branch;
	}
}

/* An interrupt of other code: tracing was left before. */
static void step_interrupt(struct walk *walk, const struct branch *branch)
{
	bool from = !(branch->marks & FROM_INSIDE) && branch->from_place.kind == CODE_OTHER;
	bool to = !(branch->marks & TO_INSIDE) && branch->to_place.kind == CODE_OTHER;

	if (walk->where == AT_TRAMPOLINE && (from || to))
		end_tracing(walk);
}

struct branch *find_tracing(struct branches *branches, const struct branch_place_rules *rules)
{
	struct walk walk = { .rules = rules, .oldest = branches->v.data };
	struct branch *oldest = NULL;

	vec_foreach(branch, &branches->v) {
		struct code_place from = branch->from_place;

		if (is_blank(branch))
			continue;
		if (!is_outside(branch)) {
			step_interrupt(&walk, branch);
			continue;
		}
		if (from.kind == CODE_THUNK && walk.before &&
		    walk.before->to_place.kind == CODE_THUNK)
			from = walk.origin;
		walk.origin = from;
		if (walk.where == OUTSIDE)
			step_outside(&walk, branch, &from);
		else
			step_inside(&walk, branch, &from);
		walk.before = branch;
		oldest = oldest ?: branch;
	}
	/* It is not known what follows the oldest record. */
	if (walk.where == OUTSIDE || !walk.returned || walk.first == oldest)
		return NULL;
	return walk.first;
}
