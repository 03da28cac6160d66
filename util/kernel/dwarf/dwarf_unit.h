/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Units of .debug_info: their headers, abbreviations and attribute values, and the list of all
 * units of a file.
 */
#ifndef RETSNOOP_KERNEL_DWARF_DWARF_UNIT_H
#define RETSNOOP_KERNEL_DWARF_DWARF_UNIT_H

#include "util/base/vec.h"
#include "util/kernel/dwarf/dwarf_reader.h"

struct line_table;
struct unit_functions;

/* One attribute of an abbreviation. */
struct attr_spec {
	uint16_t at;
	uint16_t form;
	int32_t value;		/* of DW_FORM_implicit_const; else bytes it takes, -1: it varies */
};

#define SIZE_VARIES UINT16_MAX

struct abbrev {
	uint64_t code;
	uint32_t first_attr;	/* index into attrs */
	uint16_t nr_attrs;
	uint16_t tag;
	uint16_t size;		/* of all attributes in bytes, or SIZE_VARIES */
	uint16_t sibling;	/* offset of a DW_AT_sibling of 4 bytes, or SIZE_VARIES */
	bool children;
	bool code_attrs;	/* has DW_AT_low_pc or DW_AT_ranges */
};

struct abbrev_table {
	struct abbrev *abbrevs;	/* by code */
	struct attr_spec *attrs;
	size_t nr;
	bool dense;		/* code n is at n - 1 */
	bool conventions;	/* functions may have DW_AT_calling_convention, which C compilers seldom write */
	bool inlines_others;	/* inlined calls may be of functions that another unit describes */
};

struct dwarf_unit {
	uint64_t offset, end;	/* in .debug_info; end is after its last byte */
	uint64_t abbrev_offset;
	uint32_t header_size;	/* the first DIE is after it */
	uint8_t version, unit_type, address_size, offset_size;
	bool opened, broken;	/* unit_open() was tried, and failed */
	bool has_line;
	bool no_functions;	/* its DIEs cannot be read; its lines may be */
	bool split;		/* a skeleton: functions are in a .dwo file */
	uint16_t language;
	struct abbrev_table abbrevs;
	/* From the unit's own DIE. */
	const char *name, *comp_dir;		/* in the file's sections, or NULL */
	uint64_t low_pc;
	uint64_t line_offset;
	uint64_t str_offsets_base, addr_base, rnglists_base, loclists_base;
	uint64_t ranges;			/* form value; by ranges_form */
	uint64_t high_pc;			/* an address; 0: none */
	uint16_t ranges_form;			/* 0: none */
	/* Made when first needed, by dwarf_line.c and dwarf_scope.c. */
	struct line_table *lines;
	struct unit_functions *functions;
};

/* An attribute's value. Its class says which member is used, see attr_read(). */
struct attr_value {
	uint16_t form;
	uint64_t u;		/* number, address (also by index), or offset as written */
	const char *s;		/* strings */
	struct cursor block;	/* bytes: an expression */
};

/* Read the header at @offset. 0; -ENOEXEC damaged. What has a valid length but an unknown
 * version is returned with version 0, to be skipped.
 */
int unit_read_header(const struct dwarf_sections *sections, uint64_t offset,
		     struct dwarf_unit *ret_unit);

/* Read abbreviations and the unit's own DIE, once. 0; -ENOEXEC damaged; -ENOMEM. */
int unit_open(const struct dwarf_sections *sections, struct dwarf_unit *unit);

/*
 * The name of a unit from its header alone, without keeping anything: much less work than
 * unit_open(). 0; -errno.
 */
int unit_peek(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
	      struct dwarf_unit *ret_peeked);

/* Frees what the unit owns, except lines and functions. */
void unit_release(struct dwarf_unit *unit);

/* A cursor over the unit's DIEs, from @offset (in .debug_info) on. */
struct cursor unit_cursor(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
			  uint64_t offset);

static inline struct cursor unit_first_die(const struct dwarf_sections *sections,
					   const struct dwarf_unit *unit)
{
	return unit_cursor(sections, unit, unit->offset + unit->header_size);
}

/* NULL: no such code; the caller gives up on the unit. */
const struct abbrev *abbrev_find(const struct abbrev_table *table, uint64_t code);

/* Read one attribute's value. Indices (strx, addrx) are resolved. */
void attr_read(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
	       struct cursor *c, const struct attr_spec *spec, struct attr_value *ret_value);

/* The size of a form in bytes; -1: it varies. For attr_spec.value. */
int attr_form_size(const struct dwarf_unit *unit, uint16_t form);

/* Move after one attribute, or all of a DIE's. */
void attr_skip(const struct dwarf_unit *unit, struct cursor *c, const struct attr_spec *spec);
void attrs_skip(const struct dwarf_unit *unit, struct cursor *c, const struct abbrev *abbrev);

/* The unit's address with this index in .debug_addr; 0: the file has none. */
uint64_t attr_indexed_address(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
			      uint64_t index);

/* The offset in .debug_info that a reference leads to; 0: outside the file. */
uint64_t attr_reference(const struct dwarf_unit *unit, const struct attr_value *value);

/* The end of a DIE with high_pc, which is an address, or an offset from @low, by its form. */
uint64_t attr_high_pc(const struct attr_value *value, uint64_t low);

#endif
