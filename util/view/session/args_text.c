// SPDX-License-Identifier: BSD-2-Clause
/* The arguments of a call as text. */
#include "util/view/session/args_text.h"

#include <bpf/btf.h>
#include <inttypes.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/style.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/numbers/argument_names.h"
#include "util/kernel/numbers/number_text.h"
#include "util/kernel/types/btf_types.h"
#include "util/view/values/printf_text.h"

static uint64_t pointer_in(const struct arg_data *data)
{
	uint64_t pointer = 0;

	memcpy(&pointer, data->data, data->len < sizeof(pointer) ? data->len : sizeof(pointer));
	return pointer;
}

/*
 * "/etc/passwd": the path up to the root of its file system; "…/a/b/c/d": the path is longer than
 * what was captured; "[eventpoll]": the file is in no directory.
 */
static void add_path(struct strbuf *sb, const struct arg_data *data)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *names[ARGS_PATH_NAMES], *at = (const char *)data->data;
	size_t lens[ARGS_PATH_NAMES], left = data->len;
	bool alone;
	int nr = 0;

	while (nr < ARGS_PATH_NAMES && left && (*at || !nr)) {
		names[nr] = at;
		lens[nr] = strnlen(at, left);
		at += lens[nr] < left ? lens[nr] + 1 : lens[nr];
		left -= at - names[nr];
		nr++;
	}
	/* A recording can have an empty string in the place of names. */
	alone = nr <= 1;
	if (!alone && lens[nr - 1] == 1 && *names[nr - 1] == '/')
		nr--;
	else if (!alone)
		strbuf_addstr(&text, "…");
	for (int i = nr - 1; i >= 0; i--) {
		if (!alone)
			strbuf_addch(&text, '/');
		strbuf_add(&text, names[i], lens[i]);
		/* A string that fills its captured bytes may be longer. */
		if (lens[i] == ARGS_PATH_NAME - 1)
			strbuf_addstr(&text, "…");
	}
	strbuf_addstr(sb, "&{");
	value_string_add(sb, strbuf_str(&text), text.len, false);
	strbuf_addch(sb, '}');
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
	case ARG_AS_PATH:
		add_path(sb, data);
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
		/* A value's own address is not shown. */
		if (arg->form != ARG_AS_VALUE && arg->form != ARG_AS_POINTER)
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

static void cut_value(struct strbuf *sb, size_t start, const struct value_format *format)
{
	if (format->mode != VALUE_VERBOSE)
		value_cut(sb, start, format->max_width);
}

void args_text_add_value(struct strbuf *sb, const struct value_format *format,
			 const struct arg *arg, const struct arg_data data[ARGS_MAX_ITEMS])
{
	size_t start = sb->len;

	add_value(sb, format, arg, data);
	cut_value(sb, start, format);
}

/* False: the argument is no number, or was not captured. */
static bool number_of(const struct func_args *args, uint32_t i, const struct arg_data data[ARGS_MAX_ITEMS],
		      uint64_t *ret)
{
	const struct arg *arg = &args->args[i];
	const struct arg_data *own;
	int64_t size;

	if (arg->form != ARG_AS_VALUE || arg->bits || arg->item < 0 || arg->item >= ARGS_MAX_ITEMS)
		return false;
	own = &data[arg->item];
	size = arg->btf ? btf__resolve_size(arg->btf, arg->type) : arg->size;
	if (!own->data || own->unread || size <= 0 || size > (int64_t)sizeof(*ret) || own->len < arg->skip + size)
		return false;
	*ret = 0;
	memcpy(ret, own->data + arg->skip, size);
	return true;
}

/* The flags, options and requests of system calls by name. False: there is none, and nothing was added. */
static bool add_named(struct strbuf *sb, const char *func, const struct func_args *args, uint32_t i,
		      const struct arg_data data[ARGS_MAX_ITEMS])
{
	const struct arch *arch = arch_of_wrapper(func);
	const char *syscall = arch && !args->selected ? args_syscall_name(func) : NULL;
	uint64_t value, before = 0, first = 0;
	const struct number_names *names;

	if (!syscall || !number_of(args, i, data, &value))
		return false;
	if (i)
		number_of(args, i - 1, data, &before);
	number_of(args, 0, data, &first);
	names = number_names_find(arch, syscall, args->args[i].name, before, first);
	return names && number_add(sb, names, value);
}

static void add_argument(struct strbuf *sb, const struct value_format *format, const char *func,
			 const struct func_args *args, uint32_t i, const struct arg_data data[ARGS_MAX_ITEMS])
{
	size_t start = sb->len;

	if (add_named(sb, func, args, i, data))
		cut_value(sb, start, format);
	else
		args_text_add_value(sb, format, &args->args[i], data);
}

/* The captured words. Returns their number. */
static uint32_t find_words(const struct args_more *more,
			   const struct arg_data data[ARGS_MAX_ITEMS],
			   struct printf_word words[ARGS_MORE_WORDS])
{
	for (uint32_t i = 0; i < more->nr; i++) {
		const struct arg_data *own = &data[more->words[i].item];
		uint32_t skip = more->words[i].skip;
		int8_t text = more->words[i].text;

		if (!own->data || own->unread || own->len < skip + sizeof(words[i].value))
			return i;
		words[i] = (struct printf_word){};
		memcpy(&words[i].value, own->data + skip, sizeof(words[i].value));
		if (text < 0 || !data[text].data || data[text].unread)
			continue;
		words[i].text = (const char *)data[text].data;
		words[i].len = data[text].len;
		words[i].cut = data[text].cut;
	}
	return more->nr;
}

