// SPDX-License-Identifier: BSD-2-Clause
/* The units of a file. */
#include "util/kernel/dwarf/dwarf_units.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "util/base/search.h"
#include "util/kernel/dwarf/dwarf_line.h"
#include "util/kernel/dwarf/dwarf_list.h"
#include "util/kernel/dwarf/dwarf_scope.h"

/* One set of .debug_aranges: the ranges of one unit. */
static int read_arange_set(struct dwarf_units *units, struct cursor *c)
{
	const uint8_t *start = c->p, *next;
	struct unit_range range;
	uint8_t offset_size, address_size;
	uint64_t length = read_length(c, &offset_size);
	size_t tuple;
	struct cursor set;

	if (c->bad || length > cursor_left(c)) {
		cursor_fail(c);
		return 0;
	}
	next = c->p + length;
	set = (struct cursor){ c->p, next, false };
	c->p = next;
	if (read_u16(&set) != 2)
		return 0;
	range.unit = read_offset(&set, offset_size);
	address_size = read_u8(&set);
	if (read_u8(&set) || (address_size != 4 && address_size != 8))
		return 0;
	/* Tuples are aligned to their size, from the start of the set. */
	tuple = 2 * address_size;
	cursor_skip(&set, (tuple - (set.p - start) % tuple) % tuple);
	while (!set.bad && set.p < set.end) {
		range.low = read_sized(&set, address_size);
		range.high = range.low + read_sized(&set, address_size);
		/* Code the linker threw away is at 0. */
		if (!set.bad && range.low && range.low < range.high &&
		    vec_push(&units->ranges, range))
			return -ENOMEM;
	}
	return 0;
}

static int compare_ranges(const void *pa, const void *pb)
{
	const struct unit_range *a = pa, *b = pb;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->high < b->high) - (a->high > b->high);
}

int dwarf_units_init(struct dwarf_units *units, const struct dwarf_sections *sections)
{
	struct cursor c = cursor_at(&sections->aranges, 0);

	*units = (struct dwarf_units){ .sections = sections };
	while (!c.bad && c.p < c.end) {
		if (read_arange_set(units, &c)) {
			dwarf_units_release(units);
			return -ENOMEM;
		}
	}
	vec_sort(&units->ranges, compare_ranges);
	return 0;
}

void dwarf_units_release(struct dwarf_units *units)
{
	vec_foreach(p, &units->all) {
		struct dwarf_unit *unit = *p;

		line_table_free(unit->lines);
		unit_functions_free(unit->functions);
		unit_release(unit);
		free(unit);
	}
	vec_release(&units->all);
	vec_release(&units->ranges);
}

/* Index of the first unit met that starts above @offset. */
static size_t upper_unit(const struct dwarf_units *units, uint64_t offset)
{
	return bisect(i, units->all.len, units->all.data[i]->offset <= offset);
}

/* The unit whose header is at @offset. 0; -ENOEXEC; -ENOMEM. */
static int meet_unit(struct dwarf_units *units, uint64_t offset, struct dwarf_unit **ret_unit)
{
	size_t at = upper_unit(units, offset);
	struct dwarf_unit header, *unit;
	int err;

	if (at && units->all.data[at - 1]->offset == offset) {
		*ret_unit = units->all.data[at - 1];
		return 0;
	}
	err = unit_read_header(units->sections, offset, &header);
	if (err)
		return err;
	unit = malloc(sizeof(*unit));
	if (!unit || vec_push(&units->all, unit)) {
		free(unit);
		return -ENOMEM;
	}
	*unit = header;
	memmove(units->all.data + at + 1, units->all.data + at,
		(units->all.len - 1 - at) * sizeof(unit));
	units->all.data[at] = unit;
	*ret_unit = unit;
	return 0;
}

int dwarf_units_complete(struct dwarf_units *units)
{
	uint64_t offset = 0;

	while (!units->complete && offset < units->sections->info.size) {
		struct dwarf_unit *unit;
		int err = meet_unit(units, offset, &unit);

		if (err == -ENOMEM)
			return err;
		if (err)
			break;
		offset = unit->end;
	}
	units->complete = true;
	return 0;
}

struct range_walk {
	struct dwarf_units *units;
	uint64_t unit;
};

static int add_unit_range(void *arg, uint64_t low, uint64_t high)
{
	struct range_walk *walk = arg;
	struct unit_range range = { low, high, walk->unit };

	return low && low < high ? vec_push(&walk->units->ranges, range) : 0;
}

/* Read ranges of units that are missing in .debug_aranges: with clang, of all units. */
static int range_the_rest(struct dwarf_units *units)
{
	VEC(uint64_t) known = VEC_INIT;
	struct range_walk walk = { .units = units };
	int err;

	if (units->ranged)
		return 0;
	units->ranged = true;
	err = dwarf_units_complete(units);
	vec_foreach(range, &units->ranges) {
		if (!err)
			err = vec_push(&known, range->unit);
	}
	vec_sort(&known, compare_u64);
	for (size_t i = 0; !err && i < units->all.len; i++) {
		struct dwarf_unit root, *unit = units->all.data[i];

		if (known.len && bsearch(&unit->offset, known.data, known.len,
					 sizeof(*known.data), compare_u64))
			continue;
		if (unit_peek(units->sections, unit, &root))
			continue;
		walk.unit = unit->offset;
		if (root.ranges_form)
			err = unit_ranges(units->sections, unit->opened ? unit : &root,
					  root.ranges, root.ranges_form, add_unit_range, &walk);
		else if (root.high_pc)
			err = add_unit_range(&walk, root.low_pc, root.high_pc);
		if (err == -ENOEXEC)
			err = 0;
	}
	vec_release(&known);
	vec_sort(&units->ranges, compare_ranges);
	return err;
}

struct dwarf_unit *dwarf_units_met_at(struct dwarf_units *units, uint64_t addr)
{
	size_t at = bisect(i, units->ranges.len, units->ranges.data[i].low <= addr);

	/* Units do not overlap in an undamaged file. */
	for (size_t tries = 0; at-- > 0 && tries < 16; tries++) {
		const struct unit_range *range = units->ranges.data + at;
		struct dwarf_unit *unit;

		if (addr < range->high && !meet_unit(units, range->unit, &unit))
			return unit;
	}
	return NULL;
}

struct dwarf_unit *dwarf_units_at(struct dwarf_units *units, uint64_t addr)
{
	struct dwarf_unit *unit = dwarf_units_met_at(units, addr);

	if (!unit && !units->ranged && !range_the_rest(units))
		unit = dwarf_units_met_at(units, addr);
	return unit && !unit_open(units->sections, unit) ? unit : NULL;
}

struct dwarf_unit *dwarf_units_containing(struct dwarf_units *units, uint64_t offset)
{
	size_t at = upper_unit(units, offset);
	struct dwarf_unit *unit = at ? units->all.data[at - 1] : NULL;

	/* Read headers from the nearest known unit on. */
	while (!unit || offset >= unit->end) {
		if (meet_unit(units, unit ? unit->end : 0, &unit))
			return NULL;
	}
	return unit_open(units->sections, unit) ? NULL : unit;
}
