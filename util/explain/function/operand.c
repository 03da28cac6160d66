// SPDX-License-Identifier: BSD-2-Clause
/* Follows values backwards, from a comparison to their origin; expressions and their types. */
#include "util/explain/function/operand.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/explain/function/constant_name.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/local_variable.h"
#include "util/explain/function/operand_internal.h"
#include "util/explain/function/reaching.h"
#include "util/kernel/code/machine_code.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/btf_types.h"
#include "util/kernel/types/member_at.h"
#include "util/plan/args/args.h"

/* Limits the pointers and copies that are followed one after the other. */
#define MAX_NESTING 16
/* Longer expressions hide the rest of the condition. */
#define MAX_TEXT 100
/* But three members with long names are quickly read. */
#define MAX_SUM_TEXT 120

/* The only member of a struct, if it is a number or pointer that is all of it: "uid.val"; else NULL. */
static const struct btf_member *only_member(const struct btf *btf, const struct btf_type *type)
{
	const struct btf_member *member = btf_members(type);
	const struct btf_type *of = btf_vlen(type) == 1 ? btf_underneath(btf, member->type) : NULL;

	if (!of || !btf_is_struct(type) || !(btf_is_int(of) || btf_is_ptr(of) || btf_is_any_enum(of)) ||
	    btf_member_place(btf, type, 0).bits || btf_size_of(btf, member->type) != type->size)
		return NULL;
	return member;
}

static void from_parameter(struct follower *f, uint8_t reg)
{
	const struct operand_way *way = f->way;
	const struct btf_member *only;
	const struct btf_type *type;
	const struct btf *btf;
	const struct btf_type *proto =
		function_prototype(way, way->function->addr, way->function->name, way->module, &btf);
	const struct btf_param *param = proto ? parameter_in(btf, proto, reg) : NULL;

	if (!param)
		return;
	type = btf_underneath(btf, param->type);
	only = btf_is_composite(type) ? only_member(btf, type) : NULL;
	/* Several members may share the register. */
	if (btf_is_composite(type) && !only && type->size <= 8)
		return;
	strbuf_addstr(&f->to->text, btf_name(btf, param->name_off));
	if (only)
		strbuf_addf(&f->to->text, ".%s", btf_name(btf, only->name_off));
	f->to->btf = btf;
	/* Of a struct in two registers, such as sockptr_t, which member it is, is not known. */
	f->to->type = only ? only->type : btf_is_composite(type) ? 0 : param->type;
	f->to->bytes = 8;
}

/* What is on the stack since the function began: a parameter for which there was no register. */
static void from_stack_parameter(struct follower *f, const struct operand *place)
{
	const struct operand_way *way = f->way;
	const struct btf *btf;
	const struct btf_type *proto =
		function_prototype(way, way->function->addr, way->function->name, way->module, &btf);
	const struct btf_param *param = proto ? parameter_on_stack(btf, proto, place->value) : NULL;

	if (!param || btf_size_of(btf, param->type) != place->size)
		return;
	strbuf_addstr(&f->to->text, btf_name(btf, param->name_off));
	f->to->btf = btf;
	f->to->type = param->type;
	f->to->bytes = place->size;
}

/* A number's or a pointer's type, by what C calls it; 0: another one, or not known. */
static uint32_t type_spelt(const struct btf *btf, const char *text)
{
	const struct btf_type *type;
	struct btf_spelling spelling;
	uint32_t id;

	btf_type_spelt(btf, text ?: "", &spelling);
	id = spelling.type;
	for (uint32_t i = 0; id && i < spelling.pointers; i++)
		id = btf_pointer_to(btf, id);
	type = id ? btf_underneath(btf, id) : NULL;
	return type && (btf_is_int(type) || btf_is_any_enum(type) || btf_is_ptr(type)) ? id : 0;
}

/*
 * In the struct pt_regs passed to a system call's function, "regs->r10" is the call's fourth
 * argument, which has a name.
 */
