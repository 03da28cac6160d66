/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Special functions, by name: functions that never return, and routines in assembly that do not
 * follow the calling convention. Each CPU has its own routines, arch/CPU/routines.c.
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
 * Thunks are short pieces of code between a function and its target. Only vmlinux has any.
 *
 * @module	of the symbol; NULL: vmlinux
 */
enum thunk_kind thunk_kind(const char *symbol, const char *module);

/* The register that a thunk for calls jumps to; -1: no such thunk, or several registers. */
int thunk_register(const char *symbol);

/* The effect of a function's call on the caller's registers. */
struct routine {
	reg_set writes; /* registers that may change; 0: none, not even the result's */
	uint8_t result; /* the register with the result */
	bool reads; /* what is in the program's memory, at the address in `address`, into `value` */
	uint8_t value, address;
};

/* A function that follows the calling convention. */
extern const struct routine usual_routine;

/* A routine that inline assembly calls; NULL: a function like any other. */
const struct routine *asm_routine_by_name(const char *symbol);

/* Features of some CPUs, for the functions above; NULL: this CPU does not have it. */
struct routine_rules {
	enum thunk_kind (*thunk_kind)(const char *symbol, const char *module);
	int (*thunk_register)(const char *symbol);
	const struct routine *(*asm_routine)(const char *symbol);
};

extern const struct routine_rules routine_rules;

/* Whether a function never returns: trampolines, which wait for the return, cannot attach to it. */
bool is_noreturn(const char *symbol);

/*
 * Whether a symbol is code that compilers put before a function: room for patches ("__pfx_F"), or
 * the type check of indirect calls ("__cfi_F"), which calls may go through.
 */
bool is_function_preamble(const char *symbol);

#endif
