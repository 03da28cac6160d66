/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compares two recordings: the paths that errors took, and the durations of calls. Functions are
 * matched by name: plans and kernels may differ.
 */
#ifndef RETSNOOP_TRACE_RECORD_RECORDING_DIFF_H
#define RETSNOOP_TRACE_RECORD_RECORDING_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/base/strmap.h"
#include "util/base/vec.h"
#include "util/trace/summary/summary_session.h"

/* Further paths are only counted. */
#define DIFF_MAX_PATHS 16384
#define DIFF_MAX_FUNCS 4096
#define DIFF_MAX_BYTES (64u << 20)	/* of all paths' names */

/* With fewer calls, durations are not compared. */
#define DIFF_MIN_CALLS 10

/* The chain from an entry function to the function that produced the error. */
struct diff_path {
	char *key;		/* owned: a letter, then functions, each ended by a newline, then numbers */
	uint32_t nr_funcs;
	int err, outcome;	/* of the innermost and of the entry call; as frame_errno() */
	uint64_t count[2];
	bool untraced[2];	/* not seen: not all of these functions were traced there */
};

struct diff_func {
	char *name;		/* owned; it begins after the first letter, which is a prefix */
	struct summary_row row[2];
	bool untraced[2];
};

struct recording_diff {
	VEC(struct diff_path) paths;	/* sorted: the largest difference first */
	VEC(struct diff_func) funcs;	/* entry functions, by name */
	uint64_t sessions[2];
	uint64_t others[2];		/* sessions with other paths or functions than these */
	struct strmap traced[2];	/* functions that some recording of the side traced; 1: as entries */
	VEC(char *) traced_names;	/* owned */
	size_t path_bytes;
	struct strmap known;		/* places of both, by key */
	struct strbuf key;		/* scratch */
};

/* Add a session of a side (0 or 1). 0; -ENOMEM. */
int recording_diff_add(struct recording_diff *diff, int side, const struct plan *plan,
		       const struct error_rule *rules, const struct session *session);

/*
 * Add the functions that a recording of a side traced; call it once per recording. Other functions
 * could not be seen on that side. A side without this could have seen all. Before
 * recording_diff_sort().
 *
 * @return	0; -ENOMEM
 */
int recording_diff_plan(struct recording_diff *diff, int side, const struct plan *plan);

/* Call it after all sessions are added. 0; -ENOMEM */
int recording_diff_sort(struct recording_diff *diff);
void recording_diff_release(struct recording_diff *diff);

#endif