static bool is_syscall_argument(const struct follower *f, uint32_t pointee, int64_t offset, uint8_t size)
{
	const struct syscall_params *syscall = f->way->syscall;
	const struct btf_type *regs = syscall ? btf_underneath(f->to->btf, pointee) : NULL;
	int index = regs && !strcmp(btf_type_name(f->to->btf, regs), "pt_regs") ?
			    code_syscall_argument(offset) : -1;

	if (index < 0 || (uint32_t)index >= syscall->nr)
		return false;
	expression_forget(f->to);
	strbuf_addstr(&f->to->text, syscall->params[index].name);
	f->to->type = type_spelt(f->to->btf, syscall->params[index].type);
	f->to->bytes = size;
	return true;
}

/* A pointer to one of several pointers or numbers in a row: "tca[1]". Returns false if it is none. */
static bool follow_index(struct expression *to, const struct operand *memory, int64_t offset)
{
	uint32_t element = to->type ? btf_pointee(to->btf, to->type) : 0;
	const struct btf_type *type = element ? btf_underneath(to->btf, element) : NULL;
	uint8_t size = memory->size;

	if (!type || (!btf_is_ptr(type) && !btf_is_int(type)) || btf_size_of(to->btf, element) != size ||
	    offset <= 0 || offset % size || strpbrk(strbuf_str(&to->text), "* "))
		return false;
	strbuf_addf(&to->text, "[%lld]", (long long)(offset / size));
	to->type = element;
	to->bytes = size;
	to->offset = 0;
	return true;
}

/* Go on to a member of what the expression, a pointer with an offset, points to. */
static void add_member(struct expression *to, const char *path)
{
	int64_t offset = to->offset;

	expression_add_member(to, path);
	to->owner.type = btf_pointee(to->btf, to->type);
	to->owner.offset = offset;
}

void follow_pointer(struct follower *f, const struct operand *memory)
{
	struct expression *to = f->to;
	_cleanup_(strbuf_release) struct strbuf path = {};
	uint32_t pointee, type, shift;
	int64_t offset;
	const struct known_container *entries = NULL;

	to->called = to->called_at = 0;
	to->is_by_pointer = to->is_variable = to->is_global = false;
	to->owner = (struct expression_owner){};
	if (expression_is_address(to)) {
		offset = to->value + to->offset + memory->value;
		expression_forget(to);
		return variable_add(f->way->reader, offset, &to->text);
	}
	if (!expression_is_known(to) || to->shift || to->is_constant || to->is_masked || to->is_negated)
		return expression_forget(to);
	if (to->stride) {
		if (!element_add(to, to->offset + memory->value, memory->size))
			expression_forget(to);
		return;
	}
	follow_container(to, to->offset + memory->value, memory->size, f->way->function->name);
	pointee = to->type ? btf_whole_type(to->btf, btf_pointee(to->btf, to->type)) : 0;
	offset = to->offset + memory->value;
	to->entries = NULL;
	if (pointee && offset >= 0 && is_syscall_argument(f, pointee, offset, memory->size))
		return;
	if (pointee && offset >= 0 &&
	    !btf_member_at(to->btf, pointee, offset, memory->size, f->way->in_use, &path, &type, &shift)) {
		if (!path.len) {
			strbuf_addstr(&path, "*");
			strbuf_addstr(&path, strbuf_str(&to->text));
			strbuf_reset(&to->text);
			strbuf_addstr(&to->text, strbuf_str(&path));
			to->owner = (struct expression_owner){};
		} else {
			entries = list_entries_at(to->btf, pointee, strbuf_str(&path));
			add_member(to, strbuf_str(&path));
		}
		to->entries = entries;
		to->type = type;
		to->bytes = memory->size;
		to->shift = shift;
		to->offset = 0;
		return;
	}
	if (memory == f->way->tested && pointee && offset >= 0 &&
	    !btf_bit_field_at(to->btf, pointee, offset, f->way->tested_bit, f->way->in_use, &path) && path.len) {
		add_member(to, strbuf_str(&path));
		to->type = 0;
		to->offset = 0;
		to->is_bit = true;
		return;
	}
	strbuf_reset(&path);
	if (follow_index(to, memory, offset))
		return;
	/* No single member: in a union it may be any of several. */
	if (offset)
		strbuf_addf(&path, "*(u%d *)(%s + 0x%llx)", memory->size * 8,
			    strbuf_str(&to->text), (unsigned long long)offset);
	else
		strbuf_addf(&path, "*(u%d *)%s", memory->size * 8, strbuf_str(&to->text));
	expression_forget(to);
	if (offset >= 0 && !strstr(strbuf_str(&path) + 1, "*(u")) {
		strbuf_addstr(&to->text, strbuf_str(&path));
		to->bytes = memory->size;
	}
}

