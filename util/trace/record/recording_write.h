/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing a recording during a run. The file always has whole chunks, and everything needed to read
 * a chunk comes before it: so the file is readable whenever the run is killed.
 */
#ifndef RETSNOOP_TRACE_RECORD_RECORDING_WRITE_H
#define RETSNOOP_TRACE_RECORD_RECORDING_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/trace/record/recording.h"
#include "util/trace/record/recording_file.h"

struct cgroup_watch;
struct kernel;
struct recorder;

struct recorder_options {
	const char *path;	/* NULL: to a sink */
	struct recording_sink sink;
	const struct wall_clock *clock;	/* its changes are written; NULL: none */
	struct cgroup_watch *cgroups;	/* for names of cgroups; NULL: without */
	bool full_btf;		/* write all types, not only those captured */
	uint64_t max_bytes;	/* of all files together; 0 no limit. Not with a sink */
};

/* Smaller files would rotate all the time. */
#define RECORDING_MIN_SIZE (1u << 20)

/**
 * Create the file, and write all that comes before the first event. An older recording there is
 * kept as PATH.old.
 *
 * @meta	taken over; its kernel is filled in here
 * @plan	as attached; must outlive the recorder, as @kernel must
 * @return	0; -errno (reported)
 */
int recorder_new(const struct recorder_options *options, struct kernel *kernel,
		 const struct plan *plan, const struct attached *attached,
		 struct recording_meta *meta,
		 struct recorder **ret_recorder);

/* One record of bpf/event.h. 0; -errno it could not be written (reported). */
int recorder_record(struct recorder *recorder, const void *data, size_t size);

/*
 * Modules were loaded or unloaded: what is known of their addresses is written again. Functions from @first
 * on were appended to the plan. 0; -errno (reported).
 */
int recorder_modules_changed(struct recorder *recorder, uint32_t first);

/* Write the buffered events and the ledger. */
int recorder_flush(struct recorder *recorder, const struct ledger *ledger);

/* The same, and the end of the recording. */
int recorder_end(struct recorder *recorder, const struct ledger *ledger);

struct recorder_stats {
	uint64_t sessions;	/* in the existing files */
	uint64_t dropped;	/* sessions in deleted files */
	uint64_t bytes;		/* of the files */
	uint32_t files;
};

void recorder_stats(const struct recorder *recorder, struct recorder_stats *ret_stats);

/* Keeps the files. */
void recorder_free(struct recorder *recorder);

#endif
