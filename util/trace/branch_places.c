// SPDX-License-Identifier: BSD-2-Clause
/* Places by their symbols. */
#include "util/trace/branch_places.h"

#include <string.h>

#include "util/base/glob.h"
#include "util/trace/tracing_code.h"

/*
 * arch/x86/entry/entry_64.S and entry_64_fred.S, whose labels are symbols too, and what there was
 * of arch/arm64/kernel/entry.S. The first that matches counts.
 */
static const struct {
	const char *glob;
	enum interrupt_place at_start;
	enum interrupt_place further_in;
} interrupt_names[] = {
	/* Tables of stubs, one a vector. */
	{ "irq_entries_start", INTERRUPT_ENTRY, INTERRUPT_ENTRY },
	{ "spurious_entries_start", INTERRUPT_ENTRY, INTERRUPT_ENTRY },
	{ "vectors", INTERRUPT_ENTRY, INTERRUPT_ENTRY },
	{ "asm_exc_*", INTERRUPT_ENTRY, INTERRUPT_BODY },
	{ "asm_sysvec_*", INTERRUPT_ENTRY, INTERRUPT_BODY },
	{ "asm_common_interrupt", INTERRUPT_ENTRY, INTERRUPT_BODY },
	{ "asm_spurious_interrupt", INTERRUPT_ENTRY, INTERRUPT_BODY },
	{ "asm_fred_entrypoint_kernel", INTERRUPT_ENTRY, INTERRUPT_BODY },
	{ "asm_call_irq_on_stack", INTERRUPT_BODY, INTERRUPT_BODY },
	{ "asm_call_sysvec_on_stack", INTERRUPT_BODY, INTERRUPT_BODY },
	{ "error_return", INTERRUPT_BODY, INTERRUPT_BODY },
	{ "paranoid_exit", INTERRUPT_BODY, INTERRUPT_BODY },
	{ "nested_nmi", INTERRUPT_BODY, INTERRUPT_BODY },
	{ "first_nmi", INTERRUPT_BODY, INTERRUPT_BODY },
	{ "repeat_nmi", INTERRUPT_BODY, INTERRUPT_BODY },
	{ "end_repeat_nmi", INTERRUPT_BODY, INTERRUPT_BODY },
	{ "nmi_no_fsgsbase", INTERRUPT_BODY, INTERRUPT_BODY },
	{ "nmi_swapgs", INTERRUPT_BODY, INTERRUPT_BODY },
	{ "el1?_64_*", INTERRUPT_BODY, INTERRUPT_BODY },
	/* System calls go this way, too. */
	{ "common_interrupt_return", INTERRUPT_BODY, INTERRUPT_BODY },
	{ "swapgs_restore_regs_and_return_to_usermode", INTERRUPT_BODY, INTERRUPT_BODY },
	{ "restore_regs_and_return_to_kernel", INTERRUPT_EXIT, INTERRUPT_EXIT },
	{ "early_xen_iret_patch", INTERRUPT_EXIT, INTERRUPT_EXIT },
	{ "native_irq_return_iret", INTERRUPT_EXIT, INTERRUPT_EXIT },
	{ "native_iret", INTERRUPT_EXIT, INTERRUPT_EXIT },
	{ "xen_iret", INTERRUPT_EXIT, INTERRUPT_EXIT },
	{ "nested_nmi_out", INTERRUPT_EXIT, INTERRUPT_EXIT },
	{ "nmi_restore", INTERRUPT_EXIT, INTERRUPT_EXIT },
	{ "ret_to_kernel", INTERRUPT_EXIT, INTERRUPT_EXIT },
};

enum interrupt_place interrupt_place_by_name(const char *symbol, bool at_start)
{
	for (size_t i = 0; i < sizeof(interrupt_names) / sizeof(interrupt_names[0]); i++) {
		if (glob_match(interrupt_names[i].glob, symbol))
			return at_start ? interrupt_names[i].at_start :
					  interrupt_names[i].further_in;
	}
	return INTERRUPT_NONE;
}

/* What compilers put behind names of their variants, numbers apart. */
static bool is_variant(const char *part, size_t len)
{
	static const char *const variants[] = {
		"constprop", "isra", "llvm", "lto_priv", "part", "__part",
	};
	size_t digits = strspn(part, "0123456789");

	if (len && digits >= len)
		return true;
	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
		if (strlen(variants[i]) == len && !strncmp(part, variants[i], len))
			return true;
	}
	return false;
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
		if (len == 4 && !strncmp(part, "cold", 4))
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
	for (size_t i = 0; i < nr; i++) {
		if (is_cold_part_of(symbol->name, alias[i].name))
			return true;
	}
	return false;
}

/* Made code that the table does not have yet is tracing's more often than not. */
static bool is_tracing(void *arg, uint64_t addr)
{
	const struct branch_places *places = arg;
	const struct symbol *symbol;

	if (!places->symbols)
		return false;
	symbol = symbols_at(places->symbols, addr);
	return !symbol || is_tracing_code(symbol->name, symbol->module);
}

static enum interrupt_place interrupt_place(void *arg, uint64_t addr)
{
	const struct branch_places *places = arg;
	const struct symbol *symbol = places->symbols ? symbols_at(places->symbols, addr) : NULL;
	enum interrupt_place place = INTERRUPT_NONE;
	const struct symbol *alias = NULL;
	size_t nr;

	if (!symbol || symbol->module)
		return INTERRUPT_NONE;
	nr = symbols_aliases(places->symbols, symbol->addr, &alias);
	for (size_t i = 0; i < nr && place == INTERRUPT_NONE; i++)
		place = interrupt_place_by_name(alias[i].name, addr == symbol->addr);
	return place;
}

struct branch_place_rules branch_places_rules(const struct branch_places *places)
{
	return (struct branch_place_rules){
		.in_function = in_function,
		.is_tracing = is_tracing,
		.interrupt_place = interrupt_place,
		.arg = (void *)places,
	};
}
