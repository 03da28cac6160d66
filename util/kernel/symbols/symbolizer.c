// SPDX-License-Identifier: BSD-2-Clause
/* Addresses of a running kernel, or of a vmlinux file, to symbols and source. */
#include "util/kernel/symbols/symbolizer.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "util/base/cleanup.h"
#include "util/base/clock.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/vec.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/debug/debuginfo_find.h"
#include "util/kernel/debug/debuginfo_variable.h"
#include "util/kernel/debug/debuginfod.h"
#include "util/kernel/debug/distribution.h"

/* A module and its debug info, if it has any. Searched once. */
struct module_info {
	char *name;
	const char *recorded;	/* name of the recorded module that it is of; NULL: none */
	struct debuginfo *info;
	bool gone;	/* unloaded since; earlier results may point into it */
};

/*
 * Answers for earlier addresses: failures repeat, with the same few stacks. Only for vmlinux, since
 * other code is loaded and unloaded.
 */
struct known_address {
	uint64_t addr;
	bool is_return;
	unsigned int additions;		/* to the symbols before that */
	struct symbolized found;	/* NULL symbol: nothing is known */
	VEC(struct source_frame) frames; /* those found */
};

#define KNOWN_ADDRESSES 1024

struct symbolizer {
	struct symbols *symbols;
	struct known_address known[KNOWN_ADDRESSES]; /* each in its place: known_place() */
	uint64_t refresh_after_ns;	/* when symbols may be read again */
	bool refreshed;			/* they were read again */
	bool modules_changed;		/* and they must be, before addresses of modules are looked up */
	enum symbolize_level level;
	bool live;
	const struct recorded_kernel *recorded;	/* NULL: of no recording */
	struct utsname uts;
	const char *release;		/* of the kernel that addresses are of */
	struct debuginfo *vmlinux;	/* NULL: none */
	char *vmlinux_path;
	uint64_t bias;
	VEC(struct module_info) modules;
	struct debuginfod *debuginfod;	/* NULL: not to be asked */
	char *hint;
};

static const char *which_kernel(const struct symbolizer *symbolizer)
{
	return symbolizer->recorded ? "recorded" : "running";
}

static void make_hint(struct symbolizer *symbolizer, enum debuginfo_fit fit, const char *path)
{
	const char *release = symbolizer->release, *which = which_kernel(symbolizer);
	struct strbuf sb = STRBUF_INIT;
	struct distribution os;

	distribution_read("", &os);
	if (fit == FIT_OTHER_BUILD)
		strbuf_addf(&sb, "%s is of another build than the %s kernel", path, which);
	else if (fit == FIT_COMPRESSED)
		strbuf_addf(&sb, "%s is compressed with zstd, which this build cannot read", path);
	else if (fit == FIT_BROKEN)
		strbuf_addf(&sb, "%s cannot be read as an ELF file", path);
	else
		strbuf_addf(&sb, "no debug info found for the %s kernel, %s", which, release);
	strbuf_addstr(&sb, ": no source lines or inlined calls; ");
	distribution_debug_advice(&os, release, &sb);
	strbuf_addstr(&sb, ", or pass its vmlinux with -k");
	symbolizer->hint = sb.failed ? NULL : sb.s;
	if (sb.failed)
		strbuf_release(&sb);
}

/* Report the error in a file that the user named. */
static int report_misfit(const struct symbolizer *symbolizer, const char *path,
			 enum debuginfo_fit fit)
{
	switch (fit) {
	case FIT_MISSING:
		return report(-ENOENT, "%s does not exist", path);
	case FIT_NO_DWARF:
		return report(-ENOEXEC, "%s has no debug info (DWARF); a vmlinux from a debug "
			      "package or a build tree has", path);
	case FIT_OTHER_BUILD:
		return report(-ESTALE, "%s is not the vmlinux of the %s kernel, %s: their "
			      "build ids differ", path, which_kernel(symbolizer),
			      symbolizer->release);
	case FIT_COMPRESSED:
		return report(-ENOTSUP,
			      "%s is compressed with zstd, which this build cannot read; "
			      "decompress it with zstd, or objcopy --decompress-debug-sections",
			      path);
	default:
		return report(-ENOEXEC, "%s is not an ELF file of this machine's kind, or cannot "
			      "be read", path);
	}
}

