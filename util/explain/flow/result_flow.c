// SPDX-License-Identifier: BSD-2-Clause
/*
 * Where a function's result comes from: along the way that was taken, every register and stack slot
 * has an origin.
 */
#include <errno.h>
#include <string.h>

#include "util/explain/flow/result_flow_internal.h"
#include "util/explain/function/operand.h"

/* The most instructions that replace one value by another. */
#define MAX_REPLACING 8

int flow_find_slot(const struct flow *flow, int64_t at)
{
	for (uint32_t i = 0; i < flow->nr_slots; i++) {
		if (flow->slots[i] == at)
			return NR_REGISTERS + i;
	}
	return -1;
}

int flow_slot_at(struct flow *flow, int64_t at, bool add)
{
	int slot = flow_find_slot(flow, at);

	if (slot >= 0)
		return slot;
	if (!add || flow->nr_slots == FLOW_SLOTS)
		return -1;
	flow->slots[flow->nr_slots] = at;
	flow->slot_bytes[flow->nr_slots] = 8;
	flow->places[NR_REGISTERS + flow->nr_slots] = (struct origin){ ORIGIN_UNKNOWN };
	return NR_REGISTERS + flow->nr_slots++;
}

/*
 * Memory is written at a known place of the stack; overlapping slots lose their value.
 *
 * @bytes	0: 8 or fewer
 */
static void stack_written(struct flow *flow, int64_t at, uint8_t bytes, struct origin origin)
{
	int slot;

	bytes = bytes ?: 8;
	for (uint32_t i = 0; i < flow->nr_slots; i++) {
		if (flow->slots[i] != at && flow->slots[i] - at < bytes &&
		    at - flow->slots[i] < flow->slot_bytes[i])
			flow->places[NR_REGISTERS + i].kind = ORIGIN_UNKNOWN;
	}
	slot = flow_slot_at(flow, at, origin.kind != ORIGIN_UNKNOWN);
	if (slot < 0)
		return;
	flow->places[slot] = origin;
	flow->slot_bytes[slot - NR_REGISTERS] = bytes;
}

static void lose_slots(struct flow *flow, bool of_frame)
{
	for (uint32_t i = 0; i < flow->nr_slots; i++) {
		if (is_of_frame(flow->slots[i]) == of_frame)
			flow->places[NR_REGISTERS + i].kind = ORIGIN_UNKNOWN;
	}
}

static void lose_stack(struct flow *flow)
{
	flow->stack_lost = true;
	lose_slots(flow, false);
}

/* The frame pointer changed. */
static void lose_frame(struct flow *flow)
{
	lose_slots(flow, true);
}

static void lose_registers(struct flow *flow, reg_set registers, struct origin origin)
{
	for (; registers; registers &= registers - 1)
		flow->places[__builtin_ctz(registers)] = origin;
}

static struct origin constant_origin(const struct result_flow *flow, int64_t value, uint32_t step)
{
	return (struct origin){
		.kind = (uint32_t)value == flow->value ? ORIGIN_CONSTANT : ORIGIN_OTHER,
		.step = step,
		.choice = choice_of_constant(value),
	};
}

bool same_origin(const struct origin *a, const struct origin *b)
{
	/* One instruction may select between two constants. */
	if (a->kind == ORIGIN_OTHER && a->choice.values[0] != b->choice.values[0])
		return false;
	return a->kind == b->kind && (a->step == b->step || a->kind == ORIGIN_CONSTANT);
}

/*
 * The origin of a value read from memory. A stack slot's value was stored on the known way,
 * before its beginning, or by other code that has the slot's address.
 */
