/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why this errno: the last conditional branch of the failing function before its return, as far as
 * the CPU's branch records, the code and DWARF's lines tell, and how the errno went up from there.
 */
#ifndef RETSNOOP_TRACE_DECISION_H
#define RETSNOOP_TRACE_DECISION_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/trace/branch_trim.h"
#include "util/trace/plan.h"
#include "util/trace/session.h"

struct code_source;
struct symbolizer;
struct decider;

/* A place in source code, inlined calls resolved; strings of debug info, valid as long as it. */
struct decision_place {
	uint64_t addr;
	const char *function;	/* innermost there; NULL unknown */
	const char *file;	/* NULL unknown */
	uint32_t line;		/* 0 unknown */
	bool inlined;		/* `function` is inlined into the failing one */
};

enum decision_kind {
	DECISION_NONE,		/* not to be told from these records: see `reason` */
	DECISION_TAKEN,		/* a conditional branch that was taken */
	DECISION_NOT_TAKEN,	/* one that was not: it fell through to the error */
	DECISION_CALLEE,	/* a callee that is not traced returned, and the function handed it on */
};

/* One function of the chain that handed the errno up, innermost first. */
struct decision_step {
	uint32_t func;		/* the plan's function */
	uint64_t result;	/* return register as it was */
	bool changed;		/* it failed with another result than the one below */
	struct decision_place place;	/* where it called the one below, from the kernel stack; may be unknown */
};

struct decision {
	enum decision_kind kind;
	bool likely;		/* not sure: see `reason`; else it is what happened */
	const char *reason;	/* static text; why not sure, or why none; may be NULL */
	uint32_t func;		/* the function that failed: the plan's */
	uint64_t result;
	struct decision_place from;	/* the branch */
	struct decision_place to;	/* where it went on: its target, or what follows it */
	/* Lines of from.file that were passed over; 0: none, or not known. Both included. */
	uint32_t skipped_first, skipped_last;
	uint64_t callee;	/* DECISION_CALLEE: the address it returned from; see symbols */
	VEC(struct decision_step) steps;
};

/**
 * @code	reads the kernel's code; NULL: none can be read
 * All are borrowed and outlive the decider.
 */
int decider_new(struct symbolizer *symbolizer, const struct plan *plan,
		const struct code_source *code, struct decider **ret_decider);
void decider_free(struct decider *decider);

/**
 * @branches	of the session, trimmed
 * @decision	filled in; may have been filled before
 * @return	0, DECISION_NONE included; -ENOMEM
 */
int decide(struct decider *decider, const struct session *session, const struct branches *branches,
	   struct decision *decision);
void decision_release(struct decision *decision);

#endif
