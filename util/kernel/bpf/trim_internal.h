/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the parts of trimming: properties of BPF instructions. For trim*.c only. */
#ifndef RETSNOOP_KERNEL_BPF_TRIM_INTERNAL_H
#define RETSNOOP_KERNEL_BPF_TRIM_INTERNAL_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NR_REGISTERS 11

/* A 64-bit immediate, which takes the room of two instructions. */
static inline bool is_wide(const struct bpf_insn *insn)
{
	return insn->code == (BPF_LD | BPF_IMM | BPF_DW);
}

static inline bool is_second_half(const struct bpf_insn *insn)
{
	return !insn->code;
}

static inline bool is_jump_class(const struct bpf_insn *insn)
{
	return BPF_CLASS(insn->code) == BPF_JMP || BPF_CLASS(insn->code) == BPF_JMP32;
}

static inline bool is_exit(const struct bpf_insn *insn)
{
	return is_jump_class(insn) && BPF_OP(insn->code) == BPF_EXIT;
}

static inline bool is_call(const struct bpf_insn *insn)
{
	return is_jump_class(insn) && BPF_OP(insn->code) == BPF_CALL;
}

/* A call of a subprogram. */
static inline bool is_local_call(const struct bpf_insn *insn)
{
	return is_call(insn) && insn->src_reg == BPF_PSEUDO_CALL;
}

/* An unconditional jump: "goto", and "gotol", whose distance is the immediate. */
static inline bool is_always(const struct bpf_insn *insn)
{
	return is_jump_class(insn) && BPF_OP(insn->code) == BPF_JA;
}

/* A conditional jump. */
static inline bool is_branch(const struct bpf_insn *insn)
{
	return is_jump_class(insn) && !is_exit(insn) && !is_call(insn) && !is_always(insn);
}

/* Whether the distance is in the immediate. */
static inline bool is_far(const struct bpf_insn *insn)
{
	return is_wide(insn) || is_call(insn) || insn->code == (BPF_JMP32 | BPF_JA);
}

/* The target of a jump, of a call of a subprogram, or of the address of a subprogram. */
static inline int64_t jump_target(const struct bpf_insn *insn, size_t at)
{
	return (int64_t)at + 1 + (is_far(insn) ? insn->imm : insn->off);
}

/* Whether jump_target() applies to the instruction. */
static inline bool has_target(const struct bpf_insn *insn)
{
	if (is_wide(insn))
		return insn->src_reg == BPF_PSEUDO_FUNC;
	return is_local_call(insn) || is_always(insn) || is_branch(insn);
}

static inline size_t load_size(const struct bpf_insn *insn)
{
	switch (BPF_SIZE(insn->code)) {
	case BPF_B: return 1;
	case BPF_H: return 2;
	case BPF_W: return 4;
	default: return 8;
	}
}

/* The register that gets memory's old value from an atomic operation; -1: none. */
static inline int fetched_register(const struct bpf_insn *insn)
{
	if (BPF_CLASS(insn->code) != BPF_STX || BPF_MODE(insn->code) != BPF_ATOMIC)
		return -1;
	if (insn->imm == BPF_CMPXCHG)
		return BPF_REG_0;
	return insn->imm & BPF_FETCH ? insn->src_reg : -1;
}

/* Check that all instructions are known. 0 or -EINVAL. */
int trim_check(const struct bpf_insn *insns, size_t nr);

/*
 * Unmark instructions in @kept that only write registers which are not read afterwards. 0 or
 * -ENOMEM.
 */
int trim_drop_idle(const struct bpf_insn *insns, size_t nr, bool *kept);

/**
 * Move the kept instructions together, and correct distances.
 *
 * @new_places	room for a number for each instruction
 * @return	number of instructions left
 */
size_t trim_pack(struct bpf_insn *insns, size_t nr, bool *kept, uint32_t *new_places);

#endif
