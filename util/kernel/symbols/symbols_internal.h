/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the parts of the symbol table share: the table itself and its builders (kallsyms, ELF).
 * For symbols*.c and their tests only.
 */
#ifndef RETSNOOP_KERNEL_SYMBOLS_SYMBOLS_INTERNAL_H
#define RETSNOOP_KERNEL_SYMBOLS_SYMBOLS_INTERNAL_H

#include "util/base/cleanup.h"
#include "util/base/vec.h"
#include "util/kernel/debug/elf_file.h"
#include "util/kernel/symbols/symbols.h"

/* Strings that live as long as the arena; nothing is freed one by one. */
struct arena {
	VEC(char *) blocks;
	size_t used, cap;	/* of the last block */
};

/* A NUL-terminated copy, or NULL when out of memory. */
const char *arena_add(struct arena *arena, const char *s, size_t len);
void arena_release(struct arena *arena);

typedef VEC(struct symbol) symbol_vec;

/* Pointers to symbols, those of one name side by side; slots[h]..slots[h + 1] have hash h. */
struct name_index {
	const struct symbol **by_name;
	uint32_t *slots;
	uint32_t mask;
};

struct symbols {
	symbol_vec all;			/* by address, then name */
	struct arena strings;
	VEC(const char *) modules;	/* names, each once; in strings */
	struct name_index names;	/* made by the first symbols_named() */
	VEC(void *) retired;		/* arrays that older pointers may point into */
	uint64_t preempt_count, per_cpu_offsets;	/* see symbols_per_cpu() */
	struct kernel_tables tables;	/* see symbols_tables() */
	char *kallsyms_path;		/* for symbols_refresh(); NULL: not from kallsyms */
	char *modules_path;
	struct elf_file *file;		/* that names point into, or NULL */
};

DEFINE_CLEANUP(struct symbols *, symbols_free)

/* The table's own copy of a module name; NULL when out of memory. */
const char *symbols_intern_module(struct symbols *symbols, const char *name, size_t len);

/*
 * "__kprobes_text_end" and the like, from the linker script: megabytes of padding may follow one,
 * but nothing of its own.
 */
bool is_section_marker(const char *name);

/*
 * The table of now, with the strings of the old one where they are the same, and with what is gone
 * since (a module's, say) where nothing new has taken its place. 0 or -ENOMEM.
 */
int symbols_merge(struct symbols *symbols, const struct symbols *now, symbol_vec *ret_merged,
		  bool *ret_changed);

/* Sort by address and name. 0 or -ENOMEM. */
int symbols_sort(symbol_vec *vec);

/**
 * symbols_load_kallsyms() from other files than /proc's.
 *
 * @modules_path	in the form of /proc/modules, for where modules end; may not exist
 */
int symbols_load_kallsyms_from(const char *kallsyms_path, const char *modules_path,
			       struct symbols **ret_symbols);

#endif
