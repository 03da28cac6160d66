// SPDX-License-Identifier: BSD-2-Clause
/* Debug info of a file: open it, and look up addresses. */
#include "util/kernel/debug/debuginfo.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/utf8.h"
#include "util/kernel/debug/debuginfo_internal.h"

/* Pages of debug info that may stay mapped before they are given back. */
#define TOUCHED_MAX (48 << 20)
/* Units looked at to learn where the tree was. */
#define ROOT_SAMPLES 24
/* The same to learn whether they are split. Those of assembly, a kernel's first ones, never are. */
#define SPLIT_SAMPLES 64

static int read_sections(struct debuginfo *info)
{
	const struct {
		const char *name;
		struct elf_section *section;
	} wanted[] = {
		{ ".debug_info", &info->sections.info },
		{ ".debug_abbrev", &info->sections.abbrev },
		{ ".debug_line", &info->sections.line },
		{ ".debug_str", &info->sections.str },
		{ ".debug_line_str", &info->sections.line_str },
		{ ".debug_str_offsets", &info->sections.str_offsets },
		{ ".debug_addr", &info->sections.addr },
		{ ".debug_ranges", &info->sections.ranges },
		{ ".debug_rnglists", &info->sections.rnglists },
		{ ".debug_aranges", &info->sections.aranges },
	};

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		int err = elf_file_section(info->file, wanted[i].name, wanted[i].section);

		if (err)
			return err;
	}
	return info->sections.info.size && info->sections.abbrev.size ? 0 : -ENODATA;
}

int debuginfo_open(const char *path, const struct section_layout *layout,
		   struct debuginfo **ret_info)
{
	struct debuginfo *info = calloc(1, sizeof(*info));
	int err;

	if (!info)
		return -ENOMEM;
	err = elf_file_open(path, layout, &info->file) ?:
	      read_sections(info) ?:
	      dwarf_units_init(&info->units, &info->sections);
	if (err) {
		debuginfo_free(info);
		return err;
	}
	*ret_info = info;
	return 0;
}

struct debuginfo *debuginfo_share(struct debuginfo *info)
{
	info->shared++;
	return info;
}

void debuginfo_free(struct debuginfo *info)
{
	if (!info || info->shared) {
		if (info)
			info->shared--;
		return;
	}
	dwarf_units_release(&info->units);
	elf_file_free(info->file);
	vec_foreach(string, &info->strings)
		free(*string);
	vec_release(&info->strings);
	vec_release(&info->frames);
	free(info->root.path);
	free(info);
}

const struct build_id *debuginfo_build_id(const struct debuginfo *info)
{
	return elf_file_build_id(info->file);
}

enum debuginfo_elsewhere debuginfo_elsewhere(struct debuginfo *info, const char **ret_file)
{
	struct dwarf_unit header = {}, unit;
	struct elf_section link;

	if (!elf_file_section(info->file, ".gnu_debugaltlink", &link) && link.size &&
	    memchr(link.data, '\0', link.size)) {
		if (ret_file)
			*ret_file = (const char *)link.data;
		return DEBUGINFO_SHARED;
	}
	for (int i = 0; i < SPLIT_SAMPLES && header.end < info->sections.info.size; i++) {
		if (unit_read_header(&info->sections, header.end, &header))
			break;
		if (!unit_peek(&info->sections, &header, &unit) && unit.split)
			return DEBUGINFO_SPLIT;
	}
	return DEBUGINFO_WHOLE;
}

int debuginfo_symbol(struct debuginfo *info, const char *name, uint64_t *ret_value)
{
	return elf_file_symbol(info->file, name, ret_value);
}

void debuginfo_touched(struct debuginfo *info, size_t size)
{
	if (__atomic_add_fetch(&info->touched, size, __ATOMIC_RELAXED) < TOUCHED_MAX)
		return;
	__atomic_store_n(&info->touched, 0, __ATOMIC_RELAXED);
	elf_file_drop(info->file, info->sections.info.data, info->sections.info.size);
	elf_file_drop(info->file, info->sections.line.data, info->sections.line.size);
}

struct line_table *debuginfo_lines(struct debuginfo *info, struct dwarf_unit *unit)
{
	if (!unit->lines && unit->has_line) {
		/* A damaged or missing table is not tried again. */
		if (line_table_read(&info->sections, unit, &unit->lines))
			unit->has_line = false;
		else
			debuginfo_touched(info, unit->lines->end - unit->lines->program);
	}
	return unit->lines;
}

struct unit_functions *debuginfo_functions(struct debuginfo *info, struct dwarf_unit *unit)
{
	if (!unit->functions && !unit->no_functions) {
		if (unit_functions_read(&info->sections, unit, &unit->functions))
			unit->no_functions = true;
		else
			debuginfo_touched(info, unit->end - unit->offset);
	}
	return unit->functions;
}

