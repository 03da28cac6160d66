// SPDX-License-Identifier: BSD-2-Clause
/*
 * Where a function's result comes from.
 *
 * Along the way that was taken every register has an origin. From a branch's other side on, all
 * ways are walked at once, and it is only of interest where the value is that became the result: a
 * set of places (registers, stack slots), which copies add to and writes take from. A place that is
 * not in the set holds something else.
 */
#include "util/trace/result_flow.h"

#include <errno.h>
#include <string.h>

/* Instructions and places in code, on all ways together. */
#define MAX_WALK 30000
#define MAX_POINTS 2048
/* Instructions that put one value in another's place. */
#define MAX_REPLACING 8

/* Where a walk is to go on. */
struct flow_point {
	uint64_t addr;
	uint32_t places; /* with the value in it; bits as in flow.places */
	uint32_t unsure; /* that may have it, or not */
	uint32_t returned; /* of flow_without_calls(): calls so far */
	bool behind_trap; /* that may not have come back */
	int64_t stack, frame; /* as in struct flow */
};

/* Where on the stack an instruction reads or writes: from rsp as it was in the beginning. */
static int64_t slot_place(int64_t stack, int64_t frame, const struct insn_effect *effect)
{
	return effect->displacement + (effect->base == X86_RSP ? stack : frame);
}

static bool is_frame_known(int64_t frame)
{
	return frame < FLOW_NO_FRAME / 2;
}

/* Where the frame's pointer is after an instruction; *stack follows it where it is taken from. */
static int64_t frame_after(const struct insn_effect *effect, int64_t frame, int64_t *stack,
			   bool *ret_stack_known)
{
	*ret_stack_known = effect->kind == EFFECT_UNWIND && is_frame_known(frame);
	if (*ret_stack_known)
		*stack = frame + effect->displacement;
	if (!(effect->writes >> X86_RBP & 1))
		return frame;
	return effect->kind == EFFECT_COPY && effect->from == X86_RSP ? *stack : FLOW_NO_FRAME;
}

static bool has_slot(const struct flow *flow, const struct insn_effect *effect)
{
	return effect->on_stack && !(effect->base == X86_RSP && flow->stack_lost);
}

static int slot_at(struct flow *flow, int64_t at, bool add)
{
	for (uint32_t i = 0; i < flow->nr_slots; i++) {
		if (flow->slots[i] == at)
			return X86_NR_REGISTERS + i;
	}
	if (!add || flow->nr_slots == FLOW_SLOTS)
		return -1;
	flow->slots[flow->nr_slots] = at;
	flow->places[X86_NR_REGISTERS + flow->nr_slots] = (struct origin){ ORIGIN_UNKNOWN };
	return X86_NR_REGISTERS + flow->nr_slots++;
}

/* Memory is written at a known place of the stack; part of what overlaps it is gone. */
static void stack_written(struct flow *flow, int64_t at, struct origin origin)
{
	int slot;

	for (uint32_t i = 0; i < flow->nr_slots; i++) {
		if (flow->slots[i] != at && flow->slots[i] - at < 8 && at - flow->slots[i] < 8)
			flow->places[X86_NR_REGISTERS + i].kind = ORIGIN_UNKNOWN;
	}
	slot = slot_at(flow, at, origin.kind != ORIGIN_UNKNOWN);
	if (slot >= 0)
		flow->places[slot] = origin;
}

static bool is_of_rbp(int64_t slot)
{
	return !is_frame_known(slot);
}

static void lose_slots(struct flow *flow, bool of_rbp)
{
	for (uint32_t i = 0; i < flow->nr_slots; i++) {
		if (is_of_rbp(flow->slots[i]) == of_rbp)
			flow->places[X86_NR_REGISTERS + i].kind = ORIGIN_UNKNOWN;
	}
}

static void lose_stack(struct flow *flow)
{
	flow->stack_lost = true;
	lose_slots(flow, false);
}

/* rbp is something else now. */
static void lose_frame(struct flow *flow)
{
	lose_slots(flow, true);
}

static void lose(struct flow *flow, uint16_t registers, struct origin origin)
{
	for (int r = 0; r < X86_NR_REGISTERS; r++) {
		if (registers >> r & 1)
			flow->places[r] = origin;
	}
}

