/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading a recording: facts about its run and kernel first, then sessions one by one. The file is
 * not trusted: everything in it is checked, and memory is bounded.
 */
#ifndef RETSNOOP_TRACE_RECORD_RECORDING_READ_H
#define RETSNOOP_TRACE_RECORD_RECORDING_READ_H

#include <stdint.h>
#include <stdio.h>

#include "util/kernel/symbols/code_source.h"
#include "util/trace/record/recording.h"
#include "util/trace/record/recording_file.h"

struct cgroup_names;
struct recording;

/**
 * Read up to the first event.
 *
 * @file	read to its end; borrowed
 * @name	for messages; borrowed
 * @return	0; -EBADMSG, -ENOTSUP it cannot be shown at all; -errno (all reported)
 */
int recording_open(FILE *file, const char *name, struct recording **ret_recording);
void recording_free(struct recording *recording);

/* All borrowed; symbols and modules grow as sessions are read. */
const struct recording_meta *recording_meta(const struct recording *recording);
const struct plan *recording_plan(const struct recording *recording);
const struct attached *recording_attached(const struct recording *recording);
struct symbols *recording_symbols(struct recording *recording);
struct cgroup_names *recording_cgroups(struct recording *recording);
/* The code of functions with branches. */
struct code_source recording_code(struct recording *recording);

/**
 * The next session, in the order they ended.
 *
 * @ret_session	the caller frees it
 * @return	1; 0 there is none; -ENOMEM (reported)
 */
int recording_next(struct recording *recording, struct session **ret_session);

struct recording_state {
	uint64_t sessions;		/* sessions read so far */
	bool ended;			/* the file is complete: the run was not killed */
	enum recording_damage damage;
	uint64_t offset;		/* where that is, in bytes */
	uint64_t skipped;		/* chunks left out: damaged, missing, not understood */
	uint64_t unknown;		/* necessary chunks of a newer retsnoop */
	uint64_t dropped;		/* sessions removed for newer ones */
	struct ledger ledger;		/* with losses found while reading */
	bool has_ledger;
};

/* Call it after the last session. */
void recording_state(const struct recording *recording, struct recording_state *ret_state);

#endif
