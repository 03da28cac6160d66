// SPDX-License-Identifier: BSD-2-Clause
/* ELF files: plain files are mapped by libelf; libdwfl handles the others. */
#include "util/kernel/elf/elf_file.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/vec.h"
#include "util/kernel/elf/elf_zstd.h"

#ifndef ELFCOMPRESS_ZSTD	/* glibc 2.37 */
#define ELFCOMPRESS_ZSTD 2
#endif

struct elf_file {
	Elf *elf;		/* borrowed from dwfl when that is set */
	int fd;
	Dwfl *dwfl;		/* relocatable and compressed files */
	bool relocatable;
	const char *base;	/* the mapping; NULL: there is none */
	size_t base_size;
	struct build_id build_id;
	VEC(void *) uncompressed;	/* sections */
	const struct section_layout *layout;	/* while opening only */
	uint64_t next_addr;
};

/* libdwfl passes only this to its callbacks. */
static struct elf_file *file_of(void **userdata)
{
	return *userdata;
}

static int no_debuginfo(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
			const char *file_name, const char *debuglink_file, GElf_Word debuglink_crc,
			char **debuginfo_file_name)
{
	return -1;
}

static int place_section(Dwfl_Module *module, void **userdata, const char *module_name,
			 Dwarf_Addr base, const char *section, GElf_Word index,
			 const GElf_Shdr *shdr, Dwarf_Addr *addr)
{
	struct elf_file *file = file_of(userdata);
	uint64_t align = shdr->sh_addralign ?: 1;

	if (file->layout && !file->layout->place(file->layout->arg, section, addr))
		return 0;
	file->next_addr = (file->next_addr + align - 1) / align * align;
	*addr = file->next_addr;
	file->next_addr += shdr->sh_size ?: 1;
	return 0;
}

/* libdwfl assigns addresses to sections that relocations refer to; assign the others here. */
static void place_the_rest(struct elf_file *file)
{
	size_t names;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	if (elf_getshdrstrndx(file->elf, &names))
		return;
	while ((scn = elf_nextscn(file->elf, scn))) {
		void *userdata = file;
		Dwarf_Addr addr;
		const char *name;

		if (!gelf_getshdr(scn, &shdr) || !(shdr.sh_flags & SHF_ALLOC) || shdr.sh_addr ||
		    !(name = elf_strptr(file->elf, names, shdr.sh_name)))
			continue;
		place_section(NULL, &userdata, NULL, 0, name, elf_ndxscn(scn), &shdr, &addr);
		shdr.sh_addr = addr;
		gelf_update_shdr(scn, &shdr);
	}
}

/* libdwfl uncompresses the file, and closes the given descriptor. */
static int find_elf(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
		    char **file_name, Elf **ret_elf)
{
	*ret_elf = NULL;
	*file_name = NULL;
	return fcntl(file_of(userdata)->fd, F_DUPFD_CLOEXEC, 0);
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = find_elf,
	.find_debuginfo = no_debuginfo,
	.section_address = place_section,
};

