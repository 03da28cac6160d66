// SPDX-License-Identifier: BSD-2-Clause
/* Addresses with their functions and lines. */
#include "util/view/lists/symbolize_view.h"

#include <inttypes.h>

#include "util/base/style.h"
#include "util/view/parts/json.h"

/* Tens of thousands of these are printed: no printf() for the common parts. */
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

static void add_source(struct strbuf *text, bool color, const struct source_frame *frame)
{
	size_t start;

	if (frame->file) {
		strbuf_addch(text, ' ');
		start = text->len;
		strbuf_addch(text, '(');
		strbuf_addstr(text, frame->file);
		if (frame->line) {
			strbuf_addch(text, ':');
			add_number(text, frame->line);
			strbuf_addch(text, ':');
			add_number(text, frame->column);
		}
		strbuf_addch(text, ')');
		style_since(text, start, color, STYLE_PLACE);
	}
	strbuf_addch(text, '\n');
}

void symbolize_view_text(struct strbuf *text, bool color, const char *input, uint64_t addr,
			 const struct symbolized *found)
{
	const struct source_frame *frames = found->frames;
	int outermost = found->nr_frames - 1;
	size_t start = text->len;

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
	style_since(text, start, color,
		    found->symbol || outermost >= 0 ? STYLE_NAME : STYLE_DOUBT);
	if (outermost < 0) {
		strbuf_addch(text, '\n');
		return;
	}
	add_source(text, color, frames + outermost);
	for (int i = outermost - 1; i >= 0; i--) {
		start = text->len;
		strbuf_add(text, ". ", 2);
		strbuf_addstr(text, frames[i].function ?: "?");
		style_since(text, start, color, STYLE_ASIDE);
		add_source(text, color, frames + i);
	}
}

void symbolize_view_json(struct strbuf *text, bool color, const char *input, uint64_t addr,
			 const struct symbolized *found)
{
	struct json json = JSON_INIT(text);

	json_object(&json, NULL);
	json_string(&json, "type", "address");
	json_string(&json, "input", input);
	json_address(&json, addr, found->symbol ? found->symbol->name : NULL, found->offset);
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