static struct origin constant(const struct result_flow *flow, int64_t value, uint32_t step)
{
	return (struct origin){
		.kind = (uint32_t)value == flow->value ? ORIGIN_CONSTANT : ORIGIN_OTHER,
		.step = step,
	};
}

bool same_origin(const struct origin *a, const struct origin *b)
{
	return a->kind == b->kind && (a->step == b->step || a->kind == ORIGIN_CONSTANT);
}

/*
 * What was put on the stack, as far as that is known: by the way that is known, before that, or by
 * somebody else who had its address.
 */
static struct origin load(struct flow *flow, const struct insn_effect *effect, uint32_t step,
			  bool whole)
{
	struct origin origin = { .kind = ORIGIN_READ, .step = step };
	int slot;

	if (!effect->on_stack)
		return origin;
	if (!has_slot(flow, effect))
		return (struct origin){ ORIGIN_UNKNOWN };
	slot = slot_at(flow, slot_place(flow->stack, flow->frame, effect), false);
	if (slot < 0 && whole)
		return origin;
	if (slot < 0) {
		slot = slot_at(flow, slot_place(flow->stack, flow->frame, effect), true);
		if (slot < 0)
			return (struct origin){ ORIGIN_UNKNOWN };
		flow->places[slot] = (struct origin){ .kind = ORIGIN_START, .step = slot };
	}
	origin = flow->places[slot];
	origin.was_stored = true;
	return origin;
}

static void apply(const struct result_flow *results, struct flow *flow,
		  const struct insn_effect *effect, uint32_t step, bool whole)
{
	const struct origin computed = { .kind = ORIGIN_COMPUTED, .step = step };
	struct origin *to = &flow->places[effect->to], *from = &flow->places[effect->from];
	int64_t at = slot_place(flow->stack, flow->frame, effect);
	struct origin swap;
	bool stack_known;

	switch (effect->kind) {
	case EFFECT_COPY:
		*to = *from;
		break;
	case EFFECT_CONSTANT:
		*to = constant(results, effect->value, step);
		break;
	case EFFECT_LOAD:
		*to = load(flow, effect, step, whole);
		break;
	case EFFECT_SELECT:
		if (!same_origin(to, from))
			*to = computed;
		break;
	case EFFECT_SWAP:
		swap = *to;
		*to = *from;
		*from = swap;
		break;
	case EFFECT_STORE:
		if (has_slot(flow, effect))
			stack_written(flow, at, *from);
		break;
	case EFFECT_STORE_CONSTANT:
		if (has_slot(flow, effect))
			stack_written(flow, at, constant(results, effect->value, step));
		break;
	case EFFECT_OTHER:
	case EFFECT_UNWIND:
		lose(flow, effect->writes, computed);
		if (has_slot(flow, effect))
			stack_written(flow, at, (struct origin){ ORIGIN_UNKNOWN });
		break;
	}
	flow->stack += effect->moves_stack;
	flow->frame = frame_after(effect, flow->frame, &flow->stack, &stack_known);
	if (stack_known)
		flow->stack_lost = false;
	else if (effect->writes >> X86_RSP & 1)
		lose_stack(flow);
	if (effect->writes >> X86_RBP & 1)
		lose_frame(flow);
	if (flow->stack_lost && effect->kind == EFFECT_COPY && effect->to == X86_RBP)
		flow->frame = FLOW_NO_FRAME;
}

static void lose_all(struct flow *flow)
{
	lose(flow, 0xffff, (struct origin){ ORIGIN_UNKNOWN });
	lose_stack(flow);
	lose_frame(flow);
	flow->frame = FLOW_NO_FRAME;
}

static void call(struct flow *flow, struct callee callee, uint32_t step)
{
	lose(flow, callee.writes, (struct origin){ ORIGIN_UNKNOWN });
	if (callee.kind != CALLEE_TRANSPARENT)
		flow->places[callee.result] = (struct origin){ .kind = ORIGIN_CALL, .step = step };
}

static struct callee callee_of_call(struct code_reader *reader, const struct branch_insn *insn)
{
	return callee_at(reader, insn->kind == BRANCH_CALL ? insn->target : 0);
}

