// SPDX-License-Identifier: BSD-2-Clause
/* Values of attributes: each form is read or skipped; DWARF 2 to 5. */
#include <dwarf.h>

#include "util/kernel/dwarf/dwarf_unit.h"

int attr_form_size(const struct dwarf_unit *unit, uint16_t form)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return unit->address_size;
	case DW_FORM_ref_addr:
		return unit->version <= 2 ? unit->address_size : unit->offset_size;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_GNU_ref_alt:
		return unit->offset_size;
	default:
		return -1;
	}
}

uint64_t attr_indexed_address(const struct dwarf_sections *sections,
			      const struct dwarf_unit *unit, uint64_t index)
{
	struct cursor c = cursor_at(&sections->addr, unit->addr_base);

	if (index > UINT32_MAX)
		return 0;
	cursor_skip(&c, index * unit->address_size);
	return read_sized(&c, unit->address_size);
}

static const char *indexed_string(const struct dwarf_sections *sections,
				  const struct dwarf_unit *unit, uint64_t index)
{
	struct cursor c = cursor_at(&sections->str_offsets, unit->str_offsets_base);
	uint64_t offset;

	if (index > UINT32_MAX)
		return NULL;
	cursor_skip(&c, index * unit->offset_size);
	offset = read_offset(&c, unit->offset_size);
	return c.bad ? NULL : section_string(&sections->str, offset);
}

/* The index of a string or an address: of a fixed size, or as ULEB128. */
static uint64_t read_index(struct cursor *c, const struct dwarf_unit *unit, uint16_t form)
{
	int size = attr_form_size(unit, form);

	return size > 0 ? read_sized(c, size) : read_uleb(c);
}

/* Bytes after their number; the cursor moves after them. */
static struct cursor read_block(struct cursor *c, uint16_t form)
{
	switch (form) {
	case DW_FORM_block1:
		return cursor_take(c, read_u8(c));
	case DW_FORM_block2:
		return cursor_take(c, read_u16(c));
	case DW_FORM_block4:
		return cursor_take(c, read_u32(c));
	default:
		return cursor_take(c, read_uleb(c));
	}
}

void attr_read(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
	       struct cursor *c, const struct attr_spec *spec, struct attr_value *ret_value)
{
	struct attr_value value = { .form = spec->form };
	int size;

	if (value.form == DW_FORM_indirect)
		value.form = read_uleb(c);
	switch (value.form) {
	case DW_FORM_implicit_const:
		value.u = (int64_t)spec->value;
		break;
	case DW_FORM_flag_present:
		value.u = 1;
		break;
	case DW_FORM_string:
		value.s = read_string(c);
		break;
	case DW_FORM_strp:
		value.u = read_offset(c, unit->offset_size);
		value.s = section_string(&sections->str, value.u);
		break;
	case DW_FORM_line_strp:
		value.u = read_offset(c, unit->offset_size);
		value.s = section_string(&sections->line_str, value.u);
		break;
	case DW_FORM_strx:
	case DW_FORM_GNU_str_index:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		value.s = indexed_string(sections, unit, read_index(c, unit, value.form));
		break;
	case DW_FORM_addrx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
		value.u = attr_indexed_address(sections, unit, read_index(c, unit, value.form));
		break;
	case DW_FORM_sdata:
		value.u = read_sleb(c);
		break;
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
		value.u = read_uleb(c);
		break;
	case DW_FORM_exprloc:
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
		value.block = read_block(c, value.form);
		break;
	case DW_FORM_data16:
		cursor_skip(c, 16);
		break;
	default:
		size = attr_form_size(unit, value.form);
		if (size < 0)
			cursor_fail(c);
		else
			value.u = read_sized(c, size);
	}
	*ret_value = value;
}

void attr_skip(const struct dwarf_unit *unit, struct cursor *c, const struct attr_spec *spec)
{
	uint16_t form = spec->form;
	int size;

	if (form == DW_FORM_implicit_const)
		return;
	if (spec->value >= 0) {
		cursor_skip(c, spec->value);
		return;
	}
	if (form == DW_FORM_indirect) {
		form = read_uleb(c);
		size = attr_form_size(unit, form);
		if (size >= 0) {
			cursor_skip(c, size);
			return;
		}
	}
	switch (form) {
	case DW_FORM_string:
		read_string(c);
		break;
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_GNU_str_index:
	case DW_FORM_GNU_addr_index:
		read_uleb(c);
		break;
	case DW_FORM_exprloc:
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
		read_block(c, form);
		break;
	default:
		cursor_fail(c);
	}
}

void attrs_skip(const struct dwarf_unit *unit, struct cursor *c, const struct abbrev *abbrev)
{
	const struct attr_spec *attr = unit->abbrevs.attrs + abbrev->first_attr;

	if (abbrev->size != SIZE_VARIES) {
		cursor_skip(c, abbrev->size);
		return;
	}
	for (size_t i = 0; i < abbrev->nr_attrs; i++)
		attr_skip(unit, c, attr + i);
}

uint64_t attr_reference(const struct dwarf_unit *unit, const struct attr_value *value)
{
	switch (value->form) {
	case DW_FORM_ref_addr:
		return value->u;
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		return value->u < unit->end - unit->offset ? unit->offset + value->u : 0;
	default:
		return 0;
	}
}

uint64_t attr_high_pc(const struct attr_value *value, uint64_t low)
{
	switch (value->form) {
	case DW_FORM_addr:
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		return value->u;
	default:
		return low + value->u;
	}
}
