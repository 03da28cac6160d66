// SPDX-License-Identifier: BSD-2-Clause
/* Variables by place: those that a function has at an address are compared with it. */
#include "util/kernel/debug/debuginfo_variable.h"

#include <dwarf.h>
#include <errno.h>
#include <string.h>

#include "util/kernel/debug/debuginfo_internal.h"
#include "util/kernel/dwarf/dwarf_variable.h"
#include "util/kernel/elf/elf_file.h"

/* Names and qualifiers of a type in a row; a damaged file could go round. */
#define MAX_CHAIN 32

/* Needed for variables alone, and large: read when the first one is looked for. */
static void read_locations(struct debuginfo *info)
{
	struct dwarf_sections *sections = &info->sections;

	if (info->has_locations)
		return;
	info->has_locations = true;
	/* Without one of them, fewer variables are known. */
	elf_file_section(info->file, ".debug_loc", &sections->loc);
	elf_file_section(info->file, ".debug_loclists", &sections->loclists);
	elf_file_section(info->file, ".debug_frame", &sections->frame);
}

/* What a DIE or its origins say; false: nothing. *unit becomes the last one's. */
static bool identify(struct debuginfo *info, struct dwarf_unit **unit, uint64_t die,
		     struct die_identity *ret_identity)
{
	struct die_identity all = {}, one;

	for (int steps = 0;
	     steps < DEBUGINFO_MAX_ORIGINS && debuginfo_next_origin(info, unit, &die, &one); steps++) {
		all.tag = all.tag ?: one.tag;
		all.name = all.name ?: one.name;
		all.type = all.type ?: one.type;
		all.size = all.size ?: one.size;
	}
	*ret_identity = all;
	return all.tag;
}

static enum variable_kind kind_of(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_base_type:
		return VARIABLE_NUMBER;
	case DW_TAG_enumeration_type:
		return VARIABLE_ENUM;
	case DW_TAG_structure_type:
		return VARIABLE_STRUCT;
	case DW_TAG_union_type:
		return VARIABLE_UNION;
	case DW_TAG_subroutine_type:
		return VARIABLE_FUNCTION;
	default:
		return VARIABLE_OTHER;
	}
}

/* The type at a DIE; kind VARIABLE_OTHER: void, or not known. */
static struct variable_type describe(struct debuginfo *info, struct dwarf_unit *unit, uint64_t die)
{
	struct variable_type type = {};
	uint64_t elements = 0, size = 0;

	for (int steps = 0; die && steps < MAX_CHAIN; steps++) {
		struct die_identity identity;

		if (!identify(info, &unit, die, &identity))
			break;
		switch (identity.tag) {
		case DW_TAG_pointer_type:
			size = size ?: unit->address_size;
			type.pointers++;
			break;
		case DW_TAG_array_type:
			/* A pointer to an array, or a matrix. */
			if (size || elements ||
			    die_array_length(&info->sections, unit, die, &elements))
				return (struct variable_type){ .size = size };
			break;
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			break;
		default:
			type.kind = kind_of(identity.tag);
			type.name = identity.name;
			type.named = identity.size;
			size = size ?: identity.size;
			identity.type = 0;
		}
		die = identity.type;
	}
	type.element = elements ? size : 0;
	type.size = elements ? size * elements : size;
	return type;
}

struct variable_search {
	struct debuginfo *info;
	struct dwarf_unit *unit;
	const struct variable_place *place;
	struct source_variable found; /* name NULL: nothing yet */
	size_t depth; /* of its scope */
	size_t max_depth; /* of the scopes that are looked at; 0: all are */
	/* For is_shadowing(). */
	const char *name;
	bool is_found;
};

/*
 * Whether a variable at the place says more than the one found before: it is what the register holds, and no
 * offset from it; it is of an inner scope; it has a type where the other is a `void *`. Of a scope's variables
 * at one place the first is the one that others are copies of.
 */
static bool is_better(const struct variable_search *search, const struct source_variable *variable,
		      size_t depth)
{
	const struct source_variable *found = &search->found;

	if (!found->name || !found->added != !variable->added)
		return !found->name || !variable->added;
	if (depth != search->depth)
		return depth > search->depth;
	return found->type.kind == VARIABLE_OTHER && variable->type.kind != VARIABLE_OTHER;
}

