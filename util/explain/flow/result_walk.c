// SPDX-License-Identifier: BSD-2-Clause
/*
 * The results on the ways that were not taken.
 *
 * From a branch's other side on, all ways are walked at once, following only the value that
 * became the result. Its places (registers, stack slots) form a set: copies add places, and other
 * writes remove them. A place that is not in the set has another value.
 */
#include <errno.h>

#include "util/base/text/errnames.h"
#include "util/explain/flow/result_flow_internal.h"
#include "util/explain/flow/result_walk.h"

/* The limit of instructions and places in code, on all ways together. */
#define MAX_WALK 30000
#define MAX_POINTS 2048

static bool is_same_point(const struct flow_point *a, const struct flow_point *b)
{
	return a->places == b->places && a->unsure == b->unsure && a->settled == b->settled && a->clear == b->clear;
}

/* What is known on both ways. */
static struct flow_point join_points(const struct flow_point *a, const struct flow_point *b)
{
	struct flow_point joined = *a;

	joined.unsure |= b->unsure | (a->places ^ b->places);
	joined.places &= ~joined.unsure;
	joined.settled &= b->settled;
	joined.clear &= b->clear;
	return joined;
}

static int open_point(struct walk *walk, struct flow_point point)
{
	struct result_flow *results = walk->results;
	struct flow_point joined;

	vec_foreach(seen, &results->seen) {
		if (seen->addr != point.addr || seen->returned != point.returned ||
		    seen->behind_trap != point.behind_trap || seen->stack != point.stack ||
		    seen->frame != point.frame)
			continue;
		joined = walk->joined ? join_points(seen, &point) : point;
		if (is_same_point(seen, &joined))
			return 0;
		if (walk->joined) {
			*seen = joined;
			return vec_push(&results->open, joined) ? -ENOMEM : 0;
		}
	}
	if (results->seen.len >= MAX_POINTS) {
		walk->too_many = true;
		return 0;
	}
	if (vec_push(&results->seen, point) || vec_push(&results->open, point))
		return -ENOMEM;
	return 0;
}

/* What a place has after something else than the value was written. */
static enum has another(const struct walk *walk)
{
	return walk->any || walk->hands_on ? HAS_UNSURE : HAS_OTHER;
}

/* -1: it is none, or there is no room for it: what is read from there is not known, then. */
static int slot_of(struct walk *walk, const struct flow_point *point,
		   const struct insn_effect *effect, bool add)
{
	if (!has_slot(&walk->slots, effect))
		return -1;
	return flow_slot_at(&walk->slots, slot_place(point->stack, point->frame, effect), add);
}

/*
 * Whether memory has the value: known for the stack. A value that was read from elsewhere may be
 * read again.
 */
static enum has what_is_read(struct walk *walk, const struct flow_point *point,
			     const struct insn_effect *effect)
{
	/* A called function may have been given the address. */
	if (walk->any || walk->hands_on)
		return HAS_UNSURE;
	if (effect->on_stack)
		return what_has(point, slot_of(walk, point, effect, false));
	return walk->was_read ? HAS_UNSURE : HAS_OTHER;
}

/* Whether a branch goes the same way with a constant. */
static enum has what_leads_there(const struct walk *walk, int64_t value)
{
	int held = flow_held_with_int(walk->reader, walk->path, walk->branch, value);

	if (held < 0)
		return HAS_UNSURE;
	return held == walk->branch->taken ? HAS_VALUE : HAS_OTHER;
}

static enum has what_is_constant(const struct walk *walk, int64_t value)
{
	bool counts = walk->constants && (uint32_t)value == walk->results->value;

	if (walk->compared_at)
		return what_leads_there(walk, value);
	if (walk->hands_on)
		return (uint32_t)value == walk->results->value ? HAS_UNSURE : HAS_OTHER;
	if (walk->errors)
		return is_error(value) && (uint32_t)value != walk->results->value ? HAS_VALUE : HAS_OTHER;
	return counts || (walk->or_result && (int32_t)value == walk->or_result) ? HAS_VALUE :
										 HAS_OTHER;
}

/*
 * Join two cases. One case with what is searched for is enough: the value for
 * flow_without_calls() and flow_may_return(), another value for flow_other_side().
 */
