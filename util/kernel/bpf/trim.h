/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Removes code from a BPF program that its configuration switches off: loads from a frozen map
 * become constants, and code that cannot be reached with them, or whose results are not used, is
 * removed.
 *
 * The kernel's verifier removes unreachable code, too, but at each load of a program, and only at
 * the end; and it keeps the loads.
 */
#ifndef RETSNOOP_KERNEL_BPF_TRIM_H
#define RETSNOOP_KERNEL_BPF_TRIM_H

#include <linux/bpf.h>
#include <stddef.h>
#include <stdint.h>

/* A map with one value that does not change any more, as libbpf creates for .rodata. */
struct bpf_constants {
	int fd;			/* the map's descriptor in the program's instructions */
	const void *data;
	size_t size;
};

/**
 * Trim a program, its subprograms included, in place. Its effect stays the same for any 64-bit
 * immediates: these may be patched later.
 *
 * @insns	relocated, as for bpf_prog_load()
 * @nr		in and out: number of instructions
 * @funcs	in and out: where the functions begin, by place; those that are not called go
 * @nr_funcs	in and out; may be 0
 * @return	0; -ENOMEM, -EINVAL an unknown instruction (then nothing has changed)
 */
int bpf_trim(struct bpf_insn *insns, size_t *nr, const struct bpf_constants *constants,
	     struct bpf_func_info *funcs, uint32_t *nr_funcs);

#endif
