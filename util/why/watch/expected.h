/* SPDX-License-Identifier: BSD-2-Clause */
/* Which failures programs expect, so that they explain nothing. Pure code. */
#ifndef RETSNOOP_WHY_WATCH_EXPECTED_H
#define RETSNOOP_WHY_WATCH_EXPECTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/why/watch/looks.h"
#include "util/why/watch/searches.h"

/* Whether programs expect a failure. */
enum expected {
	EXPECTED_NOT,
	EXPECTED_POINTED_LOOK,	/* none: looked for a file that the command line or what the process wrote points to */
	EXPECTED_LOOK,		/* looked for a file, and the process wrote nothing */
	EXPECTED_UNNAMED_LOOK,	/* looked for a file that nothing points to in what the process wrote */
	EXPECTED_ATTEMPT,	/* what programs do without: explained only if nothing likelier failed */
	EXPECTED_CLOSING,	/* what is not open */
	EXPECTED_NOISE,
};

/*
 * A call that fails where the kernel, its setting or a file does not have what the program attempts to use, and that
 * programs can do without.
 */
struct attempt {
	uint32_t nr;
	int err;
	uint32_t argument;	/* its number, from 0, with what it has in the bits of the mask; mask 0: any */
	uint64_t mask, value;
};

/* Numbers of the system calls that programs expect to fail. */
struct call_numbers {
	uint32_t ioctl, lseek, execve, prctl, dup, fcntl;
	/* Those that transfer data, or wait: EAGAIN means "not yet", elsewhere that a limit is reached. */
	const uint32_t *transfers;
	size_t nr_transfers;
	/* Those that read links: EINVAL means that it is none. */
	uint32_t readlink, readlinkat;
	/* Those that only look for a path; opening one may also create it. */
	uint32_t open, openat;
	uint32_t socket, close, epoll_ctl;
	uint32_t unlink, unlinkat, truncate;
	uint32_t mkdir, mkdirat, kill, connect;
	const uint32_t *looks;
	size_t nr_looks;
	/* Those that wait until a time: ETIMEDOUT means that it has come. */
	const uint32_t *timed;
	size_t nr_timed;
	/* Those that ask for an attribute that a file may not have. */
	const uint32_t *attributes;
	size_t nr_attributes;
	const struct attempt *attempts;
	size_t nr_attempts;
};

/* On this machine. */
extern const struct call_numbers call_numbers;

/*
 * Whether programs expect this failure, whatever comes before and after it.
 *
 * @command	words up to NULL; NULL: there is none
 */
bool expected_always(const struct watch_event *event, const struct call_numbers *nrs, char *const *command);

/*
 * Whether a file was missing that a program may look for elsewhere next, or only wanted to be gone, or a directory
 * was there that it only wanted to be there, or a file has no such attribute, or a process is gone
 * that was only asked for. Other calls that did not find a part of a path fail: mkdir(2), mount(2).
 */
bool expected_is_search(const struct watch_event *event, const struct call_numbers *nrs);

/* Whether programs do without what they attempted. */
bool expected_is_attempt(const struct watch_event *event, const struct call_numbers *nrs);

/* Whether programs expect this failure, with what the processes looked for elsewhere, and wrote. */
enum expected expected_of(const struct watch_event *event, const struct call_numbers *nrs,
			  const struct searches *searches, const written_texts *texts);

#endif
