/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

/*
 * The cases of simfail.
 *
 * To add one: write a small function that makes the call and returns
 * simfail_errno_of(its result), and give it a row in the table at the end of simfail-cases.c.
 * A case must be deterministic, leave nothing behind, and do no harm should the call succeed.
 */
#include <errno.h>

enum {
	SIMFAIL_SKIP = -1,	/* cannot be run here, see why_skipped */
	SIMFAIL_VARIOUS = -2,	/* several calls, each with an errno of its own, all as expected */
};

enum simfail_needs {
	NEED_PRIVILEGE = 1 << 0,	/* EPERM or EACCES means a missing privilege */
};

/* What one run of a case tells besides its errno. */
struct simfail_run {
	char why_skipped[200];
};

struct simfail_case {
	const char *name;
	const char *group;
	const char *summary;
	/* the errno user space sees, 0 for success */
	int expected;
	/*
	 * The innermost function that can be traced and returns this errno. Where kernels differ,
	 * each one's separated by '|', oldest kernel first; "-" if there is none. Checked with
	 * kretprobes on Debian's 5.10, 6.1, 6.12 and 7.2.
	 */
	const char *fault;
	/* "function=RESULT" if the failure starts below as another result, or NULL */
	const char *from;
	unsigned int needs;	/* enum simfail_needs */
	/* returns the errno it saw, 0, or one of the negative values above */
	int (*run)(const struct simfail_case *c, struct simfail_run *run);
	long arg;		/* for functions that serve several cases */
};

/* Ends with a case without a name. */
extern const struct simfail_case simfail_cases[];

/* The cases of bpf(2), in simfail-bpf.c. */
int simfail_bpf_bad_map(const struct simfail_case *c, struct simfail_run *run);
int simfail_bpf_bad_lookup(const struct simfail_case *c, struct simfail_run *run);
int simfail_bpf_fentry(const struct simfail_case *c, struct simfail_run *run);
int simfail_bpf_kprobe(const struct simfail_case *c, struct simfail_run *run);
int simfail_bpf_simple_obj(const struct simfail_case *c, struct simfail_run *run);

enum simfail_bad_map {
	BAD_MAP_TYPE,
	BAD_MAP_CREATE_FLAGS,
	BAD_MAP_KEY_SIZE_ARRAY,
	BAD_MAP_KEY_SIZE_STACKMAP,
	BAD_MAP_KEY_SIZE_RINGBUF,
	BAD_MAP_VAL_SIZE_PERCPU_ARRAY,
	BAD_MAP_MAX_ENTRIES_ARRAY,
	BAD_MAP_MAX_ENTRIES_RINGBUF,
	BAD_MAP_ARRAY_VALUE_SIZE_0,
	BAD_MAP_ARRAY_FLAGS,
};

enum simfail_bad_lookup {
	BAD_LOOKUP_KEY,
	BAD_LOOKUP_VALUE,
};

/* The errno that a system call's result stands for. */
static inline int simfail_errno_of(long ret)
{
	return ret < 0 ? errno : 0;
}

/* The name of an errno, or what an expected value of a case reads as. Static storage. */
const char *simfail_errno_name(int err);

/* Note why a case cannot be run; returns SIMFAIL_SKIP. */
int __attribute__((format(printf, 2, 3))) simfail_skip(struct simfail_run *run, const char *fmt,
						       ...);

/* For _cleanup_(simfail_close): closes the file descriptor of a local unless negative. */
void simfail_close(int *fd);

#define _cleanup_(f) __attribute__((cleanup(f)))