static bool is_call(const struct branch_insn *insn)
{
	return insn->kind == BRANCH_CALL || insn->kind == BRANCH_INDIRECT_CALL;
}

/* What the flags come from, as far as it is in registers. */
static void remember_tested(struct flow_branch *tests, const struct flow *flow,
			    const struct insn_effect *effect)
{
	if (!effect->sets_flags)
		return;
	tests->nr_tested = 0;
	for (int r = 0; r < X86_NR_REGISTERS && tests->nr_tested < 2; r++) {
		if (effect->tests >> r & 1)
			tests->tested[tests->nr_tested++] = flow->places[r];
	}
}

static void start(struct flow *flow)
{
	memset(flow, 0, sizeof(*flow));
	flow->frame = FLOW_NO_FRAME;
	for (uint32_t r = 0; r < X86_NR_REGISTERS; r++)
		flow->places[r] = (struct origin){ .kind = ORIGIN_START, .step = r };
}

/* A tail call: what it leads to returns the result. */
static bool is_tail_call(struct code_reader *reader, const struct path_step *last)
{
	if (last->insn.kind == BRANCH_RETURN)
		return false;
	if (last->insn.kind == BRANCH_INDIRECT_JUMP)
		return true;
	return callee_at(reader, last->insn.target).kind != CALLEE_RETURN_THUNK;
}

int flow_follow(struct code_reader *reader, const struct function *function,
		const struct path *path, uint64_t value, struct result_flow *results)
{
	struct flow_branch at = { .step = 0 };
	struct flow *flow = &at.flow;
	struct insn_effect effect;

	results->value = value;
	results->branches.len = 0;
	start(flow);
	for (uint32_t i = 0; i < path->steps.len; i++) {
		const struct path_step *step = &path->steps.data[i];

		at.step = i;
		at.is_move = false;
		at.taken = step->record != NO_RECORD;
		if (step->insn.kind == BRANCH_CONDITIONAL && vec_push(&results->branches, at))
			return -ENOMEM;
		if (step->exception && step->next != step->addr + step->insn.length) {
			lose_all(flow);
		} else if (step->exception) {
			/* A warning: it comes back with all registers as they were. */
			at.nr_tested = 0;
		} else if (is_call(&step->insn)) {
			at.nr_tested = 0;
			call(flow, callee_of_call(reader, &step->insn), i);
		} else if (code_effect(reader, step->addr, &effect)) {
			at.nr_tested = 0;
			lose_all(flow);
		} else {
			at.is_move = effect.kind == EFFECT_SELECT;
			if (at.is_move && vec_push(&results->branches, at))
				return -ENOMEM;
			remember_tested(&at, flow, &effect);
			apply(results, flow, &effect, i, path->begin == PATH_WHOLE);
		}
	}
	results->result = flow->places[X86_RAX];
	if (is_tail_call(reader, &path->steps.data[path->steps.len - 1]))
		results->result =
			(struct origin){ .kind = ORIGIN_CALL, .step = path->steps.len - 1 };
	return 0;
}

/* A walk over all ways at once. */
struct walk {
	struct code_reader *reader;
	const struct function *function;
	struct result_flow *results;
	struct flow slots; /* which stack slots the bits stand for */
	bool constants; /* constants of the result's value count, too */
	bool was_read; /* the value came from memory */
	const uint64_t *returns; /* calls that there were; NULL: any */
	uint32_t nr_returns;
	unsigned int steps;
	/* Ends that were found. */
	bool same, different, unclear, different_behind_trap;
};

static int open_point(struct walk *walk, struct flow_point point)
{
	struct result_flow *results = walk->results;

	vec_foreach(seen, &results->seen) {
		if (seen->addr == point.addr && seen->places == point.places &&
		    seen->unsure == point.unsure && seen->returned == point.returned &&
		    seen->behind_trap == point.behind_trap && seen->stack == point.stack &&
		    seen->frame == point.frame)
			return 0;
	}
	if (results->seen.len >= MAX_POINTS) {
		walk->unclear = true;
		return 0;
	}
	if (vec_push(&results->seen, point) || vec_push(&results->open, point))
		return -ENOMEM;
	return 0;
}

