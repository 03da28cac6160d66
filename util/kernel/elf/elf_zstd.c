// SPDX-License-Identifier: BSD-2-Clause
/* Zstandard. */
#include "util/kernel/elf/elf_zstd.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/write_all.h"

bool is_zstd(int fd)
{
	static const uint8_t magic[4] = { 0x28, 0xb5, 0x2f, 0xfd };
	uint8_t start[4];

	return pread(fd, start, sizeof(start), 0) == sizeof(start) &&
	       !memcmp(start, magic, sizeof(start));
}

#ifndef ELFCOMPRESS_ZSTD	/* glibc 2.37 */
#define ELFCOMPRESS_ZSTD 2
#endif

/* A relocatable file in memory. */
struct relocatable {
	const char *data;
	size_t size;
	Elf64_Shdr *sections;	/* a copy */
	size_t nr;
};

/* Its sections. 0; -ENODATA another kind of file; -ENOEXEC damaged; -ENOMEM. */
static int read_relocatable(const char *data, size_t size, struct relocatable *ret)
{
	Elf64_Ehdr header;

	if (size < sizeof(header))
		return -ENODATA;
	memcpy(&header, data, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header.e_type != ET_REL || header.e_shentsize != sizeof(Elf64_Shdr) || !header.e_shnum)
		return -ENODATA;
	if (header.e_shoff > size || header.e_shnum * sizeof(Elf64_Shdr) > size - header.e_shoff)
		return -ENOEXEC;
	*ret = (struct relocatable){ .data = data, .size = size, .nr = header.e_shnum };
	ret->sections = malloc(ret->nr * sizeof(Elf64_Shdr));
	if (!ret->sections)
		return -ENOMEM;
	memcpy(ret->sections, data + header.e_shoff, ret->nr * sizeof(Elf64_Shdr));
	return 0;
}

/* 1: the section is compressed with Zstandard; 0: it is not; -ENOEXEC: damaged. */
static int is_zstd_section(const struct relocatable *file, const Elf64_Shdr *section,
			   Elf64_Chdr *ret_chdr)
{
	if (!(section->sh_flags & SHF_COMPRESSED) || section->sh_type == SHT_NOBITS)
		return 0;
	if (section->sh_offset > file->size || section->sh_size > file->size - section->sh_offset ||
	    section->sh_size < sizeof(*ret_chdr))
		return -ENOEXEC;
	memcpy(ret_chdr, file->data + section->sh_offset, sizeof(*ret_chdr));
	if (ret_chdr->ch_type != ELFCOMPRESS_ZSTD)
		return 0;
	/* A damaged size must not take all memory. */
	return ret_chdr->ch_size / 1024 > section->sh_size ? -ENOEXEC : 1;
}

/* Whether a section is: 1, 0; -errno as read_relocatable(). */
static int has_zstd_section(const struct relocatable *file)
{
	Elf64_Chdr chdr;

	for (size_t i = 0; i < file->nr; i++) {
		int found = is_zstd_section(file, &file->sections[i], &chdr);

		if (found)
			return found;
	}
	return 0;
}

#ifdef HAVE_ZSTD
#include <zstd.h>

DEFINE_CLEANUP(ZSTD_DStream *, ZSTD_freeDStream)

static int uncompress_to(int fd, const void *data, size_t size)
{
	_cleanup_(ZSTD_freeDStream_p) ZSTD_DStream *stream = ZSTD_createDStream();
	size_t room = ZSTD_DStreamOutSize(), left = 1;
	_cleanup_(free_p) char *buffer = malloc(room);
	ZSTD_inBuffer in = { data, size, 0 };

	if (!stream || !buffer)
		return -ENOMEM;
	while (left) {
		ZSTD_outBuffer out = { buffer, room, 0 };
		size_t before = in.pos;
		int err;

		left = ZSTD_decompressStream(stream, &out, &in);
		/* The data ends, and the stream does not. */
		if (ZSTD_isError(left) || (left && !out.pos && in.pos == before))
			return -ENOEXEC;
		err = write_all(fd, buffer, out.pos);
		if (err)
			return err;
	}
	return 0;
}

