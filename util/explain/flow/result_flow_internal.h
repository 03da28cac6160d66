/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by following one way and walking all ways. For result_*.c, decider_branch.c and decider_constants.c. */
#ifndef RETSNOOP_EXPLAIN_FLOW_RESULT_FLOW_INTERNAL_H
#define RETSNOOP_EXPLAIN_FLOW_RESULT_FLOW_INTERNAL_H

#include "util/explain/flow/result_flow.h"

/* A point where a walk continues. */
struct flow_point {
	uint64_t addr;
	uint64_t places; /* places with the value; bits as in flow.places */
	uint64_t unsure; /* places that may have it */
	uint32_t returned; /* of flow_without_calls(): calls so far */
	bool behind_trap; /* after a trap that may not have returned */
	int64_t stack, frame; /* as in struct flow */
	uint32_t settled; /* of result_flow.settled, those whose constants have not changed */
	reg_set clear; /* as in struct flow */
};

/* Whether a place has the value. */
enum has {
	HAS_OTHER,
	HAS_VALUE,
	HAS_UNSURE,
};

static inline enum has what_has(const struct flow_point *point, int place)
{
	if (place < 0 || point->unsure >> place & 1)
		return HAS_UNSURE;
	return point->places >> place & 1 ? HAS_VALUE : HAS_OTHER;
}

static inline void set_places(struct flow_point *point, uint64_t places, enum has has)
{
	point->places &= ~places;
	point->unsure &= ~places;
	if (has == HAS_VALUE)
		point->places |= places;
	else if (has == HAS_UNSURE)
		point->unsure |= places;
}

static inline void set_place(struct flow_point *point, int place, enum has has)
{
	if (place >= 0)
		set_places(point, 1ull << place, has);
}

/* The stack place that an instruction reads or writes, from the initial stack pointer. */
static inline int64_t slot_place(int64_t stack, int64_t frame, const struct insn_effect *effect)
{
	return effect->displacement + (effect->base == REG_STACK ? stack : frame);
}

static inline bool is_frame_known(int64_t frame)
{
	return frame < FLOW_NO_FRAME / 2;
}

/*
 * Whether an instruction aligns the stack. The distance is not known; after that, moves are known
 * again. Places relative to the frame count as different ones: compilers do not mix both for one
 * object.
 */
static inline bool aligns_stack(const struct insn_effect *effect)
{
	return effect->computes == COMPUTES_AND && effect->to == REG_STACK &&
	       effect->from == REG_STACK && effect->value < 0;
}

/* The frame pointer after an instruction; sets *stack if the stack pointer is loaded from it. */
static inline int64_t frame_after(const struct insn_effect *effect, int64_t frame, int64_t *stack,
				  bool *ret_stack_known)
{
	*ret_stack_known = effect->kind == EFFECT_UNWIND && is_frame_known(frame);
	if (*ret_stack_known)
		*stack = frame + effect->displacement;
	if (!(effect->writes & REG_BIT(REG_FRAME)))
		return frame;
	if (!effect_sets_frame(effect))
		return FLOW_NO_FRAME;
	return *stack + frame_distance(effect);
}

static inline bool has_slot(const struct flow *flow, const struct insn_effect *effect)
{
	return effect->on_stack && !(effect->base == REG_STACK && flow->stack_lost);
}

static inline bool is_of_frame(int64_t slot)
{
	return !is_frame_known(slot);
}

static inline bool is_call(const struct branch_insn *insn)
{
	return insn->kind == BRANCH_CALL || insn->kind == BRANCH_INDIRECT_CALL;
}

static inline struct callee callee_of_call(struct code_reader *reader,
					   const struct branch_insn *insn)
{
	return callee_at(reader, insn->kind == BRANCH_CALL ? insn->target : 0);
}

/* The choice for a constant. */
struct choice choice_of_constant(int64_t value);
bool choice_is_constant(const struct choice *choice);
bool origin_is_constant(const struct origin *origin);

/*
 * The value after a conditional move.
 *
 * @move	of result_flow.branches, plus 1
 * @to		what was there
 */
struct choice choice_of_move(uint32_t move, const struct origin *to, const struct origin *from);

/* Whether it depends on a condition, and no branch does. */
static inline bool is_move(const struct insn_effect *effect)
{
	return effect->kind == EFFECT_SELECT || effect->computes == COMPUTES_FLAG ||
	       effect->computes == COMPUTES_FLAG_BYTE;
}

/*
 * flow.clear after an instruction.
 *
 * @held	whether the condition of a flag that it puts into a register held; -1: not known
 */
reg_set flow_clear_after(struct code_reader *reader, uint64_t addr,
			 const struct insn_effect *effect, reg_set clear, int held);
/* Whether the result of a comparison is 0 because a register is clear. */
bool flow_is_clear(const struct insn_operands *operands, reg_set clear);
/* Whether a move's condition held, if one known number was tested: "err ?: count" where err was set to a constant. */
int flow_held_by_number(const struct operand_way *way, const struct flow_branch *move);

/* The value of effect->to after EFFECT_OTHER, @to before it; .move 0: not known. */
struct choice choice_compute(const struct insn_effect *effect, uint32_t move,
			     const struct choice *to, const struct choice *from);

/*
 * Find how a result was chosen, from its known value. If the move kept the old value, the result
 * has that value's origin.
 */
void choice_resolve(const struct operand_way *way, struct result_flow *results);

/* Of results->settled, those whose constants were there before a branch. */
uint32_t flow_still_settled(const struct result_flow *flow, const struct flow_branch *branch);
/* Forget constants that an instruction may change, or give another function to change. */
void flow_unsettle(struct code_reader *reader, const struct result_flow *results,
		   struct flow_point *point);
/* Forget those in registers that are written. */
void flow_unsettle_registers(const struct result_flow *results, struct flow_point *point,
			     reg_set writes);
/* Note an instruction that takes the address of a place which has the result, or of one below. */
void flow_note_lent(struct code_reader *reader, struct result_flow *results,
		    const struct flow *slots, const struct flow_point *point);
/* Whether a branch or move that compared such a constant is taken, 1, or is not, 0; -1: it is none. */
int flow_settled_way(const struct result_flow *results, const struct flow_point *point);

/* The place of a stack slot; @add: add it if missing; -1: there is none. */
int flow_slot_at(struct flow *flow, int64_t at, bool add);
/* The same of one that is there already. */
int flow_find_slot(const struct flow *flow, int64_t at);

#endif
