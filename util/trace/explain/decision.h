/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why this errno: the branch that decided it, as far as the CPU's branch records, the code and
 * DWARF's lines tell, and how the errno went up from there.
 */
#ifndef RETSNOOP_TRACE_EXPLAIN_DECISION_H
#define RETSNOOP_TRACE_EXPLAIN_DECISION_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/trace/plan/plan.h"
#include "util/trace/session/session.h"

/* A place in code; strings of debug info and symbols, valid as long as they. */
struct decision_place {
	uint64_t addr; /* 0: there is none */
	const char *symbol; /* that the address is in, and how far; NULL: in none */
	uint64_t offset;
	/* Source. Of calls inlined from headers, where they are called from. */
	const char *function; /* NULL unknown; may be inlined into the symbol's */
	const char *file; /* NULL unknown */
	uint32_t line; /* 0 unknown */
	uint32_t column; /* 0 unknown */
	bool inlined; /* `function` is, into the symbol's */
	/* The call inlined from a header that the address is in; NULL none. */
	const char *header_function;
	const char *header_file;
	uint32_t header_line;
};

struct decision_condition;

enum decision_kind {
	DECISION_NONE, /* not to be told from these records: see `reason` */
	DECISION_TAKEN, /* a conditional branch that was taken */
	DECISION_NOT_TAKEN, /* one that was not: it fell through to the error */
	DECISION_CALLEE, /* callees[] returned it, each to the one before; no more is known */
	DECISION_SET, /* the result was put there as a constant at `from` */
	DECISION_READ, /* the result was read from memory at `from` */
	DECISION_COMPUTED, /* it was computed at `from` */
	DECISION_SELECTED, /* a constant, by a condition without a branch: a conditional move at `from` */
};

/* A function that is not traced and returned the result to the one before, which handed it on. */
struct decision_callee {
	uint64_t addr; /* where it begins; 0 not known */
	const char *name; /* NULL not known */
	struct decision_place call; /* where it was called */
};

/* A function that handed the errno up. */
struct decision_step {
	const char *function; /* NULL unknown */
	bool inlined; /* into the next one */
	const struct event_frame *frame; /* a traced call of the session; NULL: none */
	int64_t code; /* of traced ones: what it failed with, or returned */
	bool changed; /* that is not what the traced one below failed with */
	struct decision_place place; /* where it called the one below; addr 0 not known */
};

struct decision {
	enum decision_kind kind;
	bool likely; /* not sure: see `reason`; else it is what happened */
	/* DECISION_SELECTED: that the condition held is not sure, and would be settled by its values. */
	bool settled_by_values;
	bool steps_known; /* DECISION_NONE: the result came from `func`, and `steps` are from there */
	const char *reason; /* static text; why not sure, or why none; may be NULL */
	/* DECISION_NONE: the result was passed to the function in this register; -1: it was not. */
	int8_t given_in;
	uint32_t func; /* the function that failed: the plan's */
	uint64_t result;
	/*
	 * What follows is of the innermost of callees[], if there are any, and of `func` else; with
	 * DECISION_CALLEE, of the one that called the innermost.
	 */
	struct decision_place from; /* the branch */
	struct decision_place to; /* where it went on: its target, or what follows it */
	bool to_shared; /* other branches lead there, too */
	bool to_merged; /* it is of several places in the source; the line is of one */
	/* Lines of from.file that were passed over; 0: none, or not known. Both included. */
	uint32_t skipped_first, skipped_last;
	/* What the branch compared: what a call had returned, or what was read elsewhere. */
	const char *tested_callee;
	struct decision_place tested;
	const struct decision_condition *condition; /* of the branch; borrowed; NULL: not known */
	VEC(struct decision_callee) callees; /* outermost first */
	VEC(struct decision_step) steps; /* innermost first, the failing function left out */
};

static inline void decision_release(struct decision *decision)
{
	vec_release(&decision->callees);
	vec_release(&decision->steps);
}

#endif
