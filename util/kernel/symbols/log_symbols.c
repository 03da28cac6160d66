// SPDX-License-Identifier: BSD-2-Clause
/* The debug info of the kernel that wrote a log, and of its modules. */
#include "util/kernel/symbols/log_symbols.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/vec.h"
#include "util/kernel/debug/debuginfo_find.h"
#include "util/kernel/debug/debuginfod.h"
#include "util/kernel/debug/distribution.h"
#include "util/kernel/symbols/symbols.h"

/* vmlinux (no name), or a module. */
struct image {
	char *module;
	struct build_id build_id;	/* that was asked for */
	struct symbols *symbols;	/* NULL: none was found */
	struct debuginfo *info;
	unsigned int fits, misfits;	/* places of the function's size, and of another size */
};

struct log_symbols {
	struct log_symbols_options options;
	char release[LOG_RELEASE_MAX];	/* "" not known */
	bool guessed;	/* the release is only a guess, from the name of a file */
	char *vmlinux_path;
	struct image vmlinux;
	bool looked;	/* for a vmlinux of that release */
	bool warned_size;
	bool asked, found_any;	/* for any image */
	VEC(struct image) modules;
	struct debuginfod *debuginfod;	/* NULL: not to be asked */
};

/* A log that names ever new modules is no log. */
#define MAX_MODULES 1024

static void image_release(struct image *image)
{
	free(image->module);
	debuginfo_free(image->info);
	symbols_free(image->symbols);
	*image = (struct image){};
}

static void forget_modules(struct log_symbols *symbols)
{
	vec_foreach(module, &symbols->modules)
		image_release(module);
	symbols->modules.len = 0;
}

static void forget_kernel(struct log_symbols *symbols)
{
	image_release(&symbols->vmlinux);
	forget_modules(symbols);
	free(symbols->vmlinux_path);
	symbols->vmlinux_path = NULL;
	symbols->looked = false;
	symbols->warned_size = false;
}

/* "/usr/lib/debug/boot/vmlinux-6.1.0-18-amd64" is of 6.1.0-18-amd64, as long as the log says nothing else. */
static void guess_release(struct log_symbols *symbols, const char *path)
{
	const char *slash = strrchr(path, '/'), *dash = strstr(slash ?: path, "vmlinux-");

	if (dash && strlen(dash + 8) < sizeof(symbols->release))
		strcpy(symbols->release, dash + 8);
	symbols->guessed = true;
}

static int open_given(struct log_symbols *symbols)
{
	const char *path = symbols->options.vmlinux;
	int err = symbols_load_elf(path, &symbols->vmlinux.symbols);

	if (err)
		return err;
	if (debuginfo_try(path, NULL, NULL, &symbols->vmlinux.info) != FIT_GOOD)
		return report(-ENOEXEC,
			      "%s has no debug info (DWARF); a vmlinux from a debug "
			      "package or a build tree has",
			      path);
	debuginfo_warn_elsewhere(symbols->vmlinux.info, path);
	symbols->vmlinux_path = strdup(path);
	if (!symbols->vmlinux_path)
		return report_oom();
	guess_release(symbols, path);
	symbols->looked = symbols->found_any = true;
	return 0;
}

int log_symbols_new(const struct log_symbols_options *options, struct log_symbols **ret_symbols)
{
	struct log_symbols *symbols = calloc(1, sizeof(*symbols));
	int err;

	if (!symbols)
		return report_oom();
	symbols->options = *options;
	if (options->debuginfod)
		symbols->debuginfod = debuginfod_new();
	err = options->vmlinux ? open_given(symbols) : 0;
	if (err) {
		log_symbols_free(symbols);
		return err;
	}
	*ret_symbols = symbols;
	return 0;
}

void log_symbols_free(struct log_symbols *symbols)
{
	if (!symbols)
		return;
	forget_kernel(symbols);
	vec_release(&symbols->modules);
	debuginfod_free(symbols->debuginfod);
	free(symbols);
}

static void try_image(const char *path, const struct build_id *wanted, struct image *image)
{
	if (debuginfo_try(path, wanted, NULL, &image->info) != FIT_GOOD)
		return;
	if (symbols_load_elf(path, &image->symbols)) {
		debuginfo_free(image->info);
		image->info = NULL;
	}
}

/*
 * Done once for each kernel. The running kernel, if it has that release, is the likeliest writer of
 * the log.
 */
