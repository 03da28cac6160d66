// SPDX-License-Identifier: BSD-2-Clause
/* The kernel's code, and which functions call which. */
#include "util/why/why_internal.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>

#include "util/base/report.h"
#include "util/kernel/kernel.h"
#include "util/trace/attach/features.h"
#include "util/trace/plan/deny.h"

/* Larger functions are not looked through for calls. */
#define MAX_LOOKED_THROUGH (64 * 1024)

int why_code_open(struct kernel *kernel, struct why_code *code)
{
	const struct kcore closed = KCORE_INIT;
	const struct kernel_tables *tables;
	struct features features;
	int err;

	code->kcore = closed;
	code->memory.source = (struct code_source){ kcore_read, &code->kcore };
	code->source = (struct code_source){ code_memory_read, &code->memory };
	err = kernel_symbols(kernel, &code->symbols);
	err = err ?: kernel_symbolizer(kernel, &code->symbolizer);
	err = err ?: features_probe(kernel, &features);
	if (err)
		return err;
	code->many = features.rungs[RUNG_KPROBE_MULTI] || features.rungs[RUNG_KPROBE_SESSION] ||
		     features.rungs[RUNG_FSESSION_MULTI];
	if (kernel_traceable(kernel, &code->traceable))
		code->traceable = NULL;
	if (kernel_get_btf(kernel, &code->btf))
		code->btf = NULL;
	code_reader_init(&code->reader, code->symbolizer, &code->source);
	tables = symbols_tables(code->symbols);
	err = fault_table_read(&code->memory.source, tables->exceptions, tables->exceptions_end,
			       &code->faults);
	code->have_faults = !err;
	if (err == -ENOMEM)
		return report_oom();
	return decider_new(code->symbolizer, &code->plan, &code->source, PERF_SAMPLE_BRANCH_ANY,
			   &code->decider);
}

void why_code_close(struct why_code *code)
{
	decider_free(code->decider);
	code_reader_release(&code->reader);
	fault_table_release(&code->faults);
	branches_release(&code->branches);
	vec_release(&code->plan.funcs);
	code_memory_release(&code->memory);
	kcore_close(&code->kcore);
}

bool why_can_trace(const struct why_code *code, const struct symbol *symbol)
{
	if (deny_reason(symbol->name))
		return false;
	return !code->traceable || (traceable_has(code->traceable, symbol->addr) &&
				    !traceable_is_blacklisted(code->traceable, symbol->addr));
}

static bool has_func(const struct pass_ask *ask, const struct symbol *symbol)
{
	vec_foreach(func, &ask->funcs) {
		if ((*func)->addr == symbol->addr)
			return true;
	}
	return false;
}

/* What the code of one function calls or jumps to. */
static int add_called(struct why_code *code, const struct symbol *from, struct pass_ask *ask,
		      size_t max)
{
	uint64_t end = from->addr + from->size;
	struct branch_insn insn;

	if (from->size > MAX_LOOKED_THROUGH)
		return 0;
	for (uint64_t addr = from->addr; addr < end && ask->funcs.len < max; addr += insn.length) {
		const struct symbol *symbol;

		if (code_branch(&code->reader, addr, &insn))
			break;
		if (insn.kind != BRANCH_CALL && insn.kind != BRANCH_JUMP)
			continue;
		if (insn.target - from->addr < from->size)
			continue;
		symbol = called_symbol_of(&code->reader, insn.target);
		if (!symbol || !why_can_trace(code, symbol) || has_func(ask, symbol))
			continue;
		if (vec_push(&ask->funcs, symbol))
			return report_oom();
	}
	return 0;
}

int why_add_callees(struct why_code *code, const struct symbol *from, struct pass_ask *ask,
		    size_t max)
{
	size_t next = ask->funcs.len;
	int err = add_called(code, from, ask, max);

	for (; !err && next < ask->funcs.len && ask->funcs.len < max; next++) {
		/* A reader searches what it has read. */
		code_reader_forget(&code->reader);
		err = add_called(code, ask->funcs.data[next], ask, max);
	}
	code_reader_forget(&code->reader);
	return err;
}
