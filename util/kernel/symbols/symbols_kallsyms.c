// SPDX-License-Identifier: BSD-2-Clause
/*
 * The running kernel's symbols: from its memory, by its iterator, or from /proc/kallsyms, read by hand in
 * big pieces. There are up to 300,000, and every start on every slow machine waits for them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/kernel/symbols/symbols_internal.h"
#include "util/kernel/types/symbol_variant.h"

#define READ_SIZE (32 * 1024)	/* a read of /proc returns at most a page */
#define PAGE_SIZE 4096
/* No program in the kernel's memory for BPF is bound by anything; few are longer. */
#define BPF_PROGRAM_MAX (64 * 1024)

struct range {
	uint64_t start, end;
};

struct module_extent {
	const char *name;	/* interned, so compared by address */
	struct range range;
};

struct kallsyms {
	struct symbols *symbols;
	symbol_vec raw;			/* all types; those that cannot be code have no name */
	const char *last_module;	/* of the line before */
	/* The linker script's symbols around the kernel's code; 0: missing. */
	uint64_t text, stext, etext, sinittext, einittext, init_begin, init_end;
	uint64_t hot;			/* pcpu_hot, which has the preempt count from 6.2 to 6.14; 0: missing */
	VEC(struct module_extent) extents;
	bool any_addr;
	uint32_t nr_printk_texts;
	size_t nr_symbols;
};

