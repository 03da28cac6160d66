/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's memory as a BPF program reads it, with the right to read it that tracing takes anyway (CAP_PERFMON):
 * for machines that have no /proc/kcore, and containers, which hide it.
 */
#ifndef RETSNOOP_KERNEL_BPF_MEMORY_READER_H
#define RETSNOOP_KERNEL_BPF_MEMORY_READER_H

#include <stddef.h>
#include <stdint.h>

struct memory_reader;

/*
 * NULL: the kernel refuses it, as without CAP_PERFMON or under lockdown=confidentiality, or has no
 * BPF_PROG_TEST_RUN for raw tracepoints (before 5.10). Free it with memory_reader_free().
 */
struct memory_reader *memory_reader_new(void);
/* Goes on working when CAP_PERFMON is gone. Bytes read, fewer where unmapped memory begins; -EFAULT none; -errno. */
long memory_reader_read(struct memory_reader *reader, uint64_t addr, void *buf, size_t size);
void memory_reader_free(struct memory_reader *reader);

#endif
