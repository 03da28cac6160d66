// SPDX-License-Identifier: BSD-2-Clause
/* Reading /lib/modules/RELEASE. */
#include "util/kernel/symbols/modules.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/no_line.h"
#include "util/base/strbuf.h"

DEFINE_CLEANUP(Elf *, elf_end)

/* A line is "NAME SIZE USERS NAMES STATE ADDRESS"; users come and go. */
int modules_parse(FILE *list, struct loaded_modules *modules)
{
	_cleanup_(free_p) char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, list) > 0) {
		struct loaded_module module;
		char state[16], address[32];

		if (sscanf(line, "%63s %*s %*s %*s %15s %31s", module.name, state, address) != 3 ||
		    (strcmp(state, "Live") && strcmp(state, "Loading")))
			continue;
		module.loading = strcmp(state, "Live");
		module.address = strtoull(address, NULL, 16);
		if (vec_push(&modules->v, module))
			return -ENOMEM;
	}
	return no_line_error(list);
}

int modules_list(struct loaded_modules *modules)
{
	_cleanup_(fclose_p) FILE *list = fopen("/proc/modules", "re");

	return list ? modules_parse(list, modules) : -errno;
}

bool modules_have(const struct loaded_modules *modules, const struct loaded_module *wanted)
{
	vec_foreach(module, &modules->v) {
		bool same_place = module->address == wanted->address || !module->address || !wanted->address;

		if (same_place && (wanted->loading || !module->loading) && !strcmp(module->name, wanted->name))
			return true;
	}
	return false;
}

int modules_subtract(const struct loaded_modules *a, const struct loaded_modules *b,
		     struct loaded_modules *ret)
{
	vec_foreach(module, &a->v) {
		if (!modules_have(b, module) && vec_push(&ret->v, *module))
			return -ENOMEM;
	}
	return 0;
}

/* The name of the module in a file's path: "kernel/fs/ext4/ext4.ko.xz" is ext4. */
static bool path_is_module(const char *path, size_t len, const char *module)
{
	const char *base = memrchr(path, '/', len);

	base = base ? base + 1 : path;
	len -= base - path;
	while (len && *module) {
		char a = *base == '-' ? '_' : *base, b = *module == '-' ? '_' : *module;

		if (a != b)
			return false;
		base++;
		module++;
		len--;
	}
	return !*module && len >= 3 && startswith(base, ".ko");
}

static FILE *open_list(struct strbuf *dir)
{
	struct utsname uts;
	FILE *list;
	size_t len;

	if (uname(&uts))
		return NULL;
	strbuf_addf(dir, "/lib/modules/%s/", uts.release);
	len = dir->len;
	strbuf_addstr(dir, "modules.dep");
	list = fopen(strbuf_str(dir), "re");
	if (dir->s)
		dir->s[dir->len = len] = '\0';
	return list;
}

/* Each line of modules.dep is "PATH: ..."; @fn returns true to stop there. */
static char *find_path(bool (*fn)(const char *path, size_t len, const char *full, const char *arg),
		       const char *arg)
{
	_cleanup_(strbuf_release) struct strbuf path = STRBUF_INIT;
	_cleanup_(fclose_p) FILE *list = open_list(&path);
	_cleanup_(free_p) char *line = NULL;
	size_t cap = 0, dir = path.len;

	while (list && getline(&line, &cap, list) > 0) {
		size_t len = strcspn(line, ":\n");

		path.len = dir;
		strbuf_add(&path, line, len);
		if (fn(line, len, strbuf_str(&path), arg))
			return strdup(strbuf_str(&path));
	}
	return NULL;
}

static bool is_named(const char *path, size_t len, const char *full, const char *module)
{
	return path_is_module(path, len, module);
}

char *module_file(const char *module)
{
	return find_path(is_named, module);
}

static bool section_defines(Elf *elf, Elf_Scn *scn, const GElf_Shdr *header, const char *name)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t nr = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
	GElf_Sym sym;

	for (size_t i = 0; i < nr; i++) {
		const char *symbol;

		if (!gelf_getsym(data, i, &sym) || GELF_ST_TYPE(sym.st_info) != STT_FUNC ||
		    sym.st_shndx == SHN_UNDEF)
			continue;
		symbol = elf_strptr(elf, header->sh_link, sym.st_name);
		if (symbol && !strcmp(symbol, name))
			return true;
	}
	return false;
}

static bool file_defines(const char *path, size_t len, const char *full, const char *name)
{
	_cleanup_(close_fd) int fd = -1;
	_cleanup_(elf_end_p) Elf *elf = NULL;
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	if (len < 3 || !startswith(path + len - 3, ".ko"))
		return false;
	fd = open(full, O_RDONLY | O_CLOEXEC);
	elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	while (elf && (scn = elf_nextscn(elf, scn))) {
		if (gelf_getshdr(scn, &header) && header.sh_type == SHT_SYMTAB)
			return section_defines(elf, scn, &header, name);
	}
	return false;
}

char *module_defining(const char *name)
{
	_cleanup_(free_p) char *path = NULL;
	char *base, *dot;

	elf_version(EV_CURRENT);
	path = find_path(file_defines, name);
	if (!path)
		return NULL;
	base = strrchr(path, '/') + 1;
	dot = strchr(base, '.');
	if (dot)
		*dot = '\0';
	for (char *c = base; *c; c++)
		*c = *c == '-' ? '_' : *c;
	return strdup(base);
}
