/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keeps sessions until all have ended, to show only the last ones or to sort them. Pure code: no
 * I/O, no globals.
 */
#ifndef RETSNOOP_TRACE_SESSION_SESSION_KEEP_H
#define RETSNOOP_TRACE_SESSION_SESSION_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/vec.h"

struct session;

enum session_order {
	ORDER_END,		/* as they ended */
	ORDER_DURATION,		/* the longest first */
};

/* The limit on memory of kept sessions. */
#define SESSION_KEEP_MAX_BYTES (1ull << 30)

/* Zeroed: keeps nothing. */
struct session_keep {
	uint64_t last;		/* keep only this many last sessions; 0 all */
	enum session_order order;
	uint64_t limit;		/* of these, only this many first ones in `order`; 0 all */
	bool heads;		/* traces, stacks and branches are not needed */
	uint64_t max_bytes;	/* 0: SESSION_KEEP_MAX_BYTES */

	VEC(struct session *) v;	/* owned */
	uint64_t bytes;
};

/* Whether sessions must be kept at all. */
static inline bool session_keep_needed(const struct session_keep *keep)
{
	return keep->last || keep->order != ORDER_END;
}

/* Add a session; @keep owns it, even on errors. 0; -E2BIG (not reported); -ENOMEM. */
int session_keep_add(struct session_keep *keep, struct session *session);

/* Call it after the last session: sorts, and frees sessions beyond the limit. */
void session_keep_settle(struct session_keep *keep);
void session_keep_release(struct session_keep *keep);

#endif
