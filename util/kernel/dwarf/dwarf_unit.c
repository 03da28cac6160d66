// SPDX-License-Identifier: BSD-2-Clause
/* Unit headers, abbreviations and the DIEs of units themselves; DWARF 2 to 5. */
#include "util/kernel/dwarf/dwarf_unit.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "util/base/search.h"

int unit_read_header(const struct dwarf_sections *sections, uint64_t offset,
		     struct dwarf_unit *ret_unit)
{
	struct cursor c = cursor_at(&sections->info, offset);
	struct dwarf_unit unit = { .offset = offset };
	uint64_t length = read_length(&c, &unit.offset_size);
	uint16_t version;

	if (c.bad || length > cursor_left(&c))
		return -ENOEXEC;
	unit.end = c.p + length - sections->info.data;
	c.end = c.p + length;
	version = read_u16(&c);
	if (version >= 2 && version <= 4) {
		unit.unit_type = DW_UT_compile;
		unit.abbrev_offset = read_offset(&c, unit.offset_size);
		unit.address_size = read_u8(&c);
	} else if (version == 5) {
		unit.unit_type = read_u8(&c);
		unit.address_size = read_u8(&c);
		unit.abbrev_offset = read_offset(&c, unit.offset_size);
		if (unit.unit_type == DW_UT_skeleton || unit.unit_type == DW_UT_split_compile)
			cursor_skip(&c, 8);
		else if (unit.unit_type == DW_UT_type || unit.unit_type == DW_UT_split_type)
			cursor_skip(&c, 8 + unit.offset_size);
	}
	if (!c.bad && (unit.address_size == 4 || unit.address_size == 8))
		unit.version = version;
	unit.header_size = c.p - sections->info.data - offset;
	*ret_unit = unit;
	return 0;
}

/* Compute sizes, so that attributes can be skipped without reading them. */
static void measure_abbrev(const struct dwarf_unit *unit, struct attr_spec *attrs,
			   struct abbrev *abbrev)
{
	int size = 0;

	abbrev->sibling = SIZE_VARIES;
	for (size_t i = 0; i < abbrev->nr_attrs; i++) {
		int one = attr_form_size(unit, attrs[i].form);

		if (attrs[i].form != DW_FORM_implicit_const)
			attrs[i].value = one;
		if (attrs[i].at == DW_AT_low_pc || attrs[i].at == DW_AT_ranges)
			abbrev->code_attrs = true;
		if (attrs[i].at == DW_AT_sibling && attrs[i].form == DW_FORM_ref4 && size >= 0)
			abbrev->sibling = size;
		size = size < 0 || one < 0 || size + one >= SIZE_VARIES ? -1 : size + one;
	}
	abbrev->size = size < 0 ? SIZE_VARIES : size;
}

/* @only	read the abbreviation with this code only; 0: all */
static int read_abbrevs(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
			uint64_t only, struct abbrev_table *ret_table)
{
	struct cursor c = cursor_at(&sections->abbrev, unit->abbrev_offset);
	VEC(struct abbrev) abbrevs = VEC_INIT;
	VEC(struct attr_spec) attrs = VEC_INIT;
	struct abbrev_table table = { .dense = true };
	int err = 0;

	while (!c.bad && !(only && abbrevs.len)) {
		struct abbrev abbrev = { .code = read_uleb(&c) };

		if (!abbrev.code)
			break;
		abbrev.tag = read_uleb(&c);
		abbrev.children = read_u8(&c);
		abbrev.first_attr = attrs.len;
		for (;;) {
			struct attr_spec attr = { .at = read_uleb(&c) };

			attr.form = read_uleb(&c);
			if (attr.form == DW_FORM_implicit_const)
				attr.value = read_sleb(&c);
			/* Keep the final zeros: attrs is never NULL with abbreviations. */
			if (vec_push(&attrs, attr)) {
				err = -ENOMEM;
				goto fail;
			}
			if (c.bad || (!attr.at && !attr.form))
				break;
			table.conventions |= attr.at == DW_AT_calling_convention && abbrev.tag == DW_TAG_subprogram;
			table.inlines_others |= abbrev.tag == DW_TAG_inlined_subroutine &&
						attr.at == DW_AT_abstract_origin &&
						attr.form == DW_FORM_ref_addr;
		}
		if (only && abbrev.code != only) {
			attrs.len = 0;
			continue;
		}
		if (attrs.len - abbrev.first_attr > UINT16_MAX) {
			err = -ENOEXEC;
			goto fail;
		}
		abbrev.nr_attrs = attrs.len - abbrev.first_attr - 1;
		measure_abbrev(unit, attrs.data + abbrev.first_attr, &abbrev);
		if (vec_push(&abbrevs, abbrev)) {
			err = -ENOMEM;
			goto fail;
		}
		table.dense &= abbrev.code == abbrevs.len;
	}
	if (c.bad)
		err = -ENOEXEC;
fail:
	if (err) {
		vec_release(&abbrevs);
		vec_release(&attrs);
		return err;
	}
	if (!table.dense)
		vec_sort(&abbrevs, compare_u64);
	table.abbrevs = abbrevs.data;
	table.attrs = attrs.data;
	table.nr = abbrevs.len;
	*ret_table = table;
	return 0;
}

