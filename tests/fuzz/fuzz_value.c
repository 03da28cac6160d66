// SPDX-License-Identifier: BSD-2-Clause
/*
 * Values and arguments as text, with types and data that make no sense. An input is:
 *
 *	struct head, `types` bytes of BTF's types, `strings` bytes of its strings, data
 *
 * BTF's own header is made to fit: what a wrong one does is libbpf's matter.
 */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <linux/btf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/types/btf.h"
#include "util/plan/args/args.h"
#include "util/plan/args/args_select.h"
#include "util/plan/plan.h"
#include "util/view/session/args_text.h"
#include "util/view/values/btf_value.h"
#include "util/view/values/value_type.h"

struct head {
	uint8_t flags;		/* FLAG_x */
	uint8_t width;
	uint8_t bit_offset, bits;
	uint16_t type, unread;
	uint16_t types, strings;
};

#define FLAG_MODE 3		/* enum value_mode */
#define FLAG_ARGS 4		/* `type` is a function's; else a value's */
#define FLAG_RAW 8
#define FLAG_MEMBERS 16
#define FLAG_SMALL 32		/* little room for arguments */
#define FLAG_SELECT 64		/* a selection stands before the data, with a NUL */

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static const char *symbol(void *arg, uint64_t addr)
{
	return addr & 1 ? "function" : NULL;
}

static void show_value(const struct btf *btf, const struct head *head,
		       const struct value_format *format, const uint8_t *data, size_t len)
{
	struct strbuf text = STRBUF_INIT;
	struct value value = {
		.btf = btf,
		.type = head->type,
		.name = "flags",
		.data = data,
		.len = len,
		.bit_offset = head->bit_offset % 8,
		.bits = head->bits,
	};

	value_add(&text, format, &value);
	value_cut(&text, 0, format->max_width);
	value_type_add(&text, btf, head->type);
	value_string_add(&text, data, len, false);
	value_bytes_add(&text, data, len, true);
	strbuf_release(&text);
}

static int describe(struct kernel_btf *btf, const struct head *head, const uint8_t **data,
		    size_t *len, struct args_selection *selection, struct func_args *ret_args)
{
	struct args_options options = {
		.max_total = head->flags & FLAG_SMALL ? 64 : 3072,
		.max_sized = 256,
		.max_str = 256,
		.raw_ptrs = head->flags & FLAG_RAW,
		.members = head->flags & FLAG_MEMBERS,
	};
	struct args_func func = { .name = "func", .btf_id = head->type };
	const uint8_t *end;

	if (!(head->flags & FLAG_SELECT))
		return args_of_func(btf, &func, NULL, &options, &arch_x86, ret_args);
	end = memchr(*data, '\0', *len);
	if (!end || args_selection_parse((const char *)*data, selection))
		return -1;
	*len -= end + 1 - *data;
	*data = end + 1;
	return args_select(selection, false, btf, &func, NULL, &options, &arch_x86, ret_args);
}

static void show_args(struct kernel_btf *btf, const struct head *head,
		      const struct value_format *format, const uint8_t *data, size_t len)
{
	struct args_selection selection = {};
	struct func_args args = {};
	struct strbuf text = STRBUF_INIT;
	struct args_capture capture;
	uint8_t *copy;

	if (!describe(btf, head, &data, &len, &selection, &args)) {
		/* Of just that size, for the sanitizer to see what is read beyond. */
		copy = memcpy(malloc(len + !len), data, len);
		capture = (struct args_capture){ 0xffff | (uint64_t)head->unread << 16, copy, len };
		args_text_add_inline(&text, format, "__x64_sys_openat", &args, &capture);
		args_text_add_lines(&text, format, "__x64_sys_openat", &args, &capture, 4);
		free(copy);
	}
	strbuf_release(&text);
	func_args_release(&args);
	args_selection_release(&selection);
}

static struct btf *btf_of(const struct head *head, const uint8_t *sections)
{
	struct btf_header header = {
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = sizeof(header),
		.type_len = head->types,
		.str_off = head->types,
		.str_len = head->strings + 2,
	};
	size_t size = sizeof(header) + header.type_len + header.str_len;
	uint8_t *bytes = calloc(1, size), *strings = bytes + sizeof(header) + header.type_len;
	struct btf *btf;

	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), sections, header.type_len);
	/* It begins and ends with a NUL. */
	memcpy(strings + 1, sections + header.type_len, head->strings);
	btf = btf__new(bytes, size);
	free(bytes);
	return btf;
}

static int quiet(enum libbpf_print_level level, const char *format, va_list args)
{
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	struct value_format format = { .symbol = symbol };
	struct kernel_btf *kernel_btf;
	struct head head;
	struct btf *btf;
	uint8_t *data;
	size_t len;

	libbpf_set_print(quiet);
	report_set_verbosity(VERBOSITY_QUIET);
	if (size < sizeof(head))
		return 0;
	memcpy(&head, input, sizeof(head));
	input += sizeof(head);
	size -= sizeof(head);
	head.types &= ~3;
	if (size < (size_t)head.types + head.strings)
		return 0;
	btf = btf_of(&head, input);
	if (!btf)
		return 0;
	len = size - head.types - head.strings;
	data = memcpy(malloc(len + !len), input + head.types + head.strings, len);
	format.mode = (head.flags & FLAG_MODE) % (VALUE_VERBOSE + 1);
	format.max_width = head.width;
	if (!(head.flags & FLAG_ARGS)) {
		show_value(btf, &head, &format, data, len);
		btf__free(btf);
	} else if (kernel_btf_from(btf, &kernel_btf)) {
		btf__free(btf);
	} else {
		show_args(kernel_btf, &head, &format, data, len);
		kernel_btf_free(kernel_btf);
	}
	free(data);
	return 0;
}
