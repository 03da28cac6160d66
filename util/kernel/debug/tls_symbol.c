// SPDX-License-Identifier: BSD-2-Clause
/*
 * Thread-local variables of ELF images. The linker knows where an executable's variables are. Of a
 * library, only the dynamic linker does, and tells the library's code in its relocations.
 */
#include "util/kernel/debug/tls_symbol.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "util/base/macros.h"
#include "util/kernel/arch/arch.h"

#define MAX_SEGMENTS 64
#define MAX_DYNAMIC 512			/* entries of the dynamic section */
#define MAX_CHAIN 256			/* symbols with one hash */
#define MAX_SYMBOLS (1u << 24)
#define MAX_RELOCATIONS (1u << 20)
#define MAX_ALIGN (1u << 20)

struct table {
	uint64_t at, size;
};

struct reader {
	const struct tls_image *image;
	const struct arch_tls *tls;
	const char *name;
	Elf64_Ehdr header;
	Elf64_Phdr segments[MAX_SEGMENTS];
	const Elf64_Phdr *variables, *dynamic;
	uint64_t bias;			/* from the file's addresses to the memory's */
	uint64_t symbols, strings, hash, gnu_hash, flags;
	struct table relocations[2];
	uint32_t index;			/* the symbol's */
	Elf64_Sym symbol;
};

static int read_file(const struct reader *r, uint64_t at, void *to, size_t size)
{
	ssize_t n = at > INT64_MAX ? -1 : pread(r->image->fd, to, size, (off_t)at);

	return n == (ssize_t)size ? 0 : -ENOENT;
}

/* @addr	as the file has it */
static int read_at(const struct reader *r, uint64_t addr, void *to, size_t size)
{
	if (r->image->in_memory)
		return read_file(r, r->bias + addr, to, size);
	for (int i = 0; i < r->header.e_phnum; i++) {
		const Elf64_Phdr *segment = &r->segments[i];
		uint64_t at = addr - segment->p_vaddr;

		if (segment->p_type == PT_LOAD && at < segment->p_filesz &&
		    size <= segment->p_filesz - at)
			return read_file(r, segment->p_offset + at, to, size);
	}
	return -ENOENT;
}

static int read_header(struct reader *r)
{
	const Elf64_Ehdr *header = &r->header;
	uint64_t base = r->image->in_memory ? r->image->base : 0;

	if (read_file(r, base, &r->header, sizeof(r->header)) ||
	    memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_ident[EI_CLASS] != ELFCLASS64 ||
	    header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_machine != r->tls->elf_machine ||
	    (header->e_type != ET_EXEC && header->e_type != ET_DYN) ||
	    header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phnum > MAX_SEGMENTS)
		return -ENOENT;
	return read_file(r, base + header->e_phoff, r->segments,
			 header->e_phnum * sizeof(Elf64_Phdr));
}

static int look_at_segments(struct reader *r)
{
	bool loaded = false;

	for (int i = 0; i < r->header.e_phnum; i++) {
		const Elf64_Phdr *segment = &r->segments[i];

		if (segment->p_type == PT_TLS)
			r->variables = segment;
		else if (segment->p_type == PT_DYNAMIC)
			r->dynamic = segment;
		else if (segment->p_type == PT_LOAD && !segment->p_offset && !loaded) {
			r->bias = r->image->base - segment->p_vaddr;
			loaded = true;
		}
	}
	return loaded && r->variables && r->dynamic ? 0 : -ENOENT;
}

/* glibc replaces addresses in the dynamic section by those in memory; others do not. */
static uint64_t file_address(const struct reader *r, uint64_t addr)
{
	if (!r->image->in_memory)
		return addr;
	for (int i = 0; i < r->header.e_phnum; i++) {
		const Elf64_Phdr *segment = &r->segments[i];

		if (segment->p_type == PT_LOAD && addr - segment->p_vaddr < segment->p_memsz)
			return addr;
	}
	return addr - r->bias;
}

