/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks whether files can be executed. */
#ifndef RETSNOOP_BASE_PROGRAM_H
#define RETSNOOP_BASE_PROGRAM_H

/**
 * Whether this process can execute a file. A directory is no program, though access(2) calls it
 * executable, too.
 *
 * @dir_fd	directory of a relative @path, or AT_FDCWD
 * @return	0; -EISDIR; -EACCES not executable, or no regular file; -errno no such file
 */
int program_check(int dir_fd, const char *path);

#endif
