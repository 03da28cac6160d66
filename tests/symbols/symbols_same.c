// SPDX-License-Identifier: BSD-2-Clause
/*
 * symbols-same: whether the kernel's iterator tells of the symbols that /proc/kallsyms has, in a test
 * kernel, and whether the kernel, asked for one BPF program, says the same. Prints how many there are, or
 * the first that differs.
 *
 * Exit status: 0 they are the same; 1 they are not; 2 the kernel has no iterator; 3 something failed.
 */
#include <bpf/btf.h>
#include <stdio.h>
#include <string.h>

#include "util/base/macros.h"
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

static int compare_asked(const struct btf *types)
{
	const struct symbol *all = NULL, *program = NULL, *function = NULL, *asked;
	struct symbols *symbols;
	size_t nr;

	if (symbols_load_kallsyms(types, &symbols))
		return 3;
	nr = symbols_all(symbols, &all);
	for (size_t i = 0; i < nr; i++) {
		/* Not a trampoline, which others may have left. */
		if (all[i].module && !strcmp(all[i].module, "bpf") &&
		    startswith(all[i].name, "bpf_prog_"))
			program = all + i;
		else if (!all[i].module)
			function = all + i;
	}
	if (!program || !function)
		return 3;
	asked = symbols_ask(symbols, program->addr + 1);
	if (!asked || asked->addr != program->addr || !same_text(asked->name, program->name) ||
	    !same_text(asked->module, program->module) || asked->size < 2 ||
	    asked->size > program->size) {
		show("/proc/kallsyms", program);
		if (asked)
			show("asked", asked);
		return 1;
	}
	/* It is asked once, and then known. */
	if (symbols_ask(symbols, asked->addr) != asked || symbols_at(symbols, asked->addr) != asked)
		return 1;
	if (symbols_ask(symbols, function->addr) || symbols_ask(symbols, 1))
		return 1;
	printf("asked: %s\n", asked->name);
	symbols_free(symbols);
	return 0;
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
	return compare(text, told) ?: compare_asked(types);
}
