// SPDX-License-Identifier: BSD-2-Clause
/*
 * Why this errno.
 *
 * Branch records and code give the way that the failing function took. On it, the result is
 * followed from its origin to the return. The origin is a constant, a call's result, a read or a
 * computation. This is what happened, not a guess.
 *
 * The decision is the last conditional branch on that way whose other side could have led to
 * another result (decider_branch.c).
 *
 * A result that a call returned was decided in the called function. If that is not traced, its way
 * is found in the same manner, as far as records go back.
 *
 * Where records or code do not suffice, the decision is `likely`, or there is none. Records of
 * returns alone (any_return) show no branches. They show which functions returned; the code shows
 * whether such a result could have become this one, given the calls in between.
 */
#include "util/explain/decider.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/explain/decider_internal.h"
#include "util/explain/decision.h"
#include "util/explain/decision_lines.h"
#include "util/explain/decision_steps.h"
#include "util/explain/flow/result_flow.h"
#include "util/explain/function/branch_path.h"
#include "util/kernel/code/routine.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/trace/attach/tracing_code.h"

/* Functions in a row that return each other's result. */
#define MAX_CALLEES 8
/* How many of a function's last calls its result may come from. */
#define MAX_CALLS_BACK 8

int decider_new(struct symbolizer *symbolizer, const struct plan *plan,
		const struct code_source *code, uint64_t types, struct decider **ret_decider)
{
	struct decider *decider = calloc(1, sizeof(*decider));

	if (!decider)
		return report_oom();
	decider->plan = plan;
	decider->types = types;
	code_reader_init(&decider->reader, symbolizer, code);
	*ret_decider = decider;
	return 0;
}

void decider_set_current(struct decider *decider, uint64_t current_task)
{
	decider->reader.current_task = current_task;
}

void decider_set_btf(struct decider *decider, struct kernel_btf *btf)
{
	decider->btf = btf;
}

void decider_set_data(struct decider *decider, struct data_symbols *data)
{
	decider->reader.data = data;
}

void decider_set_union(struct decider *decider, const struct union_member *in_use)
{
	decider->in_use = in_use;
}

void decider_free(struct decider *decider)
{
	if (!decider)
		return;
	code_reader_release(&decider->reader);
	path_release(&decider->path);
	flow_release(&decider->flow);
	free(decider);
}

static void set_doubt(struct decision *decision, const char *reason)
{
	decision->likely = true;
	decision->reason = reason;
}

static bool is_made_code(const struct symbol *symbol)
{
	return is_tracing_code(symbol->name, symbol->module) ||
	       is_bpf_program(symbol->name, symbol->module);
}

/* The function that returned, by a record of a return; NULL: a thunk, or code of tracing. */
static const struct symbol *who_is_left(const struct decider *decider, const struct branch *record,
					bool *ret_is_thunk)
{
	const struct symbol *symbol = symbol_of(&decider->reader, record->from);

	*ret_is_thunk = symbol && thunk_kind(symbol->name, symbol->module) == RETURN_THUNK;
	return !symbol || *ret_is_thunk || is_made_code(symbol) ? NULL : symbol;
}

/*
 * The function that returned by one of the records (first, back], the last of which leads to the
 * caller. NULL: not known.
 */
static const struct symbol *who_returned(const struct decider *decider, uint32_t first,
					 uint32_t back)
{
	const struct symbol *symbol = NULL;
	bool is_thunk = true;

	for (uint32_t i = back; i > first && is_thunk; i--) {
		const struct branch *record = &decider->branches->v.data[i];

		if (!(record->marks & (BRANCH_IS_BLANK | BRANCH_IS_INTERRUPT)))
			symbol = who_is_left(decider, record, &is_thunk);
	}
	return symbol;
}

/* The function that begins at a call's target; NULL: none, a thunk, or code of tracing. */
static const struct symbol *who_was_called(const struct decider *decider, uint64_t target)
{
	const struct symbol *symbol = target ? called_symbol_of(&decider->reader, target) : NULL;

	return symbol && !is_made_code(symbol) && !thunk_kind(symbol->name, symbol->module) ?
		       symbol :
		       NULL;
}

void decider_set_passing(struct decider *decider, uint64_t call, uint8_t reg)
{
	const struct insn *insn;

	decider->flow.passing = (struct passing_call){ .addr = call, .reg = reg };
	if (call && !code_insn(&decider->reader, call, &insn) && insn->branch.kind == BRANCH_CALL &&
	    who_was_called(decider, insn->branch.target))
		decider->flow.passing.callee = insn->branch.target;
}

