/* SPDX-License-Identifier: BSD-2-Clause */
/* The variables that a function has at an address, and where they are. */
#ifndef RETSNOOP_KERNEL_DWARF_DWARF_VARIABLE_H
#define RETSNOOP_KERNEL_DWARF_DWARF_VARIABLE_H

#include "util/kernel/dwarf/dwarf_location.h"

/*
 * Called for each variable and parameter, those of outer scopes before those of inner ones; a non-zero result ends the
 * walk and is returned.
 *
 * @die		the variable's; its name and type may be in its origin
 * @depth	of its scope; 1: the function's own
 * @location	LOCATION_REGISTER, LOCATION_SUM or LOCATION_MEMORY; LOCATION_UNKNOWN: it is not known by a register
 */
typedef int (*variable_die_fn)(void *arg, uint64_t die, size_t depth,
			       const struct location *location);

/**
 * @function	DIE of a function that has code at @addr, and what is inlined there is looked at, too
 * @return	0; -ENOEXEC damaged; what @fn returned
 */
int function_walk_variables(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
			    uint64_t function, uint64_t addr, variable_die_fn fn, void *arg);

/* The number of elements of an array with one dimension. 0; -ENODATA not known, or more dimensions; -ENOEXEC. */
int die_array_length(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		     uint64_t die, uint64_t *ret_length);

#endif
