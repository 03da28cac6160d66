// SPDX-License-Identifier: BSD-2-Clause
/*
 * symbols-same: whether the kernel's iterator tells of the symbols that /proc/kallsyms has, in a test
 * kernel. Prints how many there are, or the first that differs.
 *
 * Exit status: 0 they are the same; 1 they are not; 2 the kernel has no iterator; 3 something failed.
 */
#include <bpf/btf.h>
#include <stdio.h>
#include <string.h>

#include "util/kernel/symbols/symbols_internal.h"

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static void show(const char *whose, const struct symbol *symbol)
{
	printf("%s: %llx+%llu %c %s [%s]\n", whose, (unsigned long long)symbol->addr,
	       (unsigned long long)symbol->size, symbol->type, symbol->name, symbol->module ?: "");
}

static int compare(const struct symbols *text, const struct symbols *told)
{
	const struct symbol *a = NULL, *b = NULL;
	size_t nr = symbols_all(text, &a), nr_told = symbols_all(told, &b);

	for (size_t i = 0; i < nr && i < nr_told; i++) {
		if (a[i].addr != b[i].addr || a[i].size != b[i].size || a[i].type != b[i].type ||
		    !same_text(a[i].name, b[i].name) || !same_text(a[i].module, b[i].module)) {
			show("/proc/kallsyms", a + i);
			show("iterator", b + i);
			return 1;
		}
	}
	printf("%zu symbols, %zu by the iterator\n", nr, nr_told);
	return nr != nr_told ||
	       memcmp(symbols_tables(text), symbols_tables(told), sizeof(struct kernel_tables));
}

int main(void)
{
	struct btf *types = btf__load_vmlinux_btf();
	struct symbols *text, *told;
	int iterators[2], err;

	if (!types)
		return 2;
	/* Their program is a symbol, too: there before either is read. */
	err = symbols_iterators_new(types, iterators);
	if (err) {
		printf("no iterator: %s\n", strerror(-err));
		return 2;
	}
	if (symbols_load_kallsyms_from("/proc/kallsyms", "/proc/modules", &text) ||
	    /* A file that is not there: nothing but the iterator can have told. */
	    symbols_load_with(iterators[0], "/nonexistent", "/proc/modules", &told))
		return 3;
	return compare(text, told);
}
