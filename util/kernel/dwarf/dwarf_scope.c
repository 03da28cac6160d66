// SPDX-License-Identifier: BSD-2-Clause
/* Walking DIEs: the functions of a unit, and the inside of a function. */
#include "util/kernel/dwarf/dwarf_scope.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "util/base/search.h"
#include "util/kernel/dwarf/dwarf_list.h"

#define MAX_NESTING 1024

/*
 * The number in DW_AT_decl_file or DW_AT_call_file. File 0 is the unit's own in DWARF 5, which
 * clang makes use of; before that, 0 stands for no file.
 */
static uint32_t file_number(const struct dwarf_unit *unit, const struct attr_value *value)
{
	if (value->u >= NO_FILE)
		return NO_FILE;
	return value->u || unit->version >= 5 ? value->u : NO_FILE;
}

/* Whether code can hide in the children of a DIE on the outer level. */
static bool may_hold_functions(const struct dwarf_unit *unit, uint16_t tag)
{
	switch (tag) {
	case DW_TAG_compile_unit:
	case DW_TAG_partial_unit:
	case DW_TAG_namespace:
	case DW_TAG_module:
		return true;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
	case DW_TAG_enumeration_type:
		/* Methods; C has none, and the types are most of a unit. */
		return unit->language == DW_LANG_Rust || unit->language == DW_LANG_C_plus_plus ||
		       unit->language == DW_LANG_C_plus_plus_11 ||
		       unit->language == DW_LANG_C_plus_plus_14;
	default:
		return false;
	}
}

/* Go after the children of a DIE that has some and no DW_AT_sibling. */
static void skip_children(const struct dwarf_unit *unit, struct cursor *c)
{
	size_t depth = 1;

	while (depth && !c->bad) {
		uint64_t code = read_uleb(c);
		const struct abbrev *abbrev;

		if (!code) {
			depth--;
			continue;
		}
		abbrev = abbrev_find(&unit->abbrevs, code);
		if (!abbrev) {
			cursor_fail(c);
			return;
		}
		attrs_skip(unit, c, abbrev);
		depth += abbrev->children;
	}
}

void die_skip(const struct dwarf_sections *sections, const struct dwarf_unit *unit, struct cursor *c,
	      const struct abbrev *abbrev)
{
	if (abbrev->children && abbrev->sibling != SIZE_VARIES) {
		struct cursor at = *c;
		const uint8_t *next;

		cursor_skip(&at, abbrev->sibling);
		next = sections->info.data + unit->offset + read_u32(&at);
		/* Only forward: a damaged reference could lead back for ever. */
		if (!at.bad && next > c->p && next <= c->end)
			c->p = next;
		else
			cursor_fail(c);
		return;
	}
	attrs_skip(unit, c, abbrev);
	if (abbrev->children)
		skip_children(unit, c);
}

int unit_walk_functions(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
			function_die_fn fn, void *arg)
{
	struct cursor c = unit_first_die(sections, unit);
	size_t depth = 0;

	while (c.p < c.end) {
		const uint8_t *start = c.p;
		uint64_t code = read_uleb(&c);
		const struct abbrev *abbrev;
		int err;

		if (!code) {
			if (depth <= 1)
				break;
			depth--;
			continue;
		}
		abbrev = abbrev_find(&unit->abbrevs, code);
		if (!abbrev)
			return -ENOEXEC;
		if (abbrev->tag == DW_TAG_subprogram) {
			err = fn(arg, start - sections->info.data, abbrev, c);
			if (err)
				return err;
		} else if (abbrev->children && may_hold_functions(unit, abbrev->tag)) {
			attrs_skip(unit, &c, abbrev);
			depth++;
			continue;
		}
		die_skip(sections, unit, &c, abbrev);
	}
	return c.bad ? -ENOEXEC : 0;
}

/* Where a DIE has code. */
struct pc_attrs {
	uint64_t low, high;
	bool has_low, has_high;
	uint64_t ranges;
	uint16_t ranges_form;
};

/* Read one of these attributes; false: it is another attribute. */
static bool read_pc_attr(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
			 struct cursor *c, const struct attr_spec *spec, struct pc_attrs *pc,
			 struct attr_value *high)
{
	struct attr_value value;

