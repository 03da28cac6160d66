// SPDX-License-Identifier: BSD-2-Clause
/* Compression by zlib. */
#include "util/base/gzip.h"

#include <errno.h>
#include <stdint.h>
#include <zlib.h>

int gzip_add(struct strbuf *out, const char *data, size_t len)
{
	z_stream stream = {};
	uint8_t room[16384];
	int err;

	/* 16: gzip's header and trailer. */
	if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	stream.next_in = (Bytef *)data;
	stream.avail_in = len;
	do {
		stream.next_out = room;
		stream.avail_out = sizeof(room);
		err = deflate(&stream, Z_FINISH);
		strbuf_add(out, room, sizeof(room) - stream.avail_out);
	} while (err == Z_OK);
	deflateEnd(&stream);
	return err == Z_STREAM_END && !out->failed ? 0 : -ENOMEM;
}
