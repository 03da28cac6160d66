// SPDX-License-Identifier: BSD-2-Clause
/* Debug info by source line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/report.h"
#include "util/kernel/debuginfo_internal.h"

struct file_walk {
	struct debuginfo *info;
	const char *comp_dir;
	const char *wanted;		/* or NULL: tell fn */
	VEC(uint32_t) numbers;		/* files of the unit that are the wanted one */
	struct strbuf path;
	debuginfo_path_fn fn;
	void *arg;
};

/* A line_file_fn. */
static int look_at_file(void *arg, uint32_t number, const struct line_file *file)
{
	struct file_walk *walk = arg;
	const char *path;
	size_t tail;

	if (!file->name)
		return 0;
	/* The kernel's headers are named by every unit: most are told by how they end. */
	if (walk->wanted) {
		size_t want = strlen(walk->wanted);
		const char *slash = strrchr(file->name, '/');

		path = slash ? slash + 1 : file->name;
		tail = strlen(path);
		if (tail > want || strcmp(walk->wanted + want - tail, path))
			return 0;
	}
	source_path_join(&walk->path, walk->comp_dir, file->dir, file->name);
	path = source_path_strip(strbuf_str(&walk->path), walk->comp_dir,
				 debuginfo_root(walk->info));
	if (!walk->wanted)
		return walk->fn(walk->arg, path);
	return strcmp(path, walk->wanted) ? 0 : vec_push(&walk->numbers, number);
}

/* Look at the files of each unit; of one that has the wanted file tell @found. */
static int walk_units(struct debuginfo *info, struct file_walk *walk,
		      int (*found)(void *arg, struct dwarf_unit *unit), void *arg)
{
	struct dwarf_units *units = &info->units;
	int err = dwarf_units_complete(units);

	for (size_t i = 0; !err && i < units->all.len; i++) {
		struct dwarf_unit root;

		if (unit_peek(&info->sections, units->all.data[i], &root))
			continue;
		walk->comp_dir = root.comp_dir ?: "";
		walk->numbers.len = 0;
		err = line_table_files(&info->sections, &root, look_at_file, walk);
		/* What is damaged is like what is not there. */
		if (err == -ENOEXEC)
			err = 0;
		if (!err && walk->numbers.len)
			err = found(arg, &root);
	}
	strbuf_release(&walk->path);
	vec_release(&walk->numbers);
	return err;
}

struct line_search {
	struct debuginfo *info;
	struct file_walk walk;
	uint32_t line, below, above;	/* the nearest with code; 0 none */
	bool inside;			/* the row before was of the line */
	bool seen;			/* some unit has the file */
	VEC(uint64_t) addrs;
};

static bool is_wanted_file(const struct line_search *search, uint32_t file)
{
	for (size_t i = 0; i < search->walk.numbers.len; i++) {
		if (search->walk.numbers.data[i] == file)
			return true;
	}
	return false;
}

/* A line_row_fn. */
static int look_at_row(void *arg, uint64_t addr, uint32_t file, uint32_t line, bool is_stmt)
{
	struct line_search *search = arg;
	bool wanted = line && is_wanted_file(search, file), inside = search->inside;

	/* Code the linker threw away is at 0. */
	search->inside = wanted && line == search->line && (is_stmt || inside);
	if (!wanted || !is_stmt || !addr)
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

static int look_at_unit(void *arg, struct dwarf_unit *unit)
{
	struct line_search *search = arg;
	int err;

	search->seen = true;
	search->inside = false;
	err = line_table_rows(&search->info->sections, unit, look_at_row, search);
	return err == -ENOEXEC ? 0 : err;
}

static int compare_addrs(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
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
		.walk = { .info = info, .wanted = path, .path = STRBUF_INIT },
		.line = line,
	};
	int err = walk_units(info, &search.walk, look_at_unit, &search), nr = 0;

	if (err == -ENOMEM)
		report_oom();
	if (!err && !search.seen)
		err = -ENOENT;
	vec_sort(&search.addrs, compare_addrs);
	for (size_t i = 0; !err && i < search.addrs.len; i++) {
		if (i && search.addrs.data[i] == search.addrs.data[i - 1])
			continue;
		nr++;
		err = fn(arg, search.addrs.data[i]);
	}
	if (!err && !nr)
		*ret_nearest = nearest_line(&search);
	vec_release(&search.addrs);
	return err ?: nr;
}

int debuginfo_paths(struct debuginfo *info, debuginfo_path_fn fn, void *arg)
{
	struct file_walk walk = { .info = info, .fn = fn, .arg = arg, .path = STRBUF_INIT };

	return walk_units(info, &walk, NULL, NULL);
}
