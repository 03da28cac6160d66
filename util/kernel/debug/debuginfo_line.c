// SPDX-License-Identifier: BSD-2-Clause
/* Debug info by source line. */
#include <errno.h>
#include <string.h>

#include "util/base/report.h"
#include "util/kernel/debug/debuginfo_internal.h"

struct file_walk {
	struct debuginfo *info;
	const char *comp_dir;
	const char *wanted;
	VEC(uint32_t) numbers; /* numbers of the unit's files that are the wanted file */
	struct strbuf path;
};

/* A line_file_fn. */
static int look_at_file(void *arg, uint32_t number, const struct line_file *file)
{
	struct file_walk *walk = arg;
	const char *path, *base;
	size_t tail, want = strlen(walk->wanted);

	if (!file->name)
		return 0;
	/* Every unit names the kernel's headers: most are recognized by the ends of their names. */
	base = strrchr(file->name, '/');
	base = base ? base + 1 : file->name;
	tail = strlen(base);
	if (tail > want || strcmp(walk->wanted + want - tail, base))
		return 0;
	source_path_join(&walk->path, walk->comp_dir, file->dir, file->name);
	path = source_path_strip(strbuf_str(&walk->path), walk->comp_dir,
				 debuginfo_root(walk->info));
	return strcmp(path, walk->wanted) ? 0 : vec_push(&walk->numbers, number);
}

struct line_search {
	struct debuginfo *info;
	struct file_walk walk;
	uint32_t line, below, above; /* the nearest with code; 0 none */
	bool inside; /* the row before was of the line */
	bool in_sequence, dropped; /* the linker threw its code away */
	bool seen; /* some unit has the file */
	VEC(uint64_t) addrs;
};

/* A line_row_fn. */
static int look_at_row(void *arg, uint64_t addr, uint32_t file, uint32_t line, bool is_stmt)
{
	struct line_search *search = arg;
	bool wanted = line && vec_find(number, &search->walk.numbers, *number == file),
	     inside = search->inside;

	/* Code the linker threw away begins at 0, or at a tombstone: DWARF 6 has -1, lld also -2. */
	if (!search->in_sequence)
		search->dropped = !addr || addr >= UINT64_MAX - 1;
	search->in_sequence = file || line;
	search->inside = wanted && line == search->line && (is_stmt || inside);
	if (!wanted || !is_stmt || search->dropped)
		return 0;
	if (line != search->line) {
		if (line < search->line && line > search->below)
			search->below = line;
		if (line > search->line && (!search->above || line < search->above))
			search->above = line;
		return 0;
	}
	return inside ? 0 : vec_push(&search->addrs, addr);
}

/* Search one unit; only its root DIE is needed. */
static int look_at_unit(struct line_search *search, struct dwarf_unit *unit)
{
	const struct dwarf_sections *sections = &search->info->sections;
	int err;

	search->walk.comp_dir = unit->comp_dir ?: "";
	search->walk.numbers.len = 0;
	search->inside = search->in_sequence = false;
	err = line_table_files(sections, unit, look_at_file, &search->walk);
	if (!err && search->walk.numbers.len) {
		search->seen = true;
		err = line_table_rows(sections, unit, look_at_row, search);
	}
	/* A damaged unit counts as a missing one. */
	return err == -ENOEXEC ? 0 : err;
}

static uint32_t nearest_line(const struct line_search *search)
{
	if (!search->above || !search->below)
		return search->above ?: search->below;
	return search->above - search->line <= search->line - search->below ? search->above :
									      search->below;
}

int debuginfo_line_addresses(struct debuginfo *info, const char *path, uint32_t line,
			     debuginfo_line_fn fn, void *arg, uint32_t *ret_nearest)
{
	struct line_search search = {
		.info = info,
		.walk = { .info = info, .wanted = path },
		.line = line,
	};
	struct dwarf_units *units = &info->units;
	int err = dwarf_units_complete(units), nr = 0;

	for (size_t i = 0; !err && i < units->all.len; i++) {
		struct dwarf_unit root;

		if (!unit_peek(&info->sections, units->all.data[i], &root))
			err = look_at_unit(&search, &root);
	}
	if (err == -ENOMEM)
		report_oom();
	if (!err && !search.seen)
		err = -ENOENT;
	vec_sort(&search.addrs, compare_u64);
	for (size_t i = 0; !err && i < search.addrs.len; i++) {
		if (i && search.addrs.data[i] == search.addrs.data[i - 1])
			continue;
		nr++;
		err = fn(arg, search.addrs.data[i]);
	}
	if (!err && !nr)
		*ret_nearest = nearest_line(&search);
	vec_release(&search.addrs);
	vec_release(&search.walk.numbers);
	strbuf_release(&search.walk.path);
	return err ?: nr;
}

int debuginfo_paths(struct debuginfo *info, debuginfo_path_fn fn, void *arg)
{
	struct dwarf_units *units = &info->units;
	struct strbuf path = STRBUF_INIT;
	int err = dwarf_units_complete(units);

	for (size_t i = 0; !err && i < units->all.len; i++) {
		struct dwarf_unit root;

		if (unit_peek(&info->sections, units->all.data[i], &root) || !root.name)
			continue;
		source_path_join(&path, root.comp_dir ?: "", "", root.name);
		err = fn(arg, source_path_strip(strbuf_str(&path), root.comp_dir ?: "",
						debuginfo_root(info)));
	}
	strbuf_release(&path);
	return err;
}
