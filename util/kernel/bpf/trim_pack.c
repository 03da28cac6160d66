// SPDX-License-Identifier: BSD-2-Clause
/* Trims BPF programs: removes instructions without effect, and moves the others together. */
#include <errno.h>
#include <stdlib.h>

#include "util/base/cleanup.h"
#include "util/kernel/bpf/trim_internal.h"

#define CALLER_SAVED 0x3f	/* r0 to r5: a call overwrites them */
#define CALL_ARGS 0x3e		/* r1 to r5 */

int trim_check(const struct bpf_insn *insns, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct bpf_insn *insn = &insns[i];

		if (insn->dst_reg >= NR_REGISTERS || insn->src_reg >= NR_REGISTERS)
			return -EINVAL;
		if (BPF_CLASS(insn->code) != BPF_LD)
			continue;
		/* Loads from packets, of classic BPF. */
		if (!is_wide(insn) || i + 1 == nr)
			return -EINVAL;
		i++;
	}
	return nr ? 0 : -EINVAL;
}

static uint16_t register_bit(int reg)
{
	return 1 << reg;
}

/* Registers that are read, as bits. */
static uint16_t registers_read(const struct bpf_insn *insn)
{
	uint16_t to = register_bit(insn->dst_reg), from = register_bit(insn->src_reg);

	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		if (BPF_OP(insn->code) == BPF_END || BPF_OP(insn->code) == BPF_NEG)
			return to;
		if (BPF_SRC(insn->code) == BPF_K)
			from = 0;
		return BPF_OP(insn->code) == BPF_MOV ? from : from | to;
	case BPF_LDX:
		return from;
	case BPF_ST:
		return to;
	case BPF_STX:
		return to | from | (fetched_register(insn) == BPF_REG_0 ? register_bit(BPF_REG_0) : 0);
	case BPF_LD:
		return 0;
	default:
		if (is_exit(insn))
			return register_bit(BPF_REG_0);
		if (is_call(insn))
			return CALL_ARGS;
		if (is_always(insn))
			return 0;
		return BPF_SRC(insn->code) == BPF_X ? to | from : to;
	}
}

static uint16_t registers_written(const struct bpf_insn *insn)
{
	int fetched = fetched_register(insn);

	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
	case BPF_LDX:
	case BPF_LD:
		return register_bit(insn->dst_reg);
	case BPF_STX:
		return fetched >= 0 ? register_bit(fetched) : 0;
	default:
		return is_call(insn) ? CALLER_SAVED : 0;
	}
}

/* Whether the instruction only writes its register. */
static bool is_pure(const struct bpf_insn *insn)
{
	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
	case BPF_LDX:
		return true;
	case BPF_LD:
		/* Numbers may have been put there to be patched. */
		return insn->src_reg && insn->src_reg != BPF_PSEUDO_FUNC;
	default:
		return false;
	}
}

/* Registers that are read after @i before they are written. */
static uint16_t live_after(const struct bpf_insn *insns, size_t nr, size_t i, const uint16_t *live)
{
	const struct bpf_insn *insn = &insns[i];
	size_t next = i + 1 + is_wide(insn);
	uint16_t after = 0;

	if (is_exit(insn))
		return 0;
	if (is_always(insn) || is_branch(insn))
		after = live[jump_target(insn, i)];
	if (!is_always(insn) && next < nr)
		after |= live[next];
	return after;
}

int trim_drop_idle(const struct bpf_insn *insns, size_t nr, bool *kept)
{
	_cleanup_(free_p) uint16_t *live = calloc(nr, sizeof(*live));	/* before each */
	bool changed = true;

	if (!live)
		return -ENOMEM;
	/*
	 * An instruction's operands are needed only if its result is read, or if it has another
	 * effect.
	 */
	while (changed) {
		changed = false;
		for (size_t i = nr; i-- > 0;) {
			const struct bpf_insn *insn = &insns[i];
			uint16_t after, before;

			if (!kept[i] || is_second_half(insn))
				continue;
			after = live_after(insns, nr, i, live);
			before = after & ~registers_written(insn);
			if (!is_pure(insn) || (after & registers_written(insn)))
				before |= registers_read(insn);
			if (before != live[i]) {
				live[i] = before;
				changed = true;
			}
		}
	}
	for (size_t i = 0; i < nr; i++) {
		const struct bpf_insn *insn = &insns[i];
		bool wide = is_wide(insn);

		if (kept[i] && is_pure(insn) &&
		    !(live_after(insns, nr, i, live) & registers_written(insn))) {
			kept[i] = false;
			if (wide)
				kept[i + 1] = false;
		}
		i += wide;
	}
	return 0;
}

/*
 * Remove a jump to the next instruction. Backwards, since a jump may lead over other jumps that are
 * removed.
 */
static void drop_empty_jumps(const struct bpf_insn *insns, size_t nr, bool *kept)
{
	size_t next = nr;	/* the next instruction that is kept */

	for (size_t i = nr; i-- > 0;) {
		int64_t target = is_always(&insns[i]) ? jump_target(&insns[i], i) : -1;

		if (target > (int64_t)i && target <= (int64_t)next)
			kept[i] = false;
		if (kept[i])
			next = i;
	}
}

size_t trim_pack(struct bpf_insn *insns, size_t nr, bool *kept, uint32_t *new_places)
{
	size_t left = 0;

	drop_empty_jumps(insns, nr, kept);
	for (size_t i = 0; i < nr; i++) {
		new_places[i] = left;
		left += kept[i];
	}
	for (size_t i = 0; i < nr; i++) {
		struct bpf_insn insn = insns[i];

		if (!kept[i])
			continue;
		if (has_target(&insn)) {
			int64_t over = (int64_t)new_places[jump_target(&insn, i)] - new_places[i] - 1;

			if (is_far(&insn))
				insn.imm = over;
			else
				insn.off = over;
		}
		insns[new_places[i]] = insn;
	}
	return left;
}
