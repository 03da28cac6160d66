/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

/*
 * The cases of simfail.
 *
 * To add one: write a small function in the file of its subject that makes the call and returns
 * simfail_errno_of(its result), and add a row to the table at the end of that file.
 * A case must be deterministic, leave nothing on the machine, and do no harm if the call succeeds.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	SIMFAIL_SKIP = -1,	/* cannot be run here, see why_skipped */
	SIMFAIL_VARIOUS = -2,	/* several calls, each with an errno of its own, all as expected */
};

enum simfail_needs {
	NEED_PRIVILEGE = 1 << 0,	/* EPERM or EACCES means a missing privilege */
};

/* What a call is made on, its number, and its arguments: plain_call.h. */
struct plain_call {
	int on;			/* enum plain_thing */
	long nr;
	long args[6];
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
	 * each one's separated by '|', oldest kernel first; "-" if there is none, or it is not known. Checked with
	 * kretprobes on Debian's 5.10, 6.1, 6.12 and 7.2.
	 */
	const char *fault;
	/* "function=RESULT" if the failure starts below as another result, or NULL */
	const char *from;
	unsigned int needs;	/* enum simfail_needs */
	/* returns the errno it saw, 0, or one of the negative values above */
	int (*run)(const struct simfail_case *c, struct simfail_run *run);
	long arg;		/* for functions that serve several cases */
	struct plain_call call;	/* for plain_call_run() */
};

/* One file each, with its cases' functions; a case without a name ends each. */
extern const struct simfail_case simfail_bpf_cases[];
extern const struct simfail_case simfail_healthy_cases[];
extern const struct simfail_case simfail_file_cases[];
extern const struct simfail_case simfail_process_cases[];
extern const struct simfail_case simfail_killed_cases[];
extern const struct simfail_case simfail_socket_cases[];
extern const struct simfail_case simfail_io_uring_cases[];
extern const struct simfail_case simfail_perf_key_cases[];
extern const struct simfail_case simfail_remap_cases[];
extern const struct simfail_case simfail_deep_cases[];
extern const struct simfail_case simfail_plain_file_cases[];
extern const struct simfail_case simfail_plain_old_call_cases[];
extern const struct simfail_case simfail_plain_mount_cases[];
extern const struct simfail_case simfail_plain_socket_cases[];
extern const struct simfail_case simfail_plain_process_cases[];
extern const struct simfail_case simfail_plain_memory_cases[];
extern const struct simfail_case simfail_plain_subsystem_cases[];

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

/* Wait for the end of a child. 0; or what simfail_skip() returns. */
int simfail_wait(struct simfail_run *run, pid_t pid, int *ret_status);

/* Have a seccomp filter do @action (SECCOMP_RET_x) for acct(2). 0, or not. */
int simfail_forbid_acct(uint32_t action);

#define _cleanup_(f) __attribute__((cleanup(f)))

/* The head of a case's function. */
#define CASE(fn) static int fn(const struct simfail_case *c __attribute__((unused)), \
			       struct simfail_run *run __attribute__((unused)))

/* What the kernel calls the function of a system call. */
#if defined(__aarch64__)
#define SYSCALL(name) "__arm64_sys_" name
#elif defined(__riscv)
#define SYSCALL(name) "__riscv_sys_" name
#else
#define SYSCALL(name) "__x64_sys_" name
#endif

#define MISSING_PATH "/simfail-there-is-no-such-file"
#define MISSING_PID  0x3fffffff	/* above any pid_max */

/* For _cleanup_(simfail_close): closes the file descriptor of a local unless negative. */
void simfail_close(int *fd);

/* A temporary directory. Signals wait while it exists, so that it is always removed again. */
struct simfail_scratch {
	char dir[PATH_MAX - 16];
	char path[PATH_MAX]; /* of the one thing a case may make inside */
	sigset_t old_mask;
};

/* Make the directory; 0 or SIMFAIL_SKIP. Release it in both cases. */
int simfail_scratch_init(struct simfail_scratch *scratch, struct simfail_run *run);
void simfail_scratch_release(struct simfail_scratch *scratch);

/* Make an executable file; 0 or SIMFAIL_SKIP. */
int simfail_scratch_program(struct simfail_scratch *scratch, struct simfail_run *run,
			    const char *text);

/* Open a non-blocking pipe; 0 or SIMFAIL_SKIP. */
int simfail_open_pipe(int *ret_read_fd, int *ret_write_fd, struct simfail_run *run);
