// SPDX-License-Identifier: BSD-2-Clause
/*
 * A result that a called function stored by an address that it was passed: "skb = receive(sk, &err);
 * if (!skb) return err", and in receive() "*err = -EAGAIN; return NULL". Which call got the address,
 * and in the called function, which instruction stored by it. What the address is of may be a member of
 * an object that the caller got itself: "sk2 = accept(sk, arg); if (!sk2) return arg->err".
 */
#include "util/explain/flow/result_flow_internal.h"
#include "util/explain/function/operand.h"

/* The most instructions of a way that take the address. */
#define MAX_TAKEN 32

/* Looks for those who have the address of one place. */
struct search {
	struct code_reader *reader;
	const struct path *path;
	uint64_t body; /* calls before it are those that tracing put there */
	bool is_param; /* the address is that of a parameter; else of a place on the stack */
	uint8_t reg; /* the parameter's register */
	int64_t slot; /* as in flow.slots */
	uint16_t at; /* of an object at the parameter's address, the member; 0: it is all of it */
	uint32_t before; /* only steps before this one count */
	uint32_t taken[MAX_TAKEN]; /* steps that took the address on the stack, or of the member */
	uint32_t nr_taken;
	reg_set have; /* registers that were copied from the stack pointer, at the slot */
	bool lost; /* what happened to the address cannot be told */
	/* Found last. */
	struct flow_stored found;
	struct flow_stored own; /* the last store of the function's own, also if calls follow */
	struct origin value; /* that it stored */
	uint32_t nr_calls; /* since a store of the function's own */
};

/* Whether a register has the address of the parameter's object. */
static bool is_object(const struct search *search, const struct flow *flow, uint8_t reg)
{
	const struct origin *origin = &flow->places[reg];

	return search->is_param && origin->kind == ORIGIN_START && origin->step == search->reg;
}

/* Whether a register has the address. *ret_at: how far before the place it is. */
static bool has_address(const struct search *search, const struct flow *flow, uint8_t reg, uint16_t *ret_at)
{
	const struct origin *origin = &flow->places[reg];

	*ret_at = is_object(search, flow, reg) ? search->at : 0;
	if (is_object(search, flow, reg) || search->have & REG_BIT(reg))
		return true;
	for (uint32_t i = 0; i < search->nr_taken && origin->kind == ORIGIN_COMPUTED; i++) {
		if (search->taken[i] == origin->step)
			return true;
	}
	return false;
}

/* Whether the step jumps to another function at its end. */
static bool is_jump_out(const struct search *search, const struct path_step *step, uint32_t at)
{
	return at + 1 == search->path->steps.len &&
	       (step->insn.kind == BRANCH_INDIRECT_JUMP ||
		(step->insn.kind == BRANCH_JUMP &&
		 callee_at(search->reader, step->insn.target).kind == CALLEE_USUAL));
}

static void note_call(struct search *search, uint32_t step, const struct flow *flow)
{
	uint16_t at;

	for (uint32_t i = 0; operands_parameter(i) >= 0; i++) {
		if (!has_address(search, flow, operands_parameter(i), &at))
			continue;
		search->found = (struct flow_stored){ STORED_BY_CALL, step, i + 1, at };
		search->nr_calls++;
		return;
	}
}

/* A store by the register with the address is one of the function's own. */
static void note_store(struct search *search, uint32_t step, const struct flow *flow,
		       const struct insn_operands *operands)
{
	const struct operand *to = &operands->a, *from = &operands->b;
	uint16_t at;

	if (to->kind != OPERAND_MEMORY || !has_address(search, flow, to->reg, &at) ||
	    operands->kind == OPERANDS_ADDRESS || operands->kind == OPERANDS_COMPARE)
		return;
	if (to->value < at || to->value - at >= (search->at ? 4 : 8))
		return;
	search->nr_calls = 0;
	search->found = search->own = (struct flow_stored){ STORED_HERE, step };
	search->value = (struct origin){ ORIGIN_UNKNOWN };
	if (operands->kind != OPERANDS_COPY || to->value != at || to->size < 4)
		return;
	if (from->kind == OPERAND_REGISTER)
		search->value = flow->places[from->reg];
	else if (from->kind == OPERAND_CONSTANT)
		search->value.kind = ORIGIN_CONSTANT;
}

static void take(struct search *search, uint32_t step)
{
	if (search->nr_taken == MAX_TAKEN)
		search->lost = true;
	else
		search->taken[search->nr_taken++] = step;
}