/* The address of a symbol; 0: none. Done once, so it is not worth the table's index of names. */
static uint64_t address_of(const struct symbols *symbols, const char *name)
{
	const struct symbol *all;
	size_t nr = symbols_all(symbols, &all);

	for (size_t i = 0; i < nr; i++) {
		if (!all[i].module && !strcmp(all[i].name, name))
			return all[i].addr;
	}
	return 0;
}

/* KASLR: how far the kernel is from where it was linked to be. */
static int find_bias(struct symbolizer *symbolizer)
{
	static const char *const anchors[] = { "_stext", "_text" };
	const struct recorded_kernel *recorded = symbolizer->recorded;
	uint64_t value;

	if (recorded) {
		if (!recorded->anchor ||
		    debuginfo_symbol(symbolizer->vmlinux, recorded->anchor, &value))
			return -ENODATA;
		symbolizer->bias = recorded->anchor_addr - value;
		return 0;
	}

	for (size_t i = 0; i < ARRAY_SIZE(anchors); i++) {
		uint64_t loaded = address_of(symbolizer->symbols, anchors[i]), linked;

		if (!loaded || debuginfo_symbol(symbolizer->vmlinux, anchors[i], &linked))
			continue;
		symbolizer->bias = loaded - linked;
		return 0;
	}
	return -ENODATA;
}

static enum debuginfo_fit fetch_vmlinux(struct symbolizer *symbolizer,
					const struct build_id *wanted)
{
	char *path;

	if (debuginfod_fetch(symbolizer->debuginfod, wanted, symbolizer->release, &path))
		return FIT_MISSING;
	free(symbolizer->vmlinux_path);
	symbolizer->vmlinux_path = path;
	return debuginfo_try(path, wanted, NULL, &symbolizer->vmlinux);
}

static int open_vmlinux(struct symbolizer *symbolizer, const char *path,
			const struct symbolizer *like)
{
	const struct kernel_place place = { "", symbolizer->release };
	bool known = symbolizer->live || symbolizer->recorded;
	const struct build_id *wanted = NULL;
	enum debuginfo_fit fit;
	struct build_id running;

	if (symbolizer->live && !build_id_read("/sys/kernel/notes", &running))
		wanted = &running;
	if (symbolizer->recorded)
		wanted = &symbolizer->recorded->build_id;
	if (like && like->vmlinux && wanted &&
	    build_id_equal(debuginfo_build_id(like->vmlinux), wanted)) {
		symbolizer->vmlinux = debuginfo_share(like->vmlinux);
		symbolizer->vmlinux_path = strdup(like->vmlinux_path);
		if (!symbolizer->vmlinux_path)
			return report_oom();
	} else if (path) {
		fit = debuginfo_try(path, wanted, NULL, &symbolizer->vmlinux);
		if (fit != FIT_GOOD)
			return report_misfit(symbolizer, path, fit);
		symbolizer->vmlinux_path = strdup(path);
		if (!symbolizer->vmlinux_path)
			return report_oom();
	} else if (known) {
		fit = debuginfo_find_vmlinux(&place, wanted, &symbolizer->vmlinux_path,
					     &symbolizer->vmlinux);
		if (fit != FIT_GOOD && wanted && symbolizer->debuginfod) {
			enum debuginfo_fit fetched = fetch_vmlinux(symbolizer, wanted);

			/* Without an answer, the reason against the file found here stands. */
			if (fetched != FIT_MISSING)
				fit = fetched;
		}
		if (fit != FIT_GOOD) {
			make_hint(symbolizer, fit, symbolizer->vmlinux_path);
			if (symbolizer->level == SYMBOLIZE_AUTO)
				return 0;
			return report(-ENOENT, "%s", symbolizer->hint ?: "no debug info found");
		}
	} else {
		return 0;
	}
	debuginfo_warn_elsewhere(symbolizer->vmlinux, symbolizer->vmlinux_path);
	if (known && find_bias(symbolizer))
		return report(-ENOEXEC, "%s has no symbol _stext to tell where the kernel was "
			      "loaded (KASLR)", symbolizer->vmlinux_path);
	return 0;
}