static const struct symbol *callee_of(struct decider *decider, const struct path_step *step)
{
	const struct symbol *symbol = NULL;

	/* A routine may return from a label of another name. */
	if (step->back != NO_RECORD &&
	    callee_at(&decider->reader, step->insn.target).kind != CALLEE_ROUTINE)
		symbol = who_returned(decider, step->record, step->back);
	return symbol ?: who_was_called(decider, step->insn.target);
}

static int add_callee(struct decider *decider, struct decision *decision,
		      const struct symbol *symbol, uint64_t call, bool is_return)
{
	struct decision_callee callee = { .stored_param = decider->callee_param, .stored_at = decider->callee_at,
					  .stored_in_object = decider->callee_in_object };

	if (symbol) {
		callee.addr = symbol->addr;
		callee.name = symbol->name;
	}
	place_fill(&decider->reader, call, is_return, &callee.call);
	return vec_push(&decision->callees, callee);
}

static int decide_in(struct decider *decider, const struct code_function *function, uint32_t first,
		     uint32_t end, struct decision *decision);

const char *decider_tested_callee(struct decider *decider, const struct flow_branch *branch)
{
	const struct symbol *symbol = NULL;

	for (uint32_t i = 0; i < branch->nr_tested; i++) {
		const struct origin *origin = &branch->tested[i];

		if (origin->kind == ORIGIN_CALL)
			symbol = callee_of(decider, &decider->path.steps.data[origin->step]);
	}
	return symbol ? symbol->name : NULL;
}

/*
 * Fill in what a branch compared, if its place does not show it: a call's result, or a value read
 * elsewhere.
 */
static void fill_tested(struct decider *decider, const struct flow_branch *branch,
			struct decision *decision)
{
	const struct path_step *steps = decider->path.steps.data;

	decision->tested_callee = decider_tested_callee(decider, branch) ?: decision->tested_callee;
	if (branch->nr_tested == 1 && branch->tested[0].kind == ORIGIN_CALL) {
		decision->tested_call = steps[branch->tested[0].step].addr;
		decision->tested_again = path_times_again(&decider->path, branch->tested[0].step);
	}
	for (uint32_t i = 0; i < branch->nr_tested; i++) {
		const struct origin *origin = &branch->tested[i];

		if (origin->kind == ORIGIN_READ && !origin->was_stored) {
			place_fill(&decider->reader, steps[origin->step].addr, false,
				   &decision->tested);
		}
	}
}

/* A call returned the result: find the decision in the called function. */
static int look_into_callee(struct decider *decider, uint32_t end, struct decision *decision)
{
	const struct path *path = &decider->path;
	const struct path_step *step = &path->steps.data[decider->flow.result.step];
	bool tail_call = decider->flow.result.step == path->steps.len - 1 &&
			 step->insn.kind != BRANCH_CALL && step->insn.kind != BRANCH_INDIRECT_CALL;
	const struct symbol *symbol;
	uint32_t first = step->record, past = step->back + 1;
	const uint8_t param = decider->stored_param;
	const uint16_t at = decider->stored_at;
	const size_t nr_callees = decision->callees.len;
	struct decision here;
	int err;

	symbol = tail_call ? who_was_called(decider, step->next) : callee_of(decider, step);
	if (tail_call)
		past = end;
	err = add_callee(decider, decision, symbol, step->addr, false);
	if (err || !symbol || first == NO_RECORD || past == 0 ||
	    decision->callees.len >= MAX_CALLEES)
		return err;
	/* A routine's way is exception handling, which decides nothing. */
	if (callee_at(&decider->reader, symbol->addr).kind == CALLEE_ROUTINE)
		return 0;
	here = *decision;
	decision->to = decision->tested = (struct decision_place){};
	decision->tested_callee = NULL;
	decision->tested_call = decision->tested_again = 0;
	decision->likely = false;
	decision->reason = NULL;
	decider->stored_param = decider->callee_param;
	decider->stored_at = decider->callee_at;
	/* With its call, the way is known to be whole: then an address is known to be the parameter's. */
	err = decide_in(decider, &(struct code_function){ symbol->addr, symbol->size, symbol->name },
			first + !decider->stored_param, past, decision);
	decider->stored_param = param;
	decider->stored_at = at;
	if (!err && decision->kind != DECISION_NONE) {
		if (here.likely)
			set_doubt(decision, here.reason);
		return 0;
	}
	if (!err && decision->reason == decider_not_stored) {
		decision_set_none(decision, decider_stored_by_address);
		decision->callees.len = nr_callees;
		return 0;
	}
	/* No decision in the callee: it is still known that the result came from there. */
	here.callees.data = decision->callees.data;
	here.callees.len = decision->callees.len;
	here.callees.cap = decision->callees.cap;
	*decision = here;
	return err;
}

