/* SPDX-License-Identifier: BSD-2-Clause */
/* A walk over all ways through a function. For result_walk.c and result_ends.c. */
#ifndef RETSNOOP_EXPLAIN_FLOW_RESULT_WALK_H
#define RETSNOOP_EXPLAIN_FLOW_RESULT_WALK_H

#include "util/explain/flow/result_flow_internal.h"

/* A walk over all ways at once. */
struct walk {
	struct code_reader *reader;
	const struct code_function *function;
	struct result_flow *results;
	struct flow slots; /* which stack slots the bits stand for */
	bool constants; /* constants of the result's value count, too */
	int32_t or_result; /* so does this one; 0: none */
	bool errors; /* constants that are another error than the result count, and no others */
	bool was_read; /* the value came from memory */
	bool any; /* where it came from is not known: whatever is no constant may be the value */
	/* Whether what returns the value got it from the places: nothing else but constants of another value is known. */
	bool hands_on;
	bool is_number; /* the places' value is results->value */
	bool is_address; /* the places' value is an address; what may be stored by it is all that is sought */
	const uint64_t *returns; /* calls that were made; NULL: any */
	uint32_t nr_returns;
	/* A comparison: ways end there, and nowhere else. Constants with which its branch goes the same way count. */
	uint64_t compared_at; /* 0: none */
	int compared; /* the place: a register, or on the stack */
	const struct path *path;
	const struct flow_branch *branch;
	unsigned int steps;
	bool for_all; /* only what all ways have in common is asked */
	bool joined; /* ways are joined where they meet, and only what they have in common is known then */
	bool too_many; /* more ways than the limit */
	/* Ends found so far. */
	bool same, different, unclear, different_behind_trap;
	bool stored; /* a place with the value was stored in memory on some way; is_address: stored by it, or passed on */
	bool may_store; /* is_address: some way stores by what may be the address */
};

/* The way leaves the function for good. */
void walk_out(struct walk *walk, const struct flow_point *point, uint64_t target);

/**
 * Walk all ways from a point, up to their ends. If there are too many for one by one, and with walk->for_all, they are
 * joined where they meet; ends that are different are unclear then.
 *
 * @enough	stop when it is set; NULL: walk all ways
 * @return	0; -ENOMEM
 */
int walk_all(struct walk *walk, struct flow_point from, const bool *enough);

#endif
