// SPDX-License-Identifier: BSD-2-Clause
/*
 * Which step of the way wrote a value, and values on the stack that called functions may change.
 *
 * Code shows where an object on the stack begins if its address is taken, but not where it ends.
 * The type of the parameter that the address is passed as tells more: "int *" is no address of an
 * object that has a pointer after the int.
 */
#include <bpf/btf.h>
#include <string.h>

#include "util/explain/function/function_code.h"
#include "util/explain/function/operand.h"
#include "util/kernel/code/routine.h"
#include "util/kernel/symbols/symbols.h"
#include "util/kernel/types/btf_types.h"

/* The size of the number or pointer that a called function's parameter points to; 0: not known. */
static uint64_t size_passed(const struct operand_way *way, const struct branch_insn *call,
			    uint8_t reg)
{
	const struct symbol *symbol =
		call->kind == BRANCH_CALL ? called_symbol_of(way->reader, call->target) : NULL;
	const struct btf_type *proto, *type;
	const struct btf_param *param;
	const struct btf *btf;
	uint32_t pointee;

	proto = symbol ? function_prototype(way, symbol->addr, symbol->name, symbol->module, &btf) : NULL;
	param = proto ? parameter_in(btf, proto, reg) : NULL;
	pointee = param ? btf_pointee(btf, param->type) : 0;
	type = pointee ? btf_underneath(btf, pointee) : NULL;
	if (!type || !(btf_is_int(type) || btf_is_any_enum(type) || btf_is_ptr(type)))
		return 0;
	return btf_size_of(btf, pointee);
}

static bool uses_register(const struct operand *operand, uint8_t reg)
{
	return (operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_MEMORY) &&
	       operand->reg == reg;
}

/* Whether it may be a place in memory at a register and an index, which has no kind. */
static bool is_indexed_by(const struct operand *operand, uint8_t reg)
{
	return operand->kind == OPERAND_NONE && operand->reg == reg;
}

bool code_leaves_alone(struct code_reader *reader, uint64_t addr, uint8_t reg)
{
	const struct insn_effect *effect = code_effect(reader, addr);
	struct insn_operands operands;

	if (!effect || effect->writes & REG_BIT(reg) || code_operands(reader, addr, &operands) ||
	    uses_register(&operands.a, reg) || uses_register(&operands.b, reg))
		return false;
	switch (effect->kind) {
	case EFFECT_COPY:
		return effect->from != reg;
	case EFFECT_STORE:
		return !is_indexed_by(&operands.a, reg) && effect->from != reg &&
		       !(effect->is_pair && effect->second == reg);
	case EFFECT_STORE_CONSTANT:
		return !is_indexed_by(&operands.a, reg);
	case EFFECT_CONSTANT:
	case EFFECT_LOAD:
		return true;
	default:
		/* Of two registers, either may be the one. */
		return operands.b.kind != OPERAND_NONE &&
		       (operands.kind == OPERANDS_ADDRESS ||
			(operands.a.kind != OPERAND_NONE &&
			 (operands.kind == OPERANDS_COMPARE || operands.kind == OPERANDS_MASK)));
	}
}

/*
 * How much of an object is passed to the next called function, by the register that has its
 * address since @step; 0: not known, or the register is used in another way.
 */
static uint64_t size_given(const struct operand_way *way, uint8_t reg, uint32_t step)
{
	for (uint32_t i = step + 1; i < way->path->steps.len; i++) {
		const struct path_step *at = &way->path->steps.data[i];

		if (at->exception)
			return 0;
		if (at->insn.kind == BRANCH_CALL || at->insn.kind == BRANCH_INDIRECT_CALL)
			return size_passed(way, &at->insn, reg);
		if (at->insn.kind == BRANCH_NONE && !code_leaves_alone(way->reader, at->addr, reg))
			return 0;
	}
	return 0;
}

