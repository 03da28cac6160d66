/* SPDX-License-Identifier: BSD-2-Clause */
/* What can be run. */
#ifndef RETSNOOP_BASE_PROGRAM_H
#define RETSNOOP_BASE_PROGRAM_H

/**
 * Whether a file is a program for this process. A directory that may be searched is not, though
 * access(2) calls it executable, too.
 *
 * @dir_fd	what a relative @path begins at, or AT_FDCWD
 * @return	0; -EISDIR; -EACCES not executable, or no regular file; -errno there is none
 */
int program_check(int dir_fd, const char *path);

#endif
