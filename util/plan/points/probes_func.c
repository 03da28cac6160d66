// SPDX-License-Identifier: BSD-2-Clause
/* Points in functions: by name and offset, or by source line. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/text/glob.h"
#include "util/base/text/nearest.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/kernel.h"
#include "util/kernel/traceable.h"
#include "util/plan/match/deny.h"
#include "util/plan/match/match.h"
#include "util/plan/match/similar_names.h"
#include "util/plan/points/probes_internal.h"

/* The function that a part was split off: "foo" for "foo.cold"; NULL: it is whole. */
static const struct symbol *whole_of(const struct probe_resolving *r, const struct symbol *symbol)
{
	const char *dot = strchr(symbol->name, '.');
	_cleanup_(free_p) char *name = dot ? strndup(symbol->name, dot - symbol->name) : NULL;
	const struct symbol *const *named;
	size_t nr = name ? symbols_named(r->symbols, name, &named) : 0;

	return nr ? named[0] : NULL;
}

/*
 * Whether the kernel lets probes in. It asks ftrace of the function by name, without what the
 * compiler has put after a dot.
 */
static bool has_ftrace_location(const struct probe_resolving *r, const struct symbol *symbol)
{
	const struct symbol *whole;

	if (!r->traceable || traceable_has(r->traceable, symbol->addr))
		return true;
	whole = whole_of(r, symbol);
	return whole && traceable_has(r->traceable, whole->addr);
}

/* Why no probe can be anywhere in a function; NULL: it can. */
static const char *function_refusal(const struct probe_resolving *r, const struct symbol *symbol)
{
	if (deny_reason(symbol->name))
		return deny_reason(symbol->name);
	if (r->traceable && traceable_is_blacklisted(r->traceable, symbol->addr))
		return "it is on the kernel's kprobe blacklist";
	if (!has_ftrace_location(r, symbol))
		return "it is notrace, __init or assembly, where the kernel refuses probes";
	return NULL;
}

/* The name most like one that probes can be on; NULL: none is close. */
static const char *nearest_usable(const struct probe_resolving *r, const char *wanted)
{
	const struct symbol *all = NULL, *const * named;
	size_t nr_symbols = symbols_all(r->symbols, &all);
	const char *names[16];
	size_t nr = nearest_names(all, nr_symbols, wanted, names, 16);

	for (size_t i = 0; i < nr; i++) {
		if (strcmp(names[i], wanted) && symbols_named(r->symbols, names[i], &named) &&
		    !function_refusal(r, named[0]))
			return names[i];
	}
	return NULL;
}

static int refuse_function(struct probe_resolving *r, const struct symbol *symbol,
			   const char *reason)
{
	/* A search of all names takes long: of many refusals, only the first is reported. */
	const char *near = r->why.len ? NULL : nearest_usable(r, symbol->name);

	return probe_refuse(r, -EOPNOTSUPP, "%s cannot be probed: %s%s%s", symbol->name, reason,
			    near ? "; the nearest name that can be is " : "", near ?: "");
}

static char *place_text(const struct probe_resolving *r, const struct probe *probe)
{
	_cleanup_(free_p) char *place = probe->offset ?
						strf("%s+0x%" PRIx64, probe->name, probe->offset) :
						strdup(probe->name);

	if (!place)
		return NULL;
	if (r->spec->kind == PROBE_LINE)
		return strf("line:%s:%" PRIu32 " (%s)", r->spec->name, r->spec->line, place);
	return strf("%s:%s", probe_kind_name(probe->kind), place);
}

static int add_place(struct probe_resolving *r, enum probe_kind kind, const struct symbol *symbol,
		     const char *name, uint64_t offset)
{
	size_t registers = arch_registers_size(arch_native);
	struct probe probe = {
		.kind = kind,
		.name = name,
		.module = symbol->module,
		.addr = symbol->addr + offset,
		.func = symbol->addr,
		.func_size = symbol->size,
		.offset = offset,
		.capture = { .fixed = registers },
	};

	probe.text = place_text(r, &probe);
	return probe_add(r, &probe, strf("%d:%" PRIx64, kind, probe.addr));
}

