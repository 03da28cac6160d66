// SPDX-License-Identifier: BSD-2-Clause
/* Reading /proc/kcore, an ELF file with a segment for each range of kernel memory. */
#include "util/kernel/code/code_source.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MAX_SEGMENTS 4096

/*
 * The offset of an address in the file; *left: bytes from there to the end of the segment. -1:
 * none.
 */
static off_t find_segment(int fd, uint64_t addr, uint64_t *left)
{
	Elf64_Ehdr header;

	if (pread(fd, &header, sizeof(header), 0) != sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum > MAX_SEGMENTS)
		return -1;
	for (unsigned int i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr segment;

		if (pread(fd, &segment, sizeof(segment), header.e_phoff + i * sizeof(segment)) !=
		    sizeof(segment))
			return -1;
		if (segment.p_type != PT_LOAD || addr < segment.p_vaddr ||
		    addr - segment.p_vaddr >= segment.p_memsz)
			continue;
		*left = segment.p_memsz - (addr - segment.p_vaddr);
		return segment.p_offset + (addr - segment.p_vaddr);
	}
	return -1;
}

long kcore_read(void *arg, uint64_t addr, void *buf, size_t size)
{
	struct kcore *kcore = arg;
	uint64_t left = 0;
	off_t offset;
	ssize_t n;

	if (kcore->fd < 0 && !kcore->err) {
		kcore->fd = open("/proc/kcore", O_RDONLY | O_CLOEXEC);
		kcore->err = kcore->fd < 0 ? -errno : 0;
	}
	if (kcore->fd < 0)
		return kcore->err;
	offset = find_segment(kcore->fd, addr, &left);
	if (offset < 0)
		return -EFAULT;
	n = pread(kcore->fd, buf, size < left ? size : left, offset);
	return n < 0 ? -errno : n;
}

void kcore_close(struct kcore *kcore)
{
	if (kcore->fd >= 0)
		close(kcore->fd);
	*kcore = (struct kcore)KCORE_INIT;
}
