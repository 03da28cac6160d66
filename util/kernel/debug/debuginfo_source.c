// SPDX-License-Identifier: BSD-2-Clause
/*
 * Debug info by name: functions of source files, the place where a function is defined, and where
 * it was inlined.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/kernel/debug/debuginfo_internal.h"

/*
 * Names and directories are shared by the line tables of a file, so their addresses tell them
 * apart.
 */
struct verdict {
	const char *comp_dir, *dir, *name;	/* name NULL: free */
	bool matches;
};

/* Whether a glob selects files of line tables; a kernel's name the same headers 2,000 times. */
struct file_matcher {
	struct debuginfo *info;
	const char *glob;
	struct verdict *verdicts;
	size_t nr, mask;
	struct strbuf path;
	const char *comp_dir;	/* of the unit at hand */
	bool failed;		/* out of memory */
};

static size_t hash_file(const struct file_matcher *matcher, const struct line_file *file)
{
	uint64_t hash = ((uintptr_t)file->name * 31 + (uintptr_t)file->dir) * 31 +
			(uintptr_t)matcher->comp_dir;

	hash *= 0x9e3779b97f4a7c15;
	return hash >> 32;
}

static int grow_matcher(struct file_matcher *matcher)
{
	size_t mask = matcher->mask ? matcher->mask * 2 + 1 : 4095;
	struct verdict *old = matcher->verdicts, *new = calloc(mask + 1, sizeof(*new));

	if (!new)
		return -ENOMEM;
	for (size_t i = 0; old && i <= matcher->mask; i++) {
		struct line_file file = { .dir = old[i].dir, .name = old[i].name };
		size_t at;

		if (!old[i].name)
			continue;
		matcher->comp_dir = old[i].comp_dir;
		for (at = hash_file(matcher, &file) & mask; new[at].name; at = (at + 1) & mask)
			;
		new[at] = old[i];
	}
	free(old);
	matcher->verdicts = new;
	matcher->mask = mask;
	return 0;
}

/* A line_file_fn: 1 when the file is selected. */
static int match_file(void *arg, uint32_t number, const struct line_file *file)
{
	struct file_matcher *matcher = arg;
	struct verdict *verdict;
	const char *path;
	size_t at;

	if (!file->name)
		return 0;
	if (2 * matcher->nr >= matcher->mask) {
		const char *comp_dir = matcher->comp_dir;

		matcher->failed |= grow_matcher(matcher);
		matcher->comp_dir = comp_dir;
		if (matcher->failed)
			return -ENOMEM;
	}
	for (at = hash_file(matcher, file) & matcher->mask;; at = (at + 1) & matcher->mask) {
		verdict = matcher->verdicts + at;
		if (!verdict->name)
			break;
		if (verdict->name == file->name && verdict->dir == file->dir &&
		    verdict->comp_dir == matcher->comp_dir)
			return verdict->matches;
	}
	source_path_join(&matcher->path, matcher->comp_dir, file->dir, file->name);
	path = source_path_strip(strbuf_str(&matcher->path), matcher->comp_dir,
				 debuginfo_root(matcher->info));
	*verdict = (struct verdict){
		.comp_dir = matcher->comp_dir,
		.dir = file->dir,
		.name = file->name,
		.matches = source_path_match(matcher->glob, path),
	};
	matcher->nr++;
	return verdict->matches;
}

static void matcher_release(struct file_matcher *matcher)
{
	free(matcher->verdicts);
	strbuf_release(&matcher->path);
}

static bool unit_is_from(struct debuginfo *info, const struct dwarf_unit *unit, const char *glob)
{
	const char *comp_dir = unit->comp_dir ?: "";
	_cleanup_(strbuf_release) struct strbuf path = STRBUF_INIT;

	if (!unit->name)
		return false;
	source_path_join(&path, comp_dir, "", unit->name);
	return source_path_match(
		glob, source_path_strip(strbuf_str(&path), comp_dir, debuginfo_root(info)));
}