/* Add a place, or say why it can't be. */
static int try_offset(struct probe_resolving *r, enum probe_kind kind, const struct symbol *symbol,
		      uint64_t offset)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct point_check check = { .place = POINT_GOOD };

	if (offset)
		point_check(r->code, symbol->addr, symbol->size, offset, &check);
	if (check.place == POINT_GOOD || check.place == POINT_UNKNOWN)
		return add_place(r, kind, symbol, symbol->name, offset);
	point_check_add(&text, symbol->name, symbol->size, offset, &check);
	return probe_refuse(r, -EINVAL, "%s", strbuf_str(&text));
}

static int try_place(struct probe_resolving *r, const struct symbol *symbol)
{
	const char *reason = function_refusal(r, symbol);

	if (reason)
		return refuse_function(r, symbol, reason);
	return try_offset(r, r->spec->kind, symbol, r->spec->offset);
}

static bool wants_symbol(const struct probe_spec *spec, const struct symbol *symbol)
{
	return glob_matches(spec->name, symbol->name) && is_function_symbol(symbol) &&
	       (!spec->module || glob_matches(spec->module, symbol->module ?: "vmlinux"));
}

int resolve_functions(struct probe_resolving *r)
{
	const struct probe_spec *spec = r->spec;
	const struct symbol *all = NULL, *const * named;
	int err = probe_resolving_symbols(r);
	const char *near;
	size_t nr;

	if (err)
		return err;
	if (is_glob(spec->name)) {
		nr = symbols_all(r->symbols, &all);
		for (size_t i = 0; !err && i < nr; i++) {
			if (wants_symbol(spec, &all[i]))
				err = try_place(r, &all[i]);
		}
	} else {
		nr = symbols_named(r->symbols, spec->name, &named);
		for (size_t i = 0; !err && i < nr; i++) {
			if (wants_symbol(spec, named[i]))
				err = try_place(r, named[i]);
		}
	}
	if (err || r->usable || r->refused)
		return err;
	if (spec->module && symbols_named(r->symbols, spec->name, &named))
		return probe_refuse(r, -ENOENT, "function '%s' is not in module '%s' but in %s",
				    spec->name, spec->module, named[0]->module ?: "vmlinux");
	if (is_glob(spec->name))
		return probe_refuse(r, -ENOENT, "no function%s%s matches '%s'",
				    spec->module ? " of module " : "", spec->module ?: "",
				    spec->name);
	near = nearest_usable(r, spec->name);
	if (near)
		return probe_refuse(r, -ENOENT, "no function is named '%s'; did you mean '%s'?",
				    spec->name, near);
	return probe_refuse(r, -ENOENT,
			    "no function is named '%s'; it may be inlined: 'retsnoop funcs --why %s' "
			    "looks further",
			    spec->name, spec->name);
}

struct line_walk {
	struct probe_resolving *r;
	struct debuginfo *info;
	uint64_t bias;
};

/* A debuginfo_line_fn. */
static int add_line_address(void *arg, uint64_t addr)
{
	struct line_walk *walk = arg;
	struct probe_resolving *r = walk->r;
	const struct symbol *symbol = symbols_at(r->symbols, addr + walk->bias);
	const char *reason;

	/* Code that the kernel has given back (__init), or that is not loaded. */
	if (!symbol || !is_function_symbol(symbol))
		return probe_refuse(r, -ENOENT, "its code is not in the running kernel");
	reason = function_refusal(r, symbol);
	if (reason)
		return refuse_function(r, symbol, reason);
	return try_offset(r, PROBE_KPROBE, symbol, addr + walk->bias - symbol->addr);
}

struct path_search {
	const char *wanted;
	struct nearest near;
	char *best;
};

/* A debuginfo_path_fn. */
static int offer_path(void *arg, const char *path)
{
	struct path_search *search = arg;
	const char *was = search->near.name;
	size_t len = strlen(path), want = strlen(search->wanted);

	/* "fork.c" is most likely meant for "kernel/fork.c". */
	if (len > want && path[len - want - 1] == '/' &&
	    !strcmp(path + len - want, search->wanted)) {
		free(search->best);
		search->best = strdup(path);
		search->near.name = search->best;
		return 1;
	}
	nearest_offer(&search->near, path);
	if (search->near.name == was)
		return 0;
	/* The path will not stay. */
	free(search->best);
	search->near.name = search->best = strdup(path);
	return 0;
}