struct header_search {
	const struct dwarf_unit *unit;
	const char *path; /* the unit's */
	struct strbuf header;
	size_t root; /* length of the root in @path; 0: not found */
};

/* A line_file_fn. */
static int look_at_header(void *arg, uint32_t number, const struct line_file *file)
{
	struct header_search *search = arg;

	if (!file->name)
		return 0;
	source_path_join(&search->header, search->unit->comp_dir ?: "", file->dir, file->name);
	search->root = source_root_of_header(search->path, strbuf_str(&search->header));
	return search->root > 0;
}

/* The root by a header that the unit uses; NULL: not found. */
static char *root_by_header(struct debuginfo *info, const struct dwarf_unit *unit, const char *path)
{
	struct header_search search = { .unit = unit, .path = path };
	int err = line_table_files(&info->sections, unit, look_at_header, &search);

	strbuf_release(&search.header);
	return err == 1 ? strndup(path, search.root) : NULL;
}

/*
 * The root of the source tree at build time: the common beginning of the paths of all units. All
 * files of a module are in one directory: there it is the directory of a header in include/linux/.
 * Files below the directory of the compilation may be generated ones, in a tree of objects.
 */
static void find_root(struct debuginfo *info)
{
	struct dwarf_units *units = &info->units;
	size_t nr = units->ranges.len, step, used = 0, left_out = 0;
	struct strbuf path = STRBUF_INIT;
	char *root = NULL;
	bool by_unit = !nr, few;

	if (by_unit && !dwarf_units_complete(units))
		nr = units->all.len;
	step = nr / ROOT_SAMPLES ?: 1;
	few = elf_file_is_relocatable(info->file) || nr < 2 * ROOT_SAMPLES;
	for (size_t i = 0; i < nr; i += step) {
		uint64_t offset = by_unit ? units->all.data[i]->offset : units->ranges.data[i].unit;
		struct dwarf_unit header, unit;

		if (unit_read_header(&info->sections, offset, &header) ||
		    unit_peek(&info->sections, &header, &unit) || !unit.name ||
		    unit.language == DW_LANG_Rust)
			continue;
		source_path_join(&path, unit.comp_dir ?: "", "", unit.name);
		if (source_path_is_below(strbuf_str(&path), unit.comp_dir ?: "")) {
			left_out++;
			continue;
		}
		used++;
		if (few) {
			root = root_by_header(info, &unit, strbuf_str(&path));
			if (root)
				break;
			continue;
		}
		if (!root)
			root = strdup(strbuf_str(&path));
		else
			source_root_narrow(root, strbuf_str(&path));
		if (!root)
			break;
	}
	strbuf_release(&path);
	/* Debian has relative paths, except for assembly: these few are not in all directories of the tree. */
	if (root && !few && left_out > used)
		root[0] = '\0';
	info->root.path = root ?: strdup("");
}

const struct source_root *debuginfo_root(struct debuginfo *info)
{
	if (!info->root.path)
		find_root(info);
	return &info->root;
}

struct file_search {
	uint32_t number;
	struct line_file file;
};

static int take_file(void *arg, uint32_t number, const struct line_file *file)
{
	struct file_search *search = arg;

	if (number != search->number)
		return 0;
	search->file = *file;
	return 1;
}

const char *debuginfo_file(struct debuginfo *info, struct dwarf_unit *unit, uint32_t number)
{
	struct line_table *lines = debuginfo_lines(info, unit);
	struct file_search search = { .number = number };
	struct strbuf path = STRBUF_INIT;
	const char *comp_dir = unit->comp_dir ?: "";
	char *copy;

	if (!lines || number >= lines->nr_files)
		return NULL;
	if (lines->paths[number])
		return lines->paths[number];
	if (line_table_files(&info->sections, unit, take_file, &search) != 1 || !search.file.name)
		return NULL;
	source_path_join(&path, comp_dir, search.file.dir, search.file.name);
	copy = strdup(source_path_strip(strbuf_str(&path), comp_dir,
					debuginfo_root(info)));
	strbuf_release(&path);
	if (copy)
		utf8_hide(copy, strlen(copy), 0);
	if (!copy || vec_push(&info->strings, copy)) {
		free(copy);
		return NULL;
	}
	lines->paths[number] = copy;
	return copy;
}

bool debuginfo_next_origin(struct debuginfo *info, struct dwarf_unit **unit, uint64_t *die,
			   struct die_identity *ret_identity)
{
	if (*unit && *die && (*die < (*unit)->offset || *die >= (*unit)->end))
		*unit = dwarf_units_containing(&info->units, *die);
	if (!*unit || !*die || die_identity_read(&info->sections, *unit, *die, ret_identity))
		return false;
	*die = ret_identity->origin;
	return true;
}

void debuginfo_identify(struct debuginfo *info, struct dwarf_unit *unit, uint64_t die,
			struct function_identity *ret_identity)
{
	struct function_identity result = {};
	struct die_identity identity;

