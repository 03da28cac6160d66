// SPDX-License-Identifier: BSD-2-Clause
/* The code of kernel functions. */
#include "util/explain/function/function_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/kernel/code/patched_code.h"
#include "util/kernel/code/routine.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/trace/attach/tracing_code.h"
#include "util/trace/branches/branch_places.h"

/* Larger than any function that errors come from. */
#define MAX_AREA (256 * 1024)
/* Bytes to read if nothing limits a symbol's size. */
#define UNBOUND_AREA 4096
/* The number of areas kept between two decisions. */
#define MAX_KEPT 64
/* Instructions in a block (struct code_area). */
#define INSNS_A_BLOCK 64
/* Bytes before functions: CONFIG_FUNCTION_PADDING_BYTES, and alignment. */
#define MAX_PREAMBLE 128

void code_reader_init(struct code_reader *reader, struct symbolizer *symbolizer,
		      const struct code_source *source)
{
	*reader = (struct code_reader){ .symbolizer = symbolizer, .source = source };
}

static void free_areas(struct code_reader *reader)
{
	vec_foreach(area, &reader->areas) {
		free(area->bytes);
		free(area->insn_at);
		vec_foreach(block, &area->blocks)
			free(*block);
		vec_release(&area->blocks);
	}
	reader->areas.len = 0;
}

void code_reader_forget(struct code_reader *reader)
{
	if (reader->areas.len > MAX_KEPT)
		free_areas(reader);
	vec_foreach(area, &reader->areas)
		area->is_stale = true;
}

void code_reader_release(struct code_reader *reader)
{
	free_areas(reader);
	vec_release(&reader->areas);
	vec_release(&reader->callees);
}

const struct symbol *symbol_of(const struct code_reader *reader, uint64_t addr)
{
	struct symbolized found = {};

	symbolizer_lookup(reader->symbolizer, addr, false, &found);
	return found.symbol;
}

bool function_contains(const struct code_reader *reader, const struct code_function *function,
		       uint64_t addr)
{
	const struct symbol *symbol;

	if (function->size && addr - function->addr < function->size)
		return true;
	symbol = symbol_of(reader, addr);
	if (!symbol)
		return false;
	return symbol->addr == function->addr || is_cold_part_of(symbol->name, function->name);
}

/* Read an area. Decoded instructions are kept if the code is the same. */
static int read_area(struct code_reader *reader, struct code_area *area, size_t size)
{
	uint8_t *bytes = malloc(size);
	long have;

	if (!bytes)
		return -ENOMEM;
	have = reader->source->read(reader->source->arg, area->addr, bytes, size);
	if (have < 0)
		have = 0;
	area->is_stale = false;
	if (area->bytes && have == area->size && !memcmp(bytes, area->bytes, have)) {
		free(bytes);
		return 0;
	}
	free(area->bytes);
	free(area->insn_at);
	area->bytes = bytes;
	area->size = have;
	area->nr_insns = 0;
	area->insn_at = calloc(have ?: 1, sizeof(*area->insn_at));
	return area->insn_at ? 0 : -ENOMEM;
}

/* The area that contains an address, read if necessary; NULL: it cannot be read. */
static struct code_area *area_of(struct code_reader *reader, uint64_t addr)
{
	const struct symbol *symbol;
	struct code_area area = {};
	size_t size;

	vec_foreach(known, &reader->areas) {
		if (addr - known->addr >= known->size)
			continue;
		if (!known->is_stale)
			return known;
		if (!read_area(reader, known, known->size) && addr - known->addr < known->size)
			return known;
	}
	symbol = reader->source ? symbol_of(reader, addr) : NULL;
	if (!symbol)
		return NULL;
	area.addr = symbol->addr;
	size = symbol->size ?: addr - symbol->addr + UNBOUND_AREA;
	if (size > MAX_AREA)
		return NULL;
	if (read_area(reader, &area, size) || addr - area.addr >= area.size ||
	    vec_push(&reader->areas, area)) {
		free(area.bytes);
		free(area.insn_at);
		return NULL;
	}
	return &reader->areas.data[reader->areas.len - 1];
}

