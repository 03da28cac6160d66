/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Turns a way through a function into the branch records that a CPU would have made, so that the
 * decider for branch records works with probes too.
 */
#ifndef RETSNOOP_WHY_WAY_WAY_RECORDS_H
#define RETSNOOP_WHY_WAY_WAY_RECORDS_H

#include "util/trace/branches/branch_trim.h"
#include "util/why/way/placement.h"

/**
 * @branches	filled in, oldest first; may have been filled before
 * @return	0; -EFAULT the code cannot be read; -ENOMEM
 */
int way_records(struct code_reader *reader, const struct code_function *function,
		const struct block_graph *graph, const struct way *way,
		struct branches *branches);

#endif
