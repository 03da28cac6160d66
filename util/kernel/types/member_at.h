/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the member at an offset in a struct. */
#ifndef RETSNOOP_KERNEL_TYPES_MEMBER_AT_H
#define RETSNOOP_KERNEL_TYPES_MEMBER_AT_H

#include <stdint.h>

#include "util/base/strbuf.h"

struct btf;

/* The member of a union that is in use: of "union bpf_attr", the one with "map_type". */
struct union_member {
	const char *of;		/* the union */
	const char *name;	/* its member's, or of a member of a struct without a name */
};

/**
 * The member that an access of @size bytes at @offset uses, in members of members and arrays too.
 *
 * @id		a type, not a pointer to it
 * @known	NULL: of no union
 * @path	".entry.next" is appended, "[2]" for elements of arrays; nothing if @id itself is
 *		a number or pointer
 * @ret_type	the member's; 0: a bit-field, whose type is larger than what is accessed
 * @ret_shift	offset of the access in the member, in bits
 * @return	0; -ENOENT none, or several, as in unions. There, one that is the same as another but for "const"
 *		does not count, nor does a number that is only another view of a struct, nor what only freed
 *		objects use
 */
int btf_member_at(const struct btf *btf, uint32_t id, uint64_t offset, uint32_t size,
		  const struct union_member *known, struct strbuf *path, uint32_t *ret_type, uint32_t *ret_shift);
/* The same for a bit-field of one bit, the @bit-th from @offset on. 0; -ENOENT none, or several. */
int btf_bit_field_at(const struct btf *btf, uint32_t id, uint64_t offset, uint32_t bit,
		     const struct union_member *known, struct strbuf *path);

#endif
