/* SPDX-License-Identifier: BSD-2-Clause */
/* Sources of the code of kernel functions: the running kernel, a vmlinux file, a recording. */
#ifndef RETSNOOP_KERNEL_CODE_CODE_SOURCE_H
#define RETSNOOP_KERNEL_CODE_CODE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads kernel memory at a run-time address. Returns the bytes read, fewer at the end of memory;
 * -errno.
 */
struct code_source {
	long (*read)(void *arg, uint64_t addr, void *buf, size_t size);
	void *arg;
};

/*
 * The running kernel's memory, from /proc/kcore, which the kernel may refuse to everybody. Opened
 * with the first read.
 */
struct kcore {
	int fd;		/* -1 not opened yet, or refused */
	int err;	/* of opening it */
};

#define KCORE_INIT { -1, 0 }

long kcore_read(void *kcore, uint64_t addr, void *buf, size_t size);
void kcore_close(struct kcore *kcore);

#endif