static void find_vmlinux(struct log_symbols *symbols)
{
	struct kernel_place place = { "", symbols->release };
	_cleanup_(strbuf_release) struct strbuf advice = STRBUF_INIT;
	struct build_id running = {};
	struct distribution os;
	struct utsname uts;
	char *fetched;

	symbols->looked = true;
	if (!uname(&uts)) {
		if (!symbols->release[0] && strlen(uts.release) < sizeof(symbols->release))
			strcpy(symbols->release, uts.release);
		if (!strcmp(symbols->release, uts.release))
			build_id_read("/sys/kernel/notes", &running);
	}
	if (debuginfo_find_vmlinux(&place, &running, &symbols->vmlinux_path,
				   &symbols->vmlinux.info) == FIT_GOOD &&
	    !symbols_load_elf(symbols->vmlinux_path, &symbols->vmlinux.symbols)) {
		symbols->found_any = true;
		debuginfo_warn_elsewhere(symbols->vmlinux.info, symbols->vmlinux_path);
		return;
	}
	if (symbols->debuginfod && running.len &&
	    !debuginfod_fetch(symbols->debuginfod, &running, symbols->release, &fetched)) {
		try_image(fetched, &running, &symbols->vmlinux);
		free(symbols->vmlinux_path);
		symbols->vmlinux_path = fetched;
		symbols->found_any |= symbols->vmlinux.info != NULL;
		if (symbols->vmlinux.info)
			return;
	}
	distribution_read("", &os);
	distribution_debug_advice(&os, symbols->release, &advice);
	warning("no debug info found for %s, the kernel of this log: %s, or pass its vmlinux with -k",
		symbols->release, strbuf_str(&advice));
}

void log_symbols_set_release(struct log_symbols *symbols, const char *release)
{
	if (!strcmp(symbols->release, release)) {
		symbols->guessed = false;
		return;
	}
	if (symbols->options.vmlinux) {
		/* A file with another name may belong to it; the sizes of functions decide. */
		if (symbols->guessed) {
			forget_modules(symbols);
			snprintf(symbols->release, sizeof(symbols->release), "%s", release);
		}
		symbols->guessed = false;
		return;
	}
	forget_kernel(symbols);
	snprintf(symbols->release, sizeof(symbols->release), "%s", release);
}

/* Whether a file is "ext4.ko", perhaps with an ending for debug info. */
static bool is_module_file(const char *name, const char *module)
{
	static const char *const endings[] = { ".ko", ".ko.debug", ".ko.xz", ".ko.zst", ".ko.gz" };
	size_t i;

	for (i = 0; module[i]; i++) {
		if ((name[i] == '-' ? '_' : name[i]) != (module[i] == '-' ? '_' : module[i]))
			return false;
	}
	for (size_t e = 0; e < ARRAY_SIZE(endings); e++) {
		if (!strcmp(name + i, endings[e]))
			return true;
	}
	return false;
}

/* In a directory and all below it. */
static void search_directory(const char *directory, const char *module,
			     const struct build_id *wanted, struct image *image)
{
	char *const roots[] = { (char *)directory, NULL };
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	FTSENT *entry;

	while (fts && !image->info && (entry = fts_read(fts))) {
		if (entry->fts_info != FTS_D && is_module_file(entry->fts_name, module))
			try_image(entry->fts_path, wanted, image);
	}
	if (fts)
		fts_close(fts);
}

/*
 * Where a module's debug info is when it is in no usual place: a package unpacked somewhere has
 * vmlinux in boot/ and modules in lib/modules/, beside it; a build has them below its vmlinux, and
 * so has Fedora's kernel-debuginfo, in kernel/.
 */
static void search_near(struct log_symbols *symbols, const char *module,
			const struct build_id *wanted, struct image *image)
{
	const char *slash = symbols->vmlinux_path ? strrchr(symbols->vmlinux_path, '/') : NULL;
	int len = slash ? (int)(slash - symbols->vmlinux_path) : 1;
	const char *directory = slash ? symbols->vmlinux_path : ".";
	_cleanup_(free_p) char *beside = NULL, *tree = NULL, *order = NULL, *kernel = NULL;

	if (!symbols->vmlinux_path)
		return;
	beside = strf("%.*s/../lib/modules/%s", len, directory, symbols->release);
	if (beside && symbols->release[0])
		search_directory(beside, module, wanted, image);
	tree = strf("%.*s", len, directory);
	order = strf("%.*s/modules.order", len, directory);
	kernel = strf("%.*s/kernel", len, directory);
	if (!image->info && tree && order && kernel &&
	    (!access(order, F_OK) || !access(kernel, F_OK)))
		search_directory(tree, module, wanted, image);
}

