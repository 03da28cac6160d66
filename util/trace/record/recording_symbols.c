// SPDX-License-Identifier: BSD-2-Clause
/* SYMBOLS chunks: finding the needed symbols, writing and reading them. */
#include "util/trace/record/recording_symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/arg_items.h"
#include "bpf/event.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/search.h"
#include "util/base/vec.h"
#include "util/kernel/code/instruction.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/kernel/symbols/symbols.h"
#include "util/plan/args/args.h"
#include "util/plan/plan.h"
#include "util/plan/points/probes.h"
#include "util/trace/record/recording.h"
#include "util/trace/record/recording_code.h"
#include "util/trace/record/wire.h"
#include "util/trace/session/calls.h"

/* The number of recent addresses that are remembered; a power of two. */
#define NR_SEEN 16384

struct symbol_needs {
	struct symbolizer *symbolizer;
	struct symbols *symbols;
	const struct plan *plan;
	const struct code_source *code;	/* NULL: none is kept */
	const struct symbol *table;	/* its address when seen[] was started */
	uint64_t seen[NR_SEEN];
	uint64_t *written;		/* a hash table of symbols, by key_of(); 0 free */
	size_t nr_written, room;	/* room: 0 or a power of two */
	VEC(const char *) modules;	/* written; names belong to the table, each once */
	VEC(uint64_t) code_at;		/* functions whose code was written, sorted */
	struct strbuf symbol_items, module_items, code_items;
};

struct symbol_needs *symbol_needs_new(struct symbolizer *symbolizer, struct symbols *symbols,
				      const struct plan *plan,
				      const struct code_source *code)
{
	struct symbol_needs *needs = calloc(1, sizeof(*needs));

	if (!needs)
		return NULL;
	needs->symbolizer = symbolizer;
	needs->symbols = symbols;
	needs->plan = plan;
	needs->code = code;
	return needs;
}

void symbol_needs_restart(struct symbol_needs *needs)
{
	memset(needs->seen, 0, sizeof(needs->seen));
	free(needs->written);
	needs->written = NULL;
	needs->nr_written = needs->room = 0;
	needs->modules.len = needs->code_at.len = 0;
	strbuf_reset(&needs->symbol_items);
	strbuf_reset(&needs->module_items);
	strbuf_reset(&needs->code_items);
}

void symbol_needs_free(struct symbol_needs *needs)
{
	if (!needs)
		return;
	free(needs->written);
	vec_release(&needs->modules);
	vec_release(&needs->code_at);
	strbuf_release(&needs->symbol_items);
	strbuf_release(&needs->module_items);
	strbuf_release(&needs->code_items);
	free(needs);
}

struct strbuf *symbol_needs_symbols(struct symbol_needs *needs)
{
	return &needs->symbol_items;
}

struct strbuf *symbol_needs_modules(struct symbol_needs *needs)
{
	return &needs->module_items;
}

struct strbuf *symbol_needs_code(struct symbol_needs *needs)
{
	return &needs->code_items;
}

/* The name's address is part of the key: a module loaded in another's place has other names. */
static uint64_t key_of(const struct symbol *symbol)
{
	return (symbol->addr ^ (uintptr_t)symbol->name * 0x9e3779b97f4a7c15ull) | 1;
}

static uint64_t *slot_of(uint64_t *slots, size_t room, uint64_t key)
{
	size_t at = key * 0x9e3779b97f4a7c15ull >> 32 & (room - 1);

	while (slots[at] && slots[at] != key)
		at = (at + 1) & (room - 1);
	return &slots[at];
}

static int grow_needs(struct symbol_needs *needs)
{
	size_t room = needs->room ? 2 * needs->room : 1024;
	uint64_t *slots;

	if (2 * (needs->nr_written + 1) <= needs->room)
		return 0;
	slots = calloc(room, sizeof(*slots));
	if (!slots)
		return report_oom();
	for (size_t i = 0; i < needs->room; i++) {
		if (needs->written[i])
			*slot_of(slots, room, needs->written[i]) = needs->written[i];
	}
	free(needs->written);
	needs->written = slots;
	needs->room = room;
	return 0;
}

