// SPDX-License-Identifier: BSD-2-Clause
/* Writes and reads numbers, strings and items as bytes. */
#include "util/trace/record/wire.h"

#include <string.h>

void wire_put_bytes(struct strbuf *sb, const void *data, size_t size)
{
	wire_put_u32(sb, size);
	strbuf_add(sb, data, size);
}

void wire_put_string(struct strbuf *sb, const char *text)
{
	wire_put_bytes(sb, text ?: "", text ? strlen(text) : 0);
}

size_t wire_begin_item(struct strbuf *sb)
{
	size_t item = sb->len;

	wire_put_u32(sb, 0);
	return item;
}

void wire_end_item(struct strbuf *sb, size_t item)
{
	uint32_t size;

	if (sb->failed)
		return;
	size = sb->len - item - sizeof(size);
	memcpy(sb->s + item, &size, sizeof(size));
}

const void *wire_take(struct wire *wire, size_t size)
{
	const void *data = wire->at;

	if (wire->bad || size > wire_left(wire)) {
		wire->bad = true;
		wire->at = wire->end;
		return NULL;
	}
	wire->at += size;
	return data;
}

static void take_number(struct wire *wire, void *ret_number, size_t size)
{
	const void *data = wire_take(wire, size);

	if (data)
		memcpy(ret_number, data, size);
}

uint8_t wire_get_u8(struct wire *wire)
{
	uint8_t n = 0;

	take_number(wire, &n, sizeof(n));
	return n;
}

uint16_t wire_get_u16(struct wire *wire)
{
	uint16_t n = 0;

	take_number(wire, &n, sizeof(n));
	return n;
}

uint32_t wire_get_u32(struct wire *wire)
{
	uint32_t n = 0;

	take_number(wire, &n, sizeof(n));
	return n;
}

uint64_t wire_get_u64(struct wire *wire)
{
	uint64_t n = 0;

	take_number(wire, &n, sizeof(n));
	return n;
}

const void *wire_get_bytes(struct wire *wire, size_t *ret_size)
{
	size_t size = wire_get_u32(wire);
	const void *data = wire_take(wire, size);

	*ret_size = data ? size : 0;
	return data ?: "";
}

struct wire wire_get_item(struct wire *wire)
{
	size_t size = wire_get_u32(wire);
	const void *data = wire_take(wire, size);

	if (!data)
		return (struct wire){ wire->end, wire->end, true };
	return wire_of(data, size);
}

uint32_t wire_get_count(struct wire *wire, size_t min)
{
	uint32_t count = wire_get_u32(wire);

	if (count > wire_left(wire) / min) {
		wire->bad = true;
		wire->at = wire->end;
		return 0;
	}
	return count;
}
