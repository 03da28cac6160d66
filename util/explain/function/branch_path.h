/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The way a function took to its return, instruction by instruction, from branch records and code:
 * between where one record went to and the next one came from, code runs straight on.
 */
#ifndef RETSNOOP_EXPLAIN_FUNCTION_BRANCH_PATH_H
#define RETSNOOP_EXPLAIN_FUNCTION_BRANCH_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "util/explain/function/function_code.h"
#include "util/trace/branches/branch_trim.h"

#define NO_RECORD UINT32_MAX

struct path_step {
	uint64_t addr;
	uint64_t next; /* where it went on, in the function; of the last: where it left to */
	struct branch_insn insn;
	uint32_t record; /* the branch record it made; NO_RECORD: none, it went straight on */
	uint32_t back; /* of calls: the record of the return; NO_RECORD: not there */
	bool exception; /* it raised one and was not repeated afterwards: registers may differ */
};

/* Why no older steps are known. */
enum path_begin {
	PATH_WHOLE, /* the way begins at the function's beginning */
	PATH_OLDER, /* records go back no further */
	PATH_UNREADABLE, /* the code cannot be read */
	PATH_MISMATCH, /* code and records do not agree */
	PATH_EXCEPTION, /* execution went on elsewhere after an exception */
};

struct path {
	VEC(struct path_step) steps; /* oldest first; the last one left the function */
	enum path_begin begin;
	/* Scratch. */
	VEC(struct path_run) runs;
};

/**
 * The way to the last return, or tail call, of @function among records [first, end).
 *
 * @all_kinds	all branches were recorded; else only conditional ones are used
 * @path	filled in; may have been filled before
 * @return	0; -ENOENT no record shows it; -ENOMEM
 */
int path_find(struct code_reader *reader, const struct code_function *function,
	      const struct branches *branches, uint32_t first, uint32_t end, bool all_kinds,
	      struct path *path);
void path_release(struct path *path);

/* How often a path passes a step's place again, later. */
uint32_t path_times_again(const struct path *path, uint32_t step);

#endif
