// SPDX-License-Identifier: BSD-2-Clause
/* The functions whose code makes an errno. */
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/code/routine.h"
#include "util/kernel/symbols/symbols.h"
#include "util/why/why_internal.h"

/* Code is read in pieces of this size, which overlap: an instruction may begin in one and end in the next. */
#define PIECE (256 * 1024)
#define OVERLAP 16
/* How far from a function that makes the errno callers are looked for, as long as none can be traced. */
#define MAX_ROUNDS 4

typedef VEC(const struct symbol *) symbol_list;

/* A call or jump, and where it leads. */
struct call_site {
	uint64_t at, target;
};
typedef VEC(struct call_site) call_list;

struct search {
	const struct why_code *code;
	int err;
	uint64_t begin, end; /* of the code that has symbols */
	uint64_t own_end; /* of the kernel's own code, without modules */
	call_list calls; /* every call in the kernel's code, which is read once; by a veneer on arm64, the call of that */
	symbol_list makers; /* can be traced */
	symbol_list found; /* those that call an untraceable one, or jump through a pointer */
	symbol_list untraced; /* cannot: who calls them is looked for */
	size_t round_begin; /* in untraced: those of this round */
	VEC(uint64_t) called_at; /* where their calls lead, if not to themselves */
	symbol_list thunks;
	/* Whether a function that is looked for may be at an address. */
	uint8_t marks[1 << 16];
};

static uint8_t *mark_of(struct search *search, uint64_t addr)
{
	return &search->marks[(addr >> 4) % sizeof(search->marks)];
}

static bool has(const symbol_list *list, size_t from, uint64_t addr)
{
	for (size_t i = from; i < list->len; i++) {
		if (list->data[i]->addr == addr)
			return true;
	}
	return false;
}

/*
 * The function that code of a symbol is part of: itself, or for the unlikely part that compilers split off,
 * "do_mount.cold", the other part. NULL: not known.
 */
static const struct symbol *function_of(const struct why_code *code, const struct symbol *symbol)
{
	const char *suffix = symbol ? strstr(symbol->name, ".cold") : NULL;
	const struct symbol *const *named;

	if (!suffix)
		return symbol;

	_cleanup_(free_p) char *name = strndup(symbol->name, suffix - symbol->name);

	/* Of functions of the same name, which one it is part of is not known. */
	return name && symbols_named(code->symbols, name, &named) == 1 ? named[0] : NULL;
}

/*
 * Note the function at an address, which makes the errno or calls one that does: in @list, or as
 * untraced. 0; -ENOMEM (reported).
 */
static int note(struct search *search, symbol_list *list, uint64_t addr)
{
	const struct why_code *code = search->code;
	const struct symbol *symbol = function_of(code, symbols_at(code->symbols, addr));

	if (!symbol || !why_may_return_error(code, symbol))
		return 0;
	if (!why_can_trace(code, symbol)) {
		list = &search->untraced;
		if (has(list, 0, symbol->addr))
			return 0;
	}
	return vec_push(list, symbol) ? report_oom() : 0;
}

static int find_makers(struct search *search, const uint8_t *piece, size_t size, uint64_t addr)
{
	int32_t number = -search->err;
	int err = 0;

	for (size_t at = code_find_number(piece, size, 0, number); !err && at < size;
	     at = code_find_number(piece, size, at + 1, number))
		err = note(search, &search->makers, addr + at);
	return err;
}

static int find_calls(struct search *search, const uint8_t *piece, size_t size, uint64_t addr)
{
	struct call_site site;
	size_t at;

	for (at = code_find_call(piece, size, addr, 0, &site.target); at < size;
	     at = code_find_call(piece, size, addr, at + 1, &site.target)) {
		site.at = addr + at;
		/* Other bytes that look like a call lead anywhere. */
		if (site.target >= search->begin && site.target <= search->end &&
		    vec_push(&search->calls, site))
			return report_oom();
	}
	return 0;
}

/*
 * Whether jumps through pointers go by the code at @addr. Thunks without names are in memory that the kernel allocates,
 * as it does for modules.
 */
static bool is_thunk(struct search *search, uint64_t addr)
{
	const struct why_code *code = search->code;

	if (*mark_of(search, addr) && has(&search->thunks, 0, addr))
		return true;
	if (addr < arch_native->code_from || (addr >= search->begin && addr < search->own_end))
		return false;
	return code_thunk_register(&code->memory.source, addr) >= 0;
}

static int find_pointer_jumps(struct search *search, const uint8_t *piece, size_t size,
			      uint64_t addr)
{
	const struct symbol *symbol;
	uint64_t thunk;
	int err = 0;

	for (size_t at = code_find_pointer_jump(piece, size, addr, 0, &thunk); !err && at < size;
	     at = code_find_pointer_jump(piece, size, addr, at + 1, &thunk)) {
		if (thunk && !is_thunk(search, thunk))
			continue;
		symbol = symbols_at(search->code->symbols, addr + at);
		if (symbol && why_can_trace(search->code, symbol))
			err = note(search, &search->found, addr + at);
	}
	return err;
}

