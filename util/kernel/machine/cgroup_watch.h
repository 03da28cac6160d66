/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cgroups (version 2) as they appear, with their names, however short they live.
 *
 * The kernel tells of each new cgroup by its tracepoint cgroup:cgroup_mkdir, to which a perf event for
 * each CPU listens, and a thread to those. Where that is not possible the thread looks through the
 * hierarchy every second as long as somebody follows, and misses cgroups that live shorter.
 *
 * A new cgroup is heard of some time after it was made, mostly less than a millisecond. CPUs that
 * come online later are not listened to. (PERF_RECORD_CGROUP would not do: the kernel sends it
 * only where the controller perf_event is on.)
 */
#ifndef RETSNOOP_KERNEL_MACHINE_CGROUP_WATCH_H
#define RETSNOOP_KERNEL_MACHINE_CGROUP_WATCH_H

#include <stdint.h>

struct cgroup_watch;

/* NULL: there is no cgroup2, no thread, or no memory; names are looked up without it, then. */
struct cgroup_watch *cgroup_watch_new(void);
void cgroup_watch_free(struct cgroup_watch *watch);

/* The path of one that appeared lately, below the root of the hierarchy. free() it. NULL: not known. */
char *cgroup_watch_path(struct cgroup_watch *watch, uint64_t id);

/* @path	below the root of the hierarchy. Never called by two threads at once */
typedef void (*cgroup_seen_fn)(void *arg, const char *path, uint64_t id);

/*
 * Call @fn for all cgroups that there are, parents first, and from then on for each that appears,
 * in another thread, until @fn is NULL. A cgroup may be told of twice.
 */
void cgroup_watch_follow(struct cgroup_watch *watch, cgroup_seen_fn fn, void *arg);

/* A directory's descriptor, to be closed; -1: it is gone. */
int cgroup_watch_open(struct cgroup_watch *watch, uint64_t id, const char *path);

#endif
