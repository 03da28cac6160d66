/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The system calls that failed, the one that a command complained about, and the kernel's messages
 * in them. Pure code: its input is struct watch_event.
 */
#ifndef RETSNOOP_WHY_WATCH_FAILED_CALLS_H
#define RETSNOOP_WHY_WATCH_FAILED_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/watch/watch_event.h"
#include "util/base/vec.h"
#include "util/why/watch/expected.h"
#include "util/why/watch/searches.h"

/* Calls that failed alike: the same system call, errno and program. */
struct failed_call {
	struct watch_event event;	/* the last candidate among them */
	uint32_t count;
	uint32_t nth;			/* number of `event` among them; from 1 */
	bool noise;			/* a failure that programs expect */
	bool repeats;			/* all of them have the same arguments, and are of one process */
	bool exec;			/* execve(2) */
	bool program;	/* noise, but a program that was looked for in several directories */
};

struct failed_calls {
	VEC(struct failed_call) v;	/* in the order of their first failure */
	watch_events events;	/* all, in the order they came */
	VEC(uint8_t) expected;	/* of each event, as failed_calls_group() found it: enum expected */
	char *const *command;		/* its words, up to NULL; borrowed; NULL: there is none */
	int unknown_err;	/* an errno that the complaint names, with which no call failed; 0 */
	bool unnamed;		/* the complaint names nothing of the chosen call */
};

/* 0; -ENOMEM. */
int failed_calls_add(struct failed_calls *calls, const struct watch_event *event);
void failed_calls_release(struct failed_calls *calls);

/* Selects the call to explain; 0 or NULL: any. */
struct call_choice {
	uint32_t number;	/* --call: index + 1 into failed_calls.v */
	const uint32_t *nr;	/* --syscall: its number */
	int err;		/* -x: positive errno */
	bool next;		/* without a command: the last call that is no noise */
};

/* How the call to explain was found among those that failed. */
enum chosen_by {
	CHOICE_ASKED,		/* selected by number, system call or errno */
	CHOICE_COMPLAINT,	/* before a write to descriptor 2: the last, or the one it names */
	CHOICE_STATUS,		/* the last before an exit with a nonzero status */
	CHOICE_SIGNAL,		/* its process was killed by the signal that comes with this failure */
	CHOICE_NEXT,		/* without a command: the first that is no noise */
};

/*
 * Whether an event, before it is added, is the awaited one. Without other criteria, that a file is
 * missing is not, if the program may look for it elsewhere next.
 */
bool failed_calls_is_wanted(struct failed_calls *calls, const struct watch_event *event,
			    const struct call_choice *choice, const struct call_numbers *nrs);

/*
 * The kernel's messages in a call, in order: the first one after @after; NULL begins. Returns NULL
 * after the last.
 */
const struct watch_event *failed_calls_said(const struct failed_calls *calls,
					    const struct watch_event *call,
					    const struct watch_event *after);

/* Who had set the error that a call got from its socket; NULL: not known, or no such error. */
const struct watch_event *failed_calls_socket(const struct failed_calls *calls,
					      const struct watch_event *call);

/* How many requests through io_uring failed with the errno of this one. */
uint32_t failed_calls_requests(const struct failed_calls *calls, const struct watch_event *request);

/*
 * Group the failed calls, and mark those caused by path searches, terminal checks and the like as
 * noise. 0; -ENOMEM (reported).
 */
int failed_calls_group(struct failed_calls *calls, const struct call_numbers *nrs);

/* Index into calls->v of the failure that a process was killed for: of a write with EPIPE, or EFBIG; or -ENOENT. */
int failed_calls_killed_for(struct failed_calls *calls, const struct watch_event *death);

/* Index into calls->v, with *ret_chosen_by set; or -ENOENT. Sets event and nth of the chosen call. */
int failed_calls_choose(struct failed_calls *calls, const struct call_choice *choice,
			enum chosen_by *ret_chosen_by);

#endif