/* Bytes at an address, NULL: none. */
static const uint8_t *bytes_at(struct code_reader *reader, uint64_t addr, size_t *ret_size)
{
	const struct code_area *area = area_of(reader, addr);

	if (!area)
		return NULL;
	*ret_size = area->size - (addr - area->addr);
	return area->bytes + (addr - area->addr);
}

static struct insn *insn_number(const struct code_area *area, uint32_t number)
{
	return &area->blocks.data[number / INSNS_A_BLOCK][number % INSNS_A_BLOCK];
}

/* 0; -ENOMEM. */
static int add_insn(struct code_area *area, const struct insn *insn)
{
	if (area->nr_insns == area->blocks.len * INSNS_A_BLOCK) {
		struct insn *block = malloc(INSNS_A_BLOCK * sizeof(*block));

		if (!block || vec_push(&area->blocks, block)) {
			free(block);
			return -ENOMEM;
		}
	}
	*insn_number(area, area->nr_insns++) = *insn;
	return 0;
}

/*
 * Whether the instruction is the call of tracing at the area's entry, which is a nop while nobody traces the
 * function; or, since 6.19 on x86, the jump to a trampoline that calls the function itself (BPF_TRAMP_F_CALL_ORIG). The
 * first call of a function that cannot be traced may be in that place.
 */
static bool is_call_of_tracing(const struct code_reader *reader, const struct code_area *area, uint64_t at,
			       const struct branch_insn *insn)
{
	const struct symbol *called;

	if ((insn->kind != BRANCH_CALL && insn->kind != BRANCH_JUMP) || at + insn->length > ENTRY_CALL_MAX ||
	    at + insn->length != code_entry_size(area->bytes, area->size))
		return false;
	called = symbol_of(reader, code_call_target(reader->source, insn->target));
	/* Trampolines that are made for it may have no names in the kernel's tables. */
	return !called || is_tracing_code(called->name, called->module);
}

/* Thunks of calls through pointers count calls themselves: there is no function after that. */
static uint64_t call_target(const struct code_reader *reader, uint64_t target)
{
	const struct symbol *symbol = symbol_of(reader, target);

	if (symbol && symbol->addr == target && thunk_kind(symbol->name, symbol->module) == CALL_THUNK)
		return target;
	return code_call_target(reader->source, target);
}

int code_insn(struct code_reader *reader, uint64_t addr, const struct insn **ret_insn)
{
	struct code_area *area = area_of(reader, addr);
	uint32_t *index;
	uint64_t at;
	int err;

	if (!area)
		return -EFAULT;
	at = addr - area->addr;
	index = &area->insn_at[at];
	if (!*index) {
		struct insn insn;

		err = insn_decode(area->bytes + at, area->size - at, addr, &insn);
		if (err && err != -EINVAL)
			return err;
		if (err)
			insn = (struct insn){};
		else if (is_call_of_tracing(reader, area, at, &insn.branch))
			insn = (struct insn){ .branch.length = insn.branch.length, .is_known = true };
		/* It was a jump to such a thunk before the kernel patched it. */
		if (insn.branch.kind == BRANCH_INDIRECT_JUMP && reader->pointer_thunk) {
			insn.branch.kind = BRANCH_JUMP;
			insn.branch.target = reader->pointer_thunk;
		}
		/* Padding before the next function, which calls may lead to, is in the area of this one. */
		if (insn.branch.kind == BRANCH_CALL ||
		    (insn.branch.kind == BRANCH_JUMP && insn.branch.target - area->addr >= area->size))
			insn.branch.target = call_target(reader, insn.branch.target);
		if (add_insn(area, &insn))
			return -ENOMEM;
		*index = area->nr_insns;
	}
	*ret_insn = insn_number(area, *index - 1);
	return (*ret_insn)->branch.length ? 0 : -EINVAL;
}

int code_branch(struct code_reader *reader, uint64_t addr, struct branch_insn *ret_insn)
{
	const struct insn *insn;
	int err = code_insn(reader, addr, &insn);

	if (!err)
		*ret_insn = insn->branch;
	return err;
}

