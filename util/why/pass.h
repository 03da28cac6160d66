/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One more run of the command with something attached, and the call that it is about: the usual way
 * of a trace, whose sessions are kept instead of being shown.
 */
#ifndef RETSNOOP_WHY_PASS_H
#define RETSNOOP_WHY_PASS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/trace/session/ledger.h"
#include "util/trace/session/session.h"

struct kernel;
struct plan;
struct probes;
struct symbol;
struct trace_request;
struct watch_ask;
struct watched;

/* What to attach, and which call is meant. */
struct pass_ask {
	char **workload;		/* NULL: the next such call of the processes that pass is it */
	const struct trace_request *filters;	/* -p -n --cgroup --pod --container --unit */
	struct cgroup_watch *cgroups;	/* for patterns among them; NULL */
	const char *user;		/* who runs it; NULL: who runs retsnoop */
	int stdout_fd;			/* its standard output; 0: the same as retsnoop's */
	const char *entry;		/* the system call's function */
	const char *module;		/* NULL for vmlinux */
	VEC(const struct symbol *) funcs;	/* to be traced inside it */
	struct probes *probes;		/* taken over; NULL: none */
	const char *comm;		/* of the thread that failed; NULL: any */
	int64_t result;
	uint32_t nth;			/* of the calls that failed like that; from 1 */
	/* Not NULL: which call is not known before, and the results of system calls are watched, too. */
	const struct watch_ask *watch;
	struct watched *watched;
	int err;			/* with a watch: the only errno that matters; 0: any */
};

struct pass {
	struct plan *plan;		/* with the probes, and which of them were refused */
	struct ledger ledger;
	VEC(struct session) alike;	/* calls that failed like that, by time; theirs owned */
	/* Of alike: with a watch none; the one, or, where there are fewer, the last; NULL: it did not fail again. */
	const struct session *session;
	bool interrupted;
	uint64_t elapsed_ns;
};

void pass_ask_release(struct pass_ask *ask);

/**
 * @pass	filled in; release either way
 * @return	0, pass->session NULL included; -ENOENT the entry function cannot be traced; -errno
 *		(reported)
 */
int pass_run(struct kernel *kernel, struct pass_ask *ask, struct pass *pass);
void pass_release(struct pass *pass);

/*
 * Whether the calls that failed like that are the same as far as is known: the functions that failed
 * in them, and the probes that were passed.
 */
bool pass_is_uniform(const struct pass *pass);

/* The function's index in the plan; UINT32_MAX: it is not traced. */
uint32_t pass_func(const struct pass *pass, uint64_t addr);

/* Calls [first, last] of the session's trace: an activation of a function. */
struct activation {
	uint32_t first, last;
	uint64_t result;
};

/*
 * The activations of a function inside another's that returned a result as 32 bits; the last one is
 * returned. 0: none; else how many.
 */
uint32_t pass_find(const struct pass *pass, const struct activation *in, uint64_t func,
		   uint32_t result, struct activation *ret);

/* Probes of an activation, those inside calls of the same function left out. Begins as {}. */
struct probe_walk {
	uint32_t at, nested;
};

/* The next one that was passed; NULL: that was the last. */
const struct traced_call *pass_next_probe(const struct pass *pass, const struct activation *in,
					  struct probe_walk *walk);

/*
 * The outermost function inside an activation that returned the same as it: its index in the plan,
 * and its activation. False: there is none, or there are several beside each other. What a function that
 * returned something else had called is none of them.
 */
bool pass_find_outermost(const struct pass *pass, const struct activation *in, uint32_t *ret_func,
			 struct activation *ret);

/*
 * Whether a call that the activation itself made may be missing in its trace, or its return. What is
 * missing deeper down does not matter yet. Told with -v.
 */
bool pass_is_torn(const struct pass *pass, const struct activation *in);

#endif
