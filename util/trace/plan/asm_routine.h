/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Routines of the kernel that are written in assembly and keep to no calling convention: thunks,
 * which stand between a function and where it goes, and what inline assembly calls.
 */
#ifndef RETSNOOP_TRACE_PLAN_ASM_ROUTINE_H
#define RETSNOOP_TRACE_PLAN_ASM_ROUTINE_H

#include <stdbool.h>
#include <stdint.h>

enum thunk_kind {
	NO_THUNK,
	RETURN_THUNK, /* functions jump there to return */
	CALL_THUNK, /* indirect calls and jumps go through it, and static calls */
};

/* @symbol	of vmlinux: modules have no thunks of their own */
enum thunk_kind thunk_kind_by_name(const char *symbol);

/* What a routine does that inline assembly calls. */
struct asm_routine {
	uint16_t writes; /* registers, a bit each, that it changes: all others stay */
	uint8_t result; /* the register with what it returns */
};

/* NULL: a function like any. */
const struct asm_routine *asm_routine_by_name(const char *symbol);

/*
 * Whether a symbol is what compilers put in front of a function: room for patches ("__pfx_F"), or
 * the check of an indirect call's type ("__cfi_F"), which calls may go through.
 */
bool is_function_preamble(const char *symbol);

#endif
