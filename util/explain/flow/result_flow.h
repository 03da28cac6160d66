/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a function's result comes from: follows values in registers and on the stack along the way
 * that was taken, and along the ways that were not.
 */
#ifndef RETSNOOP_EXPLAIN_FLOW_RESULT_FLOW_H
#define RETSNOOP_EXPLAIN_FLOW_RESULT_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/explain/function/branch_path.h"
#include "util/explain/function/function_code.h"

enum origin_kind {
	ORIGIN_UNKNOWN,
	ORIGIN_START, /* it existed at the beginning of the way */
	ORIGIN_CONSTANT, /* a constant: the result's value */
	ORIGIN_OTHER, /* another constant */
	ORIGIN_CALL, /* a call returned it */
	ORIGIN_READ, /* from memory */
	ORIGIN_COMPUTED,
};

/*
 * A value that depends on a condition, by a conditional move or a flag in a register: the value if
 * the condition held, and if it did not.
 */
struct choice {
	uint32_t move; /* of result_flow.branches, plus 1; 0: constants, the same in both cases */
	bool is_byte; /* only the lowest byte is known */
	bool is_known[2]; /* [1]: if it held */
	bool was_stored[2]; /* as in struct origin */
	uint32_t loaded[2];
	int32_t values[2]; /* the lower half */
};

/*
 * Where a value comes from. Two with the same kind and step are the same value; so are constants.
 */
struct origin {
	uint8_t kind; /* enum origin_kind */
	bool was_stored; /* on the stack meanwhile, where other code could have changed it */
	uint32_t loaded; /* the last step that loaded it from there; UINT32_MAX: several did, from several places */
	int64_t loaded_from; /* as in struct flow.slots; else it is not known */
	uint32_t step; /* step where it appeared; ORIGIN_START: which register or slot */
	struct choice choice; /* of constants and computed values */
};

bool same_origin(const struct origin *a, const struct origin *b);

#define FLOW_SLOTS 32
/* The frame pointer is not known; while it does not move, its places count as separate ones. */
#define FLOW_NO_FRAME (1ll << 40)
/* The stack pointer's place after its lower bits were cleared: far from all other places. */
#define FLOW_ALIGNED_STACK (-(1ll << 32))
#define FLOW_PLACES (NR_REGISTERS + FLOW_SLOTS)

struct flow {
	struct origin places[FLOW_PLACES]; /* registers, then stack slots in use */
	int64_t slots[FLOW_SLOTS]; /* their offsets from the stack pointer where the way begins */
	uint8_t slot_bytes[FLOW_SLOTS]; /* their sizes: what was stored */
	uint32_t nr_slots;
	int64_t stack; /* the stack pointer, the same */
	int64_t frame; /* the frame pointer, the same; FLOW_NO_FRAME: it is none */
	bool stack_lost;
	/*
	 * Registers whose lowest byte is 0, for a condition did not hold with a constant, the error or
	 * another one: "should_retry = !revalidated && error == -ESTALE".
	 */
	reg_set clear;
};

/* A conditional branch of the way, or a conditional move or the like (EFFECT_SELECT, COMPUTES_FLAG). */
struct flow_branch {
	uint32_t step;
	bool taken; /* its condition held; of moves only for result_flow.chosen and later_move */
	bool is_move;
	struct flow flow; /* state before it */
	/* The compared values; ORIGIN_UNKNOWN for what is in memory, if the other one is in a register. */
	struct origin tested[2];
	uint32_t nr_tested;
};

/* The most branches that are known to compare constants. */
#define FLOW_MAX_SETTLED 32

/* A branch or move that compared a constant which was on the stack, or in a register, all the time. */
struct flow_settled {
	uint64_t addr;
	bool taken;
	bool in_register;
	uint8_t reg;
	int64_t slot; /* else; as in flow.slots */
	int32_t value; /* the lower half */
	/* The branch is elsewhere in the function; it goes that way if the stack pointer is there, as in flow.stack. */
	bool elsewhere;
	int64_t stack;
	/* In a register: no constant, but this, of which an earlier branch had found the value; else ORIGIN_UNKNOWN. */
	struct origin found;
	uint32_t found_at; /* the step of that branch */
	bool always; /* wherever it is met: it tested whether a call failed that was made after the result was set */
};

/* A call that returns what it was passed: "if (IS_ERR(name)) return PTR_ERR(name)". */
struct passing_call {
	uint64_t addr; /* of the call; 0: there is none */
	uint8_t reg;
	uint64_t callee; /* calls of it elsewhere return what they are passed, too; 0: not known */
};