static void follow_constant(struct follower *f, int64_t value)
{
	f->to->is_constant = true;
	f->to->value = value;
	strbuf_addf(&f->to->text, "%lld", (long long)value);
}

/*
 * Of 8 bytes it is not known whether only 4 were added.
 *
 * @is_whole	all 8 were, as to the address of a variable's part
 */
static void add_to_value(struct follower *f, int64_t addend, bool is_whole)
{
	int64_t sum = (uint64_t)f->to->value + addend;

	if (!f->to->is_constant) {
		f->to->offset += addend;
		return;
	}
	expression_forget(f->to);
	if (is_whole || f->size <= 4 || (sum >= 0 && sum <= INT32_MAX))
		follow_constant(f, f->size <= 4 ? (int32_t)sum : sum);
}

/* The variable of the source that is in a register or on the stack. */
static int by_variable(struct follower *f, const struct operand *place, struct position at)
{
	uint64_t addr = at.on_way ? f->way->path->steps.data[at.step].addr : at.addr;
	struct operand used = *place;

	if (used.kind == OPERAND_REGISTER)
		used.size = f->used;
	return f->by_variables ? local_variable_add(f->way, &used, addr, f->to) : 0;
}

/* Whether a value is one of the source, not computed from it. */
static bool is_plain(const struct expression *expression)
{
	return !expression->is_constant && !expression->shift && !expression->is_masked && !expression->is_negated &&
	       !expression->is_computed && !expression->offset;
}

/* Follow the value of a place on the stack to the last store before. */
static int follow_slot(struct follower *f, const struct operand *memory, struct position before)
{
	const struct operand_way *way = f->way;
	struct insn_operands operands;
	struct insn_effect second;
	const struct insn_effect *stored;
	struct written written;
	int64_t behind;
	uint64_t addr;
	int err;

	if (!before.on_way || expression_is_known(f->to))
		return 0;
	written = value_written(way, memory, before.step);
	if (written.by == WRITTEN_BEFORE && way->path->begin == PATH_WHOLE && written.value.reg == REG_STACK &&
	    !parameter_is_shared(way, memory, before.step, written.value.value))
		from_stack_parameter(f, &written.value);
	if (written.by != WRITTEN_HERE)
		return 0;
	addr = way->path->steps.data[written.step].addr;
	stored = code_effect(way->reader, addr);
	second = effect_of_second(stored);
	if (stored->is_pair && written.value.value == second.displacement)
		stored = &second;
	behind = written.value.value - stored->displacement;
	if (code_operands(way->reader, addr, &operands) || operands.kind != OPERANDS_COPY || behind < 0 ||
	    behind + memory->size > operands.a.size || stack_is_shared(way, memory, before.step, written.called))
		return 0;
	if (stored->kind == EFFECT_STORE_CONSTANT && !behind && operands.a.size == memory->size)
		follow_constant(f, stored->value);
	if (stored->kind != EFFECT_STORE)
		return 0;
	err = follow_register(f, stored->from, position_of_step(way->path, written.step));
	/* Only a part of it is read: "testb $8, 13(%rsp)" for "flags & 0x800". */
	if (!err && operands.a.size > memory->size && (!expression_is_known(f->to) || !is_plain(f->to)))
		expression_forget(f->to);
	if (operands.a.size > memory->size && expression_is_known(f->to)) {
		f->to->shift = behind * 8;
		f->to->slot_bytes = operands.a.size;
	}
	return err;
}