	/* A concrete function, its abstract instance, its declaration. */
	for (int steps = 0; steps < DEBUGINFO_MAX_ORIGINS &&
			    debuginfo_next_origin(info, &unit, &die, &identity); steps++) {
		if (!result.name)
			result.name = identity.name;
		if (!result.file_unit && identity.file != NO_FILE) {
			result.file_unit = unit;
			result.file = identity.file;
			result.line = identity.line;
		}
		if (result.name && result.file_unit)
			break;
	}
	*ret_identity = result;
}

/* Whether a DIE and all DIEs that identify it are in one unit; then no other unit is read. */
static bool is_self_contained(const struct debuginfo *info, const struct dwarf_unit *unit,
			      uint64_t die)
{
	for (int steps = 0; steps < DEBUGINFO_MAX_ORIGINS; steps++) {
		struct die_identity identity;

		if (die < unit->offset || die >= unit->end ||
		    die_identity_read(&info->sections, unit, die, &identity))
			return false;
		if (identity.name || !identity.origin)
			return true;
		die = identity.origin;
	}
	return false;
}

void debuginfo_name_scopes(struct debuginfo *info, struct dwarf_unit *unit,
			   struct scope_tree *tree, uint32_t innermost)
{
	struct function_identity identity;

	for (uint32_t i = innermost; i != NO_SCOPE; i = tree->scopes.data[i].parent) {
		struct scope *scope = tree->scopes.data + i;

		if (scope->name || !is_self_contained(info, unit, scope->die))
			continue;
		debuginfo_identify(info, unit, scope->die, &identity);
		/* A name that needs a copy is left to scope_name(): copies are shared by threads. */
		if (identity.name && identity.name[utf8_plain(identity.name)])
			continue;
		scope->name = identity.name ?: "";
	}
}

const char *debuginfo_shown_name(struct debuginfo *info, const char *name)
{
	char *copy;

	if (!name || !name[utf8_plain(name)])
		return name ?: "";
	copy = strdup(name);
	if (!copy || vec_push(&info->strings, copy)) {
		free(copy);
		return "";
	}
	utf8_hide(copy, strlen(copy), 0);
	return copy;
}

static const char *scope_name(struct debuginfo *info, struct dwarf_unit *unit, struct scope *scope)
{
	if (!scope->name) {
		struct function_identity identity;
		struct dwarf_unit *owner = unit;

		if (scope->die < unit->offset || scope->die >= unit->end)
			owner = dwarf_units_containing(&info->units, scope->die);
		debuginfo_identify(info, owner, scope->die, &identity);
		scope->name = debuginfo_shown_name(info, identity.name);
		debuginfo_touched(info, 1 << 16);
	}
	return scope->name[0] ? scope->name : NULL;
}

struct scope_tree *debuginfo_tree(struct debuginfo *info, struct dwarf_unit *unit,
				  struct dwarf_function *function)
{
	if (!function->tree &&
	    !scope_tree_read(&info->sections, unit, function->die, &function->tree))
		debuginfo_touched(info, 1 << 16);
	return function->tree;
}

int debuginfo_lookup(struct debuginfo *info, uint64_t addr, const struct source_frame **ret_frames)
{
	struct dwarf_unit *unit = dwarf_units_at(&info->units, addr);
	struct unit_functions *functions;
	struct dwarf_function *function = NULL;
	struct scope_tree *tree = NULL;
	struct source_frame frame = {};
	struct line_table *lines;
	uint32_t scope = NO_SCOPE;

	if (!unit)
		return 0;
	lines = debuginfo_lines(info, unit);
	functions = debuginfo_functions(info, unit);
	if (functions)
		function = unit_function_at(functions, addr);
	if (function)
		tree = debuginfo_tree(info, unit, function);
	if (tree)
		scope = scope_tree_find(tree, addr);
	if (lines) {
		const struct line_row *row = line_table_find(lines, addr);

		if (row) {
			frame.file = debuginfo_file(info, unit, row->file);
			frame.line = row->line;
			frame.column = row->column;
			frame.statement = row->statement;
		} else if (!tree) {
			return 0;
		}
	} else if (!tree) {
		return 0;
	}

	info->frames.len = 0;
	for (;;) {
		struct scope *at = scope == NO_SCOPE ? NULL : tree->scopes.data + scope;

		if (at) {
			frame.function = scope_name(info, unit, at);
			frame.inlined = at->parent != NO_SCOPE;
		}
		if (vec_push(&info->frames, frame))
			return -ENOMEM;
		if (!at || at->parent == NO_SCOPE)
			break;
		scope = at->parent;
		frame = (struct source_frame){
			.file = debuginfo_file(info, unit, at->call_file),
			.line = at->call_line,
			.column = at->call_column,
		};
	}
	*ret_frames = info->frames.data;
	return info->frames.len;
}
