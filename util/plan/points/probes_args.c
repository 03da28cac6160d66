// SPDX-License-Identifier: BSD-2-Clause
/* What BTF knows of points: raw tracepoints' arguments, and what functions return. */
#include <errno.h>

#include "util/kernel/kernel.h"
#include "util/kernel/types/btf.h"
#include "util/plan/args/args_internal.h"
#include "util/plan/points/probes.h"

/* Arguments of raw tracepoints have 8 bytes of the context each, whatever they are. */
static int raw_args(const struct kernel_btf *btf, const struct raw_tracepoint *raw,
		    const struct args_options *options, struct func_args *ret_args)
{
	const struct btf *types = kernel_btf_types(btf, raw->btf_module);
	struct func_args args = {};

	if (func_args_reserve(&args, raw->nr_args))
		return -ENOMEM;
	for (uint32_t i = 0; i < raw->nr_args; i++) {
		struct param param = { .btf = types };

		param.name = raw_tracepoint_arg(btf, raw, i, &param.type);
		param.place = (struct arg_place){
			.where = ARG_IN_REGISTERS,
			.index = i,
			.context_slot = i,
			.size = sizeof(uint64_t),
			.type = param.type,
		};
		func_args_add_param(&args, options, &param);
	}
	args.items.max_bytes = (args.items.max_bytes + 15) & ~15u;
	*ret_args = args;
	return 0;
}

static enum return_kind returns_of(struct kernel_btf *btf, const struct probe *probe)
{
	uint32_t id;
	int module;

	if (kernel_btf_find_func(btf, probe->name, probe->module, &id, &module) >= 0)
		return kernel_btf_return_kind(btf, module, id);
	return kernel_btf_return_kind_of_clone(btf, probe->name, probe->module);
}

static int add_raw_args(struct probes *probes, struct probe *probe,
			const struct args_options *options)
{
	if (!probe->raw.proto || probe->args.args)
		return 0;
	return raw_args(probes->btf, &probe->raw, options, &probe->args);
}

int probes_args(struct kernel *kernel, const struct args_options *options, struct probes *probes)
{
	int err = 0;

	vec_foreach(probe, &probes->v) {
		if (err)
			break;
		if (probe->kind == PROBE_RAWTP)
			err = add_raw_args(probes, probe, options);
		/* Without BTF results are numbers. */
		else if (probe->kind == PROBE_KRETPROBE &&
			 (probes->btf || !kernel_get_btf(kernel, &probes->btf)))
			probe->returns = returns_of(probes->btf, probe);
	}
	return err;
}
