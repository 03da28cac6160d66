/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A little kernel's memory, with the tables of its symbols and of two modules', for tests and fuzzers of what
 * reads /proc/kcore.
 */
#ifndef RETSNOOP_TESTS_KERNEL_MEMORY_H
#define RETSNOOP_TESTS_KERNEL_MEMORY_H

#include <bpf/btf.h>
#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/kernel/symbols/code_source.h"

#define MEMORY_BASE 0xffffffff81000000ull

/* The structs of the kernel, with the members that matter among others. */
struct memory_list {
	uint64_t next, prev;
};

struct memory_kallsyms {
	uint64_t symtab;
	uint32_t num_symtab;
	uint64_t strtab, typetab;
};

struct memory_module {
	uint32_t state;
	struct memory_list list;
	char name[56];
	uint64_t other, kallsyms;
};

enum memory_form { FROM_PLACES, FROM_BASE, PER_CPU_ABSOLUTE };

#define NR_MODULES 2
#define NR_OF_MODULE 4		/* symbols */
#define MODULE_STRINGS "\0m_first\0m_second\0needed"

struct kernel_memory {
	char vmcoreinfo[1024];
	size_t piece;		/* most bytes of one read; 0: any */
	size_t size;		/* of what can be read */
	struct {
		uint32_t nr;
		uint8_t names[16384];	/* markers included */
		char tokens[1024];
		uint16_t token_index[256];
		int32_t offsets[1024];
		uint64_t base;
		struct memory_list modules;
		struct memory_module module[NR_MODULES];
		struct memory_kallsyms kallsyms[NR_MODULES];
		Elf64_Sym symbols[NR_MODULES][NR_OF_MODULE];
		char types[NR_MODULES][NR_OF_MODULE];
		char strings[NR_MODULES][1024];
	} at;
};

#define MEMORY_ADDR(memory, member) (MEMORY_BASE + ((char *)&(memory)->at.member - (char *)&(memory)->at))

/* Where the little kernel's symbols begin; per-CPU variables have small addresses. */
#define MEMORY_TEXT (MEMORY_BASE + 0x100000)

struct memory_symbol {
	uint64_t addr;
	const char *text;	/* the type's letter first */
};

static inline long kernel_memory_read(void *arg, uint64_t addr, void *buf, size_t size)
{
	const struct kernel_memory *memory = arg;

	if (addr < MEMORY_BASE || addr - MEMORY_BASE >= memory->size)
		return -EFAULT;
	if (size > memory->size - (addr - MEMORY_BASE))
		size = memory->size - (addr - MEMORY_BASE);
	if (memory->piece && size > memory->piece)
		size = memory->piece;
	memcpy(buf, (char *)&memory->at + (addr - MEMORY_BASE), size);
	return size;
}

/* Each byte is a token for itself, but for these. */
static const char *const memory_tokens[] = { "\x01", "__x64_sys_", "a_token_of_more_than_16_bytes" };

static inline void kernel_memory_tokens(struct kernel_memory *memory)
{
	size_t at = 0;

	for (int i = 0; i < 256; i++) {
		const char byte[2] = { (char)i };
		const char *text = i < (int)ARRAY_SIZE(memory_tokens) ? memory_tokens[i] : byte;

		memory->at.token_index[i] = at;
		strcpy(memory->at.tokens + at, text);
		at += strlen(text) + 1;
	}
}

static inline size_t kernel_memory_name(uint8_t *to, const char *text)
{
	uint8_t tokens[1024];
	size_t nr = 0, head;

	while (*text) {
		uint8_t token = *text;
		size_t len = 1;

		for (size_t i = 1; i < ARRAY_SIZE(memory_tokens); i++) {
			if (startswith(text, memory_tokens[i])) {
				token = i;
				len = strlen(memory_tokens[i]);
			}
		}
		tokens[nr++] = token;
		text += len;
	}
	head = nr < 0x80 ? 1 : 2;
	to[0] = head == 1 ? nr : (nr & 0x7f) | 0x80;
	to[head - 1] = head == 1 ? nr : nr >> 7;
	memcpy(to + head, tokens, nr);
	return head + nr;
}

static inline int32_t kernel_memory_offset(const struct kernel_memory *memory, enum memory_form form, size_t i,
					   uint64_t addr)
{
	switch (form) {
	case FROM_BASE:
		return addr - memory->at.base;
	case PER_CPU_ABSOLUTE:
		return addr < MEMORY_BASE ? addr : memory->at.base - 1 - addr;
	default:
		return addr - MEMORY_ADDR(memory, offsets[i]);
	}
}

