// SPDX-License-Identifier: BSD-2-Clause
/* `retsnoop symbolize --log`: a filter for the kernel's log. */
#include "builtin/symbolize_log.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/base/cleanup.h"
#include "util/base/progress.h"
#include "util/base/report.h"
#include "util/view/lists/log.h"
#include "util/view/lists/log_json.h"
#include "util/view/parts/output.h"

/* A longer line is not from a kernel log: print it in pieces. */
#define BUFFER_SIZE (1 << 16)

/*
 * The first line of a warning, or of a report of KASAN, has a place, and a line soon after has the
 * release, by which the place is looked up. Hold lines back for that long, and no longer.
 */
#define MAX_HELD 64
#define MAX_WAIT_MS 100

DEFINE_CLEANUP(struct log_symbols *, log_symbols_free)

struct filter {
	struct log_symbols *symbols;
	bool json, color;
	bool any;	/* something was added */
	bool in_kernel;	/* the last instruction pointer seen was */
	struct log_trace trace;
	bool knows_kernel;	/* -k, or a release was seen, or lines have waited long enough for it */
	struct strbuf held;	/* lines from the first place on, while the kernel is not known */
	unsigned int nr_held;
	struct strbuf text;
	struct progress progress;
};

static void add_place(struct filter *filter, struct json *json, const struct log_place *place,
		      bool several)
{
	struct log_found found;

	log_symbols_lookup(filter->symbols, place, &found);
	filter->any |= found.nr_frames;
	if (filter->json)
		log_json_place(json, place, &found);
	else if (found.nr_frames)
		log_view_place(&filter->text, filter->color, place, &found, several);
}

/* Print the functions and source lines for the places in a line, below the line. */
static void add_places(struct filter *filter, struct json *json, const char *line, size_t len)
{
	struct log_place place, next;
	bool there = log_find_place(line, len, 0, &place), several;

	/* All places of one line are printed in the same form. */
	several = there && log_find_place(line, len, place.end, &next);
	filter->trace.after_entry &= there;
	while (there) {
		log_trace_follow(&filter->trace, line, len, &place);
		add_place(filter, json, &place, several);
		there = log_find_place(line, len, place.end, &place);
	}
}

/* @ends: with a newline; without, it gets one only if something is added below. */
static void add_line(struct filter *filter, const char *line, size_t len, bool ends)
{
	struct json json = JSON_INIT(&filter->text);
	struct log_code code;
	bool has_code;
	size_t below;

	if (memmem(line, len, "RIP: ", 5))
		filter->in_kernel = memmem(line, len, "RIP: 0010:", 10) != NULL;
	has_code = filter->in_kernel && log_find_code(line, len, &code);
	if (filter->json) {
		log_json_begin(&json, line, len, false);
	} else {
		strbuf_add(&filter->text, line, len);
		strbuf_addch(&filter->text, '\n');
	}
	below = filter->text.len;
	if (!has_code)
		add_places(filter, &json, line, len);
	if (filter->json)
		log_json_end(&json, has_code ? &code : NULL);
	else if (has_code)
		log_view_code(&filter->text, filter->color, log_text_start(line, len), &code);
	if (!filter->json && !ends && !filter->text.failed && filter->text.len == below)
		filter->text.s[--filter->text.len] = '\0';
}

/* There is no better knowledge of the kernel to wait for. */
static void add_held(struct filter *filter)
{
	const char *line = strbuf_str(&filter->held), *after = line + filter->held.len, *end;

	while ((end = memchr(line, '\n', after - line))) {
		add_line(filter, line, end - line, true);
		line = end + 1;
	}
	filter->text.failed |= filter->held.failed;
	filter->nr_held = 0;
	strbuf_reset(&filter->held);
	filter->knows_kernel = true;
}

