// SPDX-License-Identifier: BSD-2-Clause
/*
 * Reading available_filter_functions and the kprobe blacklist.
 *
 * Both lists are made by the kernel anew for each page read, and resolving names to addresses
 * there is slow; so each is read at most once, and the variant with addresses is taken where there
 * is one (6.5+).
 */
#include "util/kernel/traceable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/base/search.h"
#include "util/base/strmap.h"
#include "util/base/vec.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/symbols/symbols.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/symbol_variant.h"

struct range {
	uint64_t start, end;
};

struct traceable {
	addr_vec addrs;			/* of symbols, sorted */
	VEC(struct range) blacklist;	/* sorted by start, merged */
	bool is_of_btf;
};

/*
 * An ftrace location may be a little after the start of its function: after endbr64, or after
 * the function's own patchable area.
 */
#define MAX_ENTRY_OFFSET 32

/* Read a whole file of unknown size as a string. NULL with errno set. */
static char *read_whole(const char *path)
{
	_cleanup_(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_(free_p) char *text = NULL;
	size_t len = 0, cap = 0;

	if (fd < 0)
		return NULL;
	while (1) {
		ssize_t n;

		if (cap - len < 65536) {
			char *grown = realloc(text, cap = cap ? cap * 2 : 1 << 20);

			if (!grown)
				return NULL;
			text = grown;
		}
		n = read(fd, text + len, cap - len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return NULL;
		if (!n)
			break;
		len += n;
	}
	text[len] = '\0';
	return take_ptr(text);
}

static void sort_addrs(struct traceable *t)
{
	size_t kept = 0;

	for (size_t i = 1; i < t->addrs.len; i++) {
		if (t->addrs.data[i - 1] > t->addrs.data[i]) {
			vec_sort(&t->addrs, compare_u64);
			break;
		}
	}
	for (size_t i = 0; i < t->addrs.len; i++) {
		if (!kept || t->addrs.data[i] != t->addrs.data[kept - 1])
			t->addrs.data[kept++] = t->addrs.data[i];
	}
	t->addrs.len = kept;
}

/*
 * Move each ftrace location to the start of the symbol it is in. Both lists are sorted.
 *
 * @max	how far into a function its location may be
 */
static void snap_to_symbols(struct traceable *t, const struct symbols *symbols, uint64_t max)
{
	const struct symbol *all = NULL;
	size_t nr = symbols_all(symbols, &all), i = 0, kept = 0;

	vec_foreach(addr, &t->addrs) {
		while (i + 1 < nr && all[i + 1].addr <= *addr)
			i++;
		if (i < nr && all[i].addr <= *addr && *addr - all[i].addr <= max &&
		    (!kept || t->addrs.data[kept - 1] != all[i].addr))
			t->addrs.data[kept++] = all[i].addr;
	}
	t->addrs.len = kept;
}

/* "ffffffff81000000 name [module]": only the address matters. */
static int parse_addrs(struct traceable *t, const char *text, const struct symbols *symbols)
{
	while (*text) {
		char *end;
		uint64_t addr = strtoull(text, &end, 16);

		/*
		 * A location whose function was removed is listed as __ftrace_invalid_address___.
		 */
		if (end != text && addr && *end == ' ' &&
		    !startswith(end + 1, "__ftrace_invalid_address__") && vec_push(&t->addrs, addr))
			return report_oom();
		text = strchrnul(end, '\n');
		text += *text == '\n';
	}
	sort_addrs(t);
	snap_to_symbols(t, symbols, MAX_ENTRY_OFFSET);
	return 0;
}

/*
 * Code that was freed after boot. It is still in kallsyms, perhaps under the name of a function
 * that stayed.
 */
static struct range init_text(const struct symbol *all, size_t nr)
{
	struct range init = { 0 };

	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(all[i].name, "_sinittext"))
			init.start = all[i].addr;
		else if (!strcmp(all[i].name, "_einittext"))
			init.end = all[i].addr;
	}
	return init;
}

/*
 * The length of "foo" in "foo.1234", one of the names that link-time optimisation gives to static functions;
 * 0: it is no such name, or another function is called "foo". Linux 5.16 and some later versions list the
 * function as "foo" (their cleanup_symbol_name() in kernel/kallsyms.c cuts at the first dot).
 */
static size_t promoted_length(const struct symbols *symbols, const struct symbol *symbol)
{
	size_t len = strcspn(symbol->name, "."), digits, nr;
	const struct symbol *const *named;
	char key[1024];

	if (!len || !symbol->name[len] || len >= sizeof(key))
		return 0;
	digits = symbol_known_length(symbol->name) - len;
	if (digits < 2 || strspn(symbol->name + len + 1, "0123456789abcdef") < digits - 1)
		return 0;
	snprintf(key, sizeof(key), "%.*s", (int)len, symbol->name);
	nr = symbols_named(symbols, key, &named);
	return find_first(known, named, nr, !strcmp((*known)->module ?: "", symbol->module ?: "")) ?
		       0 :
		       len;
}

