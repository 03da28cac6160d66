/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's kprobes, whoever put them there: each replaces the first byte of an instruction, and what the
 * kernel jumps from to save the breakpoint replaces five bytes, of up to five instructions.
 */
#ifndef RETSNOOP_KERNEL_CODE_PROBED_CODE_H
#define RETSNOOP_KERNEL_CODE_PROBED_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/kernel/symbols/code_source.h"

struct btf;

#define MAX_REPLACED 5

/* Bytes that a kprobe replaced. */
struct replaced_code {
	uint64_t addr;
	uint8_t size;
	uint8_t bytes[MAX_REPLACED];
};

struct probed_code {
	VEC(struct replaced_code) v; /* by address */
	uint32_t opcode_size; /* of what is put in place of an instruction: 1 or 4 */
};

/**
 * Read the kprobes that are in the code now: struct kprobe and struct optimized_kprobe of
 * include/linux/kprobes.h, and the hash table of kernel/kprobes.c (5.10 to 7.2). Those on ftrace's calls replace
 * no code.
 *
 * @types	the kernel's BTF
 * @table	address of kprobe_table
 * @return	0; -ENOENT the kernel has none, or BTF lacks the structs; -EBADMSG, -EFAULT they make no sense;
 *		-ENOMEM. Nothing is reported; @ret_probed is empty after an error
 */
int probed_code_read(const struct btf *types, const struct code_source *memory, uint64_t table,
		     struct probed_code *ret_probed);
void probed_code_release(struct probed_code *probed);

/*
 * Put the replaced bytes back into a copy of the @size bytes of code at @addr, where something is in their place: a
 * probe may be gone since, and another module's code at its address.
 */
void probed_code_restore(const struct probed_code *probed, uint64_t addr, void *code, size_t size);

#endif
