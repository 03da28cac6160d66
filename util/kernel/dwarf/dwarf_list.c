// SPDX-License-Identifier: BSD-2-Clause
/* Reading lists by address: DWARF 2 to 4 have pairs of addresses, DWARF 5 kinds of entries. */
#include "util/kernel/dwarf/dwarf_list.h"

#include <dwarf.h>
#include <errno.h>

int address_list_open(struct address_list *list, const struct dwarf_sections *sections,
		      const struct dwarf_unit *unit, bool of_locations, uint64_t value, uint16_t form)
{
	const struct elf_section *lists = of_locations ? &sections->loclists : &sections->rnglists;
	const struct elf_section *old = of_locations ? &sections->loc : &sections->ranges;
	uint64_t base = of_locations ? unit->loclists_base : unit->rnglists_base;

	*list = (struct address_list){ sections, unit, of_locations, {}, unit->low_pc };
	if (form == DW_FORM_rnglistx || form == DW_FORM_loclistx) {
		struct cursor c = cursor_at(lists, base);

		if (value > UINT32_MAX)
			return -ENOEXEC;
		cursor_skip(&c, value * unit->offset_size);
		value = base + read_offset(&c, unit->offset_size);
		if (c.bad)
			return -ENOEXEC;
	}
	list->c = cursor_at(unit->version < 5 ? old : lists, value);
	return 0;
}

/* Relative to the unit's low_pc, or to a selected base. */
static int next_pair(struct address_list *list, uint64_t *low, uint64_t *high)
{
	uint8_t size = list->unit->address_size;
	uint64_t all_ones = size == 8 ? UINT64_MAX : UINT32_MAX;

	for (;;) {
		*low = read_sized(&list->c, size);
		*high = read_sized(&list->c, size);
		if (list->c.bad)
			return -ENOEXEC;
		if (!*low && !*high)
			return 0;
		if (*low != all_ones)
			break;
		list->base = *high;
	}
	*low += list->base;
	*high += list->base;
	return 1;
}

/* The kind of an entry as ranges have it; that of a default location, and views of debuggers, are others. */
#define KIND_DEFAULT 0x100
#define KIND_VIEWS 0x101

static unsigned int read_kind(struct address_list *list)
{
	uint8_t kind = read_u8(&list->c);

	if (!list->of_locations || kind < DW_LLE_default_location)
		return kind;
	if (kind == DW_LLE_default_location)
		return KIND_DEFAULT;
	return kind == DW_LLE_GNU_view_pair ? KIND_VIEWS : kind - 1u;
}

_Static_assert((int)DW_RLE_offset_pair == (int)DW_LLE_offset_pair &&
		       (int)DW_RLE_base_address == (int)DW_LLE_base_address - 1 &&
		       (int)DW_RLE_start_length == (int)DW_LLE_start_length - 1,
	       "locations have one kind more");

static uint64_t read_indexed(struct address_list *list)
{
	return attr_indexed_address(list->sections, list->unit, read_uleb(&list->c));
}

int address_list_next(struct address_list *list, uint64_t *low, uint64_t *high)
{
	const uint8_t size = list->unit->address_size;
	struct cursor *c = &list->c;

	if (list->unit->version < 5)
		return next_pair(list, low, high);
	while (!c->bad) {
		switch (read_kind(list)) {
		case DW_RLE_end_of_list:
			return c->bad ? -ENOEXEC : 0;
		case DW_RLE_base_addressx:
			list->base = read_indexed(list);
			continue;
		case DW_RLE_base_address:
			list->base = read_sized(c, size);
			continue;
		case KIND_VIEWS:
			read_uleb(c);
			read_uleb(c);
			continue;
		case KIND_DEFAULT:
			*low = 0;
			*high = UINT64_MAX;
			break;
		case DW_RLE_startx_endx:
			*low = read_indexed(list);
			*high = read_indexed(list);
			break;
		case DW_RLE_startx_length:
			*low = read_indexed(list);
			*high = *low + read_uleb(c);
			break;
		case DW_RLE_offset_pair:
			*low = list->base + read_uleb(c);
			*high = list->base + read_uleb(c);
			break;
		case DW_RLE_start_end:
			*low = read_sized(c, size);
			*high = read_sized(c, size);
			break;
		case DW_RLE_start_length:
			*low = read_sized(c, size);
			*high = *low + read_uleb(c);
			break;
		default:
			return -ENOEXEC;
		}
		return c->bad ? -ENOEXEC : 1;
	}
	return -ENOEXEC;
}

int unit_ranges(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		uint64_t value, uint16_t form, range_fn fn, void *arg)
{
	struct address_list list;
	uint64_t low, high;
	int err = address_list_open(&list, sections, unit, false, value, form), more;

	while (!err && (more = address_list_next(&list, &low, &high)))
		err = more < 0 ? more : fn(arg, low, high);
	return err;
}
