// SPDX-License-Identifier: BSD-2-Clause
/* Addresses with what they are. */
#include "util/view/symbolize.h"

#include <inttypes.h>

#include "util/view/json.h"

/* This is printed by the ten thousand: no printf for the common parts. */
static void add_number(struct strbuf *text, uint32_t number)
{
	char digits[10];
	int n = 0;

	do {
		digits[n++] = '0' + number % 10;
		number /= 10;
	} while (number);
	while (n)
		strbuf_addch(text, digits[--n]);
}

static void add_source(struct strbuf *text, const struct source_frame *frame)
{
	if (frame->file) {
		strbuf_add(text, " (", 2);
		strbuf_addstr(text, frame->file);
		if (frame->line) {
			strbuf_addch(text, ':');
			add_number(text, frame->line);
			strbuf_addch(text, ':');
			add_number(text, frame->column);
		}
		strbuf_addch(text, ')');
	}
	strbuf_addch(text, '\n');
}

void symbolize_view_text(struct strbuf *text, const char *input, uint64_t addr,
			 const struct symbolized *found)
{
	const struct source_frame *frames = found->frames;
	int outermost = found->nr_frames - 1;

	if (found->symbol) {
		strbuf_addstr(text, found->symbol->name);
		strbuf_addf(text, "+0x%" PRIx64, found->offset);
		if (found->symbol->module)
			strbuf_addf(text, " [%s]", found->symbol->module);
	} else if (outermost >= 0 && frames[outermost].function) {
		strbuf_addstr(text, frames[outermost].function);
	} else {
		strbuf_addf(text, "0x%" PRIx64, addr);
	}
	if (outermost < 0) {
		strbuf_addch(text, '\n');
		return;
	}
	add_source(text, frames + outermost);
	for (int i = outermost - 1; i >= 0; i--) {
		strbuf_add(text, ". ", 2);
		strbuf_addstr(text, frames[i].function ?: "?");
		add_source(text, frames + i);
	}
}

void symbolize_view_json(struct strbuf *text, const char *input, uint64_t addr,
			 const struct symbolized *found)
{
	struct json json = JSON_INIT(text);

	json_object(&json, NULL);
	json_string(&json, "type", "address");
	json_string(&json, "input", input);
	json_hex(&json, "addr", addr);
	json_string(&json, "symbol", found->symbol ? found->symbol->name : NULL);
	if (found->symbol)
		json_uint(&json, "offset", found->offset);
	json_string(&json, "module", found->symbol ? found->symbol->module : NULL);
	json_array(&json, "frames");
	for (int i = found->nr_frames - 1; i >= 0; i--) {
		const struct source_frame *frame = found->frames + i;

		json_object(&json, NULL);
		json_string(&json, "function", frame->function);
		json_string(&json, "file", frame->file);
		json_uint(&json, "line", frame->line);
		json_uint(&json, "column", frame->column);
		json_bool(&json, "inlined", frame->inlined);
		json_close(&json);
	}
	json_close(&json);
	json_close(&json);
	strbuf_addch(text, '\n');
}
