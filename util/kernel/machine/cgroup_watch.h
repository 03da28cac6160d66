/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Watches new cgroups (version 2), to know even the names of short-lived ones.
 *
 * The kernel reports each new cgroup by its tracepoint cgroup:cgroup_mkdir. A thread reads it
 * through a perf event on each CPU. If that is not possible, the thread walks the hierarchy every
 * second while it is followed, and misses cgroups that live shorter.
 *
 * A new cgroup is noticed some time after its creation, mostly within a millisecond. CPUs that
 * come online later are not watched. (PERF_RECORD_CGROUP is not enough: the kernel sends it only
 * if the controller perf_event is on.)
 */
#ifndef RETSNOOP_KERNEL_MACHINE_CGROUP_WATCH_H
#define RETSNOOP_KERNEL_MACHINE_CGROUP_WATCH_H

#include <stdint.h>

struct cgroup_watch;

/* NULL: no cgroup2, no thread, or no memory; then names are looked up without a watch. */
struct cgroup_watch *cgroup_watch_new(void);
void cgroup_watch_free(struct cgroup_watch *watch);

/* The path of a recent cgroup, below the root of the hierarchy. free() it. NULL: not known. */
char *cgroup_watch_path(struct cgroup_watch *watch, uint64_t id);

/* @path	below the root of the hierarchy. Never called by two threads at once */
typedef void (*cgroup_seen_fn)(void *arg, const char *path, uint64_t id);

/*
 * Call @fn in another thread for all existing cgroups, parents first, then for each new one,
 * until @fn is NULL. A cgroup may be reported twice.
 */
void cgroup_watch_follow(struct cgroup_watch *watch, cgroup_seen_fn fn, void *arg);

/* Open a cgroup's directory. The caller closes the descriptor; -1: it was removed. */
int cgroup_watch_open(struct cgroup_watch *watch, uint64_t id, const char *path);

#endif
