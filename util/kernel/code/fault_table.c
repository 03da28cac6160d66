// SPDX-License-Identifier: BSD-2-Clause
/* The kernel's exception table, as x86 and arm64 have it: offsets from where each of them stands. */
#include "util/kernel/code/fault_table.h"

#include <errno.h>
#include <stdlib.h>

#include "util/base/bisect.h"
#include "util/base/cleanup.h"

/* Real tables have a few thousand entries. */
#define MAX_TABLE (4u << 20)

struct raw_entry {
	int32_t insn, fixup, type;
};
_Static_assert(sizeof(struct raw_entry) == 12, "the kernel's format");

static int by_insn(const void *a, const void *b)
{
	const struct fault_entry *x = a, *y = b;

	return x->insn < y->insn ? -1 : x->insn > y->insn;
}

int fault_table_read(const struct code_source *source, uint64_t start, uint64_t end,
		     struct fault_table *table)
{
	_cleanup_(free_p) struct raw_entry *raw = NULL;
	size_t nr;

	if (!start || end <= start || end - start > MAX_TABLE)
		return -ENOENT;
	nr = (end - start) / sizeof(*raw);
	raw = malloc(end - start);
	if (!raw || vec_reserve(&table->v, nr))
		return -ENOMEM;
	if (source->read(source->arg, start, raw, end - start) != (long)(end - start))
		return -EFAULT;
	table->v.len = 0;
	for (size_t i = 0; i < nr; i++) {
		uint64_t at = start + i * sizeof(*raw);

		table->v.data[table->v.len++] = (struct fault_entry){
			.insn = at + raw[i].insn,
			.fixup = at + sizeof(raw[i].insn) + raw[i].fixup,
		};
	}
	vec_sort(&table->v, by_insn);
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
