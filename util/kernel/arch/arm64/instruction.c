// SPDX-License-Identifier: BSD-2-Clause
/* The effects of arm64 instructions, and the targets of branches. */
#include "util/kernel/code/instruction.h"

#include <errno.h>

#include "util/kernel/arch/arm64/decode.h"

static bool is_of_stack(uint8_t reg)
{
	return reg == REG_STACK || reg == REG_FRAME;
}

/* The lower 32 bits, from which a result is computed. */
static void fill_computed(const struct arm64_insn *insn, enum computes computes,
			  struct insn_effect *effect)
{
	if (insn->d >= NR_REGISTERS || insn->n >= NR_REGISTERS || is_of_stack(insn->d) ||
	    is_of_stack(insn->n))
		return;
	effect->computes = computes;
	effect->to = insn->d;
	effect->from = insn->n;
	effect->value = insn->value;
}

static void fill_add(const struct arm64_insn *insn, struct insn_effect *effect)
{
	if (insn->d == ARM64_SP && insn->n == ARM64_SP) {
		effect->moves_stack = insn->value;
		effect->writes = 0;
	} else if (insn->d == ARM64_SP && insn->n == ARM64_X29) {
		effect->kind = EFFECT_UNWIND;
		effect->displacement = insn->value;
	} else if (insn->d != ARM64_SP && !insn->value) { /* mov x29, sp */
		effect->kind = EFFECT_COPY;
		effect->to = insn->d;
		effect->from = insn->n;
	} else {
		fill_computed(insn, COMPUTES_SUM, effect);
		if (insn->d == ARM64_X29 && insn->n == ARM64_SP) {
			effect->computes = COMPUTES_SUM;
			effect->to = insn->d;
			effect->from = insn->n;
			effect->value = insn->value;
		}
	}
}

static void fill_select(const struct arm64_insn *insn, struct insn_effect *effect)
{
	if (insn->d == ARM64_ZERO)
		return;
	effect->kind = EFFECT_SELECT;
	effect->to = insn->d;
	effect->from_is_zero = insn->n == ARM64_ZERO;
	effect->from = effect->from_is_zero ? 0 : insn->n;
	effect->other_is_zero = insn->m == ARM64_ZERO;
	effect->other = effect->other_is_zero ? 0 : insn->m;
	effect->computes = insn->computes;
	effect->value = insn->value;
}

/* Where it is on the stack, if it is there. */
static void fill_memory(const struct arm64_insn *insn, struct insn_effect *effect)
{
	effect->bytes = insn->memory_size;
	if (insn->n == ARM64_SP) {
		effect->moves_stack = insn->moves;
		effect->writes &= ~REG_BIT(ARM64_SP);
	}
	if (!is_of_stack(insn->n) || insn->is_indexed)
		return;
	effect->on_stack = true;
	effect->base = insn->n;
	effect->displacement = insn->value;
}

/* Whether an instruction moves a value in a register and does nothing else. */
static bool is_whole(const struct arm64_insn *insn)
{
	return insn->size && insn->memory_size >= 4 && (!insn->moves || insn->n == ARM64_SP);
}

static void fill_load(const struct arm64_insn *insn, struct insn_effect *effect)
{
	fill_memory(insn, effect);
	if (!is_whole(insn) || insn->d == ARM64_ZERO || (insn->is_pair && insn->m == ARM64_ZERO)) {
		effect->on_stack = false;
		return;
	}
	effect->kind = EFFECT_LOAD;
	effect->to = insn->d;
	effect->is_pair = insn->is_pair;
	effect->second = insn->is_pair ? insn->m : 0;
}

static void fill_store(const struct arm64_insn *insn, struct insn_effect *effect)
{
	bool zero = insn->d == ARM64_ZERO, zeros = zero && insn->m == ARM64_ZERO;

	fill_memory(insn, effect);
	if (is_whole(insn) && (insn->is_pair ? zeros : zero)) {
		effect->kind = EFFECT_STORE_CONSTANT;
		effect->is_pair = insn->is_pair;
	} else if (is_whole(insn) && !zero && !(insn->is_pair && insn->m == ARM64_ZERO)) {
		effect->kind = EFFECT_STORE;
		effect->from = insn->d;
		effect->is_pair = insn->is_pair;
		effect->second = insn->is_pair ? insn->m : 0;
	} else if (insn->is_pair) {
		effect->bytes *= 2;
	}
}

static void fill_effect(const struct arm64_insn *insn, struct insn_effect *effect)
{
	effect->writes = insn->writes;
	effect->sets_flags = insn->sets_flags;
	switch (insn->family) {
	case ARM64_OTHER:
		break;
	case ARM64_CONSTANT:
		if (insn->d == ARM64_ZERO)
			break;
		effect->kind = EFFECT_CONSTANT;
		effect->to = insn->d;
		effect->value = insn->value;
		effect->is_half = insn->size == 4;
		break;
	case ARM64_COMPUTE:
		fill_computed(insn, insn->computes, effect);
		break;
	case ARM64_MOVE:
		if (insn->from_size == 1 && !insn->extends_sign)
			fill_computed(insn, COMPUTES_BYTE, effect);
		if (insn->from_size < 4 || insn->d == ARM64_ZERO || insn->n == ARM64_ZERO)
			break;
		effect->kind = EFFECT_COPY;
		effect->to = insn->d;
		effect->from = insn->n;
		break;
	case ARM64_ADD:
		fill_add(insn, effect);
		break;
	case ARM64_COMPARE:
	case ARM64_MASK:
		effect->tests = arm64_bit(insn->n) | (insn->has_value ? 0 : arm64_bit(insn->m));
		break;
	case ARM64_SELECT:
		fill_select(insn, effect);
		break;
	case ARM64_LOAD:
		fill_load(insn, effect);
		break;
	case ARM64_STORE:
		fill_store(insn, effect);
		break;
	case ARM64_TEST:
	case ARM64_TEST_BIT:
		effect->tests = arm64_bit(insn->n);
		break;
	}
	/* A result that lands there would be the stack's end. */
	if (effect->writes & REG_BIT(ARM64_SP) && effect->kind != EFFECT_UNWIND) {
		effect->kind = EFFECT_OTHER;
		effect->on_stack = false;
	}
}

int insn_decode(const uint8_t *code, size_t size, uint64_t at, struct insn *ret_insn)
{
	uint32_t group = arm64_bits(arm64_word(code, size), 28, 25);
	struct arm64_insn insn;

	/* Nothing is there. */
	if (size < ARM64_INSN_SIZE || group == 1 || group == 3)
		return -EINVAL;
	arm64_decode(arm64_word(code, size), at, &insn);
	*ret_insn = (struct insn){
		.branch = { insn.branch, ARM64_INSN_SIZE, insn.target },
		.is_known = insn.is_known && insn.branch != BRANCH_SYSTEM,
	};
	if (!ret_insn->is_known)
		return 0;
	fill_effect(&insn, &ret_insn->effect);
	/* The callee may change the flags; its other effects are not the call's. */
	if (insn.branch == BRANCH_CALL || insn.branch == BRANCH_INDIRECT_CALL)
		ret_insn->effect.sets_flags = true;
	return 0;
}
