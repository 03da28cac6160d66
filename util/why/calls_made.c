// SPDX-License-Identifier: BSD-2-Clause
/* Finds out about the way through a function from the trace of the calls that it made. */
#include <errno.h>
#include <stdlib.h>

#include "util/base/cleanup.h"
#include "util/kernel/symbols/symbols.h"
#include "util/why/way/narrow.h"
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
		if (find_first(rung, pass->attached.rungs, pass->plan->funcs.len,
			       rung_is_trampoline(*rung)))
			return false;
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

/*
 * The blocks that one pass leaves, in a copy that has nothing else of the target: what it rules out
 * need not hold for the next pass. 0; -ENOMEM. Release it either way.
 */
static int rule_out_once(struct why_code *code, const struct target *target,
			 const struct pass *pass, const struct activation *in, struct target *own)
{
	int err = 0;

	*own = (struct target){};
	own->marks = calloc(target->graph.blocks.len, 1);
	if (!own->marks)
		return -ENOMEM;
	vec_foreach(block, &target->graph.blocks)
		err = err ?: vec_push(&own->graph.blocks, *block);
	return err ?: why_rule_out_by_calls(code, own, pass, in);
}

int why_find_way_by_calls(struct why_code *code, struct target *target, const struct pass *pass,
			  const struct activation *in)
{
	struct target own;
	int err = rule_out_once(code, target, pass, in, &own);

	err = err ?: placement_way(&own.graph, target->probed, target->hits.data, target->hits.len,
				   &own.way);
	if (!err && own.way.begin != WAY_MISMATCH &&
	    own.way.blocks.len > target->way.blocks.len) {
		struct way less = target->way;

		target->way = own.way;
		own.way = less;
	}
	target_release(&own);
	return err;
}

int why_want_by_calls(struct why_code *code, struct target *target, const struct pass *pass)
{
	const struct session *session = pass->session;
	struct activation all = { 0, session->nr_calls ? session->nr_calls - 1 : 0,
				  session->frames[0].result };
	struct target own;
	int err;

	/* Smaller functions have a probe wherever one is needed. */
	if (target->graph.blocks.len <= TARGET_MAX_PROBES || !session->nr_calls ||
	    pass_find(pass, &all, target->function.addr, all.result, &all) != 1)
		return 0;
	err = rule_out_once(code, target, pass, &all, &own);
	for (size_t i = 0; !err && i < own.graph.blocks.len; i++) {
		if (own.graph.blocks.data[i].alive)
			target->marks[i] |= BLOCK_WANTED;
	}
	target_release(&own);
	return err;
}
