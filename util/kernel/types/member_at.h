/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the member at an offset in a struct. */
#ifndef RETSNOOP_KERNEL_TYPES_MEMBER_AT_H
#define RETSNOOP_KERNEL_TYPES_MEMBER_AT_H

#include <stdint.h>

#include "util/base/strbuf.h"

struct btf;

/**
 * The member that an access of @size bytes at @offset uses, in members of members and arrays too.
 *
 * @id		a type, not a pointer to it
 * @path	".entry.next" is appended, "[2]" for elements of arrays; nothing if @id itself is
 *		a number or pointer
 * @ret_type	the member's
 * @ret_shift	offset of the access in the member, in bits
 * @return	0; -ENOENT none, or several, as in unions
 */
int btf_member_at(const struct btf *btf, uint32_t id, uint64_t offset, uint32_t size,
		  struct strbuf *path, uint32_t *ret_type, uint32_t *ret_shift);

#endif
