/* SPDX-License-Identifier: BSD-2-Clause */
/* Directories of the cgroup file system (version 2), as users name them. */
#ifndef RETSNOOP_KERNEL_MACHINE_CGROUP_H
#define RETSNOOP_KERNEL_MACHINE_CGROUP_H

#include <stdint.h>

/**
 * Find the directory of a cgroup: @text as a path, or, if there is no such cgroup, as a path
 * below cgroup2's mount point, as printed by /proc/PID/cgroup and systemctl(1).
 *
 * @option	"--cgroup", for messages
 * @ret_path	an absolute path without links; free() it
 * @return	0; -EINVAL there is no such cgroup (reported); -errno (reported)
 */
int cgroup_find(const char *option, const char *text, char **ret_path);

/* The same with another list of mounts than /proc/self/mounts. */
int cgroup_find_in(const char *mounts, const char *option, const char *text, char **ret_path);

/* The first mount of cgroup2 in such a list; NULL: none. free() it. */
char *cgroup_mount(const char *mounts);

/*
 * Open a cgroup by its id, which needs CAP_DAC_READ_SEARCH. The caller closes the descriptor; -1
 * (errno).
 */
int cgroup_open(int mount_fd, uint64_t id, int flags);

/* A cgroup's path below @mount. free() it; NULL: it was removed, or cannot be opened. */
char *cgroup_path_of(int mount_fd, const char *mount, uint64_t id);

#endif