int symbolizer_new(struct symbols *symbols, const struct symbolizer_options *options,
		   struct symbolizer **ret_symbolizer)
{
	struct symbolizer *symbolizer = calloc(1, sizeof(*symbolizer));
	int err = 0;

	if (!symbolizer)
		return report_oom();
	symbolizer->symbols = symbols;
	symbolizer->level = options->level;
	symbolizer->live = options->live;
	symbolizer->recorded = options->recorded;
	uname(&symbolizer->uts);
	symbolizer->release = options->recorded && options->recorded->release ?
				      options->recorded->release : symbolizer->uts.release;
	if (options->debuginfod && options->level != SYMBOLIZE_NONE)
		symbolizer->debuginfod = debuginfod_new();
	if (options->level != SYMBOLIZE_NONE)
		err = open_vmlinux(symbolizer, options->vmlinux, options->like);
	if (err) {
		symbolizer_free(symbolizer);
		return err;
	}
	*ret_symbolizer = symbolizer;
	return 0;
}

void symbolizer_free(struct symbolizer *symbolizer)
{
	if (!symbolizer)
		return;
	vec_foreach(module, &symbolizer->modules) {
		free(module->name);
		debuginfo_free(module->info);
	}
	vec_release(&symbolizer->modules);
	for (size_t i = 0; i < KNOWN_ADDRESSES; i++)
		vec_release(&symbolizer->known[i].frames);
	debuginfo_free(symbolizer->vmlinux);
	debuginfod_free(symbolizer->debuginfod);
	free(symbolizer->vmlinux_path);
	free(symbolizer->hint);
	free(symbolizer);
}

/* Where the running kernel has put a section of a module. */
static int place_section(void *arg, const char *section, uint64_t *ret_addr)
{
	char path[PATH_MAX];
	unsigned long long addr;
	_cleanup_(fclose_p) FILE *file = NULL;

	if (snprintf(path, sizeof(path), "/sys/module/%s/sections/%s", (const char *)arg,
		     section) >= (int)sizeof(path))
		return -ENOENT;
	file = fopen(path, "re");
	if (!file || fscanf(file, "%llx", &addr) != 1 || !addr)
		return -ENOENT;
	*ret_addr = addr;
	return 0;
}

/* The same of a module that was recorded. */
static int place_recorded_section(void *arg, const char *section, uint64_t *ret_addr)
{
	const struct recorded_module *module = arg;

	vec_foreach(known, &module->sections) {
		if (!strcmp(known->name, section)) {
			*ret_addr = known->addr;
			return 0;
		}
	}
	return -ENOENT;
}

/* The directory of a vmlinux, where a build has its modules too. */
static char *directory_of(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? strndup(path, slash - path) : NULL;
}

static struct debuginfo *fetch_module(struct symbolizer *symbolizer, const char *module,
				      const struct build_id *wanted,
				      const struct section_layout *layout)
{
	_cleanup_(free_p) char *what = strf("module %s", module);
	_cleanup_(free_p) char *path = NULL;
	enum debuginfo_fit fit = FIT_MISSING;
	struct debuginfo *info = NULL;

	if (what && !debuginfod_fetch(symbolizer->debuginfod, wanted, what, &path))
		fit = debuginfo_try(path, wanted, layout, &info);
	if (path && fit != FIT_GOOD)
		warning("debuginfod: %s is not the debug info of %s; remove it to fetch it again", path, what);
	return info;
}

