/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Judges whether an attach method reports calls correctly, from calls whose functions, results and
 * stack pointers are known. Pure code; self_test.h makes the calls.
 *
 * The outer function calls the inner function once. The method's programs run on both and record
 * what they see. Some kernels give programs wrong values where a function returns. What can be
 * worked around is an adaptation; any other wrong value makes the method unusable.
 */
#ifndef RETSNOOP_TRACE_ATTACH_PROOF_H
#define RETSNOOP_TRACE_ATTACH_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/config.h"
#include "util/base/strbuf.h"

struct arch;

enum proof_func {
	PROOF_OUTER,
	PROOF_INNER,
	NR_PROOF_FUNCS,
};

#define PROOF_IPS 64

/* A round should have four hits; more are kept to notice too many. */
#define PROOF_HITS 8

/* What a program saw when it ran. BPF writes it, so every member has 8 bytes. */
struct proof_hit {
	uint64_t at_return;	/* as the method tells */
	uint64_t func;		/* enum proof_func, as the method tells */
	uint64_t ip;		/* instruction pointer in the registers; trampolines have none */
	uint64_t sp;		/* stack pointer in the registers; trampolines: context */
	uint64_t frame; /* frame pointer in the registers, where it can stand in for sp */
	uint64_t link;	/* the register that has the return address at an entry, if one does */
	uint64_t context;	/* address of the program's context */
	uint64_t result;	/* return register; meaningless at an entry */
	uint64_t task;		/* current task */
	uint64_t kept;		/* value that the call's entry put into the session cookie */
	uint64_t word;		/* in memory, at sp */
	uint64_t outer_word;	/* in memory, at sp of the round's first hit */
	int64_t stack_bytes;	/* of ips; negative: no stack */
	uint64_t ips[PROOF_IPS];
};

/* One round as BPF records it. */
struct proof_hits {
	uint64_t nr;
	struct proof_hit hits[PROOF_HITS];
};

/* One round, and what the two functions really returned. */
struct proof_round {
	struct proof_hits seen;
	uint64_t results[NR_PROOF_FUNCS];
};

/* An entry puts this plus its enum proof_func into the session cookie. */
#define PROOF_KEPT 0x70726f6f6600ull

/* Code, from `start` up to `end`. */
struct proof_range {
	uint64_t start, end;
};

#define PROOF_CALLERS 4

/* The facts about a method and its two functions that the hits are compared with. */
struct proof_rules {
	const struct arch *arch;
	bool by_address;	/* no attach cookies: ip identifies the function at an entry */
	bool trampoline;	/* programs have no registers; no return address is replaced */
	bool keeps;		/* the method uses session cookies */
	bool by_context;	/* at a return, the context is on the stack of the returning call */
	uint32_t ip_offset;	/* by_address: an entry's ip minus the function's address */
	uint64_t addrs[NR_PROOF_FUNCS];
	/* Code that calls the inner function: the outer function and its parts. */
	struct proof_range callers[PROOF_CALLERS];
	size_t nr_callers;
	uint64_t return_hooks[CONFIG_RETURN_HOOKS];	/* 0 none */
};

enum proof_verdict {
	PROOF_NONE,	/* not tested */
	PROOF_WORKS,
	PROOF_WRONG,	/* the method gives wrong answers and counts as missing */
};

struct proof {
	enum proof_verdict verdict;
	/*
	 * PROOF_NONE: why the test was impossible, NULL not tried. PROOF_WRONG: what is wrong.
	 * Static.
	 */
	const char *why;

	/* Adaptations of a method that works. */
	bool sp_by_context, sp_by_frame; /* struct config_exit_sp */
	uint32_t sp_delta;
	bool stacks_at_entry;	/* stacks taken at returns are incomplete: take them at entries */
	bool callers_by_link;	/* stacks of entries lack the caller, which is in a register */
	bool unknown_hook;	/* return addresses are replaced by an unknown address */
};

/*
 * Append the adaptations: "works around a wrong stack pointer at returns". Nothing if there are
 * none.
 */
void proof_add_adaptations(struct strbuf *sb, const struct proof *proof);

/* Before the test: the method needs no adaptation. */
void proof_expect(const struct arch *arch, bool trampoline, struct proof *ret_proof);

/* Judge. Rounds with missing hits are ignored if at least one round is complete. */
void proof_judge(const struct proof_rules *rules, const struct proof_round *rounds, size_t nr,
		 struct proof *ret_proof);

#endif
