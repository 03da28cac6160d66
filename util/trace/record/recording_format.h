/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The file format of recordings, version 1, described in Documentation/retsnoop-data.txt. Numbers
 * are little endian.
 */
#ifndef RETSNOOP_TRACE_RECORD_RECORDING_FORMAT_H
#define RETSNOOP_TRACE_RECORD_RECORDING_FORMAT_H

#include <stdint.h>

/* Like PNG's: shows damage by changed line ends, 7-bit channels and text mode. */
#define RECORDING_MAGIC "\x89RSN\r\n\x1a\n"
#define RECORDING_MAGIC_SIZE 8
#define RECORDING_VERSION 1
#define RECORDING_ORDER 0x01020304

struct recording_header {
	uint8_t magic[RECORDING_MAGIC_SIZE];
	uint16_t version;
	uint16_t size;		/* bytes of this header; chunks follow it */
	uint32_t order;		/* RECORDING_ORDER, as the machine has it */
	uint8_t word_size;	/* bytes of a pointer in the kernel */
	uint8_t spare[15];
};
_Static_assert(sizeof(struct recording_header) == 32, "recording_header is a file format");

#define RECORDING_CHUNK_MAGIC 0x4b4e4843	/* "CHNK" */

struct recording_chunk_header {
	uint32_t magic;
	uint16_t kind;		/* enum recording_chunk */
	uint16_t flags;		/* CHUNK_x */
	uint32_t number;	/* 0, 1, 2, ... in a file */
	uint32_t stored_size;	/* bytes that follow */
	uint32_t size;		/* bytes when unpacked */
	uint32_t stored_crc;	/* crc32 of the stored bytes */
	uint32_t spare;
	uint32_t header_crc;	/* crc32 of the 28 bytes before */
};
_Static_assert(sizeof(struct recording_chunk_header) == 32, "a chunk's header is a file format");

#define CHUNK_NECESSARY (1 << 0)	/* a reader must know the kind to read the file */
#define CHUNK_ZLIB (1 << 1)

enum recording_chunk {
	CHUNK_META = 1,		/* of the run and its machine: keys and values */
	CHUNK_BTF = 2,		/* types that PLAN refers to */
	CHUNK_PLAN = 3,		/* functions and probes */
	CHUNK_MODULES = 4,	/* of symbols from here on */
	CHUNK_SYMBOLS = 5,	/* for the addresses in events from here on */
	CHUNK_EVENTS = 6,	/* records of bpf/event.h */
	CHUNK_LEDGER = 7,	/* losses so far; the last one counts */
	CHUNK_END = 8,		/* the recording is complete */
	CHUNK_CODE = 9,		/* machine code around branches in events from here on */
	CHUNK_CLOCK = 10,	/* changes of the time of day, before events that end after them */
	CHUNK_CGROUPS = 11,	/* paths of cgroups in events from here on */
	CHUNK_FUNCS = 12,	/* more functions: of modules loaded since */
};

/* A chunk's largest unpacked size. */
#define RECORDING_MAX_CHUNK (64u << 20)
/* EVENTS chunks are closed from this many bytes on. */
#define RECORDING_EVENTS_SIZE (256u << 10)

/* Limits of a reader, for all chunks together. */
#define RECORDING_MAX_SYMBOLS (1u << 20)
#define RECORDING_MAX_SYMBOL_BYTES (256u << 20)
#define RECORDING_MAX_FUNCS (1u << 20)
#define RECORDING_MAX_PROBES (1u << 16)
#define RECORDING_MAX_MODULES 4096
#define RECORDING_MAX_CLOCK_CHANGES (1u << 20)
#define RECORDING_MAX_BTFS 4096
#define RECORDING_MAX_BTF_BYTES (256u << 20)
#define RECORDING_MAX_STRING (64u << 10)
/* Names in the plan and of functions that came later; the same of modules and their sections. */
#define RECORDING_MAX_NAME_BYTES (64u << 20)
/* A cgroup's path: PATH_MAX of the kernel. */
#define RECORDING_MAX_CGROUP_PATH 4096

#endif
