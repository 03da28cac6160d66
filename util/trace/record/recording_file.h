/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A recording as a sequence of chunks, each compressed and checked by itself (recording_format.h).
 * Their contents are opaque here.
 */
#ifndef RETSNOOP_TRACE_RECORD_RECORDING_FILE_H
#define RETSNOOP_TRACE_RECORD_RECORDING_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "util/trace/record/recording_format.h"

/* Writes bytes: all of them, or returns a negative errno (reported). */
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

/* Calls the sink once per chunk. 0; -E2BIG; -ENOMEM; the sink's error (all reported). */
int chunk_write(struct chunk_writer *writer, enum recording_chunk kind, unsigned int flags,
		const void *data, size_t size);
void chunk_writer_release(struct chunk_writer *writer);

/* The first damage found in a file. */
enum recording_damage {
	DAMAGE_NONE,
	DAMAGE_CUT,		/* it ends in the middle of a chunk */
	DAMAGE_BROKEN,		/* no chunk where one should be: reading stops */
	DAMAGE_UNREADABLE,	/* reading failed: err */
};

struct chunk_reader {
	FILE *file;		/* borrowed */
	uint64_t offset;	/* bytes read, by whole chunks */
	uint32_t number;	/* of the next chunk */
	enum recording_damage damage;
	int err;
	uint64_t skipped;	/* chunks whose bytes changed, and missing ones */
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
 * @file	read from its current position
 * @name	for messages
 * @return	0; -EBADMSG it is no recording, -ENOTSUP not one of this version or machine (both
 *		reported). Release either way.
 */
int chunk_reader_begin(struct chunk_reader *reader, FILE *file, const char *name);

/* 1 a chunk; 0 no more: see `damage`; -ENOMEM (reported). */
int chunk_read(struct chunk_reader *reader, struct chunk *ret_chunk);
void chunk_reader_release(struct chunk_reader *reader);

/* Whether a file begins like a recording, of any version. */
bool recording_is_one(const void *data, size_t size);

#endif
