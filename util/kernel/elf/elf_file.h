/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An ELF file of a kernel (vmlinux, a module, a file of debug info), opened so that its sections
 * can be read in place: a compressed file (.xz, .zst, .gz) or section is uncompressed, a
 * relocatable file (a module) is relocated. A plain vmlinux is mapped; nothing is copied.
 */
#ifndef RETSNOOP_KERNEL_ELF_ELF_FILE_H
#define RETSNOOP_KERNEL_ELF_ELF_FILE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/kernel/elf/build_id.h"
#include "util/kernel/elf/section_layout.h"

struct elf_file;

struct elf_section {
	const uint8_t *data;	/* NULL: no such section, or it is empty */
	size_t size;
};

/**
 * @layout	addresses of a relocatable file's sections; NULL: one after the other from
 *		ELF_LAYOUT_BASE on
 * @return	0; -ENOENT, -ENOEXEC, -errno. Nothing is reported.
 */
int elf_file_open(const char *path, const struct section_layout *layout,
		  struct elf_file **ret_file);
void elf_file_free(struct elf_file *file);

#define ELF_LAYOUT_BASE 0x100000

/* The contents of a section by name; valid as long as the file. 0 or -ENOEXEC when damaged. */
int elf_file_section(struct elf_file *file, const char *name, struct elf_section *ret_section);

/* Drop the pages of the mapping that [@data, @data + @size) covers; they are read again on use. */
void elf_file_drop(struct elf_file *file, const void *data, size_t size);

/* The value of a symbol of .symtab, in a file that is not relocatable. 0; -ENOENT. */
int elf_file_symbol(struct elf_file *file, const char *name, uint64_t *ret_value);

/* Borrowed; section headers have their final addresses. */
Elf *elf_file_elf(struct elf_file *file);
bool elf_file_is_relocatable(const struct elf_file *file);
const struct build_id *elf_file_build_id(const struct elf_file *file);

/* The GNU build id among ELF notes, as in /sys/kernel/notes. len 0: none. */
void build_id_from_notes(const void *notes, size_t size, struct build_id *ret_id);

#endif
