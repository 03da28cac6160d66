/* SPDX-License-Identifier: BSD-2-Clause */
/* The few parts of the wire format of Protocol Buffers that a writer needs. Zeros are left out. */
#ifndef RETSNOOP_VIEW_PARTS_PROTOBUF_H
#define RETSNOOP_VIEW_PARTS_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

#include "util/base/strbuf.h"

/* int64, uint64, bool, enum. */
static inline void protobuf_varint(struct strbuf *sb, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		strbuf_addch(sb, (char)(value | 0x80));
	strbuf_addch(sb, (char)value);
}

static inline void protobuf_number(struct strbuf *sb, uint32_t field, uint64_t value)
{
	if (!value)
		return;
	protobuf_varint(sb, field << 3);
	protobuf_varint(sb, value);
}

/* string, bytes, messages, packed numbers. */
static inline void protobuf_bytes(struct strbuf *sb, uint32_t field, const void *data, size_t size)
{
	protobuf_varint(sb, field << 3 | 2);
	protobuf_varint(sb, size);
	strbuf_add(sb, data, size);
}

static inline void protobuf_message(struct strbuf *sb, uint32_t field, const struct strbuf *message)
{
	protobuf_bytes(sb, field, strbuf_str(message), message->len);
}

#endif
