// SPDX-License-Identifier: BSD-2-Clause
/*
 * ELF images of other processes, which change them as they like: where threads have a variable. An
 * input's first byte has the kind of image (bit 0: as it is in memory) and the CPU (bit 1: arm64);
 * the rest is the image.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "util/base/strbuf.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/debug/tls_symbol.h"

#define NAME "otel_thread_ctx_v1"

/* Of an image in memory. */
#define BASE 0x10000

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	static const char zeros[BASE];
	static struct fuzz_file file;
	struct wire wire = wire_of(input, size);
	uint8_t kind = wire_get_u8(&wire);
	const struct arch *arch = kind & 2 ? &arch_arm64 : &arch_x86;
	struct tls_image image = { .in_memory = kind & 1, .base = kind & 1 ? BASE : 0 };
	struct tls_place place = { false, 77, 77 };
	struct strbuf bytes = STRBUF_INIT;
	size_t left = wire_left(&wire);
	int err;

	fuzz_quiet();
	strbuf_add(&bytes, zeros, image.base);
	strbuf_add(&bytes, wire_take(&wire, left) ?: "", left);
	fuzz_file_write(&file, strbuf_str(&bytes), bytes.len);
	image.fd = open(file.path, O_RDONLY | O_CLOEXEC);
	err = tls_symbol_find(&image, NAME, arch->tls, &place);
	close(image.fd);
	/* A file alone never shows a module's number, and a place is all or nothing. */
	if (!err && (place.dynamic ? !image.in_memory || !place.module : place.module))
		abort();
	strbuf_release(&bytes);
	return 0;
}
