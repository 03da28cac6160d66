// SPDX-License-Identifier: BSD-2-Clause
/* Walks the list of struct module, each with a struct mod_kallsyms (Linux 5.2 to 7.2). */
#include "util/kernel/symbols/module_symbols.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/kernel/types/kernel_struct.h"

/* A damaged list must end. */
#define MAX_MODULES 4096
#define MAX_SYMBOLS (1 << 20)		/* of one module */
#define MAX_STRINGS (64 << 20)		/* bytes, of one module */

/* Larger than the structs are. */
#define MAX_STRUCT 8192

#define NAME_LEN 56			/* MODULE_NAME_LEN */
#define UNFORMED 3			/* MODULE_STATE_UNFORMED: nothing in it may be looked at */

struct layout {
	uint32_t module_size, list, name, state, kallsyms;
	uint32_t kallsyms_size, symbols, nr_symbols, strings, types;
};

static int read_layout(const struct btf *types, struct layout *ret)
{
	uint32_t module, kallsyms;
	int err;

	if (!types)
		return -ENOENT;
	err = kernel_struct_find(types, "module", MAX_STRUCT, &module, &ret->module_size);
	err = err ?: kernel_struct_member(types, module, "list", 16, &ret->list);
	err = err ?: kernel_struct_member(types, module, "name", NAME_LEN, &ret->name);
	err = err ?: kernel_struct_member(types, module, "state", 4, &ret->state);
	err = err ?: kernel_struct_member(types, module, "kallsyms", 8, &ret->kallsyms);
	err = err ?: kernel_struct_find(types, "mod_kallsyms", MAX_STRUCT, &kallsyms, &ret->kallsyms_size);
	err = err ?: kernel_struct_member(types, kallsyms, "symtab", 8, &ret->symbols);
	err = err ?: kernel_struct_member(types, kallsyms, "num_symtab", 4, &ret->nr_symbols);
	err = err ?: kernel_struct_member(types, kallsyms, "strtab", 8, &ret->strings);
	return err ?: kernel_struct_member(types, kallsyms, "typetab", 8, &ret->types);
}

static uint64_t number_at(const char *record, uint32_t offset)
{
	uint64_t number;

	memcpy(&number, record + offset, sizeof(number));
	return number;
}

static uint32_t number32_at(const char *record, uint32_t offset)
{
	uint32_t number;

	memcpy(&number, record + offset, sizeof(number));
	return number;
}

/* What one module has; each allocated. */
struct module_tables {
	uint32_t nr;
	Elf64_Sym *symbols;
	char *types;		/* kallsyms letters */
	char *strings;
	size_t strings_size;	/* and a NUL behind these */
};

static void module_tables_release(struct module_tables *t)
{
	free(t->symbols);
	free(t->types);
	free(t->strings);
}

/* kernel/module/kallsyms.c keeps the strings without their size. */
static int read_strings(const struct code_source *memory, uint64_t addr, struct module_tables *t)
{
	for (uint32_t i = 0; i < t->nr; i++) {
		if (t->symbols[i].st_name >= t->strings_size)
			t->strings_size = (size_t)t->symbols[i].st_name + 1;
	}
	t->strings_size += SYMBOL_NAME_ROOM;
	if (t->strings_size > MAX_STRINGS)
		return -EBADMSG;
	t->strings = calloc(1, t->strings_size + 1);
	return t->strings ? code_source_read(memory, addr, t->strings, t->strings_size) : -ENOMEM;
}

static int read_tables(const struct layout *layout, const struct code_source *memory, uint64_t kallsyms,
		       struct module_tables *t)
{
	char record[MAX_STRUCT];
	int err = code_source_read(memory, kallsyms, record, layout->kallsyms_size);

	if (err)
		return err;
	t->nr = number32_at(record, layout->nr_symbols);
	if (t->nr > MAX_SYMBOLS)
		return -EBADMSG;
	t->symbols = calloc(t->nr ?: 1, sizeof(*t->symbols));
	t->types = calloc(t->nr ?: 1, 1);
	if (!t->symbols || !t->types)
		return -ENOMEM;
	err = code_source_read(memory, number_at(record, layout->symbols), t->symbols,
			       t->nr * sizeof(*t->symbols));
	err = err ?: code_source_read(memory, number_at(record, layout->types), t->types, t->nr);
	return err ?: read_strings(memory, number_at(record, layout->strings), t);
}

/* Letters are small, as the iterator's are; /proc/kallsyms has capital ones for what is exported. */
static int tell_module(const struct module_tables *t, const char *module, symbol_teller tell, void *arg)
{
	for (uint32_t i = 0; i < t->nr; i++) {
		const char *name = t->strings + t->symbols[i].st_name;
		const struct told_symbol told = {
			.addr = t->symbols[i].st_value,
			.type = tolower(t->types[i]),
			.name = name,
			.name_len = strnlen(name, SYMBOL_NAME_ROOM),
			.module = module,
			.module_len = strlen(module),
		};
		int err;

		/* While a module is loaded, what it needs is among them. */
		if (!told.name_len || told.type == 'u')
			continue;
		if (told.name_len == SYMBOL_NAME_ROOM)
			return -EBADMSG;
		err = tell(arg, &told);
		if (err)
			return err;
	}
	return 0;
}

/* Read the module that @record is, and tell. */
static int read_module(const struct layout *layout, const struct code_source *memory, const char *record,
		       symbol_teller tell, void *arg, struct loaded_modules *told)
{
	_cleanup_(module_tables_release) struct module_tables tables = {};
	struct loaded_module module = {};
	int err;

	if (number32_at(record, layout->state) == UNFORMED)
		return 0;
	memcpy(module.name, record + layout->name, NAME_LEN);
	if (!module.name[0] || strnlen(module.name, NAME_LEN) == NAME_LEN)
		return -EBADMSG;
	err = read_tables(layout, memory, number_at(record, layout->kallsyms), &tables);
	err = err ?: tell_module(&tables, module.name, tell, arg);
	return err ?: vec_push(&told->v, module);
}

static int walk_list(const struct btf *types, const struct code_source *memory, uint64_t list,
		     symbol_teller tell, void *arg, struct loaded_modules *told)
{
	struct layout layout;
	char record[MAX_STRUCT];
	uint64_t next;
	int err = code_source_read(memory, list, &next, sizeof(next));

	if (err || next == list)
		return err;
	err = read_layout(types, &layout);
	for (int i = 0; !err && next != list; i++) {
		if (i == MAX_MODULES)
			return -EBADMSG;
		err = code_source_read(memory, next - layout.list, record, layout.module_size);
		if (!err) {
			next = number_at(record, layout.list);
			err = read_module(&layout, memory, record, tell, arg, told);
		}
	}
	return err;
}

int module_symbols_tell(const struct btf *types, const struct code_source *memory, uint64_t list,
			const struct loaded_modules *live, symbol_teller tell, void *arg)
{
	struct loaded_modules told = {};
	int err = walk_list(types, memory, list, tell, arg, &told);

	/* What was told has no addresses, and these match any. One that was loading may have failed. */
	vec_foreach(module, &live->v) {
		if (!err && !module->loading && !modules_have(&told, module))
			err = -EBADMSG;
	}
	vec_release(&told.v);
	return err;
}
