// SPDX-License-Identifier: BSD-2-Clause
/* The slow paths of reading DWARF. */
#include "util/kernel/dwarf/dwarf_reader.h"

uint64_t read_sized(struct cursor *c, unsigned int size)
{
	uint64_t low;

	switch (size) {
	case 1:
		return read_u8(c);
	case 2:
		return read_u16(c);
	case 3:
		low = read_u16(c);
		return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? low | (uint64_t)read_u8(c) << 16 :
								   low << 8 | read_u8(c);
	case 4:
		return read_u32(c);
	case 8:
		return read_u64(c);
	default:
		cursor_fail(c);
		return 0;
	}
}

static uint64_t read_leb(struct cursor *c, bool is_signed)
{
	uint64_t value = 0;
	unsigned int shift = 0;

	while (c->p < c->end) {
		uint8_t byte = *c->p++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (byte & 0x80)
			continue;
		if (is_signed && (byte & 0x40) && shift < 64)
			value |= UINT64_MAX << shift;
		return value;
	}
	cursor_fail(c);
	return 0;
}

uint64_t read_uleb_slow(struct cursor *c)
{
	return read_leb(c, false);
}

int64_t read_sleb(struct cursor *c)
{
	return read_leb(c, true);
}

const char *read_string(struct cursor *c)
{
	const uint8_t *nul = cursor_left(c) ? memchr(c->p, '\0', cursor_left(c)) : NULL;
	const char *s = (const char *)c->p;

	if (!nul) {
		cursor_fail(c);
		return "";
	}
	c->p = nul + 1;
	return s;
}

const char *section_string(const struct elf_section *section, uint64_t offset)
{
	if (!section->data || offset >= section->size ||
	    !memchr(section->data + offset, '\0', section->size - offset))
		return NULL;
	return (const char *)section->data + offset;
}

uint64_t read_length(struct cursor *c, uint8_t *ret_offset_size)
{
	uint64_t length = read_u32(c);

	*ret_offset_size = 4;
	if (length == UINT32_MAX) {
		*ret_offset_size = 8;
		length = read_u64(c);
	} else if (length >= 0xfffffff0) {
		cursor_fail(c);
	}
	return length;
}