static struct origin load_origin(struct flow *flow, const struct insn_effect *effect, uint32_t step,
				 bool whole)
{
	struct origin origin = { .kind = ORIGIN_READ, .step = step };
	int64_t from = slot_place(flow->stack, flow->frame, effect);
	int slot;

	if (!effect->on_stack)
		return origin;
	if (!has_slot(flow, effect))
		return (struct origin){ ORIGIN_UNKNOWN };
	slot = flow_slot_at(flow, from, false);
	/* If there was no room for a slot, nothing is known of it. */
	if (slot < 0 && whole && flow->nr_slots < FLOW_SLOTS)
		return origin;
	if (slot < 0) {
		slot = flow_slot_at(flow, from, true);
		if (slot < 0)
			return (struct origin){ ORIGIN_UNKNOWN };
		flow->places[slot] = (struct origin){ .kind = ORIGIN_START, .step = slot };
	}
	/* More may be loaded than the byte that was stored there. */
	if (flow->slot_bytes[slot - NR_REGISTERS] == 1)
		return (struct origin){ ORIGIN_UNKNOWN };
	origin = flow->places[slot];
	/* Who got the address of one place before an earlier load got it before the last one, too. */
	if (!origin.was_stored || (origin.loaded != UINT32_MAX && origin.loaded_from == from))
		origin.loaded = step;
	else
		origin.loaded = UINT32_MAX;
	origin.loaded_from = from;
	origin.was_stored = true;
	return origin;
}

/* What a conditional move takes from memory. */
static struct origin selected_from_memory(struct flow *flow, const struct insn_effect *effect, uint32_t step, bool whole)
{
	struct insn_effect load = *effect;

	if (!effect->from_on_stack)
		return (struct origin){ .kind = ORIGIN_COMPUTED, .step = step };
	load.on_stack = true;
	return load_origin(flow, &load, step, whole);
}

static void select_one(const struct result_flow *results, struct flow *flow,
		       const struct insn_effect *effect, uint32_t step, bool whole)
{
	const struct origin zero = constant_origin(results, 0, step);
	struct origin computed = { .kind = ORIGIN_COMPUTED, .step = step };
	const struct origin from = effect->from_is_zero	  ? zero :
				   effect->from_is_memory ? selected_from_memory(flow, effect, step, whole) :
							    flow->places[effect->from];
	struct origin *to = &flow->places[effect->to];
	struct origin other = effect->other_is_zero ? zero : flow->places[effect->other];

	if (effect->computes && choice_is_constant(&other.choice))
		other = constant_origin(results, effect_computed(effect, other.choice.values[0]),
					step);
	else if (effect->computes)
		other = computed;
	if (same_origin(&other, &from)) {
		*to = from;
		return;
	}
	computed.choice = choice_of_move(results->branches.len, &other, &from);
	*to = computed;
}

static void apply_move(const struct result_flow *results, struct flow *flow,
		       const struct insn_effect *effect, uint32_t step, bool whole)
{
	struct origin computed = { .kind = ORIGIN_COMPUTED, .step = step };
	struct origin *to = &flow->places[effect->to], *from = &flow->places[effect->from];
	int64_t at = slot_place(flow->stack, flow->frame, effect);
	struct choice choice;
	struct origin swap;

	switch (effect->kind) {
	case EFFECT_COPY:
		*to = *from;
		break;
	case EFFECT_CONSTANT:
		*to = constant_origin(results, effect->value, step);
		break;
	case EFFECT_LOAD:
		*to = load_origin(flow, effect, step, whole);
		break;
	case EFFECT_SELECT:
		select_one(results, flow, effect, step, whole);
		break;
	case EFFECT_SWAP:
		swap = *to;
		*to = *from;
		*from = swap;
		break;
	case EFFECT_STORE:
		if (has_slot(flow, effect))
			stack_written(flow, at, effect->bytes, *from);
		break;
	case EFFECT_STORE_CONSTANT:
		if (has_slot(flow, effect))
			stack_written(flow, at, effect->bytes,
				      constant_origin(results, effect->value, step));
		break;
	case EFFECT_OTHER:
	case EFFECT_UNWIND:
		choice = choice_compute(effect, results->branches.len, &to->choice, &from->choice);
		lose_registers(flow, effect->writes, computed);
		if (choice.move)
			to->choice = choice;
		if (!has_slot(flow, effect))
			break;
		stack_written(flow, at, effect->bytes, (struct origin){ ORIGIN_UNKNOWN });
		break;
	}
}