static enum has join_sides(const struct walk *walk, enum has a, enum has b)
{
	enum has wanted = walk->hands_on ? HAS_UNSURE : walk->returns || walk->any ? HAS_VALUE : HAS_OTHER;

	if (a == wanted || b == wanted)
		return wanted;
	return a == b ? a : HAS_UNSURE;
}

/* What a conditional move takes from memory. */
static enum has what_is_in_memory(struct walk *walk, const struct flow_point *point, const struct insn_effect *effect)
{
	struct insn_effect load = *effect;

	if (!effect->from_on_stack)
		return HAS_UNSURE;
	load.on_stack = true;
	return what_is_read(walk, point, &load);
}

/* @held	whether the condition of a conditional move held; -1: not known */
static enum has what_is_selected(struct walk *walk, const struct flow_point *point,
				 const struct insn_effect *effect, int held)
{
	enum has from = effect->from_is_zero ? what_is_constant(walk, 0) :
			effect->from_is_memory ? what_is_in_memory(walk, point, effect) :
						 what_has(point, effect->from);
	enum has other = another(walk);

	if (effect->other_is_zero)
		other = what_is_constant(walk, effect->computes ? effect_computed(effect, 0) : 0);
	else if (!effect->computes)
		other = what_has(point, effect->other);
	if (held >= 0)
		return held ? from : other;
	return join_sides(walk, other, from);
}

/* Slots whose base register moved by an unknown distance may have any value. */
static void lose_places(struct walk *walk, struct flow_point *point, bool of_frame)
{
	for (uint32_t i = 0; i < walk->slots.nr_slots; i++) {
		if (is_of_frame(walk->slots.slots[i]) == of_frame)
			set_place(point, NR_REGISTERS + i, HAS_UNSURE);
	}
}

/* Memory is written with another value. */
static void lose_memory(struct walk *walk, struct flow_point *point,
			const struct insn_effect *effect)
{
	struct insn_effect word = *effect;

	do {
		set_place(point, slot_of(walk, point, &word, false), another(walk));
		word.displacement += 8;
	} while (word.displacement < effect->displacement + effect->bytes);
}

static void walk_move(struct walk *walk, struct flow_point *point, const struct insn_effect *effect,
		      int held)
{
	enum has to = what_has(point, effect->to), from = what_has(point, effect->from), has;

	switch (effect->kind) {
	case EFFECT_COPY:
		set_place(point, effect->to, from);
		break;
	case EFFECT_CONSTANT:
		set_place(point, effect->to, what_is_constant(walk, effect->value));
		break;
	case EFFECT_LOAD:
		set_place(point, effect->to, what_is_read(walk, point, effect));
		break;
	case EFFECT_SELECT:
		set_place(point, effect->to, what_is_selected(walk, point, effect, held));
		break;
	case EFFECT_SWAP:
		set_place(point, effect->to, from);
		set_place(point, effect->from, to);
		break;
	case EFFECT_STORE:
		walk->stored |= from == HAS_VALUE && !walk->is_address;
		if (effect->on_stack)
			set_place(point, slot_of(walk, point, effect, from != HAS_OTHER), from);
		break;
	case EFFECT_STORE_CONSTANT:
		has = what_is_constant(walk, effect->value);
		/* A byte is no result, which is loaded with what is beside it. */
		if (effect->on_stack && effect->bytes == 1)
			lose_memory(walk, point, effect);
		else if (effect->on_stack)
			set_place(point, slot_of(walk, point, effect, has == HAS_VALUE), has);
		break;
	case EFFECT_OTHER:
	case EFFECT_UNWIND:
		set_places(point, effect->writes, another(walk));
		if (effect->on_stack)
			lose_memory(walk, point, effect);
		break;
	}
}

