// SPDX-License-Identifier: BSD-2-Clause
/*
 * Requests through io_uring: which function to begin with. Since Linux 6.0 each opcode has a function of its own, which
 * returns the error, or keeps it in the request and returns 0. A request that fails before that function, because of
 * its descriptor, fails in io_issue_sqe().
 */
#include "util/base/report.h"
#include "util/kernel/symbols/symbols.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/kernel_struct.h"
#include "util/why/watch/io_uring.h"
#include "util/why/why_internal.h"

const char why_request_member[] = "cqe.res";

static const char several_kinds[] = "requests of several kinds failed so, and which is which is not looked into";

/* Where a request keeps its result; 0: not known. */
static uint32_t kept_at(const struct btf *types)
{
	uint32_t request, entry, size, entry_at, result_at;

	if (kernel_struct_find(types, "io_kiocb", 4096, &request, &size) ||
	    kernel_struct_find(types, "io_cqe", 64, &entry, &size) ||
	    kernel_struct_member(types, request, "cqe", size, &entry_at) ||
	    kernel_struct_member(types, entry, "res", sizeof(int32_t), &result_at) ||
	    entry_at + result_at > UINT16_MAX)
		return 0;
	return entry_at + result_at;
}

/* The function of an opcode, from the kernel's table; NULL: not known, or there is none. */
static const struct symbol *opcode_function(const struct why *why, const struct btf *types, uint32_t opcode)
{
	uint64_t table = symbols_tables(why->code->symbols)->io_uring_issues, addr;
	uint32_t id, size, at;
	const struct symbol *symbol;

	if (!table ||
	    (kernel_struct_find(types, "io_issue_def", 256, &id, &size) &&
	     kernel_struct_find(types, "io_op_def", 256, &id, &size)) ||
	    kernel_struct_member(types, id, "issue", sizeof(addr), &at) ||
	    kcore_read(&why->code->live.kcore, table + (uint64_t)opcode * size + at, &addr, sizeof(addr)) != sizeof(addr))
		return NULL;
	symbol = symbols_at(why->code->symbols, addr);
	return symbol && symbol->addr == addr ? symbol : NULL;
}

static const struct symbol *function_of(const struct why *why, const struct watch_event *request)
{
	const struct btf *types = why->code->btf ? kernel_btf_types(why->code->btf, 0) : NULL;

	if (!request->io_uring || request->io_uring == WATCH_NO_OPCODE || !types)
		return NULL;
	return opcode_function(why, types, request->io_uring - 1);
}

const struct symbol *why_request_begin(struct why *why, const struct watch_event *request)
{
	const struct symbol *symbol = function_of(why, request);

	why->kept_at = symbol ? kept_at(kernel_btf_types(why->code->btf, 0)) : 0;
	return why->kept_at && why_can_trace(why->code, symbol) ? symbol : NULL;
}

void why_request_set_kept(struct why *why, struct target *target, bool kept)
{
	uint16_t at = kept ? why->kept_at : 0;

	if (target->stored_param != kept || target->stored_at != at)
		target->decided = false;
	target->stored_param = kept;
	target->stored_at = at;
}

enum why_kept why_request_take_kept(const struct why *why, uint64_t *result)
{
	const uint32_t mark = *result >> 32;

	if (!why->kept_at || (mark != KEPT_MARK && mark != KEPT_ELSEWHERE_MARK))
		return WHY_RETURNED;
	*result = (int64_t)(int32_t)*result;
	return mark == KEPT_MARK ? WHY_KEPT : WHY_KEPT_ELSEWHERE;
}

/* How many requests failed with the same errno in the function to begin with. */
static uint32_t count_alike(const struct why *why, const struct watch_event *request)
{
	const struct symbol *function = function_of(why, request);
	uint32_t nr = 0;

	if (!why->kept_at)
		return failed_calls_requests(&why->watched.calls, request);
	vec_foreach(event, &why->watched.calls.events) {
		if (event->kind == WATCH_FAILED && event->io_uring && event->result == request->result)
			nr += function_of(why, event) == function;
	}
	return nr;
}

const char *why_request_unknown(const struct why *why, const struct failed_call *call)
{
	if (!why->ask->command || why->ask->entry || call->event.result == -EAGAIN || io_uring_expects(&call->event))
		return "which function made the request fail is not looked into";
	if (why->ask->max_runs == 1)
		return "one run shows only which request failed";
	return count_alike(why, &call->event) == call->count ? NULL : several_kinds;
}

const char *why_request_refuser(const struct why *why)
{
	return why->runs_before ? "neither its function nor io_issue_sqe was seen to fail so, and which function made the "
				  "request fail is not looked into" :
				  "io_issue_sqe was not seen to return the error, and which function made the request fail "
				  "is not looked into";
}

int why_request_begin_again(struct why *why, const struct failed_call *call)
{
	const struct symbol *const *named;
	int index;

	why->kept_at = 0;
	why->runs_before = why->runs.len;
	why_release_targets(why);
	if (count_alike(why, &call->event) != call->count)
		why->unknown = several_kinds;
	else if (!symbols_named(why->code->symbols, io_uring_function(&call->event), &named) ||
		 !why_can_trace(why->code, named[0]))
		why->unknown = why_request_refuser(why);
	if (why->unknown)
		return 0;
	why->entry = named[0]->name;
	index = why_target(why, named[0]);
	if (index < 0)
		return index;
	return vec_push(&why->levels, (struct why_level){ index, call->event.result }) ? report_oom() : 0;
}