static void apply_effect(const struct result_flow *results, struct flow *flow,
			 const struct insn_effect *effect, uint32_t step, bool whole)
{
	struct insn_effect second;
	bool stack_known;

	apply_move(results, flow, effect, step, whole);
	if (effect->is_pair) {
		second = effect_of_second(effect);
		apply_move(results, flow, &second, step, whole);
	}
	flow->stack += effect->moves_stack;
	flow->frame = frame_after(effect, flow->frame, &flow->stack, &stack_known);
	if (!stack_known && effect->writes & REG_BIT(REG_STACK))
		lose_stack(flow);
	if (aligns_stack(effect))
		flow->stack = FLOW_ALIGNED_STACK;
	if (stack_known || aligns_stack(effect))
		flow->stack_lost = false;
	if (effect->writes & REG_BIT(REG_FRAME))
		lose_frame(flow);
	if (flow->stack_lost && effect_sets_frame(effect))
		flow->frame = FLOW_NO_FRAME;
}

static void lose_all(struct flow *flow)
{
	flow->clear = 0;
	lose_registers(flow, ALL_REGISTERS, (struct origin){ ORIGIN_UNKNOWN });
	lose_stack(flow);
	lose_frame(flow);
	flow->frame = FLOW_NO_FRAME;
}

/* @passed	what the call returns, if that is what it was passed; NULL: it is not */
static void apply_call(struct flow *flow, struct callee callee, uint32_t step,
		       const struct origin *passed)
{
	const struct origin result = passed ? *passed :
					      (struct origin){ .kind = ORIGIN_CALL, .step = step };

	flow->clear &= ~callee.writes;
	lose_registers(flow, callee.writes, (struct origin){ ORIGIN_UNKNOWN });
	if (callee.kind != CALLEE_TRANSPARENT)
		flow->places[callee.result] = result;
}

/* The last step of a path that is at an address; UINT32_MAX: none. */
static uint32_t last_step_at(const struct path *path, uint64_t addr)
{
	for (uint32_t i = path->steps.len; addr && i-- > 0;) {
		if (path->steps.data[i].addr == addr)
			return i;
	}
	return UINT32_MAX;
}

/* Remember the compared values that are in registers; one in memory counts beside one of them. */
static void remember_tested(struct flow_branch *tests, const struct flow *flow,
			    const struct insn_effect *effect)
{
	tests->nr_tested = 0;
	for (int r = 0; r < NR_REGISTERS && tests->nr_tested < 2; r++) {
		if (effect->tests >> r & 1)
			tests->tested[tests->nr_tested++] = flow->places[r];
	}
	/* The same as no other value. */
	if (tests->nr_tested == 1 && effect->tests_memory)
		tests->tested[tests->nr_tested++] = (struct origin){ ORIGIN_UNKNOWN, .step = UINT32_MAX };
}

/* A branch tests the last comparison, unless it compares by itself. */
static int add_branch(struct code_reader *reader, struct result_flow *results,
		      const struct flow_branch *at, const struct path_step *step)
{
	const struct insn_effect *effect = code_effect(reader, step->addr);
	struct flow_branch *added;

	if (vec_push(&results->branches, *at))
		return -ENOMEM;
	added = &results->branches.data[results->branches.len - 1];
	if (effect && effect->tests)
		remember_tested(added, &at->flow, effect);
	return 0;
}

static void start_flow(struct flow *flow)
{
	memset(flow, 0, sizeof(*flow));
	flow->frame = FLOW_NO_FRAME;
	for (uint32_t r = 0; r < NR_REGISTERS; r++)
		flow->places[r] = (struct origin){ .kind = ORIGIN_START, .step = r };
}

/* Whether the function ended in a tail call: then the called function returns the result. */
static bool is_tail_call(struct code_reader *reader, const struct path_step *last)
{
	if (last->insn.kind == BRANCH_RETURN)
		return false;
	if (last->insn.kind == BRANCH_INDIRECT_JUMP)
		return true;
	return callee_at(reader, last->insn.target).kind != CALLEE_RETURN_THUNK;
}

/* Of what the way's store stores. */
static struct origin stored_origin(const struct result_flow *results, const struct flow *flow)
{
	const struct flow_store *store = &results->store;

	return store->is_constant ? constant_origin(results, store->value, store->step) :
				    flow->places[store->reg];
}