/* A store of the result to memory of who called: "*err = -EAGAIN; return NULL". A way ends there, too. */
struct flow_store {
	uint64_t addr; /* of the instruction; 0: the function returns the result */
	uint32_t step;
	bool is_constant;
	uint8_t reg; /* else: what it stores */
	int64_t value;
};

/* Called at each step of a path before its instruction is followed. */
typedef void flow_watcher(void *arg, uint32_t step, const struct flow *flow);

struct result_flow {
	struct passing_call passing;
	bool not_by_call; /* the call that "err ?: other" tests did not return the result */
	struct flow_store store;
	flow_watcher *watcher; /* NULL: none */
	void *watcher_arg;
	struct origin result; /* of the path */
	uint32_t value; /* the result's lower half */
	VEC(struct flow_branch) branches; /* in the order of the way */
	int64_t chosen; /* of branches: the move that chose the result, a constant; -1: none */
	/* Of branches: a move after `chosen` that surely kept the result, and had a success instead; -1: none. */
	int64_t later_move;
	bool chosen_surely; /* else the result may be another value that is equal */
	bool assumed; /* it is a call's, if that returned it: "err ?: count", where count is not known */
	bool by_call; /* `assumed` of the call that was tested */
	bool takes_address; /* noted by walks: of a place that has the result */
	bool lent; /* so does a way that would have had the same result: a called function may change it */
	/* Ways that are walked take these as the way did, unless the constant may have changed. */
	VEC(struct flow_settled) settled;
	/* Scratch. */
	VEC(struct flow_point) open, seen;
};

struct operand_way;

/**
 * Follow a path to its end.
 *
 * @way		through the whole function
 * @value	the result as it was
 * @flow	filled in; may have been filled before
 * @return	0; -ENOMEM
 */
int flow_follow(const struct operand_way *way, uint64_t value, struct result_flow *flow);

/* Who stored a value by an address. */
struct flow_stored {
	enum {
		STORED_NOT, /* nobody, as far as the way shows */
		STORED_HERE,
		STORED_BY_CALL, /* the last call that got the address, maybe */
	} by;
	uint32_t step; /* of the path */
	uint8_t param; /* STORED_BY_CALL: number of its parameter with the address, from 1 */
	uint16_t at; /* STORED_BY_CALL: how far behind that address */
	bool several; /* STORED_BY_CALL: other calls got it before */
	bool in_object; /* STORED_BY_CALL: it is of an object that the function got, and may have been there before */
	uint32_t kept_by; /* STORED_HERE: number of the later branch whose other side stores, too, from 1; 0: none */
	bool may_store_more; /* STORED_HERE: on other ways from there on */
};

/**
 * Find the call that may have stored the result on the stack, or in an object whose address is a parameter, before it
 * was loaded from there.
 *
 * @flow	of the way; it stays the same
 * @ret		STORED_BY_CALL, or STORED_NOT
 * @return	0; -ENOMEM
 */
int flow_find_lent(const struct operand_way *way, uint64_t value, struct result_flow *flow, struct flow_stored *ret);

/**
 * As flow_follow(), of a function that stored the value by an address: up to the store, where the path ends, then.
 *
 * @path	that of @way
 * @param	number of the parameter with the address, from 1
 * @at		how far behind that address the function stored the value
 * @ret		STORED_BY_CALL: the function passed the address on
 */
int flow_follow_stored(const struct operand_way *way, struct path *path, uint8_t param, uint16_t at,
		       uint64_t value, struct result_flow *flow, struct flow_stored *ret);

/*
 * The step of a path whose comparison a branch, or a conditional move, tests; UINT32_MAX: not
 * known. May be the branch itself.
 */
uint32_t flow_comparison(struct code_reader *reader, const struct path *path, uint32_t branch);

/*
 * Whether the condition of a branch, or of a conditional move, holds (1) or not (0) if the only value that
 * it tests is this number of @size bytes. -1: not known.
 */
int flow_held_with(struct code_reader *reader, const struct path *path,
		   const struct flow_branch *branch, int64_t a, uint8_t size);

/* The same for a number of 4 bytes, or of 8. */
int flow_held_with_int(struct code_reader *reader, const struct path *path, const struct flow_branch *branch,
		       int32_t value);

/* Whether a branch of the way tested the value, and found that it is not the result. */
bool flow_tested_another(struct code_reader *reader, const struct path *path, const struct result_flow *results,
			 const struct origin *origin);

