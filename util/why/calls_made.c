// SPDX-License-Identifier: BSD-2-Clause
/* Finds out about the way through a function from the trace of the calls that it made. */
#include <errno.h>
#include <stdlib.h>

#include "util/base/cleanup.h"
#include "util/kernel/symbols/symbols.h"
#include "util/why/narrow.h"
#include "util/why/why_internal.h"

/*
 * Whether the trace has every call between the traced functions. The kernel skips programs while
 * another one runs on the CPU. With kprobes the skipped calls are only those that the program
 * itself makes. But trampolines can be preempted (__bpf_prog_enter_recur() in
 * kernel/bpf/trampoline.c of 6.12, while kprobe_multi_link_handler() is called with preemption
 * off): then calls of other threads are skipped, too.
 */
static bool is_complete(const struct pass *pass)
{
	const struct ledger *ledger = &pass->ledger;

	if (ledger->recursion_misses) {
		for (size_t i = 0; i < pass->plan->funcs.len; i++) {
			if (rung_is_trampoline(pass->attached.rungs[i]))
				return false;
		}
	}
	return ledger->attached == ledger->asked && !ledger->missed_by_kernel &&
	       !ledger->ftrace_off && !ledger->kprobes_off;
}

/* Which of the plan's functions were called in an activation; NULL: out of memory. */
static bool *called_in(const struct pass *pass, const struct activation *in)
{
	bool *called = calloc(pass->plan->funcs.len + 1, sizeof(*called));

	for (uint32_t i = in->first; called && i <= in->last; i++) {
		const struct traced_call *call = &pass->session->calls[i];

		if (call->kind != TRACED_PROBE && call->func < pass->plan->funcs.len)
			called[call->func] = true;
	}
	return called;
}

/* Whether a block calls a traced function that was not called. */
static bool makes_other_calls(struct why_code *code, const struct pass *pass, const bool *called,
			      const struct block *block)
{
	const struct symbol *symbol;
	struct branch_insn insn;
	uint32_t func;

	for (uint64_t addr = block->addr; addr < block->end; addr += insn.length) {
		if (code_branch(&code->reader, addr, &insn))
			return false;
		if (insn.kind != BRANCH_CALL)
			continue;
		symbol = called_symbol_of(&code->reader, insn.target);
		func = symbol ? pass_func(pass, symbol->addr) : UINT32_MAX;
		if (func != UINT32_MAX && !called[func])
			return true;
	}
	return false;
}

int why_rule_out_by_calls(struct why_code *code, struct target *target, const struct pass *pass,
			  const struct activation *in)
{
	_cleanup_(free_p) bool *called = NULL;
	int err = 0;

	if (!target->marks || !is_complete(pass))
		return 0;
	called = called_in(pass, in);
	if (!called)
		return -ENOMEM;
	vec_foreach(block, &target->graph.blocks) {
		uint32_t i = block - target->graph.blocks.data;

		if (err || !block->alive || target->marks[i] & BLOCK_ASKED ||
		    !makes_other_calls(code, pass, called, block))
			continue;
		target->marks[i] |= BLOCK_ASKED;
		err = narrow_learn(&target->graph, i, false);
	}
	return err;
}
