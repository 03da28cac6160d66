// SPDX-License-Identifier: BSD-2-Clause
/* Writes the text of views to their output. */
#include "util/view/parts/output.h"

#include <errno.h>
#include <poll.h>
#include <stdio_ext.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/base/terminal.h"
#include "util/base/utf8.h"

/* One column each: otherwise tables would not be aligned. */
static char ascii_of(uint32_t character)
{
	static const struct {
		uint32_t character;
		char ascii;
	} likenesses[] = {
		{ 0x2192, '>' },	/* → call */
		{ 0x2190, '<' },	/* ← return */
		{ 0x2194, '=' },	/* ↔ call and return */
		{ 0x25ce, '@' },	/* ◎ probe */
		{ 0x203a, ':' },	/* › data */
		{ 0x203c, '!' },	/* ‼ missing */
		{ 0x2026, '~' },	/* … cut */
	};

	for (size_t i = 0; i < ARRAY_SIZE(likenesses); i++) {
		if (likenesses[i].character == character)
			return likenesses[i].ascii;
	}
	return '?';
}

void text_to_ascii(struct strbuf *text)
{
	size_t len = 0, bytes;
	uint32_t character;

	for (size_t i = 0; i < text->len; i += bytes ?: 1) {
		bytes = utf8_decode(text->s + i, text->len - i, &character);
		text->s[len++] = !bytes		  ? '?' :
				 character < 0x80 ? (char)character :
						    ascii_of(character);
	}
	text->len = len;
	if (text->s)
		text->s[len] = '\0';
}

int output_text(FILE *out, struct strbuf *text)
{
	if (terminal_is_ascii())
		text_to_ascii(text);
	return output_data(out, text);
}

bool output_reader_left(FILE *out)
{
	struct pollfd fd = { .fd = fileno(out), .events = POLLOUT };

	/* A terminal that hung up has POLLHUP, too. */
	return poll(&fd, 1, 0) > 0 && (fd.revents & (POLLERR | POLLHUP)) == POLLERR;
}

int output_end(FILE *out)
{
	if (!ferror(out))
		return 0;
	/* A reader who quits a pager has seen enough. */
	return errno == EPIPE || output_reader_left(out) ?
		       -EPIPE :
		       report(-EIO, "cannot write the output: %m");
}

int output_data(FILE *out, const struct strbuf *data)
{
	bool written;
	int err;

	if (data->failed)
		return report_oom();
	progress_make_way();
	errno = 0;
	written = fwrite(strbuf_str(data), 1, data->len, out) == data->len && !fflush(out);
	err = errno ?: EIO;
	progress_go_on();
	if (written)
		return 0;
	if (err == EPIPE) {
		/* Reported: the check of the output at exit must not report it again. */
		__fpurge(out);
		clearerr(out);
		return -EPIPE;
	}
	return report(-err, "cannot write the output: %s", strerror(err));
}