const struct insn_effect *code_effect(struct code_reader *reader, uint64_t addr)
{
	const struct insn *insn;

	return code_insn(reader, addr, &insn) || !insn->is_known ? NULL : &insn->effect;
}

int code_operands(struct code_reader *reader, uint64_t addr, struct insn_operands *ret_operands)
{
	size_t size = 0;
	const uint8_t *bytes = bytes_at(reader, addr, &size);

	if (!bytes)
		return -EFAULT;
	operands_decode(bytes, size, ret_operands);
	if (ret_operands->a.kind == OPERAND_VARIABLE)
		ret_operands->a.value += addr;
	if (ret_operands->b.kind == OPERAND_VARIABLE)
		ret_operands->b.value += addr;
	return 0;
}

bool code_is_current(struct code_reader *reader, uint64_t addr)
{
	size_t size = 0;
	const uint8_t *bytes = bytes_at(reader, addr, &size);

	return bytes && operands_is_current(bytes, size, addr, reader->current_task);
}

enum condition code_condition(struct code_reader *reader, uint64_t addr,
			      const struct insn_operands *compared)
{
	size_t size = 0;
	const uint8_t *bytes = bytes_at(reader, addr, &size);

	return bytes ? operands_condition(bytes, size, compared) : CONDITION_UNKNOWN;
}

bool code_arithmetic(struct code_reader *reader, uint64_t addr, struct insn_arithmetic *ret_arithmetic)
{
	size_t size = 0;
	const uint8_t *bytes = bytes_at(reader, addr, &size);

	return bytes && operands_arithmetic(bytes, size, ret_arithmetic);
}

bool code_element(struct code_reader *reader, uint64_t addr, struct insn_element *ret_element)
{
	size_t size = 0;
	const uint8_t *bytes = bytes_at(reader, addr, &size);

	return bytes && operands_element(bytes, size, ret_element);
}

bool code_compared_if(struct code_reader *reader, uint64_t addr, uint64_t branch,
		      struct insn_operands *ret_compared, bool *ret_otherwise)
{
	size_t size = 0, branch_size = 0;
	const uint8_t *bytes = bytes_at(reader, addr, &size);
	const uint8_t *branch_bytes = bytes_at(reader, branch, &branch_size);

	return bytes && branch_bytes &&
	       operands_compared_if(bytes, size, branch_bytes, branch_size, ret_compared,
				    ret_otherwise);
}

static bool has_insn(struct code_reader *reader, uint64_t addr)
{
	struct branch_insn insn;

	return !code_branch(reader, addr, &insn);
}

bool code_forbids_kprobe(struct code_reader *reader, uint64_t addr)
{
	const struct code_area *area = area_of(reader, addr);

	return area && has_insn(reader, addr) &&
	       code_takes_no_kprobe(area->bytes + (addr - area->addr), addr - area->addr,
				    reader->atomics_loosely);
}

bool code_retries(struct code_reader *reader, uint64_t addr)
{
	const struct code_area *area = area_of(reader, addr);

	return area && has_insn(reader, addr) &&
	       code_is_retry(area->bytes + (addr - area->addr), addr - area->addr);
}

bool code_refuses_kprobe(struct code_reader *reader, uint64_t addr)
{
	size_t size = 0;
	const uint8_t *bytes = bytes_at(reader, addr, &size);
	const struct symbol *symbol;
	struct branch_insn insn;

	if (reader->patched && reader->patched->known) {
		symbol = symbol_of(reader, addr);
		if (symbol && !symbol->module)
			return patched_code_has(reader->patched, addr);
	}
	return bytes && !code_branch(reader, addr, &insn) && code_may_refuse_kprobe(bytes, &insn);
}

uint64_t code_made_at(struct code_reader *reader, uint64_t addr)
{
	const struct code_area *area = area_of(reader, addr);

	return area ? code_made_constant(area->bytes, area->size, area->addr, addr - area->addr) : 0;
}

