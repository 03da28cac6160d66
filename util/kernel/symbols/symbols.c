// SPDX-License-Identifier: BSD-2-Clause
/* The symbol table: lookup by address and by name, adding new symbols. */
#include "util/kernel/symbols/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/hash.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/search.h"
#include "util/kernel/symbols/symbols_internal.h"
#include "util/kernel/types/symbol_variant.h"

#define ARENA_CHUNK (256 * 1024)

const char *arena_add(struct arena *arena, const char *s, size_t len)
{
	size_t cap = len + 1 > ARENA_CHUNK ? len + 1 : ARENA_CHUNK;
	char *p;

	if (!arena->blocks.len || arena->cap - arena->used <= len) {
		p = malloc(cap);
		if (!p)
			return NULL;
		if (vec_push(&arena->blocks, p)) {
			free(p);
			return NULL;
		}
		arena->used = 0;
		arena->cap = cap;
	}
	p = arena->blocks.data[arena->blocks.len - 1] + arena->used;
	memcpy(p, s, len);
	p[len] = '\0';
	arena->used += len + 1;
	return p;
}

static void arena_release(struct arena *arena)
{
	vec_foreach(block, &arena->blocks)
		free(*block);
	vec_release(&arena->blocks);
	arena->used = arena->cap = 0;
}

struct symbols *symbols_new(void)
{
	struct symbols *symbols = calloc(1, sizeof(*symbols));

	if (symbols) {
		symbols->iterator = -1;
		symbols->asker = (struct symbol_asker)SYMBOL_ASKER_INIT;
	}
	return symbols;
}

void symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return;
	vec_foreach(array, &symbols->retired)
		free(*array);
	vec_release(&symbols->retired);
	vec_foreach(symbol, &symbols->asked)
		free(*symbol);
	vec_release(&symbols->asked);
	symbol_asker_close(&symbols->asker);
	vec_release(&symbols->all);
	vec_release(&symbols->modules);
	arena_release(&symbols->strings);
	symbols_forget_names(symbols);
	close_fd(&symbols->iterator);
	free(symbols->kallsyms_path);
	free(symbols->modules_path);
	elf_file_free(symbols->file);
	free(symbols);
}

const char *symbols_intern_module(struct symbols *symbols, const char *name, size_t len)
{
	const char *copy;

	/* From the end: the symbols of one module come one after the other. */
	for (size_t i = symbols->modules.len; i-- > 0;) {
		copy = symbols->modules.data[i];
		if (!strncmp(copy, name, len) && !copy[len])
			return copy;
	}
	copy = arena_add(&symbols->strings, name, len);
	if (!copy || vec_push(&symbols->modules, copy))
		return NULL;
	return copy;
}

bool symbols_have_module(const struct symbols *symbols, const char *module)
{
	return vec_find(name, &symbols->modules, !strcmp(*name, module));
}

/* Index of the first symbol above @addr. */
static size_t upper_bound(const struct symbols *symbols, uint64_t addr)
{
	return bisect(i, symbols->all.len, symbols->all.data[i].addr <= addr);
}

bool is_section_marker(const char *name)
{
	/* All begin so (include/asm-generic/vmlinux.lds.h, Linux 7.2); it is asked for every symbol. */
	return startswith(name, "__") && (endswith(name, "_text_start") || endswith(name, "_text_end"));
}

/* A rank for the names of one address: high for names that people seldom use. */
static unsigned int name_strangeness(const struct symbol *symbol)
{
	const char *name = symbol->name;
	unsigned int strange = 0;

	/*
	 * Code made while the kernel runs. What a module loaded during tracing freed after its start
	 * keeps its names in /proc/kallsyms (ftrace_free_mem() in kernel/trace/ftrace.c).
	 */
	if (symbol->module && !strcmp(symbol->module, "bpf"))
		return 0;
	/* Where a section starts or ends, by the linker script; no function of that name. */
	if (is_section_marker(name) || endswith(name, "text") || endswith(name, "_begin") ||
	    !strcmp(name, "_end"))
		strange += 1000;
	/* The second names of every module's init and exit functions. */
	if (!strcmp(name, "init_module") || !strcmp(name, "cleanup_module"))
		strange += 500;
	if (symbol->type == 't' || symbol->type == 'w')
		strange += 200;
	else if (symbol->type == 'W')
		strange += 50;
	if (strchr(name, '.'))
		strange += 100;
	/* arm64's second names for code that may run before the kernel is mapped; "strcmp" is weak there. */
	if (startswith(name, "__pi_"))
		strange += 100;
	if (startswith(name, "__ia32_"))
		strange += 10;
	else if (startswith(name, "__se_"))
		strange += 20;
	else if (startswith(name, "__do_sys_"))
		strange += 30;
	else if (!startswith(name, "__x64_") && !startswith(name, "__arm64_") &&
		 !startswith(name, "__riscv_"))
		strange += 1 + (name[0] == '_') + (name[0] == '_' && name[1] == '_');
	return strange;
}