static void add_formatted(struct strbuf *sb, const struct value_format *format,
			  const struct printf_call *call)
{
	_cleanup_(strbuf_release) struct strbuf text = STRBUF_INIT;

	printf_text_add(&text, format, call);
	value_string_add(sb, strbuf_str(&text), text.len, false);
}

bool args_text_add_more(struct strbuf *sb, const struct value_format *format,
			const struct func_args *args, const struct arg_data data[ARGS_MAX_ITEMS])
{
	struct printf_word words[ARGS_MORE_WORDS] = {};
	struct printf_call call = { .words = words };
	const struct arg_data *fmt;
	size_t start = sb->len;

	if (!args->variadic || !args->more.nr)
		return args->variadic;
	fmt = &data[args->args[args->more.format].item];
	if (!fmt->data)
		return true;
	call.nr = find_words(&args->more, data, words);
	call.format = (const char *)fmt->data;
	call.len = fmt->len;
	call.cut = fmt->cut;
	if (fmt->unread) {
		strbuf_addch(sb, '(');
		for (uint32_t i = 0; i < call.nr; i++)
			strbuf_addf(sb, "0x%" PRIx64 ",", words[i].value);
		strbuf_addstr(sb, "…)");
	} else if (printf_takes_words(call.format, call.len)) {
		add_formatted(sb, format, &call);
	} else {
		return fmt->cut;
	}
	cut_value(sb, start, format);
	return true;
}

struct args_capture args_capture_of(const struct session *session, const struct traced_call *call)
{
	return (struct args_capture){
		.value = call->args_size | (uint64_t)call->args_unread << 16,
		.data = session->args ? session->args + call->args_at : NULL,
		.len = call->args_size,
	};
}

void args_text_add_inline(struct strbuf *sb, const struct value_format *format, const char *func,
			  const struct func_args *args, const struct args_capture *capture)
{
	_cleanup_(strbuf_release) struct strbuf more = STRBUF_INIT;
	struct arg_data data[ARGS_MAX_ITEMS];

	args_decode(&args->items, capture->value, capture->data, capture->len, data);
	for (uint32_t i = 0; i < args->nr; i++) {
		strbuf_addf(sb, "%s%s=", i ? " " : "", args->args[i].name);
		add_argument(sb, format, func, args, i, data);
	}
	if (args_text_add_more(&more, format, args, data))
		strbuf_addf(sb, "%s...%s%s", args->nr ? " " : "", more.len ? "=" : "",
			    strbuf_str(&more));
}

void args_text_add_lines(struct strbuf *sb, const struct value_format *format, const char *func,
			 const struct func_args *args, const struct args_capture *capture,
			 uint32_t indent)
{
	_cleanup_(strbuf_release) struct strbuf more = STRBUF_INIT;
	struct arg_data data[ARGS_MAX_ITEMS];
	struct value_format lines = *format;

	lines.indent = indent + 2;
	args_decode(&args->items, capture->value, capture->data, capture->len, data);
	for (uint32_t i = 0; i < args->nr; i++) {
		strbuf_pad(sb, indent, ' ');
		strbuf_addf(sb, "› %s = ", args->args[i].name);
		add_argument(sb, &lines, func, args, i, data);
		strbuf_addch(sb, '\n');
	}
	if (args_text_add_more(&more, &lines, args, data)) {
		strbuf_pad(sb, indent, ' ');
		strbuf_addf(sb, "› ...%s%s\n", more.len ? " = " : "", strbuf_str(&more));
	}
}

static size_t name_length(const char *s)
{
	size_t len = 0;

	while ((s[len] >= 'a' && s[len] <= 'z') || (s[len] >= 'A' && s[len] <= 'Z') ||
	       (s[len] >= '0' && s[len] <= '9') || s[len] == '_' || s[len] == '.')
		len++;
	return len;
}

/* "flags=0x1 name="a b" p=&{.x=1}": names stand where no bracket and no quote is open. */
static void style_words(struct strbuf *sb, const char *line, const char *end)
{
	bool begins = true, quoted = false;
	int depth = 0;

	while (line < end) {
		size_t len = begins && !depth && !quoted ? name_length(line) : 0;

		if (len && line + len < end && line[len] == '=') {
			style_add_bytes(sb, true, STYLE_VALUE, line, len);
			line += len;
		}
		if (*line == '\\' && quoted && line + 1 < end)
			strbuf_addch(sb, *line++);
		else if (*line == '"')
			quoted = !quoted;
		else if (!quoted && strchr("([{", *line))
			depth++;
		else if (!quoted && depth && strchr(")]}", *line))
			depth--;
		begins = *line == ' ';
		strbuf_addch(sb, *line++);
	}
}

static void style_line(struct strbuf *sb, const char *line, const char *end)
{
	static const char mark[] = "› ";
	size_t len;

	while (line < end && *line == ' ')
		strbuf_addch(sb, *line++);
	if (!strncmp(line, mark, sizeof(mark) - 1)) {
		strbuf_addstr(sb, mark);
		line += sizeof(mark) - 1;
	}
	len = name_length(line);
	if (len && startswith(line + len, " = ")) {
		style_add_bytes(sb, true, STYLE_VALUE, line, len);
		strbuf_add(sb, line + len, end - line - len);
	} else {
		style_words(sb, line, end);
	}
}

void args_text_style(struct strbuf *sb, size_t from, bool color)
{
	_cleanup_(strbuf_release) struct strbuf plain = STRBUF_INIT;
	const char *end;

	if (!color || sb->len <= from)
		return;
	strbuf_add(&plain, sb->s + from, sb->len - from);
	sb->failed |= plain.failed;
	sb->len = from;
	for (const char *line = strbuf_str(&plain); *line; line = end) {
		end = strchrnul(line, '\n');
		style_line(sb, line, end);
		if (*end)
			strbuf_addch(sb, *end++);
	}
}
