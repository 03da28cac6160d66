/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bytes that compilers and the kernel put into functions: marks, padding, traps, probes. One
 * mapping per CPU implements this, arch/CPU/code.c; features of some CPUs are in a table.
 */
#ifndef RETSNOOP_KERNEL_CODE_MACHINE_CODE_H
#define RETSNOOP_KERNEL_CODE_MACHINE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/kernel/symbols/code_source.h"

struct branch_insn;

/* The call of tracing at a function's entry, and the mark for indirect calls before it. */
#define ENTRY_MARK_SIZE 4
#define ENTRY_CALL_SIZE 5
/* The call is in the function's first bytes. */
#define ENTRY_CALL_MAX 16

/* Size of mark and call before a function's own code, given its first bytes. */
size_t code_entry_size(const uint8_t *code, size_t size);

/* Whether the bytes are padding that aligns the next block. */
bool code_is_padding(const uint8_t *code, size_t size);

/*
 * Whether a kprobe replaced the first byte of the instruction at @code.
 *
 * @last	the instruction before it, of @last_length bytes; 0: there is none
 */
bool code_is_probed(const uint8_t *code, const uint8_t *last, size_t last_length);

/*
 * Whether @code, of CODE_DETOUR bytes, is what the kernel jumps to in place of a kprobe, to save a
 * breakpoint: the jump hides more than one instruction.
 */
bool code_is_detour(const uint8_t *code);
#define CODE_DETOUR 4

/* Whether execution goes on after an instruction that raises an exception on purpose. */
enum trap {
	TRAP_NONE, /* no such instruction: a breakpoint, a return from an interrupt */
	TRAP_ENDS, /* BUG(), or a check that failed: execution does not go on */
	TRAP_GOES_ON, /* WARN(): execution goes on after it */
	TRAP_UNCLEAR, /* one or the other */
};

/* By the instruction alone. */
enum trap code_trap_kind(const uint8_t *code, size_t size);

/* The register (instruction_effect.h) with the target of an indirect call or jump; -1: none. */
int code_call_register(const uint8_t *code, size_t size);

/*
 * Whether a kprobe on the instruction breaks the kernel. A kprobe on a direct call with a prefix,
 * as calls through a thunk have (`cs call __x86_indirect_thunk_r13`), returns to a wrong address,
 * since it ignores the prefix: int3_emulate_call() uses CALL_INSN_SIZE
 * (arch/x86/include/asm/text-patching.h, 6.1).
 */
bool code_breaks_kprobe(const struct branch_insn *insn);

/* A register's name, "rax"; NULL: no register has that number. */
const char *code_register_name(int reg);

/* The number that debug info has for a register, by the CPU's ABI; -1: no register has that number. */
int code_dwarf_register(int reg);

/*
 * Whether a kprobe on the instruction at @code is likely to be refused: the kernel may replace it at run
 * time, as it does with jump labels and static calls, or cannot step over it.
 */
bool code_may_refuse_kprobe(const uint8_t *code, const struct branch_insn *insn);

/*
 * Whether the kernel certainly refuses a kprobe on the instruction at @code: it is in an atomic
 * sequence.
 *
 * @before	bytes of the same function before it
 * @loosely	as kernels before 6.15 do: on arm64, loads that acquire begin such a sequence, too
 */
bool code_takes_no_kprobe(const uint8_t *code, size_t before, bool loosely);

/*
 * Whether the conditional branch at @code only repeats an interrupted atomic sequence, which has
 * no other effect.
 */
bool code_is_retry(const uint8_t *code, size_t before);

/*
 * The constant, for example an address of data, that the instruction at @offset of a function's code
 * completes, after others that made parts of it; 0: none. The other parameters are those of code_jump_table().
 */
uint64_t code_made_constant(const uint8_t *code, size_t size, uint64_t at, size_t offset);

/*
 * Bytes of the longest veneer, code that only leads on: from a module to a function too far away for a call, or into
 * a function, after its calls were counted there (call depth tracking on x86).
 */
#define CODE_VENEER_SIZE 12