/* That contains @addr, of those that the kernel was asked for. */
static const struct symbol *asked_at(const struct symbols *symbols, uint64_t addr)
{
	vec_foreach(symbol, &symbols->asked) {
		if (addr - (*symbol)->addr < (*symbol)->size)
			return *symbol;
	}
	return NULL;
}

const struct symbol *symbols_at(const struct symbols *symbols, uint64_t addr)
{
	const struct symbol *all = symbols->all.data, *best = asked_at(symbols, addr);
	size_t end = upper_bound(symbols, addr), i;
	unsigned int least = 0;

	if (best || !end)
		return best;
	/* Equals by name order: the first wins. */
	for (i = end; i-- > 0 && all[i].addr == all[end - 1].addr;) {
		const struct symbol *symbol = all + i;
		unsigned int strange;

		if (addr != symbol->addr && addr - symbol->addr >= symbol->size)
			continue;
		if (!best && (!i || all[i - 1].addr != symbol->addr))
			return symbol;
		strange = name_strangeness(symbol);
		if (!best || strange <= least) {
			best = symbol;
			least = strange;
		}
	}
	return best;
}

size_t symbols_aliases(const struct symbols *symbols, uint64_t addr,
		       const struct symbol **ret_first)
{
	const struct symbol *asked = asked_at(symbols, addr);
	size_t end = upper_bound(symbols, addr), first = end;

	if (asked && asked->addr == addr) {
		*ret_first = asked;
		return 1;
	}
	while (first > 0 && symbols->all.data[first - 1].addr == addr)
		first--;
	if (first < end)
		*ret_first = symbols->all.data + first;
	return end - first;
}

size_t symbols_all(const struct symbols *symbols, const struct symbol **ret_first)
{
	*ret_first = symbols->all.data;
	return symbols->all.len;
}

/* A hash of the name without compilers' suffixes: "foo" and "foo.llvm.123" are in one group. */
static uint32_t hash_name(const char *name)
{
	return hash_bytes(name, strchrnul(name, '.') - name);
}

/* By that part first, then by the rest. */
static int compare_names(const char *a, const char *b)
{
	size_t a_len = symbol_known_length(a), b_len = symbol_known_length(b);
	int order = memcmp(a, b, a_len < b_len ? a_len : b_len);

	if (order || a_len != b_len)
		return order ?: (a_len > b_len) - (a_len < b_len);
	return strcmp(a + a_len, b + b_len);
}

/* Whether a symbol is found under a name: its own, or what the sources call it. */
static bool goes_by(const char *symbol, const char *name, size_t name_len)
{
	return !strncmp(symbol, name, name_len) &&
	       (!symbol[name_len] || symbol_known_length(symbol) == name_len);
}

/*
 * Group the symbols by hash of their names with two counting passes; a sort of the names takes
 * ten times as long, and this is in the way of every start.
 */
static int build_name_index(const struct symbols *symbols, struct name_index *ret_index)
{
	size_t nr = symbols->all.len, nr_slots = 64;
	struct name_index index = {};
	_cleanup_(free_p) uint32_t *hashes = NULL;

	while (nr_slots < nr)
		nr_slots *= 2;
	index.mask = nr_slots - 1;
	index.by_name = malloc((nr ?: 1) * sizeof(*index.by_name));
	index.slots = calloc(nr_slots + 2, sizeof(*index.slots));
	hashes = malloc((nr ?: 1) * sizeof(*hashes));
	if (!index.by_name || !index.slots || !hashes) {
		free(index.by_name);
		free(index.slots);
		return report_oom();
	}
	for (size_t i = 0; i < nr; i++) {
		hashes[i] = hash_name(symbols->all.data[i].name) & index.mask;
		index.slots[hashes[i] + 2]++;
	}
	for (size_t slot = 2; slot < nr_slots + 2; slot++)
		index.slots[slot] += index.slots[slot - 1];
	/* Filling moves slots[h + 1] from the start of h to its end, the start of h + 1. */
	for (size_t i = 0; i < nr; i++)
		index.by_name[index.slots[hashes[i] + 1]++] = symbols->all.data + i;
	*ret_index = index;
	return 0;
}

