// SPDX-License-Identifier: BSD-2-Clause
/* The code of functions with recorded branches. */
#include "util/trace/record/recording_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/search.h"
#include "util/trace/record/wire.h"

/* The limit for all recorded code together. */
#define MAX_BYTES (64u << 20)
#define MAX_PARTS (1u << 16)

void recording_put_code(struct strbuf *sb, uint64_t addr, const void *code, size_t size)
{
	size_t item = wire_begin_item(sb);

	wire_put_u64(sb, addr);
	wire_put_bytes(sb, code, size);
	wire_end_item(sb, item);
}

/* Index of the first part after an address. */
static size_t find_behind(const struct recorded_code *code, uint64_t addr)
{
	return bisect(i, code->parts.len, code->parts.data[i].addr <= addr);
}

/*
 * Insert a part in order of address; most parts come in order, in however many chunks. Code is written
 * again when modules come and go: the older part at an address is replaced.
 */
static int insert_part(struct recorded_code *code, const struct recorded_code_part *part)
{
	size_t place = find_behind(code, part->addr), behind = code->parts.len - place;
	struct recorded_code_part *to = place ? &code->parts.data[place - 1] : NULL;

	if (to && to->addr == part->addr) {
		code->bytes -= to->size;
		free(to->code);
		*to = *part;
		return 0;
	}
	if (vec_push(&code->parts, *part))
		return -ENOMEM;
	to = &code->parts.data[place];
	memmove(to + 1, to, behind * sizeof(*to));
	*to = *part;
	return 0;
}

static int get_part(struct wire *wire, struct recorded_code *code)
{
	struct recorded_code_part part = { .addr = wire_get_u64(wire) };
	const void *data = wire_get_bytes(wire, &part.size);

	if (wire->bad || part.size > RECORDING_MAX_CODE || !part.size ||
	    part.addr + part.size < part.addr || code->bytes + part.size > MAX_BYTES ||
	    code->parts.len == MAX_PARTS)
		return -EBADMSG;
	part.code = malloc(part.size);
	if (!part.code)
		return -ENOMEM;
	memcpy(part.code, data, part.size);
	if (insert_part(code, &part)) {
		free(part.code);
		return -ENOMEM;
	}
	code->bytes += part.size;
	return 0;
}

int recording_get_code(const void *data, size_t size, struct recorded_code *code)
{
	struct wire wire = wire_of(data, size);
	int err = 0;

	while (wire_left(&wire) && !err) {
		struct wire item = wire_get_item(&wire);

		err = get_part(&item, code);
	}
	return err;
}

void recorded_code_release(struct recorded_code *code)
{
	vec_foreach(part, &code->parts)
		free(part->code);
	vec_release(&code->parts);
}

long recorded_code_read(void *arg, uint64_t addr, void *buf, size_t size)
{
	const struct recorded_code *code = arg;
	size_t behind = find_behind(code, addr);
	const struct recorded_code_part *part = behind ? &code->parts.data[behind - 1] : NULL;

	if (!part || addr - part->addr >= part->size)
		return -EFAULT;
	if (size > part->size - (addr - part->addr))
		size = part->size - (addr - part->addr);
	memcpy(buf, part->code + (addr - part->addr), size);
	return size;
}
