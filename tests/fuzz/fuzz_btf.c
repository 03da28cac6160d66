// SPDX-License-Identifier: BSD-2-Clause
/*
 * The types in a file of BTF that is damaged, as plans, arguments and recordings use them. An input
 * is what --args and --where say, each ending with a newline, a byte that says whether the damaged
 * file is a module's, and the damage (fuzz.h) to the BTF of sample.c.
 */
#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/btf_check.h"
#include "util/kernel/types/btf_subset.h"
#include "util/kernel/types/btf_types.h"
#include "util/kernel/types/member_at.h"
#include "util/kernel/types/object_name.h"
#include "util/plan/args/args.h"
#include "util/plan/args/args_select.h"
#include "util/plan/args/where_compile.h"
#include "util/view/values/btf_value.h"
#include "util/view/values/value_type.h"

#define MAX_TYPES 200

static const struct args_options args_options = ARGS_OPTIONS_DEFAULT;

struct asked {
	struct args_selection selection;
	struct where_rule where;
	bool has_selection, has_where;
};

static void no_name(void *arg, const char *name)
{
	*(size_t *)arg += strlen(name);
}

static void use_type(const struct btf *btf, uint32_t id, struct btf_subset *subset)
{
	static const struct union_member known = { "sample", "high" };
	static const uint8_t data[256] = { 1, 2, 3, 0xff };
	const struct value_format format = {};
	struct value value = { .btf = btf, .type = id, .data = data, .len = sizeof(data) };
	struct strbuf text = STRBUF_INIT;
	struct btf_place place;
	uint32_t type, shift;
	size_t len = 0;

	btf_size_of(btf, id);
	btf_natural_align(btf, id);
	btf_has_unaligned(btf, id);
	btf_has_float(btf, id);
	btf_is_char(btf, id);
	btf_is_unsigned_char(btf, id);
	btf_pointee(btf, id);
	btf_has_tag(btf, id, "user");
	btf_is_constant(btf, id);
	btf_find_member(btf, id, "high", &place);
	btf_each_member(btf, id, no_name, &len);
	for (uint32_t at = 0; at < 112; at += 4)
		btf_member_at(btf, id, at, 4, &known, &text, &type, &shift);
	object_name_find(btf, id);
	value_add(&text, &format, &value);
	value_type_add(&text, btf, id);
	btf_subset_add(subset, btf, id, &type);
	strbuf_release(&text);
}

static void use_func(struct kernel_btf *btf, int module, uint32_t id, struct asked *asked)
{
	const struct btf *types = kernel_btf_types(btf, module);
	struct args_func func = { "func", module, id };
	struct strbuf text = STRBUF_INIT;
	struct func_args args = {};
	struct btf_shape shape;
	uint32_t protos[2];
	struct where where;

	if (!btf__type_by_id(types, id) || !btf_is_func(btf__type_by_id(types, id)))
		return;
	kernel_btf_return_kind(btf, module, id);
	kernel_btf_shape(btf, module, id, &shape);
	kernel_btf_prototype(btf, module, id, NULL, &text);
	kernel_btf_protos(btf, module, id, &protos[0], &protos[1]);
	func.name = btf__name_by_offset(types, btf__type_by_id(types, id)->name_off);
	args_of_func(btf, &func, NULL, &args_options, &arch_x86, &args);
	func_args_release(&args);
	args = (struct func_args){};
	if (asked->has_selection)
		args_select(&asked->selection, true, btf, &func, NULL, &args_options, &arch_x86,
			    &args);
	func_args_release(&args);
	if (asked->has_where)
		where_compile(&asked->where, true, btf, &func, NULL, &arch_arm64, &where);
	strbuf_release(&text);
}

static void use_all(struct kernel_btf *btf, int module, struct asked *asked)
{
	static const char *const names[] = { "node_call", "node_find", "pair_sum", "node_log", "fail" };
	const struct btf *types = kernel_btf_types(btf, module);
	struct btf_subset *subset = btf_subset_new();
	uint32_t nr = btf__type_cnt(types), id;
	struct btf_spelling spelling;
	int found;

	for (id = 0; id < nr + 2 && id < MAX_TYPES; id++) {
		use_type(types, id, subset);
		use_func(btf, module, id, asked);
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (kernel_btf_find_func(btf, names[i], module ? "sample" : NULL, &id, &found) >= 0)
			use_func(btf, found, id, asked);
		kernel_btf_return_kind_of_clone(btf, "fail.isra.0", NULL);
	}
	btf_type_spelt(types, "struct node *", &spelling);
	btf_type_spelt(types, "const char *", &spelling);
	nr = btf__type_cnt(btf_subset_btf(subset));
	for (id = 1; id < nr && id < MAX_TYPES; id++)
		btf_size_of(btf_subset_btf(subset), id);
	btf_subset_free(subset);
}

/* A module's BTF is split on top of the kernel's. */
static int open_split(const char *path, struct kernel_btf **ret_btf)
{
	struct btf *base = btf__new(sample_btf, sample_btf_end - sample_btf);
	struct btf *split;

	if (!base || kernel_btf_from(base, ret_btf))
		abort();
	split = btf__parse_split(path, base);
	/* Only a recording has such modules, and its readers print no declarations of functions. */
	if (split && btf_check(split)) {
		btf__free(split);
		return 0;
	}
	return split ? kernel_btf_add_module(*ret_btf, "sample", split) : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	static struct fuzz_file file;
	struct wire wire = wire_of(input, size);
	char *args = fuzz_text(&wire, '\n'), *where = fuzz_text(&wire, '\n');
	struct strbuf damaged = STRBUF_INIT;
	struct kernel_btf *btf = NULL;
	struct asked asked = {};
	bool is_module;
	int module = 0;

	fuzz_quiet();
	asked.has_selection = !args_selection_parse(args, &asked.selection);
	asked.has_where = !where_parse(where, &asked.where);
	is_module = wire_get_u8(&wire) & 1;
	fuzz_damage(&wire, sample_btf, sample_btf_end - sample_btf, &damaged);
	fuzz_file_write(&file, damaged.s, damaged.len);
	if (is_module)
		module = open_split(file.path, &btf);
	if (is_module ? module > 0 : !kernel_btf_load_file(file.path, &btf))
		use_all(btf, module, &asked);
	kernel_btf_free(btf);
	strbuf_release(&damaged);
	args_selection_release(&asked.selection);
	where_rule_release(&asked.where);
	free(args);
	free(where);
	return 0;
}
