// SPDX-License-Identifier: BSD-2-Clause
/*
 * One pass over all symbols. Full names are in a hash table, so that a list of forty thousand
 * names is as fast as one name; globs are tried one by one.
 */
#include "util/plan/match/match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/ask/request.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/strmap.h"
#include "util/base/text/glob.h"
#include "util/kernel/code/routine.h"
#include "util/kernel/kernel.h"
#include "util/kernel/types/symbol_variant.h"

#define NONE UINT32_MAX

/* So much of a name, or as much as is before its first dot, is its beginning. */
#define BEGINNING 6
#define NR_BEGINNINGS 8192

/* A spec that any number of names can match. */
struct globbed {
	uint32_t spec;
	char *literal;	/* part of every name that matches; see glob_literal() */
};

/* One list of the request, ready to be matched. */
struct matcher {
	const struct spec_list *list;
	enum mark mark;
	uint32_t *hits;
	struct strmap exact;	/* full name to the first spec with it */
	uint32_t *next;		/* for each spec, the next one with the same full name, or NONE */
	VEC(struct globbed) globs;	/* specs that any number of names can match */
	bool has_sources;
};

/*
 * The beginnings of all full names, hashed: a start of retsnoop goes through all symbols, of which few begin
 * like a name that was asked for.
 */
struct beginnings {
	uint64_t bits[NR_BEGINNINGS / 64];
	bool any;	/* there are globs */
};

static uint32_t beginning_of(const char *name)
{
	uint32_t hash = 0;

	for (int i = 0; i < BEGINNING && name[i] && name[i] != '.'; i++)
		hash = hash * 37 + (unsigned char)name[i];
	return hash % NR_BEGINNINGS;
}

static void beginnings_add(struct beginnings *beginnings, const struct matcher *m)
{
	beginnings->any |= m->globs.len > 0;
	for (size_t i = 0; i < m->list->v.len; i++) {
		uint32_t at = beginning_of(m->list->v.data[i].name);

		beginnings->bits[at / 64] |= UINT64_C(1) << at % 64;
	}
}

static bool beginnings_have(const struct beginnings *beginnings, const char *name)
{
	uint32_t at = beginning_of(name);

	return beginnings->any || beginnings->bits[at / 64] >> at % 64 & 1;
}

bool is_function_symbol(const struct symbol *symbol)
{
	const char *module = symbol->module;

	if (module && (!strcmp(module, "bpf") || startswith(module, "__builtin__") ||
		       !strcmp(module, "ftrace") || !strcmp(module, "kprobes")))
		return false;
	return !is_function_preamble(symbol->name);
}

static int matcher_init(struct matcher *m, const struct spec_list *list, enum mark mark,
			uint32_t *hits)
{
	*m = (struct matcher){ .list = list, .mark = mark, .hits = hits };
	if (!list->v.len)
		return 0;
	m->next = calloc(list->v.len, sizeof(*m->next));
	if (!m->next)
		return -ENOMEM;
	for (uint32_t i = 0; i < list->v.len; i++) {
		const struct spec *spec = &list->v.data[i];
		uint32_t *first;

		if (spec->kind == SPEC_SOURCE) {
			m->has_sources = true;
		} else if (spec->kind == SPEC_SYSCALL || is_glob(spec->name)) {
			/* A system call's function may have another name; see spec_matches_name(). */
			struct globbed globbed = { i, spec->kind == SPEC_SYSCALL ? strdup("sys_") :
								 glob_literal(spec->name) };

			if (!globbed.literal || vec_push(&m->globs, globbed)) {
				free(globbed.literal);
				return -ENOMEM;
			}
		} else {
			first = strmap_put(&m->exact, spec->name, NONE);
			if (!first)
				return -ENOMEM;
			m->next[i] = *first;
			*first = i;
		}
	}
	return 0;
}

static void matcher_release(struct matcher *m)
{
	strmap_release(&m->exact);
	vec_foreach(glob, &m->globs)
		free(glob->literal);
	vec_release(&m->globs);
	free(m->next);
}