	switch (spec->at) {
	case DW_AT_low_pc:
		attr_read(sections, unit, c, spec, &value);
		pc->low = value.u;
		pc->has_low = true;
		return true;
	case DW_AT_high_pc:
		attr_read(sections, unit, c, spec, high);
		pc->has_high = true;
		return true;
	case DW_AT_ranges:
		attr_read(sections, unit, c, spec, &value);
		pc->ranges = value.u;
		pc->ranges_form = value.form;
		return true;
	default:
		return false;
	}
}

static int walk_pc(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		   const struct pc_attrs *pc, range_fn fn, void *arg)
{
	if (pc->ranges_form)
		return unit_ranges(sections, unit, pc->ranges, pc->ranges_form, fn, arg);
	if (pc->has_low && pc->has_high && pc->low < pc->high)
		return fn(arg, pc->low, pc->high);
	return 0;
}

struct coverage {
	uint64_t addr;
	bool there;
};

static int look_at_range(void *arg, uint64_t low, uint64_t high)
{
	struct coverage *coverage = arg;

	coverage->there |= coverage->addr >= low && coverage->addr < high;
	return coverage->there;
}

int die_covers(const struct dwarf_sections *sections, const struct dwarf_unit *unit, struct cursor *c,
	       const struct abbrev *abbrev, uint64_t addr, bool *ret_there)
{
	const struct attr_spec *attrs = unit->abbrevs.attrs + abbrev->first_attr;
	struct coverage coverage = { .addr = addr };
	struct attr_value high = {};
	struct pc_attrs pc = {};

	for (size_t i = 0; i < abbrev->nr_attrs; i++) {
		if (!read_pc_attr(sections, unit, c, attrs + i, &pc, &high))
			attr_skip(unit, c, attrs + i);
	}
	if (c->bad)
		return -ENOEXEC;
	if (pc.has_high)
		pc.high = attr_high_pc(&high, pc.low);
	/* Damaged ranges of one block do not affect the others. */
	walk_pc(sections, unit, &pc, look_at_range, &coverage);
	*ret_there = coverage.there;
	return 0;
}

/*
 * Lists of ranges may be shared: in a damaged or malicious file, by all functions. Compilers write a
 * list for each, so there are fewer ranges than half the bytes of lists and DIEs.
 */
static size_t max_ranges(const struct dwarf_sections *sections)
{
	return (sections->ranges.size + sections->rnglists.size + sections->info.size) / 2;
}

struct function_walk {
	const struct dwarf_sections *sections;
	const struct dwarf_unit *unit;
	struct unit_functions *functions;
	uint64_t die;
	size_t left;	/* ranges that may still come */
	bool first;
};

static int add_function_range(void *arg, uint64_t low, uint64_t high)
{
	struct function_walk *walk = arg;
	struct dwarf_function function = {
		.low = low, .high = high, .die = walk->die, .first = walk->first,
	};

	if (!walk->left)
		return -ENOEXEC;
	walk->left--;
	/* Code the linker threw away is at 0. */
	if (low >= high || !low)
		return 0;
	walk->first = false;
	return vec_push(&walk->functions->all, function);
}

static int add_function(void *arg, uint64_t die, const struct abbrev *abbrev, struct cursor c)
{
	struct function_walk *walk = arg;
	const struct dwarf_unit *unit = walk->unit;
	const struct attr_spec *attrs = unit->abbrevs.attrs + abbrev->first_attr;
	struct attr_value high = {};
	struct pc_attrs pc = {};
	int err;

	if (!abbrev->code_attrs)
		return 0;
	for (size_t i = 0; i < abbrev->nr_attrs; i++) {
		if (!read_pc_attr(walk->sections, unit, &c, attrs + i, &pc, &high))
			attr_skip(unit, &c, attrs + i);
	}
	if (c.bad)
		return -ENOEXEC;
	if (pc.has_high)
		pc.high = attr_high_pc(&high, pc.low);
	walk->die = die;
	walk->first = true;
	err = walk_pc(walk->sections, unit, &pc, add_function_range, walk);
	/* Damaged ranges of one function do not affect the others. */
	return err == -ENOEXEC && walk->left ? 0 : err;
}

