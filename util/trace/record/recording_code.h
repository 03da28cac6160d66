/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CODE chunks: the machine code of functions with recorded branches, needed to explain the
 * branches. Each item is an address and the bytes at that address.
 */
#ifndef RETSNOOP_TRACE_RECORD_RECORDING_CODE_H
#define RETSNOOP_TRACE_RECORD_RECORDING_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/base/vec.h"
#include "util/kernel/symbols/code_source.h"

/* Longer functions are left out. */
#define RECORDING_MAX_CODE (64u << 10)

struct recorded_code_part {
	uint64_t addr;
	size_t size;
	uint8_t *code;	/* owned */
};

/* The code read from a recording. Zeroed: none. */
struct recorded_code {
	VEC(struct recorded_code_part) parts;	/* by address */
	size_t bytes;
};

void recording_put_code(struct strbuf *sb, uint64_t addr, const void *code, size_t size);

/* 0; -EBADMSG, -ENOMEM (not reported). */
int recording_get_code(const void *data, size_t size, struct recorded_code *code);
void recorded_code_release(struct recorded_code *code);

/* For struct code_source, with a struct recorded_code. */
long recorded_code_read(void *arg, uint64_t addr, void *buf, size_t size);

#endif
