// SPDX-License-Identifier: BSD-2-Clause
/* Locations of variables: expressions of one operation, and lists of them by address; DWARF 2 to 5. */
#include "util/kernel/dwarf/dwarf_location.h"

#include <dwarf.h>
#include <errno.h>

/* One operation that names a register or a place; all that is computed or in pieces is left. */
static struct location evaluate(struct cursor c)
{
	struct location location = {};
	uint8_t op = read_u8(&c);

	if (op >= DW_OP_reg0 && op <= DW_OP_reg31) {
		location.kind = LOCATION_REGISTER;
		location.reg = op - DW_OP_reg0;
	} else if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		location.kind = LOCATION_MEMORY;
		location.reg = op - DW_OP_breg0;
		location.offset = read_sleb(&c);
	} else if (op == DW_OP_fbreg) {
		location.kind = LOCATION_FRAME;
		location.offset = read_sleb(&c);
	}
	/* That is the value itself, and no place in memory. */
	if (location.kind == LOCATION_MEMORY && cursor_left(&c) == 1 && *c.p == DW_OP_stack_value) {
		cursor_skip(&c, 1);
		location.kind = location.offset ? LOCATION_SUM : LOCATION_REGISTER;
	}
	return c.bad || cursor_left(&c) ? (struct location){} : location;
}

/* The next @size bytes, on their own; the cursor moves after them. */
static struct cursor take(struct cursor *c, uint64_t size)
{
	struct cursor part = *c;

	cursor_skip(c, size);
	part.end = c->bad ? part.p : c->p;
	part.bad = c->bad;
	return part;
}

/* DWARF 2 to 4: as in old_ranges(), each with its expression. */
static int old_list(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		    uint64_t offset, uint64_t addr, struct location *ret_location)
{
	struct cursor c = cursor_at(&sections->loc, offset);
	uint64_t base = unit->low_pc, all_ones = unit->address_size == 8 ? UINT64_MAX : UINT32_MAX;

	for (;;) {
		uint64_t low = read_sized(&c, unit->address_size);
		uint64_t high = read_sized(&c, unit->address_size);
		struct cursor expression;

		if (c.bad)
			return -ENOEXEC;
		if (!low && !high)
			return 0;
		if (low == all_ones) {
			base = high;
			continue;
		}
		expression = take(&c, read_u16(&c));
		if (!c.bad && addr >= base + low && addr < base + high) {
			*ret_location = evaluate(expression);
			return 0;
		}
	}
}

static int list(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		uint64_t offset, uint64_t addr, struct location *ret_location)
{
	struct cursor c = cursor_at(&sections->loclists, offset), expression;
	uint64_t base = unit->low_pc, low = 0, high = 0;

	while (!c.bad) {
		uint8_t kind = read_u8(&c);
		bool always = false;

		switch (kind) {
		case DW_LLE_end_of_list:
			return c.bad ? -ENOEXEC : 0;
		case DW_LLE_base_addressx:
			base = attr_indexed_address(sections, unit, read_uleb(&c));
			continue;
		case DW_LLE_base_address:
			base = read_sized(&c, unit->address_size);
			continue;
		case DW_LLE_GNU_view_pair:
			read_uleb(&c);
			read_uleb(&c);
			continue;
		case DW_LLE_startx_endx:
			low = attr_indexed_address(sections, unit, read_uleb(&c));
			high = attr_indexed_address(sections, unit, read_uleb(&c));
			break;
		case DW_LLE_startx_length:
			low = attr_indexed_address(sections, unit, read_uleb(&c));
			high = low + read_uleb(&c);
			break;
		case DW_LLE_offset_pair:
			low = base + read_uleb(&c);
			high = base + read_uleb(&c);
			break;
		case DW_LLE_default_location:
			always = true;
			break;
		case DW_LLE_start_end:
			low = read_sized(&c, unit->address_size);
			high = read_sized(&c, unit->address_size);
			break;
		case DW_LLE_start_length:
			low = read_sized(&c, unit->address_size);
			high = low + read_uleb(&c);
			break;
		default:
			return -ENOEXEC;
		}
		expression = take(&c, read_uleb(&c));
		if (c.bad || (!always && (addr < low || addr >= high)))
			continue;
		*ret_location = evaluate(expression);
		/* The default is for what no other entry covers. */
		if (!always)
			return 0;
	}
	return -ENOEXEC;
}

int location_at(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		const struct attr_value *value, uint64_t addr, struct location *ret_location)
{
	struct cursor c;
	uint64_t offset = value->u;

	*ret_location = (struct location){};
	switch (value->form) {
	case DW_FORM_exprloc:
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
		*ret_location = evaluate(value->block);
		return 0;
	case DW_FORM_loclistx:
		if (offset > UINT32_MAX)
			return -ENOEXEC;
		c = cursor_at(&sections->loclists, unit->loclists_base);
		cursor_skip(&c, offset * unit->offset_size);
		offset = unit->loclists_base + read_offset(&c, unit->offset_size);
		if (c.bad)
			return -ENOEXEC;
		break;
	case DW_FORM_sec_offset:
	case DW_FORM_data4:
	case DW_FORM_data8:
		break;
	default:
		return 0;
	}
	return unit->version < 5 ? old_list(sections, unit, offset, addr, ret_location) :
				   list(sections, unit, offset, addr, ret_location);
}