/*
 * @name	the symbol's name, or the function's name in the sources
 * @besides	the other one, whose globs count already; NULL: none
 */
static unsigned int match_name(struct matcher *m, const struct symbol *symbol, const char *name,
			       const char *besides)
{
	const uint32_t *first = m->exact.len ? strmap_get(&m->exact, name) : NULL;
	unsigned int marks = 0;

	for (uint32_t i = first ? *first : NONE; i != NONE; i = m->next[i]) {
		const struct spec *spec = &m->list->v.data[i];

		if (!spec_matches_module(spec, symbol->module))
			continue;
		/* A name from a case (-c) was not typed by the user. */
		marks |= m->mark | (spec->optional ? 0 : MARK_EXACT);
		m->hits[i]++;
	}
	vec_foreach(glob, &m->globs) {
		/* For a glob, it only matters whether it matched anything, not how often. */
		if (marks && m->hits[glob->spec])
			continue;
		if (!strstr(name, glob->literal) ||
		    !spec_matches_name(&m->list->v.data[glob->spec], name, symbol->module) ||
		    (besides && spec_matches_name(&m->list->v.data[glob->spec], besides, symbol->module)))
			continue;
		marks |= m->mark;
		m->hits[glob->spec]++;
	}
	return marks;
}

/* A function renamed by link-time optimisation is found by either name. */
static unsigned int match_symbol(struct matcher *m, const struct symbol *symbol)
{
	unsigned int marks = match_name(m, symbol, symbol->name, NULL);
	char known[SYMBOL_NAME_SIZE];

	if (strchr(symbol->name, '.') && symbol_known_name(symbol->name, known))
		marks |= match_name(m, symbol, known, symbol->name);
	return marks;
}

/* A walk over the functions in debug info. */
struct source_walk {
	struct match *match;
	struct matcher *matcher;
	const struct symbols *symbols;
	uint32_t spec;
	uint64_t bias;
};

static int mark_source_function(void *arg, const char *name, const char *file, uint32_t line,
				uint64_t addr)
{
	struct source_walk *walk = arg;
	const struct symbol *aliases = NULL, *symbol = NULL;
	size_t nr = symbols_aliases(walk->symbols, addr + walk->bias, &aliases);
	size_t len = strlen(name);

	/*
	 * The symbol may have the compiler's name, `foo.isra.0`. If its name is another one, the
	 * function is not in the kernel: its section was left out, so its address in debug info
	 * is meaningless.
	 */
	for (size_t i = 0; i < nr; i++) {
		const char *rest = aliases[i].name + len;

		if (strncmp(aliases[i].name, name, len) || (*rest && *rest != '.'))
			continue;
		if (!symbol || !*rest)
			symbol = &aliases[i];
	}
	if (!symbol || !is_function_symbol(symbol))
		return 0;
	walk->match->marks[symbol - walk->match->symbols] |= walk->matcher->mark;
	walk->matcher->hits[walk->spec]++;
	return 0;
}

static int match_modules(struct source_walk *walk, struct symbolizer *symbolizer,
			 const struct spec *spec)
{
	const struct match *match = walk->match;
	const char *last = NULL;

	/*
	 * Each module's name is kept once in a table, and a module's symbols are next to each
	 * other.
	 */
	for (size_t i = 0; i < match->nr_symbols; i++) {
		const char *module = match->symbols[i].module;
		struct debuginfo *info;
		int err;

		if (!module || module == last || !is_function_symbol(&match->symbols[i]))
			continue;
		last = module;
		info = symbolizer_module(symbolizer, module, &walk->bias);
		err = info ? debuginfo_source_functions(info, spec->name, mark_source_function,
							walk) :
			     0;
		if (err < 0)
			return report(err, "cannot read the debug info of module %s", module);
	}
	return 0;
}