/* An entry of a table, as a signed number. */
static int64_t entry_at(const struct code_reader *reader, const struct jump_table *table,
			uint32_t index, bool *ret_read)
{
	uint64_t entry = 0;

	*ret_read = reader->source->read(reader->source->arg, table->at + index * table->entry_size,
					 &entry, table->entry_size) == table->entry_size;
	return sign_extend(entry, table->entry_size);
}

uint32_t code_table_targets(struct code_reader *reader, const struct code_function *function,
			    uint64_t addr, uint64_t targets[CODE_MAX_TARGETS])
{
	const struct code_area *area = area_of(reader, addr);
	struct jump_table table;
	uint32_t nr = 0, known;
	bool is_read;

	if (!area || !code_jump_table(area->bytes, area->size, area->addr, addr - area->addr, &table))
		return 0;
	for (uint32_t i = 0; i < table.nr; i++) {
		uint64_t to = table.base + table.unit * entry_at(reader, &table, i, &is_read);

		/* An entry that leads elsewhere means that the table was not understood. */
		if (!is_read || !function_contains(reader, function, to))
			return 0;
		for (known = 0; known < nr && targets[known] != to;)
			known++;
		if (known < nr)
			continue;
		if (nr == CODE_MAX_TARGETS)
			return 0;
		targets[nr++] = to;
	}
	return nr;
}

const struct symbol *called_symbol_of(const struct code_reader *reader, uint64_t addr)
{
	const struct symbol *symbol = symbol_of(reader, addr);

	if (symbol && symbol->size && is_function_preamble(symbol->name))
		symbol = symbol_of(reader, symbol->addr + symbol->size);
	return symbol;
}

/* A name without what libraries and the kernel's early code put before it. */
static const char *plain_name(const struct symbol *symbol)
{
	const char *name = symbol->name;

	name += startswith(name, "__") ? strlen("__") : 0;
	return name + (startswith(name, "pi_") ? strlen("pi_") : 0);
}

bool is_memset(const struct symbol *symbol)
{
	return !strcmp(plain_name(symbol), "memset");
}

bool returns_first_argument(const struct symbol *symbol)
{
	return is_memset(symbol) || !strcmp(plain_name(symbol), "memcpy") || !strcmp(plain_name(symbol), "memmove");
}

bool is_preamble_of(const struct code_reader *reader, const struct code_function *function,
		    uint64_t addr)
{
	const struct symbol *symbol;

	if (addr >= function->addr || function->addr - addr > MAX_PREAMBLE)
		return false;
	symbol = symbol_of(reader, addr);
	return symbol && is_function_preamble(symbol->name) &&
	       symbol->addr + symbol->size == function->addr;
}

uint64_t function_body(struct code_reader *reader, const struct code_function *function)
{
	size_t size = 0;
	const uint8_t *bytes = bytes_at(reader, function->addr, &size);

	return function->addr + code_entry_size(bytes, size);
}

static struct callee callee_of_symbol(uint64_t addr, const struct symbol *symbol)
{
	const struct routine *routine = symbol ? asm_routine_by_name(symbol->name) : NULL;
	struct callee callee = { .addr = addr, .kind = CALLEE_USUAL };

	if (routine)
		callee.kind = routine->writes ? CALLEE_ROUTINE : CALLEE_TRANSPARENT;
	else if (symbol && thunk_kind(symbol->name, symbol->module) == RETURN_THUNK)
		callee.kind = CALLEE_RETURN_THUNK;
	else if (symbol && is_noreturn(symbol->name))
		callee.kind = CALLEE_NO_RETURN;
	if (!routine)
		routine = &usual_routine;
	callee.writes = routine->writes;
	callee.result = routine->result;
	return callee;
}

/* Whether a function does nothing but trap. Compilers know, and put any code behind calls of it. */
static bool only_traps(struct code_reader *reader, const struct symbol *symbol)
{
	const struct code_function function = { symbol->addr, symbol->size, symbol->name };
	struct branch_insn insn;

	for (uint64_t at = symbol->addr; at - symbol->addr < symbol->size; at += insn.length) {
		if (code_branch(reader, at, &insn))
			return false;
		if (insn.kind != BRANCH_NONE)
			return insn.kind == BRANCH_SYSTEM && code_trap(reader, &function, at) == TRAP_ENDS;
	}
	return false;
}