/* Note an instruction that takes the address of the member. */
static void note_member_taken(struct search *search, uint32_t step, const struct flow *flow,
			      const struct insn_operands *operands)
{
	if (search->at && operands->kind == OPERANDS_ADDRESS && operands->b.kind == OPERAND_MEMORY &&
	    operands->b.value == search->at && is_object(search, flow, operands->b.reg))
		take(search, step);
}

/* Note an instruction that takes the address of the place on the stack. */
static void note_taken(struct search *search, uint32_t step, const struct flow *flow,
		       const struct insn_effect *effect, const struct insn_operands *operands)
{
	int64_t at;

	search->have &= ~effect->writes;
	if (effect->kind == EFFECT_COPY && effect->from == REG_STACK && effect->to != REG_FRAME) {
		if (flow->stack == search->slot && !flow->stack_lost)
			search->have |= REG_BIT(effect->to);
		return;
	}
	if (operands->kind != OPERANDS_ADDRESS || operands->b.kind != OPERAND_MEMORY ||
	    (operands->b.reg != REG_STACK && operands->b.reg != REG_FRAME))
		return;
	at = operands->b.value + (operands->b.reg == REG_STACK ? flow->stack : flow->frame);
	if (at != search->slot || (operands->b.reg == REG_STACK && flow->stack_lost))
		return;
	take(search, step);
}

static void watch(void *arg, uint32_t at, const struct flow *flow)
{
	struct search *search = arg;
	const struct path_step *step = &search->path->steps.data[at];
	const struct insn_effect *effect;
	struct insn_operands operands;

	if (at >= search->before)
		return;
	if (is_call(&step->insn) || is_jump_out(search, step, at)) {
		if (step->addr >= search->body)
			note_call(search, at, flow);
		search->have &= ~callee_of_call(search->reader, &step->insn).writes;
		return;
	}
	effect = code_effect(search->reader, step->addr);
	if (!effect || code_operands(search->reader, step->addr, &operands)) {
		search->have = 0;
		return;
	}
	if (search->is_param) {
		note_member_taken(search, at, flow, &operands);
	} else {
		note_taken(search, at, flow, effect, &operands);
		/* A store of the function's own, to its variable. */
		if (effect->on_stack && effect->kind != EFFECT_LOAD && effect->kind != EFFECT_OTHER &&
		    slot_place(flow->stack, flow->frame, effect) == search->slot) {
			search->nr_calls = 0;
			search->found = (struct flow_stored){ STORED_HERE, at };
		}
	}
	note_store(search, at, flow, &operands);
}

/* Where a value was loaded from: the stack, or an object whose address is a parameter. */
struct load {
	struct code_reader *reader;
	const struct path *path;
	uint32_t step;
	enum { LOADED_ELSEWHERE, LOADED_FROM_STACK, LOADED_FROM_OBJECT } from;
	int64_t slot;
	uint8_t reg; /* the parameter's */
	uint16_t at; /* behind the object's address */
};

static void note_object(struct load *load, uint32_t at, const struct flow *flow)
{
	struct insn_operands operands;
	const struct operand *memory = &operands.b;
	const struct origin *origin;

	if (code_operands(load->reader, load->path->steps.data[at].addr, &operands) ||
	    operands.kind != OPERANDS_COPY || operands.a.kind != OPERAND_REGISTER ||
	    memory->kind != OPERAND_MEMORY || memory->reg >= NR_REGISTERS || memory->value < 0 ||
	    memory->value > UINT16_MAX || memory->size != 4)
		return;
	origin = &flow->places[memory->reg];
	if (origin->kind != ORIGIN_START || origin->was_stored)
		return;
	for (uint32_t i = 0; operands_parameter(i) >= 0; i++) {
		if (origin->step == (uint32_t)operands_parameter(i)) {
			load->from = LOADED_FROM_OBJECT;
			load->reg = origin->step;
			load->at = memory->value;
		}
	}
}

static void watch_load(void *arg, uint32_t at, const struct flow *flow)
{
	struct load *load = arg;
	const struct insn_effect *effect;

	if (at != load->step)
		return;
	/* The object's address may be in what is the frame pointer elsewhere. */
	note_object(load, at, flow);
	effect = code_effect(load->reader, load->path->steps.data[at].addr);
	if (load->from == LOADED_ELSEWHERE && effect && effect->kind == EFFECT_LOAD && has_slot(flow, effect) &&
	    !effect->is_pair) {
		load->from = LOADED_FROM_STACK;
		load->slot = slot_place(flow->stack, flow->frame, effect);
	}
}

/* Follow the way once more: what is known of it stays the same. */
static int watch_way(const struct operand_way *way, struct result_flow *flow, uint64_t value, flow_watcher *watcher,
		     void *arg)
{
	int err;

	flow->watcher = watcher;
	flow->watcher_arg = arg;
	err = flow_follow(way, value, flow);
	flow->watcher = NULL;
	return err;
}

