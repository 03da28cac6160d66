/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the name that the user probably meant by a misspelt one:
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
	unsigned int distance;	/* of `name`; starts at the largest useful distance plus one */
	unsigned int edits;	/* edits of `name`, even if `text` is its beginning */
};

struct nearest nearest_start(const char *text);
/*
 * Report an unknown name: "MESSAGE; did you mean 'stack'?", or if no name is close, "MESSAGE;
 * OTHERWISE". Returns -EINVAL.
 */
int nearest_report(const struct nearest *near, const char *otherwise, const char *fmt, ...)
	_printf_(3, 4);
/*
 * Keep @name if it is closer than the best so far. A name that begins with the user's text has
 * distance 1, however long it is; of such names the shortest is kept, of equal ones the first.
 */
void nearest_offer(struct nearest *near, const char *name);

/*
 * Letters to insert, delete, replace or swap with their neighbour to make @b from @a, case aside.
 * UINT_MAX for names beyond 127 letters.
 */
unsigned int edit_distance(const char *a, const char *b);

#endif