static enum decision_kind kind_of_result(const struct origin *result)
{
	switch (result->kind) {
	case ORIGIN_CONSTANT:
		return DECISION_SET;
	case ORIGIN_CALL:
		return DECISION_CALLEE;
	case ORIGIN_READ:
		return DECISION_READ;
	case ORIGIN_COMPUTED:
		return DECISION_COMPUTED;
	default:
		return DECISION_NONE;
	}
}

/* The values that the condition compared can remove this doubt (settled_by_values). */
static const char maybe_another[] =
	"where the condition did not hold, the result may have been the same";

struct operand_way decider_way(struct decider *decider, const struct code_function *function)
{
	return (struct operand_way){ .reader = &decider->reader,
				     .btf = decider->btf,
				     .function = function,
				     .path = &decider->path,
				     .in_use = decider->in_use };
}

/* Fill in the decision. The result's origin is known; @branch is NULL if no branch is. */
static int describe(struct decider *decider, const struct code_function *function,
		    const struct flow_branch *branch, const char *doubtful, uint32_t end,
		    struct decision *decision)
{
	const struct path *path = &decider->path;
	const struct origin *result = &decider->flow.result;
	bool computed = result->kind == ORIGIN_COMPUTED && !(branch && decider->negates_param);
	const struct flow_branch *move = NULL;
	const char *doubtful_before = NULL;
	int err = 0;

	decision->kind = kind_of_result(result);
	decision->likely = decision->may_be_constant = false;
	decision->result_is_constant = result->kind == ORIGIN_CONSTANT;
	decision->reason = NULL;
	if (computed && decider->flow.chosen >= 0 && (!branch || doubtful))
		move = &decider->flow.branches.data[decider->flow.chosen];
	if (move) {
		const struct flow_branch *before =
			decider_find_before(decider, function, move, &doubtful_before);

		if (before && before->is_move) {
			move = before;
		} else if (before) {
			branch = before;
			doubtful = doubtful_before;
			move = NULL;
			computed = false;
		}
	}
	if (move) {
		decision->kind = DECISION_SELECTED;
		decision->settled_by_values = !decider->flow.chosen_surely && !result->was_stored &&
					      decider->flow.chosen == move - decider->flow.branches.data;
		decider->decided = move->step;
		place_fill(&decider->reader, path->steps.data[move->step].addr, false,
			   &decision->from);
		fill_tested(decider, move, decision);
		doubtful = decider->flow.chosen_surely ? doubtful_before : maybe_another;
	} else if (branch && (!computed || decider->flow.chosen >= 0)) {
		const struct path_step *step = &path->steps.data[branch->step];

		decision->kind = branch->taken ? DECISION_TAKEN : DECISION_NOT_TAKEN;
		decider->decided = branch->step;
		place_fill(&decider->reader, step->addr, false, &decision->from);
		fill_tested(decider, branch, decision);
		err = decision_lines_fill(&decider->reader, function, path, step->next, decision);
	} else if (decision->kind != DECISION_NONE) {
		place_fill(&decider->reader, path->steps.data[result->step].addr, false,
			   &decision->from);
		vec_foreach(other, &decider->flow.branches) {
			if (other->is_move && other->step == result->step)
				fill_tested(decider, other, decision);
		}
	}
	if (decider_may_have_changed(decider, function)) {
		set_doubt(decision, "the result was kept in memory meanwhile");
	} else if (doubtful && (move || (branch && !computed))) {
		set_doubt(decision, doubtful);
		decision->may_be_constant = !move && decider_compared_constant(branch, doubtful,
									       &decision->constant);
	} else if (decider->flow.assumed) {
		set_doubt(decision, maybe_another);
	}
	if (!err && result->kind == ORIGIN_CALL) {
		decision->kind = DECISION_CALLEE;
		decision->has_other = decider->flow.by_call;
		err = look_into_callee(decider, end, decision);
	}
	return err;
}