static int follow(struct follower *f, const struct operand *operand, struct position at)
{
	int err;

	switch (operand->kind) {
	case OPERAND_REGISTER:
		return follow_register(f, operand->reg, at);
	case OPERAND_CONSTANT:
		follow_constant(f, operand->value);
		return 0;
	case OPERAND_VARIABLE:
		variable_add(f->way->reader, operand->value, &f->to->text);
		f->to->is_global = expression_is_known(f->to);
		if (f->to->is_global)
			f->to->bytes = operand->size;
		return 0;
	case OPERAND_MEMORY:
		err = 0;
		if (operand->reg == REG_STACK || operand->reg == REG_FRAME)
			err = by_variable(f, operand, at) ?: follow_slot(f, operand, at) ?: follow_copied(f, operand, at) ?:
			      follow_filled(f, operand, at);
		if (err || expression_is_known(f->to))
			return err;
		if (operand->reg == REG_STACK)
			return 0;
		f->used = 8;
		err = follow_register(f, operand->reg, at);
		if (err)
			return err;
		follow_pointer(f, operand);
		f->to->owner.reg = operand->reg;
		f->to->owner.step = at.step;
		if (!at.on_way)
			f->to->owner.len = 0;
		return 0;
	default:
		return 0;
	}
}

/* Bits of a number, "flags & 0x700000". */
static int follow_mask(struct follower *f, const struct insn_effect *effect, struct position at)
{
	uint64_t mask = f->used ? zero_extend(effect->value, f->used) : (uint64_t)effect->value;
	int err = follow_register(f, effect->from, at);

	if (err)
		return err;
	if (mask)
		expression_mask(f->to, mask);
	else
		expression_forget(f->to);
	return 0;
}

/* The running task: "current". Pointers to tasks are in the kernel's own BTF. */
static void from_current(struct follower *f)
{
	const struct btf *btf = f->way->btf ? kernel_btf_types(f->way->btf, 0) : NULL;
	int32_t task = btf ? btf__find_by_name_kind(btf, "task_struct", BTF_KIND_STRUCT) : 0;

	strbuf_addstr(&f->to->text, "current");
	f->to->type = task > 0 ? btf_pointer_to(btf, task) : 0;
	f->to->btf = f->to->type ? btf : NULL;
}

