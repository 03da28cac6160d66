/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing a recording while a run goes on. What was written is whole chunks, each with all that
 * reading it takes before it: whenever the run is killed, what is there can be read.
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
	const struct wall_clock *clock;	/* what changes in it is written; NULL nothing does */
	struct cgroup_watch *cgroups;	/* for names of cgroups; NULL: without */
	bool full_btf;		/* all types, instead of those that are captured */
	uint64_t max_bytes;	/* of all files together; 0 no limit. Not with a sink */
};

/* Smaller ones would rotate all the time. */
#define RECORDING_MIN_SIZE (1u << 20)

/**
 * Find out whether a recording can be written there: that it overwrites nothing but older
 * recordings of this user's.
 *
 * @max_bytes	it will be rotated
 * @return	0; -EEXIST, -errno (reported, with what to do)
 */
int recorder_check_path(const char *path, uint64_t max_bytes);

/**
 * Create the file, and write what is known before the first event. An older recording there is
 * kept as PATH.old.
 *
 * @meta	taken over; its kernel is filled in here
 * @plan	as it was attached; with @kernel outlives the recorder
 * @return	0; -errno (reported)
 */
int recorder_new(const struct recorder_options *options, struct kernel *kernel,
		 const struct plan *plan, struct recording_meta *meta,
		 struct recorder **ret_recorder);

/* One record of bpf/event.h. 0; -errno it could not be written (reported). */
int recorder_record(struct recorder *recorder, const void *data, size_t size);

/* Write what has gathered, and how things stand. */
int recorder_flush(struct recorder *recorder, const struct ledger *ledger);

/* The same, and that this is the end. */
int recorder_end(struct recorder *recorder, const struct ledger *ledger);

struct recorder_stats {
	uint64_t sessions;	/* in the files that are there */
	uint64_t dropped;	/* sessions in those that had to make room */
	uint64_t bytes;		/* of the files */
	uint32_t files;
};

void recorder_stats(const struct recorder *recorder, struct recorder_stats *ret_stats);

/* What was written stays. */
void recorder_free(struct recorder *recorder);

#endif