static int compare_functions(const void *pa, const void *pb)
{
	const struct dwarf_function *a = pa, *b = pb;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->high < b->high) - (a->high > b->high);
}

int unit_functions_read(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
			struct unit_functions **ret_functions)
{
	struct function_walk walk = {
		.sections = sections,
		.unit = unit,
		.left = max_ranges(sections),
	};
	int err;

	walk.functions = calloc(1, sizeof(*walk.functions));
	if (!walk.functions)
		return -ENOMEM;
	err = unit_walk_functions(sections, unit, add_function, &walk);
	if (err) {
		unit_functions_free(walk.functions);
		return err;
	}
	vec_sort(&walk.functions->all, compare_functions);
	*ret_functions = walk.functions;
	return 0;
}

void unit_functions_free(struct unit_functions *functions)
{
	if (!functions)
		return;
	vec_foreach(function, &functions->all)
		scope_tree_free(function->tree);
	vec_release(&functions->all);
	free(functions);
}

struct dwarf_function *unit_function_at(struct unit_functions *functions, uint64_t addr)
{
	size_t at = bisect(i, functions->all.len, functions->all.data[i].low <= addr);

	/* They do not overlap, but for odd assembly: look a little further than the nearest. */
	for (size_t tries = 0; at-- > 0 && tries < 16; tries++) {
		if (addr < functions->all.data[at].high)
			return functions->all.data + at;
	}
	return NULL;
}

struct tree_walk {
	struct scope_tree *tree;
	uint32_t scope;
	size_t max;
};

static int add_scope_range(void *arg, uint64_t low, uint64_t high)
{
	struct tree_walk *walk = arg;
	struct scope_range range = { low, high, walk->scope };

	if (walk->tree->ranges.len >= walk->max)
		return -ENOEXEC;
	return low < high ? vec_push(&walk->tree->ranges, range) : 0;
}

/* Read an inlined call and move after its attributes. */
static int add_inlined(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		       struct cursor *c, const struct abbrev *abbrev, uint64_t die,
		       uint32_t parent, struct scope_tree *tree)
{
	const struct attr_spec *attr = unit->abbrevs.attrs + abbrev->first_attr;
	struct scope scope = { .die = die, .parent = parent, .call_file = NO_FILE };
	struct tree_walk walk = {
		.tree = tree,
		.scope = tree->scopes.len,
		.max = max_ranges(sections),
	};
	struct attr_value value, high = {};
	struct pc_attrs pc = {};
	int err;

	for (size_t i = 0; i < abbrev->nr_attrs; i++, attr++) {
		switch (attr->at) {
		case DW_AT_abstract_origin:
			attr_read(sections, unit, c, attr, &value);
			/* Saves a step later on; the DIE itself has no name. */
			scope.die = attr_reference(unit, &value) ?: die;
			break;
		case DW_AT_call_file:
			attr_read(sections, unit, c, attr, &value);
			scope.call_file = file_number(unit, &value);
			break;
		case DW_AT_call_line:
			attr_read(sections, unit, c, attr, &value);
			scope.call_line = value.u;
			break;
		case DW_AT_call_column:
			attr_read(sections, unit, c, attr, &value);
			scope.call_column = value.u;
			break;
		default:
			if (!read_pc_attr(sections, unit, c, attr, &pc, &high))
				attr_skip(unit, c, attr);
		}
	}
	if (c->bad)
		return -ENOEXEC;
	if (pc.has_high)
		pc.high = attr_high_pc(&high, pc.low);
	err = vec_push(&tree->scopes, scope);
	if (err)
		return err;
	err = walk_pc(sections, unit, &pc, add_scope_range, &walk);
	return err == -ENOEXEC ? 0 : err;
}