static bool is_listed(struct strmap *names, const struct symbol *symbol, size_t len)
{
	char key[1024];

	snprintf(key, sizeof(key), "%.*s%s%s", (int)len, symbol->name, symbol->module ? "\t" : "",
		 symbol->module ?: "");
	return strmap_get(names, key);
}

/* Keys in the table of names are "name" or "name\tmodule", made in the text itself. */
static int parse_names(struct traceable *t, char *text, const struct symbols *symbols)
{
	struct strmap names = STRMAP_INIT;
	const struct symbol *all = NULL;
	size_t nr = symbols_all(symbols, &all);
	struct range init = init_text(all, nr);
	int err = 0;

	while (*text && !err) {
		char *end = strchrnul(text, '\n'), *space, *next = end + (*end == '\n');

		*end = '\0';
		/* "name [module]": make it "name\tmodule". */
		space = strpbrk(text, " \t");
		if (space) {
			char *open = strchr(space, '['), *close = open ? strchr(open, ']') : NULL;

			*space = '\0';
			if (close) {
				*close = '\0';
				*space = '\t';
				memmove(space + 1, open + 1, close - open);
			}
		}
		if (*text && !strmap_put(&names, text, 0))
			err = -ENOMEM;
		text = next;
	}
	for (size_t i = 0; i < nr && !err; i++) {
		const char *name = all[i].name;
		size_t len = symbol_known_length(name);
		bool listed;

		if (all[i].addr >= init.start && all[i].addr < init.end)
			continue;
		listed = all[i].module ? is_listed(&names, &all[i], strlen(name)) : !!strmap_get(&names, name);
		/* Kernels before 6.11 list "foo.llvm.123" as "foo". */
		if (!listed && name[len])
			listed = is_listed(&names, &all[i], len);
		if (!listed) {
			len = promoted_length(symbols, &all[i]);
			listed = len && is_listed(&names, &all[i], len);
		}
		if (listed && vec_push(&t->addrs, all[i].addr))
			err = -ENOMEM;
	}
	strmap_release(&names);
	if (err)
		return report_oom();
	sort_addrs(t);
	return 0;
}

/* "0xffffffff81000000-0xffffffff81000010\tname" */
static int parse_blacklist(struct traceable *t, const char *text)
{
	size_t kept = 0;

	while (*text) {
		struct range range;
		char *end;

		range.start = strtoull(text, &end, 16);
		range.end = *end == '-' ? strtoull(end + 1, &end, 16) : 0;
		/* All zero when addresses are hidden. */
		if (range.end > range.start && vec_push(&t->blacklist, range))
			return report_oom();
		text = strchrnul(end, '\n');
		text += *text == '\n';
	}
	/* Whole sections are listed along with the functions in them. */
	vec_sort(&t->blacklist, compare_u64);
	vec_foreach(range, &t->blacklist) {
		struct range *last = &t->blacklist.data[kept ? kept - 1 : 0];

		if (kept && range->start <= last->end) {
			if (range->end > last->end)
				last->end = range->end;
		} else {
			t->blacklist.data[kept++] = *range;
		}
	}
	t->blacklist.len = kept;
	return 0;
}

/* Without debugfs: the sections that hold most of the blacklist are marked by symbols. */
static int blacklist_sections(struct traceable *t, const struct symbols *symbols)
{
	static const struct {
		const char *start, *end;
	} sections[] = {
		{ "__kprobes_text_start", "__kprobes_text_end" },
		{ "__noinstr_text_start", "__noinstr_text_end" },
		{ "__entry_text_start", "__entry_text_end" },
	};
	const size_t count = ARRAY_SIZE(sections);
	struct range ranges[ARRAY_SIZE(sections)] = { 0 };
	const struct symbol *all = NULL;
	size_t nr = symbols_all(symbols, &all);

	for (size_t i = 0; i < nr; i++) {
		if (all[i].module || all[i].name[0] != '_' || all[i].name[1] != '_')
			continue;
		for (size_t s = 0; s < count; s++) {
			if (!strcmp(all[i].name, sections[s].start))
				ranges[s].start = all[i].addr;
			else if (!strcmp(all[i].name, sections[s].end))
				ranges[s].end = all[i].addr;
		}
	}
	for (size_t s = 0; s < count; s++) {
		if (ranges[s].start && ranges[s].end > ranges[s].start &&
		    vec_push(&t->blacklist, ranges[s]))
			return report_oom();
	}
	vec_sort(&t->blacklist, compare_u64);
	return 0;
}

