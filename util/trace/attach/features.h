/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The BPF features of a kernel. The running kernel's are tried; another kernel's are read from
 * its files.
 */
#ifndef RETSNOOP_TRACE_ATTACH_FEATURES_H
#define RETSNOOP_TRACE_ATTACH_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/config.h"
#include "util/ask/rung.h"
#include "util/trace/attach/contexts.h"
#include "util/trace/attach/proof.h"

struct kernel;
struct kernel_btf;

#define RUNG_LACKS_SIZE 128

struct features {
	bool rungs[NR_RUNGS];
	/* Why a rung of the kernel cannot be used here, and is not among @rungs; else "". */
	char lacks[NR_RUNGS][RUNG_LACKS_SIZE];
	/* By rung; until self_test.h tests it, the usual case. */
	struct proof proofs[NR_RUNGS];
	unsigned int version;	/* KERNEL_VERSION_OF(); 0: not known, or it does not run */
	bool btf;		/* its types are known */
	bool btf_ids;		/* it has them itself, and knows their ids */
	bool session_ctx;	/* bpf_session_is_return() takes the context (7.2) */
	/* BTF's ids of bpf_session_is_return() and bpf_session_cookie(); 0: the kernel has none */
	uint32_t session_is_return, session_cookie;
	bool session_needs_jit;	/* its session rungs do not work with the interpreter */
	bool attach_cookies;	/* for single kprobes (5.15) */
	bool func_ret;		/* bpf_get_func_ret() (5.17) */
	bool entries_break;	/* kprobes at entries are breakpoints, which count as NMIs */
	bool preemptible;	/* tasks can be preempted inside the kernel, or it is not known */
	bool cgroup_ids;	/* bpf_get_current_cgroup_id(): CONFIG_CGROUPS */
	bool branch_snapshot;	/* bpf_get_branch_snapshot() (5.16) */
	bool rethook;		/* fprobe hooks returns by rethook; else by function graph tracing (6.14) */
	uint64_t return_hooks[CONFIG_RETURN_HOOKS];	/* see struct bpf_config */
	struct contexts contexts;
};

/**
 * Try the features of the running kernel.
 *
 * @return	0; -EPERM BPF is refused altogether; -EOPNOTSUPP it needs its JIT compiler, which is off
 *		(reported with the likely reason and what to do)
 */
int features_probe(struct kernel *kernel, struct features *ret_features);

/**
 * The rungs of a kernel that does not run, by its symbols and BTF. Only rungs are filled in.
 *
 * @return	0; -errno its symbols cannot be read (reported)
 */
int features_read(struct kernel *kernel, struct features *ret_features);

/*
 * The functions below only look, and report nothing.
 *
 * The first one tries all features that need no symbols (as features_probe(), without hooks,
 * per-CPU addresses and unwinding). @btf NULL: there is none. 0; -errno of loading a tracing
 * program; -ENOEXEC this kernel does not run them without BPF's JIT compiler, which is off.
 */
int features_try(struct kernel_btf *btf, struct features *ret_features);
/* Rungs by BTF alone, as in features_read(): nothing is tried, no privileges are needed. */
void features_of_btf(struct kernel_btf *btf, struct features *ret_features);
/* 0 or -errno: a map of BPF's ring buffer (5.8). */
int features_try_ring_buffer(void);
/* 0 or -errno: listing BTF objects, which libbpf before 1.3 does to load ours. */
int features_try_btf_ids(void);
/* How contexts are told apart, as in features_probe(); reads symbols only if it needs them. */
void features_try_contexts(struct kernel_btf *btf, struct contexts *ret_contexts);
/* 0 or -errno: any perf event that counts in the kernel. Branch records: branch_events_try(). */
int features_try_perf(void);

#endif
