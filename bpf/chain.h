/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * The error chain of a session: the returned calls that belong to the failure that the entry call
 * ends with.
 *
 * Plain C, for BPF and for unit tests. Depths are indexes of live frames, 0 the entry call.
 *
 * A chain starts at the deepest failing return, and grows outward as its callers fail in turn:
 * frames [at, depth) have returned. When the caller at `at - 1` makes another call instead, the
 * chain is broken: it is now an earlier, deeper failure. If that caller fails after all, the broken
 * chain is stitched on; if it succeeds, the chain is forgotten; if it cannot fail, it passes the
 * chain on. While a broken chain waits, a deeper call may fail on its own. So there are two chains:
 * the current one, and one set aside that becomes current when the current one is forgotten. A
 * third chain replaces the one set aside. Under one caller only the last failure counts: it
 * replaces the earlier one.
 */
#ifndef RETSNOOP_BPF_CHAIN_H
#define RETSNOOP_BPF_CHAIN_H

#include <linux/types.h>

#define CHAIN_VALID	(1u << 0)
#define CHAIN_BROKEN	(1u << 1)
#define CHAIN_FAILED	(1u << 2)	/* else a success chain (request: show successes) */
#define CHAIN_ALLOWED	(1u << 3)	/* has one of the errnos asked for */
#define CHAIN_DENIED	(1u << 4)	/* has one of the excluded errnos */
#define CHAIN_KEPT	(1u << 5)	/* set by the user while it is broken: what it needs is kept */

struct chain_state {
	__u16 depth;	/* frames, the deepest one's index + 1 */
	__u16 at;	/* outermost frame that returned */
	__u16 stitched;	/* frames from here on are stitched; == depth: none */
	__u16 flags;
};

struct chains {
	struct chain_state state[2];
	__u32 current;	/* 0 or 1 */
};

/* What the caller has to do with the frame that returned. */
enum chain_action {
	CHAIN_IGNORE,	/* not part of any chain */
	CHAIN_STORE,	/* store it in the current chain at its depth */
	CHAIN_START,	/* the same, and take the kernel stack: a chain begins */
};

#define chain_inline static inline __attribute__((always_inline))

/* Pointer to the current chain's state; `& 1` is the verifier's bound. */
chain_inline struct chain_state *chain_current(struct chains *chains)
{
	return chains->current & 1 ? &chains->state[1] : &chains->state[0];
}

chain_inline struct chain_state *chain_aside(struct chains *chains)
{
	return chains->current & 1 ? &chains->state[0] : &chains->state[1];
}

/*
 * A call at @depth begins. Returns 1 when that breaks a failing chain (shown as an interim stack,
 * if asked for), else 0.
 */
chain_inline int chain_call(struct chains *chains, __u32 depth)
{
	struct chain_state *chain = chain_current(chains);

	if (!(chain->flags & CHAIN_VALID) || (chain->flags & CHAIN_BROKEN) || chain->at != depth)
		return 0;
	if (!(chain->flags & CHAIN_FAILED)) {
		chain->flags = 0;
		return 0;
	}
	chain->flags |= CHAIN_BROKEN;
	return 1;
}

chain_inline int chain_is_failure(const struct chain_state *chain)
{
	return (chain->flags & (CHAIN_VALID | CHAIN_FAILED)) == (CHAIN_VALID | CHAIN_FAILED);
}

chain_inline void chain_forget(struct chains *chains)
{
	chain_current(chains)->flags = 0;
	if (chain_aside(chains)->flags & CHAIN_VALID)
		chains->current ^= 1;
}

/* A success never replaces a failure: it is shown only if nothing failed. */
chain_inline enum chain_action chain_start(struct chains *chains, __u32 depth, __u32 flags)
{
	struct chain_state *chain = chain_current(chains);

	if (chain_is_failure(chain)) {
		if (!(flags & CHAIN_FAILED))
			return CHAIN_IGNORE;
		/* Forget an earlier failure under the same caller: only the last one counts. */
		if (chain->at != depth) {
			chains->current ^= 1;
			chain = chain_current(chains);
		}
	}
	chain->depth = depth + 1;
	chain->at = depth;
	chain->stitched = depth + 1;
	chain->flags = CHAIN_VALID | flags;
	return CHAIN_START;
}

/*
 * The call at @depth returns.
 *
 * @failed	it returned an error
 * @can_fail	its kind of result can be one
 * @successes	keep chains of successful calls too
 */
chain_inline enum chain_action chain_return(struct chains *chains, __u32 depth, int failed,
					    int can_fail, int successes)
{
	struct chain_state *chain = chain_current(chains);
	struct chain_state *aside = chain_aside(chains);
	int child = (chain->flags & CHAIN_VALID) && chain->at == depth + 1;

	/* A chain set aside under this call is older than the current one: forget it. */
	if ((aside->flags & CHAIN_VALID) && aside->at > depth)
		aside->flags = 0;

	if (child && (chain->flags & CHAIN_FAILED)) {
		if (!failed && can_fail) {
			chain_forget(chains);
			return successes ? chain_start(chains, depth, 0) : CHAIN_IGNORE;
		}
		if (chain->flags & CHAIN_BROKEN) {
			chain->flags &= ~(CHAIN_BROKEN | CHAIN_KEPT);
			chain->stitched = depth + 1;
		}
		chain->at = depth;
		return CHAIN_STORE;
	}
	if (failed) {
		if (child)
			chain->flags = 0;
		return chain_start(chains, depth, CHAIN_FAILED);
	}
	if (!successes)
		return CHAIN_IGNORE;
	if (child) {
		chain->at = depth;
		return CHAIN_STORE;
	}
	return chain_start(chains, depth, 0);
}

/*
 * Live frames from @depth on are over, but their return was not seen: a chain that waits for one of
 * them can grow no further.
 */
chain_inline void chain_truncate(struct chains *chains, __u32 depth)
{
	if (chains->state[0].at > depth)
		chains->state[0].flags = 0;
	if (chains->state[1].at > depth)
		chains->state[1].flags = 0;
	if (!(chain_current(chains)->flags & CHAIN_VALID))
		chain_forget(chains);
}

#endif