/* Where a call or jump to @target leads: @target, or what a veneer there leads to. */
uint64_t code_call_target(const struct code_source *source, uint64_t target);

/* Where the calls of @function lead: @function, or the veneer that ends there. */
uint64_t code_called_at(const struct code_source *source, uint64_t function);

/* The register that the code at @target jumps through at once, as thunks without a name do; -1: it does not. */
int code_thunk_register(const struct code_source *source, uint64_t target);

/*
 * The next place, at offset @from or after it, where an instruction may make a negative number: an errno that is
 * about to be returned. Places without such an instruction may be among them. @size: there is none.
 */
size_t code_find_number(const uint8_t *code, size_t size, size_t from, int32_t number);

/*
 * The next place, at offset @from or after it, that may be a direct call, or a jump, and its target; the code is at
 * address @at. Places without such an instruction may be among them. @size: there is none.
 */
size_t code_find_call(const uint8_t *code, size_t size, uint64_t at, size_t from, uint64_t *ret_target);

/*
 * The same of jumps through pointers. *ret_thunk: it is one if there is a thunk at this address; 0: it is one.
 */
size_t code_find_pointer_jump(const uint8_t *code, size_t size, uint64_t at, size_t from, uint64_t *ret_thunk);

/* The targets of a jump: `base` + an entry, which is signed, times `unit`. */
struct jump_table {
	uint64_t at, base;
	uint32_t nr;
	uint8_t entry_size, unit;
};

/*
 * The table of the indirect jump at offset @jump of a function's code.
 *
 * @code	the function's first @size bytes, which are at address @at
 * @return	false: it is another jump, or not understood
 */
bool code_jump_table(const uint8_t *code, size_t size, uint64_t at, size_t jump,
		     struct jump_table *ret_table);

/* The argument of a system call, counted from 0, at an offset in struct pt_regs; -1: none. */
int code_syscall_argument(uint32_t offset);

/*
 * The registers that the kernel saves: bytes of struct pt_regs, and a register's offset in it; -1
 * none.
 */
size_t code_saved_registers(void);
int code_saved_at(int reg);

/* The check of a type before an indirect call: this many bytes, and a trap if it fails. */
#define TYPE_CHECK_SIZE 12
bool code_is_type_check(const uint8_t *code, size_t size);

/* Features of some CPUs, for the functions above; NULL: this CPU does not have it. */
struct code_rules {
	int (*call_register)(const uint8_t *code, size_t size);
	int (*jump_register)(const uint8_t *code, size_t size);
	/*
	 * A function of kernels that were compiled to jump through pointers by thunks alone, and never by tables: their
	 * indirect jumps are tail calls, which the kernel patched.
	 */
	const char *pointer_thunk;
	bool (*breaks_kprobe)(const struct branch_insn *insn);
	bool (*takes_no_kprobe)(const uint8_t *code, size_t before, bool loosely);
	bool (*is_retry)(const uint8_t *code, size_t before);
	uint64_t (*made_address)(const uint8_t *code, size_t size, uint64_t at, size_t offset);
	uint64_t (*veneer_target)(const uint8_t *code, size_t size, uint64_t at);
	/* Bytes of the veneer that ends after @code; 0: there is none. */
	size_t (*veneer_before)(const uint8_t *code, size_t size);
	size_t (*find_number)(const uint8_t *code, size_t size, size_t from, int32_t number);
	size_t (*find_call)(const uint8_t *code, size_t size, uint64_t at, size_t from,
			    uint64_t *ret_target);
	size_t (*find_pointer_jump)(const uint8_t *code, size_t size, uint64_t at, size_t from,
				    uint64_t *ret_thunk);
	bool (*jump_table)(const uint8_t *code, size_t size, uint64_t at, size_t jump,
			   struct jump_table *ret_table);
	bool (*is_type_check)(const uint8_t *code, size_t size);
};

extern const struct code_rules code_rules;

/* Compilers move a trap out of a function into one of its own, "name.part.0": it has no more bytes than this. */
#define CODE_MAX_TRAP_FUNCTION 64

#endif
