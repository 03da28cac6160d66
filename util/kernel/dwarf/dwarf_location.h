/* SPDX-License-Identifier: BSD-2-Clause */
/* Where variables are: location lists, and the frames that places on the stack are relative to. */
#ifndef RETSNOOP_KERNEL_DWARF_DWARF_LOCATION_H
#define RETSNOOP_KERNEL_DWARF_DWARF_LOCATION_H

#include "util/kernel/dwarf/dwarf_unit.h"

enum location_kind {
	LOCATION_UNKNOWN, /* nowhere, in pieces, a constant, or computed */
	LOCATION_REGISTER, /* in `reg` */
	LOCATION_SUM, /* nowhere, but it is `reg` + `offset` */
	LOCATION_MEMORY, /* at `reg` + `offset` */
	LOCATION_FRAME, /* at the function's frame base + `offset` */
};

struct location {
	enum location_kind kind;
	uint8_t reg; /* DWARF's number for the CPU */
	int64_t offset; /* bytes */
};

/**
 * The location of a variable while the instruction at an address is about to run (DWARF 5, section 2.6).
 *
 * @value	of DW_AT_location, an expression or the place of a list
 * @return	0, LOCATION_UNKNOWN included; -ENOEXEC damaged
 */
int location_at(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		const struct attr_value *value, uint64_t addr, struct location *ret_location);

/**
 * The canonical frame address at an address, from .debug_frame: LOCATION_MEMORY, as register and offset
 * (DWARF 5, section 6.4). Compilers make it the frame base of each function.
 *
 * @return	0, LOCATION_UNKNOWN included: no entry, or an expression; -ENOEXEC damaged
 */
int frame_address_at(const struct dwarf_sections *sections, uint64_t addr,
		     struct location *ret_location);

#endif