static inline void kernel_memory_symbols(struct kernel_memory *memory, enum memory_form form,
					 const struct memory_symbol *symbols, size_t nr)
{
	uint32_t markers[4] = {}, nr_markers = 0;
	size_t at = 0;

	memory->at.nr = nr;
	memory->at.base = MEMORY_BASE;
	memset(memory->at.names, 0, sizeof(memory->at.names));
	for (size_t i = 0; i < nr; i++) {
		if (i % 256 == 0)
			markers[nr_markers++] = at;
		at += kernel_memory_name(memory->at.names + at, symbols[i].text);
		memory->at.offsets[i] = kernel_memory_offset(memory, form, i, symbols[i].addr);
	}
	/* The names begin 4 bytes into the memory. */
	at = (at + 3) & ~3ull;
	memcpy(memory->at.names + at, markers, nr_markers * sizeof(*markers));
	snprintf(memory->vmcoreinfo, sizeof(memory->vmcoreinfo),
		 "OSRELEASE=7.2\nSYMBOL(_stext)=%llx\nSYMBOL(kallsyms_names)=%llx\n"
		 "SYMBOL(kallsyms_num_syms)=%llx\nSYMBOL(kallsyms_token_table)=%llx\n"
		 "SYMBOL(kallsyms_token_index)=%llx\nSYMBOL(kallsyms_offsets)=%llx\n",
		 MEMORY_TEXT, MEMORY_ADDR(memory, names), MEMORY_ADDR(memory, nr),
		 MEMORY_ADDR(memory, tokens), MEMORY_ADDR(memory, token_index),
		 MEMORY_ADDR(memory, offsets));
	if (form != FROM_PLACES)
		sprintf(memory->vmcoreinfo + strlen(memory->vmcoreinfo),
			"SYMBOL(kallsyms_relative_base)=%llx\n", MEMORY_ADDR(memory, base));
}

/* Each has a symbol without name, m_first, m_second, and one that it needs from elsewhere. */
static inline void kernel_memory_modules(struct kernel_memory *memory)
{
	const char types[] = "?tdU";

	memory->at.modules.next = MEMORY_ADDR(memory, module[0].list);
	for (int i = 0; i < NR_MODULES; i++) {
		struct memory_module *module = memory->at.module + i;
		Elf64_Sym *symbols = memory->at.symbols[i];

		sprintf(module->name, "mod%d", i);
		module->list.next = i + 1 < NR_MODULES ? MEMORY_ADDR(memory, module[i + 1].list) :
							 MEMORY_ADDR(memory, modules);
		module->kallsyms = MEMORY_ADDR(memory, kallsyms[i]);
		memory->at.kallsyms[i] = (struct memory_kallsyms){
			.symtab = MEMORY_ADDR(memory, symbols[i]),
			.num_symtab = NR_OF_MODULE,
			.strtab = MEMORY_ADDR(memory, strings[i]),
			.typetab = MEMORY_ADDR(memory, types[i]),
		};
		memcpy(memory->at.types[i], types, NR_OF_MODULE);
		memcpy(memory->at.strings[i], MODULE_STRINGS, sizeof(MODULE_STRINGS));
		symbols[1] = (Elf64_Sym){ .st_name = 1, .st_value = 0xffffffffc0000000 + i * 0x1000 };
		symbols[2] = (Elf64_Sym){ .st_name = 9, .st_value = 0xffffffffc0000100 + i * 0x1000 };
		symbols[3] = (Elf64_Sym){ .st_name = 18, .st_value = MEMORY_TEXT };
	}
}

static inline struct btf *kernel_memory_types(void)
{
	struct btf *types = btf__new_empty();
	int number = btf__add_int(types, "long unsigned int", 8, 0);
	int integer = btf__add_int(types, "unsigned int", 4, 0);
	int character = btf__add_int(types, "char", 1, BTF_INT_SIGNED);
	int name = btf__add_array(types, integer, character, 56);
	int list = btf__add_struct(types, "list_head", sizeof(struct memory_list));

#define FIELD(structure, member, type) btf__add_field(types, #member, type, offsetof(structure, member) * 8, 0)
	FIELD(struct memory_list, next, number);
	FIELD(struct memory_list, prev, number);
	btf__add_struct(types, "mod_kallsyms", sizeof(struct memory_kallsyms));
	FIELD(struct memory_kallsyms, symtab, number);
	FIELD(struct memory_kallsyms, num_symtab, integer);
	FIELD(struct memory_kallsyms, strtab, number);
	FIELD(struct memory_kallsyms, typetab, number);
	btf__add_struct(types, "module", sizeof(struct memory_module));
	FIELD(struct memory_module, state, integer);
	FIELD(struct memory_module, list, list);
	FIELD(struct memory_module, name, name);
	FIELD(struct memory_module, kallsyms, number);
#undef FIELD
	return types;
}

static const struct memory_symbol memory_symbols[] = {
	{ MEMORY_TEXT, "T_stext" },
	{ MEMORY_TEXT, "T_text" },
	{ MEMORY_TEXT + 0x100, "t__x64_sys_read" },
	{ MEMORY_TEXT + 0x200, "Wthe_a_token_of_more_than_16_bytes_a" },
	{ MEMORY_TEXT + 0x300, "t" },
	{ MEMORY_TEXT + 0x800, "T_etext" },
};

#define NR_MEMORY_SYMBOLS (ARRAY_SIZE(memory_symbols) + 1)

/* Those, and "modules". */
static inline void kernel_memory_fill(struct kernel_memory *memory, enum memory_form form)
{
	struct memory_symbol symbols[NR_MEMORY_SYMBOLS];

	memset(memory, 0, sizeof(*memory));
	memory->size = sizeof(memory->at);
	memcpy(symbols, memory_symbols, sizeof(memory_symbols));
	symbols[NR_MEMORY_SYMBOLS - 1] = (struct memory_symbol){ MEMORY_ADDR(memory, modules), "Dmodules" };
	kernel_memory_tokens(memory);
	kernel_memory_symbols(memory, form, symbols, NR_MEMORY_SYMBOLS);
	kernel_memory_modules(memory);
}

#endif
