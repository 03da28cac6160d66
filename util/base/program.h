/* SPDX-License-Identifier: BSD-2-Clause */
/* Other programs: whether files can be executed, and the signals that they get back. */
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

/*
 * For main(): writing to a closed pipe, or beyond 'ulimit -f', is an error like any other and does not end the
 * process.
 */
void program_ignore_signals(void);

/* Before an exec: ignored signals stay ignored in a new program. */
void program_restore_signals(void);

#endif