/* Add a line, or hold it back. @ends: see add_line() */
static void take_line(struct filter *filter, const char *line, size_t len, bool ends)
{
	char release[LOG_RELEASE_MAX];
	struct log_place place;

	if (log_find_release(line, len, release)) {
		/* Lines held back are of this kernel, later ones may be of another. */
		log_symbols_set_release(filter->symbols, release);
		add_held(filter);
	}
	if (!filter->knows_kernel && ends && filter->nr_held < MAX_HELD &&
	    (filter->nr_held || log_find_place(line, len, 0, &place))) {
		strbuf_add(&filter->held, line, len);
		strbuf_addch(&filter->held, '\n');
		filter->nr_held++;
		return;
	}
	if (filter->nr_held)
		add_held(filter);
	add_line(filter, line, len, ends);
}

/* Print text without looking for symbols. @ends: the line ends with it, and a newline follows. */
static void pass_on(struct filter *filter, const char *piece, size_t len, bool ends)
{
	struct json json = JSON_INIT(&filter->text);

	if (filter->nr_held)
		add_held(filter);
	if (filter->json) {
		log_json_begin(&json, piece, len, !ends);
		log_json_end(&json, NULL);
	} else {
		strbuf_add(&filter->text, piece, len + ends);
	}
}

static int write_out(struct filter *filter)
{
	int err = filter->text.len ? output_data(stdout, &filter->text) : 0;

	strbuf_reset(&filter->text);
	return err;
}

/*
 * Print lines as soon as there is no more to read: the input may be `dmesg -w`. The beginning of an
 * incomplete line waits for its end.
 */
static int run_filter(struct filter *filter)
{
	_cleanup_(free_p) char *buffer = malloc(BUFFER_SIZE);
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	bool continued = false;	/* the first piece of a line that is too long was printed */
	bool quiet;
	uint64_t total = 0, done = 0;
	size_t have = 0;
	struct stat st;
	int err = 0;

	if (!buffer)
		return report_oom();
	if (!fstat(STDIN_FILENO, &st) && S_ISREG(st.st_mode))
		total = st.st_size;
	while (!err) {
		ssize_t got = read(STDIN_FILENO, buffer + have, BUFFER_SIZE - have);
		char *line = buffer, *end;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return report(-errno, "cannot read standard input: %m");
		have += got;
		done += got;
		progress_update_bytes(&filter->progress, done, total);
		while ((end = memchr(line, '\n', buffer + have - line))) {
			if (continued)
				pass_on(filter, line, end - line, true);
			else
				take_line(filter, line, end - line, true);
			continued = false;
			line = end + 1;
		}
		have = buffer + have - line;
		memmove(buffer, line, have);
		if (!got || have == BUFFER_SIZE) {
			/* The last line may have no end. */
			if (have && !got && !continued)
				take_line(filter, buffer, have, false);
			else if (have)
				pass_on(filter, buffer, have, filter->json && !got);
			continued = have;
			have = 0;
		}
		quiet = got && poll(&input, 1, filter->nr_held ? MAX_WAIT_MS : 0) <= 0;
		if (filter->nr_held && (!got || quiet))
			add_held(filter);
		if (!got)
			return write_out(filter);
		if (quiet || filter->text.len > BUFFER_SIZE)
			err = write_out(filter);
	}
	return err;
}

int symbolize_log(const struct log_symbols_options *options, enum format format, bool color)
{
	_cleanup_(log_symbols_free_p) struct log_symbols *symbols = NULL;
	struct filter filter = { .json = format == FORMAT_JSON, .color = color,
				 .text = STRBUF_INIT, .held = STRBUF_INIT };
	int err;

	if (log_symbols_new(options, &symbols))
		return EXIT_CANNOT;
	filter.symbols = symbols;
	filter.knows_kernel = options->vmlinux;
	/* A log that is still being written has no end to wait for. */
	if (!isatty(STDIN_FILENO))
		filter.progress = progress_start_beside_output("Symbolizing");
	err = run_filter(&filter);
	progress_end(&filter.progress);
	strbuf_release(&filter.text);
	strbuf_release(&filter.held);
	if (err)
		return err == -EPIPE ? EXIT_SHOWN : EXIT_CANNOT;
	if (filter.any)
		return EXIT_SHOWN;
	return log_symbols_lacked(symbols) ? EXIT_CANNOT : EXIT_NOTHING;
}
