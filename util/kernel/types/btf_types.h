/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Types of a BTF: what is underneath their names, how large they are, what members they have. BTF
 * may come out of a file that someone made: whatever it says, all of this ends, and reads nothing
 * that is not there.
 */
#ifndef RETSNOOP_KERNEL_TYPES_BTF_TYPES_H
#define RETSNOOP_KERNEL_TYPES_BTF_TYPES_H

#include <bpf/btf.h>
#include <stdbool.h>
#include <stdint.h>

/* A bound for ways through types; true ones are much shorter. */
#define BTF_MAX_CHAIN 64
#define BTF_MAX_NESTING 24

/* The type without typedefs, qualifiers and tags; NULL for void and for broken BTF. */
const struct btf_type *btf_underneath(const struct btf *btf, uint32_t id);
/* The same, and its id; 0 with NULL. */
const struct btf_type *btf_underneath_id(const struct btf *btf, uint32_t id, uint32_t *ret_id);

/* A name of BTF's, or "". */
const char *btf_name(const struct btf *btf, uint32_t name_off);
const char *btf_type_name(const struct btf *btf, const struct btf_type *type);

/* Bytes a type takes; -1 it has no size (void, a function, only declared) or is broken. */
int64_t btf_size_of(const struct btf *btf, uint32_t id);

/* What C would align it to; what has no members that say so, and the broken, 1. */
uint32_t btf_natural_align(const struct btf *btf, uint32_t id);

/* Whether a member stands where it would not by its own alignment: __packed. */
bool btf_has_unaligned(const struct btf *btf, uint32_t id);

/* Whether it is a floating point number, or something with one in it. */
bool btf_has_float(const struct btf *btf, uint32_t id);

/* Whether it is `char`, the one that text is made of. */
bool btf_is_char(const struct btf *btf, uint32_t id);

/*
 * Whether it is `unsigned char` by that name: text or numbers, as it comes. Whoever means numbers
 * mostly says u8.
 */
bool btf_is_unsigned_char(const struct btf *btf, uint32_t id);

/* What a pointer type points to; 0 when that is void or @id is no pointer. */
uint32_t btf_pointee(const struct btf *btf, uint32_t id);

/* Whether among the names and qualifiers of @id is this type tag ("user", "percpu"). */
bool btf_has_tag(const struct btf *btf, uint32_t id, const char *tag);

/* Whether it is const, whatever it is called. */
bool btf_is_constant(const struct btf *btf, uint32_t id);

/* A member, as it stands in its struct or union or in one of its anonymous members. */
struct btf_place {
	uint32_t type;
	uint32_t bit_offset;
	uint32_t bits;		/* of a bitfield; 0 it is none */
};

/* Where the i-th member of a composite type stands. */
struct btf_place btf_member_place(const struct btf *btf, const struct btf_type *type, uint32_t i);

/* Find a member by name, in anonymous members too. */
bool btf_find_member(const struct btf *btf, uint32_t id, const char *name,
		     struct btf_place *ret_place);

/* Hand out the names of all that btf_find_member() would find. */
void btf_each_member(const struct btf *btf, uint32_t id, void (*each)(void *arg, const char *name),
		     void *arg);

/*
 * The type that a C spelling means, as system calls' parameters have it: `const char *`,
 * `struct stat *`, `unsigned int`, `size_t`.
 */
struct btf_spelling {
	uint32_t type;		/* of what the pointers lead to; 0 void, or not found */
	uint32_t pointers;
	bool constant;		/* what the pointers lead to is const */
	bool text;		/* it is `char` */
	uint32_t size;		/* bytes of an integer made of C's own words; 0 it is none */
	bool is_signed;		/* such an integer is */
};

/* @btf may be NULL: then no type is found. */
void btf_type_spelt(const struct btf *btf, const char *text, struct btf_spelling *ret_spelling);

#endif