/* Whether an instruction puts the address of a place on the stack into a register. */
static bool takes_address(const struct insn_effect *effect, const struct insn_operands *operands,
			  uint8_t base, struct operand *ret_to, int64_t *ret_at)
{
	*ret_to = operands->a;
	*ret_at = operands->b.value;
	if (operands->kind == OPERANDS_ADDRESS)
		return operands->b.reg == base;
	/* A store into an array: which element it is, is not known. */
	*ret_at = operands->a.value;
	if (operands->kind == OPERANDS_COPY && operands->a.kind == OPERAND_NONE &&
	    operands->a.reg == base)
		return true;
	/* "mov %rsp, %rdi" takes the address of the lowest object. */
	*ret_to = (struct operand){ .kind = OPERAND_REGISTER, .reg = effect->to };
	*ret_at = 0;
	return effect->kind == EFFECT_COPY && base == REG_STACK && effect->from == base &&
	       effect->to != REG_FRAME;
}

/*
 * Whether the address that the instruction at @step takes may be that of an object with the value
 * @away bytes after it. An array of such values may be passed as a pointer to one.
 */
static bool may_contain(const struct operand_way *way, const struct operand *to, int64_t away,
			uint8_t size, uint32_t step)
{
	uint64_t known = to->kind == OPERAND_REGISTER ? size_given(way, to->reg, step) : 0;

	return known < 2 || known == size || away < (int64_t)known;
}

/* Whether an instruction gives a register another value, whatever it had before. */
static bool replaces(struct code_reader *reader, uint64_t addr, uint8_t reg)
{
	const struct insn_effect *effect = code_effect(reader, addr);
	struct insn_operands operands;

	if (!effect || !(effect->writes & REG_BIT(reg)) || code_operands(reader, addr, &operands))
		return false;
	return code_is_current(reader, addr) || effect->kind == EFFECT_CONSTANT ||
	       (operands.kind == OPERANDS_COPY && uses_register(&operands.a, reg) && operands.a.size >= 4 &&
		(operands.b.kind == OPERAND_REGISTER || operands.b.kind == OPERAND_MEMORY) &&
		!uses_register(&operands.b, reg));
}

/*
 * Whether the address that a register has since @step only goes to memset(), called before @end: that does not keep
 * it, and the caller does not use it as the call's result.
 */
static bool is_only_filled(const struct operand_way *way, const struct operand *to, uint32_t step, uint32_t end)
{
	uint8_t reg = to->reg;
	bool is_filled = false;

	for (uint32_t i = step + 1; to->kind == OPERAND_REGISTER && i < way->path->steps.len; i++) {
		const struct path_step *at = &way->path->steps.data[i];
		const struct symbol *symbol;

		if (at->exception)
			return false;
		if (at->insn.kind == BRANCH_CALL && !is_filled) {
			symbol = called_symbol_of(way->reader, at->insn.target);
			if (i >= end || reg != operands_parameter(0) || !symbol || !is_memset(symbol))
				return false;
			is_filled = true;
			reg = usual_routine.result;
			continue;
		}
		if (at->insn.kind == BRANCH_CONDITIONAL || at->insn.kind == BRANCH_JUMP)
			continue;
		/* Another call has a result of its own, unless it is passed this one. */
		if (at->insn.kind != BRANCH_NONE)
			return is_filled && at->insn.kind == BRANCH_CALL && !operands_is_parameter(reg);
		if (is_filled && replaces(way->reader, at->addr, reg))
			return true;
		if (!code_leaves_alone(way->reader, at->addr, reg))
			return false;
	}
	return false;
}

/* Note an address that an instruction takes by the other register: *lowest is relative to that. */
static void note_taken(const struct insn_effect *effect, const struct insn_operands *operands,
		       uint8_t other, int64_t *lowest)
{
	struct operand to;
	int64_t taken;

	if (takes_address(effect, operands, other, &to, &taken) && taken < *lowest)
		*lowest = taken;
	if (effect->kind == EFFECT_COPY && effect->from == REG_FRAME && *lowest > 0)
		*lowest = 0;
}

