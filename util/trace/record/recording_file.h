/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A recording as a row of chunks, each compressed and checked for itself (recording_format.h).
 * What is in them is others' to know.
 */
#ifndef RETSNOOP_TRACE_RECORD_RECORDING_FILE_H
#define RETSNOOP_TRACE_RECORD_RECORDING_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "util/trace/record/recording_format.h"

/* Where bytes go. All of them or a negative errno (reported). */
struct recording_sink {
	int (*write)(void *arg, const void *data, size_t size);
	void *arg;
};

struct chunk_writer {
	struct recording_sink sink;
	uint32_t number;	/* of the next chunk */
	uint64_t bytes;		/* handed to the sink, by whole chunks */
	void *buffer;		/* owned */
	size_t buffer_size;
};

/* Writes the file's header. 0; -errno (reported). Release either way. */
int chunk_writer_begin(struct chunk_writer *writer, const struct recording_sink *sink);

/* One call of the sink for each chunk. 0; -E2BIG; -ENOMEM; what the sink said (all reported). */
int chunk_write(struct chunk_writer *writer, enum recording_chunk kind, unsigned int flags,
		const void *data, size_t size);
void chunk_writer_release(struct chunk_writer *writer);

/* What is wrong with a file; the first thing found. */
enum recording_damage {
	DAMAGE_NONE,
	DAMAGE_CUT,		/* it ends in the middle of a chunk */
	DAMAGE_BROKEN,		/* what stands where a chunk should be is none: not read further */
	DAMAGE_UNREADABLE,	/* reading failed: err */
};

struct chunk_reader {
	FILE *file;		/* borrowed */
	uint64_t offset;	/* bytes read, by whole chunks */
	uint32_t number;	/* of the next chunk */
	enum recording_damage damage;
	int err;
	uint64_t skipped;	/* chunks whose bytes are not what they were, and missing ones */
	void *stored, *data;	/* owned */
	size_t stored_room, data_room;
};

struct chunk {
	enum recording_chunk kind;
	unsigned int flags;
	const void *data;	/* valid until the next one is read */
	size_t size;
};

/**
 * @file	read from where it is on
 * @name	for messages
 * @return	0; -EBADMSG it is no recording, -ENOTSUP not one of this version or machine (both
 *		reported). Release either way.
 */
int chunk_reader_begin(struct chunk_reader *reader, FILE *file, const char *name);

/* 1; 0 there is none: see `damage`; -ENOMEM (reported). */
int chunk_read(struct chunk_reader *reader, struct chunk *ret_chunk);
void chunk_reader_release(struct chunk_reader *reader);

/* Whether a file begins like a recording, of any version. */
bool recording_is_one(const void *data, size_t size);

#endif