static int open_with_dwfl(struct elf_file *file)
{
	GElf_Addr bias;
	Dwfl_Module *module;
	Dwarf *dwarf;
	void **userdata;
	Elf *elf;

	file->dwfl = dwfl_begin(&callbacks);
	if (!file->dwfl)
		return -ENOMEM;
	module = dwfl_report_module(file->dwfl, "file", 0, INT64_MAX);
	if (!module || dwfl_report_end(file->dwfl, NULL, NULL))
		return -ENOMEM;
	dwfl_module_info(module, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
	*userdata = file;
	elf = dwfl_module_getelf(module, &bias);
	if (!elf)
		return -ENOEXEC;
	/* This call relocates the sections of debug info. A file without them is still good. */
	dwarf = dwfl_module_getdwarf(module, &bias);
	file->elf = dwarf ? dwarf_getelf(dwarf) : elf;
	return 0;
}

static bool is_native(const GElf_Ehdr *ehdr)
{
	return ehdr->e_ident[EI_CLASS] == ELFCLASS64 &&
	       ehdr->e_ident[EI_DATA] ==
		       (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB);
}

void build_id_from_notes(const void *notes, size_t size, struct build_id *ret_id)
{
	const uint8_t *p = notes, *end = p + size;

	ret_id->len = 0;
	while (end - p >= 12) {
		uint32_t name_len, desc_len, type;
		uint64_t name_room, desc_room;

		memcpy(&name_len, p, 4);
		memcpy(&desc_len, p + 4, 4);
		memcpy(&type, p + 8, 4);
		p += 12;
		name_room = (name_len + 3ull) & ~3ull;
		desc_room = (desc_len + 3ull) & ~3ull;
		if (name_room > (uint64_t)(end - p) || desc_len > end - p - name_room)
			return;
		if (type == NT_GNU_BUILD_ID && name_len == 4 && !memcmp(p, "GNU", 4) &&
		    desc_len <= BUILD_ID_MAX) {
			memcpy(ret_id->bytes, p + name_room, desc_len);
			ret_id->len = desc_len;
			return;
		}
		if (desc_room > end - p - name_room)
			return;
		p += name_room + desc_room;
	}
}

static void read_build_id(struct elf_file *file)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while (!file->build_id.len && (scn = elf_nextscn(file->elf, scn))) {
		Elf_Data *data;

		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_NOTE &&
		    (data = elf_rawdata(scn, NULL)) && data->d_buf)
			build_id_from_notes(data->d_buf, data->d_size, &file->build_id);
	}
}

/* libdwfl relocates sections that it can uncompress: with Zstandard from elfutils 0.189 on. */
static int uncompress_relocatable(struct elf_file *file)
{
	int fd, err = zstd_open_relocatable(file->fd, &fd);

	if (err)
		return err == -ENODATA ? 0 : err;
	close(file->fd);
	file->fd = fd;
	return 0;
}

int elf_file_open(const char *path, const struct section_layout *layout,
		  struct elf_file **ret_file)
{
	struct elf_file *file = calloc(1, sizeof(*file));
	bool plain = false;
	GElf_Ehdr ehdr;
	int err = 0;

	if (!file)
		return -ENOMEM;
	file->layout = layout;
	file->next_addr = ELF_LAYOUT_BASE;
	file->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (file->fd < 0) {
		err = -errno;
		goto fail;
	}
	if (is_zstd(file->fd)) {
		int fd;

		err = zstd_open(file->fd, &fd);
		if (err)
			goto fail;
		close(file->fd);
		file->fd = fd;
	}
	elf_version(EV_CURRENT);
	file->elf = elf_begin(file->fd, ELF_C_READ_MMAP, NULL);
	if (file->elf && elf_kind(file->elf) == ELF_K_ELF && gelf_getehdr(file->elf, &ehdr))
		plain = ehdr.e_type != ET_REL;
	if (plain) {
		file->base = elf_rawfile(file->elf, &file->base_size);
	} else {
		elf_end(file->elf);
		file->elf = NULL;
		err = uncompress_relocatable(file) ?: open_with_dwfl(file);
		if (!err && (elf_kind(file->elf) != ELF_K_ELF || !gelf_getehdr(file->elf, &ehdr)))
			err = -ENOEXEC;
	}
	if (!err && !is_native(&ehdr))
		err = -ENOEXEC;
	if (err)
		goto fail;
	file->relocatable = ehdr.e_type == ET_REL;
	if (file->relocatable)
		place_the_rest(file);
	file->layout = NULL;
	read_build_id(file);
	*ret_file = file;
	return 0;
fail:
	elf_file_free(file);
	return err;
}

