/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The places of a function's arguments at its entry, by its prototype in BTF and the machine's
 * calling convention. The kernel is built without floating point; if BTF has such an argument,
 * its registers are ignored.
 *
 * The conventions are in the architectures' tables (util/kernel/arch/CPU/tables.c). An argument that is half in a
 * register and half on the stack is ignored.
 *
 * A BPF trampoline copies arguments to 8-byte slots of its own, in order, wherever they were: one
 * slot each, two for arguments over 8 bytes. It refuses functions with an argument over 16 bytes.
 */
#ifndef RETSNOOP_KERNEL_TYPES_ARG_LAYOUT_H
#define RETSNOOP_KERNEL_TYPES_ARG_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct arch;
struct btf;

enum arg_where {
	ARG_NOWHERE,		/* its place is not known, or it has no bytes */
	ARG_IN_REGISTERS,	/* register `index` and those after it */
	ARG_ON_STACK,		/* the index-th 8-byte slot, above the return address if any */
};

struct arg_place {
	enum arg_where where;
	bool indirect;		/* the place has its address */
	uint8_t index;
	uint8_t context_slot;	/* in a trampoline's context */
	uint32_t size;		/* bytes of the argument, not of its address */
	uint32_t type;		/* as declared */
};

/* More parameters are counted, but not placed. */
#define ARG_LAYOUT_MAX 32

struct arg_layout {
	uint32_t nr;		/* parameters, without the "..." */
	bool variadic;
	/*
	 * Where the arguments in place of "..." begin: in registers from this one on, then on the
	 * stack.
	 */
	bool more_known;
	uint8_t more_register, more_slot;
	struct arg_place places[ARG_LAYOUT_MAX];
};

/**
 * @id		of a FUNC or FUNC_PROTO
 * @return	0; -EINVAL it is neither
 */
int arg_layout(const struct btf *btf, uint32_t id, const struct arch *arch,
	       struct arg_layout *ret_layout);

#endif
