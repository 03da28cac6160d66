/* SPDX-License-Identifier: BSD-2-Clause */
/* What a kernel lets BPF do: the running one by trying, another one by reading. */
#ifndef RETSNOOP_TRACE_FEATURES_H
#define RETSNOOP_TRACE_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/config.h"
#include "util/trace/rung.h"

struct kernel;

struct features {
	bool rungs[NR_RUNGS];
	bool btf;		/* the kernel describes itself */
	bool session_ctx;	/* bpf_session_is_return() takes the context (7.2) */
	bool attach_cookies;	/* for single kprobes (5.15) */
	bool func_ret;		/* bpf_get_func_ret() (5.17) */
	bool branch_snapshot;	/* bpf_get_branch_snapshot() (5.16) */
	uint64_t return_hooks[CONFIG_RETURN_HOOKS];	/* see struct bpf_config */
	/* For kernels whose BTF does not tell where the preempt count is: struct bpf_config. 0 not so. */
	uint64_t per_cpu_offsets, preempt_count;
	bool return_unwinds;	/* stacks taken in return probes are whole (5.15) */
};

/**
 * Try.
 *
 * @return	0; -EPERM BPF is refused altogether (reported with the likely reason and what to do)
 */
int features_probe(struct kernel *kernel, struct features *ret_features);

/**
 * What the symbols and the BTF of a kernel that does not run say of its rungs. Only those are
 * filled in.
 *
 * @return	0; -errno its symbols cannot be read (reported)
 */
int features_read(struct kernel *kernel, struct features *ret_features);

#endif
