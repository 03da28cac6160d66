/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the members of a struct are in this kernel, for reading structs from its memory. */
#ifndef RETSNOOP_KERNEL_TYPES_KERNEL_STRUCT_H
#define RETSNOOP_KERNEL_TYPES_KERNEL_STRUCT_H

#include <stdbool.h>
#include <stdint.h>

struct btf;

/* Id and size (bytes) of a struct that has at most @max_size. 0; -ENOENT. */
int kernel_struct_find(const struct btf *types, const char *name, uint32_t max_size, uint32_t *ret_id,
		       uint32_t *ret_size);

/* The offset of a member (bytes), which must have @size. 0; -ENOENT. */
int kernel_struct_member(const struct btf *types, uint32_t id, const char *name, uint32_t size,
			 uint32_t *ret_offset);

/* Whether this kernel has the struct, and the struct the member: some features show in BTF only so. */
bool kernel_struct_has(const struct btf *types, const char *name, const char *member);

#endif