static struct debuginfo *load_module(struct symbolizer *symbolizer, const char *module,
				     const struct recorded_module *recorded)
{
	struct kernel_place place = { "", symbolizer->release };
	struct section_layout layout = {
		recorded ? place_recorded_section : place_section,
		recorded ? (void *)recorded : (void *)module,
	};
	_cleanup_(free_p) char *near = directory_of(symbolizer->vmlinux_path);
	_cleanup_(free_p) char *sysroot = NULL, *found = NULL;
	const char *debug = symbolizer->vmlinux_path ?
				    strstr(symbolizer->vmlinux_path, "/usr/lib/debug/") : NULL;
	struct debuginfo *info = NULL;
	enum debuginfo_fit fit;
	struct build_id running;
	char path[PATH_MAX];
	uint64_t addr;

	/* Without the module's addresses, results from its debug info would be of no use. */
	if ((symbolizer->recorded && !recorded) || layout.place(layout.arg, ".text", &addr))
		return NULL;
	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", module);
	if (recorded)
		running = recorded->build_id;
	else if (build_id_read(path, &running))
		running.len = 0;
	fit = debuginfo_find_module(&place, near, module, &running, &layout, &found, &info);
	/* -k from a package unpacked elsewhere: its modules are there as well. */
	if (!info && debug && debug > symbolizer->vmlinux_path) {
		sysroot = strndup(symbolizer->vmlinux_path, debug - symbolizer->vmlinux_path);
		place.sysroot = sysroot;
		free(found);
		found = NULL;
		fit = FIT_MISSING;
		if (sysroot)
			fit = debuginfo_find_module(&place, NULL, module, &running, &layout, &found,
						    &info);
	}
	if (info)
		debuginfo_warn_elsewhere(info, found);
	if (!info && symbolizer->debuginfod && running.len)
		info = fetch_module(symbolizer, module, &running, &layout);
	if (!info && fit == FIT_COMPRESSED)
		debuginfo_warn_compressed(found);
	return info;
}

struct debuginfo *symbolizer_module(struct symbolizer *symbolizer, const char *module,
				    uint64_t *ret_bias)
{
	const struct recorded_module *recorded =
		symbolizer->recorded ? recorded_kernel_module(symbolizer->recorded, module) : NULL;
	/* Names stay where they are while modules are added: one that was loaded again has another. */
	struct module_info found = { .recorded = recorded ? recorded->name : NULL };

	/* Sections were put where the kernel has them. */
	*ret_bias = 0;
	for (size_t i = 0; i < symbolizer->modules.len; i++) {
		const struct module_info *known = &symbolizer->modules.data[i];

		if (!known->gone && known->recorded == found.recorded && !strcmp(known->name, module))
			return known->info;
	}
	if ((!symbolizer->live && !symbolizer->recorded) ||
	    symbolizer->level == SYMBOLIZE_NONE)
		return NULL;
	found.name = strdup(module);
	found.info = load_module(symbolizer, module, recorded);
	if (!found.name || vec_push(&symbolizer->modules, found)) {
		free(found.name);
		debuginfo_free(found.info);
		return NULL;
	}
	return found.info;
}

/*
 * Reading symbols takes long, seconds on an emulated machine, and an address may really be in no
 * symbol. So read them rarely, and for at most a tenth of the time.
 */
#define REFRESH_EVERY_NS NSEC_PER_SEC
#define REFRESH_SHARE 10

static const struct symbol *find_symbol(struct symbolizer *symbolizer, uint64_t at)
{
	const struct symbol *symbol = symbols_at(symbolizer->symbols, at), *asked;
	bool changed = symbolizer->modules_changed && !(symbol && !symbol->module);
	bool made = symbol && symbol_is_made(symbol);
	uint64_t begin, took;

	/* Other code may have taken the place of what the kernel made: a BPF program loaded later, such as ours. */
	if (!symbolizer->live || (symbol && !changed && !made) || at < arch_native->code_from)
		return symbol;
	asked = changed ? NULL : symbols_ask(symbolizer->symbols, at);
	if (asked)
		return asked;
	/* What is gone by now keeps its name. */
	if (made && !changed && symbolizer->refreshed)
		return symbol;
	begin = now_ns();
	if (begin < symbolizer->refresh_after_ns && !changed)
		return symbol;
	symbols_refresh(symbolizer->symbols);
	symbolizer->refreshed = true;
	symbolizer->modules_changed = false;
	took = now_ns() - begin;
	symbolizer->refresh_after_ns = begin + took;
	symbolizer->refresh_after_ns += took > REFRESH_EVERY_NS / REFRESH_SHARE ?
						took * REFRESH_SHARE : REFRESH_EVERY_NS;
	return symbols_at(symbolizer->symbols, at);
}

const struct symbol *symbolizer_symbol(struct symbolizer *symbolizer, uint64_t addr)
{
	return find_symbol(symbolizer, addr);
}

bool symbolizer_knows(const struct symbolizer *symbolizer, uint64_t addr)
{
	return symbols_at(symbolizer->symbols, addr) != NULL;
}

void symbolizer_forget_module(struct symbolizer *symbolizer, const char *module)
{
	symbolizer->modules_changed = true;
	vec_foreach(known, &symbolizer->modules)
		known->gone |= !strcmp(known->name, module);
}

