// SPDX-License-Identifier: BSD-2-Clause
/* The function symbols of a vmlinux file. Names stay in the mapped file. */
#include <errno.h>
#include <gelf.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/utf8.h"
#include "util/kernel/symbols/symbols_internal.h"

/* Labels that assemblers and kallsyms leave out. */
static bool is_label(const char *name)
{
	return (name[0] == '.' && (name[1] == 'L' || name[1] == '.')) || name[0] == '$' ||
	       (name[0] == 'L' && name[1] == '0');
}

static char symbol_type(const GElf_Sym *sym)
{
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_GLOBAL:
		return 'T';
	case STB_WEAK:
		return 'W';
	default:
		return 't';
	}
}

static Elf_Scn *find_symtab(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(elf, scn))) {
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_SYMTAB)
			return scn;
	}
	return NULL;
}

/* Where each section of code ends, by section index; 0: no code in it. NULL: out of memory. */
static uint64_t *find_code_ends(Elf *elf, size_t nr_sections)
{
	uint64_t *ends = calloc(nr_sections + 1, sizeof(*ends));
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while (ends && (scn = elf_nextscn(elf, scn))) {
		if (gelf_getshdr(scn, &shdr) && elf_ndxscn(scn) < nr_sections &&
		    (shdr.sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) == (SHF_ALLOC | SHF_EXECINSTR))
			ends[elf_ndxscn(scn)] = shdr.sh_addr + shdr.sh_size;
	}
	return ends;
}

/* A symbol ends after its size; without a size, at the next symbol or at the end of its section. */
static void bound_symbols(symbol_vec *all)
{
	for (size_t i = 0, next = 0; i < all->len; i++) {
		struct symbol *symbol = all->data + i;

		while (next < all->len && all->data[next].addr <= symbol->addr)
			next++;
		if (next < all->len && symbol->size > all->data[next].addr - symbol->addr)
			symbol->size = all->data[next].addr - symbol->addr;
	}
}

/* Names stay in the file, except those that would steer a terminal. NULL: out of memory. */
static const char *shown_name(struct symbols *symbols, const char *name)
{
	size_t plain = utf8_plain(name), len = plain + strlen(name + plain);
	_cleanup_(free_p) char *copy = NULL;

	if (plain == len)
		return name;
	copy = strdup(name);
	if (!copy)
		return NULL;
	utf8_hide(copy, len, 0);
	return arena_add(&symbols->strings, copy, len);
}

static int read_symtab(struct symbols *symbols, Elf_Scn *scn, const uint64_t *ends,
		       size_t nr_sections)
{
	Elf *elf = elf_file_elf(symbols->file);
	bool relocatable = elf_file_is_relocatable(symbols->file);
	symbol_vec *all = &symbols->all;
	GElf_Shdr shdr;
	Elf_Data *data, *strings;
	size_t nr;

	if (!gelf_getshdr(scn, &shdr) || !shdr.sh_entsize || !(data = elf_getdata(scn, NULL)) ||
	    !(strings = elf_getdata(elf_getscn(elf, shdr.sh_link), NULL)) || !strings->d_size ||
	    ((const char *)strings->d_buf)[strings->d_size - 1])
		return -ENOEXEC;
	nr = shdr.sh_size / shdr.sh_entsize;
	if (vec_reserve(all, nr / 4 + 1))
		return -ENOMEM;
	for (size_t i = 1; i < nr; i++) {
		struct symbol symbol = {};
		GElf_Sym sym;
		GElf_Shdr section;
		int type;

		if (!gelf_getsym(data, i, &sym) || sym.st_shndx >= nr_sections ||
		    !ends[sym.st_shndx] || sym.st_name >= strings->d_size)
			continue;
		type = GELF_ST_TYPE(sym.st_info);
		if (type != STT_FUNC && type != STT_NOTYPE && type != STT_GNU_IFUNC)
			continue;
		symbol.name = (const char *)strings->d_buf + sym.st_name;
		symbol.addr = sym.st_value;
		if (relocatable && gelf_getshdr(elf_getscn(elf, sym.st_shndx), &section))
			symbol.addr += section.sh_addr;
		if (!symbol.name[0] || is_label(symbol.name) || symbol.addr >= ends[sym.st_shndx])
			continue;
		symbol.size = ends[sym.st_shndx] - symbol.addr;
		if (is_section_marker(symbol.name))
			symbol.size = 0;
		else if (sym.st_size && sym.st_size < symbol.size)
			symbol.size = sym.st_size;
		symbol.type = symbol_type(&sym);
		symbol.name = shown_name(symbols, symbol.name);
		if (!symbol.name)
			return -ENOMEM;
		if (vec_push(all, symbol))
			return -ENOMEM;
	}
	return 0;
}

int symbols_load_elf(const char *path, struct symbols **ret_symbols)
{
	_cleanup_(symbols_free_p) struct symbols *symbols = symbols_new();
	_cleanup_(free_p) uint64_t *ends = NULL;
	size_t nr_sections = 0;
	Elf_Scn *symtab;
	Elf *elf;
	int err;

	if (!symbols)
		return report_oom();
	err = elf_file_open(path, NULL, &symbols->file);
	if (err == -ENOEXEC)
		return report(err, "%s is not an ELF file of this machine's kind", path);
	if (err)
		return report(err, "cannot open %s: %s", path, strerror(-err));
	elf = elf_file_elf(symbols->file);
	symtab = find_symtab(elf);
	if (!symtab || elf_getshdrnum(elf, &nr_sections))
		return report(-ENOEXEC, "%s has no symbol table; a stripped file will not do", path);
	ends = find_code_ends(elf, nr_sections);
	err = ends ? read_symtab(symbols, symtab, ends, nr_sections) : -ENOMEM;
	if (!err)
		err = symbols_sort(&symbols->all);
	if (err == -ENOEXEC)
		return report(err, "the symbol table of %s is damaged", path);
	if (err)
		return report_oom();
	if (!symbols->all.len)
		return report(-ENOEXEC, "%s has no symbols of functions", path);
	bound_symbols(&symbols->all);
	*ret_symbols = take_ptr(symbols);
	return 0;
}
