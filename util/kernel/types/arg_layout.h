/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a function's arguments are when it is entered, by its prototype in BTF and the machine's
 * calling convention. The kernel is built without floating point; what BTF has of it is in
 * registers that are not looked at.
 *
 * x86-64 (System V), registers di, si, dx, cx, r8, r9:
 *	- An integer, enum, bool or pointer takes the next register; __int128 the next two.
 *	- A struct or union of up to 16 bytes takes one or two, all of it or none; one whose members
 *	  are not aligned (__packed) takes none, nor does a larger one.
 *	- What finds no register is on the stack, in 8-byte slots, aligned to 16 if its type is.
 *	  Smaller arguments behind it may still take the registers that are left.
 *	- A function that returns a struct in memory (as above) has in di where that goes.
 *
 * arm64 (AAPCS64), registers x0 to x7:
 *	- An integer, enum, bool or pointer takes the next register; what is aligned to 16 begins at
 *	  an even one and takes two.
 *	- A struct or union of up to 16 bytes takes one or two.
 *	- A larger one is somewhere in memory, and the argument is its address.
 *	- Once something finds too few registers, it and all behind it is on the stack, in 8-byte
 *	  slots, aligned to 16 if its type is.
 *
 * riscv, registers a0 to a7: as on arm64, but
 *	- What is aligned to 16 begins at any register.
 *	- What finds one register where it needs two is half in it and half on the stack; it is not looked at.
 *
 * A BPF trampoline hands arguments out in 8-byte slots of its own, in order, wherever they were:
 * one each, two for what is larger than 8 bytes. It takes no function with one larger than 16.
 */
#ifndef RETSNOOP_KERNEL_TYPES_ARG_LAYOUT_H
#define RETSNOOP_KERNEL_TYPES_ARG_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct arch;
struct btf;

enum arg_where {
	ARG_NOWHERE,		/* nothing is known of where it is, or there is nothing of it */
	ARG_IN_REGISTERS,	/* `index` and the ones behind it */
	ARG_ON_STACK,		/* the index-th 8-byte slot, above the return address if any */
};

struct arg_place {
	enum arg_where where;
	bool indirect;		/* what is there is its address */
	uint8_t index;
	uint8_t context_slot;	/* in a trampoline's context */
	uint32_t size;		/* bytes of the argument, not of its address */
	uint32_t type;		/* as it was declared */
};

/* More parameters than that are counted and not placed. */
#define ARG_LAYOUT_MAX 32

struct arg_layout {
	uint32_t nr;		/* parameters, without the "..." */
	bool variadic;
	/* Where what "..." stands for begins: registers from this one on, then the stack. */
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
