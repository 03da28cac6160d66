// SPDX-License-Identifier: BSD-2-Clause
/*
 * Functions that cannot be traced, between one that is examined and one called inside that returned the same
 * result: whether they passed it up is known if no way through their code returns that but those that do so.
 */
#include "util/explain/flow/result_flow.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/plan/plan.h"
#include "util/why/why_internal.h"

/*
 * Whether the function at an address of the stack, which returned the result, got it from the call there.
 *
 * @is_known	that call returned it
 */
static bool hands_on(const struct why *why, const struct symbol *symbol, uint64_t ip, uint64_t result, bool is_known)
{
	const struct code_function function = { symbol->addr, symbol->size, symbol->name };

	return flow_hands_on(&why->code->reader, &function, ip, result, is_known);
}

/* Whether the stack is one of a call of the function that returned the result. */
static bool is_of_call(const struct pass *pass, uint64_t inner)
{
	const struct session *session = pass->session;
	const int32_t result = session->frames[0].result;

	if ((int32_t)session->frames[session->nr_frames - 1].result != result)
		return false;
	for (uint32_t i = 0; i < session->nr_frames; i++) {
		const struct event_frame *frame = &session->frames[i];

		if (pass->plan->funcs.data[frame->func].addr == inner)
			return (int32_t)frame->result == result;
	}
	return false;
}

bool why_surely_passed(const struct why *why, const struct pass *pass, const struct target *outer, uint64_t inner,
		       uint64_t result)
{
	const struct session *session = pass->session;
	bool found, is_known = true;

	if (!session->nr_frames || !is_of_call(pass, inner))
		return false;
	/* The stack may begin where the innermost call returns to. */
	found = !session->at_entry &&
		pass->plan->funcs.data[session->frames[session->nr_frames - 1].func].addr == inner;
	for (uint32_t i = 0; i < session->nr_ips; i++) {
		const uint64_t ip = session->ips[i];
		const struct symbol *symbol = symbolizer_symbol(why->code->symbolizer, ip);
		/* It was just entered, or left by a jump: nothing of it is left to do. */
		bool starts = symbol && symbol->addr == ip;

		if (!starts)
			symbol = symbolizer_symbol(why->code->symbolizer, ip - 1);
		if (!symbol)
			return false;
		if (symbol->addr == inner) {
			/* It called itself. */
			if (found)
				return false;
			found = true;
		} else if (found && symbol->addr == outer->function.addr) {
			return true;
		} else if (found && arch_calls_syscalls(symbol->name)) {
			/* The outer one jumped there at its end. */
			return true;
		} else if (found && (why_can_trace(why->code, symbol) ||
				     (!starts && !hands_on(why, symbol, ip, result, is_known)))) {
			return false;
		} else if (found && !starts) {
			is_known = false;
		}
	}
	return false;
}