static void put_symbol(struct strbuf *sb, const struct symbol *symbol)
{
	size_t item = wire_begin_item(sb);

	wire_put_u64(sb, symbol->addr);
	wire_put_u64(sb, symbol->size);
	wire_put_u8(sb, symbol->type);
	wire_put_string(sb, symbol->name);
	wire_put_string(sb, symbol->module);
	wire_end_item(sb, item);
}

static int need_module(struct symbol_needs *needs, const char *name)
{
	struct recorded_module module;
	int err;

	if (vec_find(known, &needs->modules, *known == name))
		return 0;
	if (vec_push(&needs->modules, name))
		return report_oom();
	err = recorded_module_read(name, &module);
	if (err)
		return err;
	/* "bpf", "ftrace": generated code, which belongs to no module. */
	if (module.sections.len)
		recording_put_module(&needs->module_items, &module);
	recorded_module_release(&module);
	return 0;
}

/* Keep all symbols that start at the same address: views choose which one to show. */
static int need_symbol(struct symbol_needs *needs, const struct symbol *symbol)
{
	const struct symbol *first = symbol;
	size_t nr = symbols_aliases(needs->symbols, symbol->addr, &first);
	uint64_t *slot;
	int err = 0;

	if (grow_needs(needs))
		return -ENOMEM;
	slot = slot_of(needs->written, needs->room, key_of(symbol));
	if (*slot)
		return 0;
	*slot = key_of(symbol);
	needs->nr_written++;
	for (size_t i = 0; i < nr && !err; i++) {
		put_symbol(&needs->symbol_items, &first[i]);
		if (first[i].module)
			err = need_module(needs, first[i].module);
	}
	return needs->symbol_items.failed || needs->module_items.failed ? report_oom() : err;
}

/* @fresh: read symbols again if none contains the address */
static int need_address(struct symbol_needs *needs, uint64_t addr, bool fresh)
{
	uint64_t *seen = &needs->seen[addr * 0x9e3779b97f4a7c15ull >> 50 & (NR_SEEN - 1)];
	const struct symbol *symbol;

	if (*seen == addr)
		return 0;
	symbol = fresh ? symbolizer_symbol(needs->symbolizer, addr) :
			 symbols_at(needs->symbols, addr);
	if (!symbol)
		return 0;
	/* Another program may be there the next time. */
	if (!symbol_is_made(symbol))
		*seen = addr;
	return need_symbol(needs, symbol);
}

static int need_stack(struct symbol_needs *needs, const uint8_t *data, size_t size)
{
	uint64_t ip;
	int err = 0;

	for (size_t at = sizeof(struct event_stack); !err && at + sizeof(ip) <= size;
	     at += sizeof(ip)) {
		memcpy(&ip, data + at, sizeof(ip));
		/*
		 * The address before, for a return address; and itself, for a trampoline's start.
		 */
		err = need_address(needs, ip - 1, true) ?: need_address(needs, ip, true);
	}
	return err;
}

/*
 * Return 1 if the function's code was not written yet, and note it as written; 0; -ENOMEM
 * (reported).
 */
static int note_code(struct symbol_needs *needs, uint64_t addr)
{
	size_t at = bisect(i, needs->code_at.len, needs->code_at.data[i] < addr);

	if (at < needs->code_at.len && needs->code_at.data[at] == addr)
		return 0;
	if (vec_push(&needs->code_at, addr))
		return report_oom();
	memmove(needs->code_at.data + at + 1, needs->code_at.data + at,
		(needs->code_at.len - 1 - at) * sizeof(addr));
	needs->code_at.data[at] = addr;
	return 1;
}

static int need_code(struct symbol_needs *needs, uint64_t addr, int depth);

/* Whether a called function may do nothing but trap, which its code shows. */
static bool may_only_trap(const struct symbol_needs *needs, uint64_t addr)
{
	const struct symbol *symbol = symbols_at(needs->symbols, addr);

	return symbol && symbol->addr == addr && symbol->size <= CODE_MAX_TRAP_FUNCTION;
}

