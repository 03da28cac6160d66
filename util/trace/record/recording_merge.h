/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sessions of several recordings, in the order of the time of day at which they ended. A
 * recording is opened when its time has come, and closed after its last session: recordings that do
 * not overlap are never in memory together. Pure code: recordings are opaque here.
 */
#ifndef RETSNOOP_TRACE_RECORD_RECORDING_MERGE_H
#define RETSNOOP_TRACE_RECORD_RECORDING_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/vec.h"

struct session;

/* Operations on recording @i. A negative errno (reported) ends the merge. */
struct merge_ops {
	int (*open)(void *arg, uint32_t i);
	/* 1 and its next session, which ended at @ret_end_ns since the epoch; 0: there is none. */
	int (*next)(void *arg, uint32_t i, struct session **ret_session, int64_t *ret_end_ns);
	void (*close)(void *arg, uint32_t i);
};

struct merge_head {
	int64_t at_ns;			/* end of its session; if not opened, its beginning */
	uint32_t recording;
	struct session *session;	/* owned; NULL: the recording is not opened */
};

/* Starts zeroed, except for ops and arg. */
struct recording_merge {
	const struct merge_ops *ops;
	void *arg;
	VEC(struct merge_head) heap;
	bool taken;	/* the first one's session was handed out */
};

/* Add a recording whose sessions end after @begin_ns; before the first session is taken. 0; -ENOMEM. */
int recording_merge_add(struct recording_merge *merge, uint32_t recording, int64_t begin_ns);

/**
 * The session that ended next. Its recording stays open until the next call.
 *
 * @ret_recording	the session's recording
 * @ret_session		the caller frees it
 * @return		1; 0 no more; the error of an operation
 */
int recording_merge_next(struct recording_merge *merge, uint32_t *ret_recording,
			 struct session **ret_session);

/* Closes nothing. */
void recording_merge_release(struct recording_merge *merge);

#endif
