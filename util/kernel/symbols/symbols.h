/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The symbols of a kernel: names and addresses, of the running kernel (kallsyms) or of a vmlinux
 * file (ELF symbol table).
 *
 * A symbol has an end: the next symbol's address, its ELF size, or the end of its section, so an
 * address after it never gets its name. Only symbols of code are kept.
 */
#ifndef RETSNOOP_KERNEL_SYMBOLS_SYMBOLS_H
#define RETSNOOP_KERNEL_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;

struct symbol {
	uint64_t addr;		/* run-time address (kallsyms) or link-time address (ELF) */
	uint64_t size;		/* bytes; 0: not known (then it matches addr only) */
	const char *name;	/* owned by the table */
	const char *module;	/* NULL: vmlinux; "bpf", "ftrace", ...: generated code; owned */
	char type;		/* kallsyms letter; not reliable */
};

struct symbols;

/* Whether /proc/kallsyms shows no addresses to this process. */
bool kernel_addresses_hidden(void);

/**
 * Read the running kernel's symbols: from its memory, by its BPF iterator, or from /proc/kallsyms.
 *
 * @types	the kernel's BTF, which the first two need; NULL: none
 * @made_code	whether those of code that the kernel made, such as BPF programs, must be there, which are
 *		not in its tables. Else they may come with symbols_refresh(); symbols_ask() has them.
 * @ret_symbols	release with symbols_free()
 * @return	0; -EPERM all addresses are zero (kptr_restrict; reported with what to do);
 *		-errno otherwise (reported)
 */
int symbols_load_kallsyms(const struct btf *types, bool made_code, struct symbols **ret_symbols);

/* The function symbols of an ELF file. 0; -ENOEXEC not ELF or no symbols (reported). */
int symbols_load_elf(const char *path, struct symbols **ret_symbols);

void symbols_free(struct symbols *symbols);

/* An empty table, to be filled by symbols_add(). NULL: out of memory. */
struct symbols *symbols_new(void);

/**
 * Add symbols. They must include all symbols at each of their addresses: older symbols there are
 * removed. Earlier pointers to symbols become invalid; pointers to names stay valid.
 *
 * @return	0; -ENOMEM, -E2BIG too many modules (nothing was added)
 */
int symbols_add(struct symbols *symbols, const struct symbol *added, size_t nr);

/* How often symbols_add() has replaced the table: pointers to symbols from before are invalid. */
unsigned int symbols_additions(const struct symbols *symbols);

/**
 * Read again what the running kernel may have added since: modules, BPF programs, trampolines.
 * Earlier pointers stay valid.
 */
int symbols_refresh(struct symbols *symbols);

/* Memory of tables that symbols_refresh() replaced, and keeps for earlier pointers. */
size_t symbols_retired_bytes(const struct symbols *symbols);

/*
 * Ask the running kernel for the BPF program or trampoline that contains @addr now: it may be newer than
 * the table, or than an earlier answer. The answer counts for symbols_at() from then on, until another
 * one or until symbols are read again. NULL: there is none, or the kernel cannot be asked (before 5.13).
 */
const struct symbol *symbols_ask(struct symbols *symbols, uint64_t addr);

/* Whether it is of code that the kernel made, and may free at any time: BPF programs, trampolines. */
bool symbol_is_made(const struct symbol *symbol);

/*
 * The symbol that contains @addr, or NULL. Of several at one address, the best-known: global
 * before local, names without a compiler's suffix first, __x64_sys_ before __do_sys_ and
 * __se_sys_.
 */
const struct symbol *symbols_at(const struct symbols *symbols, uint64_t addr);

/*
 * All symbols that start at exactly @addr, as a run of the address-sorted table. Returns their
 * number; if it is 0, *ret_first is not set.
 */
size_t symbols_aliases(const struct symbols *symbols, uint64_t addr,
		       const struct symbol **ret_first);

/* All symbols, sorted by address (then name). */
size_t symbols_all(const struct symbols *symbols, const struct symbol **ret_first);

/* Whether there are, or were since the table was made, symbols of a module ("ext4"). */
bool symbols_have_module(const struct symbols *symbols, const char *module);

/*
 * Every symbol of that name, as consecutive entries of an array of pointers sorted by name; the
 * array belongs to the table. Returns their number. "foo" also finds "foo.llvm.123", its name
 * after link-time optimisation.
 */
size_t symbols_named(const struct symbols *symbols, const char *name,
		     const struct symbol *const **ret_first);

/* Free that array, which takes a third of the table's memory again; it is made anew when it is needed. */
void symbols_forget_names(struct symbols *symbols);

/*
 * How well a size as the kernel prints it ("do_exit+0x2f/0xa10") agrees with a symbol; 0: not at all.
 * Among functions of one name, take those that agree best: others may be there by chance.
 */
unsigned int symbols_size_fit(const struct symbols *symbols, const struct symbol *symbol,
			      uint64_t size);

/*
 * The addresses of per-CPU data, which is not in the table of code: the array with the offset of
 * each CPU's variables, and the preempt count among these. 0 not known.
 */
void symbols_per_cpu(const struct symbols *symbols, uint64_t *ret_offsets,
		     uint64_t *ret_preempt_count);

/* Tables of the kernel's data; 0: not known. */
struct kernel_tables {
	uint64_t system_calls;	/* addresses of the system calls' functions */
	uint64_t exceptions;	/* where code goes on after faults */
	uint64_t exceptions_end;
	uint64_t jump_labels;	/* code that is replaced while the kernel runs */
	uint64_t jump_labels_end;
	uint64_t static_calls;	/* calls that are; not on arm64 */
	uint64_t static_calls_end;
	uint64_t printk_text;	/* vprintk_store()'s buffer for a line, before 5.11 */
	uint64_t current_task;	/* the per-CPU variable that leads to the running task; not on arm64 */
	uint64_t io_uring_issues;	/* by opcode: structs with the functions of io_uring's requests, since 6.0 */
	uint64_t ftrace_pages;	/* a pointer to the list of functions that ftrace can trace */
	uint64_t kprobes;	/* the hash table of all kprobes */
};

const struct kernel_tables *symbols_tables(const struct symbols *symbols);

#endif