/* A called function stored the result by an address. */
static int describe_stored(struct decider *decider, const struct code_function *function,
			   const struct flow_stored *stored, uint32_t end, struct decision *decision)
{
	int err;

	decider->flow.result = (struct origin){ .kind = ORIGIN_CALL, .step = stored->step };
	decider->flow.assumed = decider->flow.by_call = false;
	decider->callee_param = stored->param;
	decider->callee_at = stored->at;
	decider->callee_in_object = stored->in_object;
	err = describe(decider, function, NULL, NULL, end, decision);
	if (!err && decision->kind == DECISION_CALLEE && !decision->likely &&
	    decision->callees.data[decision->callees.len - 1].stored_param)
		set_doubt(decision, stored->several ? "several calls got the address of what was returned" :
						      "it got the address of what was returned");
	return err;
}

/* Decide in @function, whose last return among records [first, end) gave the result. */
static int decide_in(struct decider *decider, const struct code_function *function, uint32_t first,
		     uint32_t end, struct decision *decision)
{
	const struct flow_branch *branch;
	const char *doubtful = NULL;
	struct flow_stored stored;
	int err;

	decider->callee_param = decider->callee_at = 0;
	decider->callee_in_object = false;
	err = path_find(&decider->reader, function, decider->branches, first, end,
			decider->types & PERF_SAMPLE_BRANCH_ANY, &decider->path);
	if (err == -ENOENT)
		decision_set_none(decision, decider->path.begin == PATH_OLDER ?
					   "the branch records do not show the function's return" :
					   decider_why_no_older(decider->path.begin));
	if (err)
		return err == -ENOENT ? 0 : err;
	err = decider_follow(decider, function, &stored);
	if (err)
		return err;
	if (stored.by == STORED_BY_CALL) {
		err = describe_stored(decider, function, &stored, end, decision);
		if (err || !stored.in_object || decision->reason != decider_stored_by_address)
			return err;
		decider->was_there = true;
		err = decide_in(decider, function, first, end, decision);
		decider->was_there = false;
		return err;
	}
	if (!decider_has_origin(decider, function, &stored, decision))
		return 0;
	decider->negates_param = decider_negates_param(decider, function);
	decider->reads_table = decider_reads_table(decider, function);
	branch = stored.kept_by ?
			 &decider->flow.branches.data[stored.kept_by - 1] :
			 decider_find_branch(decider, function, decider->flow.branches.len,
					     decider->flow.result.kind == ORIGIN_CONSTANT || decider->negates_param ||
						     decider->reads_table,
					     &doubtful);
	/*
	 * The place where code loads a constant explains nothing; an older branch chose the
	 * constant.
	 */
	if (!branch && decider->flow.result.kind == ORIGIN_CONSTANT &&
	    decider->path.begin != PATH_WHOLE) {
		decision_set_none(decision, decider_why_no_older(decider->path.begin));
		return 0;
	}
	err = describe(decider, function, branch, doubtful, end, decision);
	if (!err && stored.may_store_more && !decision->likely && decision->kind != DECISION_NONE)
		set_doubt(decision, "it may have stored another error later");
	return err;
}

/* The function that the direct call before address @to calls; NULL: not known. */
static const struct symbol *called_before(struct decider *decider, const struct code_function *function,
					  uint64_t to)
{
	uint64_t at = function->addr;
	struct branch_insn insn;

	for (; at < to && to - function->addr < function->size; at += insn.length) {
		if (code_branch(&decider->reader, at, &insn))
			return NULL;
		if (at + insn.length == to)
			return insn.kind == BRANCH_CALL ? who_was_called(decider, insn.target) :
							  NULL;
	}
	return NULL;
}

/* The function that returned into @function by this record; NULL: not known. */
static const struct symbol *who_returned_into(struct decider *decider,
					      const struct code_function *function,
					      const struct branch *record)
{
	bool is_thunk;
	const struct symbol *left = who_is_left(decider, record, &is_thunk);

	/* A routine may return from a label of another name. */
	if (left && callee_at(&decider->reader, left->addr).kind != CALLEE_ROUTINE)
		return left;
	return called_before(decider, function, record->to) ?: left;
}

/*
 * Find the call whose result @function may have returned, from records of returns into it: the last
 * call whose result can have become the function's.
 *
 * @end		the record of the function's own return, or the number of records
 */
