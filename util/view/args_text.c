// SPDX-License-Identifier: BSD-2-Clause
/* The arguments of a call as text. */
#include "util/view/args_text.h"

#include <string.h>

#include "util/kernel/btf_types.h"

static uint64_t pointer_in(const struct arg_data *data)
{
	uint64_t pointer = 0;

	memcpy(&pointer, data->data, data->len < sizeof(pointer) ? data->len : sizeof(pointer));
	return pointer;
}

static void add_captured(struct strbuf *sb, const struct value_format *format,
			 const struct arg *arg, const struct arg_data *data)
{
	uint32_t skip = arg->skip < data->len ? arg->skip : data->len;
	struct value value = {
		.btf = arg->btf,
		.type = arg->type,
		.name = arg->name,
		.data = data->data + skip,
		.len = data->len - skip,
		.bit_offset = arg->bit_offset,
		.bits = arg->bits,
		.is_signed = arg->is_signed,
	};

	switch ((enum arg_form)arg->form) {
	case ARG_AS_POINTER:
		value_pointer_add(sb, format, pointer_in(data), false);
		break;
	case ARG_AS_STRING:
		if (arg->btf && btf_is_unsigned_char(arg->btf, arg->type))
			value_bytes_add(sb, data->data, data->len, data->cut);
		else
			value_string_add(sb, data->data, data->len, data->cut);
		break;
	case ARG_AS_POINTEE:
		strbuf_addch(sb, '&');
		value_add(sb, format, &value);
		break;
	case ARG_AS_VALUE:
		value_add(sb, format, &value);
		break;
	}
}

static void add_value(struct strbuf *sb, const struct value_format *format, const struct arg *arg,
		      const struct arg_data data[ARGS_MAX_ITEMS])
{
	const struct arg_data *own;

	if (arg->item < 0 || arg->item >= ARGS_MAX_ITEMS || !data[arg->item].data) {
		strbuf_addstr(sb, "…");
		return;
	}
	own = &data[arg->item];
	if (own->unread) {
		/* Of a value it is where it would have been, which nobody asked for. */
		if (arg->form == ARG_AS_POINTEE || arg->form == ARG_AS_STRING)
			value_pointer_add(sb, format, pointer_in(own), false);
		else
			strbuf_addch(sb, '?');
		return;
	}
	if (arg->raw && arg->item && own[-1].data) {
		strbuf_addch(sb, '(');
		value_pointer_add(sb, format, pointer_in(&own[-1]), false);
		strbuf_addch(sb, ')');
	}
	add_captured(sb, format, arg, own);
}

void args_text_add_value(struct strbuf *sb, const struct value_format *format,
			 const struct arg *arg, const struct arg_data data[ARGS_MAX_ITEMS])
{
	size_t start = sb->len;

	add_value(sb, format, arg, data);
	if (format->mode != VALUE_VERBOSE)
		value_cut(sb, start, format->max_width);
}

void args_text_add_inline(struct strbuf *sb, const struct value_format *format,
			  const struct func_args *args, const struct args_capture *capture)
{
	struct arg_data data[ARGS_MAX_ITEMS];

	args_decode(&args->items, capture->value, capture->data, capture->len, data);
	for (uint32_t i = 0; i < args->nr; i++) {
		strbuf_addf(sb, "%s%s=", i ? " " : "", args->args[i].name);
		args_text_add_value(sb, format, &args->args[i], data);
	}
	if (args->variadic)
		strbuf_addf(sb, "%s...", args->nr ? " " : "");
}

void args_text_add_lines(struct strbuf *sb, const struct value_format *format,
			 const struct func_args *args, const struct args_capture *capture,
			 uint32_t indent)
{
	struct arg_data data[ARGS_MAX_ITEMS];
	struct value_format lines = *format;

	lines.indent = indent + 2;
	args_decode(&args->items, capture->value, capture->data, capture->len, data);
	for (uint32_t i = 0; i < args->nr; i++) {
		strbuf_pad(sb, indent, ' ');
		strbuf_addf(sb, "› %s = ", args->args[i].name);
		args_text_add_value(sb, &lines, &args->args[i], data);
		strbuf_addch(sb, '\n');
	}
	if (args->variadic) {
		strbuf_pad(sb, indent, ' ');
		strbuf_addstr(sb, "› ...\n");
	}
}