static void walk_effect(struct walk *walk, struct flow_point *point,
			const struct insn_effect *effect, int held)
{
	struct insn_effect second;
	bool stack_known;

	walk_move(walk, point, effect, held);
	if (effect->is_pair) {
		second = effect_of_second(effect);
		walk_move(walk, point, &second, held);
	}
	point->stack += effect->moves_stack;
	point->frame = frame_after(effect, point->frame, &point->stack, &stack_known);
	if (!stack_known && effect->writes & REG_BIT(REG_STACK))
		lose_places(walk, point, false);
	if (aligns_stack(effect))
		point->stack = FLOW_ALIGNED_STACK;
	if (effect->writes & REG_BIT(REG_FRAME))
		lose_places(walk, point, true);
}

/* A way ends. If only calls are known, every possible way counts, even one after a trap. */
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

static void note_passed(struct walk *walk, const struct flow_point *point)
{
	for (uint32_t i = 0; operands_parameter(i) >= 0; i++)
		walk->stored |= what_has(point, operands_parameter(i)) == HAS_VALUE;
}

/* An error is stored by a plain move. By what address, may not be known. */
static void note_stored(struct walk *walk, const struct flow_point *point)
{
	struct insn_operands operands;
	enum has has;

	if (code_operands(walk->reader, point->addr, &operands) || operands.kind != OPERANDS_COPY ||
	    operands.a.kind != OPERAND_MEMORY || operands.a.reg == REG_STACK)
		return;
	has = what_has(point, operands.a.reg);
	walk->stored |= has == HAS_VALUE;
	walk->may_store |= has == HAS_UNSURE;
}

void walk_out(struct walk *walk, const struct flow_point *point, uint64_t target)
{
	enum callee_kind kind = callee_at(walk->reader, target).kind;

	if (kind == CALLEE_NO_RETURN || walk->compared_at)
		return;
	if (walk->is_address) {
		if (target && kind != CALLEE_RETURN_THUNK)
			note_passed(walk, point);
		return;
	}
	if (walk->results->store.addr) {
		found_end(walk, point, HAS_OTHER);
	} else if (kind == CALLEE_RETURN_THUNK || !target) {
		if (!walk->returns || point->returned == walk->nr_returns)
			found_end(walk, point, what_has(point, REG_RESULT));
	} else if (!walk->returns) {
		found_end(walk, point, another(walk));
	}
}

/* The way comes to where the result was stored. */
static void walk_store(struct walk *walk, const struct flow_point *point)
{
	const struct flow_store *store = &walk->results->store;

	found_end(walk, point, store->is_constant ? what_is_constant(walk, store->value) :
						    what_has(point, store->reg));
}

/*
 * Whether an instruction stores the value where the way's own does: compilers repeat the end of a function. The
 * register with the object's address is the same in both.
 */
static bool is_store_repeated(const struct walk *walk, const struct flow_point *point)
{
	const struct flow_store *store = &walk->results->store;
	struct insn_operands own, here;

	if (!store->addr || code_operands(walk->reader, store->addr, &own) ||
	    code_operands(walk->reader, point->addr, &here) || here.kind != OPERANDS_COPY || own.kind != here.kind ||
	    here.a.kind != OPERAND_MEMORY || own.a.kind != here.a.kind || own.a.reg != here.a.reg ||
	    own.a.value != here.a.value || own.a.size != here.a.size)
		return false;
	return here.b.kind == OPERAND_CONSTANT ? what_is_constant(walk, here.b.value) == HAS_VALUE :
	       here.b.kind == OPERAND_REGISTER && what_has(point, here.b.reg) == HAS_VALUE;
}

/* Return whether the call returns. */
static bool walk_call(struct walk *walk, struct flow_point *point, const struct branch_insn *insn)
{
	struct callee callee = callee_of_call(walk->reader, insn);
	const struct passing_call *passing = &walk->results->passing;
	enum has passed = another(walk);

	if (passing->addr == point->addr || (passing->callee && passing->callee == insn->target))
		passed = what_has(point, passing->reg);
	if (callee.kind == CALLEE_NO_RETURN)
		return false;
	if (walk->is_address && callee.kind != CALLEE_TRANSPARENT)
		note_passed(walk, point);
	if (walk->returns && callee.kind != CALLEE_TRANSPARENT) {
		if (point->returned == walk->nr_returns ||
		    walk->returns[point->returned] != point->addr + insn->length)
			return false;
		point->returned++;
	}
	set_places(point, callee.writes, another(walk));
	flow_unsettle_registers(walk->results, point, callee.writes);
	point->clear &= ~callee.writes;
	if (callee.kind != CALLEE_TRANSPARENT)
		set_place(point, callee.result, passed);
	return true;
}

