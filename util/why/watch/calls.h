/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The system calls that failed, which of them a command complained about, and what the kernel said in
 * them. Pure code: what happened comes as struct watch_event.
 */
#ifndef RETSNOOP_WHY_CALLS_H
#define RETSNOOP_WHY_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/watch.h"
#include "util/base/vec.h"

/* Calls that failed alike: the same system call, errno and program. */
struct failed_call {
	struct watch_event event;	/* of the last of them that was a candidate */
	uint32_t count;
	uint32_t nth;			/* which of them `event` is; from 1 */
	bool noise;			/* a failure that programs expect */
};

struct failed_calls {
	VEC(struct failed_call) v;	/* in the order of their first failure */
	VEC(struct watch_event) events;	/* all, in the order they came */
};

/* 0; -ENOMEM. */
int failed_calls_add(struct failed_calls *calls, const struct watch_event *event);
void failed_calls_release(struct failed_calls *calls);

/* Which to explain; everything is 0 or NULL when it does not matter. */
struct call_choice {
	uint32_t number;	/* --call: index + 1 into failed_calls.v */
	const uint32_t *nr;	/* --syscall: its number */
	int err;		/* -x: positive errno */
	bool next;		/* without a command: the last that is no noise */
};

enum choice_reason {
	CHOICE_ASKED,		/* by number, system call or errno */
	CHOICE_COMPLAINT,	/* the last before something was written to descriptor 2 */
	CHOICE_STATUS,		/* the last before an exit with a status other than 0 */
	CHOICE_NEXT,		/* without a command: the first that programs do not expect */
};

/* Numbers of the system calls of which programs expect failures. */
struct call_numbers {
	uint32_t ioctl, lseek;
};

/*
 * Whether an event that is about to be added is the one that is waited for. Of what is asked for by
 * nothing else, a file that is not there is not: it may be looked for elsewhere next.
 */
bool failed_calls_is_wanted(struct failed_calls *calls, const struct watch_event *event,
			    const struct call_choice *choice, const struct call_numbers *nrs);

/*
 * What the kernel said in a call, in order: the first after @after, NULL to begin with. NULL: that
 * was all.
 */
const struct watch_event *failed_calls_said(const struct failed_calls *calls,
					    const struct watch_event *call,
					    const struct watch_event *after);

/*
 * Group the failed calls, and mark those that a path search, a terminal check and the like leave
 * behind. 0; -ENOMEM (reported).
 */
int failed_calls_group(struct failed_calls *calls, const struct call_numbers *nrs);

/* Index into calls->v, *ret_reason set; or -ENOENT. calls->v[].event and nth are of that one. */
int failed_calls_choose(struct failed_calls *calls, const struct call_choice *choice,
			enum choice_reason *ret_reason);

#endif
