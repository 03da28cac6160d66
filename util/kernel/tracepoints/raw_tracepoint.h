/* SPDX-License-Identifier: BSD-2-Clause */
/* Raw tracepoints in BTF: their names and arguments. */
#ifndef RETSNOOP_KERNEL_TRACEPOINTS_RAW_TRACEPOINT_H
#define RETSNOOP_KERNEL_TRACEPOINTS_RAW_TRACEPOINT_H

#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/base/vec.h"

struct kernel_btf;

struct raw_tracepoint {
	const char *name;	/* owned by the BTF */
	const char *module;	/* NULL vmlinux; owned by the kernel_btf */
	int btf_module;		/* index of the BTF */
	uint32_t proto;		/* FUNC_PROTO; its first parameter is not the tracepoint's */
	uint32_t nr_args;	/* without that */
};

struct raw_tracepoints {
	VEC(struct raw_tracepoint) v;	/* by name */
};

/*
 * Add the raw tracepoints of one BTF; @module NULL for vmlinux. 0, also without BTF; -ENOMEM
 * (reported). Sort when done.
 */
int raw_tracepoints_add(struct kernel_btf *btf, const char *module,
			struct raw_tracepoints *points);
void raw_tracepoints_sort(struct raw_tracepoints *points);
void raw_tracepoints_release(struct raw_tracepoints *points);

/* An argument's name, or "argN" if BTF has none, and its type's id. */
const char *raw_tracepoint_arg(const struct kernel_btf *btf, const struct raw_tracepoint *point,
			       uint32_t index, uint32_t *ret_type);

/* Append "struct task_struct *p, pid_t old_pid"; nothing if there are none. */
void raw_tracepoint_args_add(struct kernel_btf *btf, const struct raw_tracepoint *point,
			     struct strbuf *sb);

#endif