/* Keep the code that leads from @at to a function. */
static int need_veneer(struct symbol_needs *needs, uint64_t at, uint64_t function)
{
	size_t size = function - at < CODE_VENEER_SIZE ? function - at : CODE_VENEER_SIZE;
	uint8_t code[CODE_VENEER_SIZE];
	int err = note_code(needs, at);

	if (err <= 0)
		return err;
	if (needs->code->read(needs->code->arg, at, code, size) == (long)size)
		recording_put_code(&needs->code_items, at, code, size);
	return needs->code_items.failed ? report_oom() : 0;
}

/*
 * Keep symbols of the targets of calls and jumps, and the code at the targets of jumps, which is
 * part of the way.
 */
static int need_targets(struct symbol_needs *needs, uint64_t addr, const uint8_t *code, size_t size,
			int depth)
{
	struct branch_insn insn;
	uint64_t target;
	int err = 0;

	for (size_t at = 0; at < size && !err; at += insn.length) {
		if (branch_decode(code + at, size - at, addr + at, &insn) || !insn.length)
			break;
		if (!insn.target || (insn.kind != BRANCH_CALL && insn.target - addr < size))
			continue;
		target = insn.kind == BRANCH_CONDITIONAL ? insn.target : code_call_target(needs->code, insn.target);
		if (target - addr < size)
			continue;
		if (target != insn.target && insn.target - addr >= size)
			err = need_veneer(needs, insn.target, target);
		err = err ?: need_address(needs, target, false);
		if (!err && (insn.kind != BRANCH_CALL || may_only_trap(needs, target)))
			err = need_code(needs, target, depth + 1);
	}
	return err;
}

/* Keep the code of the function at an address. */
static int need_code(struct symbol_needs *needs, uint64_t addr, int depth)
{
	const struct symbol *symbol = needs->code ? symbols_at(needs->symbols, addr) : NULL;
	_cleanup_(free_p) uint8_t *code = NULL;
	uint64_t start;
	long size;
	int err;

	if (!symbol || !symbol->size || symbol->size > RECORDING_MAX_CODE || depth > 1)
		return 0;
	start = symbol->addr;
	err = note_code(needs, start);
	if (err <= 0)
		return err;
	code = malloc(symbol->size);
	if (!code)
		return report_oom();
	size = needs->code->read(needs->code->arg, start, code, symbol->size);
	if (size <= 0)
		return 0;
	recording_put_code(&needs->code_items, start, code, size);
	if (needs->code_items.failed)
		return report_oom();
	return need_targets(needs, start, code, size, depth);
}

/* With call depth tracking, calls lead to code before the function. */
static int need_landing(struct symbol_needs *needs, uint64_t to)
{
	uint64_t function = code_call_target(needs->code, to);

	if (function == to)
		return 0;
	return need_veneer(needs, to, function) ?: need_address(needs, function, false) ?: need_code(needs, function, 0);
}

static int need_branches(struct symbol_needs *needs, const uint8_t *data, size_t size)
{
	struct event_branches event;
	struct event_branch branch;
	int err = 0;

	if (size < sizeof(event))
		return 0;
	memcpy(&event, data, sizeof(event));
	/* The function's cold parts are found by the names of its symbol. */
	if (event.func < needs->plan->funcs.len) {
		uint64_t addr = needs->plan->funcs.data[event.func].addr;

		err = need_address(needs, addr, true) ?: need_code(needs, addr, 0);
	}
	for (size_t at = sizeof(event); !err && at + sizeof(branch) <= size;
	     at += sizeof(branch)) {
		memcpy(&branch, data + at, sizeof(branch));
		if (branch.from)
			err = need_address(needs, branch.from, true) ?:
				      need_code(needs, branch.from, 0);
		if (branch.to && !err)
			err = need_address(needs, branch.to, true)	       ?:
				      need_address(needs, branch.to - 1, true) ?:
				      need_code(needs, branch.to, 0)	       ?:
				      need_landing(needs, branch.to);
	}
	return err;
}