/*
 * Put symbols of one name in a group next to each other, in order of address, which is the order in
 * which they came. Groups have one or two symbols; most are never read.
 */
static void sort_group(const struct symbol **group, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		const struct symbol *symbol = group[i];
		size_t at = i;

		for (; at && compare_names(group[at - 1]->name, symbol->name) > 0; at--)
			group[at] = group[at - 1];
		group[at] = symbol;
	}
}

size_t symbols_named(const struct symbols *symbols, const char *name,
		     const struct symbol *const **ret_first)
{
	/* A cache inside: the table looks the same before and after. */
	struct name_index *index = (struct name_index *)&symbols->names;
	size_t len = strlen(name), first, end, at;

	if (!index->by_name && build_name_index(symbols, index))
		return 0;
	at = hash_name(name) & index->mask;
	first = index->slots[at];
	end = index->slots[at + 1];
	sort_group(index->by_name + first, end - first);
	while (first < end && !goes_by(index->by_name[first]->name, name, len))
		first++;
	for (at = first; at < end && goes_by(index->by_name[at]->name, name, len); at++)
		;
	if (at > first)
		*ret_first = index->by_name + first;
	return at - first;
}

void symbols_forget_names(struct symbols *symbols)
{
	free(symbols->names.by_name);
	free(symbols->names.slots);
	symbols->names = (struct name_index){};
}

/*
 * The kernel's size of a function reaches to the next symbol, with padding; the size in a file's
 * symbol table does not include padding.
 */
#define MAX_PADDING 63

unsigned int symbols_size_fit(const struct symbols *symbols, const struct symbol *symbol,
			      uint64_t size)
{
	size_t next = upper_bound(symbols, symbol->addr);

	if (next < symbols->all.len && symbols->all.data[next].addr - symbol->addr == size)
		return 3;
	if (size == symbol->size)
		return 2;
	return size > symbol->size && size - symbol->size <= MAX_PADDING;
}

/* Whether an older symbol overlaps with a current one. */
static bool symbols_overlap(const struct symbol *old, const struct symbol *now)
{
	uint64_t old_size = old->size ?: 1, now_size = now->size ?: 1;

	return old->addr < now->addr + now_size && now->addr < old->addr + old_size;
}

static bool same_module(const struct symbol *a, const struct symbol *b)
{
	return !strcmp(a->module ?: "", b->module ?: "");
}

static int copy_symbol(struct symbols *symbols, const struct symbol *from, struct symbol *ret)
{
	struct symbol copy = *from;

	copy.name = arena_add(&symbols->strings, from->name, strlen(from->name));
	if (from->module)
		copy.module = symbols_intern_module(symbols, from->module, strlen(from->module));
	if (!copy.name || (from->module && !copy.module))
		return -ENOMEM;
	*ret = copy;
	return 0;
}

int symbols_merge(struct symbols *symbols, const struct symbols *now, symbol_vec *ret_merged,
		  bool *ret_changed)
{
	const struct symbol *old = symbols->all.data, *old_end = old ? old + symbols->all.len : old;
	const struct symbol *new = now->all.data, *new_end = new ? new + now->all.len : new;
	symbol_vec merged = VEC_INIT;
	bool changed = false;

	if (vec_reserve(&merged, symbols->all.len + now->all.len))
		return -ENOMEM;
	while (old < old_end || new < new_end) {
		int order = old == old_end ? 1 : new == new_end ? -1 : symbols_compare(old, new);

		if (order < 0) {
			const struct symbol *before = new > now->all.data ? new - 1 : NULL;

			if (!(before && symbols_overlap(old, before)) &&
			    !(new < new_end && symbols_overlap(old, new)))
				merged.data[merged.len++] = *old;
			else
				changed = true;
			old++;
		} else if (order > 0) {
			if (copy_symbol(symbols, new, merged.data + merged.len)) {
				vec_release(&merged);
				return -ENOMEM;
			}
			merged.len++;
			new++;
			changed = true;
		} else {
			/* Another module may have taken the place, with a function of that name. */
			if (!same_module(old, new)) {
				if (copy_symbol(symbols, new, merged.data + merged.len)) {
					vec_release(&merged);
					return -ENOMEM;
				}
				changed = true;
			} else {
				merged.data[merged.len] = *old;
				merged.data[merged.len].size = new->size;
			}
			merged.len++;
			old++;
			new++;
		}
	}
	*ret_merged = merged;
	*ret_changed = changed;
	return 0;
}