void elf_file_free(struct elf_file *file)
{
	if (!file)
		return;
	if (file->dwfl)
		dwfl_end(file->dwfl);
	else
		elf_end(file->elf);
	close_fd(&file->fd);
	vec_foreach(copy, &file->uncompressed)
		free(*copy);
	vec_release(&file->uncompressed);
	free(file);
}

/* libelf 0.188 knows no other way than zlib. */
static int uncompress_section(struct elf_file *file, Elf_Scn *scn, const GElf_Chdr *chdr,
			      struct elf_section *ret_section)
{
	Elf_Data *data = elf_rawdata(scn, NULL);
	void *copy;
	int err;

	if (!data || data->d_size < sizeof(Elf64_Chdr) || chdr->ch_size / 1024 > data->d_size)
		return -ENOEXEC;
	copy = malloc(chdr->ch_size ?: 1);
	if (!copy || vec_push(&file->uncompressed, copy)) {
		free(copy);
		return -ENOMEM;
	}
	err = zstd_uncompress((const char *)data->d_buf + sizeof(Elf64_Chdr),
			      data->d_size - sizeof(Elf64_Chdr), copy, chdr->ch_size);
	if (!err)
		*ret_section = (struct elf_section){ copy, chdr->ch_size };
	return err;
}

int elf_file_section(struct elf_file *file, const char *name, struct elf_section *ret_section)
{
	struct elf_section section = {};
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(file->elf, &names))
		return -ENOEXEC;
	while ((scn = elf_nextscn(file->elf, scn))) {
		const char *scn_name;
		Elf_Data *data;
		GElf_Shdr shdr;
		GElf_Chdr chdr;

		if (!gelf_getshdr(scn, &shdr) ||
		    !(scn_name = elf_strptr(file->elf, names, shdr.sh_name)) ||
		    strcmp(scn_name, name))
			continue;
		if (shdr.sh_type == SHT_NOBITS)
			break;
		if ((shdr.sh_flags & SHF_COMPRESSED) && gelf_getchdr(scn, &chdr) &&
		    chdr.ch_type == ELFCOMPRESS_ZSTD)
			return uncompress_section(file, scn, &chdr, ret_section);
		if ((shdr.sh_flags & SHF_COMPRESSED) && elf_compress(scn, 0, 0) < 0)
			return -ENOEXEC;
		data = elf_getdata(scn, NULL);
		if (!data)
			return -ENOEXEC;
		section.data = data->d_size ? data->d_buf : NULL;
		section.size = section.data ? data->d_size : 0;
		break;
	}
	*ret_section = section;
	return 0;
}

int elf_file_symbol(struct elf_file *file, const char *name, uint64_t *ret_value)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(file->elf, scn))) {
		Elf_Data *data;
		GElf_Sym sym;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_SYMTAB ||
		    !(data = elf_getdata(scn, NULL)))
			continue;
		for (int i = 0; gelf_getsym(data, i, &sym); i++) {
			const char *sym_name = elf_strptr(file->elf, shdr.sh_link, sym.st_name);

			if (sym_name && !strcmp(sym_name, name)) {
				*ret_value = sym.st_value;
				return 0;
			}
		}
	}
	return -ENOENT;
}

void elf_file_drop(struct elf_file *file, const void *data, size_t size)
{
	uintptr_t page = sysconf(_SC_PAGESIZE), base = (uintptr_t)file->base;
	uintptr_t start = ((uintptr_t)data + page - 1) & -page;
	uintptr_t end = ((uintptr_t)data + size) & -page;

	/*
	 * libelf never writes to this private mapping: dropped pages are still in the page cache.
	 */
	if (base && (uintptr_t)data >= base && end <= base + file->base_size && start < end)
		madvise((void *)start, end - start, MADV_DONTNEED);
}

Elf *elf_file_elf(struct elf_file *file)
{
	return file->elf;
}

bool elf_file_is_relocatable(const struct elf_file *file)
{
	return file->relocatable;
}

const struct build_id *elf_file_build_id(const struct elf_file *file)
{
	return &file->build_id;
}
