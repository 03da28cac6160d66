/* SPDX-License-Identifier: BSD-2-Clause */
/* From an offset in a struct to the member that is there. */
#ifndef RETSNOOP_KERNEL_TYPES_MEMBER_AT_H
#define RETSNOOP_KERNEL_TYPES_MEMBER_AT_H

#include <stdint.h>

#include "util/base/strbuf.h"

struct btf;

/**
 * The member that an access of @size bytes at @offset uses, in members of members and arrays too.
 *
 * @id		a type, not a pointer to it
 * @path	".entry.next" is appended, "[2]" for elements of arrays; nothing where @id itself is
 *		the number or pointer
 * @ret_type	the member's
 * @ret_shift	where in the member the access begins, in bits
 * @return	0; -ENOENT there is none, or there are several, as in unions
 */
int btf_member_at(const struct btf *btf, uint32_t id, uint64_t offset, uint32_t size,
		  struct strbuf *path, uint32_t *ret_type, uint32_t *ret_shift);

#endif
