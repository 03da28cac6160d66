/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What BPF counted instead of sending sessions (bpf/summary.h), taken out of its maps: calls by
 * entry function and result, and who produced the errors.
 */
#ifndef RETSNOOP_CAPTURE_SUMMARY_SUMMARY_H
#define RETSNOOP_CAPTURE_SUMMARY_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/summary.h"
#include "util/base/vec.h"

/* Calls of an entry function that ended alike, and that are of one group. */
struct summary_line {
	uint32_t func;		/* index into the plan's functions */
	int32_t err;		/* errno, 0 for another failure (bpf/summary.h), SUMMARY_SUCCESS */
	uint32_t producer;	/* function + 1, where rows are counted by producer, too; 0 none */
	struct summary_group group;	/* as the summary's `by` has it */
	const char *host;	/* of several; borrowed, one pointer for each; NULL: not told apart */
	struct summary_row row;
};

/* A function that was the first to return an error, and what came of it. */
struct summary_producer {
	uint32_t func;
	int32_t err;		/* what it returned */
	int32_t outcome;	/* what the entry call returned */
	uint64_t count;
};

struct summary {
	uint64_t start_ns;	/* CLOCK_MONOTONIC; what is counted ended from then on ... */
	uint64_t end_ns;	/* ... until then */
	bool interval;		/* one of several of a run */
	enum summary_by by;
	uint64_t calls;		/* of all lines */
	uint64_t errors;	/* of all producers */
	VEC(struct summary_line) lines;			/* those with most calls first */
	VEC(struct summary_producer) producers;		/* the same */
};

#define SUMMARY_INIT { 0 }

/* More are not counted. */
static inline uint32_t summary_max_rows(enum summary_by by)
{
	return by ? SUMMARY_MAX_GROUPED_ROWS : SUMMARY_MAX_ROWS;
}

void summary_release(struct summary *summary);

/*
 * Put in what was read from the maps, in any order; then sort. 0 or -ENOMEM.
 *
 * @group	NULL none
 */
int summary_add_line(struct summary *summary, uint32_t func, int32_t err,
		     const struct summary_group *group, const struct summary_row *row);
int summary_add_producer(struct summary *summary, uint32_t func, int32_t err, int32_t outcome,
			 uint64_t count);
void summary_sort(struct summary *summary);

/**
 * The duration that so many of a hundred calls did not exceed.
 *
 * Buckets tell it to a quarter of a power of two; within one, calls are taken to be spread evenly.
 * Never more than the longest call, which is known exactly, nor less for a higher @percent.
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
 * Take out what was counted so far: from now on BPF counts anew.
 *
 * @summary	empty; gets lines and producers, sorted. After an error it has what was read
 * @return	0; negative errno (reported)
 */
int summary_take(struct summary_maps *maps, struct summary *summary);

#endif