/* A variable_die_fn. */
static int compare_place(void *arg, uint64_t die, size_t depth, const struct location *location)
{
	struct variable_search *search = arg;
	const struct variable_place *place = search->place;
	struct source_variable variable = {};
	struct dwarf_unit *unit = search->unit;
	struct die_identity identity;

	if (location->kind == LOCATION_UNKNOWN || (search->max_depth && depth > search->max_depth) ||
	    location->reg != place->reg || place->in_memory != (location->kind == LOCATION_MEMORY) ||
	    (place->in_memory && place->offset < location->offset) ||
	    !identify(search->info, &unit, die, &identity) || !identity.name ||
	    !strncmp(identity.name, "__", 2))
		return 0;
	variable.name = identity.name;
	variable.type = describe(search->info, unit, identity.type);
	if (place->in_memory) {
		variable.inside = (uint64_t)place->offset - location->offset;
		if (variable.inside >= variable.type.size ||
		    place->size > variable.type.size - variable.inside)
			return 0;
	} else if (place->size > variable.type.size) {
		return 0;
	} else if (location->kind == LOCATION_SUM) {
		if (!variable.type.pointers)
			return 0;
		variable.added = -(uint64_t)location->offset;
	}
	if (is_better(search, &variable, depth)) {
		search->found = variable;
		search->depth = depth;
	}
	return 0;
}

/* A variable_die_fn. Notes a variable of an outer scope that has the name. */
static int compare_name(void *arg, uint64_t die, size_t depth, const struct location *location)
{
	struct variable_search *search = arg;
	struct dwarf_unit *unit = search->unit;
	struct die_identity identity;

	(void)location;
	search->is_found |= depth <= search->max_depth && identify(search->info, &unit, die, &identity) &&
			    identity.name && !strcmp(identity.name, search->name);
	return 0;
}

/*
 * In a function that is inlined, "dentry" may be what is "child" where it is called, and where "dentry" is another
 * variable: who reads the name next to the caller's takes it for that one. Then the caller's own name is better.
 */
static int prefer_outer(struct variable_search *search, struct dwarf_function *function, uint64_t addr)
{
	struct variable_search outer = {
		.info = search->info,
		.unit = search->unit,
		.place = search->place,
		.max_depth = search->depth - 1,
		.name = search->found.name,
	};
	const struct dwarf_sections *sections = &search->info->sections;
	int err = 0;

	if (!search->found.name || !outer.max_depth)
		return 0;
	err = function_walk_variables(sections, search->unit, function->die, addr, compare_name, &outer);
	if (!err && outer.is_found)
		err = function_walk_variables(sections, search->unit, function->die, addr, compare_place, &outer);
	if (!err && outer.found.name && outer.found.added == search->found.added &&
	    outer.found.type.pointers == search->found.type.pointers &&
	    outer.found.type.kind == search->found.type.kind)
		search->found = outer.found;
	return err;
}

int debuginfo_variable_at(struct debuginfo *info, uint64_t addr, const struct variable_place *place,
			  struct source_variable *ret_variable)
{
	struct dwarf_unit *unit = dwarf_units_at(&info->units, addr);
	struct unit_functions *functions = unit ? debuginfo_functions(info, unit) : NULL;
	struct dwarf_function *function = functions ? unit_function_at(functions, addr) : NULL;
	struct variable_search search = { .info = info, .unit = unit, .place = place };
	int err;

	if (!function)
		return -ENOENT;
	read_locations(info);
	err = function_walk_variables(&info->sections, unit, function->die, addr, compare_place, &search) ?:
	      prefer_outer(&search, function, addr);
	debuginfo_touched(info, 1 << 16);
	if (err == -ENOMEM)
		return err;
	if (!search.found.name)
		return -ENOENT;
	*ret_variable = search.found;
	ret_variable->name = debuginfo_shown_name(info, search.found.name);
	return *ret_variable->name ? 0 : -ENOENT;
}