/*
 * Report the functions of one unit that are in a selected file: declared there, or compiled as a
 * part of it (the functions of kernel/bpf/bpf_lsm.c are made by a header).
 */
static int list_functions(struct debuginfo *info, struct dwarf_unit *unit, const char *glob,
			  debuginfo_func_fn fn, void *arg)
{
	struct unit_functions *functions;
	bool all;

	if (unit_open(&info->sections, unit))
		return 0;
	all = unit_is_from(info, unit, glob);
	functions = debuginfo_functions(info, unit);
	for (size_t i = 0; functions && i < functions->all.len; i++) {
		struct dwarf_function *function = functions->all.data + i;
		struct function_identity identity;
		const char *file = NULL;
		int err;

		if (!function->first)
			continue;
		debuginfo_identify(info, unit, function->die, &identity);
		if (!identity.name)
			continue;
		if (identity.file_unit)
			file = debuginfo_file(info, identity.file_unit, identity.file);
		if (!all && !(file && source_path_match(glob, file)))
			continue;
		err = fn(arg, identity.name, file, identity.line, function->low);
		if (err)
			return err;
	}
	return 0;
}

int debuginfo_source_functions(struct debuginfo *info, const char *path_glob, debuginfo_func_fn fn,
			       void *arg)
{
	_cleanup_(matcher_release) struct file_matcher matcher = {
		.info = info, .glob = path_glob, .path = STRBUF_INIT
	};
	struct dwarf_units *units = &info->units;
	struct progress progress = progress_start("Looking for source files in debug info");
	int err = dwarf_units_complete(units);

	/* Units are met on the way (by origins in others), but all were met before. */
	for (size_t i = 0; !err && i < units->all.len; i++) {
		struct dwarf_unit *unit = units->all.data[i], root;

		progress_update(&progress, i, units->all.len);
		if (unit_peek(&info->sections, unit, &root))
			continue;
		matcher.comp_dir = root.comp_dir ?: "";
		if (line_table_files(&info->sections, &root, match_file, &matcher) == 1)
			err = list_functions(info, unit, path_glob, fn, arg);
		else if (matcher.failed)
			err = -ENOMEM;
	}
	progress_end(&progress);
	if (matcher.failed)
		report_oom();
	return err;
}

int debuginfo_function_source(struct debuginfo *info, uint64_t addr, const char **ret_file,
			      uint32_t *ret_line)
{
	struct dwarf_unit *unit = dwarf_units_at(&info->units, addr);
	struct unit_functions *functions = unit ? debuginfo_functions(info, unit) : NULL;
	struct dwarf_function *function = functions ? unit_function_at(functions, addr) : NULL;
	struct function_identity identity;
	const char *file;

	if (!function)
		return -ENOENT;
	debuginfo_identify(info, unit, function->die, &identity);
	file = identity.file_unit ? debuginfo_file(info, identity.file_unit, identity.file) : NULL;
	if (!file)
		return -ENOENT;
	*ret_file = file;
	*ret_line = identity.line;
	return 0;
}

bool debuginfo_is_changed(struct debuginfo *info, uint64_t addr)
{
	struct dwarf_unit *unit = dwarf_units_at(&info->units, addr);
	struct unit_functions *functions;
	struct dwarf_function *function;
	struct die_identity identity;
	uint64_t die;

	/* Most units have no such function, and need not be read. */
	if (!unit || !unit->abbrevs.conventions)
		return false;
	functions = debuginfo_functions(info, unit);
	function = functions ? unit_function_at(functions, addr) : NULL;
	die = function ? function->die : 0;
	for (int steps = 0; steps < DEBUGINFO_MAX_ORIGINS &&
			    debuginfo_next_origin(info, &unit, &die, &identity); steps++) {
		if (identity.changed)
			return true;
	}
	return false;
}

struct inline_search {
	struct debuginfo *info;
	struct dwarf_unit *unit;
	const char *name;
	VEC(uint64_t) dies;	/* the DIEs that inlined calls refer to */
};

