// SPDX-License-Identifier: BSD-2-Clause
/* builtin/symbolize_log.c: `retsnoop symbolize --log`: a filter for the kernel's log. */
#include "builtin/symbolize_log.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "builtin/builtin.h"
#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/view/log.h"
#include "util/view/output.h"

/* Longer lines are no log's; they pass through in pieces. */
#define BUFFER_SIZE (1 << 16)

DEFINE_CLEANUP(struct log_symbols *, log_symbols_free)

struct filter {
	struct log_symbols *symbols;
	bool color;
	bool any;	/* something was added */
	bool in_kernel;	/* the last instruction pointer seen was */
	struct strbuf text;
};

/* What a line leads to, below it. */
static void add_places(struct filter *filter, const char *line, size_t len)
{
	struct log_place place, next;
	struct log_found found;
	bool there = log_find_place(line, len, 0, &place), several;

	/* All of one line have one form. */
	several = there && log_find_place(line, len, place.end, &next);
	while (there) {
		log_symbols_lookup(filter->symbols, &place, &found);
		if (found.nr_frames) {
			log_view_place(&filter->text, filter->color, &place, &found, several);
			filter->any = true;
		}
		there = log_find_place(line, len, place.end, &place);
	}
}

static void add_line(struct filter *filter, const char *line, size_t len, bool ends)
{
	char release[LOG_RELEASE_MAX];
	struct log_code code;

	strbuf_add(&filter->text, line, len);
	if (!ends)
		return;
	strbuf_addch(&filter->text, '\n');
	if (log_find_release(line, len, release))
		log_symbols_set_release(filter->symbols, release);
	if (memmem(line, len, "RIP: ", 5))
		filter->in_kernel = memmem(line, len, "RIP: 0010:", 10) != NULL;
	if (filter->in_kernel && log_find_code(line, len, &code))
		log_view_code(&filter->text, filter->color, log_text_start(line, len), &code);
	else
		add_places(filter, line, len);
}

static int write_out(struct filter *filter)
{
	int err = filter->text.len ? output_text(stdout, &filter->text) : 0;

	strbuf_reset(&filter->text);
	return err;
}

/*
 * Lines go out as soon as there is no more to read: this stands behind `dmesg -w`. What is there of
 * a line that has no end yet waits for it.
 */
static int run_filter(struct filter *filter)
{
	_cleanup_(free_p) char *buffer = malloc(BUFFER_SIZE);
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	bool continued = false;	/* of a line too long, the first piece is out */
	size_t have = 0;
	int err = 0;

	if (!buffer)
		return report_oom();
	while (!err) {
		ssize_t got = read(STDIN_FILENO, buffer + have, BUFFER_SIZE - have);
		char *line = buffer, *end;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return report(-errno, "cannot read standard input: %m");
		have += got;
		while ((end = memchr(line, '\n', buffer + have - line))) {
			add_line(filter, line, continued ? 0 : end - line, !continued);
			if (continued)
				strbuf_add(&filter->text, line, end + 1 - line);
			continued = false;
			line = end + 1;
		}
		have = buffer + have - line;
		memmove(buffer, line, have);
		if (!got || have == BUFFER_SIZE) {
			/* The last line may have no end, and is not given one. */
			strbuf_add(&filter->text, buffer, have);
			continued = have;
			have = 0;
		}
		if (!got)
			return write_out(filter);
		if (poll(&input, 1, 0) <= 0 || filter->text.len > BUFFER_SIZE)
			err = write_out(filter);
	}
	return err;
}

int symbolize_log(const struct log_symbols_options *options, bool color)
{
	_cleanup_(log_symbols_free_p) struct log_symbols *symbols = NULL;
	struct filter filter = { .color = color, .text = STRBUF_INIT };
	int err;

	if (log_symbols_new(options, &symbols))
		return EXIT_CANNOT;
	filter.symbols = symbols;
	err = run_filter(&filter);
	strbuf_release(&filter.text);
	if (err)
		return err == -EPIPE ? EXIT_SHOWN : EXIT_CANNOT;
	if (filter.any)
		return EXIT_SHOWN;
	return log_symbols_lacked(symbols) ? EXIT_CANNOT : EXIT_NOTHING;
}
