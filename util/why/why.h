/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why a system call failed: from the call to the branch that decided it. It conducts runs of the
 * command, each with more known than the one before, and stops as soon as it knows. Without a command
 * a run waits for the next such failure of the processes that the filters let pass.
 *
 *	1	which system calls failed (watch.h), and the one to explain (calls.h)
 *	2...	functions behind it, and probes in those that handed the result up (pass.h): in each,
 *		from the system call's function down, the way it took is known block by block
 *		(placement.h), and what decides from branch records (decision.h) says where the
 *		result came from: a call, which is looked into next, or a branch of its own
 */
#ifndef RETSNOOP_WHY_WHY_H
#define RETSNOOP_WHY_WHY_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/trace/plan/plan_syscalls.h"
#include "util/why/refused.h"
#include "util/why/target.h"
#include "util/why/watch/watch.h"

struct cgroup_watch;
struct kernel;
struct plan;

struct why_ask {
	char **command;		/* NULL: none */
	const struct trace_request *filters;	/* -p -n --cgroup --pod --container --unit */
	const char *user;	/* -u: who runs it; NULL: who runs retsnoop */
	int stdout_fd;		/* its standard output; 0: the same as retsnoop's */
	const char *syscall;	/* name: NULL any */
	const char *entry;	/* -e: a function to begin with in place of the call's own; NULL */
	int err;		/* -x: 0 any */
	uint32_t call;		/* --call: 0: the one that the command complained about */
	uint32_t max_runs;
};

/* What a run was for, and what came of it: the evidence. */
struct why_run {
	uint32_t functions, probes, refused, hits;
	uint64_t elapsed_ns;
	bool failed_again;
	uint32_t alike;
};

/* A function that the result came through. */
struct why_level {
	uint32_t target;	/* index into why->targets */
	uint64_t result;
};

struct why {
	const struct why_ask *ask;
	struct kernel *kernel;
	struct cgroup_watch *cgroups;	/* NULL: none are selected by patterns */
	struct watched watched;
	int chosen;			/* index into watched.calls.v; -1: none */
	enum choice_reason reason;
	struct plan_syscalls syscalls;	/* parameters, as far as they were looked up */
	char *syscall;			/* its name; NULL: not known */
	const char *entry;		/* its function; NULL: not known */
	VEC(struct target *) targets;
	VEC(struct why_level) levels;	/* outermost first, as far as they are known */
	VEC(struct why_run) runs;
	/* Where it ends. */
	const char *unknown;		/* why nothing more is known; NULL: it is */
	const char *last_callee;	/* which returned it, and cannot be looked into; NULL */
	const char *last_reason;	/* why it cannot */
	bool answered;			/* by the first run: a seccomp filter, or a signal, ended the call */
	struct refused_object refused;	/* what the access was to that was refused */
	uint32_t nr_missed;		/* last runs in which something was missing */
	bool is_one_of_many; /* which of the calls that failed so was looked at is not sure */
	bool watched_in_pass;	/* the first run was a pass as well: there was one run */
	char *once_text;	/* of `unknown`; owned */
	bool interrupted;
	struct why_code *code;
};

/**
 * @why		filled in; release either way
 * @return	0; -errno (reported). That nothing is known is no error.
 */
int why_run(struct kernel *kernel, const struct why_ask *ask, struct why *why);
void why_end(struct why *why);

/* A system call's name, "mount"; NULL: not known. Free it. */
char *why_syscall_name(struct why *why, uint32_t nr);

#endif
