// SPDX-License-Identifier: BSD-2-Clause
/* Walking the scopes around an address: their variables, with locations by register. */
#include "util/kernel/dwarf/dwarf_variable.h"

#include <dwarf.h>
#include <errno.h>

#include "util/kernel/dwarf/dwarf_scope.h"

struct variable_walk {
	const struct dwarf_sections *sections;
	const struct dwarf_unit *unit;
	uint64_t addr;
	/* What DW_OP_fbreg is relative to, as LOCATION_MEMORY; LOCATION_FRAME: the canonical frame address. */
	struct location frame;
	variable_die_fn fn;
	void *arg;
};

/* The function's frame base: a register, or the canonical frame address. Moves over its attributes. */
static int read_function(struct variable_walk *walk, struct cursor *c, const struct abbrev *abbrev)
{
	const struct attr_spec *attr = walk->unit->abbrevs.attrs + abbrev->first_attr;
	struct attr_value value;

	for (size_t i = 0; i < abbrev->nr_attrs; i++, attr++) {
		if (attr->at != DW_AT_frame_base) {
			attr_skip(walk->unit, c, attr);
			continue;
		}
		attr_read(walk->sections, walk->unit, c, attr, &value);
		if (cursor_left(&value.block) == 1 && *value.block.p == DW_OP_call_frame_cfa)
			walk->frame.kind = LOCATION_FRAME;
		else if (location_at(walk->sections, walk->unit, &value, walk->addr,
				     &walk->frame) ||
			 walk->frame.kind != LOCATION_REGISTER)
			walk->frame.kind = LOCATION_UNKNOWN;
		else
			walk->frame.kind = LOCATION_MEMORY;
	}
	return c->bad ? -ENOEXEC : 0;
}

/* Make a place in the frame one by register. */
static void resolve_frame(struct variable_walk *walk, struct location *location)
{
	int64_t offset = location->offset;

	if (location->kind != LOCATION_FRAME)
		return;
	if (walk->frame.kind == LOCATION_FRAME &&
	    frame_address_at(walk->sections, walk->addr, &walk->frame))
		walk->frame.kind = LOCATION_UNKNOWN;
	*location = walk->frame;
	location->offset = (uint64_t)location->offset + offset;
}

/* Moves over the attributes. */
static int look_at_variable(struct variable_walk *walk, struct cursor *c,
			    const struct abbrev *abbrev, uint64_t die, size_t depth)
{
	const struct attr_spec *attr = walk->unit->abbrevs.attrs + abbrev->first_attr;
	struct location location = {};
	struct attr_value value;

	for (size_t i = 0; i < abbrev->nr_attrs; i++, attr++) {
		if (attr->at != DW_AT_location) {
			attr_skip(walk->unit, c, attr);
			continue;
		}
		attr_read(walk->sections, walk->unit, c, attr, &value);
		/* A damaged list of one variable does not affect the others. */
		if (location_at(walk->sections, walk->unit, &value, walk->addr, &location))
			location.kind = LOCATION_UNKNOWN;
	}
	if (c->bad)
		return -ENOEXEC;
	resolve_frame(walk, &location);
	return walk->fn(walk->arg, die, depth, &location);
}

/* Read the DIEs below the function's; scopes without code at the address are passed over. */
static int look_inside(struct variable_walk *walk, struct cursor *c)
{
	size_t depth = 1;

	while (depth && !c->bad) {
		uint64_t die = c->p - walk->sections->info.data, code = read_uleb(c);
		const struct abbrev *abbrev;
		struct cursor before;
		bool there;
		int err;

		if (!code) {
			depth--;
			continue;
		}
		abbrev = abbrev_find(&walk->unit->abbrevs, code);
		if (!abbrev)
			return -ENOEXEC;
		before = *c;
		switch (abbrev->tag) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			err = look_at_variable(walk, c, abbrev, die, depth);
			if (err)
				return err;
			/* Its children, if there are any, are none of the scope. */
			*c = before;
			die_skip(walk->sections, walk->unit, c, abbrev);
			break;
		case DW_TAG_inlined_subroutine:
		case DW_TAG_lexical_block:
			err = die_covers(walk->sections, walk->unit, c, abbrev, walk->addr, &there);
			if (err)
				return err;
			if (there && abbrev->children) {
				depth++;
				break;
			}
			*c = before;
			die_skip(walk->sections, walk->unit, c, abbrev);
			break;
		default:
			die_skip(walk->sections, walk->unit, c, abbrev);
		}
	}
	return c->bad ? -ENOEXEC : 0;
}

int function_walk_variables(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
			    uint64_t function, uint64_t addr, variable_die_fn fn, void *arg)
{
	struct cursor c = unit_cursor(sections, unit, function);
	const struct abbrev *abbrev = abbrev_find(&unit->abbrevs, read_uleb(&c));
	struct variable_walk walk = {
		.sections = sections,
		.unit = unit,
		.addr = addr,
		.fn = fn,
		.arg = arg,
	};
	int err;

	if (c.bad || !abbrev)
		return -ENOEXEC;
	err = read_function(&walk, &c, abbrev);
	return err ?: abbrev->children ? look_inside(&walk, &c) : 0;
}

/* Of a dimension, DW_TAG_subrange_type; 0: not known. Moves over its attributes. */
static uint64_t dimension_length(const struct dwarf_sections *sections,
				 const struct dwarf_unit *unit, struct cursor *c,
				 const struct abbrev *abbrev)
{
	const struct attr_spec *attr = unit->abbrevs.attrs + abbrev->first_attr;
	struct attr_value value;
	uint64_t length = 0;

	for (size_t i = 0; i < abbrev->nr_attrs; i++, attr++) {
		attr_read(sections, unit, c, attr, &value);
		/* An expression, of an array whose length varies, reads as 0. */
		if (attr->at == DW_AT_count)
			length = value.u;
		else if (attr->at == DW_AT_upper_bound)
			length = value.block.p ? 0 : value.u + 1;
	}
	return length;
}

int die_array_length(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		     uint64_t die, uint64_t *ret_length)
{
	struct cursor c = unit_cursor(sections, unit, die);
	const struct abbrev *abbrev = abbrev_find(&unit->abbrevs, read_uleb(&c));
	uint64_t length = 0, code;

	if (c.bad || !abbrev)
		return -ENOEXEC;
	attrs_skip(unit, &c, abbrev);
	if (!abbrev->children)
		return -ENODATA;
	while ((code = read_uleb(&c))) {
		abbrev = abbrev_find(&unit->abbrevs, code);
		if (!abbrev)
			return -ENOEXEC;
		if (abbrev->tag != DW_TAG_subrange_type || length || abbrev->children)
			return -ENODATA;
		length = dimension_length(sections, unit, &c, abbrev);
	}
	if (c.bad)
		return -ENOEXEC;
	/* Longer than anything on a stack. */
	if (!length || length > UINT16_MAX)
		return -ENODATA;
	*ret_length = length;
	return 0;
}
