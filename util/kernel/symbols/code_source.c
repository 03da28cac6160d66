// SPDX-License-Identifier: BSD-2-Clause
/* Reading /proc/kcore, an ELF file with a segment for each range of kernel memory. */
#include "util/kernel/symbols/code_source.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/kernel/bpf/memory_reader.h"

#define MAX_SEGMENTS 4096
#define MAX_VMCOREINFO (64 * 1024)	/* VMCOREINFO_BYTES is a page */

/* The beginning of the file; all of its segments are in there on most machines. */
struct file_start {
	Elf64_Ehdr header;
	Elf64_Phdr segments[64];
	size_t len;
};

static int read_start(int fd, struct file_start *ret)
{
	const Elf64_Ehdr *header = &ret->header;
	ssize_t n = pread(fd, ret, offsetof(struct file_start, len), 0);

	if (n < (ssize_t)sizeof(*header) || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
	    header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_phentsize != sizeof(Elf64_Phdr) ||
	    header->e_phnum > MAX_SEGMENTS)
		return -EBADMSG;
	ret->len = n;
	return 0;
}

static int read_segment(int fd, const struct file_start *start, unsigned int i, Elf64_Phdr *ret)
{
	uint64_t at = start->header.e_phoff + i * sizeof(*ret);

	if (at <= start->len && start->len - at >= sizeof(*ret)) {
		memcpy(ret, (const char *)start + at, sizeof(*ret));
		return 0;
	}
	return pread(fd, ret, sizeof(*ret), at) == sizeof(*ret) ? 0 : -EBADMSG;
}

/*
 * The offset of an address in the file; *left: bytes from there to the end of the segment. -EFAULT: none;
 * -EBADMSG: not an ELF file. Memory that is plugged in moves segments, so they are not kept.
 */
static off_t find_segment(int fd, uint64_t addr, uint64_t *left)
{
	struct file_start start;
	Elf64_Phdr segment;

	if (read_start(fd, &start))
		return -EBADMSG;
	for (unsigned int i = 0; i < start.header.e_phnum; i++) {
		if (read_segment(fd, &start, i, &segment))
			return -EBADMSG;
		if (segment.p_type != PT_LOAD || addr < segment.p_vaddr ||
		    addr - segment.p_vaddr >= segment.p_memsz)
			continue;
		*left = segment.p_memsz - (addr - segment.p_vaddr);
		return segment.p_offset + (addr - segment.p_vaddr);
	}
	return -EFAULT;
}

int kcore_open(struct kcore *kcore)
{
	struct file_start start;

	if (kcore->fd < 0 && !kcore->err) {
		kcore->fd = open("/proc/kcore", O_RDONLY | O_CLOEXEC);
		kcore->err = kcore->fd < 0 ? -errno : read_start(kcore->fd, &start);
		if (kcore->err && kcore->by_bpf)
			kcore->reader = memory_reader_new();
	}
	return kcore->reader ? 0 : kcore->err;
}

long kcore_read(void *arg, uint64_t addr, void *buf, size_t size)
{
	struct kcore *kcore = arg;
	uint64_t left = 0;
	off_t offset;
	ssize_t n;

	if (kcore_open(kcore))
		return kcore->err;
	if (kcore->reader)
		return memory_reader_read(kcore->reader, addr, buf, size);
	offset = find_segment(kcore->fd, addr, &left);
	if (offset < 0)
		return offset;
	n = pread(kcore->fd, buf, size < left ? size : left, offset);
	return n < 0 ? -errno : n;
}

int code_source_read(const struct code_source *memory, uint64_t addr, void *buf, size_t size)
{
	size_t got = 0;

	/* A read ends with a segment of /proc/kcore. */
	while (got < size) {
		long n = memory->read(memory->arg, addr + got, (char *)buf + got, size - got);

		if (n <= 0)
			return n ? (int)n : -EFAULT;
		got += n;
	}
	return 0;
}

char *vmcoreinfo_find(const char *notes, size_t size)
{
	static const char name[] = "VMCOREINFO";

	while (size >= sizeof(Elf64_Nhdr)) {
		size_t text, next;
		Elf64_Nhdr note;

		memcpy(&note, notes, sizeof(note));
		text = sizeof(note) + (((size_t)note.n_namesz + 3) & ~3ull);
		next = text + (((size_t)note.n_descsz + 3) & ~3ull);
		if (text > size || note.n_descsz > size - text)
			return NULL;
		if (note.n_namesz == sizeof(name) && !memcmp(notes + sizeof(note), name, sizeof(name)))
			return strndup(notes + text, note.n_descsz);
		if (next > size)
			return NULL;
		notes += next;
		size -= next;
	}
	return NULL;
}

char *kcore_vmcoreinfo(struct kcore *kcore)
{
	_cleanup_(free_p) char *notes = NULL;
	struct file_start start;
	Elf64_Phdr segment = {};
	ssize_t n;

	if (kcore_open(kcore) || kcore->reader || read_start(kcore->fd, &start))
		return NULL;
	for (unsigned int i = 0; i < start.header.e_phnum && segment.p_type != PT_NOTE; i++) {
		if (read_segment(kcore->fd, &start, i, &segment))
			return NULL;
	}
	if (segment.p_type != PT_NOTE || segment.p_filesz > MAX_VMCOREINFO)
		return NULL;
	notes = malloc(segment.p_filesz + 1);
	n = notes ? pread(kcore->fd, notes, segment.p_filesz, segment.p_offset) : -1;
	return n > 0 ? vmcoreinfo_find(notes, n) : NULL;
}

void kcore_close(struct kcore *kcore)
{
	if (kcore->fd >= 0)
		close(kcore->fd);
	memory_reader_free(kcore->reader);
	*kcore = (struct kcore)KCORE_INIT;
}
