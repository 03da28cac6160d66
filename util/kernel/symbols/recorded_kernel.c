// SPDX-License-Identifier: BSD-2-Clause
/* Facts about the running kernel that recordings keep. */
#include "util/kernel/symbols/recorded_kernel.h"

#include <dirent.h>
#include <inttypes.h>
#include <string.h>
#include <sys/utsname.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/debug/debuginfo_find.h"
#include "util/kernel/symbols/symbols.h"

static void find_anchor(struct symbols *symbols, struct recorded_kernel *kernel)
{
	static const char *const anchors[] = { "_stext", "_text" };
	const struct symbol *const *named;
	size_t nr;

	for (size_t i = 0; i < ARRAY_SIZE(anchors); i++) {
		nr = symbols_named(symbols, anchors[i], &named);
		for (size_t j = 0; j < nr; j++) {
			if (named[j]->module)
				continue;
			kernel->anchor = strdup(anchors[i]);
			kernel->anchor_addr = named[j]->addr;
			return;
		}
	}
}

/* "01234567-89ab-..." as the 16 bytes that it is. */
static void read_boot_id(uint8_t *id)
{
	_cleanup_(fclose_p) FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	unsigned int byte;

	for (size_t i = 0; file && i < BOOT_ID_LEN; i++) {
		int dash = getc(file);

		if (dash != '-')
			ungetc(dash, file);
		if (fscanf(file, "%2x", &byte) != 1) {
			memset(id, 0, BOOT_ID_LEN);
			return;
		}
		id[i] = byte;
	}
}

int recorded_kernel_read(struct symbols *symbols, struct recorded_kernel *kernel)
{
	struct utsname uts;

	uname(&uts);
	kernel->release = strdup(uts.release);
	kernel->machine = strdup(uts.machine);
	if (build_id_read("/sys/kernel/notes", &kernel->build_id))
		kernel->build_id.len = 0;
	read_boot_id(kernel->boot);
	find_anchor(symbols, kernel);
	return kernel->release && kernel->machine ? 0 : report_oom();
}

void recorded_module_release(struct recorded_module *module)
{
	free(module->name);
	vec_foreach(section, &module->sections)
		free(section->name);
	vec_release(&module->sections);
}

void recorded_kernel_release(struct recorded_kernel *kernel)
{
	free(kernel->release);
	free(kernel->machine);
	free(kernel->anchor);
	vec_foreach(module, &kernel->modules)
		recorded_module_release(module);
	vec_release(&kernel->modules);
}

static int add_section(const char *directory, const char *name, struct recorded_module *module)
{
	_cleanup_(free_p) char *path = strf("%s/%s", directory, name);
	_cleanup_(fclose_p) FILE *file = path ? fopen(path, "re") : NULL;
	struct recorded_section section = {};

	/* Away again, or not to be seen: then it has no place. */
	if (!file || fscanf(file, "%" SCNx64, &section.addr) != 1 || !section.addr)
		return 0;
	section.name = strdup(name);
	if (section.name && !vec_push(&module->sections, section))
		return 0;
	free(section.name);
	return report_oom();
}

int recorded_module_read(const char *name, struct recorded_module *ret_module)
{
	_cleanup_(free_p) char *directory = strf("/sys/module/%s/sections", name);
	_cleanup_(free_p) char *notes = strf("/sys/module/%s/notes/.note.gnu.build-id", name);
	_cleanup_(closedir_p) DIR *dir = directory ? opendir(directory) : NULL;
	struct recorded_module module = { .name = strdup(name) };
	const struct dirent *entry;
	int err = 0;

	if (!module.name || !directory || !notes)
		err = report_oom();
	if (!err && build_id_read(notes, &module.build_id))
		module.build_id.len = 0;
	while (!err && dir && (entry = readdir(dir))) {
		if (strstr(entry->d_name, "text"))
			err = add_section(directory, entry->d_name, &module);
	}
	if (err) {
		recorded_module_release(&module);
		return err;
	}
	*ret_module = module;
	return 0;
}

const struct recorded_module *recorded_kernel_module(const struct recorded_kernel *kernel,
						     const char *name)
{
	for (size_t i = kernel->modules.len; i-- > 0;) {
		if (!strcmp(kernel->modules.data[i].name, name))
			return &kernel->modules.data[i];
	}
	return NULL;
}
