/* SPDX-License-Identifier: BSD-2-Clause */
/* `retsnoop probe --list` and `--why`. */
#ifndef RETSNOOP_VIEW_LISTS_PROBE_LIST_H
#define RETSNOOP_VIEW_LISTS_PROBE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "util/base/strbuf.h"

struct probes;

/*
 * Print one point per line, with its fields or arguments in a comment after it: a list for `-J
 * @FILE`. 0; -EIO (reported).
 *
 *	tp:sched:sched_process_exec  # __data_loc char[] filename, pid_t pid, pid_t old_pid
 *	rawtp:sched_process_exec     # struct task_struct *p, pid_t old_pid, ...
 *	kprobe:ext4_open [ext4]      # 0xffffffffc0123450 int ext4_open(struct inode *inode, ...)
 */
int probe_list_text(FILE *out, bool color, const struct probes *probes);

/* One JSON object per line: point, kind, and its known facts. */
int probe_list_json(FILE *out, const struct probes *probes);

/* The answer of probes_why(). 0; -EIO (reported). */
int probe_why_text(FILE *out, const char *point, size_t usable, const struct strbuf *why);
int probe_why_json(FILE *out, const char *point, size_t usable, const struct strbuf *why);

#endif
