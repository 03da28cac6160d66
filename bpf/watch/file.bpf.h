/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-2-Clause) */
/* Files that the current task has open. */
#ifndef RETSNOOP_BPF_WATCH_FILE_BPF_H
#define RETSNOOP_BPF_WATCH_FILE_BPF_H

#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>

#include "bpf/watch/task.bpf.h"
#include "bpf/watch/watch_event.h"

/* MKDEV(1, 3) of the kernel. */
#define DEV_NULL (1 << 20 | 3)

/* The struct file of a descriptor; 0: there is none, or the offsets are not known. */
static __always_inline __u64 file_of(__u32 fd)
{
	__u64 fds;

	if (!config.files.files)
		return 0;
	fds = word_at(word_at(bpf_get_current_task(), config.files.files), config.files.fdt);
	if (fd >= number_at(fds, config.files.max_fds))
		return 0;
	return word_at(word_at(fds, config.files.fds), (__u64)fd * sizeof(__u64));
}

static __always_inline bool is_dev_null(__u32 fd)
{
	__u64 file = config.files.rdev ? file_of(fd) : 0;

	return file && number_at(word_at(file, config.files.inode), config.files.rdev) == DEV_NULL;
}

#endif