/* A jump to one of several places. */
static int walk_table(struct walk *walk, const struct flow_point *point)
{
	uint64_t targets[CODE_MAX_TARGETS];
	uint32_t nr = code_table_targets(walk->reader, walk->function, point->addr, targets);
	struct flow_point other = *point;
	int err = 0;

	/* Another table, or a tail call. */
	walk->unclear |= !nr;
	for (uint32_t i = 0; !err && i < nr; i++) {
		other.addr = targets[i];
		err = open_point(walk, other);
	}
	return err;
}

/* The operands compared last, if they are known numbers: their lower halves. */
struct compared {
	struct insn_operands operands; /* OPERANDS_OTHER: not known */
	uint32_t a, b;
};

static bool number_of(const struct walk *walk, const struct flow_point *point,
		      const struct operand *operand, uint32_t *ret_number)
{
	if (operand->kind == OPERAND_CONSTANT)
		*ret_number = operand->value;
	else if (operand->kind == OPERAND_REGISTER && what_has(point, operand->reg) == HAS_VALUE)
		*ret_number = walk->results->value;
	else
		return false;
	return true;
}

static struct compared compare(const struct walk *walk, const struct flow_point *point)
{
	struct compared compared = {};
	struct insn_operands *operands = &compared.operands;

	if (!walk->is_number && !point->clear)
		return compared;
	if (!code_operands(walk->reader, point->addr, operands) &&
	    flow_is_clear(operands, point->clear))
		return compared;
	if (!walk->is_number ||
	    (operands->kind != OPERANDS_COMPARE && operands->kind != OPERANDS_MASK) ||
	    operands->a.size != operands->b.size || operands->a.size < 4 ||
	    !number_of(walk, point, &operands->a, &compared.a) ||
	    !number_of(walk, point, &operands->b, &compared.b))
		operands->kind = OPERANDS_OTHER;
	if (operands->kind == OPERANDS_MASK) {
		compared.a &= compared.b;
		compared.b = 0;
	}
	return compared;
}

/* IS_ERR() of the result: only pointers are compared like that, and errors in them are negative. */
static bool is_err_pointer(const struct compared *compared)
{
	const struct operand *limit = &compared->operands.b;
	int32_t error = compared->a;

	return compared->operands.kind == OPERANDS_COMPARE && limit->size == 8 &&
	       limit->kind == OPERAND_CONSTANT &&
	       (limit->value == -MAX_ERRNO || limit->value == -MAX_ERRNO - 1) && is_error(error);
}

/*
 * "if (ret > 0)" of a long, of which the result's lower half is known: code compares all of a register only after an
 * error in it got its sign.
 */
static bool is_long_error(const struct compared *compared)
{
	const struct operand *a = &compared->operands.a, *b = &compared->operands.b;
	const bool is_same = b->kind == OPERAND_REGISTER && b->reg == a->reg;

	if (a->kind != OPERAND_REGISTER || a->size != 8 || !is_error((int32_t)compared->a))
		return false;
	return compared->operands.kind == OPERANDS_MASK ? is_same : b->kind == OPERAND_CONSTANT && !b->value;
}

/* Whether a conditional branch or move is taken for sure, 1, or is not, 0; -1: not known. */
static int is_taken(const struct walk *walk, const struct flow_point *point,
		    const struct compared *compared)
{
	int settled = flow_settled_way(walk->results, point);
	enum condition condition;

	if (settled >= 0 || compared->operands.kind == OPERANDS_OTHER)
		return settled;
	condition = code_condition(walk->reader, point->addr, &compared->operands);
	if (condition == CONDITION_UNKNOWN)
		return -1;
	if (is_err_pointer(compared) || is_long_error(compared))
		return condition_holds(condition, (int32_t)compared->a, (int32_t)compared->b, 8);
	/*
	 * The upper half of 8 bytes is not known, but some conditions only need different lower
	 * halves.
	 */
	if (compared->operands.a.size > 4 &&
	    (compared->a == compared->b ||
	     (condition != CONDITION_EQUAL && condition != CONDITION_NOT_EQUAL)))
		return -1;
	return condition_holds(condition, compared->a, compared->b, 4);
}