/* Follow the value that an instruction wrote to the register. */
static int follow_write(struct follower *f, uint8_t reg, struct position at)
{
	const struct insn_effect *effect = code_effect(f->way->reader, at.addr);
	struct insn_operands operands;
	int64_t size;
	int err;

	if (!effect || ++f->nesting > MAX_NESTING)
		return 0;
	if (effect->kind == EFFECT_CONSTANT) {
		follow_constant(f, effect->is_half && f->size == 8 ? (uint32_t)effect->value :
								     effect->value);
		return 0;
	}
	if (code_made_at(f->way->reader, at.addr)) {
		follow_constant(f, code_made_at(f->way->reader, at.addr));
		return 0;
	}
	if (code_is_current(f->way->reader, at.addr)) {
		from_current(f);
		return 0;
	}
	/* If the constant is negative, the upper 32 bits are kept, or all but 8 or 16 bits. */
	if (effect->computes == COMPUTES_AND && (effect->value >= 0 || f->used == 1 || f->used == 2))
		return follow_mask(f, effect, at);
	if (effect->kind == EFFECT_SELECT)
		return effect->to == reg ? follow_select(f, effect, at) : 0;
	err = follow_file(f, effect, at);
	if (err || expression_is_known(f->to))
		return err;
	if (effect->kind == EFFECT_OTHER && effect->computes == COMPUTES_XOR && effect->value == -1) {
		err = follow_register(f, effect->from, at);
		if (!err)
			expression_negate(f->to);
		return err;
	}
	if (effect->kind == EFFECT_OTHER && effect->computes == COMPUTES_SUM && effect->from == reg) {
		err = follow_register(f, effect->from, at);
		add_to_value(f, effect->value,
			     !code_operands(f->way->reader, at.addr, &operands) &&
				     operands.kind == OPERANDS_ADDRESS && operands.a.size == 8);
		return err;
	}
	if (code_operands(f->way->reader, at.addr, &operands))
		return 0;
	if (operands.kind != OPERANDS_COPY && operands.kind != OPERANDS_ADDRESS)
		return follow_arithmetic(f, reg, at);
	if (effect->is_pair && effect->kind == EFFECT_LOAD && reg == effect->second) {
		operands.a.reg = reg;
		operands.b.value += effect->bytes;
	}
	if (operands.a.kind != OPERAND_REGISTER || operands.a.reg != reg)
		return 0;
	if (operands.b.kind == OPERAND_NONE) {
		err = operands.kind == OPERANDS_ADDRESS ? follow_arithmetic(f, reg, at) : 0;
		return err || expression_is_known(f->to) ? err : follow_element(f, reg, at);
	}
	/* What is not copied is made of that. */
	if (operands.b.kind == OPERAND_REGISTER && operands.b.size < f->used)
		f->used = operands.b.size;
	if (operands.kind == OPERANDS_ADDRESS && operands.b.kind == OPERAND_MEMORY &&
	    operands.b.reg != REG_STACK) {
		err = follow_register(f, operands.b.reg, at);
		add_to_value(f, operands.b.value, operands.a.size == 8);
		return err;
	}
	if (operands.kind != OPERANDS_COPY)
		return follow_arithmetic(f, reg, at);
	/* A write to a part of a register keeps the rest. */
	if (operands.a.size < 4)
		return 0;
	err = follow(f, &operands.b, at);
	size = f->to->type ? btf_size_of(f->to->btf, f->to->type) : 0;
	/* A part of the value is another number. */
	if (!err && operands.b.kind == OPERAND_REGISTER && size > operands.b.size &&
	    !(f->way->is_error && !f->in_call && !f->terms && operands.b.size == 4 && expression_take_error(f->to)))
		expression_forget(f->to);
	if (f->to->bytes > operands.b.size)
		f->to->bytes = operands.b.size;
	return err;
}

/* Follow a register where the way is not known, or before it begins. */
static int follow_anyhow(struct follower *f, uint8_t reg, uint64_t addr)
{
	struct position at = {};
	struct branch_insn insn;
	int err = reaching_write(f->way->reader, f->way->function, reg, addr, &at.addr);

	if (err)
		return err == -ENOMEM ? err : 0;
	if (!at.addr) {
		from_parameter(f, reg);
		return 0;
	}
	if (code_branch(f->way->reader, at.addr, &insn))
		return 0;
	if (insn.kind == BRANCH_CALL || insn.kind == BRANCH_INDIRECT_CALL)
		return follow_call(f, reg, &insn, at);
	return follow_write(f, reg, at);
}

/*
 * The variable that had the value as soon as the step had written the register: it may be in another one by
 * now, or nowhere. A copy leaves it where it was, too.
 */
static int by_variable_after(struct follower *f, const struct operand *value, uint32_t step)
{
	const struct path_step *at = &f->way->path->steps.data[step];
	const struct position after = position_of_step(f->way->path, step + 1);
	struct insn_operands operands;
	int err = by_variable(f, value, after);

	if (err || expression_is_known(f->to) || !f->by_variables || at->insn.kind != BRANCH_NONE ||
	    code_operands(f->way->reader, at->addr, &operands) || operands.kind != OPERANDS_COPY ||
	    operands.b.kind != OPERAND_REGISTER || operands.a.size != operands.b.size)
		return err;
	if (operands.b.size < f->used)
		f->used = operands.b.size;
	return by_variable(f, &operands.b, after);
}

