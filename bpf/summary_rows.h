/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/*
 * BPF's counts for summaries, instead of single sessions: calls by entry function and result, and
 * errors by the function that produced them. In maps that user space reads and empties.
 */
#ifndef RETSNOOP_BPF_SUMMARY_ROWS_H
#define RETSNOOP_BPF_SUMMARY_ROWS_H

#include <linux/types.h>

#define SUMMARY_MAX_ROWS 1024
#define SUMMARY_MAX_GROUPED_ROWS 4096	/* with a group */
#define SUMMARY_MAX_PRODUCERS 4096

/* Kinds of results: an errno (1..4095), 0 a NULL that is a failure (or --error-if's), or this. */
#define SUMMARY_SUCCESS (-1)

/* Four buckets per power of two, up to 2^41 ns (36 minutes); the last one has all longer times. */
#define SUMMARY_SUB_BITS 2
#define SUMMARY_BUCKETS 160

/* What rows are grouped by, besides the entry function and its result. */
enum summary_by {
	SUMMARY_BY_NOTHING,
	SUMMARY_BY_PRODUCER,
	SUMMARY_BY_CGROUP,
	SUMMARY_BY_HOST,	/* of recordings; in the kernel there is one */
	SUMMARY_BY_PROCESS,	/* its id and name */
	SUMMARY_BY_COMM,	/* its name alone */
};

#define SUMMARY_COMM_LEN 16

/* All 0: none. An interrupt has no process or cgroup, a success no producer. */
struct summary_group {
	__u64 id;	/* of the process or cgroup; the producer's function + 1 */
	union {
		char comm[SUMMARY_COMM_LEN];	/* the process's name */
		/* Of a cgroup, with config.summary_producers: the task has the machine's mounts. */
		__u64 host_mounts;
	};
};

/* User space reads one epoch while BPF fills the other. */
struct summary_key {
	__u32 epoch;	/* 0 or 1 */
	__u32 func;	/* the entry function */
	__s32 err;	/* its result's kind */
	__u32 producer;	/* function + 1; 0 for successes, or without config.summary_producers */
	struct summary_group group;
};

struct summary_row {
	__u64 count;
	__u64 total_ns;
	__u64 max_ns;
	__u64 buckets[SUMMARY_BUCKETS];
};

/* The innermost function of an error chain. The value is a __u64, the count. */
struct producer_key {
	__u32 epoch;
	__u32 func;
	__s32 err;	/* what it returned */
	__s32 outcome;	/* what the entry call returned in the end */
};

/* The bucket that a duration belongs to. */
static inline __attribute__((always_inline)) __u32 summary_bucket(__u64 ns)
{
	__u32 log = 0, bucket;
	__u64 rest = ns;

	if (ns < 1 << SUMMARY_SUB_BITS)
		return ns;
	/* No loop: the verifier would follow each iteration. */
	if (rest >> 32) {
		log += 32;
		rest >>= 32;
	}
	if (rest >> 16) {
		log += 16;
		rest >>= 16;
	}
	if (rest >> 8) {
		log += 8;
		rest >>= 8;
	}
	if (rest >> 4) {
		log += 4;
		rest >>= 4;
	}
	if (rest >> 2) {
		log += 2;
		rest >>= 2;
	}
	log += rest >> 1;
	bucket = ((log - SUMMARY_SUB_BITS + 1) << SUMMARY_SUB_BITS) +
		 (ns >> (log - SUMMARY_SUB_BITS) & ((1 << SUMMARY_SUB_BITS) - 1));
	return bucket < SUMMARY_BUCKETS ? bucket : SUMMARY_BUCKETS - 1;
}

/* Where a bucket begins, in ns; it ends where the next one begins. */
static inline __u64 summary_bucket_start(__u32 bucket)
{
	__u32 log = (bucket >> SUMMARY_SUB_BITS) + SUMMARY_SUB_BITS - 1;
	__u64 sub = bucket & ((1 << SUMMARY_SUB_BITS) - 1);

	if (bucket < 1 << SUMMARY_SUB_BITS)
		return bucket;
	return (1ull << log) + (sub << (log - SUMMARY_SUB_BITS));
}

#endif
