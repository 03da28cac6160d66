/* SPDX-License-Identifier: BSD-2-Clause */
/* GNU build ids, which identify the build of a file or of a running kernel. */
#ifndef RETSNOOP_KERNEL_ELF_BUILD_ID_H
#define RETSNOOP_KERNEL_ELF_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BUILD_ID_MAX 64

struct build_id {
	uint8_t bytes[BUILD_ID_MAX];
	size_t len;	/* 0: none */
};

/* Whether both are known and equal. */
static inline bool build_id_equal(const struct build_id *a, const struct build_id *b)
{
	return a->len && a->len == b->len && !memcmp(a->bytes, b->bytes, a->len);
}

#endif