static int match_sources(struct kernel *kernel, struct match *match, struct matcher *m)
{
	struct source_walk walk = { .match = match, .matcher = m };
	struct symbolizer *symbolizer = NULL;
	struct symbols *symbols = NULL;
	struct debuginfo *vmlinux;
	int err;

	err = kernel_symbols(kernel, &symbols) ?: kernel_symbolizer(kernel, &symbolizer);
	if (err)
		return err;
	walk.symbols = symbols;
	vmlinux = symbolizer_vmlinux(symbolizer);
	for (walk.spec = 0; walk.spec < m->list->v.len; walk.spec++) {
		const struct spec *spec = &m->list->v.data[walk.spec];

		if (spec->kind != SPEC_SOURCE)
			continue;
		if (vmlinux) {
			walk.bias = symbolizer_vmlinux_bias(symbolizer);
			err = debuginfo_source_functions(vmlinux, spec->name, mark_source_function,
							 &walk);
			if (err < 0)
				return report(err, "cannot read the kernel's debug info for '%s'",
					      spec->text);
		}
		if (kernel_is_live(kernel)) {
			err = match_modules(&walk, symbolizer, spec);
			if (err)
				return err;
		}
		if (!m->hits[walk.spec] && !vmlinux) {
			const char *hint = symbolizer_hint(symbolizer);

			return report(-ENODATA,
				      "functions by source path ('%s') need debug info%s%s",
				      spec->text, hint ? ": " : "", hint ? hint : "");
		}
	}
	return 0;
}

static int match_lists(struct kernel *kernel, const struct spec_list *const lists[], int nr_lists,
		       struct match *match)
{
	struct matcher matchers[NR_LISTS] = { 0 };
	struct beginnings beginnings = { 0 };
	struct symbols *symbols = NULL;
	int err;

	*match = (struct match){ 0 };
	err = kernel_symbols(kernel, &symbols);
	if (err)
		return err;
	match->nr_symbols = symbols_all(symbols, &match->symbols);
	match->marks = calloc(match->nr_symbols + 1, 1);
	if (!match->marks)
		err = -ENOMEM;
	for (int i = 0; i < nr_lists && !err; i++) {
		match->hits[i] = calloc(lists[i]->v.len + 1, sizeof(*match->hits[i]));
		err = match->hits[i] ?
			      matcher_init(&matchers[i], lists[i], 1 << i, match->hits[i]) :
			      -ENOMEM;
	}
	if (err == -ENOMEM)
		report_oom();

	for (int l = 0; l < nr_lists && !err; l++)
		beginnings_add(&beginnings, &matchers[l]);
	for (size_t i = 0; i < match->nr_symbols && !err; i++) {
		const char *name = match->symbols[i].name;
		unsigned int found = 0;

		if (!beginnings_have(&beginnings, name) || !is_function_symbol(&match->symbols[i]))
			continue;
		for (int l = 0; l < nr_lists; l++) {
			if (matchers[l].exact.len || matchers[l].globs.len)
				found |= match_symbol(&matchers[l], &match->symbols[i]);
		}
		match->marks[i] = found;
	}
	for (int l = 0; l < nr_lists && !err; l++) {
		if (matchers[l].has_sources)
			err = match_sources(kernel, match, &matchers[l]);
	}
	for (int l = 0; l < nr_lists; l++)
		matcher_release(&matchers[l]);
	return err;
}

int match_request(struct kernel *kernel, const struct trace_request *request, struct match *match)
{
	const struct spec_list *const lists[NR_LISTS] = { &request->entry, &request->allow,
							  &request->deny };

	return match_lists(kernel, lists, NR_LISTS, match);
}

int match_list(struct kernel *kernel, const struct spec_list *list, struct match *match)
{
	return match_lists(kernel, &list, 1, match);
}

void match_release(struct match *match)
{
	free(match->marks);
	for (int i = 0; i < NR_LISTS; i++)
		free(match->hits[i]);
	*match = (struct match){ 0 };
}
