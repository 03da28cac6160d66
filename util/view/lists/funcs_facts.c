// SPDX-License-Identifier: BSD-2-Clause
/* Look up a function in debug info and BTF. Unknown members are left empty. */
#include "util/view/lists/funcs_facts.h"

#include "util/ask/request.h"
#include "util/kernel/kernel.h"
#include "util/kernel/types/btf.h"

static void find_source(struct kernel *kernel, const struct plan_func *func,
			struct func_facts *facts)
{
	struct symbolizer *symbolizer = NULL;
	struct debuginfo *info;
	uint64_t bias;

	if (kernel_symbolizer(kernel, &symbolizer))
		return;
	if (func->module) {
		info = symbolizer_module(symbolizer, func->module, &bias);
	} else {
		info = symbolizer_vmlinux(symbolizer);
		bias = symbolizer_vmlinux_bias(symbolizer);
	}
	if (info)
		debuginfo_function_source(info, func->addr - bias, &facts->file, &facts->line);
}

void func_facts_find(struct kernel *kernel, const struct plan_func *func,
		     struct func_facts *ret_facts)
{
	struct kernel_btf *btf = NULL;

	*ret_facts = (struct func_facts){ .prototype = STRBUF_INIT };
	find_source(kernel, func, ret_facts);
	if (func->btf_id && !kernel_get_btf(kernel, &btf))
		kernel_btf_prototype(btf, func->btf_module, func->btf_id, func->name,
				     &ret_facts->prototype);
}

void func_facts_release(struct func_facts *facts)
{
	strbuf_release(&facts->prototype);
}

const char *func_fails(const struct plan_func *func, const struct trace_request *request)
{
	if (func->rule)
		return request->error_rules.data[func->rule - 1].expr.text;
	return return_kind_rule(func->returns);
}

enum rung func_rung(const struct plan_func *func, enum rung assigned)
{
	if (assigned != RUNG_AUTO)
		return assigned;
	for (int rung = 0; rung < NR_RUNGS; rung++) {
		if (func->rungs & RUNG_BIT(rung))
			return rung;
	}
	return RUNG_AUTO;
}
