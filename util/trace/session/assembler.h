/* SPDX-License-Identifier: BSD-2-Clause */
/* From records to sessions. Pure code: no I/O, no globals. */
#ifndef RETSNOOP_TRACE_SESSION_ASSEMBLER_H
#define RETSNOOP_TRACE_SESSION_ASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attached;
struct plan;
struct session;

/* Facts about the kernel and the run that assembling needs. */
struct session_rules {
	const struct plan *plan;	/* bounds the ids of functions */
	const struct attached *attached;	/* their rungs */
	uint32_t nr_probes;		/* bounds their ids */
	bool branches;			/* snapshots of branches are taken */
	uint64_t trampoline;		/* kretprobe_trampoline, where entry stacks end; 0 none */
	uint64_t trampoline_end;
};

/*
 * Assembles records into complete sessions, in the order they ended. Records of open sessions use
 * at most 64 MiB; a trace that alone uses half of that is cut.
 */
struct assembler;

struct assembler *assembler_new(const struct session_rules *rules);
void assembler_free(struct assembler *assembler);

/**
 * Take in one record.
 *
 * @data	anything: sizes, counts and ids are checked
 * @ret_session	the session that this record completes, or NULL; the caller frees it
 * @return	0; -EBADMSG the record makes no sense (nothing was kept); -ENOMEM
 */
int assembler_feed(struct assembler *assembler, const void *data, size_t size,
		   struct session **ret_session);

/*
 * Open sessions whose records were dropped because the closing record seems lost. If it arrives
 * after all, the session has no stack, and its trace shows what is missing.
 */
uint64_t assembler_orphans(const struct assembler *assembler);

/* Calls dropped because their session's trace grew too long; the trace shows where. */
uint64_t assembler_calls_let_go(const struct assembler *assembler);

#endif
