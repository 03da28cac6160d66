/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Types of a BTF: the types under their names, their sizes and members. BTF may come from a file
 * made by anybody: whatever it contains, these functions end, and read nothing outside of it.
 */
#ifndef RETSNOOP_KERNEL_TYPES_BTF_TYPES_H
#define RETSNOOP_KERNEL_TYPES_BTF_TYPES_H

#include <bpf/btf.h>
#include <stdbool.h>
#include <stdint.h>

/* A limit for chains of types; real ones are much shorter. */
#define BTF_MAX_CHAIN 64
#define BTF_MAX_NESTING 24

/* The type without typedefs, qualifiers and tags; NULL for void and for broken BTF. */
const struct btf_type *btf_underneath(const struct btf *btf, uint32_t id);
/* The same, and its id; 0 with NULL. */
const struct btf_type *btf_underneath_id(const struct btf *btf, uint32_t id, uint32_t *ret_id);

/* A name in BTF, or "". */
const char *btf_name(const struct btf *btf, uint32_t name_off);
const char *btf_type_name(const struct btf *btf, const struct btf_type *type);

/* The size of a type in bytes; -1 it has none (void, a function, only declared) or is broken. */
int64_t btf_size_of(const struct btf *btf, uint32_t id);

/* The type's alignment in C; 1 if it is not known or the type is broken. */
uint32_t btf_natural_align(const struct btf *btf, uint32_t id);

/* Whether a member is not at a place of its own alignment: __packed. */
bool btf_has_unaligned(const struct btf *btf, uint32_t id);

/* Whether it is, or contains, a floating point number. */
bool btf_has_float(const struct btf *btf, uint32_t id);

/* Whether it is `char`, the type of text. */
bool btf_is_char(const struct btf *btf, uint32_t id);

/*
 * Whether it is `unsigned char` by that name, which may be text or numbers. Sources mostly use u8
 * for numbers.
 */
bool btf_is_unsigned_char(const struct btf *btf, uint32_t id);

/* For a forward declaration of a struct, the type of the struct itself. */
uint32_t btf_whole_type(const struct btf *btf, uint32_t id);

/* A pointer to a type, also under other names or qualified; 0: the BTF has none. */
uint32_t btf_pointer_to(const struct btf *btf, uint32_t id);

/* The type that a pointer points to; 0: void, or @id is no pointer. */
uint32_t btf_pointee(const struct btf *btf, uint32_t id);

/* Whether @id has this type tag ("user", "percpu") among its names and qualifiers. */
bool btf_has_tag(const struct btf *btf, uint32_t id, const char *tag);

/* Whether it is const, also under other names (typedefs). */
bool btf_is_constant(const struct btf *btf, uint32_t id);

/* Whether each of the first @nr parameters is passed in a register of its own, if there are enough. */
bool btf_params_are_plain(const struct btf *btf, const struct btf_type *proto, uint32_t nr);

/* The place of a member in its struct or union, or in an anonymous member of that. */
struct btf_place {
	uint32_t type;
	uint32_t bit_offset;
	uint32_t bits;		/* of a bitfield; 0: no bitfield */
};

/* The place of the i-th member of a composite type. */
struct btf_place btf_member_place(const struct btf *btf, const struct btf_type *type, uint32_t i);

/* Find a member by name, in anonymous members too. */
bool btf_find_member(const struct btf *btf, uint32_t id, const char *name,
		     struct btf_place *ret_place);

/* Call @each with the names of all members that btf_find_member() can find. */
void btf_each_member(const struct btf *btf, uint32_t id, void (*each)(void *arg, const char *name),
		     void *arg);

/*
 * The type meant by text in C, as in the parameters of system calls: `const char *`, `struct stat
 * *`, `unsigned int`, `size_t`.
 */
struct btf_spelling {
	uint32_t type;		/* the pointers' target; 0: void, or not found */
	uint32_t pointers;
	bool constant;		/* the pointers' target is const */
	bool text;		/* it is `char` */
	uint32_t size;		/* bytes of an integer named only with C keywords; else 0 */
	bool is_signed;		/* such an integer is signed */
};

/* @btf may be NULL: then no type is found. */
void btf_type_spelt(const struct btf *btf, const char *text, struct btf_spelling *ret_spelling);

#endif