bool stack_is_shared_but(const struct operand_way *way, const struct operand *value, uint32_t step, bool called,
			 uint32_t but)
{
	const uint8_t other = value->reg == REG_STACK ? REG_FRAME : REG_STACK;
	int64_t at = value->value, taken, lowest = INT64_MAX;
	const struct path *path = way->path;
	bool has_frame = false, is_set = false;

	for (uint32_t i = step; i-- > 0 && !is_set;) {
		const struct insn_effect *effect =
			code_effect(way->reader, path->steps.data[i].addr);
		struct insn_operands operands;
		struct operand to;

		if (!effect || code_operands(way->reader, path->steps.data[i].addr, &operands))
			return true;
		if (value->reg == REG_STACK)
			at += effect->moves_stack;
		if (i != but && takes_address(effect, &operands, value->reg, &to, &taken) && taken <= at &&
		    may_contain(way, &to, at - taken, value->size, i) &&
		    !(but != UINT32_MAX && is_only_filled(way, &to, i, but)))
			return true;
		note_taken(effect, &operands, other, &lowest);
		has_frame |= effect_sets_frame(effect);
		if (other == REG_FRAME && effect->writes & REG_BIT(REG_FRAME)) {
			/* Here the two registers' distance is known: "lea 0x48(%rsp),%rbp". */
			if (effect_sets_frame(effect) && lowest <= at - frame_distance(effect))
				return true;
			/* What was computed may have been from it, and may be any distance away. */
			if (lowest < INT64_MAX && !effect_sets_frame(effect) &&
			    effect->kind == EFFECT_OTHER)
				lowest = INT64_MIN;
			else
				lowest = INT64_MAX;
		}
		/* The frame pointer was set here. */
		is_set = effect->writes & REG_BIT(value->reg);
	}
	/* It points anywhere. */
	if (value->reg == REG_FRAME && !has_frame && (is_set || path->begin == PATH_WHOLE))
		return true;
	return (called && path->begin != PATH_WHOLE) || (lowest < INT64_MAX && has_frame);
}

bool parameter_is_shared(const struct operand_way *way, const struct operand *value, uint32_t step, int64_t offset)
{
	int64_t at = value->value, taken;

	for (uint32_t i = step; i-- > 0;) {
		const struct insn_effect *effect = code_effect(way->reader, way->path->steps.data[i].addr);
		struct insn_operands operands;
		struct operand to;

		if (!effect || code_operands(way->reader, way->path->steps.data[i].addr, &operands))
			return true;
		at += effect->moves_stack;
		/* What is below the return address ends there. */
		if (takes_address(effect, &operands, REG_STACK, &to, &taken) && at - taken <= offset)
			return true;
		if ((takes_address(effect, &operands, REG_FRAME, &to, &taken) && taken >= 0) ||
		    (effect->kind == EFFECT_COPY && effect->from == REG_FRAME))
			return true;
	}
	return false;
}

bool operand_may_be_on_stack(const struct operand_way *way, const struct operand *operand, uint32_t step)
{
	const struct operand frame = { .kind = OPERAND_REGISTER, .reg = REG_FRAME, .size = 8 };
	const struct insn_effect *effect;
	struct written written;

	if (!operand_is_on_stack(operand) || operand->reg == REG_STACK)
		return operand_is_on_stack(operand);
	written = value_written(way, &frame, step);
	if (written.by != WRITTEN_HERE)
		return true;
	effect = code_effect(way->reader, way->path->steps.data[written.step].addr);
	return !effect || effect_sets_frame(effect);
}

bool stack_is_shared(const struct operand_way *way, const struct operand *value, uint32_t step, bool called)
{
	return stack_is_shared_but(way, value, step, called, UINT32_MAX);
}

bool loaded_is_shared(const struct operand_way *way, uint32_t step)
{
	const struct insn_effect *effect;
	struct insn_operands operands;
	uint64_t addr;

	if (step == UINT32_MAX)
		return true;
	addr = way->path->steps.data[step].addr;
	effect = code_effect(way->reader, addr);
	if (!effect || effect->is_pair || code_operands(way->reader, addr, &operands))
		return true;
	/* Otherwise it was popped. */
	if (operands.kind != OPERANDS_COPY)
		operands.b =
			(struct operand){ OPERAND_MEMORY, effect->base, 8, effect->displacement };
	return stack_is_shared(way, &operands.b, step, true);
}

