/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code of kernel functions, instruction by instruction: read once, and known to be of one
 * function wherever its parts are.
 */
#ifndef RETSNOOP_TRACE_EXPLAIN_FUNCTION_CODE_H
#define RETSNOOP_TRACE_EXPLAIN_FUNCTION_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/kernel/code/code_source.h"
#include "util/kernel/code/instruction.h"
#include "util/kernel/code/instruction_effect.h"

struct symbol;
struct symbolizer;

struct code_area {
	uint64_t addr;
	uint32_t size; /* bytes that could be read */
	uint8_t *bytes;
};

/* What is known of a function that is called. */
enum callee_kind {
	CALLEE_USUAL,
	CALLEE_ROUTINE, /* one of assembly, see asm_routine.h */
	CALLEE_TRANSPARENT, /* keeps all registers, the result's, too */
	CALLEE_NO_RETURN,
	CALLEE_RETURN_THUNK, /* a jump there is the return */
};

struct callee {
	uint64_t addr;
	enum callee_kind kind;
	uint16_t writes; /* registers that may be something else afterwards */
	uint8_t result; /* the register with what it returns */
};

struct code_reader {
	struct symbolizer *symbolizer;
	const struct code_source *source; /* NULL: no code can be read */
	VEC(struct code_area) areas;
	VEC(struct callee) callees;
};

/* A function: what its symbol bounds, and what the compiler moved out of the way. */
struct code_function {
	uint64_t addr;
	uint64_t size; /* 0: not known */
	const char *name;
};

void code_reader_init(struct code_reader *reader, struct symbolizer *symbolizer,
		      const struct code_source *source);
/* Forget what was read: code is patched now and then. What symbols tell is kept. */
void code_reader_forget(struct code_reader *reader);
void code_reader_release(struct code_reader *reader);

/* The symbol that contains an address, or NULL. */
const struct symbol *symbol_of(const struct code_reader *reader, uint64_t addr);

/*
 * The same, but the function's for what stands in front of it: calls whose type is checked go there
 * (FineIBT, kCFI).
 */
const struct symbol *called_symbol_of(const struct code_reader *reader, uint64_t addr);

/* Whether an address is in what stands in front of a function, and leads into it. */
bool is_preamble_of(const struct code_reader *reader, const struct code_function *function,
		    uint64_t addr);

bool function_contains(const struct code_reader *reader, const struct code_function *function,
		       uint64_t addr);

/*
 * Where a function's own code begins at the latest: behind endbr64, or what the kernel puts in its
 * place where no indirect call may go, and what tracing has put there.
 * Whoever comes there from elsewhere has just called it.
 */
uint64_t function_body(struct code_reader *reader, const struct code_function *function);

/* Reads a whole function with the first instruction. 0; -errno it cannot be read or decoded. */
int code_branch(struct code_reader *reader, uint64_t addr, struct branch_insn *ret_insn);
int code_effect(struct code_reader *reader, uint64_t addr, struct insn_effect *ret_effect);

/* What is at an address that is called or jumped to. */
struct callee callee_at(struct code_reader *reader, uint64_t addr);

/* What comes of an instruction that raises an exception on purpose. */
enum trap {
	TRAP_NONE, /* it is none: int3, iret and the like */
	TRAP_ENDS, /* BUG(), a violation that a check has found: it does not come back */
	TRAP_GOES_ON, /* WARN(): it comes back to what follows */
	TRAP_UNCLEAR, /* one or the other */
};

/* Of the instruction at @addr, of BRANCH_SYSTEM. */
enum trap code_trap(struct code_reader *reader, const struct code_function *function, uint64_t addr);

#endif
