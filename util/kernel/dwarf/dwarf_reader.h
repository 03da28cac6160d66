/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading DWARF byte by byte. libdw searches a DIE's attributes again for each query, which makes
 * walking the units of a kernel ten times too slow. This reader only goes forward.
 *
 * A cursor never leaves its bounds: bytes beyond them read as 0 and set `bad`, which is checked
 * after several reads. So damaged files cause an error, not a crash.
 */
#ifndef RETSNOOP_KERNEL_DWARF_DWARF_READER_H
#define RETSNOOP_KERNEL_DWARF_DWARF_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "util/kernel/elf/elf_file.h"

/* The sections of a file's DWARF. */
struct dwarf_sections {
	struct elf_section info, abbrev, line, str, line_str, str_offsets, addr, ranges, rnglists,
		aranges, loc, loclists, frame;
};

struct cursor {
	const uint8_t *p, *end;
	bool bad;
};

static inline struct cursor cursor_at(const struct elf_section *section, uint64_t offset)
{
	static const uint8_t nothing;
	struct cursor c = { &nothing, &nothing, false };

	if (!section->data || offset > section->size) {
		c.bad = true;
		return c;
	}
	c.end = section->data + section->size;
	c.p = section->data + offset;
	return c;
}

static inline size_t cursor_left(const struct cursor *c)
{
	return c->end - c->p;
}

static inline void cursor_fail(struct cursor *c)
{
	c->bad = true;
	c->p = c->end;
}

static inline void cursor_skip(struct cursor *c, uint64_t size)
{
	if (size > cursor_left(c))
		cursor_fail(c);
	else
		c->p += size;
}

/* The next @size bytes, on their own; the cursor moves after them. */
static inline struct cursor cursor_take(struct cursor *c, uint64_t size)
{
	struct cursor part = *c;

	cursor_skip(c, size);
	part.end = c->bad ? part.p : c->p;
	part.bad = c->bad;
	return part;
}

#define DEFINE_CURSOR_READ(name, type)                                                             \
	static inline type name(struct cursor *c)                                                  \
	{                                                                                          \
		type value;                                                                        \
                                                                                                   \
		if (cursor_left(c) < sizeof(value)) {                                              \
			cursor_fail(c);                                                            \
			return 0;                                                                  \
		}                                                                                  \
		memcpy(&value, c->p, sizeof(value));                                               \
		c->p += sizeof(value);                                                             \
		return value;                                                                      \
	}

DEFINE_CURSOR_READ(read_u8, uint8_t)
DEFINE_CURSOR_READ(read_u16, uint16_t)
DEFINE_CURSOR_READ(read_u32, uint32_t)
DEFINE_CURSOR_READ(read_u64, uint64_t)

/* An unsigned number of 1, 2, 3, 4 or 8 bytes. */
uint64_t read_sized(struct cursor *c, unsigned int size);

uint64_t read_uleb_slow(struct cursor *c);

static inline uint64_t read_uleb(struct cursor *c)
{
	if (c->p < c->end && *c->p < 0x80)
		return *c->p++;
	return read_uleb_slow(c);
}

int64_t read_sleb(struct cursor *c);

/* A NUL-terminated string in the data itself; "" if bad. */
const char *read_string(struct cursor *c);

/* The string at an offset of a section; NULL when there is none. */
const char *section_string(const struct elf_section *section, uint64_t offset);

/* A unit's length field; sets its offset size (4 or 8). */
uint64_t read_length(struct cursor *c, uint8_t *ret_offset_size);

static inline uint64_t read_offset(struct cursor *c, uint8_t offset_size)
{
	return offset_size == 8 ? read_u64(c) : read_u32(c);
}

#endif
