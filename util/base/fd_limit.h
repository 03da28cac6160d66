/* SPDX-License-Identifier: BSD-2-Clause */
/* The limit of open files. */
#ifndef RETSNOOP_BASE_FD_LIMIT_H
#define RETSNOOP_BASE_FD_LIMIT_H

/* Raise this process's limit as far as it may. A failure shows when files are opened. */
void fd_limit_raise(void);

#endif
