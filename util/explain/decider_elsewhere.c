// SPDX-License-Identifier: BSD-2-Clause
/*
 * Branches beside the way that compare what was a constant on it: ways that are walked go one way there, too. After
 * "copied" was found to be 0, no code elsewhere in the function finds another number in it, until it writes one.
 * And where code beside the way may lead.
 */
#include <stdbool.h>
#include <stdint.h>

#include "util/base/macros.h"
#include "util/explain/decider_internal.h"
#include "util/explain/flow/result_flow_internal.h"

/* The most jump targets and instructions that are followed. */
#define MAX_STARTS 256
#define MAX_LEADING 10000

/* Looks through a function's code, from its beginning, for branches that compare constants on the stack. */
struct elsewhere {
	struct decider *decider;
	const struct code_function *function;
	const struct flow *flow; /* at the way's last branch */
	int64_t lowest; /* no address of a place below was taken */
	/* A register that was loaded from a place, and a place that was compared, by the last instructions. */
	uint64_t loaded_at, compared_at; /* the instruction that loaded it; 0: none */
	uint8_t reg;
	int64_t loaded, compared;
	struct insn_operands operands;
};

/* The lowest place on the stack whose address is taken. */
static void note_lowest(struct elsewhere *scan, const struct insn_effect *effect, const struct insn_operands *operands)
{
	const struct operand *memory = &operands->b;
	int64_t at = INT64_MAX;

	if (operands->kind == OPERANDS_ADDRESS && memory->reg == REG_STACK)
		at = scan->flow->stack + memory->value;
	else if ((operands->kind == OPERANDS_ADDRESS && memory->reg == REG_FRAME) ||
		 (effect->kind == EFFECT_COPY && effect->from == REG_STACK && effect->to != REG_FRAME))
		at = INT64_MIN;
	if (at < scan->lowest)
		scan->lowest = at;
}

/* The constant at a place; false: it is none. */
static bool constant_at(const struct elsewhere *scan, int64_t at, int32_t *ret_value)
{
	const int slot = flow_find_slot(scan->flow, at);

	if (slot < 0 || at >= scan->lowest || scan->flow->slot_bytes[slot - NR_REGISTERS] < 4 ||
	    !origin_is_constant(&scan->flow->places[slot]))
		return false;
	*ret_value = scan->flow->places[slot].choice.values[0];
	return true;
}

/* What an instruction compares, if that is a place on the stack, or what was just loaded from there, with a number. */
static bool compares_place(struct elsewhere *scan, uint64_t at, const struct insn_operands *operands)
{
	const struct operand *a = &operands->a, *b = &operands->b;
	const bool is_same = b->kind == OPERAND_REGISTER && a->kind == OPERAND_REGISTER && a->reg == b->reg;

	if ((operands->kind != OPERANDS_COMPARE && operands->kind != OPERANDS_MASK) || a->size != 4 ||
	    (b->kind != OPERAND_CONSTANT && !is_same))
		return false;
	if (a->kind == OPERAND_MEMORY && a->reg == REG_STACK) {
		scan->compared = scan->flow->stack + a->value;
		scan->compared_at = at;
	} else if (a->kind == OPERAND_REGISTER && scan->loaded_at && a->reg == scan->reg) {
		scan->compared = scan->loaded;
		scan->compared_at = scan->loaded_at;
	} else {
		return false;
	}
	scan->operands = *operands;
	return true;
}

/* Whether code jumps between two instructions: then what comes before the second one is not known. */
static bool is_entered(const struct elsewhere *scan, uint64_t first, uint64_t last)
{
	const struct code_function *function = scan->function;
	const struct insn *insn;

	for (uint64_t at = function->addr; at < function->addr + function->size; at += insn->branch.length) {
		if (code_insn(&scan->decider->reader, at, &insn))
			return true;
		if ((insn->branch.kind == BRANCH_CONDITIONAL || insn->branch.kind == BRANCH_JUMP) &&
		    insn->branch.target > first && insn->branch.target <= last)
			return true;
	}
	return false;
}

