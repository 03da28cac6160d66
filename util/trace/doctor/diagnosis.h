/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which parts of retsnoop work on a machine, check by check, from the machine's own facts and from
 * trials. Pure code.
 */
#ifndef RETSNOOP_TRACE_DOCTOR_DIAGNOSIS_H
#define RETSNOOP_TRACE_DOCTOR_DIAGNOSIS_H

#include <stdbool.h>

#include "util/base/vec.h"
#include "util/kernel/debug/debuginfo_find.h"
#include "util/kernel/machine/machine.h"
#include "util/trace/attach/features.h"

/* Facts that only a trial shows. */
struct trials {
	int load;	/* a tracing program: 0; -EPERM; -errno */
	int ring_buffer;	/* if programs load: 0; -errno */
	int btf_ids;	/* listing BTF objects */
	int perf;	/* a perf event of the kernel's side */
	int branches;	/* one that keeps branches */
	/* If programs load: contexts_try(), a timer interrupt's effect on the preempt count */
	int64_t hardirq;
	bool reads_memory;	/* without /proc/kcore: a BPF program can */
	bool features_known;	/* programs load, or there is BTF */
	struct features features;	/* with load != 0, from BTF; contexts only if they load */
	unsigned int libbpf;	/* KERNEL_VERSION_OF() of it */
	/* Debug info of the running kernel. */
	enum debuginfo_fit vmlinux;
	int debuginfod;	/* debuginfod_available() */
	const char *vmlinux_path;	/* the likeliest file; NULL none; outlives the diagnosis */
};

enum check_state {
	CHECK_OK,
	CHECK_LIMITED,	/* present, but incomplete */
	CHECK_MISSING,
	CHECK_UNKNOWN,	/* not known */
};

enum check_weight {
	WEIGHT_NEEDED,	/* without it nothing can be traced */
	WEIGHT_WANTED,	/* without it less is shown */
	WEIGHT_EXTRA,	/* for some options only, or hardware; does not count */
};

struct check {
	const char *name;	/* one word, for people and for JSON; static */
	const char *group;	/* heading; checks of one group come one after the other; static */
	enum check_state state;
	enum check_weight weight;
	bool detail;	/* shown only on request */
	/*
	 * Sentences without a full stop, owned. The last two are NULL if the check passed.
	 */
	char *finding;	/* the state found */
	char *effect;	/* its effect on tracing */
	char *advice;	/* what to do: a command where there is one; NULL nothing can be done */
};

enum verdict {
	VERDICT_WORKS,
	VERDICT_LIMITED,	/* a WEIGHT_WANTED check is not in order */
	VERDICT_IMPOSSIBLE,	/* a WEIGHT_NEEDED check is not in order */
};

struct diagnosis {
	VEC(struct check) checks;
	enum verdict verdict;
	bool failed;	/* out of memory */
};

/* 0; -ENOMEM (reported). Release with diagnosis_release(). */
int diagnose(const struct machine *machine, const struct trials *trials,
	     struct diagnosis *ret_diagnosis);
void diagnosis_release(struct diagnosis *diagnosis);

/* "ok", "limited", ...; "needed", ...; "works", ... Static. */
const char *check_state_name(enum check_state state);
const char *check_weight_name(enum check_weight weight);
const char *verdict_name(enum verdict verdict);

#endif