static int look_at_dynamic(struct reader *r)
{
	uint64_t nr = r->dynamic->p_memsz / sizeof(Elf64_Dyn);

	if (nr > MAX_DYNAMIC)
		nr = MAX_DYNAMIC;
	for (uint64_t i = 0; i < nr; i++) {
		Elf64_Dyn entry;

		if (read_at(r, r->dynamic->p_vaddr + i * sizeof(entry), &entry, sizeof(entry)))
			return -ENOENT;
		switch (entry.d_tag) {
		case DT_NULL:
			i = nr;
			break;
		case DT_SYMTAB:
			r->symbols = file_address(r, entry.d_un.d_ptr);
			break;
		case DT_STRTAB:
			r->strings = file_address(r, entry.d_un.d_ptr);
			break;
		case DT_HASH:
			r->hash = file_address(r, entry.d_un.d_ptr);
			break;
		case DT_GNU_HASH:
			r->gnu_hash = file_address(r, entry.d_un.d_ptr);
			break;
		case DT_FLAGS_1:
			r->flags = entry.d_un.d_val;
			break;
		case DT_RELA:
			r->relocations[0].at = file_address(r, entry.d_un.d_ptr);
			break;
		case DT_RELASZ:
			r->relocations[0].size = entry.d_un.d_val;
			break;
		case DT_JMPREL:
			r->relocations[1].at = file_address(r, entry.d_un.d_ptr);
			break;
		case DT_PLTRELSZ:
			r->relocations[1].size = entry.d_un.d_val;
			break;
		}
	}
	return r->symbols && r->strings && (r->hash || r->gnu_hash) ? 0 : -ENOENT;
}

static bool is_symbol(struct reader *r, uint32_t index)
{
	char name[64];
	size_t size = strlen(r->name) + 1;

	if (index >= MAX_SYMBOLS || size > sizeof(name) ||
	    read_at(r, r->symbols + index * sizeof(r->symbol), &r->symbol, sizeof(r->symbol)) ||
	    ELF64_ST_TYPE(r->symbol.st_info) != STT_TLS || r->symbol.st_shndx == SHN_UNDEF ||
	    read_at(r, r->strings + r->symbol.st_name, name, size) || memcmp(name, r->name, size))
		return false;
	r->index = index;
	return true;
}

static bool find_by_gnu_hash(struct reader *r)
{
	struct {
		uint32_t nr_buckets, first, nr_words, shift;
	} header;
	uint64_t word, buckets, chains;
	uint32_t hash = 5381, index, other;

	for (const char *c = r->name; *c; c++)
		hash = hash * 33 + (uint8_t)*c;
	if (read_at(r, r->gnu_hash, &header, sizeof(header)) || !header.nr_buckets ||
	    !header.nr_words ||
	    read_at(r, r->gnu_hash + sizeof(header) + hash / 64 % header.nr_words * sizeof(word),
		    &word, sizeof(word)))
		return false;
	/* A filter: most files are done here. */
	if (!(word >> hash % 64 & 1) || !(word >> (hash >> (header.shift & 31)) % 64 & 1))
		return false;
	buckets = r->gnu_hash + sizeof(header) + header.nr_words * sizeof(word);
	chains = buckets + header.nr_buckets * sizeof(uint32_t);
	if (read_at(r, buckets + hash % header.nr_buckets * sizeof(index), &index, sizeof(index)) ||
	    index < header.first)
		return false;
	for (int i = 0; i < MAX_CHAIN; i++, index++) {
		if (read_at(r, chains + (uint64_t)(index - header.first) * sizeof(other), &other,
			    sizeof(other)))
			return false;
		if (!((other ^ hash) >> 1) && is_symbol(r, index))
			return true;
		if (other & 1)
			return false;
	}
	return false;
}

static bool find_by_hash(struct reader *r)
{
	uint32_t header[2], hash = 0, index;

	for (const char *c = r->name; *c; c++) {
		hash = (hash << 4) + (uint8_t)*c;
		hash ^= hash >> 24 & 0xf0;
		hash &= 0x0fffffff;
	}
	if (read_at(r, r->hash, header, sizeof(header)) || !header[0] ||
	    read_at(r, r->hash + sizeof(header) + hash % header[0] * sizeof(index), &index,
		    sizeof(index)))
		return false;
	for (int i = 0; i < MAX_CHAIN && index; i++) {
		if (is_symbol(r, index))
			return true;
		if (read_at(r, r->hash + sizeof(header) + ((uint64_t)header[0] + index) * sizeof(index),
			    &index, sizeof(index)))
			return false;
	}
	return false;
}

