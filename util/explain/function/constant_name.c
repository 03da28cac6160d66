// SPDX-License-Identifier: BSD-2-Clause
/* Names of constants. */
#include "util/explain/function/constant_name.h"

#include <bpf/btf.h>
#include <string.h>

#include "util/base/text/capability_name.h"
#include "util/base/text/quote.h"
#include "util/explain/function/function_code.h"
#include "util/kernel/symbols/data_symbols.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/btf_types.h"

/* Longer strings hide the call that they are an argument of. */
#define MAX_TEXT 40

/* Add a whole printable string; false: it is none, or too long. */
static bool add_text_at(const struct code_reader *reader, uint64_t addr, struct strbuf *text)
{
	char string[MAX_TEXT + 1];
	long size = reader->source ? reader->source->read(reader->source->arg, addr, string,
							  sizeof(string)) : 0;
	size_t len = size > 0 ? strnlen(string, size) : 0;

	if (!len || (long)len == size)
		return false;
	if (find_first(c, string, len, *c < ' ' || *c > '~'))
		return false;
	quote_add(text, string, len, '"');
	return true;
}

void variable_add(struct code_reader *reader, uint64_t addr, struct strbuf *text)
{
	const char *name = reader->data ? data_symbol_name(reader->data, addr) : NULL;

	if (name)
		strbuf_addstr(text, name);
}

bool constant_address_add(struct code_reader *reader, uint64_t addr, bool is_text,
			  struct strbuf *text)
{
	const char *name;

	if (is_text && add_text_at(reader, addr, text))
		return true;
	name = reader->data ? data_symbol_name(reader->data, addr) : NULL;
	if (name)
		strbuf_addf(text, "&%s", name);
	return name;
}

static bool is_text(const struct btf *btf, const struct btf_type *type)
{
	return type && btf_is_int(type) && type->size == 1 && !strcmp(btf_type_name(btf, type), "char");
}

const char *enum_value_name(const struct btf *btf, uint32_t id, int64_t value)
{
	const struct btf_type *type = btf_underneath(btf, id);
	const char *name = NULL;

	for (int i = 0; type && btf_is_enum(type) && i < btf_vlen(type); i++) {
		if (btf_enum(type)[i].val != (int32_t)value)
			continue;
		if (name)
			return NULL;
		name = btf_name(btf, btf_enum(type)[i].name_off);
	}
	return name && *name ? name : NULL;
}

bool constant_add(struct code_reader *reader, const struct btf *btf, const struct btf_param *parameter,
		  int64_t value, struct strbuf *text)
{
	const struct btf_type *pointer = btf_underneath(btf, parameter->type);
	uint32_t pointee = btf_pointee(btf, parameter->type);
	const char *capability = strcmp(btf_name(btf, parameter->name_off), "cap") ?
					 NULL : capability_name(value);
	const char *value_name;

	if (capability) {
		strbuf_addstr(text, capability);
		return true;
	}
	value_name = enum_value_name(btf, parameter->type, value);
	if (value_name) {
		strbuf_addstr(text, value_name);
		return true;
	}
	if (!pointer || !btf_is_ptr(pointer))
		return false;
	if (!value)
		strbuf_addstr(text, "NULL");
	else if (!constant_address_add(reader, value,
				       pointee && is_text(btf, btf_underneath(btf, pointee)), text))
		strbuf_addstr(text, "...");
	return true;
}