/* What is known of a place: whether it has the value. */
enum has {
	HAS_OTHER,
	HAS_VALUE,
	HAS_UNSURE,
};

static enum has what_has(const struct flow_point *point, int place)
{
	if (place < 0 || point->unsure >> place & 1)
		return HAS_UNSURE;
	return point->places >> place & 1 ? HAS_VALUE : HAS_OTHER;
}

static void set_place(struct flow_point *point, int place, enum has has)
{
	if (place < 0)
		return;
	point->places &= ~(1u << place);
	point->unsure &= ~(1u << place);
	if (has == HAS_VALUE)
		point->places |= 1u << place;
	else if (has == HAS_UNSURE)
		point->unsure |= 1u << place;
}

static void set_places(struct flow_point *point, uint32_t places, enum has has)
{
	for (int i = 0; i < FLOW_PLACES; i++) {
		if (places >> i & 1)
			set_place(point, i, has);
	}
}

static int slot_of(struct walk *walk, const struct flow_point *point,
		   const struct insn_effect *effect, bool add)
{
	int slot;

	if (!has_slot(&walk->slots, effect))
		return -1;
	slot = slot_at(&walk->slots, slot_place(point->stack, point->frame, effect), add);
	if (slot < 0 && add)
		walk->unclear = true;
	return slot;
}

/*
 * What memory has: what is known of the stack; elsewhere, values that were read may be read again.
 */
static enum has what_is_read(struct walk *walk, const struct flow_point *point,
			     const struct insn_effect *effect)
{
	if (effect->on_stack)
		return what_has(point, slot_of(walk, point, effect, false));
	return walk->was_read ? HAS_UNSURE : HAS_OTHER;
}

static enum has what_is_constant(const struct walk *walk, const struct insn_effect *effect)
{
	return walk->constants && (uint32_t)effect->value == walk->results->value ? HAS_VALUE :
										    HAS_OTHER;
}

/* One or the other: what is looked for is found in one of the cases. */
static enum has either(const struct walk *walk, enum has a, enum has b)
{
	enum has wanted = walk->returns ? HAS_VALUE : HAS_OTHER;

	if (a == wanted || b == wanted)
		return wanted;
	return a == b ? a : HAS_UNSURE;
}

/* Slots whose base moved to where nobody knows. */
static void lose_places(struct walk *walk, struct flow_point *point, bool of_rbp)
{
	for (uint32_t i = 0; i < walk->slots.nr_slots; i++) {
		if (is_of_rbp(walk->slots.slots[i]) == of_rbp)
			set_place(point, X86_NR_REGISTERS + i, HAS_UNSURE);
	}
}

static void walk_effect(struct walk *walk, struct flow_point *point,
			const struct insn_effect *effect)
{
	enum has to = what_has(point, effect->to), from = what_has(point, effect->from), has;
	bool stack_known;

	switch (effect->kind) {
	case EFFECT_COPY:
		set_place(point, effect->to, from);
		break;
	case EFFECT_CONSTANT:
		set_place(point, effect->to, what_is_constant(walk, effect));
		break;
	case EFFECT_LOAD:
		set_place(point, effect->to, what_is_read(walk, point, effect));
		break;
	case EFFECT_SELECT:
		set_place(point, effect->to, either(walk, to, from));
		break;
	case EFFECT_SWAP:
		set_place(point, effect->to, from);
		set_place(point, effect->from, to);
		break;
	case EFFECT_STORE:
		if (effect->on_stack)
			set_place(point, slot_of(walk, point, effect, from != HAS_OTHER), from);
		break;
	case EFFECT_STORE_CONSTANT:
		has = what_is_constant(walk, effect);
		if (effect->on_stack)
			set_place(point, slot_of(walk, point, effect, has == HAS_VALUE), has);
		break;
	case EFFECT_OTHER:
	case EFFECT_UNWIND:
		set_places(point, effect->writes, HAS_OTHER);
		if (effect->on_stack)
			set_place(point, slot_of(walk, point, effect, false), HAS_OTHER);
		break;
	}
	point->stack += effect->moves_stack;
	point->frame = frame_after(effect, point->frame, &point->stack, &stack_known);
	if (!stack_known && effect->writes >> X86_RSP & 1)
		lose_places(walk, point, false);
	if (effect->writes >> X86_RBP & 1)
		lose_places(walk, point, true);
}