const struct abbrev *abbrev_find(const struct abbrev_table *table, uint64_t code)
{
	size_t at;

	if (table->dense)
		return code - 1 < table->nr ? table->abbrevs + code - 1 : NULL;
	at = bisect(i, table->nr, table->abbrevs[i].code < code);
	return at < table->nr && table->abbrevs[at].code == code ? table->abbrevs + at : NULL;
}

struct cursor unit_cursor(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
			  uint64_t offset)
{
	struct cursor c = cursor_at(&sections->info, unit->end);

	c.end = c.p;
	if (c.bad || offset < unit->offset + unit->header_size || offset > unit->end)
		c.bad = true;
	else
		c.p = sections->info.data + offset;
	return c;
}

/* The base that an attribute tells; NULL: it tells none. */
static uint64_t *base_of(struct dwarf_unit *unit, uint16_t attribute)
{
	switch (attribute) {
	case DW_AT_str_offsets_base:
		return &unit->str_offsets_base;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base:
		return &unit->addr_base;
	case DW_AT_rnglists_base:
		return &unit->rnglists_base;
	case DW_AT_loclists_base:
		return &unit->loclists_base;
	default:
		return NULL;
	}
}

/* Read the attributes of the unit's own DIE that the other functions need. */
static int read_root(const struct dwarf_sections *sections, struct dwarf_unit *unit)
{
	struct cursor start = unit_first_die(sections, unit), c = start;
	const struct abbrev *abbrev = abbrev_find(&unit->abbrevs, read_uleb(&c));
	const struct attr_spec *attrs;
	struct attr_value value;
	bool has_high = false;
	struct attr_value high = {};

	if (c.bad || !abbrev)
		return -ENOEXEC;
	attrs = unit->abbrevs.attrs + abbrev->first_attr;
	/* A unit without base attributes uses the tables after the section's header. */
	unit->str_offsets_base = unit->offset_size == 8 ? 16 : 8;
	unit->addr_base = unit->offset_size == 8 ? 16 : 8;
	unit->rnglists_base = unit->loclists_base = unit->offset_size == 8 ? 20 : 12;

	/* Bases first: strings and addresses by index may come before the bases. */
	start = c;
	for (size_t i = 0; i < abbrev->nr_attrs; i++) {
		uint64_t *base = base_of(unit, attrs[i].at);

		if (!base) {
			attr_skip(unit, &c, attrs + i);
			continue;
		}
		attr_read(sections, unit, &c, attrs + i, &value);
		*base = value.u;
	}
	c = start;
	for (size_t i = 0; i < abbrev->nr_attrs; i++) {
		switch (attrs[i].at) {
		case DW_AT_name:
			attr_read(sections, unit, &c, attrs + i, &value);
			unit->name = value.s;
			break;
		case DW_AT_comp_dir:
			attr_read(sections, unit, &c, attrs + i, &value);
			unit->comp_dir = value.s;
			break;
		case DW_AT_stmt_list:
			attr_read(sections, unit, &c, attrs + i, &value);
			unit->line_offset = value.u;
			unit->has_line = true;
			break;
		case DW_AT_language:
			attr_read(sections, unit, &c, attrs + i, &value);
			unit->language = value.u;
			break;
		case DW_AT_dwo_name:
		case DW_AT_GNU_dwo_name:
			unit->split = true;
			attr_skip(unit, &c, attrs + i);
			break;
		case DW_AT_low_pc:
			attr_read(sections, unit, &c, attrs + i, &value);
			unit->low_pc = value.u;
			break;
		case DW_AT_high_pc:
			attr_read(sections, unit, &c, attrs + i, &high);
			has_high = true;
			break;
		case DW_AT_ranges:
			attr_read(sections, unit, &c, attrs + i, &value);
			unit->ranges = value.u;
			unit->ranges_form = value.form;
			break;
		default:
			attr_skip(unit, &c, attrs + i);
		}
	}
	if (has_high)
		unit->high_pc = attr_high_pc(&high, unit->low_pc);
	return c.bad ? -ENOEXEC : 0;
}

int unit_open(const struct dwarf_sections *sections, struct dwarf_unit *unit)
{
	int err;

	if (unit->opened)
		return unit->broken ? -ENOEXEC : 0;
	unit->opened = true;
	unit->broken = true;
	if (!unit->version)
		return -ENOEXEC;
	err = read_abbrevs(sections, unit, 0, &unit->abbrevs) ?: read_root(sections, unit);
	unit->broken = err;
	return err;
}

int unit_peek(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
	      struct dwarf_unit *ret_peeked)
{
	struct dwarf_unit peeked = *unit;
	int err = -ENOEXEC;

	if (!peeked.version)
		return err;
	if (!peeked.opened) {
		struct cursor c = unit_first_die(sections, unit);
		uint64_t code = read_uleb(&c);

		peeked.abbrevs = (struct abbrev_table){};
		if (code)
			err = read_abbrevs(sections, unit, code, &peeked.abbrevs);
		if (!err)
			err = read_root(sections, &peeked);
		unit_release(&peeked);
		if (err)
			return err;
	} else if (peeked.broken) {
		return err;
	}
	peeked.abbrevs = (struct abbrev_table){};
	*ret_peeked = peeked;
	return 0;
}

void unit_release(struct dwarf_unit *unit)
{
	free(unit->abbrevs.abbrevs);
	free(unit->abbrevs.attrs);
	unit->abbrevs = (struct abbrev_table){};
}
