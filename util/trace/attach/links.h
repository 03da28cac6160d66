/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rungs' system calls, made directly: libbpf 1.1 is older than the newer attach types, and
 * needs functions by name where an address is unambiguous.
 *
 * Every link is a file descriptor: closing it, or dying, ends it.
 */
#ifndef RETSNOOP_TRACE_ATTACH_LINKS_H
#define RETSNOOP_TRACE_ATTACH_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/kernel/machine/kprobe_pmu.h"

/* enum bpf_attach_type (include/uapi/linux/bpf.h, 7.2): values missing in older headers. */
#define ATTACH_TRACE_KPROBE_MULTI 42
#define ATTACH_TRACE_KPROBE_SESSION 56
#define ATTACH_TRACE_FSESSION_MULTI 61

/**
 * One link for many functions by address (5.18; sessions 6.10).
 *
 * @attach_type	ATTACH_TRACE_KPROBE_MULTI or _SESSION, as the program was loaded
 * @return	file descriptor or negative errno (not reported)
 */
int link_kprobe_multi(int prog_fd, int attach_type, bool at_return, const uint64_t *addrs,
		      const uint64_t *cookies, uint32_t cnt);

/* One link for many functions by BTF id (7.2); all or nothing. */
int link_tracing_multi(int prog_fd, const uint32_t *btf_ids, const uint64_t *cookies, uint32_t cnt);

/*
 * Link the trampoline that a program was loaded for (fentry, fexit), or a raw tracepoint by @name.
 */
int link_raw(int prog_fd, const char *name);

struct kprobe_link {
	int perf_fd;
	int link_fd;	/* -1: the perf event itself holds the program */
};

/**
 * A kprobe or kretprobe at @addr.
 *
 * @with_cookie	the kernel has perf links with cookies (5.15)
 * @return	0 or negative errno (not reported)
 */
int link_kprobe(const struct kprobe_pmu *pmu, int prog_fd, bool at_return, uint64_t addr,
		bool with_cookie, uint64_t cookie, struct kprobe_link *ret_link);

/* Another program for a kprobe's perf event that has none (5.15). File descriptor or negative errno. */
int link_perf(int perf_fd, int prog_fd, uint64_t cookie);

/* A tracepoint by its id; closing the perf event ends it. File descriptor or negative errno. */
int link_tracepoint(int prog_fd, uint32_t id);

/*
 * A breakpoint on an instruction of the kernel, on one CPU; closing it ends it. File descriptor;
 * -ENODEV the CPU is off; -ENOSPC all of its breakpoints are taken; -errno.
 */
int link_breakpoint(int prog_fd, uint64_t addr, int cpu);

/*
 * The page faults of the kernel on one CPU, each with its address; closing it ends it. File descriptor;
 * -ENODEV the CPU is off; -errno.
 */
int link_kernel_faults(int prog_fd, int cpu);

/*
 * The number of hits of a breakpoint. If bpf(2) is working on a map on that CPU, the kernel runs
 * no program for the hit, and does not count the missing run (bpf_overflow_handler(),
 * kernel/events/core.c, 6.12). 0; -errno.
 */
int breakpoint_hits(int fd, uint64_t *ret_hits);

/*
 * The runs that the kernel skipped on a link (counted since 6.7). 0; -EOPNOTSUPP not counted;
 * -ENOENT such links skip only runs that their programs count (prog_recursion_misses()).
 */
int link_missed(int link_fd, uint64_t *ret_missed);

/* Program runs that recursion suppressed. 0; -EOPNOTSUPP the kernel does not count (before 5.12). */
int prog_recursion_misses(int prog_fd, uint64_t *ret_misses);

#endif
