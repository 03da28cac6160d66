// SPDX-License-Identifier: BSD-2-Clause
/*
 * A damaged vmlinux, module or debug file: symbols, DWARF, BTF, as `funcs -k`, `symbolize -k` and
 * `why` read them. An input's first byte picks the file: the rest is damage (fuzz.h) to a program
 * or an object built from sample.c, or the file itself.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/ask/request.h"
#include "util/ask/settings.h"
#include "util/base/report.h"
#include "util/kernel/debug/debuginfo.h"
#include "util/kernel/debug/debuginfo_variable.h"
#include "util/kernel/elf/elf_file.h"
#include "util/kernel/kernel.h"
#include "util/kernel/symbols/log_symbols.h"
#include "util/kernel/types/btf.h"
#include "util/plan/capture.h"
#include "util/plan/plan.h"
#include "util/plan/why_traceable.h"
#include "util/view/lists/funcs_view.h"

#define TEXT_START 0x100000	/* sample.elf; ELF_LAYOUT_BASE, too */
#define TEXT_SIZE 0x180

const char *__lsan_default_suppressions(void);

/* elfutils and libbpf do not free all of a file that they give up on. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libelf\nleak:libdw\n";
}

static int on_path(void *arg, const char *path)
{
	*(size_t *)arg += strlen(path);
	return 0;
}

static int on_func(void *arg, const char *name, const char *file, uint32_t line, uint64_t addr)
{
	*(size_t *)arg += strlen(name) + (file ? strlen(file) : 0);
	return 0;
}

static int on_inlined(void *arg, const char *into, const char *file, uint32_t line)
{
	*(size_t *)arg += strlen(into) + (file ? strlen(file) : 0);
	return 0;
}

static int on_line(void *arg, uint64_t addr)
{
	return 0;
}

static void use_debuginfo(const char *path)
{
	const struct source_frame *frames;
	struct source_variable variable;
	struct debuginfo *info;
	uint64_t addrs[16];
	const char *file;
	uint32_t line;
	size_t len = 0;

	if (debuginfo_open(path, NULL, &info))
		return;
	debuginfo_elsewhere(info, &file);
	debuginfo_symbol(info, "_start", addrs);
	for (size_t i = 0; i < ARRAY_SIZE(addrs); i++)
		addrs[i] = TEXT_START + i * TEXT_SIZE / ARRAY_SIZE(addrs);
	debuginfo_prefetch(info, addrs, ARRAY_SIZE(addrs), 0);
	for (uint64_t addr = TEXT_START; addr < TEXT_START + TEXT_SIZE; addr += 6) {
		int nr = debuginfo_lookup(info, addr, &frames);
		const struct variable_place place = { .in_memory = addr & 2, .reg = addr & 7, .size = 4 };

		if (!debuginfo_variable_at(info, addr, &place, &variable))
			len += strlen(variable.name) + strlen(variable.type.name ?: "");
		for (int i = 0; i < nr; i++)
			len += strlen(frames[i].function ?: "") + strlen(frames[i].file ?: "");
	}
	debuginfo_paths(info, on_path, &len);
	debuginfo_source_functions(info, "*", on_func, &len);
	debuginfo_source_functions(info, "tests/", on_func, &len);
	debuginfo_inlined_into(info, "inner_check", on_inlined, &len);
	if (!debuginfo_function_source(info, TEXT_START, &file, &line) && file)
		len += strlen(file);
	debuginfo_line_addresses(info, "tests/fuzz/sample.c", 57, on_line, NULL, &line);
	debuginfo_free(info);
}

/* As `retsnoop funcs -l -k FILE`, `funcs --why NAME -k FILE` */
static void use_funcs(const char *path)
{
	struct symbolizer_options options = { .level = SYMBOLIZE_AUTO, .vmlinux = path };
	struct funcs_view view = funcs_view_long;
	struct trace_request request;
	struct kernel *kernel = NULL;
	struct plan *plan = NULL;
	struct traceability why;

	trace_request_init(&request);
	if (spec_list_add(&request.allow, "node_*,:tests/*/*.c") || kernel_new(&options, &kernel))
		abort();
	view.out = fuzz_null();
	view.request = &request;
	view.kernel = kernel;
	if (!plan_select(kernel, &request, PLAN_NO_ENTRIES | PLAN_QUIET, &plan)) {
		request.modes |= MODE_ARGS;
		capture_args.plan(kernel, &request, plan);
		vec_foreach(func, &plan->funcs)
			view.func(&view, func);
		plan_free(plan);
	}
	if (!traceability_find(kernel, "inner_check", &why)) {
		traceability_check_methods(&why);
		view.why(&view, "inner_check", &why);
		traceability_release(&why);
	}
	kernel_free(kernel);
	trace_request_release(&request);
}

/* As `retsnoop symbolize -k FILE` and `symbolize --log -k FILE`. */
static void use_symbolizer(const char *path)
{
	struct symbolizer_options options = { .level = SYMBOLIZE_AUTO, .vmlinux = path };
	const struct log_symbols_options log_options = { .vmlinux = path };
	static const char line[] = "RIP: 0010:node_call+0x12/0x70";
	struct symbolizer *symbolizer;
	struct log_symbols *log;
	struct symbolized found;
	struct log_place place;
	struct symbols *symbols;
	struct log_found log_found;

	if (!symbols_load_elf(path, &symbols)) {
		if (!symbolizer_new(symbols, &options, &symbolizer)) {
			for (uint64_t at = 0; at < TEXT_SIZE; at += 16)
				symbolizer_lookup(symbolizer, TEXT_START + at, at & 1, &found);
			symbolizer_free(symbolizer);
		}
		symbols_free(symbols);
	}
	if (!log_symbols_new(&log_options, &log)) {
		if (log_find_place(line, strlen(line), 0, &place))
			log_symbols_lookup(log, &place, &log_found);
		log_symbols_free(log);
	}
}

static void use_sections(const char *path)
{
	static const char *const names[] = { ".debug_info", ".debug_line", ".text", ".symtab", ".BTF" };
	struct elf_section section;
	struct elf_file *file;
	unsigned int sum = 0;

	if (elf_file_open(path, NULL, &file))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (elf_file_section(file, names[i], &section))
			continue;
		for (size_t at = 0; at < section.size && section.data; at++)
			sum += section.data[at];
	}
	fprintf(fuzz_null(), "%u", sum);
	elf_file_free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	static struct fuzz_file file;
	struct wire wire = wire_of(input, size);
	struct strbuf damaged = STRBUF_INIT;
	uint8_t kind = wire_get_u8(&wire);
	size_t left;

	fuzz_quiet();
	switch (kind % 3) {
	case 0:
		fuzz_damage(&wire, sample_elf, sample_elf_end - sample_elf, &damaged);
		break;
	case 1:
		fuzz_damage(&wire, sample_ko, sample_ko_end - sample_ko, &damaged);
		break;
	default:
		left = wire_left(&wire);
		strbuf_add(&damaged, wire_take(&wire, left) ?: "", left);
	}
	fuzz_file_write(&file, strbuf_str(&damaged), damaged.len);
	use_sections(file.path);
	use_debuginfo(file.path);
	use_funcs(file.path);
	use_symbolizer(file.path);
	strbuf_release(&damaged);
	return 0;
}
