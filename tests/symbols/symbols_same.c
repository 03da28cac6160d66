// SPDX-License-Identifier: BSD-2-Clause
/*
 * symbols-same: whether a test kernel's iterator tells of the symbols that /proc/kallsyms has, whether its
 * memory has those that it did not make itself, and whether the kernel, asked for one BPF program, says the
 * same. Prints how many there are, or the first that differs.
 *
 * Exit status: 0 they are the same; 1 they are not; 2 the kernel has no iterator; 3 something failed.
 */
#include <bpf/btf.h>
#include <ctype.h>
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

/* Code that the kernel makes is not in its tables. */
static bool is_made(const struct symbol *symbol)
{
	return symbol->module && (!strcmp(symbol->module, "bpf") || !strcmp(symbol->module, "ftrace") ||
				  !strcmp(symbol->module, "kprobes"));
}

/* But for sizes. What modules export has a capital letter in /proc/kallsyms alone. */
static bool same_symbol(const struct symbol *a, const struct symbol *b)
{
	return a->addr == b->addr && same_text(a->name, b->name) && same_text(a->module, b->module) &&
	       (a->type == b->type || (a->module && tolower(a->type) == b->type));
}

static int compare(const struct symbols *text, const struct symbols *told, const char *by)
{
	const struct symbol *a = NULL, *b = NULL;
	size_t nr = symbols_all(text, &a), nr_told = symbols_all(told, &b), compared = 0;
	bool all = !strcmp(by, "iterator");

	for (size_t i = 0; i < nr; i++) {
		const struct symbol *other = b + compared;

		if (!all && is_made(a + i))
			continue;
		if (compared == nr_told || !same_symbol(a + i, other) ||
		    ((all || !a[i].module) && a[i].size != other->size)) {
			show("/proc/kallsyms", a + i);
			if (compared < nr_told)
				show(by, other);
			return 1;
		}
		compared++;
	}
	printf("%zu symbols, %zu by the %s\n", nr, nr_told, by);
	if (compared < nr_told)
		show(by, b + compared);
	return compared != nr_told ||
	       memcmp(symbols_tables(text), symbols_tables(told), sizeof(struct kernel_tables));
}

/* @text: with a program that is still there. */
static int compare_asked(const struct btf *types, const struct symbols *text)
{
	const struct symbol *all = NULL, *program = NULL, *function = NULL, *asked;
	struct symbols *symbols;
	size_t nr;

	if (symbols_load_kallsyms(types, false, &symbols))
		return 3;
	nr = symbols_all(text, &all);
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

static int tell_from_memory(void *arg, symbol_teller tell, void *tell_arg)
{
	int err = symbols_tell_from_memory(arg, tell, tell_arg);

	if (err)
		printf("not from memory: %s\n", strerror(-err));
	return err;
}

int main(void)
{
	struct btf *types = btf__load_vmlinux_btf();
	const struct symbol_source memory = { tell_from_memory, types };
	struct symbols *text, *told, *remembered;
	struct symbol_source iterator;
	int iterators[2], err;

	if (!types)
		return 2;
	/* Their program is a symbol, too: there before either is read. */
	err = symbols_iterators_new(types, iterators);
	if (err) {
		printf("no iterator: %s\n", strerror(-err));
		return 2;
	}
	iterator = symbols_iterator_source(iterators);
	if (symbols_load_kallsyms_from("/proc/kallsyms", "/proc/modules", &text) ||
	    /* A file that is not there: nothing but the source can have told. */
	    symbols_load_with(&iterator, 1, "/nonexistent", "/proc/modules", &told) ||
	    symbols_load_with(&memory, 1, "/nonexistent", "/proc/modules", &remembered))
		return 3;
	return compare(text, told, "iterator") ?: compare(text, remembered, "memory") ?:
	       compare_asked(types, text);
}
