/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A function that is looked into: its blocks, where probes are, and what was decided in it.
 */
#ifndef RETSNOOP_WHY_TARGET_H
#define RETSNOOP_WHY_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "util/trace/explain/condition.h"
#include "util/trace/explain/decider.h"
#include "util/trace/explain/decision.h"
#include "util/capture/points/probes.h"
#include "util/why/placement.h"

struct symbol;

/* Parameters that are passed in registers. */
#define TARGET_MAX_PASSED 8

/* Probes in one function at a time. */
#define TARGET_MAX_PROBES 64

/* Looks at a call through a pointer: a hit may be missed. */
#define TARGET_MAX_POINTER_TRIES 3

/* Breakpoints at a time, besides the one where the function begins: a CPU has 4. */
#define TARGET_MAX_BREAKPOINTS 3

#define TARGET_NO_PROBE UINT32_MAX

/* Calls through pointers in one function that have a probe before it is known which one matters. */
#define TARGET_MAX_SITES 8

/* A CPU has so many breakpoints. */
#define TARGET_BREAKPOINTS_IN_ALL 4

/* A call through a register. */
struct pointer_site {
	uint64_t call;
	int reg;
	bool breaks;		/* no kprobe may be there: a breakpoint */
	uint32_t probe;		/* of the pass at hand; TARGET_NO_PROBE: none */
};

struct target_probe {
	uint32_t block;
	uint64_t addr;
	uint32_t index;		/* of the pass's probes */
};

struct target {
	struct code_function function;	/* its name is the symbol table's */
	const char *module;		/* NULL for vmlinux */
	const struct fault_table *faults;	/* borrowed; NULL: not known */
	const char *unusable;		/* why it cannot be looked into; NULL: it can */
	/*
	 * The kernel lets nobody trace it, nor takes kprobes in it: the CPU's breakpoints do, a few at
	 * a time. Its calls are not in the trace; what they do is part of the caller's.
	 */
	bool by_breakpoints;
	bool asked_all;		/* and nothing is left to ask */
	/* The pass at hand asks which blocks are passed at all: it takes too many probes to see the way. */
	bool asks;
	struct block_graph graph;
	uint8_t *marks, *probed;	/* for each block */
	/*
	 * A block that it likely passed last before its result was there: only the way from it on
	 * is looked at first. 0: all of it.
	 */
	uint32_t anchor;
	VEC(struct target_probe) probes;	/* of the pass at hand */
	VEC(uint64_t) refused;		/* places that the kernel takes no probe at */
	struct way way;
	VEC(uint32_t) hits;		/* blocks, in the order they were passed */
	bool placed;			/* `probed` is of the pass at hand */
	bool decided;			/* `decision` is of its result */
	struct decision decision;
	/* Where `decision` puts it, to compare what other calls show. */
	enum decision_kind decided_kind;
	uint64_t decided_at;
	uint64_t result;
	uint64_t callee;		/* decided: where the function begins that returned it; 0 none */
	VEC(struct pointer_site) sites;	/* the first of them, and the one that matters */
	bool sites_known;		/* they were looked for */
	uint32_t pointer;		/* of sites, the one that returned it; TARGET_NO_PROBE: none */
	uint32_t pointer_tried;		/* how often it was looked at by itself */
	uint32_t ambiguous;		/* how often its way was not told by the probes */
	const char *likely;		/* why the way is not sure; NULL: it is */
	struct decision_condition condition;	/* decided: of the branch */
	/* Decided, by what a call returned: what that had passed to it, which other calls returned. */
	struct passed_value passed[TARGET_MAX_PASSED];
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

/* Add a kprobe, or a breakpoint where no kprobe may be, for target*.c. 0; -ENOMEM. */
int target_add_point(const struct target *target, struct probes *probes, uint64_t addr,
		      struct probe_capture capture);

/* Whether a call through a pointer is to be looked at in the next pass. */
bool target_wants_pointer(const struct target *target);

/*
 * Add a probe that keeps the registers of a call through a pointer. 0, where breakpoints are used up
 * without having added one; -ENOMEM.
 */
int target_place_site(struct target *target, struct probes *probes, struct pointer_site *site);

/* The site of a call; NULL: it is not known. */
struct pointer_site *target_site(struct target *target, uint64_t call);

/*
 * Add a probe that keeps what the branch's condition compared: registers, and memory that one of them
 * leads to. 0; -ENOENT that cannot be kept; -ENOMEM.
 */
int target_place_condition(const struct target *target, struct probes *probes);

enum values_read {
	VALUES_NOT_READ,
	VALUES_HOLD,
	VALUES_DIFFER, /* the condition does not hold with them: they are not taken */
};

/* Take the values from what such a probe kept. */
enum values_read target_take_values(struct target *target, const uint8_t *data, uint32_t size);

/* Take note of which were refused: what was chosen before holds for the others only. */
int target_learn(struct target *target, const struct probes *probes);

/* The block that an address is in; 0: none, or the first one. */
uint32_t target_block_at(const struct target *target, uint64_t addr);

/* The block whose probe that was; BLOCK_EXIT: none of this function. */
uint32_t target_block_of(const struct target *target, uint32_t probe);

/**
 * From target->hits to target->way, and what is to be probed next time where that is ambiguous.
 * Of a target by breakpoints each call adds what was learnt.
 *
 * @return	0; -ENOMEM
 */
int target_find_way(struct target *target);

#endif