static void note_branch(struct elsewhere *scan, uint64_t at)
{
	struct decider *decider = scan->decider;
	struct flow_settled settled = {
		.addr = at, .slot = scan->compared, .elsewhere = true, .stack = scan->flow->stack,
	};
	const struct insn_operands *operands = &scan->operands;
	const enum condition condition = code_condition(&decider->reader, at, operands);
	uint32_t a, b;

	if (condition == CONDITION_UNKNOWN || decider->nr_elsewhere == ARRAY_SIZE(decider->elsewhere) ||
	    !constant_at(scan, scan->compared, &settled.value) || is_entered(scan, scan->compared_at, at))
		return;
	vec_foreach(branch, &decider->flow.branches) {
		if (decider->path.steps.data[branch->step].addr == at)
			return;
	}
	a = settled.value;
	b = operands->b.kind == OPERAND_CONSTANT ? (uint32_t)operands->b.value : a;
	settled.taken = operands->kind == OPERANDS_MASK ? condition_holds(condition, a & b, 0, 4) :
							  condition_holds(condition, a, b, 4);
	decider->elsewhere[decider->nr_elsewhere++] = settled;
}

/* One instruction. With @notes, branches are noted. */
static void scan_one(struct elsewhere *scan, uint64_t at, const struct insn *insn, bool notes)
{
	const struct insn_effect *effect = &insn->effect;
	struct insn_operands operands;

	if (!insn->is_known || insn->branch.kind == BRANCH_CALL || insn->branch.kind == BRANCH_INDIRECT_CALL ||
	    code_operands(&scan->decider->reader, at, &operands)) {
		scan->loaded_at = scan->compared_at = 0;
		return;
	}
	note_lowest(scan, effect, &operands);
	if (insn->branch.kind == BRANCH_CONDITIONAL) {
		if (notes && (scan->compared_at || compares_place(scan, at, &operands)))
			note_branch(scan, at);
		return;
	}
	if (insn->branch.kind != BRANCH_NONE) {
		scan->loaded_at = scan->compared_at = 0;
		return;
	}
	/* Places are known from where the stack pointer is at the branch. */
	if (effect->moves_stack || effect->writes & REG_BIT(REG_STACK)) {
		scan->loaded_at = scan->compared_at = 0;
		return;
	}
	if (!compares_place(scan, at, &operands) && effect->sets_flags)
		scan->compared_at = 0;
	if (effect->writes & REG_BIT(scan->reg))
		scan->loaded_at = 0;
	if (effect->kind == EFFECT_LOAD && !effect->is_pair && operands.kind == OPERANDS_COPY &&
	    operands.a.kind == OPERAND_REGISTER && operands.a.size == 4 && operands.b.kind == OPERAND_MEMORY &&
	    operands.b.reg == REG_STACK && operands.b.size == 4) {
		scan->loaded_at = at;
		scan->loaded = scan->flow->stack + operands.b.value;
		scan->reg = operands.a.reg;
	}
}

static bool scan_all(struct elsewhere *scan, bool notes)
{
	const struct code_function *function = scan->function;
	const struct insn *insn;

	scan->loaded_at = scan->compared_at = 0;
	for (uint64_t at = function->addr; at < function->addr + function->size; at += insn->branch.length) {
		if (code_insn(&scan->decider->reader, at, &insn))
			return false;
		scan_one(scan, at, insn, notes);
	}
	return true;
}

static void find_elsewhere(struct decider *decider, const struct code_function *function)
{
	const struct result_flow *flow = &decider->flow;
	struct elsewhere scan = { .decider = decider, .function = function, .lowest = INT64_MAX };
	bool has_constants = false;

	decider->nr_elsewhere = 0;
	if (decider->path.begin != PATH_WHOLE || !flow->branches.len)
		return;
	scan.flow = &flow->branches.data[flow->branches.len - 1].flow;
	for (uint32_t i = 0; i < scan.flow->nr_slots; i++)
		has_constants |= origin_is_constant(&scan.flow->places[NR_REGISTERS + i]);
	if (has_constants && !scan.flow->stack_lost && scan_all(&scan, false))
		scan_all(&scan, true);
}