int flow_follow(const struct operand_way *way, uint64_t value, struct result_flow *results)
{
	struct code_reader *reader = way->reader;
	const struct path *path = way->path;
	struct flow_branch at = { .step = 0 };
	struct flow *flow = &at.flow;
	const struct insn_effect *effect;
	uint32_t passing = last_step_at(path, results->passing.addr);
	struct origin stored = {};

	results->value = value;
	results->branches.len = results->settled.len = 0;
	results->lent = false;
	start_flow(flow);
	for (uint32_t i = 0; i < path->steps.len; i++) {
		const struct path_step *step = &path->steps.data[i];

		if (results->watcher)
			results->watcher(results->watcher_arg, i, flow);
		if (results->store.addr && i == results->store.step) {
			stored = stored_origin(results, flow);
			if (i + 1 == path->steps.len)
				break;
		}
		at.step = i;
		at.is_move = false;
		at.taken = step->record != NO_RECORD;
		if (step->insn.kind == BRANCH_CONDITIONAL && add_branch(reader, results, &at, step))
			return -ENOMEM;
		if (step->exception && step->next != step->addr + step->insn.length) {
			lose_all(flow);
		} else if (step->exception) {
			/* A warning returns with all registers unchanged. */
			at.nr_tested = 0;
		} else if (is_call(&step->insn)) {
			at.nr_tested = 0;
			apply_call(flow, callee_of_call(reader, &step->insn), i,
				   i == passing ? &flow->places[results->passing.reg] : NULL);
		} else if (!(effect = code_effect(reader, step->addr))) {
			at.nr_tested = 0;
			lose_all(flow);
		} else {
			at.is_move = is_move(effect);
			if (at.is_move && vec_push(&results->branches, at))
				return -ENOMEM;
			flow->clear = flow_clear_after(
				reader, step->addr, effect, flow->clear,
				at.is_move ? flow_held_by_number(way, &at) : -1);
			if (effect->sets_flags)
				remember_tested(&at, flow, effect);
			apply_effect(results, flow, effect, i, path->begin == PATH_WHOLE);
		}
	}
	results->result = flow->places[REG_RESULT];
	if (results->store.addr)
		results->result = stored;
	else if (is_tail_call(reader, &path->steps.data[path->steps.len - 1]))
		results->result =
			(struct origin){ .kind = ORIGIN_CALL, .step = path->steps.len - 1 };
	choice_resolve(way, results);
	return 0;
}

/* The step of the way after a branch that is at an address; 0: none. */
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
	const struct insn *insn;
	bool replaces = false;

	if (flow_held_with_int(reader, path, branch, -1) == branch->taken)
		return false;
	for (int i = 0; i < MAX_REPLACING; i++) {
		if (step_after(path, branch, at))
			return replaces;
		if (code_insn(reader, at, &insn) || !insn->is_known)
			return false;
		if (insn->branch.kind != BRANCH_NONE && insn->branch.kind != BRANCH_JUMP)
			return false;
		for (uint32_t t = 0; t < branch->nr_tested; t++) {
			const struct insn_effect *effect = &insn->effect;

			replaces |= effect->kind == EFFECT_COPY &&
				    same_origin(&places[effect->to], &flow->result) &&
				    same_origin(&places[effect->from], &branch->tested[t]);
		}
		at = insn->branch.kind == BRANCH_JUMP ? insn->branch.target :
							at + insn->branch.length;
	}
	return false;
}

uint32_t flow_still_settled(const struct result_flow *flow, const struct flow_branch *branch)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < flow->settled.len; i++) {
		const struct flow_settled *settled = &flow->settled.data[i];
		struct flow at = branch->flow;
		int place = settled->in_register ? settled->reg :
						   flow_slot_at(&at, settled->slot, false);
		const struct origin *origin = place < 0 ? NULL : &at.places[place];

		if (settled->found.kind != ORIGIN_UNKNOWN) {
			if (branch->step > settled->found_at && origin && !origin->was_stored &&
			    same_origin(origin, &settled->found))
				set |= 1u << i;
			continue;
		}
		if (origin && (origin->kind == ORIGIN_CONSTANT || origin->kind == ORIGIN_OTHER) &&
		    (!settled->in_register || !origin->was_stored) &&
		    choice_is_constant(&origin->choice) &&
		    origin->choice.values[0] == settled->value)
			set |= 1u << i;
	}
	return set;
}

