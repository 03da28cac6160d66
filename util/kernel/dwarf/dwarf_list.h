/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists by address: ranges of code, and locations of variables, which have an expression after each range. */
#ifndef RETSNOOP_KERNEL_DWARF_DWARF_LIST_H
#define RETSNOOP_KERNEL_DWARF_DWARF_LIST_H

#include "util/kernel/dwarf/dwarf_unit.h"

struct address_list {
	const struct dwarf_sections *sections;
	const struct dwarf_unit *unit;
	bool of_locations;
	struct cursor c;	/* after an entry's range */
	uint64_t base;		/* that offsets are from */
};

/**
 * @value	of the attribute, in the form @form: the list's place, or its index (DW_FORM_rnglistx, _loclistx)
 * @return	0; -ENOEXEC damaged
 */
int address_list_open(struct address_list *list, const struct dwarf_sections *sections,
		      const struct dwarf_unit *unit, bool of_locations, uint64_t value, uint16_t form);

/* The next range. 1; 0 the list ends; -ENOEXEC. A default location is for all addresses: 0 to UINT64_MAX. */
int address_list_next(struct address_list *list, uint64_t *ret_low, uint64_t *ret_high);

/* Called for each range; a non-zero return stops. */
typedef int (*range_fn)(void *arg, uint64_t low, uint64_t high);

/* Walk a DW_AT_ranges. 0, what fn returned, or -ENOEXEC. */
int unit_ranges(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		uint64_t value, uint16_t form, range_fn fn, void *arg);

#endif