static bool is_text_type(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

#define BOUND(name, bound) { name, sizeof(name) - 1, bound }

static void note_bound(struct kallsyms *k, const char *name, size_t len, uint64_t addr)
{
	const struct {
		const char *name;
		size_t len;
		uint64_t *bound;
	} bounds[] = {
		BOUND("_text", &k->text),
		BOUND("_stext", &k->stext),
		BOUND("_etext", &k->etext),
		BOUND("_sinittext", &k->sinittext),
		BOUND("_einittext", &k->einittext),
		BOUND("__init_begin", &k->init_begin),
		BOUND("__init_end", &k->init_end),
		BOUND("__preempt_count", &k->symbols->preempt_count),
		BOUND("__per_cpu_offset", &k->symbols->per_cpu_offsets),
		BOUND("sys_call_table", &k->symbols->tables.system_calls),
		BOUND("__start___ex_table", &k->symbols->tables.exceptions),
		BOUND("__stop___ex_table", &k->symbols->tables.exceptions_end),
		BOUND("__start___jump_table", &k->symbols->tables.jump_labels),
		BOUND("__stop___jump_table", &k->symbols->tables.jump_labels_end),
		BOUND("__start_static_call_sites", &k->symbols->tables.static_calls),
		BOUND("__stop_static_call_sites", &k->symbols->tables.static_calls_end),
		BOUND("ftrace_pages_start", &k->symbols->tables.ftrace_pages),
		BOUND("kprobe_table", &k->symbols->tables.kprobes),
		BOUND("io_issue_defs", &k->symbols->tables.io_uring_issues),
		/* Before 6.3. */
		BOUND("io_op_defs", &k->symbols->tables.io_uring_issues),
		BOUND("current_task", &k->symbols->tables.current_task),
		/* Begins with it, from 6.2 to 6.14. */
		BOUND("pcpu_hot", &k->symbols->tables.current_task),
		BOUND("pcpu_hot", &k->hot),
	};
	static const char printk_text[] = "textbuf.";

	for (size_t i = 0; i < ARRAY_SIZE(bounds); i++) {
		if (bounds[i].len == len && !memcmp(bounds[i].name, name, len))
			*bounds[i].bound = addr;
	}
	/* Static in a function, so numbered by the compiler. */
	if (len > strlen(printk_text) && !memcmp(name, printk_text, strlen(printk_text)))
		k->symbols->tables.printk_text = k->nr_printk_texts++ ? 0 : addr;
}

/* Only these lengths and first letters are worth a look at the table above. */
static bool may_be_bound(const char *name, size_t len)
{
	if (len > 18)
		return len <= 25 && !memcmp(name, "__st", 4);
	return len >= 5 &&
	       (*name == '_' || *name == 's' || *name == 'f' || *name == 't' ||
		(*name == 'i' && (len == 13 || len == 10)) || ((*name == 'c' || *name == 'k') && len == 12) ||
		(*name == 'p' && len == 8));
}

/* "ftrace" of "__builtin__ftrace" is a module as any; NULL: out of memory. */
static const char *intern_module(struct kallsyms *k, const char *name, size_t len)
{
	static const char builtin[] = "__builtin__";

	if (len > strlen(builtin) && !memcmp(name, builtin, strlen(builtin))) {
		name += strlen(builtin);
		len -= strlen(builtin);
	}
	if (!k->last_module || strncmp(k->last_module, name, len) || k->last_module[len])
		k->last_module = symbols_intern_module(k->symbols, name, len);
	return k->last_module;
}

/* A symbol_teller. 0 or -ENOMEM. */
static int add_symbol(void *arg, const struct told_symbol *told)
{
	struct symbol symbol = { .addr = told->addr, .type = told->type };
	struct kallsyms *k = arg;

	if (told->module) {
		/* Those of arm64 and riscv64 would end functions early, or give them other names. */
		if (symbol_is_mapping(told->name, told->name_len))
			return 0;
		symbol.module = intern_module(k, told->module, told->module_len);
		if (!symbol.module)
			return -ENOMEM;
	} else if (may_be_bound(told->name, told->name_len)) {
		note_bound(k, told->name, told->name_len, symbol.addr);
	}
	k->nr_symbols++;
	k->any_addr |= symbol.addr != 0;
	/* Absolute symbols are numbers, such as offsets of per-CPU variables. */
	if (symbol.type == 'a' || symbol.type == 'A')
		return 0;
	if (is_text_type(symbol.type)) {
		symbol.name = arena_add(&k->symbols->strings, told->name, told->name_len);
		if (!symbol.name)
			return -ENOMEM;
	}
	return vec_push(&k->raw, symbol);
}

/* Find the name in "[nf_tables]". 0 or -EINVAL. */
static int find_module(const char *s, const char *end, struct told_symbol *told)
{
	while (s < end && *s != '[')
		s++;
	while (end > s && end[-1] != ']')
		end--;
	if (end - s < 3)
		return -EINVAL;
	told->module = s + 1;
	told->module_len = end - 1 - told->module;
	return 0;
}

/* Each hexadecimal digit's value as the kernel writes it, plus 1; 0: no digit. */
static const uint8_t hex_digits[256] = {
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8,
	['8'] = 9, ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
};

/* The end of a symbol's name. Only the names of modules' symbols end before the line does. */
static const char *find_name_end(const char *name, const char *end)
{
	const char *s = name;

	if (end[-1] != ']')
		return end;
	while (s < end && *s != '\t' && *s != ' ')
		s++;
	return s;
}

/* "ffffffff81000000 T _stext[\t[module]]", without the newline. Other lines are skipped. */
static int parse_line(struct kallsyms *k, const char *s, const char *end)
{
	struct told_symbol told = {};
	const char *start = s, *name_end;
	uint8_t digit;

	for (; s < end && (digit = hex_digits[(uint8_t)*s]); s++)
		told.addr = told.addr << 4 | (digit - 1);
	if (s == start || end - s < 4 || s[0] != ' ' || s[2] != ' ')
		return 0;
	told.type = s[1];
	told.name = s + 3;
	name_end = find_name_end(told.name, end);
	told.name_len = name_end - told.name;
	if (!told.name_len || (name_end < end && find_module(name_end, end, &told)))
		return 0;
	return add_symbol(k, &told);
}

/* Parse the complete lines of @text; *ret_rest is the text after the last newline. 0 or -ENOMEM. */
static int parse_lines(struct kallsyms *k, const char *text, size_t len, const char **ret_rest)
{
	const char *end = text + len, *newline;
	bool has_nul = memchr(text, '\0', len);

	for (; (newline = memchr(text, '\n', end - text)); text = newline + 1) {
		if (has_nul && memchr(text, '\0', newline - text))
			continue;
		if (parse_line(k, text, newline))
			return -ENOMEM;
	}
	*ret_rest = text;
	return 0;
}

static int read_lines(struct kallsyms *k, int fd, const char *path)
{
	_cleanup_(free_p) char *buffer = malloc(READ_SIZE + 1);
	const char *rest = buffer;
	size_t have = 0;
	ssize_t got;

	if (!buffer)
		return report_oom();
	while ((got = read(fd, buffer + have, READ_SIZE - have)) != 0) {
		if (got < 0) {
			if (errno == EINTR)
				continue;
			return report(-errno, "cannot read %s: %m", path);
		}
		have += got;
		if (parse_lines(k, buffer, have, &rest))
			return report_oom();
		have -= rest - buffer;
		if (have == READ_SIZE)
			have = 0;	/* a line without end is no symbol */
		memmove(buffer, rest, have);
	}
	/* The last line may lack its newline. */
	buffer[have] = '\n';
	return parse_lines(k, buffer, have + 1, &rest) ? report_oom() : 0;
}

/* "nf_tables 319488 0 - Live 0xffffffffc0a52000": where modules end. Good to have, no more. */
static int read_module_extents(struct kallsyms *k, const char *path)
{
	_cleanup_(fclose_p) FILE *file = fopen(path, "re");
	_cleanup_(free_p) char *line = NULL;
	size_t cap = 0;

	if (!file)
		return 0;
	while (getline(&line, &cap, file) > 0) {
		unsigned long long size, addr;
		struct module_extent extent;
		int name_len = 0;

		if (sscanf(line, "%*s%n %llu %*s %*s %*s %llx", &name_len, &size, &addr) != 2 ||
		    !addr)
			continue;
		extent.name = symbols_intern_module(k->symbols, line, name_len);
		extent.range = (struct range){ addr, addr + size };
		if (!extent.name || vec_push(&k->extents, extent))
			return report_oom();
	}
	return 0;
}

static bool in_range(const struct range *range, uint64_t addr)
{
	return addr >= range->start && addr < range->end;
}

/* The range of kernel code that contains @addr; NULL: no code, whatever the symbol's type is. */
static const struct range *find_text(const struct range ranges[2], uint64_t addr)
{
	for (int i = 0; i < 2; i++) {
		if (in_range(ranges + i, addr))
			return ranges + i;
	}
	return NULL;
}

/* The end of the last symbol of a module, or of generated code, if no symbol follows. */
static uint64_t module_end(struct kallsyms *k, const struct symbol *symbol)
{
	vec_foreach(extent, &k->extents) {
		if (extent->name == symbol->module && in_range(&extent->range, symbol->addr))
			return extent->range.end;
	}
	if (!strcmp(symbol->module, "bpf") && startswith(symbol->name, "bpf_prog_"))
		return symbol->addr + BPF_PROGRAM_MAX;
	/* At most a page; since 6.10 it need not begin at a page. */
	if (!strcmp(symbol->module, "bpf") && startswith(symbol->name, "bpf_trampoline_"))
		return symbol->addr + PAGE_SIZE;
	return (symbol->addr | (PAGE_SIZE - 1)) + 1;
}

/* Give each symbol of code its size, and leave the others out. */
static void bound_and_keep(struct kallsyms *k)
{
	uint64_t start = k->text && k->text < k->stext ? k->text : k->stext;
	uint64_t init_start = k->init_begin ?: k->sinittext;
	const struct range ranges[2] = {
		{ start, k->etext },
		{ init_start, k->init_end > k->einittext ? k->init_end : k->einittext },
	};
	bool text_known = start && start < k->etext;
	symbol_vec *raw = &k->raw;
	size_t kept = 0, next = 0;

	for (size_t i = 0; i < raw->len; i++) {
		struct symbol symbol = raw->data[i];
		uint64_t end = UINT64_MAX;

		while (next < raw->len && raw->data[next].addr <= symbol.addr)
			next++;
		if (!symbol.name || !symbol.addr)
			continue;
		if (next < raw->len)
			end = raw->data[next].addr;
		if (symbol.module) {
			/* Since 7.x data of raw tracepoints has the type of code. */
			if (startswith(symbol.name, "__bpf_trace_tp_map_"))
				continue;
			if (next == raw->len || raw->data[next].module != symbol.module) {
				uint64_t limit = module_end(k, &symbol);

				if (limit < end)
					end = limit;
			}
		} else if (text_known) {
			const struct range *range = find_text(ranges, symbol.addr);

			if (!range)
				continue;
			if (range->end < end)
				end = range->end;
		}
		symbol.size = end == UINT64_MAX || is_section_marker(symbol.name) ? 0 : end - symbol.addr;
		raw->data[kept++] = symbol;
	}
	raw->len = kept;
}

bool kernel_addresses_hidden(void)
{
	_cleanup_(fclose_p) FILE *kallsyms = fopen("/proc/kallsyms", "re");
	unsigned long long addr = 0;

	/* Some kernels begin with per-CPU symbols, of which the first few are at 0 indeed. */
	for (int i = 0; i < 32 && !addr; i++) {
		if (!kallsyms || fscanf(kallsyms, "%llx%*[^\n]", &addr) != 1)
			return true;
	}
	return !addr;
}

static int report_hidden(const char *kallsyms_path)
{
	_cleanup_(fclose_p) FILE *file = fopen("/proc/sys/kernel/kptr_restrict", "re");
	int restricted = 0;

	if (file && fscanf(file, "%d", &restricted) == 1 && restricted > 1)
		return report(-EPERM, "kernel.kptr_restrict=%d hides the kernel's addresses from "
			      "everybody; 'sysctl -w kernel.kptr_restrict=1' shows them to root",
			      restricted);
	return report(-EPERM, "the kernel hides its addresses in %s from this user; run as root, or "
		      "with CAP_SYSLOG", kallsyms_path);
}

static int read_text(struct kallsyms *k, const char *path)
{
	_cleanup_(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		/* -ENOENT is for functions that are not there. */
		return report(errno == ENOENT ? -ENODATA : -errno,
			      "cannot open %s: %m; the kernel needs CONFIG_KALLSYMS, and "
			      "/proc must be mounted",
			      path);
	return read_lines(k, fd, path);
}

static void kallsyms_release(struct kallsyms *k)
{
	symbols_free(k->symbols);
	vec_release(&k->raw);
	vec_release(&k->extents);
}

/* What an earlier source told is wrong, or not all. */
static void forget_told(struct kallsyms *k)
{
	struct symbols *symbols = k->symbols;

	vec_release(&k->raw);
	*k = (struct kallsyms){ .symbols = symbols };
	symbols->preempt_count = symbols->per_cpu_offsets = 0;
	symbols->tables = (struct kernel_tables){};
}

static int read_symbols(struct kallsyms *k, const struct symbol_source *sources, size_t nr_sources,
			const char *path)
{
	for (size_t i = 0; i < nr_sources; i++) {
		if (!sources[i].tell(sources[i].arg, add_symbol, k) && k->nr_symbols)
			return 0;
		forget_told(k);
	}
	return read_text(k, path);
}

int symbols_load_with(const struct symbol_source *sources, size_t nr_sources, const char *kallsyms_path,
		      const char *modules_path, struct symbols **ret_symbols)
{
	_cleanup_(kallsyms_release) struct kallsyms k = { .symbols = symbols_new() };
	int err;

	if (!k.symbols)
		return report_oom();
	k.symbols->kallsyms_path = strdup(kallsyms_path);
	k.symbols->modules_path = strdup(modules_path);
	if (!k.symbols->kallsyms_path || !k.symbols->modules_path)
		return report_oom();

	err = read_symbols(&k, sources, nr_sources, kallsyms_path) ?: read_module_extents(&k, modules_path);
	if (err)
		return err;
	if (!k.nr_symbols)
		return report(-ENODATA, "no symbols in %s", kallsyms_path);
	if (!k.any_addr)
		return report_hidden(kallsyms_path);
	/* Behind the current task (arch/x86/include/asm/current.h, 6.2 to 6.14). */
	if (!k.symbols->preempt_count && k.hot)
		k.symbols->preempt_count = k.hot + 8;

	if (symbols_sort(&k.raw))
		return report_oom();
	bound_and_keep(&k);
	k.symbols->all.len = k.symbols->all.cap = k.raw.len;
	/* Free unused memory of the array; if that fails, keep it. */
	k.symbols->all.data = reallocarray(k.raw.data, k.raw.len ?: 1, sizeof(*k.raw.data));
	if (!k.symbols->all.data)
		k.symbols->all.data = k.raw.data;
	k.raw.data = NULL;
	*ret_symbols = take_ptr(k.symbols);
	return 0;
}

int symbols_load_kallsyms_from(const char *kallsyms_path, const char *modules_path,
			       struct symbols **ret_symbols)
{
	return symbols_load_with(NULL, 0, kallsyms_path, modules_path, ret_symbols);
}

static int tell_from_memory(void *arg, symbol_teller tell, void *tell_arg)
{
	return symbols_tell_from_memory(arg, tell, tell_arg);
}

struct new_iterators {
	const struct btf *types;
	int later;	/* fd; -1: they were not made */
};

/* Iterators are made when memory does not tell: a program has to be loaded for them. */
static int tell_by_iterator(void *arg, symbol_teller tell, void *tell_arg)
{
	struct new_iterators *made = arg;
	_cleanup_(close_fd) int now = -1;
	int iterators[2], err;

	err = made->types ? symbols_iterators_new(made->types, iterators) : -ENOENT;
	if (err)
		return err;
	now = iterators[0];
	made->later = iterators[1];
	return symbols_iterate(now, tell, tell_arg);
}

int symbols_load_kallsyms(const struct btf *types, bool made_code, struct symbols **ret_symbols)
{
	struct new_iterators iterators = { types, -1 };
	const struct symbol_source sources[] = {
		{ tell_from_memory, (void *)types },
		{ tell_by_iterator, &iterators },
	};
	/* The kernel's tables have none of the code that it made. */
	size_t first = made_code ? 1 : 0;
	int err = symbols_load_with(sources + first, ARRAY_SIZE(sources) - first, "/proc/kallsyms",
				    "/proc/modules", ret_symbols);

	if (err) {
		close_fd(&iterators.later);
		return err;
	}
	(*ret_symbols)->iterator = iterators.later;
	symbol_asker_open(&(*ret_symbols)->asker);
	return 0;
}
