/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A function under examination: its blocks, its probes, and the decision found in it.
 */
#ifndef RETSNOOP_WHY_WAY_TARGET_H
#define RETSNOOP_WHY_WAY_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "util/explain/condition.h"
#include "util/explain/decider.h"
#include "util/explain/decision.h"
#include "util/plan/points/probes.h"
#include "util/why/way/placement.h"

struct attached;
struct symbol;

/* Parameters that are passed in registers. */
#define TARGET_MAX_PASSED 8

/* Probes in one function at a time. */
#define TARGET_MAX_PROBES 64

/* Tries to see a call through a pointer: a hit may be missed. */
#define TARGET_MAX_POINTER_TRIES 3

/* Breakpoints at a time, besides the one at the function's beginning: a CPU has 4. */
#define TARGET_MAX_BREAKPOINTS 3

#define TARGET_NO_PROBE UINT32_MAX

/* Calls through pointers in one function that are probed before the relevant one is known. */
#define TARGET_MAX_SITES 8

/* The number of a CPU's breakpoints. */
#define TARGET_BREAKPOINTS_IN_ALL 4

/* A call through a register. */
struct pointer_site {
	uint64_t call;
	int reg;
	bool breaks;		/* no kprobe is possible: use a breakpoint */
	uint32_t probe;		/* of the current pass; TARGET_NO_PROBE: none */
};

struct target_probe {
	uint32_t block;
	uint64_t addr;
	uint32_t index;		/* of the pass's probes */
	bool by_breakpoint;
};

/* A place where a probe was refused: by the kernel, or a breakpoint by the CPU. */
struct refused_place {
	uint64_t addr;
	bool by_breakpoint;
};

struct target {
	struct code_function function;	/* its name is the symbol table's */
	const char *module;		/* NULL for vmlinux */
	const struct fault_table *faults;	/* borrowed; NULL: not known */
	const char *unusable;		/* why it cannot be examined; NULL: it can */
	/*
	 * The kernel allows neither tracing nor kprobes in it: use the CPU's breakpoints, a few at
	 * a time. Its calls are not in the trace; their callees appear as the caller's.
	 */
	bool by_breakpoints;
	bool breakpoints_too;	/* of the current pass: of some blocks, which can have no kprobe */
	bool hit_again;		/* of the current pass: hits looked like one that was reported twice */
	bool asked_all;		/* nothing is left to ask */
	bool used_result;	/* ways on which it returns another constant are ruled out */
	/*
	 * The current pass asks only which blocks are passed: seeing the way needs too many probes.
	 */
	bool asks;
	struct block_graph graph;
	uint8_t *marks, *probed;	/* for each block */
	/*
	 * The block that was likely passed last before the result was set. At first only the way
	 * from this block on is examined. 0: the whole way.
	 */
	uint32_t anchor;
	VEC(struct target_probe) probes;	/* of the current pass */
	VEC(struct refused_place) refused;
	struct way way;
	VEC(uint32_t) hits;		/* blocks, in the order they were passed */
	bool placed;			/* `probed` is of the current pass */
	bool decided;			/* `decision` is of its result */
	struct decision decision;
	/* The place of `decision`, to compare with other calls. */
	enum decision_kind decided_kind;
	uint64_t decided_at;
	uint64_t callee;		/* decided: function that returned it; 0 none */
	VEC(struct pointer_site) sites;	/* the first ones, and the relevant one */
	bool sites_known;		/* sites were searched */
	uint32_t pointer;		/* of sites, the one that returned it; TARGET_NO_PROBE: none */
	uint32_t pointer_tried;		/* how often only it was probed */
	uint32_t ambiguous;		/* how often the probes left its way ambiguous */
	const char *likely;		/* why the way is not sure; NULL: it is */
	struct decision_condition condition;	/* decided: of the branch */
	/*
	 * If a call's result decided: the values passed to that call which other calls had
	 * returned.
	 */
	struct passed_value passed[TARGET_MAX_PASSED];
	/* The number of the parameter by whose address the function stored the result, from 1; 0: it returned it. */
	uint8_t stored_param;
	uint16_t stored_at;	/* how far behind that address */
	bool was_there;		/* what it read from an object that it got; as in decider_set_was_there() */
	bool not_by_call;	/* as in decider_set_not_by_call() */
	/* A call that returned what it was passed in a register; 0: there is none. */
	uint64_t passing_call;
	uint8_t passing_reg;
};

/* 0, target->unusable set included; -ENOMEM. Release either way. */
int target_init(struct target *target, struct code_reader *reader, const struct symbol *symbol,
		const struct fault_table *faults);
void target_release(struct target *target);

/**
 * Choose places, and add a probe for each.
 *
 * @max		probes at most
 * @return	0; -ENOMEM
 */
int target_place(struct target *target, struct code_reader *reader, struct probes *probes,
		 uint32_t max);

/* Add a kprobe, or a breakpoint if no kprobe is possible, for target*.c. 0; -ENOMEM. */
int target_add_point(const struct target *target, struct code_reader *reader, struct probes *probes,
		     uint64_t addr, struct probe_capture capture);

/*
 * Rule out blocks from where the function only returns other constants than the error that it returned. 0; -ENOMEM.
 */
int target_rule_out_by_result(struct target *target, struct code_reader *reader, uint64_t result);

/* Whether to probe a call through a pointer in the next pass. */
bool target_wants_pointer(const struct target *target);

/*
 * Add a probe that keeps the registers of a call through a pointer. 0, also if breakpoints are used
 * up and none was added; -ENOMEM.
 */
int target_place_site(struct target *target, struct probes *probes, struct pointer_site *site);

/* The site of a call; NULL: it is not known. */
struct pointer_site *target_site(struct target *target, uint64_t call);

/*
 * Add a probe that keeps the values that the branch's condition compared: registers, and memory
 * that a register points to. 0; -ENOENT they cannot be kept; -ENOMEM.
 */
int target_place_condition(const struct target *target, struct code_reader *reader,
			   struct probes *probes);

enum values_read {
	VALUES_NOT_READ,
	VALUES_HOLD,
	VALUES_DIFFER, /* the condition does not hold with them: they are ignored */
};

/* Take the values from that probe's data. */
enum values_read target_take_values(struct target *target, const uint8_t *data, uint32_t size);

/* Note which probes were refused: earlier choices apply to the others only. */
int target_learn(struct target *target, const struct attached *attached);

/* The block that an address is in; 0: none, or the first one. */
uint32_t target_block_at(const struct target *target, uint64_t addr);

/* Of a target by breakpoints: whether nothing is left to ask after this run. 1; 0; -ENOMEM. */
int target_is_asked(struct target *target);

/* The block with this probe; BLOCK_EXIT: the probe is not in this function. */
uint32_t target_block_of(const struct target *target, uint32_t probe);

/**
 * Find target->way from target->hits, and the blocks to probe next if it is ambiguous. For a
 * target by breakpoints, each call adds to the findings of earlier calls.
 *
 * @return	0; -ENOMEM
 */
int target_find_way(struct target *target);

#endif