void decider_note_elsewhere(struct decider *decider, const struct code_function *function)
{
	if (!decider->knows_elsewhere)
		find_elsewhere(decider, function);
	decider->knows_elsewhere = true;
	/* Without memory, both sides are walked. */
	for (uint32_t i = 0; i < decider->nr_elsewhere; i++)
		(void)vec_push(&decider->flow.settled, decider->elsewhere[i]);
}

/* Whether a branch is taken if the call's result that it tests at @compared is NULL. 1; 0; -1 it tests another. */
static int taken_for_null(struct decider *decider, uint64_t compared, uint64_t at)
{
	struct insn_operands operands;

	/* With itself, or with 0. */
	if (!compared || code_operands(&decider->reader, compared, &operands) || operands.a.size != 8 ||
	    operands.a.kind != OPERAND_REGISTER || operands.a.reg != REG_RESULT ||
	    !(operands.kind == OPERANDS_MASK ? operands.b.kind == OPERAND_REGISTER && operands.b.reg == REG_RESULT :
	      operands.kind == OPERANDS_COMPARE && operands.b.kind == OPERAND_CONSTANT && !operands.b.value))
		return -1;
	switch (code_condition(&decider->reader, at, &operands)) {
	case CONDITION_EQUAL:
		return 1;
	case CONDITION_NOT_EQUAL:
		return 0;
	default:
		return -1;
	}
}

bool decider_may_lead_but(struct decider *decider, const struct code_function *function, uint64_t from, uint64_t to,
			  uint64_t except, bool but_null)
{
	uint64_t starts[MAX_STARTS] = { from }, compared;
	uint32_t nr = 1, steps = 0, known;
	const struct insn_effect *effect;
	struct branch_insn insn;
	bool is_result;
	int taken;

	for (uint32_t i = 0; i < nr; i++) {
		compared = 0;
		is_result = false;
		for (uint64_t at = starts[i]; function_contains(&decider->reader, function, at);
		     at += insn.length) {
			if (at == except)
				break;
			if (at == to || ++steps > MAX_LEADING ||
			    code_branch(&decider->reader, at, &insn) ||
			    insn.kind == BRANCH_INDIRECT_JUMP)
				return true;
			taken = but_null && insn.kind == BRANCH_CONDITIONAL ?
					taken_for_null(decider, compared ?: is_result ? at : 0, at) : -1;
			if (taken <= 0 && (insn.kind == BRANCH_CONDITIONAL || insn.kind == BRANCH_JUMP)) {
				for (known = 0; known < nr && starts[known] != insn.target;)
					known++;
				if (known == MAX_STARTS)
					return true;
				starts[known] = insn.target;
				nr += known == nr;
			}
			effect = code_effect(&decider->reader, at);
			if (insn.kind == BRANCH_CALL || insn.kind == BRANCH_INDIRECT_CALL)
				is_result = true;
			else if (!effect || effect->writes & REG_BIT(REG_RESULT))
				is_result = false;
			if (!effect || effect->sets_flags || !is_result)
				compared = is_result && insn.kind == BRANCH_NONE ? at : 0;
			if (!taken || insn.kind == BRANCH_JUMP || insn.kind == BRANCH_RETURN ||
			    (insn.kind == BRANCH_SYSTEM &&
			     code_trap(&decider->reader, function, at) == TRAP_ENDS))
				break;
		}
	}
	return false;
}

bool decider_may_lead(struct decider *decider, const struct code_function *function, uint64_t from, uint64_t to,
		      uint64_t except)
{
	return decider_may_lead_but(decider, function, from, to, except, false);
}

uint64_t decider_other_side(const struct path_step *step, const struct flow_branch *branch)
{
	return branch->taken ? step->addr + step->insn.length : step->insn.target;
}
