/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The symbols of a kernel: names and addresses, of the running kernel (kallsyms) or of a vmlinux
 * file (ELF symbol table).
 *
 * A symbol is bound: it ends at the next symbol's address, its ELF size, or the end of its
 * section, so that an address beyond it is never given its name. Only symbols in code are kept.
 */
#ifndef RETSNOOP_KERNEL_SYMBOLS_SYMBOLS_H
#define RETSNOOP_KERNEL_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
	uint64_t addr;		/* run-time address (kallsyms) or link-time address (ELF) */
	uint64_t size;		/* bytes; 0 when nothing bounds it (then it matches addr only) */
	const char *name;	/* owned by the table */
	const char *module;	/* NULL for vmlinux; "bpf", "ftrace" and the like for made code; owned */
	char type;		/* kallsyms letter; not to be trusted for much */
};

struct symbols;

/**
 * Read /proc/kallsyms.
 *
 * @ret_symbols	release with symbols_free()
 * @return	0; -EPERM all addresses are zero (kptr_restrict; reported with what to do);
 *		-errno otherwise (reported)
 */
int symbols_load_kallsyms(struct symbols **ret_symbols);

/* The function symbols of an ELF file. 0; -ENOEXEC not ELF or no symbols (reported). */
int symbols_load_elf(const char *path, struct symbols **ret_symbols);

void symbols_free(struct symbols *symbols);

/* An empty table, to be filled by symbols_add(). NULL: out of memory. */
struct symbols *symbols_new(void);

/**
 * Add symbols, all there are at each address; those that were where the new ones are, go. Pointers
 * to symbols got before are not valid any more, those to their names are.
 *
 * @return	0; -ENOMEM, -E2BIG of too many modules (nothing was added)
 */
int symbols_add(struct symbols *symbols, const struct symbol *added, size_t nr);

/**
 * Read again what the running kernel may have added since: modules, BPF programs, trampolines.
 * Pointers got before stay valid.
 */
int symbols_refresh(struct symbols *symbols);

/*
 * The symbol that contains @addr, or NULL. Of several at one address the one people know:
 * global before local, no compiler suffix before one, __x64_sys_ before __do_sys_ and __se_sys_.
 */
const struct symbol *symbols_at(const struct symbols *symbols, uint64_t addr);

/*
 * All symbols that start at exactly @addr, as a run of the address-sorted table.
 * Returns their number; *ret_first is untouched when that is 0.
 */
size_t symbols_aliases(const struct symbols *symbols, uint64_t addr,
		       const struct symbol **ret_first);

/* All symbols, sorted by address (then name). */
size_t symbols_all(const struct symbols *symbols, const struct symbol **ret_first);

/*
 * Every symbol of that name, as consecutive entries of an array of pointers sorted by name; the
 * array belongs to the table. Returns their number. "foo" finds "foo.llvm.123" too, which is what
 * link-time optimisation makes of it.
 */
size_t symbols_named(const struct symbols *symbols, const char *name,
		     const struct symbol *const **ret_first);

/*
 * Where the kernel's per-CPU variables are, data that is in no table of code: the array of the
 * CPUs' parts, and in each the preempt count. 0 not known.
 */
void symbols_per_cpu(const struct symbols *symbols, uint64_t *ret_offsets,
		     uint64_t *ret_preempt_count);

/* Tables of the kernel's data; 0: not known. */
struct kernel_tables {
	uint64_t system_calls;	/* an address of a function for each system call */
	uint64_t exceptions;	/* where code goes on after a fault */
	uint64_t exceptions_end;
	uint64_t printk_text;	/* what vprintk_store() keeps a line in, before 5.11 */
	uint64_t current_task;	/* the per-CPU variable that leads to the running task; not on arm64 */
	uint64_t ftrace_pages;	/* a pointer to the list of functions that ftrace can trace */
};

const struct kernel_tables *symbols_tables(const struct symbols *symbols);

#endif
