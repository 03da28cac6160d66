/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions that do not behave as others do, by name: those that never return, and routines in
 * assembly that do not follow the calling convention. The latter are those of one CPU,
 * arch/CPU/routines.c.
 */
#ifndef RETSNOOP_KERNEL_CODE_ROUTINE_H
#define RETSNOOP_KERNEL_CODE_ROUTINE_H

#include <stdbool.h>

#include "util/kernel/code/instruction_effect.h"

enum thunk_kind {
	NO_THUNK,
	RETURN_THUNK, /* functions jump there to return */
	CALL_THUNK, /* indirect calls and jumps go through it, and static calls */
};

/*
 * Thunks stand between a function and where it goes. Only vmlinux has any.
 *
 * @module	of the symbol; NULL: of vmlinux
 */
enum thunk_kind thunk_kind(const char *symbol, const char *module);

/* The register that a thunk for calls jumps to; -1: it is none, or there are several. */
int thunk_register(const char *symbol);

/* What a call of a function does to the caller's registers. */
struct routine {
	reg_set writes; /* registers that may be different afterwards; 0: not even the result's is */
	uint8_t result; /* the register with what it returns */
};

/* What a function does that follows the calling convention. */
extern const struct routine usual_routine;

/* A routine that inline assembly calls; NULL: a function like any other. */
const struct routine *asm_routine_by_name(const char *symbol);

/* What only some CPUs have, as the functions above say; NULL: this one has none. */
struct routine_rules {
	enum thunk_kind (*thunk_kind)(const char *symbol, const char *module);
	int (*thunk_register)(const char *symbol);
	const struct routine *(*asm_routine)(const char *symbol);
};

extern const struct routine_rules routine_rules;

/* Functions that never return: trampolines, which wait for the return, don't take them. */
bool is_noreturn(const char *symbol);

/*
 * Whether a symbol is what compilers put in front of a function: room for patches ("__pfx_F"), or
 * the check of an indirect call's type ("__cfi_F"), which calls may go through.
 */
bool is_function_preamble(const char *symbol);

#endif
