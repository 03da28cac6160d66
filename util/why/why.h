/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why a system call failed: from the call to the branch that decided it. It runs the command
 * repeatedly, learns more in each run, and stops when the answer is known. Without a command a run
 * waits for the next such failure of the processes that pass the filters.
 *
 *	1	which system calls failed (watch.h), and the one to explain (failed_calls.h)
 *	2...	the functions it called, and probes in those that returned the result (pass.h). In
 *		each, from the system call's function down: find its way block by block
 *		(placement.h); then the decider (decision.h) says where the result came from: a
 *		call, which is examined next, or a branch of its own
 */
#ifndef RETSNOOP_WHY_WHY_H
#define RETSNOOP_WHY_WHY_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/plan/args/syscall_formats.h"
#include "util/why/reasons/refused.h"
#include "util/why/way/target.h"
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
	const char *entry;	/* -e: begin with this function instead of the call's own; NULL */
	int err;		/* -x: 0 any */
	uint32_t call;		/* --call: 0: the one that the command complained about */
	uint32_t max_runs;
};

/* The purpose and outcome of a run: the evidence. */
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
	bool unseen;		/* no run has traced it yet: only its caller's code says that it returned this */
	uint32_t first, last;	/* its activation in the pass that is followed */
	uint32_t call, calls;	/* of why->tested, the first: number of the call, from 1, of how many; 0: not known */
};

struct why {
	const struct why_ask *ask;
	struct kernel *kernel;
	struct cgroup_watch *cgroups;	/* NULL: none are selected by patterns */
	struct watched watched;
	int chosen;			/* index into watched.calls.v; -1: none */
	enum chosen_by chosen_by;
	/* A signal ended the process: the reason if no call is chosen; in watched.calls.events. NULL: none. */
	const struct watch_event *death;
	struct syscall_formats syscalls;	/* parameters, as far as they were looked up */
	char *syscall;			/* its name; NULL: not known */
	const char *entry;		/* its function; NULL: not known */
	VEC(struct target *) targets;
	VEC(struct why_level) levels;	/* outermost first, as far as they are known */
	/*
	 * Of the function whose result the deciding branch tested, and of those that it got this result
	 * from; the last one's decision is known. Empty: it tested none, or this is not known.
	 */
	VEC(struct why_level) tested;
	uint64_t tested_at;	/* the address of that function; 0: none */
	VEC(struct why_run) runs;
	/* The end of the answer. */
	const char *unknown;		/* why nothing more is known; NULL: all is known */
	const char *last_callee;	/* it returned the result, cannot be examined; NULL */
	const char *last_reason;	/* why it cannot */
	bool answered;			/* by the first run: seccomp or a signal ended the call */
	struct refused_object refused;	/* the object whose access was refused */
	uint32_t kept_at;	/* the function to begin with may keep its error there, in a request; 0: it does not */
	uint32_t runs_before;	/* of `runs`, those that began with another function */
	uint32_t nr_missed;		/* latest runs with incomplete traces */
	bool is_one_of_many; /* many calls failed alike: it is not certain which one was examined */
	bool watched_in_pass;	/* the first run was a pass too: there was only one run */
	char *once_text;	/* of `unknown`; owned */
	bool interrupted;
	struct why_code *code;
};

/**
 * @why		filled in; release either way
 * @return	0, also if nothing was found; -errno (reported)
 */
int why_run(struct kernel *kernel, const struct why_ask *ask, struct why *why);
void why_end(struct why *why);

/* A system call's name, "mount"; NULL: not known. Free it. */
char *why_syscall_name(struct why *why, uint32_t nr);

#endif
