// SPDX-License-Identifier: BSD-2-Clause
/* Zstandard. */
#include "util/kernel/elf_zstd.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/cleanup.h"

bool is_zstd(int fd)
{
	static const uint8_t magic[4] = { 0x28, 0xb5, 0x2f, 0xfd };
	uint8_t start[4];

	return pread(fd, start, sizeof(start), 0) == sizeof(start) &&
	       !memcmp(start, magic, sizeof(start));
}

#ifdef HAVE_ZSTD
#include <zstd.h>

DEFINE_CLEANUP(ZSTD_DStream *, ZSTD_freeDStream)

static int write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t written = write(fd, data, size);

		if (written < 0)
			return -errno;
		data += written;
		size -= written;
	}
	return 0;
}

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

int zstd_open(int fd, int *ret_fd)
{
	return -ENOTSUP;
}

int zstd_uncompress(const void *from, size_t from_size, void *to, size_t size)
{
	return -ENOTSUP;
}

#endif
