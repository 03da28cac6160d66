/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All units of a file, by address and by offset. .debug_aranges gives the unit of an address
 * without reading other units; only for addresses that it lacks, every unit is read.
 */
#ifndef RETSNOOP_KERNEL_DWARF_DWARF_UNITS_H
#define RETSNOOP_KERNEL_DWARF_DWARF_UNITS_H

#include "util/kernel/dwarf/dwarf_unit.h"

struct unit_range {
	uint64_t low, high;
	uint64_t unit;		/* its offset */
};

struct dwarf_units {
	const struct dwarf_sections *sections;
	VEC(struct dwarf_unit *) all;	/* units found so far, by offset */
	VEC(struct unit_range) ranges;	/* by low */
	bool complete;			/* all units of the file are in @all */
	bool ranged;			/* ... and their ranges in @ranges */
};

/* 0 or -ENOMEM. @sections must outlive the units. */
int dwarf_units_init(struct dwarf_units *units, const struct dwarf_sections *sections);
void dwarf_units_release(struct dwarf_units *units);

/* The unit with code at @addr, opened; NULL: none. Owned by @units. */
struct dwarf_unit *dwarf_units_at(struct dwarf_units *units, uint64_t addr);

/* The same by .debug_aranges alone, not opened. */
struct dwarf_unit *dwarf_units_met_at(struct dwarf_units *units, uint64_t addr);

/* The unit that contains the byte at @offset of .debug_info, opened; or NULL. */
struct dwarf_unit *dwarf_units_containing(struct dwarf_units *units, uint64_t offset);

/* Find every unit of the file. 0 or -ENOMEM; ends without an error where the file is damaged. */
int dwarf_units_complete(struct dwarf_units *units);

#endif