static int look_at(struct search *search, const uint8_t *piece, size_t size, uint64_t addr)
{
	/* Without the list of what can be traced, most makers might be refused. */
	int err = search->code->traceable ? find_makers(search, piece, size, addr) : 0;

	err = err ?: find_pointer_jumps(search, piece, size, addr);
	return err ?: find_calls(search, piece, size, addr);
}

/* Look through all code that has symbols. 0; -ENOMEM (reported). */
static int look_through(struct search *search)
{
	_cleanup_(free_p) uint8_t *piece = malloc(PIECE);
	const struct symbol *symbol;
	uint64_t end = 0, at;
	size_t nr = symbols_all(search->code->symbols, &symbol);
	int err = piece ? 0 : report_oom();

	if (nr) {
		search->begin = symbol[0].addr;
		search->end = symbol[nr - 1].addr + symbol[nr - 1].size;
		for (size_t i = 0; i < nr && !symbol[i].module; i++)
			search->own_end = symbol[i].addr + symbol[i].size;
	}
	for (; !err && nr--; symbol++) {
		at = symbol->addr > end ? symbol->addr : end - OVERLAP;
		while (!err && end < symbol->addr + symbol->size) {
			long size = code_memory_read_once(&search->code->memory, at, piece, PIECE);

			if (size <= OVERLAP) {
				end = symbol->addr + symbol->size;
				break;
			}
			err = look_at(search, piece, size, at);
			end = at + size;
			at = end - OVERLAP;
		}
	}
	return err;
}

/* Note the thunks that jumps through pointers go by. 0; -ENOMEM (reported). */
static int find_thunks(struct search *search)
{
	const struct symbol *symbol;
	size_t nr = symbols_all(search->code->symbols, &symbol);

	for (; nr--; symbol++) {
		if (thunk_register(symbol->name) < 0)
			continue;
		*mark_of(search, symbol->addr) = 1;
		if (vec_push(&search->thunks, symbol))
			return report_oom();
	}
	return 0;
}

/* Look for what calls a function. 0; -ENOMEM (reported). */
static int look_for(struct search *search, uint64_t function)
{
	uint64_t called_at = code_called_at(&search->code->memory.source, function);

	*mark_of(search, function) = 1;
	*mark_of(search, called_at) = 1;
	if (called_at != function && vec_push(&search->called_at, called_at))
		return report_oom();
	return 0;
}

static bool is_looked_for(const struct search *search, uint64_t target)
{
	return vec_find(called_at, &search->called_at, *called_at == target) ||
	       has(&search->untraced, search->round_begin, target);
}

/* Of functions that cannot be traced, find who calls them, and so on. 0; -ENOMEM (reported). */
static int find_above(struct search *search)
{
	size_t end;
	int err = 0;

	for (int round = 0;
	     !err && round < MAX_ROUNDS && search->round_begin < search->untraced.len; round++) {
		memset(search->marks, 0, sizeof(search->marks));
		end = search->untraced.len;
		search->called_at.len = 0;
		for (size_t i = search->round_begin; i < end && !err; i++)
			err = look_for(search, search->untraced.data[i]->addr);
		vec_foreach(call, &search->calls) {
			if (!err && *mark_of(search, call->target) && is_looked_for(search, call->target))
				err = note(search, &search->found, call->at);
		}
		search->round_begin = end;
	}
	return err;
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = *(const struct symbol *const *)a,
			    *y = *(const struct symbol *const *)b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Leave out what is found twice, or asked for already. */
static void settle(symbol_list *found, const struct pass_ask *ask)
{
	size_t nr = 0;

	vec_sort(found, by_address);
	vec_foreach(symbol, found) {
		bool known = nr && found->data[nr - 1] == *symbol;

		for (size_t i = 0; !known && i < ask->funcs.len; i++)
			known = ask->funcs.data[i]->addr == (*symbol)->addr;
		if (!known)
			found->data[nr++] = *symbol;
	}
	found->len = nr;
}

int why_add_producers(struct why_code *code, int err, struct pass_ask *ask, size_t max)
{
	struct search *search = calloc(1, sizeof(*search));
	symbol_list *found = &search->found;
	int failed;

	if (!search)
		return report_oom();
	search->code = code;
	search->err = err;
	failed = find_thunks(search);
	failed = failed ?: look_through(search);
	failed = failed ?: find_above(search);
	vec_foreach(symbol, &search->makers)
		failed = failed ?: vec_push(found, *symbol) ? report_oom() : 0;
	settle(&search->makers, ask);
	settle(found, ask);
	if (found->len > max)
		found = &search->makers;
	for (size_t i = 0; !failed && found->len <= max && i < found->len; i++)
		failed = vec_push(&ask->funcs, found->data[i]) ? report_oom() : 0;
	vec_release(&search->calls);
	vec_release(&search->makers);
	vec_release(&search->found);
	vec_release(&search->untraced);
	vec_release(&search->thunks);
	vec_release(&search->called_at);
	free(search);
	return failed;
}
