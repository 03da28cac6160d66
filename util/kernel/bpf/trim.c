// SPDX-License-Identifier: BSD-2-Clause
/*
 * Trims BPF programs: follows constants along the ways that are possible with them, and joins the
 * instructions that are left.
 */
#include "util/kernel/bpf/trim.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/kernel/bpf/trim_internal.h"

/* The value of a register before an instruction; knowledge grows in the order of the list. */
enum value_kind {
	VALUE_NONE,		/* no way leads here, as far as is known */
	VALUE_NUMBER,
	VALUE_CONSTANTS,	/* address in the map of constants */
	VALUE_ANY,
};

struct value {
	enum value_kind kind;
	uint64_t number;	/* or offset in the map */
};

struct registers {
	struct value regs[NR_REGISTERS];
};

struct trim {
	struct bpf_insn *insns;
	size_t nr;
	const struct bpf_constants *constants;
	struct registers *before;	/* each instruction */
	bool *reached;
	uint32_t *waiting;		/* instructions to be looked at again */
	bool *waits;
	size_t nr_waiting;
	bool broken;			/* a jump out of the program */
};

static const struct value any = { .kind = VALUE_ANY };

static struct value known_number(uint64_t value)
{
	return (struct value){ VALUE_NUMBER, value };
}

/* Merge the registers of one more way to an instruction into those known there. */
static void flow_to(struct trim *trim, int64_t at, const struct registers *now)
{
	struct registers *there;
	bool changed;

	if (at < 0 || (size_t)at >= trim->nr) {
		trim->broken = true;
		return;
	}
	there = &trim->before[at];
	changed = !trim->reached[at];
	trim->reached[at] = true;
	for (int i = 0; i < NR_REGISTERS; i++) {
		struct value *old = &there->regs[i];
		const struct value *new = &now->regs[i];

		if (new->kind == VALUE_NONE || old->kind == VALUE_ANY ||
		    (old->kind == new->kind && old->number == new->number))
			continue;
		*old = old->kind == VALUE_NONE ? *new : any;
		changed = true;
	}
	if (changed && !trim->waits[at]) {
		trim->waits[at] = true;
		trim->waiting[trim->nr_waiting++] = at;
	}
}

/* A subprogram, or a callback: called with anything. */
static void flow_into_call(struct trim *trim, int64_t at)
{
	struct registers now;

	for (int i = 0; i < NR_REGISTERS; i++)
		now.regs[i] = any;
	flow_to(trim, at, &now);
}

/* The number that @insn loads from the constants, if it does. */
static bool load_constant(const struct trim *trim, const struct bpf_insn *insn,
			  const struct value *base, uint64_t *ret_number)
{
	uint64_t offset = base->number + insn->off, value = 0;
	size_t size = load_size(insn);

	if (base->kind != VALUE_CONSTANTS || BPF_MODE(insn->code) != BPF_MEM ||
	    offset > trim->constants->size || trim->constants->size - offset < size)
		return false;
	/* All CPUs that retsnoop knows are little-endian. */
	memcpy(&value, (const char *)trim->constants->data + offset, size);
	*ret_number = value;
	return true;
}

/* The result of an arithmetic instruction. */
static struct value calculate(const struct bpf_insn *insn, const struct value *to,
			      const struct value *with)
{
	bool wide = BPF_CLASS(insn->code) == BPF_ALU64;
	uint64_t a = to->number, b = with->number, result;

	if (insn->off)	/* a signed move or division */
		return any;
	if (BPF_OP(insn->code) == BPF_MOV && wide)
		return *with;
	if (BPF_OP(insn->code) == BPF_ADD && wide && to->kind == VALUE_CONSTANTS &&
	    with->kind == VALUE_NUMBER)
		return (struct value){ VALUE_CONSTANTS, a + b };
	if (with->kind != VALUE_NUMBER ||
	    (to->kind != VALUE_NUMBER && BPF_OP(insn->code) != BPF_MOV))
		return any;
	if (!wide) {
		a = (uint32_t)a;
		b = (uint32_t)b;
	}
	switch (BPF_OP(insn->code)) {
	case BPF_MOV: result = b; break;
	case BPF_ADD: result = a + b; break;
	case BPF_SUB: result = a - b; break;
	case BPF_AND: result = a & b; break;
	case BPF_OR: result = a | b; break;
	case BPF_XOR: result = a ^ b; break;
	case BPF_LSH: result = a << (b & (wide ? 63 : 31)); break;
	case BPF_RSH: result = a >> (b & (wide ? 63 : 31)); break;
	default: return any;
	}
	return known_number(wide ? result : (uint32_t)result);
}

