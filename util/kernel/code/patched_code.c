// SPDX-License-Identifier: BSD-2-Clause
/*
 * The kernel's lists of instructions to replace, as x86 and arm64 have them: each entry begins with the
 * offset of its instruction from where that offset stands.
 */
#include "util/kernel/code/patched_code.h"

#include <errno.h>
#include <stdlib.h>

#include "util/base/cleanup.h"
#include "util/base/search.h"
#include "util/kernel/symbols/symbols.h"

/* Real lists have some thousands of entries. */
#define MAX_LIST (4u << 20)

/* The 32-bit words of a struct jump_entry, and of a struct static_call_site. */
#define JUMP_WORDS 4
#define CALL_WORDS 2

static int read_list(const struct code_source *source, uint64_t start, uint64_t end, uint32_t words,
		     struct patched_code *patched)
{
	_cleanup_(free_p) int32_t *raw = NULL;
	size_t size = end - start;

	if (!start || end <= start || size > MAX_LIST || size % (words * sizeof(*raw)))
		return -ENOENT;
	raw = malloc(size);
	if (!raw)
		return -ENOMEM;
	if (source->read(source->arg, start, raw, size) != (long)size)
		return -EFAULT;
	for (size_t i = 0; i < size / sizeof(*raw); i += words) {
		if (vec_push(&patched->v, start + i * sizeof(*raw) + raw[i]))
			return -ENOMEM;
	}
	return 0;
}

int patched_code_read(const struct code_source *source, const struct kernel_tables *tables,
		      struct patched_code *patched)
{
	int err = read_list(source, tables->jump_labels, tables->jump_labels_end, JUMP_WORDS, patched);

	/* Some architectures have no static calls in code. */
	if (!err && tables->static_calls)
		err = read_list(source, tables->static_calls, tables->static_calls_end, CALL_WORDS,
				patched);
	patched->known = !err;
	vec_sort(&patched->v, compare_u64);
	return err == -ENOMEM ? err : 0;
}

void patched_code_release(struct patched_code *patched)
{
	vec_release(&patched->v);
}

bool patched_code_has(const struct patched_code *patched, uint64_t addr)
{
	size_t at = bisect(i, patched->v.len, patched->v.data[i] < addr);

	return at < patched->v.len && patched->v.data[at] == addr;
}
