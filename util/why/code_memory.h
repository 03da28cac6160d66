/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's code as it was when it was first read. A probe's jump or breakpoint stays in the code
 * for a while after the probe is gone: the kernel takes jumps out with a delay (kernel/kprobes.c,
 * OPTIMIZE_DELAY). A function is read before probes are put inside it, so what is kept has none.
 */
#ifndef RETSNOOP_WHY_CODE_MEMORY_H
#define RETSNOOP_WHY_CODE_MEMORY_H

#include "util/base/vec.h"
#include "util/kernel/code/code_source.h"

struct code_page;

/* All zeros but for the source to begin with. */
struct code_memory {
	struct code_source source;	/* read once for each page */
	VEC(struct code_page *) pages;	/* by address */
};

/* As struct code_source has it; @memory a struct code_memory. */
long code_memory_read(void *memory, uint64_t addr, void *buf, size_t size);
void code_memory_release(struct code_memory *memory);

#endif