/* The second operand of an instruction: a register, or its immediate. */
static struct value operand(const struct bpf_insn *insn, const struct registers *now)
{
	return BPF_SRC(insn->code) == BPF_X ? now->regs[insn->src_reg] : known_number((int64_t)insn->imm);
}

/* 1: the jump is taken; 0: it is not; -1: that is not known */
static int decide_jump(const struct bpf_insn *insn, const struct registers *now)
{
	const struct value *left = &now->regs[insn->dst_reg];
	struct value right = operand(insn, now);
	uint64_t a = left->number, b = right.number;
	int64_t sa, sb;

	if (left->kind != VALUE_NUMBER || right.kind != VALUE_NUMBER)
		return -1;
	if (BPF_CLASS(insn->code) == BPF_JMP32) {
		a = (uint32_t)a;
		b = (uint32_t)b;
		sa = (int32_t)a;
		sb = (int32_t)b;
	} else {
		sa = a;
		sb = b;
	}
	switch (BPF_OP(insn->code)) {
	case BPF_JEQ: return a == b;
	case BPF_JNE: return a != b;
	case BPF_JGT: return a > b;
	case BPF_JGE: return a >= b;
	case BPF_JLT: return a < b;
	case BPF_JLE: return a <= b;
	case BPF_JSET: return !!(a & b);
	case BPF_JSGT: return sa > sb;
	case BPF_JSGE: return sa >= sb;
	case BPF_JSLT: return sa < sb;
	case BPF_JSLE: return sa <= sb;
	default: return -1;
	}
}

static void follow_jump(struct trim *trim, size_t at, struct registers *now)
{
	const struct bpf_insn *insn = &trim->insns[at];
	int taken;

	if (is_exit(insn))
		return;
	if (is_call(insn)) {
		if (is_local_call(insn))
			flow_into_call(trim, jump_target(insn, at));
		for (int reg = BPF_REG_0; reg <= BPF_REG_5; reg++)
			now->regs[reg] = any;
		flow_to(trim, at + 1, now);
		return;
	}
	taken = is_always(insn) ? 1 : decide_jump(insn, now);
	if (taken)
		flow_to(trim, jump_target(insn, at), now);
	if (taken <= 0)
		flow_to(trim, at + 1, now);
}

static void follow_wide_load(struct trim *trim, size_t at, struct registers *now)
{
	const struct bpf_insn *insn = &trim->insns[at];

	now->regs[insn->dst_reg] = any;
	if (insn->src_reg == BPF_PSEUDO_MAP_VALUE && insn->imm == trim->constants->fd)
		now->regs[insn->dst_reg] =
			(struct value){ VALUE_CONSTANTS, (uint32_t)insn[1].imm };
	else if (insn->src_reg == BPF_PSEUDO_FUNC)
		flow_into_call(trim, jump_target(insn, at));
	flow_to(trim, at + 2, now);
}

static void follow_insn(struct trim *trim, size_t at)
{
	const struct bpf_insn *insn = &trim->insns[at];
	struct registers now = trim->before[at];
	struct value *to = &now.regs[insn->dst_reg], with;
	uint64_t value;
	int fetched;

	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		with = operand(insn, &now);
		*to = calculate(insn, to, &with);
		break;
	case BPF_LDX:
		*to = load_constant(trim, insn, &now.regs[insn->src_reg], &value) ? known_number(value) :
										     any;
		break;
	case BPF_STX:
		fetched = fetched_register(insn);
		if (fetched >= 0)
			now.regs[fetched] = any;
		break;
	case BPF_ST:
		break;
	case BPF_LD:
		follow_wide_load(trim, at, &now);
		return;
	default:
		follow_jump(trim, at, &now);
		return;
	}
	flow_to(trim, at + 1, &now);
}

/* Whether an operation on this number can be written with it as the immediate. */
static bool fits_immediate(const struct bpf_insn *insn, uint64_t value)
{
	bool wide = BPF_CLASS(insn->code) == BPF_ALU64 || BPF_CLASS(insn->code) == BPF_JMP;

	return !wide || value == (uint64_t)(int32_t)value;
}

/* An operation with two registers, of which the second has a number. */
static void put_operand(struct bpf_insn *insn, const struct registers *now)
{
	const struct value *with = &now->regs[insn->src_reg];

	if (BPF_SRC(insn->code) != BPF_X || with->kind != VALUE_NUMBER ||
	    !fits_immediate(insn, with->number))
		return;
	insn->code ^= BPF_X ^ BPF_K;
	insn->src_reg = 0;
	insn->imm = with->number;
}

