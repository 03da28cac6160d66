/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The name that a misspelt one was meant to be:
 *
 *	struct nearest near = nearest_start("stak");
 *	for (...) nearest_offer(&near, command->name);
 *	return nearest_report(&near, "see 'retsnoop help'", "'%s' is not a command", "stak");
 */
#ifndef RETSNOOP_BASE_TEXT_NEAREST_H
#define RETSNOOP_BASE_TEXT_NEAREST_H

#include "util/base/report.h"

struct nearest {
	const char *text;	/* what the user wrote; borrowed */
	const char *name;	/* best so far, or NULL; borrowed from the offers */
	unsigned int distance;	/* of it; starts at the farthest that is worth offering, plus one */
	unsigned int edits;	/* the same, though what was written be its beginning */
};

struct nearest nearest_start(const char *text);
/*
 * The error message for a name that is none: "MESSAGE; did you mean 'stack'?", or when nothing
 * was close "MESSAGE; OTHERWISE". Returns -EINVAL.
 */
int nearest_report(const struct nearest *near, const char *otherwise, const char *fmt, ...)
	_printf_(3, 4);
/*
 * Keeps @name when it is closer than what there was. What begins with all that was written is one
 * letter away, however long it is; of such names the shortest is kept, of equals the first.
 */
void nearest_offer(struct nearest *near, const char *name);

/*
 * Letters to insert, delete, replace or swap with their neighbour to make @b from @a, case aside.
 * UINT_MAX for names beyond 127 letters.
 */
unsigned int edit_distance(const char *a, const char *b);

#endif