/* Where only calls are known, all that can be counts, and what is behind a trap, too. */
static void found_end(struct walk *walk, const struct flow_point *point, enum has has)
{
	if (has == HAS_VALUE)
		walk->same = true;
	else if (point->behind_trap && !walk->returns)
		walk->different_behind_trap = true;
	else if (has == HAS_OTHER)
		walk->different = true;
	else
		walk->unclear = true;
}

/* Out of the function for good. */
static void walk_out(struct walk *walk, const struct flow_point *point, uint64_t target)
{
	enum callee_kind kind = callee_at(walk->reader, target).kind;

	if (kind == CALLEE_NO_RETURN)
		return;
	if (kind == CALLEE_RETURN_THUNK || !target) {
		if (!walk->returns || point->returned == walk->nr_returns)
			found_end(walk, point, what_has(point, X86_RAX));
	} else if (!walk->returns) {
		found_end(walk, point, HAS_OTHER);
	}
}

/* Whether it comes back. */
static bool walk_call(struct walk *walk, struct flow_point *point, const struct branch_insn *insn)
{
	struct callee callee = callee_of_call(walk->reader, insn);

	if (callee.kind == CALLEE_NO_RETURN)
		return false;
	if (walk->returns && callee.kind != CALLEE_TRANSPARENT) {
		if (point->returned == walk->nr_returns ||
		    walk->returns[point->returned] != point->addr + insn->length)
			return false;
		point->returned++;
	}
	set_places(point, callee.writes, HAS_OTHER);
	return true;
}

/* Follows one way up to its end, or to where it forks. */
static int walk_on(struct walk *walk, struct flow_point point)
{
	struct branch_insn insn;
	struct insn_effect effect;
	enum trap trap;
	int err;

	for (;;) {
		if (++walk->steps > MAX_WALK || code_branch(walk->reader, point.addr, &insn)) {
			walk->unclear = true;
			return 0;
		}
		if (is_call(&insn)) {
			if (!walk_call(walk, &point, &insn))
				return 0;
		} else if (insn.kind == BRANCH_SYSTEM) {
			trap = code_trap(walk->reader, walk->function, point.addr);
			if (trap != TRAP_GOES_ON && trap != TRAP_UNCLEAR)
				return 0; /* nobody gets an error from there */
			point.behind_trap |= trap == TRAP_UNCLEAR;
		} else if (code_effect(walk->reader, point.addr, &effect)) {
			set_places(&point, 0xffff, HAS_UNSURE);
		} else {
			walk_effect(walk, &point, &effect);
		}
		switch (insn.kind) {
		case BRANCH_RETURN:
			walk_out(walk, &point, 0);
			return 0;
		case BRANCH_INDIRECT_JUMP:
			walk->unclear = true; /* a table of places, or a tail call */
			return 0;
		case BRANCH_CONDITIONAL:
		case BRANCH_JUMP:
			if (!function_contains(walk->reader, walk->function, insn.target)) {
				walk_out(walk, &point, insn.target);
			} else {
				struct flow_point other = point;

				other.addr = insn.target;
				err = open_point(walk, other);
				if (err)
					return err;
			}
			if (insn.kind == BRANCH_JUMP)
				return 0;
			break;
		default:
			break;
		}
		point.addr += insn.length;
		if (insn.kind == BRANCH_CONDITIONAL)
			return open_point(walk, point);
		/* What ends here did not mean to come back: the last call does not return. */
		if (!function_contains(walk->reader, walk->function, point.addr))
			return 0;
	}
}

/* @enough	stop when that has been found; NULL: walk all */
static int walk_all(struct walk *walk, struct flow_point from, const bool *enough)
{
	struct result_flow *results = walk->results;
	int err;

	results->open.len = results->seen.len = 0;
	err = open_point(walk, from);
	while (!err && results->open.len && !(enough && *enough))
		err = walk_on(walk, results->open.data[--results->open.len]);
	return err;
}