static void load_module(struct log_symbols *symbols, const struct build_id *wanted,
			struct image *image)
{
	struct kernel_place place = { "", symbols->release };
	_cleanup_(free_p) char *path = NULL;

	if (debuginfo_find_module(&place, NULL, image->module, wanted, NULL, &path, &image->info) ==
		    FIT_GOOD &&
	    symbols_load_elf(path, &image->symbols)) {
		debuginfo_free(image->info);
		image->info = NULL;
	}
	if (image->info)
		debuginfo_warn_elsewhere(image->info, path);
	if (!image->info)
		search_near(symbols, image->module, wanted, image);
	if (!image->info && symbols->debuginfod && wanted->len) {
		_cleanup_(free_p) char *what = strf("module %s", image->module), *fetched = NULL;

		if (what && !debuginfod_fetch(symbols->debuginfod, wanted, what, &fetched))
			try_image(fetched, wanted, image);
	}
	symbols->found_any |= image->info != NULL;
}

static struct image *find_module(struct log_symbols *symbols, const struct log_place *place)
{
	struct image image = { .build_id = place->build_id };

	vec_foreach(module, &symbols->modules) {
		if (!strcmp(module->module, place->module) &&
		    module->build_id.len == place->build_id.len &&
		    !memcmp(module->build_id.bytes, place->build_id.bytes, place->build_id.len))
			return module;
	}
	if (symbols->modules.len >= MAX_MODULES)
		return NULL;
	image.module = strdup(place->module);
	if (!image.module)
		return NULL;
	load_module(symbols, &place->build_id, &image);
	if (vec_push(&symbols->modules, image)) {
		image_release(&image);
		return NULL;
	}
	return symbols->modules.data + symbols->modules.len - 1;
}

static const struct symbol *pick_symbol(struct log_symbols *symbols, struct image *image,
					const struct log_place *place, unsigned int *ret_others)
{
	const struct symbol *const *named, *picked = NULL;
	size_t nr = symbols_named(image->symbols, place->name, &named);
	unsigned int best = 0;

	for (size_t i = 0; i < nr; i++) {
		unsigned int fit = symbols_size_fit(image->symbols, named[i], place->size);

		if (fit > best) {
			best = fit;
			picked = named[i];
			*ret_others = 0;
		} else if (fit && fit == best && picked->addr != named[i]->addr) {
			++*ret_others;
		}
	}
	if (!picked && nr && !symbols->warned_size) {
		symbols->warned_size = true;
		warning("%s is of another size in %s: it is not the kernel of this log; pass the "
			"right vmlinux with -k",
			place->name, image->module ?: symbols->vmlinux_path);
	}
	image->fits += picked != NULL;
	image->misfits += !picked && nr;
	/*
	 * Another build has some functions of the same size, too, and the answers for these would
	 * be wrong. In the right build a wrong size is rare: live patches, symbols that the kernel
	 * leaves out.
	 */
	return image->misfits * 2 > image->fits ? NULL : picked;
}

void log_symbols_lookup(struct log_symbols *symbols, const struct log_place *place,
			struct log_found *ret_found)
{
	const struct symbol *symbol = NULL;
	struct image *image;

	*ret_found = (struct log_found){};
	symbols->asked = true;
	if (!symbols->looked)
		find_vmlinux(symbols);
	image = place->module[0] ? find_module(symbols, place) : &symbols->vmlinux;
	if (image && image->symbols && image->info && place->offset <= place->size)
		symbol = pick_symbol(symbols, image, place, &ret_found->others);
	if (!symbol)
		return;
	ret_found->nr_frames = debuginfo_lookup(
		image->info, symbol->addr + place->offset - place->is_return, &ret_found->frames);
	if (ret_found->nr_frames <= 0) {
		*ret_found = (struct log_found){};
	} else if (symbols->options.lines_only) {
		ret_found->frames += ret_found->nr_frames - 1;
		ret_found->nr_frames = 1;
	}
}

bool log_symbols_lacked(const struct log_symbols *symbols)
{
	return symbols->asked && !symbols->found_any;
}
