/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * BPF programs written down as instructions: small ones that ask the kernel something. A compiled
 * object would take longer to load than the rest of the question.
 */
#ifndef RETSNOOP_KERNEL_BPF_INSNS_H
#define RETSNOOP_KERNEL_BPF_INSNS_H

#include <linux/bpf.h>
#include <stdint.h>
#include <stdlib.h>

/* @size: BPF_B, BPF_H, BPF_W, BPF_DW */
#define INSN_LOAD(size, to, base, offset) \
	((struct bpf_insn){ BPF_LDX | BPF_MEM | (size), to, base, offset, 0 })
#define INSN_STORE(size, base, offset, from) \
	((struct bpf_insn){ BPF_STX | BPF_MEM | (size), base, from, offset, 0 })
#define INSN_STORE_NUMBER(size, base, offset, number) \
	((struct bpf_insn){ BPF_ST | BPF_MEM | (size), base, 0, offset, number })
#define INSN_MOVE(to, from) ((struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0 })
#define INSN_SET(to, number) ((struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, number })
/* @op: BPF_ADD and the like, with a number; with a register */
#define INSN_ALU(op, to, number) ((struct bpf_insn){ BPF_ALU64 | (op) | BPF_K, to, 0, 0, number })
#define INSN_ALU_REG(op, to, from) ((struct bpf_insn){ BPF_ALU64 | (op) | BPF_X, to, from, 0, 0 })
#define INSN_CALL(helper) ((struct bpf_insn){ BPF_JMP | BPF_CALL, 0, 0, 0, helper })
#define INSN_CALL_KFUNC(id) \
	((struct bpf_insn){ BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, id })
/* @op: BPF_JEQ and the like; @over: how many instructions to pass over */
#define INSN_JUMP_IF(op, reg, number, over) \
	((struct bpf_insn){ BPF_JMP | (op) | BPF_K, reg, 0, over, number })
#define INSN_JUMP_IF_REG(op, reg, other, over) \
	((struct bpf_insn){ BPF_JMP | (op) | BPF_X, reg, other, over, 0 })
#define INSN_EXIT ((struct bpf_insn){ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 })

/* 64 bits take two. @kind: 0 a number, or BPF_PSEUDO_x */
#define INSN_WIDE(to, kind, value) \
	((struct bpf_insn){ BPF_LD | BPF_IMM | BPF_DW, to, kind, 0, (int32_t)(value) }), \
	((struct bpf_insn){ 0, 0, 0, 0, (int32_t)((uint64_t)(value) >> 32) })

#define BPF_CODE_MAX 128

/* A program whose instructions depend on the kernel. All zeros to begin with. */
struct bpf_code {
	struct bpf_insn insns[BPF_CODE_MAX];
	int nr;
};

static inline void bpf_code_add(struct bpf_code *code, const struct bpf_insn *insns, int nr)
{
	if (nr > BPF_CODE_MAX - code->nr)
		abort();
	for (int i = 0; i < nr; i++)
		code->insns[code->nr++] = insns[i];
}

/* Append instructions, separated by commas. */
#define bpf_code_put(code, ...)                                                     \
	do {                                                                        \
		const struct bpf_insn insns_[] = { __VA_ARGS__ };                   \
									            \
		bpf_code_add(code, insns_, sizeof(insns_) / sizeof(insns_[0]));     \
	} while (0)

#endif
