// SPDX-License-Identifier: BSD-2-Clause
/* From debug info's variables and types to expressions with BTF's types. */
#include "util/explain/function/local_variable.h"

#include <bpf/btf.h>
#include <errno.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/debug/debuginfo_variable.h"
#include "util/kernel/symbols/symbolizer.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/btf_types.h"
#include "util/kernel/types/member_at.h"

/*
 * The types of the file that the way's function is in; NULL: there are none. A module without BTF, as up to 5.10, has
 * types of the kernel, too; those of its own are not known.
 */
static const struct btf *types_of(const struct operand_way *way)
{
	int in = way->btf && way->module ? kernel_btf_find_module(way->btf, way->module) : 0;

	return way->btf ? kernel_btf_types(way->btf, in >= 0 ? in : 0) : NULL;
}

static bool is_kind(const struct btf_type *type, enum variable_kind kind)
{
	switch (kind) {
	case VARIABLE_NUMBER:
		return btf_is_int(type);
	case VARIABLE_ENUM:
		return btf_is_any_enum(type);
	case VARIABLE_STRUCT:
		return btf_is_struct(type);
	case VARIABLE_UNION:
		return btf_is_union(type);
	default:
		return false;
	}
}

/*
 * The one type of that name, kind and size among ids from @begin to before @end. 0: none, or several, as source
 * files have structs of their own by the same name. *ret_any: there is one at least.
 */
static uint32_t find_one(const struct btf *btf, uint32_t begin, uint32_t end, const struct variable_type *wanted,
			 bool *ret_any)
{
	uint32_t found = 0, nr = 0;

	for (uint32_t id = begin; id < end; id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);

		if (!is_kind(type, wanted->kind) || type->size != wanted->named ||
		    strcmp(btf_type_name(btf, type), wanted->name))
			continue;
		found = id;
		nr++;
	}
	*ret_any = nr;
	return nr == 1 ? found : 0;
}

/* What BTF calls the type behind the pointers, of an array's elements; 0: not known. A module's own come first. */
static uint32_t find_named(const struct btf *btf, const struct variable_type *type)
{
	const struct btf *base = btf__base_btf(btf);
	uint32_t own = base ? btf__type_cnt(base) : 1, id;
	bool any;

	if (!type->name || !type->named)
		return 0;
	id = find_one(btf, own, btf__type_cnt(btf), type, &any);
	return any || !base ? id : find_one(btf, 1, own, type, &any);
}

static uint32_t find_type(const struct btf *btf, const struct variable_type *type)
{
	uint32_t id = btf ? find_named(btf, type) : 0;

	for (uint8_t i = 0; id && i < type->pointers; i++)
		id = btf_pointer_to(btf, id);
	return id;
}

static bool has_members(const struct variable_type *type)
{
	return !type->pointers && (type->kind == VARIABLE_STRUCT || type->kind == VARIABLE_UNION);
}

/* The member of a struct or union at @offset of it. */
static void add_member(const struct operand_way *way, const struct btf *btf,
		       const struct source_variable *variable, uint64_t offset, uint8_t size,
		       struct expression *to)
{
	_cleanup_(strbuf_release) struct strbuf path = {};
	uint32_t whole = find_type(btf, &variable->type), type, shift;

	if (!whole || btf_member_at(btf, whole, offset, size, way->in_use, &path, &type, &shift) || !path.len)
		return expression_forget(to);
	strbuf_addstr(&to->text, path.s);
	to->btf = btf;
	to->type = type;
	to->shift = shift;
	to->bytes = size;
}

int local_variable_add(const struct operand_way *way, const struct operand *place, uint64_t addr,
		       struct expression *to)
{
	int reg = code_dwarf_register(place->reg), err;
	const struct variable_place wanted = {
		.in_memory = place->kind == OPERAND_MEMORY,
		.reg = reg,
		.size = place->size,
		.offset = place->kind == OPERAND_MEMORY ? place->value : 0,
	};
	struct source_variable variable;
	const struct variable_type *type = &variable.type;
	const struct btf *btf;
	uint64_t inside;

	if (reg < 0)
		return 0;
	err = symbolizer_variable(way->reader->symbolizer, addr, &wanted, &variable);
	if (err)
		return err == -ENOMEM ? err : 0;
	btf = types_of(way);
	inside = variable.inside;
	if (type->element && !wanted.in_memory)
		return 0;
	strbuf_addstr(&to->text, variable.name);
	if (type->element) {
		strbuf_addf(&to->text, "[%llu]", (unsigned long long)(inside / type->element));
		inside %= type->element;
	}
	if (has_members(type)) {
		/* A register has all of a small one. */
		add_member(way, btf, &variable, inside,
			   wanted.in_memory || place->size < type->size ? place->size : type->size,
			   to);
		return 0;
	}
	/* In memory a part of a number is not the number. */
	if (inside || (wanted.in_memory && place->size != (type->element ?: type->size))) {
		expression_forget(to);
		return 0;
	}
	to->type = find_type(btf, type);
	to->btf = to->type ? btf : NULL;
	to->bytes = type->size <= 8 ? type->size : 0;
	to->offset = variable.added;
	to->is_variable = true;
	to->is_function = type->kind == VARIABLE_FUNCTION && type->pointers == 1;
	return 0;
}
