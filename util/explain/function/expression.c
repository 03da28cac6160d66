// SPDX-License-Identifier: BSD-2-Clause
/* Expressions: their types, and the functions' prototypes that types come from. */
#include "util/explain/function/expression.h"

#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/text/limit_name.h"
#include "util/kernel/code/operands.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/btf_types.h"
#include "util/kernel/types/symbol_variant.h"

void expression_forget(struct expression *to)
{
	strbuf_reset(&to->text);
	to->type = 0;
	to->bytes = to->addend_len = 0;
	to->offset = to->stride = to->addend = 0;
	strbuf_reset(&to->index);
	to->shift = 0;
	to->slot_bytes = 0;
	to->is_constant = to->is_masked = to->is_of_variable = to->is_negated = to->is_by_pointer = to->is_variable =
		to->is_computed = to->is_bit = to->is_function = to->is_global = false;
	to->called = to->called_at = 0;
	to->entries = NULL;
	to->owner = (struct expression_owner){};
}

/* "rlim[RLIMIT_NOFILE].rlim_cur" for "rlim[7].rlim_cur". */
static void add_path(struct strbuf *text, const char *path)
{
	static const char array[] = "rlim[";
	const char *at = strstr(path, array), *name = NULL;
	char *end;

	if (at && (at == path || at[-1] == '.')) {
		at += sizeof(array) - 1;
		name = limit_name(strtoul(at, &end, 10));
	}
	if (name)
		strbuf_addf(text, "%.*s%s%s", (int)(at - path), path, name, end);
	else
		strbuf_addstr(text, path);
}

void expression_enclose(struct expression *to)
{
	_cleanup_(strbuf_release) struct strbuf text = {};

	strbuf_addf(&text, "(%s)", strbuf_str(&to->text));
	strbuf_reset(&to->text);
	strbuf_addstr(&to->text, strbuf_str(&text));
	to->owner = (struct expression_owner){};
}

void expression_add_member(struct expression *to, const char *path)
{
	struct strbuf *text = &to->text;

	if (*strbuf_str(text) == '*')
		expression_enclose(to);
	to->owner = (struct expression_owner){ .len = text->len };
	strbuf_addstr(text, "->");
	add_path(text, *path == '.' ? path + 1 : path);
}

static const struct btf_type *type_of(const struct expression *expression)
{
	return expression->type ? btf_underneath(expression->btf, expression->type) : NULL;
}

void expression_release(struct expression *expression)
{
	strbuf_release(&expression->text);
	strbuf_release(&expression->index);
}

bool expression_is_pointer(const struct expression *expression)
{
	const struct btf_type *type = type_of(expression);

	return type && btf_is_ptr(type);
}

bool expression_is_signed(const struct expression *expression)
{
	const struct btf_type *type = type_of(expression);

	return type && btf_is_int(type) && btf_int_encoding(type) & BTF_INT_SIGNED;
}

bool expression_is_number(const struct expression *expression)
{
	const struct btf_type *type = type_of(expression);

	return type && (btf_is_int(type) || btf_is_any_enum(type)) && expression->text.len &&
	       !expression->is_constant && !expression->shift;
}

/* Whether bits of it can be named; what is made of them is no variable, nor what a call returned. */
static bool make_bits(struct expression *to)
{
	if (!expression_is_number(to) || to->offset || to->is_masked || to->is_negated) {
		expression_forget(to);
		return false;
	}
	to->is_by_pointer = to->is_variable = to->is_global = false;
	to->called = to->called_at = 0;
	return true;
}

/* Bits of bits: take away the mask that the text ends with. Returns what both leave. */
static uint64_t take_mask(struct expression *to, uint64_t mask)
{
	static const char sign[] = " & 0x";
	_cleanup_(strbuf_release) struct strbuf kept = {};
	const char *last = NULL;

	for (const char *at = to->text.s; at && (at = strstr(at, sign)); at++)
		last = at;
	if (!last)
		return 0;
	mask &= strtoull(last + strlen(sign), NULL, 16);
	strbuf_add(&kept, to->text.s, last - to->text.s);
	strbuf_reset(&to->text);
	strbuf_addstr(&to->text, strbuf_str(&kept));
	to->is_masked = false;
	return mask;
}

void expression_mask(struct expression *to, uint64_t mask)
{
	bool is_of_variable = to->is_masked ? to->is_of_variable : to->is_variable;

	if (to->is_masked)
		mask = take_mask(to, mask);
	if (!mask)
		return expression_forget(to);
	if (!make_bits(to))
		return;
	strbuf_addf(&to->text, " & 0x%llx", (unsigned long long)mask);
	to->is_masked = true;
	to->is_of_variable = is_of_variable;
}

