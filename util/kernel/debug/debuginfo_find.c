// SPDX-License-Identifier: BSD-2-Clause
/* Looking for debug info. */
#include "util/kernel/debug/debuginfo_find.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/elf/elf_file.h"

int build_id_read(const char *path, struct build_id *ret_id)
{
	_cleanup_(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	char notes[4096];
	ssize_t size;

	if (fd < 0)
		return -errno;
	size = read(fd, notes, sizeof(notes));
	if (size < 0)
		return -errno;
	build_id_from_notes(notes, size, ret_id);
	return ret_id->len ? 0 : -ENODATA;
}

enum debuginfo_fit debuginfo_try(const char *path, const struct build_id *wanted,
				 const struct section_layout *layout, struct debuginfo **ret_info)
{
	const struct build_id *own;
	struct debuginfo *info;
	int err = debuginfo_open(path, layout, &info);

	if (err == -ENOENT || err == -ENOTDIR)
		return FIT_MISSING;
	if (err == -ENODATA)
		return FIT_NO_DWARF;
	if (err == -ENOTSUP)
		return FIT_COMPRESSED;
	if (err)
		return FIT_BROKEN;
	own = debuginfo_build_id(info);
	if (wanted && wanted->len && own->len &&
	    (wanted->len != own->len || memcmp(wanted->bytes, own->bytes, own->len))) {
		debuginfo_free(info);
		return FIT_OTHER_BUILD;
	}
	*ret_info = info;
	return FIT_GOOD;
}

void debuginfo_warn_elsewhere(struct debuginfo *info, const char *path)
{
	const char *file;

	switch (debuginfo_elsewhere(info, &file)) {
	case DEBUGINFO_SPLIT:
		warning("%s has split debug info (.dwo, .dwp), which is not supported: no inlined "
			"calls and no functions by source file; build without "
			"CONFIG_DEBUG_INFO_SPLIT", path);
		break;
	case DEBUGINFO_SHARED:
		warning("%s shares debug info with other files by way of %s (dwz), which is not "
			"supported: names may be missing, and functions by source file; use debug "
			"info that 'dwz -m' has not processed", path, file);
		break;
	case DEBUGINFO_WHOLE:
		break;
	}
}

void debuginfo_warn_compressed(const char *path)
{
	warning("%s is compressed with zstd, which this build cannot read: no source lines of it; "
		"build retsnoop with libzstd", path);
}

/* The candidates so far: the first that exists tells the user most. */
struct search {
	const struct build_id *wanted;
	const struct section_layout *layout;
	struct debuginfo *info;
	enum debuginfo_fit fit;
	char *path;
};

static bool try_path(struct search *search, char *path)
{
	enum debuginfo_fit fit;

	if (!path)
		return false;
	fit = debuginfo_try(path, search->wanted, search->layout, &search->info);
	if (fit == FIT_GOOD || (search->fit == FIT_MISSING && fit != FIT_MISSING)) {
		search->fit = fit;
		free(search->path);
		search->path = path;
	} else {
		free(path);
	}
	return fit == FIT_GOOD;
}

static void add_hex(struct strbuf *sb, const struct build_id *id, size_t from)
{
	for (size_t i = from; i < id->len; i++)
		strbuf_addf(sb, "%02x", id->bytes[i]);
}

char *debuginfo_cache_path(const struct build_id *id)
{
	const char *cache = getenv("DEBUGINFOD_CACHE_PATH"), *home;
	struct strbuf path = STRBUF_INIT;

	/* As libdebuginfod and the XDG specification have it, empty is unset. */
	if (cache && cache[0])
		strbuf_addf(&path, "%s/", cache);
	else if ((cache = getenv("XDG_CACHE_HOME")) && cache[0])
		strbuf_addf(&path, "%s/debuginfod_client/", cache);
	else if ((home = getenv("HOME")))
		strbuf_addf(&path, "%s/.cache/debuginfod_client/", home);
	else
		return NULL;
	add_hex(&path, id, 0);
	strbuf_addstr(&path, "/debuginfo");
	if (path.failed)
		strbuf_release(&path);
	return path.s;
}

/* Search debug packages, then files that debuginfod clients fetched earlier. Nothing is fetched. */
static bool try_build_id(struct search *search, const char *sysroot)
{
	const struct build_id *id = search->wanted;
	struct strbuf path = STRBUF_INIT;
	struct stat st;
	char *cached;
	bool found;

	if (!id || id->len < 2)
		return false;
	strbuf_addf(&path, "%s/usr/lib/debug/.build-id/%02x/", sysroot, id->bytes[0]);
	add_hex(&path, id, 1);
	strbuf_addstr(&path, ".debug");
	found = try_path(search, strdup(strbuf_str(&path)));
	strbuf_release(&path);
	if (found)
		return true;
	cached = debuginfo_cache_path(id);
	/* An empty file means that no server had it lately. */
	if (cached && !stat(cached, &st) && !st.st_size) {
		free(cached);
		return false;
	}
	return try_path(search, cached);
}

enum debuginfo_fit debuginfo_find_vmlinux(const struct kernel_place *place,
					  const struct build_id *wanted, char **ret_path,
					  struct debuginfo **ret_info)
{
	/* Debian and Ubuntu; builds; Fedora and SUSE; others. The release goes in between. */
	static const char *const places[][2] = {
		{ "/usr/lib/debug/boot/vmlinux-", "" },
		{ "/boot/vmlinux-", "" },
		{ "/lib/modules/", "/build/vmlinux" },
		{ "/usr/lib/debug/lib/modules/", "/vmlinux" },
		{ "/usr/lib/debug/usr/lib/modules/", "/vmlinux" },
		{ "/usr/lib/debug/lib/modules/", "/vmlinux.debug" },
		{ "/usr/lib/debug/boot/vmlinux-", ".debug" },
		{ "/lib/modules/", "/vmlinux" },
		{ "/lib/modules/", "/kernel/vmlinux" },
		{ "/lib/modules/", "/source/vmlinux" },
		{ "/usr/lib/debug/vmlinux-", "" },
	};
	struct search search = { .wanted = wanted, .fit = FIT_MISSING };
	bool found = false;

	for (size_t i = 0; !found && i < ARRAY_SIZE(places); i++)
		found = try_path(&search, strf("%s%s%s%s", place->sysroot, places[i][0],
					       place->release, places[i][1]));
	if (!found)
		try_build_id(&search, place->sysroot);
	if (search.fit == FIT_GOOD)
		*ret_info = search.info;
	*ret_path = search.path;
	return search.fit;
}

/*
 * "kernel/net/nf-tables.ko.xz" is the file of nf_tables: the beginning of its name; NULL: of
 * another module.
 */
static const char *module_file_name(const char *path, size_t len, const char *module)
{
	const char *slash = memrchr(path, '/', len), *name = slash ? slash + 1 : path;
	size_t name_len = path + len - name, i;

	for (i = 0; module[i]; i++) {
		if (i >= name_len || (name[i] == '-' ? '_' : name[i]) != module[i])
			return NULL;
	}
	return name_len >= i + 3 && !memcmp(name + i, ".ko", 3) ? name : NULL;
}

/* The path of a module below /lib/modules/RELEASE, up to ".ko"; NULL: not listed. */
static char *find_in_dep(const struct kernel_place *place, const char *module)
{
	_cleanup_(free_p) char *dep = strf("%s/lib/modules/%s/modules.dep", place->sysroot,
					   place->release);
	_cleanup_(fclose_p) FILE *file = dep ? fopen(dep, "re") : NULL;
	_cleanup_(free_p) char *line = NULL;
	size_t cap = 0;

	while (file && getline(&line, &cap, file) > 0) {
		size_t len = strcspn(line, ":");
		const char *name = module_file_name(line, len, module);

		if (name)
			return strndup(line, name + strlen(module) + 3 - line);
	}
	return NULL;
}

enum debuginfo_fit debuginfo_find_module(const struct kernel_place *place, const char *near,
					 const char *module, const struct build_id *wanted,
					 const struct section_layout *layout, char **ret_path,
					 struct debuginfo **ret_info)
{
	static const char *const directories[] = {
		"/usr/lib/debug/lib/modules", "/usr/lib/debug/usr/lib/modules", "/lib/modules",
	};
	static const char *const endings[] = { "", ".debug", ".xz", ".zst", ".gz" };
	struct search search = { .wanted = wanted, .layout = layout, .fit = FIT_MISSING };
	_cleanup_(free_p) char *path = find_in_dep(place, module);
	bool found = false;

	for (size_t i = 0; path && !found && i < ARRAY_SIZE(directories); i++) {
		for (size_t j = 0; !found && j < ARRAY_SIZE(endings); j++)
			found = try_path(&search,
					 strf("%s%s/%s/%s%s", place->sysroot, directories[i],
					      place->release, path, endings[j]));
	}
	/* A build tree has them where their sources are. */
	if (path && !found && near && startswith(path, "kernel/"))
		found = try_path(&search, strf("%s/%s", near, path + 7));
	if (!found)
		try_build_id(&search, place->sysroot);
	if (search.fit == FIT_GOOD)
		*ret_info = search.info;
	if (ret_path)
		*ret_path = take_ptr(search.path);
	free(search.path);
	return search.fit;
}
