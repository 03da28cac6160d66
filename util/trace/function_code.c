// SPDX-License-Identifier: BSD-2-Clause
/* The code of kernel functions. */
#include "util/trace/function_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/glob.h"
#include "util/kernel/symbolizer.h"
#include "util/trace/branch_places.h"

/* More than any function has that errors come from. */
#define MAX_AREA (256 * 1024)
/* Where nothing bounds a symbol. */
#define UNBOUND_AREA 4096
#define MAX_INSTRUCTION 15

/* The call that tracing lives in, and endbr64. */
#define TRACED_CALL_SIZE 5

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

bool function_contains(const struct code_reader *reader, const struct function *function,
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

uint64_t function_body(struct code_reader *reader, const struct function *function)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	size_t size = 0;
	const uint8_t *bytes = bytes_at(reader, function->addr, &size);
	uint64_t body = function->addr;

	if (bytes && size > sizeof(endbr64) && !memcmp(bytes, endbr64, sizeof(endbr64)))
		body += sizeof(endbr64);
	return body + TRACED_CALL_SIZE;
}

bool is_return_thunk(const char *symbol)
{
	/* __x86_return_thunk, and what stands in for it: srso_, retbleed_, its_, call_depth_... */
	return strstr(symbol, "return_thunk");
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

	if (is_return_thunk(name))
		return CALLEE_RETURN_THUNK;
	for (size_t i = 0; i < sizeof(transparent) / sizeof(transparent[0]); i++) {
		if (glob_match(transparent[i], name))
			return CALLEE_TRANSPARENT;
	}
	for (size_t i = 0; i < sizeof(no_return) / sizeof(no_return[0]); i++) {
		if (glob_match(no_return[i], name))
			return CALLEE_NO_RETURN;
	}
	return CALLEE_USUAL;
}

enum callee_kind callee_kind(struct code_reader *reader, uint64_t addr)
{
	struct callee_known known = { .addr = addr, .kind = CALLEE_USUAL };
	const struct symbol *symbol;

	vec_foreach(callee, &reader->callees) {
		if (callee->addr == addr)
			return callee->kind;
	}
	symbol = symbol_of(reader, addr);
	if (symbol)
		known.kind = kind_by_name(symbol->name);
	/* Without memory it is found out again next time. */
	if (vec_push(&reader->callees, known))
		return known.kind;
	return known.kind;
}