enum flow_ends flow_other_side(struct code_reader *reader, const struct function *function,
			       const struct path *path, struct result_flow *flow,
			       const struct flow_branch *branch)
{
	const struct path_step *step = &path->steps.data[branch->step];
	struct walk walk = {
		.reader = reader,
		.function = function,
		.results = flow,
		.slots = branch->flow,
		.constants = flow->result.kind == ORIGIN_CONSTANT,
		.was_read = flow->result.kind == ORIGIN_READ,
	};
	struct flow_point from = {
		.addr = branch->taken ? step->addr + step->insn.length : step->insn.target,
		.stack = branch->flow.stack,
		.frame = branch->flow.frame,
	};

	for (uint32_t i = 0; i < X86_NR_REGISTERS + branch->flow.nr_slots; i++) {
		const struct origin *origin = &branch->flow.places[i];

		if (origin->kind == ORIGIN_UNKNOWN)
			from.unsure |= 1u << i;
		else if (same_origin(origin, &flow->result))
			from.places |= 1u << i;
	}
	if (!function_contains(reader, function, from.addr))
		walk_out(&walk, &from, from.addr);
	else if (walk_all(&walk, from, &walk.different))
		return FLOW_UNCLEAR;
	if (walk.different)
		return FLOW_DIFFERENT;
	if (walk.unclear)
		return FLOW_UNCLEAR;
	return walk.different_behind_trap ? FLOW_BEHIND_TRAP : FLOW_SAME;
}

/* Where on the way after a branch an address is; 0: it is not. */
static uint32_t step_after(const struct path *path, const struct flow_branch *branch, uint64_t addr)
{
	for (uint32_t i = branch->step + 1; i < path->steps.len; i++) {
		if (path->steps.data[i].addr == addr)
			return i;
	}
	return 0;
}

bool flow_only_replaces(struct code_reader *reader, const struct path *path,
			const struct result_flow *flow, const struct flow_branch *branch)
{
	const struct path_step *step = &path->steps.data[branch->step];
	const struct origin *places = branch->flow.places;
	uint64_t at = branch->taken ? step->addr + step->insn.length : step->insn.target;
	struct insn_effect effect;
	struct branch_insn insn;
	bool replaces = false;

	for (int i = 0; i < MAX_REPLACING; i++) {
		if (step_after(path, branch, at))
			return replaces;
		if (code_branch(reader, at, &insn) || code_effect(reader, at, &effect))
			return false;
		if (insn.kind != BRANCH_NONE && insn.kind != BRANCH_JUMP)
			return false;
		for (uint32_t t = 0; t < branch->nr_tested; t++) {
			replaces |= effect.kind == EFFECT_COPY &&
				    same_origin(&places[effect.to], &flow->result) &&
				    same_origin(&places[effect.from], &branch->tested[t]);
		}
		at = insn.kind == BRANCH_JUMP ? insn.target : at + insn.length;
	}
	return false;
}

int flow_without_calls(struct code_reader *reader, const struct function *function, uint64_t from,
		       uint64_t callee, const uint64_t *returns, uint32_t nr_returns,
		       uint64_t value, struct result_flow *flow, bool *ret_handed_on, bool *ret_own)
{
	struct walk walk = {
		.reader = reader,
		.function = function,
		.results = flow,
		.returns = returns,
		.nr_returns = nr_returns,
	};
	struct flow_point start = { .addr = from, .frame = FLOW_NO_FRAME };
	struct walk own;
	int err;

	own = walk;
	flow->value = value;
	start.places = 1u << callee_at(reader, callee).result;
	err = walk_all(&walk, start, &walk.same);
	own.constants = true;
	start.places = 0;
	if (!err)
		err = walk_all(&own, start, &own.same);
	if (err)
		return err;
	*ret_handed_on = walk.same;
	*ret_own = own.same;
	return walk.same || own.same || !(walk.unclear || own.unclear) ? 0 : -ENOENT;
}

void flow_release(struct result_flow *flow)
{
	vec_release(&flow->branches);
	vec_release(&flow->open);
	vec_release(&flow->seen);
}
