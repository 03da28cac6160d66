/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * BPF's counts in place of sessions (bpf/summary_rows.h), read from its maps: calls by entry function
 * and result, and the functions that produced the errors.
 */
#ifndef RETSNOOP_TRACE_SUMMARY_SUMMARY_H
#define RETSNOOP_TRACE_SUMMARY_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/summary_rows.h"
#include "util/base/vec.h"

/* Calls of an entry function with the same result and group. */
struct summary_line {
	uint32_t func;		/* index into the plan's functions */
	int32_t err;		/* errno, 0 for another failure (bpf/summary_rows.h), SUMMARY_SUCCESS */
	uint32_t producer;	/* function + 1, if rows are grouped by producer, too; 0 none */
	struct summary_group group;	/* by the summary's `by` */
	const char *host;	/* borrowed, one pointer per host; NULL: hosts are not told apart */
	struct summary_row row;
};

/* A function that was the first to return an error, and the entry call's result. */
struct summary_producer {
	uint32_t func;
	int32_t err;		/* what it returned */
	int32_t outcome;	/* what the entry call returned */
	uint64_t count;
};

struct summary {
	uint64_t start_ns;	/* CLOCK_MONOTONIC; counted calls ended from then on ... */
	uint64_t end_ns;	/* ... until then */
	bool interval;		/* one of several of a run */
	enum summary_by by;
	uint64_t calls;		/* of all lines */
	uint64_t errors;	/* of all producers */
	VEC(struct summary_line) lines;			/* most calls first */
	VEC(struct summary_producer) producers;		/* the same */
};

#define SUMMARY_INIT { 0 }

/* The limit of rows; more are not counted. */
static inline uint32_t summary_max_rows(enum summary_by by)
{
	return by ? SUMMARY_MAX_GROUPED_ROWS : SUMMARY_MAX_ROWS;
}

void summary_release(struct summary *summary);

/*
 * Add rows read from the maps, in any order; sort afterwards. 0 or -ENOMEM.
 *
 * @group	NULL none
 */
int summary_add_line(struct summary *summary, uint32_t func, int32_t err,
		     const struct summary_group *group, const struct summary_row *row);
int summary_add_producer(struct summary *summary, uint32_t func, int32_t err, int32_t outcome,
			 uint64_t count);
void summary_sort(struct summary *summary);

/**
 * The duration that @percent of the calls did not exceed.
 *
 * Buckets have the size of a quarter of a power of two; within one, calls are assumed to be
 * spread evenly. The result is at most the longest call, which is known exactly, and never
 * decreases with @percent.
 *
 * @percent	1..100
 * @return	ns; 0 when there were no calls
 */
uint64_t summary_percentile(const struct summary_row *row, unsigned int percent);

uint64_t summary_mean(const struct summary_row *row);

/* Descriptors of BPF's maps; borrowed. */
struct summary_maps {
	int epoch_fd;
	int lines_fd;
	int producers_fd;
	uint32_t epoch;		/* being filled */
};

/**
 * Take the counts so far; BPF starts again at 0.
 *
 * @summary	empty; gets sorted lines and producers. After an error it has what was read so far
 * @return	0; negative errno (reported)
 */
int summary_take(struct summary_maps *maps, struct summary *summary);

#endif