int traceable_read(struct traceable_text *ret_text)
{
	static const struct {
		const char *path;
		bool with_addrs;
	} files[] = {
		{ "/sys/kernel/tracing/available_filter_functions_addrs", true },
		{ "/sys/kernel/debug/tracing/available_filter_functions_addrs", true },
		{ "/sys/kernel/tracing/available_filter_functions", false },
		{ "/sys/kernel/debug/tracing/available_filter_functions", false },
	};
	struct traceable_text text = { 0 };
	int cause = ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(files) && !text.functions; i++) {
		text.functions = read_whole(files[i].path);
		text.with_addrs = files[i].with_addrs;
		/* Any other error than ENOENT tells the cause: most of these files do not exist. */
		if (!text.functions && errno != ENOENT)
			cause = errno;
	}
	traceable_read_blacklist(&text);
	*ret_text = text;
	return text.functions ? 0 : -cause;
}

void traceable_read_blacklist(struct traceable_text *ret_text)
{
	ret_text->blacklist = read_whole("/sys/kernel/debug/kprobes/blacklist");
}

void traceable_text_release(struct traceable_text *text)
{
	free(text->functions);
	free(text->blacklist);
	*text = (struct traceable_text){ 0 };
}

static int add_blacklist(struct traceable *t, const struct symbols *symbols, const char *text)
{
	return text ? parse_blacklist(t, text) : blacklist_sections(t, symbols);
}

int traceable_parse(const struct symbols *symbols, struct traceable_text *text,
		    struct traceable **ret_traceable)
{
	struct traceable *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return report_oom();
	err = text->with_addrs ? parse_addrs(t, text->functions, symbols) :
				 parse_names(t, text->functions, symbols);
	if (!err)
		err = add_blacklist(t, symbols, text->blacklist);
	if (err) {
		traceable_free(t);
		return err;
	}
	*ret_traceable = t;
	return 0;
}

int traceable_from_locations(const struct symbols *symbols, addr_vec *addrs,
			     const struct traceable_text *text, struct traceable **ret_traceable)
{
	struct traceable *t = calloc(1, sizeof(*t));
	size_t nr;

	if (!t) {
		vec_release(addrs);
		return report_oom();
	}
	t->addrs = *addrs;
	*addrs = (addr_vec)VEC_INIT;
	sort_addrs(t);
	nr = t->addrs.len;
	/*
	 * Locations read from memory include those of weak functions that the linker dropped, which
	 * lie after other functions.
	 */
	snap_to_symbols(t, symbols, arch_native->max_ftrace_offset);
	/* A few thousand belong to code gone since boot, and to dropped functions. */
	if (t->addrs.len < nr / 4 * 3 || !nr) {
		traceable_free(t);
		return -EBADMSG;
	}
	if (add_blacklist(t, symbols, text->blacklist)) {
		traceable_free(t);
		return -ENOMEM;
	}
	*ret_traceable = t;
	return 0;
}

int traceable_guess(const struct symbols *symbols, struct kernel_btf *btf,
		    const struct traceable_text *text, struct traceable **ret_traceable)
{
	struct traceable *t = calloc(1, sizeof(*t));
	const struct symbol *all = NULL;
	size_t nr = symbols_all(symbols, &all);
	struct range init = init_text(all, nr);

	if (!t)
		return report_oom();
	t->is_of_btf = btf;
	for (size_t i = 0; i < nr; i++) {
		uint32_t id;
		int module;

		if (all[i].addr >= init.start && all[i].addr < init.end)
			continue;
		if (btf && kernel_btf_find_func(btf, all[i].name, all[i].module, &id, &module) < 0)
			continue;
		if (vec_push(&t->addrs, all[i].addr))
			goto oom;
	}
	sort_addrs(t);
	if (add_blacklist(t, symbols, text->blacklist)) {
		traceable_free(t);
		return -ENOMEM;
	}
	*ret_traceable = t;
	return 0;
oom:
	traceable_free(t);
	return report_oom();
}

bool traceable_is_of_btf(const struct traceable *traceable)
{
	return traceable->is_of_btf;
}

void traceable_free(struct traceable *traceable)
{
	if (!traceable)
		return;
	vec_release(&traceable->addrs);
	vec_release(&traceable->blacklist);
	free(traceable);
}

bool traceable_has(const struct traceable *traceable, uint64_t addr)
{
	return traceable->addrs.len && bsearch(&addr, traceable->addrs.data, traceable->addrs.len,
					       sizeof(addr), compare_u64);
}

bool traceable_is_blacklisted(const struct traceable *traceable, uint64_t addr)
{
	const struct range *ranges = traceable->blacklist.data;
	size_t nr = traceable->blacklist.len, at = bisect(i, nr, ranges[i].end <= addr);

	return at < nr && ranges[at].start <= addr;
}

size_t traceable_count(const struct traceable *traceable)
{
	return traceable->addrs.len;
}
