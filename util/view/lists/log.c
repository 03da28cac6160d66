// SPDX-License-Identifier: BSD-2-Clause
/* Lines for a kernel's log. */
#include "util/view/lists/log.h"

#include "util/base/style.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/code/instruction.h"

/* Text after this column would be far from the left edge of a terminal. */
#define MAX_COLUMN 40

static void add_line(struct strbuf *text, bool color, size_t column, const struct strbuf *line)
{
	strbuf_pad(text, column < MAX_COLUMN ? column : MAX_COLUMN, ' ');
	style_add(text, color, STYLE_PLACE, strbuf_str(line));
	strbuf_addch(text, '\n');
	text->failed |= line->failed;
}

static void describe_frame(struct strbuf *line, const struct source_frame *frame)
{
	if (!frame->file)
		return;
	strbuf_addf(line, "%s(%s", line->len ? " " : "", frame->file);
	if (frame->line)
		strbuf_addf(line, ":%u:%u", frame->line, frame->column);
	strbuf_addch(line, ')');
}

void log_view_place(struct strbuf *text, bool color, const struct log_place *place,
		    const struct log_found *found, bool several)
{
	struct strbuf line = STRBUF_INIT;

	for (int i = found->nr_frames - 1; i >= 0; i--) {
		bool outermost = i == found->nr_frames - 1;

		strbuf_reset(&line);
		if (!outermost)
			strbuf_addf(&line, ". %s", found->frames[i].function ?: "?");
		else if (several)
			strbuf_addstr(&line, place->name);
		describe_frame(&line, found->frames + i);
		if (outermost && found->others)
			strbuf_addf(&line, " or one of %u more functions of that name",
				    found->others);
		if (line.len)
			add_line(text, color, place->start + 2, &line);
	}
	strbuf_release(&line);
}

void log_view_code(struct strbuf *text, bool color, size_t column, const struct log_code *code)
{
	struct strbuf line = STRBUF_INIT;
	size_t len;

	/* The log of another machine, whose instructions are not known here. */
	if (!arch_native->log_marks_byte)
		return;
	len = instruction_length(code->bytes + code->at, code->len - code->at);
	if (!len)
		return;
	strbuf_addstr(&line, "(the instruction is");
	for (size_t i = 0; i < len; i++)
		strbuf_addf(&line, " %02x", code->bytes[code->at + i]);
	strbuf_addch(&line, ')');
	add_line(text, color, column + 2, &line);
	strbuf_release(&line);
}