static struct known_address *known_place(struct symbolizer *symbolizer, uint64_t addr)
{
	return &symbolizer->known[(addr * 0x9e3779b97f4a7c15 >> 32) % KNOWN_ADDRESSES];
}

/* Without memory for the cache, the address is looked up again. */
static void keep_known(struct known_address *known, unsigned int additions, uint64_t addr, bool is_return,
		       const struct symbolized *found)
{
	known->found.symbol = NULL;
	if (!found->symbol || found->symbol->module ||
	    vec_reserve(&known->frames, found->nr_frames))
		return;
	if (found->nr_frames)
		memcpy(known->frames.data, found->frames,
		       found->nr_frames * sizeof(*found->frames));
	known->addr = addr;
	known->is_return = is_return;
	known->additions = additions;
	known->found = *found;
	known->found.frames = found->nr_frames ? known->frames.data : NULL;
}

/* The debug info of the file that a symbol is in, and run-time minus link-time address there; NULL: none. */
static struct debuginfo *debuginfo_of(struct symbolizer *symbolizer, const struct symbol *symbol,
				      uint64_t *ret_bias)
{
	*ret_bias = symbolizer->bias;
	if (symbolizer->level == SYMBOLIZE_NONE)
		return NULL;
	return symbol && symbol->module ? symbolizer_module(symbolizer, symbol->module, ret_bias) :
					  symbolizer->vmlinux;
}

static void look_up(struct symbolizer *symbolizer, uint64_t addr, bool is_return,
		    struct symbolized *ret)
{
	uint64_t at = addr - (is_return && addr), bias;
	const struct symbol *symbol = find_symbol(symbolizer, at);
	struct debuginfo *info = debuginfo_of(symbolizer, symbol, &bias);

	*ret = (struct symbolized){ .symbol = symbol, .offset = symbol ? addr - symbol->addr : 0 };
	if (!info)
		return;
	ret->nr_frames = debuginfo_lookup(info, at - bias, &ret->frames);
	if (ret->nr_frames <= 0) {
		ret->nr_frames = 0;
		ret->frames = NULL;
	} else if (symbolizer->level == SYMBOLIZE_LINES) {
		ret->frames += ret->nr_frames - 1;
		ret->nr_frames = 1;
	}
}

void symbolizer_lookup(struct symbolizer *symbolizer, uint64_t addr, bool is_return,
		       struct symbolized *ret)
{
	struct known_address *known = known_place(symbolizer, addr);
	unsigned int additions = symbols_additions(symbolizer->symbols);

	if (known->addr != addr || known->is_return != is_return || known->additions != additions ||
	    !known->found.symbol) {
		look_up(symbolizer, addr, is_return, ret);
		keep_known(known, additions, addr, is_return, ret);
		return;
	}
	*ret = known->found;
}

int symbolizer_variable(struct symbolizer *symbolizer, uint64_t addr, const struct variable_place *place,
			struct source_variable *ret_variable)
{
	uint64_t bias;
	struct debuginfo *info = debuginfo_of(symbolizer, find_symbol(symbolizer, addr), &bias);

	return info ? debuginfo_variable_at(info, addr - bias, place, ret_variable) : -ENOENT;
}

bool symbolizer_is_changed(struct symbolizer *symbolizer, uint64_t addr)
{
	uint64_t bias;
	struct debuginfo *info = debuginfo_of(symbolizer, find_symbol(symbolizer, addr), &bias);

	return info && debuginfo_is_changed(info, addr - bias);
}

void symbolizer_prefetch(struct symbolizer *symbolizer, const uint64_t *addrs, size_t nr)
{
	if (symbolizer->vmlinux && symbolizer->level != SYMBOLIZE_NONE)
		debuginfo_prefetch(symbolizer->vmlinux, addrs, nr, symbolizer->bias);
}

const char *symbolizer_hint(const struct symbolizer *symbolizer)
{
	return symbolizer->hint;
}

struct debuginfo *symbolizer_vmlinux(struct symbolizer *symbolizer)
{
	return symbolizer->vmlinux;
}

uint64_t symbolizer_vmlinux_bias(const struct symbolizer *symbolizer)
{
	return symbolizer->bias;
}
