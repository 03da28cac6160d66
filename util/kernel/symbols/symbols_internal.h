/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shared by the parts of the symbol table: the table itself and its builders (kallsyms, ELF). For
 * symbols*.c and their tests only.
 */
#ifndef RETSNOOP_KERNEL_SYMBOLS_SYMBOLS_INTERNAL_H
#define RETSNOOP_KERNEL_SYMBOLS_SYMBOLS_INTERNAL_H

#include "util/base/cleanup.h"
#include "util/base/vec.h"
#include "util/kernel/elf/elf_file.h"
#include "util/kernel/symbols/symbol_asker.h"
#include "util/kernel/symbols/symbols.h"

struct btf;
struct code_source;
struct loaded_modules;

/* Strings that live as long as the arena; they are not freed one by one. */
struct arena {
	VEC(char *) blocks;
	size_t used, cap;	/* of the last block */
};

/* A NUL-terminated copy, or NULL when out of memory. */
const char *arena_add(struct arena *arena, const char *s, size_t len);

typedef VEC(struct symbol) symbol_vec;

/* Pointers to symbols, with equal names next to each other; slots[h]..slots[h + 1] have hash h. */
struct name_index {
	const struct symbol **by_name;
	uint32_t *slots;
	uint32_t mask;
};

struct symbols {
	symbol_vec all;			/* by address, then name */
	struct arena strings;
	VEC(const char *) modules;	/* names, each once; in `strings` */
	struct name_index names;	/* made by the first symbols_named() */
	unsigned int additions;		/* see symbols_additions() */
	VEC(void *) retired;		/* arrays that older pointers may point into */
	size_t retired_bytes;		/* memory that they take */
	uint64_t preempt_count, per_cpu_offsets;	/* see symbols_per_cpu() */
	struct kernel_tables tables;	/* see symbols_tables() */
	struct symbol_asker asker;	/* for symbols_ask() */
	VEC(struct symbol *) asked;	/* what it found since the table was read; each allocated */
	int iterator;			/* for the first symbols_refresh(); -1: it reads the text */
	char *kallsyms_path;		/* for symbols_refresh(); NULL: not from kallsyms */
	char *modules_path;
	struct elf_file *file;		/* that names point into, or NULL */
};

DEFINE_CLEANUP(struct symbols *, symbols_free)

/* The table's own copy of a module name; NULL when out of memory. */
const char *symbols_intern_module(struct symbols *symbols, const char *name, size_t len);

/*
 * Whether a symbol is a marker from the linker script, such as "__kprobes_text_end": megabytes of
 * padding may follow it, but no code of its own.
 */
bool is_section_marker(const char *name);

/*
 * Merge the present symbols into the table: equal strings are shared, and removed symbols (for
 * example a module's) are kept where no new ones took their place. 0 or -ENOMEM.
 */
int symbols_merge(struct symbols *symbols, const struct symbols *now, symbol_vec *ret_merged,
		  bool *ret_changed);

/* For qsort(): by address, then by name; a symbol without a name comes first. */
int symbols_compare(const void *a, const void *b);

/* Sort so. 0 or -ENOMEM. */
int symbols_sort(symbol_vec *vec);

/**
 * symbols_load_kallsyms() with other files than those in /proc.
 *
 * @modules_path	in the form of /proc/modules, for where modules end; may not exist
 */
int symbols_load_kallsyms_from(const char *kallsyms_path, const char *modules_path,
			       struct symbols **ret_symbols);

/* KSYM_NAME_LEN, with the zero; 128 in kernels before 6.1. */
#define SYMBOL_NAME_ROOM 512

/* A symbol of the running kernel while it is read. Names are not NUL-terminated. */
struct told_symbol {
	uint64_t addr;
	char type;		/* kallsyms letter */
	const char *name;
	size_t name_len;
	const char *module;	/* from the brackets in /proc/kallsyms; NULL: none */
	size_t module_len;
};

/* Called for each symbol. 0; -errno ends reading. */
typedef int (*symbol_teller)(void *arg, const struct told_symbol *symbol);

/* Something that tells of all symbols, in binary. 0; -errno (not reported), and what it told is forgotten. */
struct symbol_source {
	int (*tell)(void *arg, symbol_teller tell, void *tell_arg);
	void *arg;
};

/* The same by the first of @sources that works; the file is read if none does. */
int symbols_load_with(const struct symbol_source *sources, size_t nr_sources, const char *kallsyms_path,
		      const char *modules_path, struct symbols **ret_symbols);

/**
 * Tell of the symbols of the running kernel and its modules, from /proc/kcore; not of code that it made,
 * such as BPF programs.
 *
 * @types	the kernel's BTF; NULL will do without modules
 * @return	0; -EPERM this process may not know addresses; -errno. Nothing is reported, and some symbols
 *		may have been told.
 */
int symbols_tell_from_memory(const struct btf *types, symbol_teller tell, void *arg);

/* The same from other memory, for tests. @live: modules that must be there. */
int symbols_tell_from(const struct btf *types, const struct code_source *memory, const char *vmcoreinfo,
		      const struct loaded_modules *live, symbol_teller tell, void *arg);

/*
 * Make two iterators over the running kernel's symbols, with its BTF. An iterator can be read once, and
 * shows the symbols at that time. Two are made at once, since bpf(2) itself may be traced by the time
 * that the second one is needed. Nothing is reported: /proc/kallsyms has the same symbols.
 *
 * @ret_iterators	fds, to be closed
 * @return		0; -ENOENT the kernel has no such iterators; -errno it refuses to make them
 */
int symbols_iterators_new(const struct btf *types, int ret_iterators[2]);

/* Call @tell for each symbol of the kernel now. 0; -errno (not reported). */
int symbols_iterate(int iterator, symbol_teller tell, void *arg);

/* A source that reads the iterator of that fd, once. */
struct symbol_source symbols_iterator_source(const int *iterator);

#endif
