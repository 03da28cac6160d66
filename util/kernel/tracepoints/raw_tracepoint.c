// SPDX-License-Identifier: BSD-2-Clause
/*
 * For each tracepoint NAME there is a typedef btf_trace_NAME of a pointer to what it calls. Its
 * parameters have types but no names; those of the function __traceiter_NAME, which makes the
 * calls, have.
 */
#include "util/kernel/tracepoints/raw_tracepoint.h"

#include <bpf/btf.h>
#include <errno.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/kernel/types/btf.h"

#define PREFIX "btf_trace_"

/* The FUNC_PROTO that a typedef points to; 0: the typedef is something else. */
static uint32_t pointed_proto(const struct btf *types, const struct btf_type *type)
{
	const struct btf_type *pointer = btf__type_by_id(types, type->type), *proto;

	if (!pointer || !btf_is_ptr(pointer))
		return 0;
	proto = btf__type_by_id(types, pointer->type);
	return proto && btf_is_func_proto(proto) && btf_vlen(proto) ? pointer->type : 0;
}

/* The same prototype with names; 0: none. */
static uint32_t named_proto(struct kernel_btf *btf, const struct btf *types, const char *name,
			    const char *module, uint32_t proto)
{
	_cleanup_(free_p) char *function = strf("__traceiter_%s", name);
	const struct btf_type *plain = btf__type_by_id(types, proto), *func, *named;
	uint32_t id;
	int index;

	if (!function || kernel_btf_find_func(btf, function, module, &id, &index) < 0)
		return proto;
	func = btf__type_by_id(types, id);
	named = func ? btf__type_by_id(types, func->type) : NULL;
	return named && btf_is_func_proto(named) && btf_vlen(named) == btf_vlen(plain) ?
		       func->type :
		       proto;
}

int raw_tracepoints_add(struct kernel_btf *btf, const char *module, struct raw_tracepoints *points)
{
	int index = kernel_btf_find_module(btf, module);
	const struct btf *types, *base;
	uint32_t end;

	if (index < 0)
		return index == -ENOMEM ? report_oom() : 0;
	types = kernel_btf_types(btf, index);
	base = btf__base_btf(types);
	end = btf__type_cnt(types);
	for (uint32_t id = base ? btf__type_cnt(base) : 1; id < end; id++) {
		const struct btf_type *type = btf__type_by_id(types, id);
		struct raw_tracepoint point = { .module = module, .btf_module = index };
		const char *name;

		if (!btf_is_typedef(type))
			continue;
		name = btf__name_by_offset(types, type->name_off);
		if (!name || !startswith(name, PREFIX))
			continue;
		point.name = name + strlen(PREFIX);
		point.proto = pointed_proto(types, type);
		if (!point.proto)
			continue;
		point.proto = named_proto(btf, types, point.name, module, point.proto);
		point.nr_args = btf_vlen(btf__type_by_id(types, point.proto)) - 1;
		if (vec_push(&points->v, point))
			return report_oom();
	}
	return 0;
}

static int compare_points(const void *a, const void *b)
{
	const struct raw_tracepoint *x = a, *y = b;

	return strcmp(x->name, y->name) ?: x->btf_module - y->btf_module;
}

void raw_tracepoints_sort(struct raw_tracepoints *points)
{
	vec_sort(&points->v, compare_points);
}

void raw_tracepoints_release(struct raw_tracepoints *points)
{
	vec_release(&points->v);
}

static const struct btf_param *param_of(const struct btf *types, const struct raw_tracepoint *point,
					uint32_t index)
{
	const struct btf_type *proto = btf__type_by_id(types, point->proto);

	return index < point->nr_args ? btf_params(proto) + 1 + index : NULL;
}

const char *raw_tracepoint_arg(const struct kernel_btf *btf, const struct raw_tracepoint *point,
			       uint32_t index, uint32_t *ret_type)
{
	/* The kernel lets tracepoints have 12. */
	static const char *const unnamed[] = { "arg0", "arg1", "arg2", "arg3",	"arg4",	 "arg5",
					       "arg6", "arg7", "arg8", "arg9", "arg10", "arg11" };
	const struct btf *types = kernel_btf_types(btf, point->btf_module);
	const struct btf_param *param = param_of(types, point, index);
	const char *known = param ? btf__name_by_offset(types, param->name_off) : NULL;

	*ret_type = param ? param->type : 0;
	if (known && *known)
		return known;
	return index < ARRAY_SIZE(unnamed) ? unnamed[index] : "arg";
}

void raw_tracepoint_args_add(struct kernel_btf *btf, const struct raw_tracepoint *point,
			     struct strbuf *sb)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *args, *comma;

	/* "void f(void *__data, struct task_struct *p)": the first is not the tracepoint's. */
	kernel_btf_prototype(btf, point->btf_module, point->proto, "f", &text);
	args = strstr(strbuf_str(&text), "f(");
	comma = args ? strchr(args, ',') : NULL;
	if (comma && text.s[text.len - 1] == ')') {
		comma += 1 + strspn(comma + 1, " ");
		strbuf_add(sb, comma, text.s + text.len - 1 - comma);
	}
}
