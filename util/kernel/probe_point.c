// SPDX-License-Identifier: BSD-2-Clause
/*
 * Following a function's code from its first instruction on. It is read from the running kernel:
 * that has patched what is in its file, and with other lengths (alternatives).
 */
#include "util/kernel/probe_point.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/kernel/instruction.h"

/* Functions of the kernel are smaller; there is no use in a larger one's far end. */
#define MAX_FUNCTION (256 * 1024)
#define MAX_SEGMENTS 4096

/* Where in the file an address is; *left is what there is of it. -1: nowhere. */
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

#if defined(__x86_64__)

#define INT3 0xcc

/* Whether what follows an instruction is not reached from it: returns and jumps. */
static bool is_end(const uint8_t *code, size_t length)
{
	while (length > 1 && (*code == 0x2e || *code == 0x3e || *code == 0xf2 || *code == 0xf3 ||
			      (*code & 0xf0) == 0x40)) {
		code++;
		length--;
	}
	return *code == 0xc3 || *code == 0xc2 || *code == 0xe9 || *code == 0xeb || *code == INT3 ||
	       (*code == 0xff && length > 1 && (code[1] & 0x38) == 0x20);
}

/*
 * Where another kprobe is, the first byte of what was there is gone. Behind what ends a run of
 * instructions compilers put the same byte, against speculation.
 */
static bool is_patched(const uint8_t *code, const uint8_t *last, size_t last_length)
{
	return *code == INT3 && !(last_length && is_end(last, last_length));
}

#else

static bool is_patched(const uint8_t *code, const uint8_t *last, size_t last_length)
{
	return false;
}

#endif

void point_check(const struct code_source *source, uint64_t func, uint64_t size, uint64_t offset,
		 struct point_check *ret_check)
{
	bool outside = size && offset >= size;
	struct point_check check = { .place = outside ? POINT_OUTSIDE : POINT_UNKNOWN };
	/* Room for the instruction that the offset is in. */
	uint64_t want = size ?: offset + 16, at = 0, last = 0, next;
	_cleanup_(free_p) uint8_t *code = NULL;
	long have = 0;

	if (!offset)
		check.place = POINT_GOOD;
	if (offset && want <= MAX_FUNCTION)
		code = malloc(want);
	if (code)
		have = source->read(source->arg, func, code, want);
	while (have > 0 && at < (uint64_t)have) {
		size_t length = is_patched(code + at, code + last, at - last) ?
					0 :
					instruction_length(code + at, have - at);

		/* At padding behind the last instruction, too, for what is outside. */
		if (at == offset) {
			check.place = POINT_GOOD;
			break;
		}
		if (!length)
			break;
		next = at + length;
		if (offset < next) {
			check.place = POINT_MIDDLE;
			check.have_before = true;
			check.before = at;
			check.after = !size || next < size ? next : at;
			break;
		}
		last = at;
		at = next;
	}
	if (outside && at == size) {
		check.have_before = true;
		check.before = check.after = last;
	}
	*ret_check = check;
}
