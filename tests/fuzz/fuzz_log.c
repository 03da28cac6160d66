// SPDX-License-Identifier: BSD-2-Clause
/*
 * Logs that `symbolize --log` reads. An input is a byte, whose lowest bit asks for JSON, and lines.
 * The kernel of the log is the program built from sample.c.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "util/view/lists/log.h"
#include "util/view/lists/log_json.h"

static struct log_symbols *open_sample(void)
{
	static struct fuzz_file file;
	const struct log_symbols_options options = { .vmlinux = file.path };
	struct log_symbols *symbols;

	fuzz_file_write(&file, sample_elf, sample_elf_end - sample_elf);
	if (log_symbols_new(&options, &symbols))
		abort();
	return symbols;
}

static void show_line(struct log_symbols *symbols, const char *line, size_t len, bool is_json)
{
	struct strbuf text = STRBUF_INIT;
	struct json json = JSON_INIT(&text);
	char release[LOG_RELEASE_MAX];
	struct log_place place;
	struct log_found found;
	struct log_code code;
	size_t at = 0;
	bool has_code;

	/* It names a file. */
	if (log_find_release(line, len, release) && (!*release || strchr(release, '/')))
		abort();
	if (log_text_start(line, len) > len)
		abort();
	has_code = log_find_code(line, len, &code);
	if (has_code && (code.len > sizeof(code.bytes) || code.at >= code.len))
		abort();
	if (is_json)
		log_json_begin(&json, line, len, false);
	while (log_find_place(line, len, at, &place)) {
		if (place.start < at || place.end <= place.start || place.end > len)
			abort();
		at = place.end;
		log_symbols_lookup(symbols, &place, &found);
		if (is_json)
			log_json_place(&json, &place, &found);
		else if (found.nr_frames)
			log_view_place(&text, true, &place, &found, len & 1);
	}
	if (is_json)
		log_json_end(&json, has_code ? &code : NULL);
	else if (has_code)
		log_view_code(&text, false, log_text_start(line, len), &code);
	strbuf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	static struct log_symbols *symbols;
	const uint8_t *end = input + size;
	bool is_json;

	fuzz_quiet();
	if (!symbols)
		symbols = open_sample();
	if (!size)
		return 0;
	is_json = *input++ & 1;
	while (input < end) {
		const uint8_t *newline = memchr(input, '\n', end - input) ?: end;
		size_t len = newline - input;
		/* Of just that size, for the sanitizer to see what is read beyond. */
		char *line = memcpy(malloc(len + !len), input, len);

		show_line(symbols, line, len, is_json);
		free(line);
		input = newline + (newline < end);
	}
	return 0;
}