/* Whether an instruction may write a part of a place on the stack. */
static bool may_write(const struct insn_effect *effect, const struct operand *place)
{
	int64_t size = (effect->bytes ?: 8) * (effect->is_pair ? 2 : 1);

	return effect->on_stack && effect->base == place->reg && effect->kind != EFFECT_LOAD &&
	       place->value < effect->displacement + size &&
	       effect->displacement < place->value + place->size;
}

struct written value_written(const struct operand_way *way, const struct operand *value,
			     uint32_t step)
{
	struct written written = { .by = WRITTEN_UNKNOWN, .value = *value };
	struct operand *place = &written.value;
	bool is_register = value->kind == OPERAND_REGISTER;

	while (step-- > 0) {
		const struct path_step *at = &way->path->steps.data[step];
		const struct insn_effect *effect = code_effect(way->reader, at->addr);

		written.step = step;
		if (at->exception)
			return written;
		if (at->insn.kind == BRANCH_CALL || at->insn.kind == BRANCH_INDIRECT_CALL) {
			/* The call that tracing put there preserves everything. */
			if (at->addr < function_body(way->reader, way->function))
				continue;
			written.called = true;
			if (is_register &&
			    callee_at(way->reader, at->insn.target).writes & REG_BIT(place->reg)) {
				written.by = WRITTEN_BY_CALL;
				return written;
			}
			if (is_register)
				continue;
		}
		if (!effect)
			return written;
		if (!is_register && place->reg == REG_STACK)
			place->value += effect->moves_stack;
		if (effect->writes & REG_BIT(place->reg)) {
			written.by = is_register ? WRITTEN_HERE : WRITTEN_UNKNOWN;
			return written;
		}
		if (!is_register && may_write(effect, place)) {
			written.by = WRITTEN_HERE;
			return written;
		}
	}
	written.by = WRITTEN_BEFORE;
	return written;
}

/* Whether an instruction stores on the stack whether a condition holds. */
static bool stores_flag(const struct operand_way *way, const struct insn_effect *effect,
			uint64_t addr)
{
	const struct insn_operands any = {};

	return effect->kind == EFFECT_OTHER && effect->on_stack && !effect->writes &&
	       !effect->sets_flags && code_condition(way->reader, addr, &any) != CONDITION_UNKNOWN;
}

bool operand_loaded_from(const struct operand_way *way, const struct operand *operand, uint32_t step,
			 struct operand *ret_memory, uint32_t *ret_step)
{
	const struct written written = value_written(way, operand, step);
	struct insn_operands copy;

	if (written.by != WRITTEN_HERE ||
	    code_operands(way->reader, way->path->steps.data[written.step].addr, &copy) || copy.kind != OPERANDS_COPY ||
	    copy.a.kind != OPERAND_REGISTER || copy.a.reg != operand->reg || copy.b.kind != OPERAND_MEMORY ||
	    operand_is_on_stack(&copy.b))
		return false;
	*ret_memory = copy.b;
	*ret_step = written.step;
	return true;
}

uint32_t flag_written(const struct operand_way *way, struct operand byte, uint32_t step)
{
	while (byte.size == 1 && (byte.kind == OPERAND_REGISTER || operand_is_on_stack(&byte))) {
		const struct written written = value_written(way, &byte, step);
		const struct insn_effect *effect;
		uint64_t addr;

		if (written.by != WRITTEN_HERE)
			break;
		addr = way->path->steps.data[written.step].addr;
		effect = code_effect(way->reader, addr);
		if (byte.kind == OPERAND_MEMORY) {
			if (effect->displacement != written.value.value ||
			    !stores_flag(way, effect, addr) ||
			    stack_is_shared(way, &byte, step, written.called))
				break;
			return written.step;
		}
		if (effect->computes == COMPUTES_FLAG_BYTE)
			return written.step;
		if (effect->kind != EFFECT_COPY && effect->computes != COMPUTES_BYTE)
			break;
		byte.reg = effect->from;
		step = written.step;
	}
	return UINT32_MAX;
}