static int decide_by_returns(struct decider *decider, const struct code_function *function, uint32_t end,
			     struct decision *decision)
{
	uint64_t body = function_body(&decider->reader, function), returns[MAX_CALLS_BACK];
	const struct branch *records = decider->branches->v.data;
	bool handed_on = false, own = false, may_be_own = false;
	const struct symbol *symbol = NULL;
	uint32_t nr = 0, back = end;
	int err;

	while (!handed_on && back-- > 0 && nr < MAX_CALLS_BACK) {
		const struct branch *record = &records[back];
		uint64_t order[MAX_CALLS_BACK];

		if (record->marks & (BRANCH_IS_BLANK | BRANCH_IS_INTERRUPT))
			continue;
		/* The function returned from an earlier call. */
		if (function_contains(&decider->reader, function, record->from))
			break;
		if (!function_contains(&decider->reader, function, record->to) ||
		    (record->to >= function->addr && record->to <= body))
			continue;
		for (uint32_t i = 0; i < nr; i++)
			order[i] = returns[nr - 1 - i];
		own = false;
		symbol = who_returned_into(decider, function, record);
		err = flow_without_calls(&decider->reader, function, record->to,
					 symbol ? symbol->addr : 0, order, nr, decider->value,
					 &decider->flow, &handed_on, &own);
		if (err == -ENOMEM)
			return err;
		/* Without the code, only the order of returns is known: take the last one. */
		handed_on |= err && !nr;
		may_be_own |= own;
		returns[nr++] = record->to;
	}
	if (!handed_on) {
		if (!decision->callees.len)
			decision_set_none(decision, may_be_own ?
				 "the function may have set it itself; only returns were recorded, "
				 "--lbr=any shows more" :
				 "only returns were recorded, --lbr=any shows more");
		return 0;
	}
	if (!symbol)
		return 0;
	decision->kind = DECISION_CALLEE;
	set_doubt(decision, "only returns were recorded, --lbr=any shows more");
	err = add_callee(decider, decision, symbol, records[back].to, true);
	if (err || decision->callees.len >= MAX_CALLEES)
		return err;
	return decide_by_returns(decider,
				 &(struct code_function){ symbol->addr, symbol->size, symbol->name },
				 back, decision);
}

/* Index of the record by which the function returned; the number of records, if none is. */
static uint32_t own_return(struct decider *decider, const struct code_function *function)
{
	const struct branches *branches = decider->branches;

	for (uint32_t i = branches->v.len; i-- > 0;) {
		const struct branch *record = &branches->v.data[i];

		if (!(record->marks & (BRANCH_IS_BLANK | BRANCH_IS_INTERRUPT)) &&
		    function_contains(&decider->reader, function, record->from) &&
		    !function_contains(&decider->reader, function, record->to))
			return i;
	}
	return branches->v.len;
}

static int find_decision(struct decider *decider, const struct session *session,
			 struct decision *decision)
{
	const struct branches *branches = decider->branches;
	const struct plan_func *func = &decider->plan->funcs.data[session->branches_func];
	struct code_function function = { func->addr, func->size, func->name };
	struct branch_insn insn;
	int err;

	/* The view of branches reports it. */
	if (branches->none_left)
		return 0;
	err = code_branch(&decider->reader, function.addr, &insn);
	if (err) {
		decision_set_none(decision, "the kernel's code cannot be read");
		return 0;
	}
	if (decider->types & (PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_COND))
		return decide_in(decider, &function, 0, branches->v.len, decision);
	if (decider->types & PERF_SAMPLE_BRANCH_ANY_RETURN)
		return decide_by_returns(decider, &function, own_return(decider, &function),
					 decision);
	decision_set_none(decision, "conditional branches were not recorded; --lbr=any has them");
	return 0;
}

int decide(struct decider *decider, const struct session *session, const struct branches *branches,
	   const struct stack_rows *stack, struct decision *decision)
{
	int err;

	decision_begin(decision, 0, 0);
	if (!session->failed || !session->nr_branches ||
	    session->branches_func >= decider->plan->funcs.len)
		return 0;
	decision->func = session->branches_func;
	decision->result = session->branches_result;
	decider->branches = branches;
	decider->value = session->branches_result;
	code_reader_forget(&decider->reader);
	err = find_decision(decider, session, decision);
	return err ?: decision_steps_fill(stack, session, decision);
}
