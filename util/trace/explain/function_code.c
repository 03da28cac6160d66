// SPDX-License-Identifier: BSD-2-Clause
/* The code of kernel functions. */
#include "util/trace/explain/function_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/glob.h"
#include "util/capture/branches/branch_places.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/trace/plan/asm_routine.h"

/* More than any function has that errors come from. */
#define MAX_AREA (256 * 1024)
/* Where nothing bounds a symbol. */
#define UNBOUND_AREA 4096
#define MAX_INSTRUCTION 15

/* The call that tracing lives in, and endbr64. */
#define TRACED_CALL_SIZE 5
#define ENDBR_SIZE 4
/* What stands in front of functions: CONFIG_FUNCTION_PADDING_BYTES, and alignment. */
#define MAX_PREAMBLE 128
#define TYPE_CHECK_SIZE 12

#define LEN(array) (sizeof(array) / sizeof((array)[0]))

void code_reader_init(struct code_reader *reader, struct symbolizer *symbolizer,
		      const struct code_source *source)
{
	*reader = (struct code_reader){ .symbolizer = symbolizer, .source = source };
}

void code_reader_forget(struct code_reader *reader)
{
	vec_foreach(area, &reader->areas)
		free(area->bytes);
	reader->areas.len = 0;
}

void code_reader_release(struct code_reader *reader)
{
	code_reader_forget(reader);
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

/* The area with an address in it, read when it is not there yet; NULL: it cannot be. */
static const struct code_area *area_of(struct code_reader *reader, uint64_t addr)
{
	const struct symbol *symbol;
	struct code_area area;
	size_t size;
	long have;

	vec_foreach(known, &reader->areas) {
		if (addr - known->addr < known->size)
			return known;
	}
	symbol = reader->source ? symbol_of(reader, addr) : NULL;
	if (!symbol)
		return NULL;
	size = symbol->size ?: addr - symbol->addr + UNBOUND_AREA;
	if (size > MAX_AREA)
		return NULL;
	area.addr = symbol->addr;
	area.bytes = malloc(size);
	if (!area.bytes)
		return NULL;
	have = reader->source->read(reader->source->arg, symbol->addr, area.bytes, size);
	area.size = have > 0 ? have : 0;
	if (addr - area.addr >= area.size || vec_push(&reader->areas, area)) {
		free(area.bytes);
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

int code_branch(struct code_reader *reader, uint64_t addr, struct branch_insn *ret_insn)
{
	size_t size = 0;
	const uint8_t *bytes = bytes_at(reader, addr, &size);

	return bytes ? branch_decode(bytes, size, addr, ret_insn) : -EFAULT;
}

int code_effect(struct code_reader *reader, uint64_t addr, struct insn_effect *ret_effect)
{
	size_t size = 0;
	const uint8_t *bytes = bytes_at(reader, addr, &size);

	return bytes ? instruction_effect(bytes, size, ret_effect) : -EFAULT;
}

const struct symbol *called_symbol_of(const struct code_reader *reader, uint64_t addr)
{
	const struct symbol *symbol = symbol_of(reader, addr);

	if (symbol && symbol->size && is_function_preamble(symbol->name))
		symbol = symbol_of(reader, symbol->addr + symbol->size);
	return symbol;
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
	/* The latter two: apply_seal_endbr(), of kernels before and since 6.15. */
	static const uint8_t marks[][ENDBR_SIZE] = {
		{ 0xf3, 0x0f, 0x1e, 0xfa },
		{ 0x66, 0x0f, 0x1f, 0x00 },
		{ 0x0f, 0x1f, 0x40, 0xd6 },
	};
	size_t size = 0;
	const uint8_t *bytes = bytes_at(reader, function->addr, &size);

	for (size_t i = 0; bytes && i < LEN(marks); i++) {
		if (size > ENDBR_SIZE && !memcmp(bytes, marks[i], ENDBR_SIZE))
			return function->addr + ENDBR_SIZE + TRACED_CALL_SIZE;
	}
	return function->addr + TRACED_CALL_SIZE;
}

static enum callee_kind kind_by_name(const char *name)
{
	static const char *const transparent[] = {
		"__fentry__",
		"preempt_schedule_thunk",
		"preempt_schedule_notrace_thunk",
		"trace_hardirqs_o*_thunk",
	};
	/* Of those in tools/objtool/noreturns.h, what drivers and subsystems call. */
	static const char *const no_return[] = {
		"__stack_chk_fail",
		"panic",
		"vpanic",
		"nmi_panic",
		"*fortify_panic",
		"usercopy_abort",
		"do_exit",
		"do_group_exit",
		"do_task_dead",
		"make_task_dead",
		"kthread_exit",
		"kthread_complete_and_exit",
		"__module_put_and_kthread_exit",
		"__ubsan_handle_builtin_unreachable",
		"machine_real_restart",
		"stop_this_cpu",
		"ex_handler_msr_mce",
	};

	if (thunk_kind_by_name(name) == RETURN_THUNK)
		return CALLEE_RETURN_THUNK;
	if (asm_routine_by_name(name))
		return CALLEE_ROUTINE;
	for (size_t i = 0; i < LEN(transparent); i++) {
		if (glob_match(transparent[i], name))
			return CALLEE_TRANSPARENT;
	}
	for (size_t i = 0; i < LEN(no_return); i++) {
		if (glob_match(no_return[i], name))
			return CALLEE_NO_RETURN;
	}
	return CALLEE_USUAL;
}

static struct callee callee_by_name(uint64_t addr, const char *name)
{
	struct callee callee = { .addr = addr, .kind = name ? kind_by_name(name) : CALLEE_USUAL };

	callee.writes = callee.kind == CALLEE_TRANSPARENT ? 0 : X86_CALL_CLOBBERS;
	callee.result = X86_RAX;
	if (callee.kind == CALLEE_ROUTINE) {
		callee.writes = asm_routine_by_name(name)->writes;
		callee.result = asm_routine_by_name(name)->result;
	}
	return callee;
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
	callee = callee_by_name(addr, symbol ? symbol->name : NULL);
	/* Without memory it is found out again next time. */
	if (vec_push(&reader->callees, callee))
		return callee;
	return callee;
}

/* The check of a type before an indirect call: mov $HASH,%r10d; add -N(%reg),%r10d; je +2; ud2 */
static bool is_type_check(struct code_reader *reader, uint64_t trap)
{
	size_t size = 0;
	const uint8_t *p = bytes_at(reader, trap - TYPE_CHECK_SIZE, &size);

	return p && size > TYPE_CHECK_SIZE && p[0] == 0x41 && p[1] == 0xba && (p[6] | 1) == 0x45 &&
	       p[7] == 0x03 && (p[8] & 0xf8) == 0x50 && p[10] == 0x74 && p[11] == 0x02;
}

/*
 * Whether a part of a function may jump to an address: 1, 0; -1 it cannot be told.
 *
 * @ret_part	a part elsewhere that it jumps to; untouched without
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

/* Compilers fill up to where the next block is aligned; behind what goes on they do not. */
static bool is_padding(struct code_reader *reader, uint64_t addr)
{
	size_t size = 0;
	const uint8_t *p = bytes_at(reader, addr, &size);

	while (size > 2 && (*p == 0x66 || *p == 0x2e)) {
		p++;
		size--;
	}
	return size > 1 && (*p == 0x90 || *p == 0xcc || (p[0] == 0x0f && p[1] == 0x1f));
}

/*
 * BUG() and WARN() are the same instruction; a table elsewhere tells them apart, which recordings
 * do not have. But compilers leave out code that nothing leads to: what follows is jumped to, or
 * come back to. In Debian's 7.2 this tells 7,757 of 8,822 warnings, and takes no more than 30 of
 * 2,150 BUG() for one.
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
	/* What the compiler moved away; if nothing jumps there, it is not known where it is. */
	if (!jumps && next - function->addr >= function->size)
		part = *symbol_of(reader, next);
	if (!jumps && part.size)
		jumps = may_jump_to(reader, function, part.addr, part.addr + part.size, next,
				    &part);
	return jumps ? TRAP_UNCLEAR : TRAP_GOES_ON;
}

enum trap code_trap(struct code_reader *reader, const struct code_function *function, uint64_t addr)
{
	/* ud1 (%edx),%rdi, of a WARN() with a text: since 6.19. */
	static const uint8_t warns[] = { 0x67, 0x48, 0x0f, 0xb9, 0x3a };
	size_t size = 0;
	const uint8_t *bytes = bytes_at(reader, addr, &size), *op = bytes;

	if (!bytes)
		return TRAP_NONE;
	if (size >= sizeof(warns) && !memcmp(bytes, warns, sizeof(warns)))
		return TRAP_GOES_ON;
	/* Prefixes that come with ud1. */
	while (size > 2 && (*op == 0x67 || (*op & 0xf0) == 0x40)) {
		op++;
		size--;
	}
	if (size < 2 || op[0] != 0x0f || (op[1] != 0x0b && op[1] != 0xb9 && op[1] != 0xff))
		return TRAP_NONE;
	if (op[1] != 0x0b || is_type_check(reader, addr))
		return TRAP_ENDS;
	return trap_by_what_follows(reader, function, addr + (op - bytes) + 2);
}