/* Read all DIEs below the function's DIE; @c is after the function's DIE. */
static int read_inside(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		       struct cursor *c, struct scope_tree *tree)
{
	uint32_t parents[MAX_NESTING];	/* scope of each level */
	size_t depth = 1;
	int err;

	parents[1] = 0;
	while (depth && !c->bad) {
		uint64_t die = c->p - sections->info.data, code = read_uleb(c);
		const struct abbrev *abbrev;

		if (!code) {
			depth--;
			continue;
		}
		abbrev = abbrev_find(&unit->abbrevs, code);
		if (!abbrev || depth + 1 >= MAX_NESTING)
			return -ENOEXEC;
		if (abbrev->tag == DW_TAG_inlined_subroutine) {
			err = add_inlined(sections, unit, c, abbrev, die, parents[depth], tree);
			if (err)
				return err;
			if (abbrev->children)
				parents[++depth] = tree->scopes.len - 1;
		} else if (abbrev->tag == DW_TAG_lexical_block && abbrev->children) {
			attrs_skip(unit, c, abbrev);
			depth++;
			parents[depth] = parents[depth - 1];
		} else {
			die_skip(sections, unit, c, abbrev);
		}
	}
	return c->bad ? -ENOEXEC : 0;
}

int scope_tree_read(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		    uint64_t die, struct scope_tree **ret_tree)
{
	struct cursor c = unit_cursor(sections, unit, die);
	const struct abbrev *abbrev = abbrev_find(&unit->abbrevs, read_uleb(&c));
	struct scope root = { .die = die, .parent = NO_SCOPE, .call_file = NO_FILE };
	struct scope_tree *tree;
	int err;

	if (c.bad || !abbrev)
		return -ENOEXEC;
	tree = calloc(1, sizeof(*tree));
	if (!tree)
		return -ENOMEM;
	err = vec_push(&tree->scopes, root);
	attrs_skip(unit, &c, abbrev);
	if (!err && abbrev->children)
		err = read_inside(sections, unit, &c, tree);
	if (err) {
		scope_tree_free(tree);
		return err;
	}
	*ret_tree = tree;
	return 0;
}

void scope_tree_free(struct scope_tree *tree)
{
	if (!tree)
		return;
	vec_release(&tree->scopes);
	vec_release(&tree->ranges);
	free(tree);
}

uint32_t scope_tree_find(const struct scope_tree *tree, uint64_t addr)
{
	/* Inner ones come last, and win. */
	for (size_t i = tree->ranges.len; i-- > 0;) {
		const struct scope_range *range = tree->ranges.data + i;

		if (addr >= range->low && addr < range->high)
			return range->scope;
	}
	return 0;
}

int die_identity_read(const struct dwarf_sections *sections, const struct dwarf_unit *unit,
		      uint64_t die, struct die_identity *ret_identity)
{
	struct cursor c = unit_cursor(sections, unit, die);
	const struct abbrev *abbrev = abbrev_find(&unit->abbrevs, read_uleb(&c));
	struct die_identity identity = { .file = NO_FILE };
	const struct attr_spec *attr;
	struct attr_value value;

	if (c.bad || !abbrev)
		return -ENOEXEC;
	identity.tag = abbrev->tag;
	attr = unit->abbrevs.attrs + abbrev->first_attr;
	for (size_t i = 0; i < abbrev->nr_attrs; i++, attr++) {
		switch (attr->at) {
		case DW_AT_name:
			attr_read(sections, unit, &c, attr, &value);
			identity.name = value.s;
			break;
		case DW_AT_abstract_origin:
		case DW_AT_specification:
			attr_read(sections, unit, &c, attr, &value);
			identity.origin = attr_reference(unit, &value);
			break;
		case DW_AT_type:
			attr_read(sections, unit, &c, attr, &value);
			identity.type = attr_reference(unit, &value);
			break;
		case DW_AT_byte_size:
			attr_read(sections, unit, &c, attr, &value);
			identity.size = value.u;
			break;
		case DW_AT_decl_file:
			attr_read(sections, unit, &c, attr, &value);
			identity.file = file_number(unit, &value);
			break;
		case DW_AT_decl_line:
			attr_read(sections, unit, &c, attr, &value);
			identity.line = value.u;
			break;
		case DW_AT_calling_convention:
			attr_read(sections, unit, &c, attr, &value);
			identity.changed = value.u == DW_CC_nocall;
			break;
		default:
			attr_skip(unit, &c, attr);
		}
	}
	if (c.bad)
		return -ENOEXEC;
	*ret_identity = identity;
	return 0;
}