void expression_negate(struct expression *to)
{
	to->is_negated = make_bits(to);
}

bool expression_take_error(struct expression *to)
{
	int32_t type = expression_is_pointer(to) ? btf__find_by_name_kind(to->btf, "int", BTF_KIND_INT) : 0;
	struct strbuf text = {};

	if (type <= 0 || to->offset || to->stride || to->shift || to->is_masked || to->is_negated || to->is_constant)
		return false;
	strbuf_addf(&text, "PTR_ERR(%s)", to->text.s);
	strbuf_release(&to->text);
	to->text = text;
	to->type = type;
	to->bytes = 4;
	to->owner = (struct expression_owner){};
	to->is_variable = to->is_global = false;
	to->entries = NULL;
	return true;
}

bool expression_is_bool(const struct expression *expression)
{
	const struct btf_type *type = type_of(expression);

	return type && btf_is_int(type) && btf_int_encoding(type) & BTF_INT_BOOL;
}

/* Functions that are assembly on some CPUs, so that BTF has none of them, and others with their prototypes. */
static const char *with_same_prototype(const char *name)
{
	static const char *const names[][2] = {
		{ "strcmp", "strcasecmp" },
		{ "strncmp", "strncasecmp" },
		{ "memcmp", "bcmp" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(name, names[i][0]))
			return names[i][1];
	}
	return NULL;
}

const struct btf_type *function_prototype(const struct operand_way *way, uint64_t addr, const char *name,
					  const char *module, const struct btf **ret_btf)
{
	char known[SYMBOL_NAME_SIZE];
	uint32_t id, types, names;
	int in;

	/* Link-time optimisation only renames a function. */
	if (symbol_known_name(name, known))
		name = known;
	/* Clones may have other parameters and results. */
	if (!way->btf || strchr(name, '.'))
		return NULL;
	if (kernel_btf_find_func(way->btf, name, module, &id, &in) &&
	    (module || !with_same_prototype(name) ||
	     kernel_btf_find_func(way->btf, with_same_prototype(name), NULL, &id, &in)))
		return NULL;
	if (!kernel_btf_protos(way->btf, in, id, &types, &names) || types != names ||
	    (way->reader->symbolizer && symbolizer_is_changed(way->reader->symbolizer, addr)))
		return NULL;
	*ret_btf = kernel_btf_types(way->btf, in);
	return btf__type_by_id(*ret_btf, types);
}

/* The registers that a parameter takes: one, two of a struct such as sockptr_t; 0: not known. */
static uint32_t registers_of(const struct btf *btf, const struct btf_param *param)
{
	const struct btf_type *type = btf_underneath(btf, param->type);
	int64_t size = type ? btf_size_of(btf, param->type) : 0;

	if (type && (btf_is_int(type) || btf_is_ptr(type) || btf_is_any_enum(type)))
		return size <= 8;
	if (!type || !btf_is_composite(type))
		return 0;
	/* Of another size, it may be packed, which is in memory. */
	return size == 16 ? 2 : size == 8 || size == 4 || size == 2 || size == 1;
}

const struct btf_param *parameter_in(const struct btf *btf, const struct btf_type *proto,
				     uint8_t reg)
{
	uint32_t at = 0, nr;

	for (uint32_t i = 0; i < btf_vlen(proto) && operands_parameter(at) >= 0; i++) {
		nr = registers_of(btf, &btf_params(proto)[i]);
		/* A struct is in registers as a whole, or not at all. */
		if (!nr || operands_parameter(at + nr - 1) < 0)
			return NULL;
		if (operands_parameter(at) == reg)
			return &btf_params(proto)[i];
		at += nr;
	}
	return NULL;
}

const struct btf_param *parameter_on_stack(const struct btf *btf, const struct btf_type *proto, int64_t offset)
{
	int index = operands_stack_parameter(offset);
	uint32_t at = 0;

	if (index < 0)
		return NULL;
	while (operands_parameter(at) >= 0)
		at++;
	at += index;
	/* Structs are in registers, on the stack or in memory elsewhere; they move what comes after them. */
	for (uint32_t i = 0; i <= at && i < btf_vlen(proto); i++) {
		const struct btf_type *type = btf_underneath(btf, btf_params(proto)[i].type);

		if (!type || btf_is_composite(type) || registers_of(btf, &btf_params(proto)[i]) != 1)
			return NULL;
	}
	return at < btf_vlen(proto) ? &btf_params(proto)[at] : NULL;
}
