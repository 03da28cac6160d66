/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A pass: one more run of the command with functions and probes attached, to trace the failed call.
 * It is an ordinary trace, but sessions are kept instead of shown.
 */
#ifndef RETSNOOP_WHY_PASS_H
#define RETSNOOP_WHY_PASS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/vec.h"
#include "util/plan/attached.h"
#include "util/trace/session/ledger.h"
#include "util/trace/session/session.h"

struct kernel;
struct plan;
struct probes;
struct features;
struct kept_kprobes;
struct symbol;
struct trace_request;
struct watch_ask;
struct watch_event;
struct watched;

/* What to attach, and the call to find. */
struct pass_ask {
	char **workload;		/* NULL: take the next such call that passes the filters */
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
	uint32_t kept_at;		/* of trace_request */
	uint32_t nth;			/* of the calls that failed like that; from 1 */
	/* Not NULL: the call is not known yet, and the results of system calls are watched too. */
	const struct watch_ask *watch;
	struct watched *watched;
	int err;			/* with a watch: the only errno that matters; 0: any */
	struct features *features;	/* of this kernel, with what was proven in passes before */
	struct kept_kprobes *kept;	/* of the passes before; NULL: none stay in the code */
};

struct pass {
	const struct plan *plan;	/* with the probes */
	struct attached attached;	/* which of them were refused */
	struct ledger ledger;
	VEC(struct session) alike;	/* calls that failed like that, by their ends; theirs owned */
	/*
	 * In alike: number nth, or the last if there are fewer; NULL: with a watch, or none failed.
	 */
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

/* Whether a thread of that name may make the call. Without a command, the number at a name's end does not matter. */
bool pass_is_of(const struct pass_ask *ask, const char *comm);

/* Whether the kernel skipped calls: the wanted one may be among them. */
bool pass_missed_calls(const struct pass *pass);

/**
 * Find the session of a call that the run watched too, among `alike`: in the same thread, with the
 * same result, and during the call. Where the beginning of the call was not seen, the last one
 * before its end.
 *
 * @return	how many sessions may be meant; the last of them is pass->session
 */
uint32_t pass_find_call(struct pass *pass, const struct watch_event *event);

/*
 * Whether the calls in `alike` are the same as far as is known: the functions that failed in them,
 * and the probes that were hit.
 */
bool pass_is_uniform(const struct pass *pass);
/* Whether one thread made all of them. */
bool pass_is_of_one_thread(const struct pass *pass);

/* The function's index in the plan; UINT32_MAX: it is not traced. */
uint32_t pass_func(const struct pass *pass, uint64_t addr);

/* An activation of a function: calls [first, last] of the session's trace. */
struct activation {
	uint32_t first, last;
	uint64_t result;
};

/*
 * Find the last activation of a function, inside another activation, that returned a result, as 32
 * bits. Returns the number of such activations. @ret may be @in.
 */
uint32_t pass_find(const struct pass *pass, const struct activation *in, uint64_t func,
		   uint32_t result, struct activation *ret);

/*
 * The same, but only of activations that the function of @in called, with no traced one between. If
 * there are none, all count: one that jumped there is traced, but the kernel's stack does not show it.
 */
uint32_t pass_find_called(const struct pass *pass, const struct activation *in, uint64_t func,
			  uint32_t result, struct activation *ret);

/*
 * Find the last activation of a function that the function of @in called, whatever it returned, with no traced
 * one between. Returns the number of such activations. @ret may be @in.
 */
uint32_t pass_find_calls(const struct pass *pass, const struct activation *in, uint64_t func,
			 struct activation *ret);

/*
 * The same, but of the activation that returned just before a probe was hit, with nothing traced in between. Returns
 * which one it is, from 1; 0: there is none, and nothing is written.
 *
 * @hit		of the session's calls
 */
uint32_t pass_find_returned(const struct pass *pass, const struct activation *in, uint64_t func, uint32_t hit,
			    struct activation *ret);

/* Whether results of one of the plan's functions may be errors, by its type. */
bool pass_may_fail(const struct pass *pass, uint32_t func);

/* Walks an activation's probes, without nested calls of the same function. Begins as {}. */
struct probe_walk {
	uint32_t at, nested;
};

/* The next probe that was hit; NULL: no more. */
const struct traced_call *pass_next_probe(const struct pass *pass, const struct activation *in,
					  struct probe_walk *walk);

/*
 * The outermost function inside an activation that returned the same result: its index in the plan,
 * and its activation. False: none, or several side by side. Callees of functions that returned
 * another result do not count.
 */
bool pass_find_outermost(const struct pass *pass, const struct activation *in, uint32_t *ret_func,
			 struct activation *ret);

/*
 * The functions that returned the same result inside an activation, at any depth, the last one first: their
 * indices in the plan. Returns how many, at most @max.
 */
uint32_t pass_find_same(const struct pass *pass, const struct activation *in, uint32_t *ret_funcs,
			uint32_t max);

/*
 * Whether the trace may lack a call made by the activation itself, or the call's return. Deeper
 * losses do not matter yet. Reported with -v.
 */
bool pass_is_torn(const struct pass *pass, const struct activation *in);

#endif