/* Where another way may lead. */
enum flow_ends {
	FLOW_SAME, /* the same result from the same origin, in all cases */
	FLOW_DIFFERENT, /* a result from elsewhere, in one case at least */
	FLOW_UNCLEAR, /* too much, or not readable */
	FLOW_BEHIND_TRAP, /* FLOW_SAME, or from elsewhere if a trap, maybe a BUG(), returns */
};

/**
 * Where a branch's other side leads.
 *
 * @branch	of flow->branches
 */
enum flow_ends flow_other_side(struct code_reader *reader, const struct code_function *function,
			       const struct path *path, struct result_flow *flow,
			       const struct flow_branch *branch);

/*
 * Whether some way from a branch's other side may store by a parameter, that of register @reg, or passes it to a call.
 *
 * @ret_sure	it does; else it stores by an address that is not known
 */
bool flow_may_store_by(struct code_reader *reader, const struct code_function *function, const struct path *path,
		       struct result_flow *flow, const struct flow_branch *branch, uint8_t reg, bool *ret_sure);

/* Whether some way from the other side may return the value that the branch tested: "if (err) return err". */
bool flow_may_return_tested(struct code_reader *reader, const struct code_function *function,
			    const struct path *path, struct result_flow *flow, const struct flow_branch *branch,
			    const struct origin *tested);

/* The value that a move leaves if its condition held, or did not; borrowed from @move. NULL: it has no origin. */
const struct origin *flow_side_of(struct code_reader *reader, const struct path *path,
				  const struct flow_branch *move, bool held);

/*
 * The place on the stack of a compared operand, as in flow.slots. False: it is elsewhere.
 *
 * @at		state before the branch that compared it
 */
bool flow_slot_of(const struct flow *at, const struct operand *operand, int64_t *ret_slot);

/*
 * Whether a branch's other side may lead to a later branch of the way with another value in the place that this one
 * compared. FLOW_SAME: only with the same value, or one with which it goes the same way, or not at all.
 *
 * @later	it compared a register, or a place on the stack
 */
enum flow_ends flow_leads_to_compare(struct code_reader *reader, const struct code_function *function,
				     const struct path *path, struct result_flow *flow,
				     const struct flow_branch *branch, const struct flow_branch *later);

/* Whether the other side always returns -@err or the same result, which is another error. */
bool flow_fails_with(struct code_reader *reader, const struct code_function *function,
		     const struct path *path, struct result_flow *flow,
		     const struct flow_branch *branch, int err);

/* Whether the other side always returns the same error. */
bool flow_only_fails(struct code_reader *reader, const struct code_function *function,
		     const struct path *path, struct result_flow *flow,
		     const struct flow_branch *branch);

/* Whether the other side may fail with another error, and need not fail: the function does its work there. */
bool flow_goes_on(struct code_reader *reader, const struct code_function *function, const struct path *path,
		  struct result_flow *flow, const struct flow_branch *branch);

/*
 * Whether the other side only replaces the result by the compared value: a later error
 * ("if (ret) err = ret;"), and not a success ("if (count > 0) err = count;").
 */
bool flow_only_replaces(struct code_reader *reader, const struct path *path,
			const struct result_flow *flow, const struct flow_branch *branch);

/*
 * Whether the other side returns the result of a call made after the result was set, which may be an error.
 * Mostly that is a later error: cleanup that failed too.
 */
bool flow_returns_tested(struct code_reader *reader, const struct code_function *function,
			 const struct path *path, struct result_flow *flow,
			 const struct flow_branch *branch);

/**
 * For ways that are known only by returned calls. From @from, where a call has just returned: can
 * the function return with only the calls that return to @returns, in this order, and with
 *
 * @callee	the function that has just returned; 0: not known
 * @ret_handed_on	the callee's result as the result
 * @ret_own		@value as the result, a constant set since
 */
int flow_without_calls(struct code_reader *reader, const struct code_function *function, uint64_t from,
		       uint64_t callee, const uint64_t *returns, uint32_t nr_returns,
		       uint64_t value, struct result_flow *flow, bool *ret_handed_on,
		       bool *ret_own);

/*
 * Whether a function that returned @value, an error, got it from the call that has just returned at @from: otherwise it
 * returns other constants. Not known, false, if the call's result is kept in memory meanwhile.
 *
 * @is_known	the call returned @value
 */
bool flow_hands_on(struct code_reader *reader, const struct code_function *function, uint64_t from, uint64_t value,
		   bool is_known);

/* Whether some way from @from may return @value: other constants rule it out, and nothing else does. */
bool flow_may_return(struct code_reader *reader, const struct code_function *function, uint64_t from, uint64_t value);

void flow_release(struct result_flow *flow);

#endif