/* Follows one way up to its end, or to where it forks. */
static int walk_on(struct walk *walk, struct flow_point point)
{
	struct compared compared = {}, own;
	const struct insn *decoded;
	struct branch_insn insn;
	enum trap trap;
	int taken, held, err;

	for (;;) {
		if (++walk->steps > MAX_WALK) {
			walk->too_many = true;
			return 0;
		}
		if (code_insn(walk->reader, point.addr, &decoded)) {
			walk->unclear = true;
			return 0;
		}
		if (point.addr == walk->compared_at) {
			found_end(walk, &point, what_has(&point, walk->compared));
			return 0;
		}
		if (walk->is_address) {
			note_stored(walk, &point);
		} else if (point.addr == walk->results->store.addr && !walk->compared_at) {
			walk_store(walk, &point);
			return 0;
		} else if (is_store_repeated(walk, &point) && !walk->compared_at) {
			found_end(walk, &point, HAS_VALUE);
			return 0;
		}
		insn = decoded->branch;
		own = compare(walk, &point);
		if (own.operands.kind != OPERANDS_OTHER || is_call(&insn) || !decoded->is_known ||
		    decoded->effect.sets_flags)
			compared = own;
		taken = insn.kind == BRANCH_CONDITIONAL ? is_taken(walk, &point, &compared) : -1;
		if (is_call(&insn)) {
			if (!walk_call(walk, &point, &insn))
				return 0;
		} else if (insn.kind == BRANCH_SYSTEM) {
			trap = code_trap(walk->reader, walk->function, point.addr);
			if (trap != TRAP_GOES_ON && trap != TRAP_UNCLEAR)
				return 0; /* no caller gets an error from there */
			point.behind_trap |= trap == TRAP_UNCLEAR;
		} else if (!decoded->is_known) {
			set_places(&point, ALL_REGISTERS, HAS_UNSURE);
			point.settled = 0;
			point.clear = 0;
		} else {
			held = is_move(&decoded->effect) ? is_taken(walk, &point, &compared) : -1;
			point.clear = flow_clear_after(walk->reader, point.addr, &decoded->effect,
						       point.clear, held);
			flow_unsettle(walk->reader, walk->results, &point);
			flow_note_lent(walk->reader, walk->results, &walk->slots, &point);
			walk_effect(walk, &point, &decoded->effect, held);
		}
		switch (taken ? insn.kind : BRANCH_NONE) {
		case BRANCH_RETURN:
			walk_out(walk, &point, 0);
			return 0;
		case BRANCH_INDIRECT_JUMP:
			return walk_table(walk, &point);
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
			if (insn.kind == BRANCH_JUMP || taken == 1)
				return 0;
			break;
		default:
			break;
		}
		point.addr += insn.length;
		if (insn.kind == BRANCH_CONDITIONAL && taken < 0)
			return open_point(walk, point);
		/* The code ends here, so the last call does not return. */
		if (!function_contains(walk->reader, walk->function, point.addr))
			return 0;
	}
}

static int walk_ways(struct walk *walk, struct flow_point from, const bool *enough)
{
	struct result_flow *results = walk->results;
	int err;

	results->open.len = results->seen.len = 0;
	err = open_point(walk, from);
	while (!err && results->open.len && !(enough && *enough))
		err = walk_on(walk, results->open.data[--results->open.len]);
	return err;
}

int walk_all(struct walk *walk, struct flow_point from, const bool *enough)
{
	const struct walk before = *walk;
	int err = walk_ways(walk, from, enough);

	if (!err && walk->too_many && walk->for_all && !(enough && *enough)) {
		*walk = before;
		walk->joined = true;
		err = walk_ways(walk, from, NULL);
		/* Some of these ends may be those of no way: of a part of one, and then of another. */
		walk->unclear |= walk->different || walk->different_behind_trap;
		walk->different = walk->different_behind_trap = false;
	}
	walk->unclear |= walk->too_many;
	return err;
}
