/* SPDX-License-Identifier: BSD-2-Clause */
/* Places in code, written in the same way by all views of sessions. */
#ifndef RETSNOOP_VIEW_SESSION_CODE_PLACE_H
#define RETSNOOP_VIEW_SESSION_CODE_PLACE_H

#include <stdint.h>
#include <string.h>

#include "util/base/strbuf.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/view/parts/json.h"

struct place;
struct view_context;

/* "do_syscall_64+0x35", with the address before it if the context asks for it. */
void code_symbol_add(struct strbuf *text, const struct view_context *context,
		     const struct place *place);

/* Append blanks in place of the address before a symbol. */
void code_no_address_add(struct strbuf *text, const struct view_context *context);

/* ". do_syscall_x64": a call inlined into the function on the line above. */
void code_inlined_add(struct strbuf *text, const struct view_context *context,
		      const struct source_frame *source);

/* "(arch/x86/entry/common.c:80:7)"; nothing if the file is not known. @source may be NULL. */
void code_source_add(struct strbuf *text, const struct source_frame *source);

/* Make a column at least as wide as a cell. */
static inline void widen_column(size_t *width, const char *cell)
{
	size_t len = strlen(cell);

	if (len > *width)
		*width = len;
}

/* The array "frames": the function, then the calls inlined into it, innermost last. */
void code_frames_json_add(struct json *json, const struct source_frame *frames, uint32_t nr);

#endif
