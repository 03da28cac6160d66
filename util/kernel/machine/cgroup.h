/* SPDX-License-Identifier: BSD-2-Clause */
/* Folders of the cgroup file system (version 2), as users name them. */
#ifndef RETSNOOP_KERNEL_MACHINE_CGROUP_H
#define RETSNOOP_KERNEL_MACHINE_CGROUP_H

#include <stdint.h>

/**
 * Find the folder of a cgroup: @text as a path, or, where there is no such cgroup, below the
 * place where cgroup2 is mounted, as /proc/PID/cgroup and systemctl(1) print them.
 *
 * @option	"--cgroup", for messages
 * @ret_path	an absolute path without links; free() it
 * @return	0; -EINVAL there is no such cgroup (reported); -errno (reported)
 */
int cgroup_find(const char *option, const char *text, char **ret_path);

/* The same with the list of mounts from another file than /proc/self/mounts. */
int cgroup_find_in(const char *mounts, const char *option, const char *text, char **ret_path);

/* The first mount of cgroup2 in such a list; NULL when there is none. free() it. */
char *cgroup_mount(const char *mounts);

/* By id, for which CAP_DAC_READ_SEARCH is needed. A descriptor, to be closed; -1 (errno). */
int cgroup_open(int mount_fd, uint64_t id, int flags);

/* The path below @mount. free() it; NULL: it is gone, or cannot be opened. */
char *cgroup_path_of(int mount_fd, const char *mount, uint64_t id);

#endif
