// SPDX-License-Identifier: BSD-2-Clause
/* Selected arguments of one function. */
#include "util/plan/args/args_select.h"

#include <errno.h>
#include <string.h>

#include "util/base/report.h"
#include "util/kernel/types/btf_types.h"
#include "util/plan/args/args_internal.h"
#include "util/plan/args/args_object.h"

#define OPTION "--args"

/* The item for an object that was gone to. */
static int add_object(struct func_args *args, const struct args_options *options,
		      struct arg_object *o, const struct arg_path *path)
{
	struct arg arg = { .name = path->text, .btf = o->btf, .type = o->type };
	bool in_memory = o->in_memory || o->item.source == ARG_STACK;
	uint32_t pointee, max = in_memory ? options->max_sized : 16;
	int err = arg_object_settle(o, &arg.skip, path->text, path->column);

	if (err)
		return err;
	if (o->in_user)
		o->item.flags |= ARG_USER;
	o->item.kind = ARG_VALUE;
	pointee = o->btf && !o->pointers_to ? btf_pointee(o->btf, o->type) : 0;
	if (o->pointers_to) {
		arg.form = ARG_AS_POINTER;
		arg.type = 0;
		o->item.size = 8;
	} else if (o->bits) {
		arg.bits = o->bits;
		arg.bit_offset = o->bit_offset;
		o->item.size = arg.skip + (o->bit_offset + o->bits + 7) / 8;
	} else if (pointee && args_may_be_text(o->btf, pointee) && !o->in_user && !arg.skip &&
		   options->max_str) {
		if (o->user || btf_has_tag(o->btf, pointee, "user"))
			o->item.flags |= ARG_USER;
		o->item.kind = ARG_STRING;
		o->item.size = args_string_size(options);
		arg.form = ARG_AS_STRING;
		arg.type = pointee;
	} else {
		if (o->btf)
			o->item.size = args_size_of(o->btf, o->type, max, &arg.cut);
		if (!o->item.size)
			return o->origin->strict ?
				       report(-EINVAL, OPTION ": '%s' is of a type without a size "
					      "at column %d of '%s'", path->text, path->column,
					      o->origin->text) : -EINVAL;
		if (!o->in_memory)
			o->item.size += arg.skip;
	}
	if (!func_args_add(args, options, &o->item, &arg) && o->origin->strict)
		return report(-EINVAL, "--args: no room for '%s' in the %u bytes of "
			      "args.max-total-args-size at column %d of '%s'", path->text,
			      options->max_total, path->column, o->origin->text);
	return 0;
}

static int select_path(struct func_args *args, const struct args_options *options,
		       const struct arg_origin *origin, const char *func,
		       const struct params *params, const struct arg_path *path)
{
	const struct param *param;
	struct arg_object o;
	int err = arg_path_param(path, origin, func, params, &param);

	if (err)
		return err;
	if (!path->stars && !path->parts.len) {
		struct param renamed = *param;

		renamed.name = path->text;
		func_args_add_param(args, options, &renamed);
		return 0;
	}
	err = arg_path_follow(path, origin, param, &o);
	return err ?: add_object(args, options, &o, path);
}

int args_select(const struct args_selection *selection, bool strict, struct kernel_btf *btf,
		const struct args_func *func, const struct syscall_params *syscall,
		const struct args_options *options, const struct arch *arch,
		struct func_args *ret_args)
{
	struct arg_origin origin = { OPTION, selection->text, strict };
	struct func_args args = { .selected = true };
	struct params params;
	int err;

	params_of_func(btf, func, syscall, arch, &params);
	err = func_args_reserve(&args, selection->paths.len);
	if (err)
		return err;
	vec_foreach(path, &selection->paths) {
		err = select_path(&args, options, &origin, func->name, &params, path);
		if (err && strict) {
			func_args_release(&args);
			return err;
		}
	}
	if (!args.nr) {
		func_args_release(&args);
		return -EINVAL;
	}
	args.items.max_bytes = (args.items.max_bytes + 15) & ~15u;
	*ret_args = args;
	return 0;
}