int flow_find_lent(const struct operand_way *way, uint64_t value, struct result_flow *flow, struct flow_stored *ret)
{
	const struct origin *result = &flow->result;
	struct load load = { .reader = way->reader, .path = way->path,
			     .step = result->was_stored ? result->loaded : result->step };
	struct search search = { .reader = way->reader, .path = way->path,
				 .body = function_body(way->reader, way->function) };
	int err;

	*ret = (struct flow_stored){};
	if (way->path->begin != PATH_WHOLE || load.step == UINT32_MAX)
		return 0;
	err = watch_way(way, flow, value, watch_load, &load);
	if (err || load.from == LOADED_ELSEWHERE)
		return err;
	search.is_param = load.from == LOADED_FROM_OBJECT;
	search.reg = load.reg;
	search.at = load.at;
	search.slot = load.slot;
	search.before = load.step;
	err = watch_way(way, flow, value, watch, &search);
	if (err || search.lost || search.found.by != STORED_BY_CALL)
		return err;
	*ret = search.found;
	ret->several = search.nr_calls > 1;
	ret->in_object = search.is_param;
	return 0;
}

/*
 * The last branch after a step whose other side may replace the error that was stored there; it decided that the
 * error stayed. Its number, from 1; 0: there is none.
 */
static uint32_t last_to_keep(const struct operand_way *way, struct result_flow *flow, uint32_t step, uint8_t reg,
			     bool *ret_sure)
{
	for (uint32_t number = flow->branches.len; number; number--) {
		const struct flow_branch *branch = &flow->branches.data[number - 1];

		if (branch->step <= step)
			break;
		if (!branch->is_move &&
		    flow_may_store_by(way->reader, way->function, way->path, flow, branch, reg, ret_sure))
			return number;
	}
	return 0;
}

/* The way up to the step, where the function stored the value itself, or up to the branch that kept it there. */
static int follow_own(const struct operand_way *way, struct path *path, const struct search *search, uint64_t value,
		      struct result_flow *flow, struct flow_stored *ret)
{
	uint32_t step = ret->step;
	uint64_t addr = path->steps.data[step].addr;
	struct insn_operands operands;
	bool sure;

	if (code_operands(way->reader, addr, &operands)) {
		ret->by = STORED_NOT;
		return 0;
	}
	ret->kept_by = last_to_keep(way, flow, step, search->reg, &sure);
	ret->may_store_more = ret->kept_by && !(sure && search->value.kind == ORIGIN_CONSTANT);
	if (ret->may_store_more)
		ret->kept_by = 0;
	flow->store = (struct flow_store){
		.addr = addr,
		.step = step,
		.is_constant = operands.b.kind == OPERAND_CONSTANT,
		.reg = operands.b.reg,
		.value = operands.b.value,
	};
	if (!ret->kept_by)
		path->steps.len = step + 1;
	return flow_follow(way, value, flow);
}

int flow_follow_stored(const struct operand_way *way, struct path *path, uint8_t param, uint16_t at,
		       uint64_t value, struct result_flow *flow, struct flow_stored *ret)
{
	struct search search = { .reader = way->reader, .path = path, .is_param = true, .at = at,
				 .reg = operands_parameter(param - 1),
				 .body = function_body(way->reader, way->function), .before = UINT32_MAX };
	const size_t nr_steps = path->steps.len;
	int err;

	*ret = (struct flow_stored){};
	flow->store.addr = 0;
	err = watch_way(way, flow, value, watch, &search);
	if (err || path->begin != PATH_WHOLE)
		return err;
	*ret = search.found;
	ret->several = search.nr_calls > 1;
	/* What an object is passed to mostly leaves the member as it is; but it may have had another value before. */
	if (ret->by == STORED_BY_CALL && at && search.own.by == STORED_HERE && search.value.kind != ORIGIN_UNKNOWN) {
		struct flow_stored by_call = *ret;

		*ret = search.own;
		err = follow_own(way, path, &search, value, flow, ret);
		if (err || flow->result.kind == ORIGIN_CONSTANT || flow->result.kind == ORIGIN_CALL ||
		    flow->result.kind == ORIGIN_START)
			return err;
		path->steps.len = nr_steps;
		flow->store.addr = 0;
		*ret = by_call;
		return flow_follow(way, value, flow);
	}
		if (ret->by != STORED_HERE)
		return 0;
	if (search.value.kind == ORIGIN_UNKNOWN) {
		ret->by = STORED_NOT;
		return 0;
	}
	return follow_own(way, path, &search, value, flow, ret);
}
