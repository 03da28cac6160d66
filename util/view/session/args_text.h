/* SPDX-License-Identifier: BSD-2-Clause */
/* The arguments of a call as text, from captured data. */
#ifndef RETSNOOP_VIEW_SESSION_ARGS_TEXT_H
#define RETSNOOP_VIEW_SESSION_ARGS_TEXT_H

#include "util/plan/args/args.h"
#include "util/trace/session/session.h"
#include "util/view/values/btf_value.h"

/* The captured arguments of a call, as in its CALL_ENTER edge. */
struct args_capture {
	uint64_t value;		/* of the edge */
	const void *data;	/* after it */
	size_t len;
};

struct args_capture args_capture_of(const struct session *session, const struct traced_call *call);

/*
 * On the line of the call: `cmd=BPF_MAP_CREATE size=80`. Nothing if it has no arguments.
 *
 * @func	name of the function: of system calls', flags and the like have names, `flags=O_RDONLY|O_CLOEXEC`
 */
void args_text_add_inline(struct strbuf *sb, const struct value_format *format, const char *func,
			  const struct func_args *args, const struct args_capture *capture);

/* On lines of their own, indented by this number of columns: `› cmd = BPF_MAP_CREATE`. */
void args_text_add_lines(struct strbuf *sb, const struct value_format *format, const char *func,
			 const struct func_args *args, const struct args_capture *capture,
			 uint32_t indent);

/* Only the value of an argument; @data is from args_decode(). */
void args_text_add_value(struct strbuf *sb, const struct value_format *format,
			 const struct arg *arg, const struct arg_data data[ARGS_MAX_ITEMS]);

/*
 * Append the arguments in place of a variadic function's "...": the text made by its format, or
 * words if the format is not known. Returns whether there are any.
 */
bool args_text_add_more(struct strbuf *sb, const struct value_format *format,
			const struct func_args *args, const struct arg_data data[ARGS_MAX_ITEMS]);

/*
 * Style the names of arguments in the text appended to @sb since @from: in lines of any of these
 * forms, cut or not.
 */
void args_text_style(struct strbuf *sb, size_t from, bool color);

#endif