/* Whether an instruction takes an address on the stack; *ret_at: which, as in flow.slots. */
static bool takes_address(const struct flow_point *point, const struct insn_effect *effect,
			  const struct insn_operands *operands, int64_t *ret_at)
{
	*ret_at = point->stack;
	if (operands->kind == OPERANDS_ADDRESS) {
		if (operands->b.reg == REG_FRAME)
			*ret_at = point->frame;
		*ret_at += operands->b.value;
		return operands->b.reg == REG_STACK || operands->b.reg == REG_FRAME;
	}
	return effect->kind == EFFECT_COPY && effect->from == REG_STACK && effect->to != REG_FRAME;
}

void flow_note_lent(struct code_reader *reader, struct result_flow *results,
		    const struct flow *slots, const struct flow_point *point)
{
	const struct insn_effect *effect = code_effect(reader, point->addr);
	struct insn_operands operands;
	int64_t at;

	if (!results->result.was_stored || results->takes_address || !effect ||
	    code_operands(reader, point->addr, &operands) ||
	    !takes_address(point, effect, &operands, &at))
		return;
	for (uint32_t i = 0; i < slots->nr_slots; i++)
		results->takes_address |=
			point->places >> (NR_REGISTERS + i) & 1 && at <= slots->slots[i];
}

void flow_unsettle_registers(const struct result_flow *results, struct flow_point *point,
			     reg_set writes)
{
	for (uint32_t i = 0; i < results->settled.len; i++) {
		const struct flow_settled *settled = &results->settled.data[i];

		if (settled->in_register && writes & REG_BIT(settled->reg))
			point->settled &= ~(1u << i);
	}
}

/* Wherever the register gets this constant, the branch goes the same way. */
static void settle_registers(const struct result_flow *results, struct flow_point *point,
			     const struct insn_effect *effect)
{
	for (uint32_t i = 0; i < results->settled.len; i++) {
		const struct flow_settled *settled = &results->settled.data[i];

		if (settled->in_register && settled->reg == effect->to &&
		    settled->found.kind == ORIGIN_UNKNOWN && settled->value == effect->value)
			point->settled |= 1u << i;
	}
}

void flow_unsettle(struct code_reader *reader, const struct result_flow *results,
		   struct flow_point *point)
{
	const struct insn_effect *effect = code_effect(reader, point->addr);
	struct insn_operands operands;
	bool stores, shares;
	int64_t at;

	if (!results->settled.len)
		return;
	if (!effect || effect->writes & REG_BIT(REG_STACK) ||
	    code_operands(reader, point->addr, &operands)) {
		point->settled = 0;
		return;
	}
	stores = effect->on_stack && effect->kind != EFFECT_LOAD;
	shares = takes_address(point, effect, &operands, &at);
	flow_unsettle_registers(results, point, effect->writes);
	for (uint32_t i = 0; i < results->settled.len; i++) {
		int64_t slot = results->settled.data[i].slot;
		int64_t from = slot_place(point->stack, point->frame, effect);

		if (results->settled.data[i].in_register)
			continue;
		if ((shares && at <= slot) ||
		    (stores && from < slot + 8 && slot < from + 8 + effect->bytes * 2))
			point->settled &= ~(1u << i);
	}
	/* Of a negative one, the upper half may be 0 or not. */
	if (effect->kind == EFFECT_CONSTANT && effect->value >= 0)
		settle_registers(results, point, effect);
}

int flow_settled_way(const struct result_flow *results, const struct flow_point *point)
{
	for (uint32_t i = 0; i < results->settled.len; i++) {
		const struct flow_settled *settled = &results->settled.data[i];

		if ((settled->always || point->settled >> i & 1) && settled->addr == point->addr &&
		    (!settled->elsewhere || settled->stack == point->stack))
			return settled->taken;
	}
	return -1;
}

void flow_release(struct result_flow *flow)
{
	vec_release(&flow->branches);
	vec_release(&flow->settled);
	vec_release(&flow->open);
	vec_release(&flow->seen);
}
