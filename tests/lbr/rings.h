/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branch records as text, with the kernel's code around each, for tests/lbr/check. To be used while
 * what made the code is still there: trampolines and programs of BPF are gone with their links.
 *
 *	ring NAME TYPES
 *	blank NR
 *	branch NR FROM FROM-NAME TO TO-NAME DISTANCE RETURN CODE
 *	run NR DISTANCE CODE
 *
 * A branch's code is that at FROM, DISTANCE (hexadecimal, of 64 bits) leads from there to TO. A run is
 * what the CPU executed from the end of the branch before to the FROM of branch NR; there are runs
 * where TYPES is "any" only. CODE is bytes with commas, "user", or "-" where none can be read. RETURN
 * says why a return to TO would be one, "call": it is behind a call, "begin": it is where a symbol
 * begins (retpolines, return probes and trampolines return to places that nobody called),
 * "jump": just before there is a short branch, as of a retpoline; "no".
 */
#ifndef RETSNOOP_TESTS_LBR_RINGS_H
#define RETSNOOP_TESTS_LBR_RINGS_H

#include <stddef.h>

#include "bpf/event.h"

struct rings;

/* 0; -errno (reported) */
int rings_open(struct rings **ret_rings);
void rings_close(struct rings *rings);

/* @branches: newest first, as the CPU gave them. */
void rings_print(struct rings *rings, const char *name, const char *types,
		 const struct event_branch *branches, size_t nr);

#endif