static int refuse_path(struct probe_resolving *r, struct debuginfo *info)
{
	struct path_search search = {
		.wanted = r->spec->name,
		.near = nearest_start(r->spec->name),
	};
	int err = debuginfo_paths(info, offer_path, &search);

	if (err >= 0)
		err = probe_refuse(r, -ENOENT, "no source file '%s' is in the debug info%s%s%s",
				   r->spec->name, search.best ? "; did you mean '" : "",
				   search.best ?: "", search.best ? "'?" : "");
	free(search.best);
	return err;
}

struct line_lookup {
	bool seen;		/* some debug info has the source file */
	uint32_t nearest;	/* line with code, of all debug info; 0: none */
};

static void offer_line(uint32_t *nearest, uint32_t wanted, uint32_t line)
{
	uint32_t was = *nearest > wanted ? *nearest - wanted : wanted - *nearest;
	uint32_t is = line > wanted ? line - wanted : wanted - line;

	if (line && (!*nearest || is < was || (is == was && line > wanted)))
		*nearest = line;
}

/* Look through one file's debug info. */
static int resolve_line_in(struct probe_resolving *r, struct debuginfo *info, uint64_t bias,
			   struct line_lookup *lookup)
{
	struct line_walk walk = { r, info, bias };
	uint32_t nearest = 0;
	int err = debuginfo_line_addresses(info, r->spec->name, r->spec->line, add_line_address,
					   &walk, &nearest);

	if (err == -ENOENT)
		return 0;
	lookup->seen = true;
	offer_line(&lookup->nearest, r->spec->line, nearest);
	return err < 0 ? err : 0;
}

/*
 * Modules that have symbols, each once, as symbols come. All of them: a header's inline function may
 * be used in vmlinux and in modules, or only in modules though vmlinux has the header, too.
 */
static int resolve_line_in_modules(struct probe_resolving *r, struct symbolizer *symbolizer,
				   struct line_lookup *lookup)
{
	const struct symbol *all = NULL;
	size_t nr = symbols_all(r->symbols, &all);
	VEC(struct debuginfo *) searched = VEC_INIT;
	const char *last = NULL;
	int err = 0;

	for (size_t i = 0; i < nr && !err; i++) {
		struct debuginfo *info;
		uint64_t bias = 0;
		bool again = false;

		if (!all[i].module || all[i].module == last || !is_function_symbol(&all[i]))
			continue;
		last = all[i].module;
		info = symbolizer_module(symbolizer, last, &bias);
		/* Symbols of modules with several areas of memory may lie between each other. */
		vec_foreach(known, &searched)
			again |= *known == info;
		if (!info || again)
			continue;
		err = vec_push(&searched, info) ? report_oom() :
						  resolve_line_in(r, info, bias, lookup);
	}
	vec_release(&searched);
	return err;
}

int resolve_line(struct probe_resolving *r)
{
	struct symbolizer *symbolizer = NULL;
	struct debuginfo *vmlinux;
	struct line_lookup lookup = {};
	const char *hint;
	int err = probe_resolving_symbols(r);

	if (!err)
		err = kernel_symbolizer(r->kernel, &symbolizer);
	if (err)
		return err;
	vmlinux = symbolizer_vmlinux(symbolizer);
	if (!vmlinux) {
		hint = symbolizer_hint(symbolizer);
		return probe_refuse(r, -ENODATA, "lines need the kernel's debug info%s%s",
				    hint ? "; " : "; leave out -s none, or give a vmlinux with -k", hint ?: "");
	}
	err = resolve_line_in(r, vmlinux, symbolizer_vmlinux_bias(symbolizer), &lookup);
	/* Only headers' code is in several files, and to open each module's takes time. */
	if (!err && !(r->usable && endswith(r->spec->name, ".c")))
		err = resolve_line_in_modules(r, symbolizer, &lookup);
	if (err || r->usable || r->refused)
		return err;
	if (!lookup.seen)
		return refuse_path(r, vmlinux);
	if (!lookup.nearest)
		return probe_refuse(r, -ENOENT, "%s has no code of its own", r->spec->name);
	return probe_refuse(r, -ENOENT,
			    "that line has no code; the nearest that has is "
			    "line:%s:%" PRIu32,
			    r->spec->name, lookup.nearest);
}
