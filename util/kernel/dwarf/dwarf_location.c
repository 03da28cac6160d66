// SPDX-License-Identifier: BSD-2-Clause
/* Locations of variables: expressions of one operation, and lists of them by address; DWARF 2 to 5. */
#include "util/kernel/dwarf/dwarf_location.h"

#include <dwarf.h>

#include "util/kernel/dwarf/dwarf_list.h"

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

static int look_up(struct address_list *list, uint64_t addr, struct location *ret_location)
{
	uint64_t low, high;
	int more;

	while ((more = address_list_next(list, &low, &high)) > 0) {
		uint64_t size = list->unit->version < 5 ? read_u16(&list->c) : read_uleb(&list->c);
		struct cursor expression = cursor_take(&list->c, size);

		if (addr < low || addr >= high || expression.bad)
			continue;
		*ret_location = evaluate(expression);
		/* The default is for what no other entry covers. */
		if (low || high != UINT64_MAX)
			return 0;
	}
	return more;
}

int location_at(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		const struct attr_value *value, uint64_t addr, struct location *ret_location)
{
	struct address_list list;
	int err;

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
	case DW_FORM_sec_offset:
	case DW_FORM_data4:
	case DW_FORM_data8:
		err = address_list_open(&list, sections, unit, true, value->u, value->form);
		return err ?: look_up(&list, addr, ret_location);
	default:
		return 0;
	}
}
