// SPDX-License-Identifier: BSD-2-Clause
/* Chunks: packing, checking, unpacking. */
#include "util/trace/record/recording_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "util/base/report.h"

/*
 * zlib's method cannot pack more than this many bytes into one; a header with a larger ratio is
 * wrong.
 */
#define MAX_RATIO 1040

static uint32_t crc_of(const void *data, size_t size)
{
	return crc32(0, data, size);
}

static uint32_t header_crc(const struct recording_chunk_header *header)
{
	return crc_of(header, offsetof(struct recording_chunk_header, header_crc));
}

static int make_room(void **buffer, size_t *room, size_t size)
{
	void *larger;

	if (size <= *room)
		return 0;
	larger = realloc(*buffer, size);
	if (!larger)
		return report_oom();
	*buffer = larger;
	*room = size;
	return 0;
}

int chunk_writer_begin(struct chunk_writer *writer, const struct recording_sink *sink)
{
	struct recording_header header = {
		.magic = RECORDING_MAGIC,
		.version = RECORDING_VERSION,
		.size = sizeof(header),
		.order = RECORDING_ORDER,
		.word_size = sizeof(uint64_t),
	};
	int err;

	*writer = (struct chunk_writer){ .sink = *sink };
	err = sink->write(sink->arg, &header, sizeof(header));
	if (!err)
		writer->bytes = sizeof(header);
	return err;
}

/* Pack the data after the header. Returns its size, or 0 if packing saves nothing. */
static size_t pack_chunk(struct chunk_writer *writer, const void *data, size_t size)
{
	uLongf packed = writer->buffer_size - sizeof(struct recording_chunk_header);
	Bytef *to = (Bytef *)writer->buffer + sizeof(struct recording_chunk_header);

	if (compress2(to, &packed, data, size, Z_BEST_SPEED) != Z_OK || packed >= size)
		return 0;
	return packed;
}

int chunk_write(struct chunk_writer *writer, enum recording_chunk kind, unsigned int flags,
		const void *data, size_t size)
{
	struct recording_chunk_header header = {
		.magic = RECORDING_CHUNK_MAGIC,
		.kind = kind,
		.flags = flags,
		.number = writer->number,
		.size = size,
	};
	uint8_t *body;
	size_t stored;
	int err;

	if (size > RECORDING_MAX_CHUNK)
		return report(-E2BIG, "a chunk of the recording would have %zu bytes; fewer functions "
			      "(-e, -a) will do", size);
	err = make_room(&writer->buffer, &writer->buffer_size,
			sizeof(header) + compressBound(size));
	if (err)
		return err;
	body = (uint8_t *)writer->buffer + sizeof(header);
	stored = size ? pack_chunk(writer, data, size) : 0;
	if (stored) {
		header.flags |= CHUNK_ZLIB;
	} else {
		stored = size;
		if (size)
			memcpy(body, data, size);
	}
	header.stored_size = stored;
	header.stored_crc = crc_of(body, stored);
	header.header_crc = header_crc(&header);
	memcpy(writer->buffer, &header, sizeof(header));
	err = writer->sink.write(writer->sink.arg, writer->buffer, sizeof(header) + stored);
	if (err)
		return err;
	writer->number++;
	writer->bytes += sizeof(header) + stored;
	return 0;
}

void chunk_writer_release(struct chunk_writer *writer)
{
	free(writer->buffer);
	writer->buffer = NULL;
	writer->buffer_size = 0;
}

bool recording_is_one(const void *data, size_t size)
{
	return size >= RECORDING_MAGIC_SIZE && !memcmp(data, RECORDING_MAGIC, RECORDING_MAGIC_SIZE);
}

/* Skip bytes by reading them. */
static bool skip_bytes(struct chunk_reader *reader, size_t size)
{
	char buffer[4096];
	size_t n;

	for (; size; size -= n) {
		n = fread(buffer, 1, size < sizeof(buffer) ? size : sizeof(buffer), reader->file);
		if (!n)
			return false;
	}
	return true;
}

