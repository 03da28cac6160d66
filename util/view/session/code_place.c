// SPDX-License-Identifier: BSD-2-Clause
/* Places in code, as all views of sessions write them. */
#include "util/view/session/code_place.h"

#include <inttypes.h>

#include "util/base/text/quote.h"
#include "util/view/session/view.h"

/* An address and the space after it. */
#define ADDR_WIDTH 17

static bool has_addresses(const struct view_context *context)
{
	return context->explain.settings->stacks_emit_addrs || context->verbose;
}

void code_no_address_add(struct strbuf *text, const struct view_context *context)
{
	if (has_addresses(context))
		strbuf_pad(text, ADDR_WIDTH, ' ');
}

void code_symbol_add(struct strbuf *text, const struct view_context *context,
		     const struct place *place)
{
	if (has_addresses(context))
		strbuf_addf(text, "%016" PRIx64 " ", place->addr);
	if (!place->name) {
		strbuf_addstr(text, "0x");
		strbuf_addhex(text, place->addr);
		return;
	}
	strbuf_addstr(text, place->name);
	strbuf_addstr(text, context->explain.settings->stacks_dec_offs ? "+" : "+0x");
	if (context->explain.settings->stacks_dec_offs)
		strbuf_adduint(text, place->offset);
	else
		strbuf_addhex(text, place->offset);
}

void code_inlined_add(struct strbuf *text, const struct view_context *context,
		      const struct source_frame *source)
{
	code_no_address_add(text, context);
	strbuf_addstr(text, ". ");
	quote_name_add(text, source->function ?: "?");
}

void code_source_add(struct strbuf *text, const struct source_frame *source)
{
	if (!source || !source->file)
		return;
	strbuf_addch(text, '(');
	quote_name_add(text, source->file);
	if (source->line) {
		strbuf_addch(text, ':');
		strbuf_adduint(text, source->line);
		strbuf_addch(text, ':');
		strbuf_adduint(text, source->column);
	}
	strbuf_addch(text, ')');
}

void code_frames_json_add(struct json *json, const struct source_frame *frames, uint32_t nr)
{
	json_array(json, "frames");
	for (uint32_t i = nr; i--;) {
		json_object(json, NULL);
		json_string(json, "function", frames[i].function);
		json_string(json, "file", frames[i].file);
		json_uint(json, "line", frames[i].line);
		json_uint(json, "column", frames[i].column);
		json_bool(json, "inlined", i + 1 < nr);
		json_close(json);
	}
	json_close(json);
}