/* Arithmetic. The kernel refuses some immediates of divisions and shifts. */
static void settle_alu(struct bpf_insn *insn, const struct registers *now)
{
	struct value with = operand(insn, now);
	struct value result = calculate(insn, &now->regs[insn->dst_reg], &with);

	if (result.kind == VALUE_NUMBER && result.number <= INT32_MAX) {
		*insn = (struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_K, insn->dst_reg, 0, 0,
					   result.number };
		return;
	}
	switch (BPF_OP(insn->code)) {
	case BPF_ADD:
	case BPF_SUB:
	case BPF_AND:
	case BPF_OR:
	case BPF_XOR:
		put_operand(insn, now);
		break;
	}
}

/* Put constants and decided jumps in, now that all ways are known. */
static void put_known(struct trim *trim)
{
	for (size_t i = 0; i < trim->nr; i++) {
		struct bpf_insn *insn = &trim->insns[i];
		const struct registers *now = &trim->before[i];
		uint64_t value;
		int taken;

		if (!trim->reached[i])
			continue;
		if (is_wide(insn)) {
			trim->reached[++i] = true;	/* its other half */
		} else if (BPF_CLASS(insn->code) == BPF_LDX) {
			if (load_constant(trim, insn, &now->regs[insn->src_reg], &value) &&
			    value <= INT32_MAX)
				*insn = (struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_K, insn->dst_reg,
							   0, 0, value };
		} else if (is_branch(insn)) {
			taken = decide_jump(insn, now);
			if (taken >= 0)
				*insn = (struct bpf_insn){ BPF_JMP | BPF_JA, 0, 0,
							   taken ? insn->off : 0, 0 };
			else
				put_operand(insn, now);
		} else if (BPF_CLASS(insn->code) == BPF_ALU ||
			   BPF_CLASS(insn->code) == BPF_ALU64) {
			settle_alu(insn, now);
		}
	}
}

static int follow_all(struct trim *trim)
{
	size_t at;

	flow_into_call(trim, 0);
	while (trim->nr_waiting) {
		at = trim->waiting[--trim->nr_waiting];
		trim->waits[at] = false;
		follow_insn(trim, at);
	}
	return trim->broken ? -EINVAL : 0;
}

/*
 * @kept	the instructions that are left
 * @places	where each instruction is now, or the next one that is left
 */
static void move_functions(struct bpf_func_info *funcs, uint32_t *nr_funcs, size_t nr,
			   const bool *kept, const uint32_t *places)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < *nr_funcs; i++) {
		size_t end = i + 1 < *nr_funcs ? funcs[i + 1].insn_off : nr;
		struct bpf_func_info func = funcs[i];
		size_t first = func.insn_off;

		while (first < end && !kept[first])
			first++;
		if (first == end)
			continue;
		func.insn_off = places[first];
		funcs[left++] = func;
	}
	*nr_funcs = left;
}

int bpf_trim(struct bpf_insn *insns, size_t *nr, const struct bpf_constants *constants,
	     struct bpf_func_info *funcs, uint32_t *nr_funcs)
{
	_cleanup_(free_p) struct registers *before = calloc(*nr, sizeof(*before));
	_cleanup_(free_p) uint32_t *waiting = calloc(*nr, sizeof(*waiting));
	_cleanup_(free_p) bool *reached = calloc(*nr, sizeof(*reached));
	_cleanup_(free_p) bool *waits = calloc(*nr, sizeof(*waits));
	_cleanup_(free_p) struct bpf_insn *copy = calloc(*nr, sizeof(*copy));
	struct trim trim = {
		.insns = copy,
		.nr = *nr,
		.constants = constants,
		.before = before,
		.reached = reached,
		.waiting = waiting,
		.waits = waits,
	};
	size_t left;
	int err;

	if (!before || !waiting || !reached || !waits || !copy)
		return -ENOMEM;
	memcpy(copy, insns, *nr * sizeof(*copy));
	err = trim_check(copy, *nr) ?: follow_all(&trim);
	if (err)
		return err;
	put_known(&trim);
	err = trim_drop_idle(copy, *nr, reached);
	if (err)
		return err;
	left = trim_pack(copy, *nr, reached, waiting);
	move_functions(funcs, nr_funcs, *nr, reached, waiting);
	memcpy(insns, copy, left * sizeof(*copy));
	*nr = left;
	return 0;
}
