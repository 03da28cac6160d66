/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code of kernel functions, instruction by instruction: read once, and assigned to its function
 * wherever its parts are.
 */
#ifndef RETSNOOP_EXPLAIN_FUNCTION_FUNCTION_CODE_H
#define RETSNOOP_EXPLAIN_FUNCTION_FUNCTION_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/kernel/code/instruction.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/code/operands.h"
#include "util/kernel/symbols/code_source.h"

struct data_symbols;
struct symbol;
struct symbolizer;

struct code_area {
	uint64_t addr;
	uint32_t size; /* bytes that could be read */
	uint8_t *bytes;
	bool is_stale; /* read it again: code is patched now and then */
	/*
	 * Instructions that were decoded; those of length 0 are none. They are in blocks, so that pointers to
	 * them stay valid while others are decoded.
	 */
	VEC(struct insn *) blocks;
	uint32_t nr_insns;
	uint32_t *insn_at; /* of each byte: 0 not decoded yet, else the number of its instruction + 1 */
};

/* What a called function is. */
enum callee_kind {
	CALLEE_USUAL,
	CALLEE_ROUTINE, /* one of assembly, see routine.h */
	CALLEE_TRANSPARENT, /* keeps all registers, the result's, too */
	CALLEE_NO_RETURN,
	CALLEE_RETURN_THUNK, /* a jump there is the return */
};

struct callee {
	uint64_t addr;
	enum callee_kind kind;
	reg_set writes; /* registers that it may change */
	uint8_t result; /* the register with its result */
};

struct code_reader {
	struct symbolizer *symbolizer;
	const struct code_source *source; /* NULL: no code can be read */
	VEC(struct code_area) areas;
	VEC(struct callee) callees;
	uint64_t current_task; /* the per-CPU variable that has the running task; 0: not known */
	struct data_symbols *data; /* names of variables; borrowed; NULL: not known */
	const struct patched_code *patched; /* borrowed; NULL: not known */
	bool atomics_loosely; /* see code_takes_no_kprobe() */
	uint64_t pointer_thunk; /* of code_rules.pointer_thunk; 0: there is none */
};

/* A function: the code in its symbol's bounds, and the cold parts that the compiler moved away. */
struct code_function {
	uint64_t addr;
	uint64_t size; /* 0: not known */
	const char *name;
};

void code_reader_init(struct code_reader *reader, struct symbolizer *symbolizer,
		      const struct code_source *source);
/* Read code again from now on: it is patched now and then. */
void code_reader_forget(struct code_reader *reader);
void code_reader_release(struct code_reader *reader);

/* The symbol that contains an address, or NULL. */
const struct symbol *symbol_of(const struct code_reader *reader, uint64_t addr);

/*
 * The same, but code just before a function belongs to that function: calls with a type check go
 * there (FineIBT, kCFI).
 */
const struct symbol *called_symbol_of(const struct code_reader *reader, uint64_t addr);

/*
 * Whether a function is memset(); or it, memcpy() or memmove(), which return their first argument. On arm64 each has
 * several names.
 */
bool is_memset(const struct symbol *symbol);
bool returns_first_argument(const struct symbol *symbol);

/* Whether an address is in the code just before a function that leads into it. */
bool is_preamble_of(const struct code_reader *reader, const struct code_function *function,
		    uint64_t addr);

bool function_contains(const struct code_reader *reader, const struct code_function *function,
		       uint64_t addr);

/*
 * Where a function's own code begins at the latest: after the mark of indirectly called functions
 * (endbr64), and after code that tracing put there. A jump to it from elsewhere is a call.
 */
uint64_t function_body(struct code_reader *reader, const struct code_function *function);

/*
 * Decode an instruction. The first one of a function reads the whole function; each is decoded
 * once.
 *
 * @ret_insn	valid until code_reader_forget()
 * @return	0; -errno it cannot be read or decoded
 */
int code_insn(struct code_reader *reader, uint64_t addr, const struct insn **ret_insn);
int code_branch(struct code_reader *reader, uint64_t addr, struct branch_insn *ret_insn);
/* The effect of the instruction; NULL: not known. Valid as long as *ret_insn is. */
const struct insn_effect *code_effect(struct code_reader *reader, uint64_t addr);

/* Its operands, OPERANDS_OTHER included. 0; -errno it cannot be read or decoded. */
int code_operands(struct code_reader *reader, uint64_t addr, struct insn_operands *ret_operands);
/* operands_arithmetic(). */
bool code_arithmetic(struct code_reader *reader, uint64_t addr, struct insn_arithmetic *ret_arithmetic);
/* operands_element(). */
bool code_element(struct code_reader *reader, uint64_t addr, struct insn_element *ret_element);
/* Whether the instruction only puts the address of the running task into a register. */
bool code_is_current(struct code_reader *reader, uint64_t addr);
/* The condition under which the branch at @addr is taken, given the comparing instruction. */
enum condition code_condition(struct code_reader *reader, uint64_t addr,
			      const struct insn_operands *compared);

/* operands_compared_if() of the instruction at @addr, for the branch at @branch. */
bool code_compared_if(struct code_reader *reader, uint64_t addr, uint64_t branch,
		      struct insn_operands *ret_compared, bool *ret_otherwise);

/*
 * Functions of machine_code.h at an address: code_may_refuse_kprobe(), if the reader does not have what
 * the kernel patches; code_takes_no_kprobe(); code_is_retry().
 */
bool code_refuses_kprobe(struct code_reader *reader, uint64_t addr);
bool code_forbids_kprobe(struct code_reader *reader, uint64_t addr);
bool code_retries(struct code_reader *reader, uint64_t addr);

/* code_made_constant(), at an address. */
uint64_t code_made_at(struct code_reader *reader, uint64_t addr);

/* The most targets of a jump through a table. */
#define CODE_MAX_TARGETS 64

/*
 * Where the indirect jump at @addr may lead inside the function, each place once.
 *
 * @return	how many; 0: not known
 */
uint32_t code_table_targets(struct code_reader *reader, const struct code_function *function,
			    uint64_t addr, uint64_t targets[CODE_MAX_TARGETS]);

/* The function at an address that is called or jumped to. */
struct callee callee_at(struct code_reader *reader, uint64_t addr);

/* Whether execution goes on after the instruction at @addr, of BRANCH_SYSTEM. */
enum trap code_trap(struct code_reader *reader, const struct code_function *function, uint64_t addr);

#endif