int symbols_refresh(struct symbols *symbols)
{
	_cleanup_(close_fd) int iterator = -1;
	struct symbol_source source;
	struct symbols *now = NULL;
	symbol_vec merged = VEC_INIT;
	bool changed = false;
	int err;

	if (!symbols->kallsyms_path)
		return 0;
	iterator = take_fd(symbols->iterator);
	source = symbols_iterator_source(&iterator);
	err = symbols_load_with(&source, 1, symbols->kallsyms_path, symbols->modules_path, &now);
	if (err)
		return err;
	err = symbols_merge(symbols, now, &merged, &changed);
	symbols_free(now);
	if (err)
		return report_oom();
	if (vec_reserve(&symbols->retired, symbols->retired.len + symbols->asked.len + 2)) {
		vec_release(&merged);
		return report_oom();
	}
	vec_foreach(symbol, &symbols->asked)
		vec_push(&symbols->retired, (void *)*symbol);
	symbols->asked.len = 0;
	if (!changed) {
		vec_release(&merged);
		return 0;
	}
	symbols->retired_bytes += symbols->all.cap * sizeof(*symbols->all.data);
	if (symbols->names.by_name)
		symbols->retired_bytes += symbols->all.len * sizeof(*symbols->names.by_name);
	vec_push(&symbols->retired, (void *)symbols->all.data);
	vec_push(&symbols->retired, (void *)symbols->names.by_name);
	free(symbols->names.slots);
	symbols->names = (struct name_index){};
	symbols->all.data = merged.data;
	symbols->all.len = merged.len;
	symbols->all.cap = merged.cap;
	return 0;
}

size_t symbols_retired_bytes(const struct symbols *symbols)
{
	return symbols->retired_bytes;
}

bool symbol_is_made(const struct symbol *symbol)
{
	static const char *const makers[] = { "bpf", "ftrace", "kprobes" };

	return symbol->module && array_find(maker, makers, !strcmp(symbol->module, *maker));
}

/* What the kernel was asked for before, and has freed since: earlier pointers stay valid. */
static void retire_overlapping(struct symbols *symbols, const struct symbol *now)
{
	size_t kept = 0;

	vec_foreach(symbol, &symbols->asked) {
		if (symbols_overlap(*symbol, now))
			symbols->retired.data[symbols->retired.len++] = *symbol;
		else
			symbols->asked.data[kept++] = *symbol;
	}
	symbols->asked.len = kept;
}

static const struct symbol *take_answer(struct symbols *symbols, const struct symbol *told)
{
	struct symbol *symbol;

	/* Room first: nothing is taken over if there is none. */
	if (vec_reserve(&symbols->retired, symbols->retired.len + symbols->asked.len) ||
	    vec_reserve(&symbols->asked, symbols->asked.len + 1))
		return NULL;
	symbol = malloc(sizeof(*symbol));
	if (!symbol)
		return NULL;
	if (copy_symbol(symbols, told, symbol)) {
		free(symbol);
		return NULL;
	}
	retire_overlapping(symbols, symbol);
	symbols->asked.data[symbols->asked.len++] = symbol;
	return symbol;
}

const struct symbol *symbols_ask(struct symbols *symbols, uint64_t addr)
{
	const struct symbol *known = symbols_at(symbols, addr);
	struct symbol told = { .module = "bpf", .type = 't' };
	_cleanup_(free_p) char *name = NULL;
	struct symbol_answer answer;
	const char *text = symbol_ask(&symbols->asker, addr);

	/* Of code from elsewhere, all symbols are wanted. */
	if (!text || symbol_answer_parse(text, &answer) || answer.module || !startswith(text, "bpf_"))
		return NULL;
	name = strndup(text, answer.name_len);
	if (!name)
		return NULL;
	told.addr = addr - answer.offset;
	told.size = answer.size;
	told.name = name;
	if (known && known->addr == told.addr && !strcmp(known->name, name) && same_module(known, &told))
		return known;
	return take_answer(symbols, &told);
}

const struct kernel_tables *symbols_tables(const struct symbols *symbols)
{
	return &symbols->tables;
}

void symbols_per_cpu(const struct symbols *symbols, uint64_t *ret_offsets,
		     uint64_t *ret_preempt_count)
{
	*ret_offsets = symbols->per_cpu_offsets;
	*ret_preempt_count = symbols->preempt_count;
}
