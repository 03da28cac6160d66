/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's code as first read. A probe's jump stays in the code for a while after the probe is removed, and
 * nothing tells that any more: the kernel removes jumps with a delay (kernel/kprobes.c, OPTIMIZE_DELAY). A
 * function is read before probes are put inside it, so the kept code has none of this process.
 */
#ifndef RETSNOOP_WHY_CODE_MEMORY_H
#define RETSNOOP_WHY_CODE_MEMORY_H

#include "util/base/vec.h"
#include "util/kernel/symbols/code_source.h"

struct code_page;

/* Starts zeroed, except for the source. */
struct code_memory {
	struct code_source source;	/* read once for each page */
	VEC(struct code_page *) pages;	/* by address */
};

/* As in struct code_source; @memory is a struct code_memory. */
long code_memory_read(void *memory, uint64_t addr, void *buf, size_t size);
/* The same, but what is not kept yet is not kept: for large areas. */
long code_memory_read_once(const struct code_memory *memory, uint64_t addr, void *buf, size_t size);
void code_memory_release(struct code_memory *memory);

#endif