struct callee callee_at(struct code_reader *reader, uint64_t addr)
{
	const struct symbol *symbol;
	struct callee callee;

	vec_foreach(known, &reader->callees) {
		if (known->addr == addr)
			return *known;
	}
	symbol = symbol_of(reader, addr);
	callee = callee_of_symbol(addr, symbol);
	if (callee.kind == CALLEE_USUAL && symbol && symbol->addr == addr &&
	    symbol->size <= CODE_MAX_TRAP_FUNCTION && only_traps(reader, symbol))
		callee.kind = CALLEE_NO_RETURN;
	/* If memory runs out, it is found out again next time. */
	if (vec_push(&reader->callees, callee))
		return callee;
	return callee;
}

static bool is_type_check(struct code_reader *reader, uint64_t trap)
{
	size_t size = 0;
	const uint8_t *bytes = bytes_at(reader, trap - TYPE_CHECK_SIZE, &size);

	return bytes && code_is_type_check(bytes, size);
}

/*
 * Whether a part of a function may jump to an address: 1 yes, 0 no; -1 not known.
 *
 * @ret_part	a part elsewhere that it jumps to; left as it is if there is none
 */
static int may_jump_to(struct code_reader *reader, const struct code_function *function, uint64_t start,
		       uint64_t end, uint64_t to, struct symbol *ret_part)
{
	struct branch_insn insn;

	for (uint64_t at = start; at < end; at += insn.length) {
		if (code_branch(reader, at, &insn) || insn.kind == BRANCH_INDIRECT_JUMP)
			return -1;
		if (insn.kind != BRANCH_CONDITIONAL && insn.kind != BRANCH_JUMP)
			continue;
		if (insn.target == to)
			return 1;
		if (insn.target - start >= end - start &&
		    function_contains(reader, function, insn.target))
			*ret_part = *symbol_of(reader, insn.target);
	}
	return 0;
}

static bool is_padding(struct code_reader *reader, uint64_t addr)
{
	size_t size = 0;
	const uint8_t *bytes = bytes_at(reader, addr, &size);

	return bytes && code_is_padding(bytes, size);
}

/*
 * BUG() and WARN() are the same instruction; only a table tells them apart, and recordings do not
 * have it. But compilers leave out code that nothing leads to: so the next instruction is the
 * target of a jump, or the trap returns to it. In Debian's 7.2 this recognises 7,757 of 8,822
 * warnings, and mistakes 30 of 2,150 BUG() for warnings.
 */
static enum trap trap_by_what_follows(struct code_reader *reader, const struct code_function *function,
				      uint64_t next)
{
	uint64_t end = function->addr + function->size;
	struct symbol part = {};
	int jumps;

	if (!function_contains(reader, function, next) || is_padding(reader, next))
		return TRAP_ENDS;
	if (!function->size)
		return TRAP_UNCLEAR;
	jumps = may_jump_to(reader, function, function->addr, end, next, &part);
	/*
	 * The code is in a part that the compiler moved away; if no jump to that part was found,
	 * look it up by address.
	 */
	if (!jumps && next - function->addr >= function->size)
		part = *symbol_of(reader, next);
	if (!jumps && part.size)
		jumps = may_jump_to(reader, function, part.addr, part.addr + part.size, next,
				    &part);
	return jumps ? TRAP_UNCLEAR : TRAP_GOES_ON;
}

enum trap code_trap(struct code_reader *reader, const struct code_function *function, uint64_t addr)
{
	size_t size = 0;
	const uint8_t *bytes = bytes_at(reader, addr, &size);
	enum trap trap = bytes ? code_trap_kind(bytes, size) : TRAP_NONE;
	struct branch_insn insn;

	if (trap != TRAP_UNCLEAR)
		return trap;
	if (is_type_check(reader, addr) || code_branch(reader, addr, &insn))
		return TRAP_ENDS;
	return trap_by_what_follows(reader, function, addr + insn.length);
}
