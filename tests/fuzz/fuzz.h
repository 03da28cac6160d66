/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What several harnesses share. Each harness defines LLVMFuzzerTestOneInput(); libFuzzer calls it
 * (`make fuzz`), or replay.c, which needs no clang (`make unit`).
 */
#ifndef RETSNOOP_TESTS_FUZZ_H
#define RETSNOOP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "util/base/strbuf.h"
#include "util/trace/record/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

/* Messages about each bad input are not printed. Call it first, each time. */
void fuzz_quiet(void);

/* Where text that nobody reads is printed. */
FILE *fuzz_null(void);

/* A file that lasts until the harness ends. NULL path: not written yet. */
struct fuzz_file {
	int fd;
	char path[64];
};

/* Make the file's contents these. */
void fuzz_file_write(struct fuzz_file *file, const void *data, size_t size);

/* A NUL-terminated copy of all up to the next @end, which is skipped. free() it. */
char *fuzz_text(struct wire *wire, char end);

/*
 * A copy of a sound file with the damage that the rest of an input describes. Each item is a u32
 * and a byte: the offset (modulo the size), and how many bytes follow that are put there (modulo
 * 32). With the highest bit of the u32, the file ends at the offset instead.
 */
void fuzz_damage(struct wire *wire, const void *sound, size_t size, struct strbuf *ret_file);

/* Files built from tests/fuzz/sample.c: a linked program, an object (a module), bare BTF. */
struct fuzz_sample {
	const uint8_t *data, *end;
};

extern const uint8_t sample_elf[], sample_elf_end[];
extern const uint8_t sample_ko[], sample_ko_end[];
extern const uint8_t sample_btf[], sample_btf_end[];

#endif
