/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why this errno: the branch that decided it, as far as the CPU's branch records, the code and
 * DWARF's lines show, and how the errno went up the call stack from there.
 */
#ifndef RETSNOOP_EXPLAIN_DECISION_H
#define RETSNOOP_EXPLAIN_DECISION_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/plan/plan.h"
#include "util/trace/session/session.h"

/* A place in code. Strings belong to debug info and symbols, and live as long. */
struct decision_place {
	uint64_t addr; /* 0: there is none */
	const char *symbol; /* the symbol at the address, and the offset in it; NULL: none */
	uint64_t offset;
	/* Source. For calls inlined from headers: the place of the call. */
	const char *function; /* NULL unknown; may be inlined into the symbol's */
	const char *file; /* NULL unknown */
	uint32_t line; /* 0 unknown */
	uint32_t column; /* 0 unknown */
	bool inlined; /* `function` is, into the symbol's */
	/* The function inlined from a header that has the address; NULL none. */
	const char *header_function;
	const char *header_file;
	uint32_t header_line;
};

struct decision_condition;

enum decision_kind {
	DECISION_NONE, /* these records do not show it: see `reason` */
	DECISION_TAKEN, /* a conditional branch that was taken */
	DECISION_NOT_TAKEN, /* a conditional branch that fell through to the error */
	DECISION_CALLEE, /* callees[] returned it, each to the previous one; no more is known */
	DECISION_SET, /* the result was put there as a constant at `from` */
	DECISION_READ, /* the result was read from memory at `from` */
	DECISION_COMPUTED, /* it was computed at `from` */
	DECISION_SELECTED, /* a constant, by a condition without a branch: a conditional move at `from` */
	DECISION_FAULTED, /* memory could not be accessed where `from` read or wrote */
};

/* A function that is not traced. It returned the result to the previous one, which passed it on. */
struct decision_callee {
	uint64_t addr; /* where it begins; 0 not known */
	const char *name; /* NULL not known */
	struct decision_place call; /* where it was called */
	/* The number of its parameter with the address by which it stored the result, from 1; 0: it returned it. */
	uint8_t stored_param;
	uint16_t stored_at; /* how far behind that address */
	bool stored_in_object; /* that the caller had got: if it did not store it, that was there before */
};

/* A function that handed the errno up. */
struct decision_step {
	const char *function; /* NULL unknown */
	bool inlined; /* into the next one */
	const struct event_frame *frame; /* a traced call of the session; NULL: none */
	int64_t code; /* of traced ones: what it failed with, or returned */
	bool changed; /* differs from the errno of the traced call below */
	struct decision_place place; /* where it called the function below; addr 0 not known */
};

struct decision {
	enum decision_kind kind;
	bool likely; /* not certain: see `reason`; else certain */
	/*
	 * DECISION_SELECTED: it is not certain that the condition held; its values would show it.
	 */
	bool settled_by_values;
	/* Likely only because the branch may have compared this constant: another value removes the doubt. */
	bool may_be_constant;
	int32_t constant;
	/* DECISION_CALLEE: if it was not that call, "err ?: other" returned the other. */
	bool has_other;
	bool result_is_constant; /* the code has it: it came from nowhere else */
	/* The number of the parameter by whose address `func` stored the result, from 1; 0: it returned it. */
	uint8_t stored_param;
	const char *stored_name; /* that parameter's name, as long as BTF is there; NULL: not known */
	const char *stored_member; /* of what it points to: "cqe.res"; NULL: it is the address of the result */
	/* It is about a call whose result a branch tested: which one of several calls of a function. */
	const char *of_function;
	uint32_t of_call, of_calls; /* from 1; of_calls up to 1: there are not several, or it is not known */
	bool steps_known; /* DECISION_NONE: the result came from `func`, and `steps` are from there */
	const char *reason; /* static text; why not sure, or why none; may be NULL */
	/* DECISION_NONE: the result was passed to the function in this register; -1: it was not. */
	int8_t given_in;
	uint32_t func; /* the function that failed: the plan's */
	uint64_t result;
	/*
	 * The next members are about the innermost of callees[], or `func` if there are none; with
	 * DECISION_CALLEE, about the caller of the innermost.
	 */
	struct decision_place from; /* the branch */
	struct decision_place to; /* where execution went on: its target, or the next instruction */
	bool to_shared; /* other branches lead there too */
	bool to_merged; /* several places in the source share this code; the line is one of them */
	/* Lines of from.file that were skipped; 0: none, or not known. Both included. */
	uint32_t skipped_first, skipped_last;
	/* The value that the branch compared: a call's result, or a value read elsewhere. */
	const char *tested_callee;
	uint64_t tested_call;	/* the same call's address, if the branch compared nothing else; 0: none */
	uint32_t tested_again; /* of tested_call: how often the way passes it again afterwards */
	struct decision_place tested;
	/*
	 * With a condition: a call that had returned the same error before; the branch only looked
	 * for an exception ("if (err == -ENOENT && !may_be_missing) return err"). NULL: none.
	 */
	const char *failed_callee;
	const struct decision_condition *condition; /* of the branch; borrowed; NULL: not known */
	VEC(struct decision_callee) callees; /* outermost first */
	VEC(struct decision_step) steps; /* innermost first, the failing function left out */
};

/* Of a function's result: nothing is known yet. Memory of an earlier decision is used again. */
static inline void decision_begin(struct decision *decision, uint32_t func, uint64_t result)
{
	*decision = (struct decision){
		.func = func,
		.result = result,
		.callees.data = decision->callees.data,
		.callees.cap = decision->callees.cap,
		.steps.data = decision->steps.data,
		.steps.cap = decision->steps.cap,
	};
}

static inline void decision_release(struct decision *decision)
{
	vec_release(&decision->callees);
	vec_release(&decision->steps);
}

#endif
