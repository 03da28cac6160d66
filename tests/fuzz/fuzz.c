// SPDX-License-Identifier: BSD-2-Clause
/* What several harnesses share: files in memory, damaged copies of sound files. */
#include "tests/fuzz/fuzz.h"

#include <bpf/libbpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/base/report.h"

#define MAX_DAMAGES 64

static int be_silent(enum libbpf_print_level level, const char *fmt, va_list args)
{
	return 0;
}

FILE *fuzz_null(void)
{
	static FILE *null;

	if (!null)
		null = fopen("/dev/null", "w");
	if (!null)
		abort();
	return null;
}

void fuzz_quiet(void)
{
	/* Sanitizers write to the descriptor, not to the stream. */
	stderr = fuzz_null();
	libbpf_set_print(be_silent);
	report_set_verbosity(VERBOSITY_QUIET);
}

void fuzz_file_write(struct fuzz_file *file, const void *data, size_t size)
{
	if (!*file->path) {
		file->fd = memfd_create("input", MFD_CLOEXEC);
		snprintf(file->path, sizeof(file->path), "/proc/self/fd/%d", file->fd);
	}
	if (file->fd < 0 || ftruncate(file->fd, 0) ||
	    pwrite(file->fd, data, size, 0) != (ssize_t)size)
		abort();
}

char *fuzz_text(struct wire *wire, char end)
{
	size_t left = wire_left(wire), len;
	const char *text = wire_take(wire, left);
	const char *found = text ? memchr(text, end, left) : NULL;
	char *copy;

	len = found ? (size_t)(found - text) : left;
	copy = calloc(1, len + 1);
	if (len)
		memcpy(copy, text, len);
	if (text)
		*wire = wire_of(text + len + (found != NULL), left - len - (found != NULL));
	return copy;
}

void fuzz_damage(struct wire *wire, const void *sound, size_t size, struct strbuf *ret_file)
{
	strbuf_add(ret_file, sound, size);
	for (int i = 0; i < MAX_DAMAGES && wire_left(wire) && ret_file->len; i++) {
		uint32_t offset = wire_get_u32(wire);
		size_t len = wire_get_u8(wire) % 32;
		const void *bytes;

		if (offset >> 31) {
			ret_file->len = (offset & INT32_MAX) % ret_file->len;
			continue;
		}
		offset %= ret_file->len;
		if (len > wire_left(wire))
			len = wire_left(wire);
		if (len > ret_file->len - offset)
			len = ret_file->len - offset;
		bytes = wire_take(wire, len);
		if (bytes)
			memcpy(ret_file->s + offset, bytes, len);
	}
}