int chunk_reader_begin(struct chunk_reader *reader, FILE *file, const char *name)
{
	struct recording_header header = {};
	size_t size;

	*reader = (struct chunk_reader){ .file = file };
	errno = 0;
	size = fread(&header, 1, sizeof(header), file);
	if (ferror(file))
		return report(-EIO, "cannot read %s: %s", name, strerror(errno ?: EIO));
	if (!size)
		return report(-EBADMSG, "%s is empty", name);
	if (!recording_is_one(&header, size))
		return report(-EBADMSG, "%s is not a recording; 'retsnoop record' makes one", name);
	if (size < sizeof(header))
		return report(-EBADMSG, "%s ends in its first line: nothing was recorded", name);
	if (header.order != RECORDING_ORDER || header.word_size != sizeof(uint64_t))
		return report(-ENOTSUP, "%s was recorded on a CPU architecture that retsnoop does not know",
			      name);
	if (header.version != RECORDING_VERSION)
		return report(-ENOTSUP, "%s has version %u of the format, and this retsnoop knows "
			      "version %u; a newer retsnoop will read it", name, header.version,
			      RECORDING_VERSION);
	if (header.size < sizeof(header) || !skip_bytes(reader, header.size - sizeof(header)))
		return report(-EBADMSG, "%s ends in its first line: nothing was recorded", name);
	reader->offset = header.size;
	return 0;
}

static int end_reading(struct chunk_reader *reader, enum recording_damage damage)
{
	reader->damage = ferror(reader->file) ? DAMAGE_UNREADABLE : damage;
	reader->err = ferror(reader->file) ? errno ?: EIO : 0;
	return 0;
}

/* Whether the sizes are possible: they limit memory, and are limited by the ratio of packing. */
static bool header_is_sound(const struct recording_chunk_header *header)
{
	if (header->magic != RECORDING_CHUNK_MAGIC || header->header_crc != header_crc(header))
		return false;
	if (header->size > RECORDING_MAX_CHUNK || header->stored_size > RECORDING_MAX_CHUNK)
		return false;
	if (header->flags & CHUNK_ZLIB)
		return header->size / MAX_RATIO <= header->stored_size;
	return header->size == header->stored_size;
}

/* Unpack a chunk. False: it has more or fewer bytes than the header says. */
static bool unpack_chunk(struct chunk_reader *reader, const struct recording_chunk_header *header)
{
	z_stream stream = {
		.next_in = reader->stored,
		.avail_in = header->stored_size,
		.next_out = reader->data,
		.avail_out = header->size,
	};
	int status;

	if (inflateInit(&stream) != Z_OK)
		return false;
	status = inflate(&stream, Z_FINISH);
	inflateEnd(&stream);
	return status == Z_STREAM_END && !stream.avail_out && !stream.avail_in;
}

int chunk_read(struct chunk_reader *reader, struct chunk *ret_chunk)
{
	struct recording_chunk_header header;
	size_t size;

	for (;;) {
		if (reader->damage)
			return 0;
		errno = 0;
		size = fread(&header, 1, sizeof(header), reader->file);
		if (size < sizeof(header))
			return end_reading(reader, size ? DAMAGE_CUT : DAMAGE_NONE);
		if (!header_is_sound(&header) || header.number < reader->number)
			return end_reading(reader, DAMAGE_BROKEN);
		if (make_room(&reader->stored, &reader->stored_room, header.stored_size) ||
		    make_room(&reader->data, &reader->data_room, header.size))
			return -ENOMEM;
		if (header.stored_size &&
		    fread(reader->stored, 1, header.stored_size, reader->file) <
			    header.stored_size)
			return end_reading(reader, DAMAGE_CUT);
		reader->offset += sizeof(header) + header.stored_size;
		reader->skipped += header.number - reader->number;
		reader->number = header.number + 1;
		if (header.stored_crc == crc_of(reader->stored, header.stored_size) &&
		    (!(header.flags & CHUNK_ZLIB) || unpack_chunk(reader, &header)))
			break;
		reader->skipped++;
	}
	*ret_chunk = (struct chunk){
		.kind = header.kind,
		.flags = header.flags,
		.data = !header.size		    ? "" :
			header.flags & CHUNK_ZLIB ? reader->data :
						    reader->stored,
		.size = header.size,
	};
	return 1;
}

void chunk_reader_release(struct chunk_reader *reader)
{
	free(reader->stored);
	free(reader->data);
	reader->stored = reader->data = NULL;
}
