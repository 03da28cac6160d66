// SPDX-License-Identifier: BSD-2-Clause
/* Places by their symbols. */
#include "util/trace/branches/branch_places.h"

#include <string.h>

#include "util/base/macros.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/code/routine.h"
#include "util/trace/attach/tracing_code.h"

/* Made for the kernel's own calls of programs: of packets, of a structure's operations. */
static bool is_dispatcher(const char *symbol)
{
	return startswith(symbol, "bpf_") && !startswith(symbol, "bpf_trampoline_");
}

struct code_place code_place_by_name(const char *symbol, const char *module, uint64_t offset)
{
	static const enum code_kind kinds[] = {
		[INTERRUPT_ENTRY] = CODE_INTERRUPT_ENTRY,
		[INTERRUPT_INSIDE] = CODE_INTERRUPT,
		[INTERRUPT_EXIT] = CODE_INTERRUPT_EXIT,
	};
	const struct interrupt_label *label = module ? NULL : arch_interrupt_label(symbol);
	struct code_place place = { .offset = offset };

	if (label) {
		place.kind = kinds[offset ? label->further_in : label->at_start];
		place.is_breakpoint = label->is_breakpoint;
		return place;
	}
	if (is_tracing_program(symbol, module))
		place.kind = CODE_TRACING_PROGRAM;
	else if (is_bpf_program(symbol, module))
		place.kind = CODE_PROGRAM;
	else if (is_tracing_name(symbol))
		place.kind = CODE_TRACING;
	else if (is_tracing_code(symbol, module) && !is_dispatcher(symbol))
		place.kind = CODE_TRAMPOLINE;
	else if (thunk_kind(symbol, module) == RETURN_THUNK)
		place.kind = CODE_THUNK;
	return place;
}

/* What compilers put after names of their variants, numbers apart. */
static bool is_variant(const char *part, size_t len)
{
	static const char *const variants[] = {
		"constprop", "isra", "llvm", "lto_priv", "part", "__part",
	};
	size_t digits = strspn(part, "0123456789");

	if (len && digits >= len)
		return true;
	return array_find(variant, variants,
			  strlen(*variant) == len && !strncmp(part, *variant, len));
}

bool is_cold_part_of(const char *symbol, const char *function)
{
	size_t len = strlen(function);
	bool cold = false;

	if (!symbol || strncmp(symbol, function, len) || symbol[len] != '.')
		return false;
	for (const char *part = symbol + len; *part; part += len) {
		part++;
		len = strcspn(part, ".");
		if (len == 4 && startswith(part, "cold"))
			cold = true;
		else if (!is_variant(part, len))
			return false;
	}
	return cold;
}

static bool same_module(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool in_function(void *arg, uint64_t addr)
{
	const struct branch_places *places = arg;
	const struct plan_func *func = places->func;
	const struct symbol *symbol, *alias = NULL;
	size_t nr;

	if (!func)
		return false;
	if (func->size && addr - func->addr < func->size)
		return true;
	symbol = places->symbols ? symbols_at(places->symbols, addr) : NULL;
	if (!symbol)
		return false;
	if (symbol->addr == func->addr)
		return !func->size;
	if (!same_module(symbol->module, func->module))
		return false;
	if (is_cold_part_of(symbol->name, func->name))
		return true;
	/* The part has the name that the compiler knew, not the one that the user's glob met. */
	nr = symbols_aliases(places->symbols, func->addr, &alias);
	return find_first(known, alias, nr, is_cold_part_of(symbol->name, known->name));
}

static bool is_traced(void *arg, uint64_t addr)
{
	const struct branch_places *places = arg;
	const struct symbol *symbol;

	if (!places->plan)
		return true;
	symbol = places->symbols ? symbols_at(places->symbols, addr) : NULL;
	return plan_func_at(places->index, places->plan, addr, symbol);
}

static struct code_place find_place(void *arg, uint64_t addr)
{
	const struct branch_places *places = arg;
	const struct symbol *symbol, *alias = NULL;
	struct code_place found;
	size_t nr;

	if (!places->symbols)
		return (struct code_place){ .kind = CODE_OTHER };
	symbol = symbols_at(places->symbols, addr);
	/* Made code that the table does not have yet is tracing's more often than not. */
	if (!symbol)
		return (struct code_place){ .kind = CODE_TRAMPOLINE, .offset = 1 };
	found = code_place_by_name(symbol->name, symbol->module, addr - symbol->addr);
	nr = symbols_aliases(places->symbols, symbol->addr, &alias);
	for (size_t i = 0; i < nr && found.kind == CODE_OTHER; i++)
		found = code_place_by_name(alias[i].name, alias[i].module, addr - symbol->addr);
	return found;
}

/* The padding before a function has the name of the function before it, or one of its own. */
static uint64_t find_landing(void *arg, uint64_t to)
{
	const struct branch_places *places = arg;
	const struct symbol *next = places->symbols ? symbols_at(places->symbols, to + CODE_VENEER_SIZE) : NULL;

	if (!next || next->addr <= to || code_call_target(places->code, to) != next->addr)
		return to;
	return next->addr;
}

struct branch_place_rules branch_places_rules(const struct branch_places *places)
{
	return (struct branch_place_rules){
		.in_function = in_function,
		.is_traced = is_traced,
		.place = find_place,
		.landing = find_landing,
		.arg = (void *)places,
	};
}
