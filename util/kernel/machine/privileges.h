/* SPDX-License-Identifier: BSD-2-Clause */
/* Capabilities of this process. */
#ifndef RETSNOOP_KERNEL_MACHINE_PRIVILEGES_H
#define RETSNOOP_KERNEL_MACHINE_PRIVILEGES_H

#include <stdint.h>

/* The effective ones, as bits of capabilities(7). 0; -errno the kernel does not tell. */
int privileges_read(uint64_t *ret_caps);

/*
 * Give up all others for good, in this thread and in those that it will start. Programs that it
 * starts get what their user has: the set for execve(2) stays as it is. 0; -errno.
 */
int privileges_keep(uint64_t caps);

/*
 * Go on without the effective rights of all others, in this thread, until privileges_resume(): files are
 * opened and calls are made without them, by mistake too. 0; -errno.
 */
int privileges_put_aside(uint64_t caps);
int privileges_resume(void);

#endif
