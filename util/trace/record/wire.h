/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Data structures as bytes: little-endian numbers, counted strings, and items with their length, so
 * that a reader can skip members that a newer writer has appended.
 *
 * Writing goes to a struct strbuf, which remembers that memory ran out. Reading remembers that data
 * was missing: from then on all that is read is 0 or empty.
 */
#ifndef RETSNOOP_TRACE_RECORD_WIRE_H
#define RETSNOOP_TRACE_RECORD_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are copied as they are");

static inline void wire_put_u8(struct strbuf *sb, uint8_t n)
{
	strbuf_add(sb, &n, sizeof(n));
}

static inline void wire_put_u16(struct strbuf *sb, uint16_t n)
{
	strbuf_add(sb, &n, sizeof(n));
}

static inline void wire_put_u32(struct strbuf *sb, uint32_t n)
{
	strbuf_add(sb, &n, sizeof(n));
}

static inline void wire_put_u64(struct strbuf *sb, uint64_t n)
{
	strbuf_add(sb, &n, sizeof(n));
}

/* Writes the length in 32 bits, and the string; NULL is written like "". */
void wire_put_string(struct strbuf *sb, const char *text);
void wire_put_bytes(struct strbuf *sb, const void *data, size_t size);

/* Begins an item. @return the argument for wire_end_item(), which ends it */
size_t wire_begin_item(struct strbuf *sb);
void wire_end_item(struct strbuf *sb, size_t item);

struct wire {
	const uint8_t *at, *end;
	bool bad;	/* data was missing */
};

static inline struct wire wire_of(const void *data, size_t size)
{
	return (struct wire){ data, (const uint8_t *)data + size, false };
}

static inline size_t wire_left(const struct wire *wire)
{
	return wire->end - wire->at;
}

/* The next @size bytes; NULL: there are fewer. */
const void *wire_take(struct wire *wire, size_t size);

uint8_t wire_get_u8(struct wire *wire);
uint16_t wire_get_u16(struct wire *wire);
uint32_t wire_get_u32(struct wire *wire);
uint64_t wire_get_u64(struct wire *wire);

/* Counted bytes, as a pointer into the data; never NULL. */
const void *wire_get_bytes(struct wire *wire, size_t *ret_size);

/* The next item, to be read by itself. */
struct wire wire_get_item(struct wire *wire);

/*
 * A count of elements of at least @min bytes each that follow; bad, and 0, if the rest of the data
 * is too short for them.
 */
uint32_t wire_get_count(struct wire *wire, size_t min);

#endif