/* Keep symbols for pointers to functions in captured data; in an item they are aligned. */
static int need_words(struct symbol_needs *needs, const uint8_t *data, size_t size)
{
	uint64_t word;
	int err = 0;

	for (size_t at = 0; !err && at + sizeof(word) <= size; at += sizeof(word)) {
		memcpy(&word, data + at, sizeof(word));
		/* An address in the kernel's half, and no error. */
		if ((int64_t)word < -4095)
			err = need_address(needs, word, false);
	}
	return err;
}

/* The description of captured arguments at an edge; NULL: other data, or none. */
static const struct func_args *args_of(const struct plan *plan, const struct event_call *edge)
{
	if (CALL_KIND(edge->what) == CALL_ENTER)
		return plan->args && edge->func < plan->funcs.len ? &plan->args[edge->func] : NULL;
	if (plan->probes && edge->func < plan->probes->v.len &&
	    plan->probes->v.data[edge->func].kind == PROBE_RAWTP)
		return &plan->probes->v.data[edge->func].args;
	return NULL;
}

/* There are no gaps between items, so words are aligned only to the beginning of their item. */
static int need_data(struct symbol_needs *needs, const struct event_call *edge,
		     const uint8_t *behind, size_t size)
{
	const struct func_args *args = args_of(needs->plan, edge);
	struct arg_data data[ARGS_MAX_ITEMS];
	int err = 0;

	if (!args)
		return need_words(needs, behind, size);
	args_decode(&args->items, edge->value, behind, size, data);
	for (uint32_t i = 0; i < args->items.nr && !err; i++) {
		if (data[i].data)
			err = need_words(needs, data[i].data, data[i].len);
	}
	return err;
}

static int need_calls(struct symbol_needs *needs, const uint8_t *data, size_t size)
{
	struct event_call edge;
	size_t at = sizeof(struct event_calls);
	int err = 0;

	while (!err && at + sizeof(edge) <= size) {
		size_t behind;

		memcpy(&edge, data + at, sizeof(edge));
		at += sizeof(edge);
		behind = edge_data(&edge) * sizeof(edge);
		if (behind > size - at)
			behind = size - at;
		if (behind)
			err = need_data(needs, &edge, data + at, behind);
		at += behind;
	}
	return err;
}

int symbol_needs_record(struct symbol_needs *needs, const void *data, size_t size)
{
	struct event_header header;
	const struct symbol *table;

	if (size < sizeof(header))
		return 0;
	/* Symbols were read again: other code may be at the same addresses. */
	symbols_all(needs->symbols, &table);
	if (table != needs->table)
		memset(needs->seen, 0, sizeof(needs->seen));
	needs->table = table;
	memcpy(&header, data, sizeof(header));
	if (header.size < size)
		size = header.size;
	switch (header.kind) {
	case EVENT_STACK:
		return need_stack(needs, data, size);
	case EVENT_BRANCHES:
		return need_branches(needs, data, size);
	case EVENT_CALLS:
		return need_calls(needs, data, size);
	default:
		return 0;
	}
}

/* Reading. */

static int get_symbol(struct wire *wire, struct recording_strings *strings, struct symbol *symbol)
{
	symbol->addr = wire_get_u64(wire);
	symbol->size = wire_get_u64(wire);
	symbol->type = wire_get_u8(wire);
	symbol->name = recording_get_name(wire, strings);
	symbol->module = recording_get_name(wire, strings);
	/* A symbol that wraps around the end of memory would contain everything. */
	if (wire->bad || !symbol->name || symbol->addr + symbol->size < symbol->addr)
		return -EBADMSG;
	return 0;
}

int recording_get_symbols(const void *data, size_t size, struct symbols *symbols)
{
	struct recording_strings strings = { VEC_INIT };
	VEC(struct symbol) added = VEC_INIT;
	struct wire wire = wire_of(data, size);
	int err = 0;

	while (wire_left(&wire) && !err) {
		struct wire item = wire_get_item(&wire);
		struct symbol symbol;

		err = get_symbol(&item, &strings, &symbol);
		if (!err && vec_push(&added, symbol))
			err = -ENOMEM;
	}
	err = err ?: symbols_add(symbols, added.data, added.len);
	vec_release(&added);
	recording_strings_release(&strings);
	return err;
}