/* A function_die_fn: collect the abstract instances of the name. */
static int take_namesake(void *arg, uint64_t die, const struct abbrev *abbrev, struct cursor attrs)
{
	struct inline_search *search = arg;
	struct die_identity identity;

	/* Inlined calls do not refer to concrete functions. */
	if (abbrev->code_attrs ||
	    die_identity_read(&search->info->sections, search->unit, die, &identity) ||
	    !identity.name || strcmp(identity.name, search->name))
		return 0;
	return vec_push(&search->dies, die);
}

/* Report the calls inlined into one function. */
static int list_inlined(struct inline_search *search, const struct dwarf_function *function,
			debuginfo_inline_fn fn, void *arg)
{
	struct debuginfo *info = search->info;
	struct function_identity identity;
	struct scope_tree *tree;
	int err = 0;

	if (scope_tree_read(&info->sections, search->unit, function->die, &tree))
		return 0;
	for (size_t i = 1; !err && i < tree->scopes.len; i++) {
		const struct scope *scope = tree->scopes.data + i;

		if (!vec_find(die, &search->dies, *die == scope->die))
			continue;
		debuginfo_identify(info, search->unit, function->die, &identity);
		if (identity.name)
			err = fn(arg, identity.name,
				 debuginfo_file(info, search->unit, scope->call_file),
				 scope->call_line);
	}
	scope_tree_free(tree);
	return err;
}

/* Report the calls inlined into the functions of a unit. */
static int list_unit(struct inline_search *search, struct unit_functions *functions, debuginfo_inline_fn fn, void *arg)
{
	int err = 0;

	for (size_t i = 0; !err && functions && i < functions->all.len; i++) {
		if (functions->all.data[i].first)
			err = list_inlined(search, functions->all.data + i, fn, arg);
	}
	return err;
}

/* Most units are read only here: do not keep them. */
static void put_unit(struct dwarf_unit *unit, bool opened)
{
	if (!opened && !unit->functions) {
		unit_release(unit);
		unit->opened = false;
	}
}

/* With link-time optimisation units refer to others: they are looked through when all DIEs of the name are known. */
static int list_others(struct inline_search *search, const bool *waits, debuginfo_inline_fn fn, void *arg)
{
	struct debuginfo *info = search->info;
	int err = 0;

	for (size_t i = 0; !err && i < info->units.all.len; i++) {
		struct dwarf_unit *unit = info->units.all.data[i];

		if (!waits[i] || unit_open(&info->sections, unit))
			continue;
		search->unit = unit;
		err = list_unit(search, debuginfo_functions(info, unit), fn, arg);
		debuginfo_touched(info, unit->end - unit->offset);
	}
	return err;
}

int debuginfo_inlined_into(struct debuginfo *info, const char *name, debuginfo_inline_fn fn,
			   void *arg)
{
	struct inline_search search = { .info = info, .name = name };
	struct dwarf_units *units = &info->units;
	struct progress progress = progress_start("Looking for inlined calls in debug info");
	int err = dwarf_units_complete(units);
	_cleanup_(free_p) bool *waits = calloc(units->all.len + 1, sizeof(*waits));

	if (!err && !waits)
		err = report_oom();
	for (size_t i = 0; !err && i < units->all.len; i++) {
		struct dwarf_unit *unit = units->all.data[i];
		bool opened = unit->opened;
		size_t before = search.dies.len;

		progress_update(&progress, i, units->all.len);
		if (unit_open(&info->sections, unit))
			continue;
		search.unit = unit;
		if (unit_walk_functions(&info->sections, unit, take_namesake, &search) == -ENOMEM)
			err = report_oom();
		debuginfo_touched(info, unit->end - unit->offset);
		waits[i] = unit->abbrevs.inlines_others;
		if (!err && !waits[i] && search.dies.len > before)
			err = list_unit(&search, debuginfo_functions(info, unit), fn, arg);
		put_unit(unit, opened);
	}
	if (!err && search.dies.len)
		err = list_others(&search, waits, fn, arg);
	progress_end(&progress);
	vec_release(&search.dies);
	return err;
}
