/* SPDX-License-Identifier: BSD-2-Clause */
/* The arguments of a call as text, from what was captured of them. */
#ifndef RETSNOOP_VIEW_SESSION_ARGS_TEXT_H
#define RETSNOOP_VIEW_SESSION_ARGS_TEXT_H

#include "util/capture/args/args.h"
#include "util/view/values/btf_value.h"

/* What came of a call's arguments, as its CALL_ENTER edge has it. */
struct args_capture {
	uint64_t value;		/* of the edge */
	const void *data;	/* behind it */
	size_t len;
};

/* On the line of the call: `cmd=BPF_MAP_CREATE size=80`. Nothing when it takes none. */
void args_text_add_inline(struct strbuf *sb, const struct value_format *format,
			  const struct func_args *args, const struct args_capture *capture);

/* Lines of their own, indented by that many columns: `› cmd = BPF_MAP_CREATE`. */
void args_text_add_lines(struct strbuf *sb, const struct value_format *format,
			 const struct func_args *args, const struct args_capture *capture,
			 uint32_t indent);

/* The value alone of an argument; @data is of args_decode(). */
void args_text_add_value(struct strbuf *sb, const struct value_format *format,
			 const struct arg *arg, const struct arg_data data[ARGS_MAX_ITEMS]);

/*
 * Whether a call of a variadic function has something in place of its "...". What is known of it is
 * appended: the text that its format makes of it, or words where there is no format to be read.
 */
bool args_text_add_more(struct strbuf *sb, const struct value_format *format,
			const struct func_args *args, const struct arg_data data[ARGS_MAX_ITEMS]);

/*
 * Give the names of arguments in what was appended to @sb since @from their style: in lines of any of
 * these forms, cut or not.
 */
void args_text_style(struct strbuf *sb, size_t from, bool color);

#endif
