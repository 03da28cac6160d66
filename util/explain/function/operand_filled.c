// SPDX-License-Identifier: BSD-2-Clause
/*
 * Names a variable on the stack whose address a called function got, by that function's parameter, of which BTF knows
 * the name and the type: after user_path_at(dfd, name, flags, &path), a member of it is "path->dentry".
 */
#include <bpf/btf.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/operand_internal.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/symbols/symbols.h"
#include "util/kernel/types/btf_types.h"
#include "util/kernel/types/member_at.h"

/* A variable on the stack, and the parameter by which its address was passed. */
struct filled {
	const struct btf *btf;
	const char *name;
	uint32_t type;
	uint32_t taken;		/* the step that took the address */
	int64_t offset;		/* of the place in it */
};

/* What a called function's parameter points to: a struct, a number or a pointer; 0: nothing, or not known. */
static uint32_t type_passed(const struct operand_way *way, const struct branch_insn *insn, uint8_t reg,
			      const struct btf **ret_btf, const char **ret_name)
{
	const struct symbol *symbol = insn->kind == BRANCH_CALL ? called_symbol_of(way->reader, insn->target) : NULL;
	const struct btf_type *proto =
		symbol ? function_prototype(way, symbol->addr, symbol->name, symbol->module, ret_btf) : NULL;
	const struct btf_param *param = proto ? parameter_in(*ret_btf, proto, reg) : NULL;
	uint32_t pointee = param ? btf_pointee(*ret_btf, param->type) : 0;
	const struct btf_type *type = pointee ? btf_underneath(*ret_btf, pointee) : NULL;

	/* Of text, it would be the first letter. */
	if (!type || !(btf_is_struct(type) || btf_is_int(type) || btf_is_any_enum(type) || btf_is_ptr(type)) ||
	    btf_size_of(*ret_btf, pointee) < 2)
		return 0;
	*ret_name = btf_name(*ret_btf, param->name_off);
	return **ret_name ? pointee : 0;
}

/* The variable that the call at a step was passed and that contains the place, relative to @place->reg. */
static bool filled_by(const struct operand_way *way, const struct operand *place, uint32_t call, uint32_t until,
		      struct filled *ret)
{
	const struct branch_insn *insn = &way->path->steps.data[call].insn;

	for (uint32_t i = 0; operands_parameter(i) >= 0; i++) {
		uint8_t reg = operands_parameter(i);
		int64_t at = 0;

		ret->type = type_passed(way, insn, reg, &ret->btf, &ret->name);
		if (!ret->type)
			continue;
		ret->taken = address_passed(way, reg, place->reg, call, until, &at);
		ret->offset = place->value - at;
		if (ret->taken != UINT32_MAX && ret->offset >= 0 &&
		    ret->offset + place->size <= btf_size_of(ret->btf, ret->type))
			return true;
	}
	return false;
}

/* Whether the function itself, or another call on the way, has such a parameter: which is meant, is not clear. */
static bool is_ambiguous(const struct operand_way *way, const struct filled *filled, uint32_t call, uint32_t until)
{
	const struct btf *own;
	const struct btf_type *proto =
		function_prototype(way, way->function->addr, way->function->name, way->module, &own);

	for (uint32_t i = 0; proto && i < btf_vlen(proto); i++) {
		if (!strcmp(btf_name(own, btf_params(proto)[i].name_off), filled->name))
			return true;
	}
	for (uint32_t i = 0; i < until; i++) {
		const struct branch_insn *insn = &way->path->steps.data[i].insn;
		const struct btf *btf;
		const char *name;

		for (uint32_t k = 0; i != call && operands_parameter(k) >= 0; k++) {
			if (type_passed(way, insn, operands_parameter(k), &btf, &name) && !strcmp(name, filled->name))
				return true;
		}
	}
	return false;
}

int follow_filled(struct follower *f, const struct operand *memory, struct position before)
{
	const struct operand_way *way = f->way;
	_cleanup_(strbuf_release) struct strbuf path = {};
	struct operand place = *memory;
	struct filled filled = {};
	struct written written;
	uint32_t type, shift;

	if (!before.on_way || expression_is_known(f->to))
		return 0;
	written = value_written(way, memory, before.step);
	if (written.by == WRITTEN_UNKNOWN || !written.called)
		return 0;
	for (uint32_t i = before.step; i-- > (written.by == WRITTEN_HERE ? written.step + 1 : 0);) {
		const struct path_step *step = &way->path->steps.data[i];
		const struct insn_effect *effect = code_effect(way->reader, step->addr);

		if (place.reg == REG_STACK && effect)
			place.value += effect->moves_stack;
		if (!filled_by(way, &place, i, before.step, &filled))
			continue;
		if (stack_is_shared_but(way, memory, before.step, written.called, filled.taken) ||
		    is_ambiguous(way, &filled, i, before.step) ||
		    btf_member_at(filled.btf, filled.type, filled.offset, memory->size, way->in_use, &path, &type, &shift) ||
		    shift)
			return 0;
		if (path.len)	/* ".dentry" */
			strbuf_addf(&f->to->text, "%s->%s", filled.name, strbuf_str(&path) + 1);
		else
			strbuf_addf(&f->to->text, "*%s", filled.name);
		f->to->btf = filled.btf;
		f->to->type = type;
		f->to->bytes = memory->size;
		return 0;
	}
	return 0;
}