/* An executable's variables are at a place that the linker chose. */
static int place_in_executable(const struct reader *r, struct tls_place *place)
{
	const Elf64_Phdr *variables = r->variables;
	uint64_t align = variables->p_align ?: 1, size, start;

	if (align & (align - 1) || align > MAX_ALIGN)
		return -ENOTSUP;
	if (r->tls->below) {
		size = variables->p_memsz;
		size += (-variables->p_vaddr - size) & (align - 1);
		start = -size;
	} else {
		start = r->tls->reserved;
		start += (variables->p_vaddr - start) & (align - 1);
	}
	place->offset = (int64_t)(start + r->symbol.st_value);
	return 0;
}

/* Read the slot that the dynamic linker filled in. */
static int place_of_relocation(const struct reader *r, const Elf64_Rela *relocation,
			       struct tls_place *place)
{
	uint32_t type = ELF64_R_TYPE(relocation->r_info);
	/* Without a symbol it is about the library's variables as a whole. */
	bool whole = !ELF64_R_SYM(relocation->r_info);
	uint64_t words[2] = {}, index[2], beyond;
	bool pair = type != r->tls->reloc_offset;

	if (read_at(r, relocation->r_offset, words, pair ? sizeof(words) : sizeof(words[0])))
		return -ENOENT;
	/* The dynamic linker has not been here yet. */
	if (!words[0])
		return -EAGAIN;
	beyond = whole ? r->symbol.st_value - (uint64_t)relocation->r_addend : 0;
	if (type == r->tls->reloc_offset) {
		place->offset = (int64_t)(words[0] + beyond);
	} else if (type == r->tls->reloc_module) {
		*place = (struct tls_place){ true, words[0],
					     (int64_t)(whole ? r->symbol.st_value : words[1]) };
	} else if (!read_file(r, words[1], index, sizeof(index))) {
		/* A descriptor with the address of module and offset, or with an offset. */
		if (!index[0])
			return -EAGAIN;
		*place = (struct tls_place){ true, index[0], (int64_t)(index[1] + beyond) };
	} else {
		place->offset = (int64_t)(words[1] + beyond);
	}
	return 0;
}

static bool is_about_variable(const struct reader *r, const Elf64_Rela *relocation)
{
	uint32_t type = ELF64_R_TYPE(relocation->r_info);
	uint32_t symbol = ELF64_R_SYM(relocation->r_info);

	return (!symbol || symbol == r->index) &&
	       (type == r->tls->reloc_offset || type == r->tls->reloc_module ||
		type == r->tls->reloc_descriptor);
}

static int place_in_library(const struct reader *r, struct tls_place *place)
{
	Elf64_Rela part[64];

	if (!r->image->in_memory)
		return -ENOTSUP;
	for (size_t t = 0; t < ARRAY_SIZE(r->relocations); t++) {
		const struct table *table = &r->relocations[t];
		uint64_t nr = table->size / sizeof(part[0]);

		if (!table->at || nr > MAX_RELOCATIONS)
			continue;
		for (uint64_t i = 0; i < nr; i += ARRAY_SIZE(part)) {
			size_t now = nr - i < ARRAY_SIZE(part) ? nr - i : ARRAY_SIZE(part);

			if (read_at(r, table->at + i * sizeof(part[0]), part, now * sizeof(part[0])))
				break;
			for (size_t n = 0; n < now; n++) {
				if (is_about_variable(r, &part[n]))
					return place_of_relocation(r, &part[n], place);
			}
		}
	}
	return -ENOTSUP;
}

int tls_symbol_find(const struct tls_image *image, const char *name, const struct arch_tls *tls,
		    struct tls_place *ret_place)
{
	struct reader r = { .image = image, .tls = tls, .name = name };
	int err = read_header(&r);

	err = err ?: look_at_segments(&r);
	err = err ?: look_at_dynamic(&r);
	if (err)
		return err;
	if (!(r.gnu_hash && find_by_gnu_hash(&r)) && !(r.hash && find_by_hash(&r)))
		return -ENOENT;
	if (r.symbol.st_size != sizeof(uint64_t) || r.variables->p_memsz < sizeof(uint64_t) ||
	    r.symbol.st_value > r.variables->p_memsz - sizeof(uint64_t))
		return -ENOTSUP;
	*ret_place = (struct tls_place){};
	return r.header.e_type == ET_EXEC || r.flags & DF_1_PIE ?
		       place_in_executable(&r, ret_place) :
		       place_in_library(&r, ret_place);
}