/* Append the uncompressed section to the file, at @at. Returns the number of bytes, or -errno. */
static int64_t append_section(const struct relocatable *file, Elf64_Shdr *section,
			      const Elf64_Chdr *chdr, uint64_t at, int fd)
{
	static const char padding[64];
	uint64_t align = chdr->ch_addralign ?: 1, pad = align <= 64 ? -at & (align - 1) : 0;
	_cleanup_(free_p) char *plain = malloc(chdr->ch_size ?: 1);
	int err;

	if (!plain)
		return -ENOMEM;
	err = zstd_uncompress(file->data + section->sh_offset + sizeof(*chdr),
			      section->sh_size - sizeof(*chdr), plain, chdr->ch_size);
	if (!err)
		err = write_all(fd, padding, pad);
	if (!err)
		err = write_all(fd, plain, chdr->ch_size);
	if (err)
		return err;
	section->sh_offset = at + pad;
	section->sh_size = chdr->ch_size;
	section->sh_addralign = chdr->ch_addralign;
	section->sh_flags &= ~(Elf64_Xword)SHF_COMPRESSED;
	return pad + chdr->ch_size;
}

/* The unchanged file, then the uncompressed sections, then section headers that refer to them. */
static int copy_uncompressed(struct relocatable *file, int fd)
{
	Elf64_Ehdr header;
	uint64_t at = file->size;
	int err = write_all(fd, file->data, file->size);

	for (size_t i = 0; i < file->nr && !err; i++) {
		Elf64_Chdr chdr;
		int found = is_zstd_section(file, &file->sections[i], &chdr);
		int64_t added = found;

		if (found > 0)
			added = append_section(file, &file->sections[i], &chdr, at, fd);
		if (added < 0)
			return added;
		at += added;
	}
	if (err)
		return err;
	memcpy(&header, file->data, sizeof(header));
	return pwrite(fd, file->sections, file->nr * sizeof(Elf64_Shdr), header.e_shoff) < 0 ?
		       -errno :
		       0;
}

static int open_uncompressed(struct relocatable *file, int *ret_fd)
{
	_cleanup_(close_fd) int memory = memfd_create("uncompressed", MFD_CLOEXEC);
	int err = memory < 0 ? -errno : copy_uncompressed(file, memory);

	if (!err)
		*ret_fd = take_fd(memory);
	return err;
}

int zstd_open(int fd, int *ret_fd)
{
	_cleanup_(close_fd) int memory = memfd_create("uncompressed", MFD_CLOEXEC);
	struct stat st;
	void *data;
	int err;

	if (memory < 0 || fstat(fd, &st))
		return -errno;
	data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return -errno;
	err = uncompress_to(memory, data, st.st_size);
	munmap(data, st.st_size);
	if (err)
		return err;
	*ret_fd = take_fd(memory);
	return 0;
}

int zstd_uncompress(const void *from, size_t from_size, void *to, size_t size)
{
	return ZSTD_decompress(to, size, from, from_size) == size ? 0 : -ENOEXEC;
}

#else

static int open_uncompressed(struct relocatable *file, int *ret_fd)
{
	return -ENOTSUP;
}

int zstd_open(int fd, int *ret_fd)
{
	return -ENOTSUP;
}

int zstd_uncompress(const void *from, size_t from_size, void *to, size_t size)
{
	return -ENOTSUP;
}

#endif

int zstd_open_relocatable(int fd, int *ret_fd)
{
	struct relocatable file = {};
	struct stat st;
	void *data;
	int err;

	if (fstat(fd, &st))
		return -errno;
	/* Directories and empty files are reported by the caller. */
	if (!S_ISREG(st.st_mode) || !st.st_size)
		return -ENODATA;
	data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return -errno;
	err = read_relocatable(data, st.st_size, &file);
	if (!err)
		err = has_zstd_section(&file);
	if (!err)
		err = -ENODATA;
	else if (err > 0)
		err = open_uncompressed(&file, ret_fd);
	free(file.sections);
	munmap(data, st.st_size);
	return err;
}
