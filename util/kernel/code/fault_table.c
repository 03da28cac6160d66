// SPDX-License-Identifier: BSD-2-Clause
/* The kernel's exception table, as x86 and arm64 have it: offsets from where each of them stands. */
#include "util/kernel/code/fault_table.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "util/base/cleanup.h"
#include "util/base/search.h"

/* Real tables have a few thousand entries. */
#define MAX_TABLE (4u << 20)

/* Offsets of the instruction and of its fixup; then its type, or the handler's offset, but on arm64 up to 5.15. */
#define ENTRY_WORDS 3
#define SHORT_ENTRY_WORDS 2

/* Of entries of so many words. */
static void add_entries(struct fault_table *table, uint64_t start, const int32_t *raw, size_t nr,
			size_t words)
{
	table->v.len = 0;
	for (size_t i = 0; i + words <= nr; i += words) {
		uint64_t at = start + i * sizeof(*raw);

		table->v.data[table->v.len++] = (struct fault_entry){
			.insn = at + raw[i],
			.fixup = at + sizeof(*raw) + raw[i + 1],
		};
	}
}

/* The kernel's build sorts it. */
static bool is_sorted(const struct fault_table *table)
{
	for (size_t i = 1; i < table->v.len; i++) {
		if (table->v.data[i].insn < table->v.data[i - 1].insn)
			return false;
	}
	return true;
}

int fault_table_read(const struct code_source *source, uint64_t start, uint64_t end,
		     struct fault_table *table)
{
	_cleanup_(free_p) int32_t *raw = NULL;
	size_t nr;

	if (!start || end <= start || end - start > MAX_TABLE)
		return -ENOENT;
	nr = (end - start) / sizeof(*raw);
	raw = malloc(end - start);
	if (!raw || vec_reserve(&table->v, nr / SHORT_ENTRY_WORDS))
		return -ENOMEM;
	if (source->read(source->arg, start, raw, end - start) != (long)(end - start))
		return -EFAULT;
	add_entries(table, start, raw, nr, ENTRY_WORDS);
	if (nr % ENTRY_WORDS || !is_sorted(table)) {
		add_entries(table, start, raw, nr, SHORT_ENTRY_WORDS);
		if (!is_sorted(table))
			add_entries(table, start, raw, nr, ENTRY_WORDS);
	}
	vec_sort(&table->v, compare_u64);
	return 0;
}

void fault_table_release(struct fault_table *table)
{
	vec_release(&table->v);
}

const struct fault_entry *fault_table_at(const struct fault_table *table, uint64_t insn)
{
	size_t at = bisect(i, table->v.len, table->v.data[i].insn < insn);

	return at < table->v.len && table->v.data[at].insn == insn ? &table->v.data[at] : NULL;
}