int follow_register(struct follower *f, uint8_t reg, struct position before)
{
	const struct operand value = { .kind = OPERAND_REGISTER, .reg = reg, .size = 8 };
	const struct path *path = f->way->path;
	struct written written;
	struct position at;
	int err = by_variable(f, &value, before);

	if (err || expression_is_known(f->to))
		return err;
	if (!before.on_way)
		return follow_anyhow(f, reg, before.addr);
	written = value_written(f->way, &value, before.step);
	if (written.by == WRITTEN_UNKNOWN)
		return 0;
	if (written.by == WRITTEN_BEFORE) {
		if (path->begin != PATH_WHOLE)
			return follow_anyhow(f, reg, path->steps.data[0].addr);
		from_parameter(f, reg);
		return 0;
	}
	err = by_variable_after(f, &value, written.step);
	if (err || expression_is_known(f->to))
		return err;
	at = position_of_step(path, written.step);
	if (written.by == WRITTEN_BY_CALL)
		return follow_call(f, reg, &path->steps.data[written.step].insn, at);
	return follow_write(f, reg, at);
}

/* Whether a name would tell more: nothing is known, a place in memory without a member, or what is computed. */
static bool is_poor(const struct expression *expression)
{
	return !expression_is_known(expression) || expression->is_computed || strstr(expression->text.s, "*(u");
}

/* Follow a value by the code alone; and by the source's variables, where that tells more. */
int follow_best(const struct follower *like, const struct operand *operand, struct position at,
		struct expression *to)
{
	_cleanup_(expression_release) struct expression other = {};
	struct follower f = *like;
	int err;

	f.to = to;
	err = follow(&f, operand, at);
	if (err || !is_poor(to) || like->by_variables)
		return err;
	f = *like;
	f.to = &other;
	f.by_variables = true;
	err = follow(&f, operand, at);
	if (!err && !is_poor(&other)) {
		const struct expression first = *to;

		*to = other;
		other = first;
	}
	return err;
}

/* Whether it is a number because it is too small for a pointer: "*(u32 *)optval". */
static bool is_small(const struct expression *expression)
{
	return !expression->type && !strncmp(expression->text.s ?: "", "*(u", 3) && expression->bytes &&
	       expression->bytes < 8 && !expression->is_constant && !expression->shift;
}

int operand_expression(const struct operand_way *way, const struct operand *operand, uint32_t step,
		       struct expression *ret)
{
	struct follower f = { .way = way, .size = operand->size, .used = operand->size };
	size_t len;
	int err;

	*ret = (struct expression){};
	err = follow_best(&f, operand, position_of_step(way->path, step), ret);
	if (!err && ret->text.len > MAX_TEXT) {
		expression_release(ret);
		*ret = (struct expression){};
		f.is_short = true;
		err = follow_best(&f, operand, position_of_step(way->path, step), ret);
	}
	if (ret->offset && (expression_is_number(ret) || is_small(ret)) && !ret->is_negated) {
		if (ret->is_masked)
			expression_enclose(ret);
		ret->is_masked = false;
		len = ret->text.len;
		strbuf_addf(&ret->text, " %c %lld", ret->offset < 0 ? '-' : '+',
			    llabs(ret->offset));
		ret->addend = ret->offset;
		ret->addend_len = ret->text.len - len;
		ret->offset = 0;
	}
	follow_container(ret, ret->offset, 0, way->function->name);
	/* An address inside an object has no short name, and a long expression is not readable. */
	if ((ret->offset && !ret->is_constant) || ret->stride ||
	    ret->text.len > (ret->is_computed ? MAX_SUM_TEXT : MAX_TEXT))
		expression_forget(ret);
	return err ?: ret->text.failed ? -ENOMEM : 0;
}
