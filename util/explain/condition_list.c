// SPDX-License-Identifier: BSD-2-Clause
/*
 * The end of a list or an array: list_for_each_entry() follows `next`, the first member of struct list_head, from the
 * list's head on until it leads there again. And is_power_of_2(), which is known by where both values come from, too.
 */
#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/explain/condition_internal.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/operand.h"
#include "util/kernel/symbols/data_symbols.h"
#include "util/kernel/types/btf_types.h"

/* The most entries that are followed, and copies of one value. */
#define MAX_ENTRIES 1000
#define MAX_COPIES 8
/* The largest element of an array, in bytes. */
#define MAX_ELEMENT 4096

static const struct btf_type *pointed_to(const struct expression *expression)
{
	uint32_t pointee = btf_pointee(expression->btf, expression->type);

	return pointee ? btf_underneath(expression->btf, pointee) : NULL;
}

static bool is_list_head(const struct btf *btf, const struct btf_type *type)
{
	return type && btf_is_struct(type) && !strcmp(btf_type_name(btf, type), "list_head");
}

/* Whether the address of such an object is also that of a list's head or entry. */
static bool begins_with_list(const struct btf *btf, const struct btf_type *type)
{
	return type && btf_is_struct(type) && btf_vlen(type) && !btf_member_bit_offset(type, 0) &&
	       is_list_head(btf, btf_underneath(btf, btf_members(type)->type));
}

void condition_take_list(const struct expression *expression, struct decision_operand *to)
{
	const struct btf_type *type = to->is_pointer ? pointed_to(expression) : NULL;

	to->is_list = is_list_head(expression->btf, type);
	/* A struct sk_buff_head begins with "next", too. */
	to->is_packet = type && btf_is_struct(type) && !strcmp(btf_type_name(expression->btf, type), "sk_buff");
	to->begins_list = begins_with_list(expression->btf, type);
}

/* A pointer on the way: what the instruction at @step wrote to a register, plus an offset. */
struct pointer {
	uint32_t step; /* UINT32_MAX: it was in the register where the way begins; or it is a constant */
	uint8_t reg;
	bool is_constant;
	int64_t offset; /* or the constant */
};

static bool same_pointer(const struct pointer *a, const struct pointer *b)
{
	return a->is_constant == b->is_constant && a->offset == b->offset &&
	       (a->is_constant || (a->step == b->step && a->reg == b->reg));
}

/* The pointer that a register has before @step. */
static bool find_pointer(const struct operand_way *way, uint8_t reg, uint32_t step, struct pointer *ret)
{
	struct operand operand = { .kind = OPERAND_REGISTER, .reg = reg, .size = 8 };

	*ret = (struct pointer){ .step = UINT32_MAX };
	for (int i = 0; i < MAX_COPIES; i++) {
		const struct written written = value_written(way, &operand, step);
		const struct insn_effect *effect;
		struct insn_operands operands;
		uint64_t addr, made;

		ret->reg = operand.reg;
		if (written.by == WRITTEN_BEFORE)
			return true;
		if (written.by != WRITTEN_HERE)
			return false;
		addr = way->path->steps.data[written.step].addr;
		effect = code_effect(way->reader, addr);
		if (!effect || code_operands(way->reader, addr, &operands))
			return false;
		made = code_made_at(way->reader, addr);
		if (effect->kind == EFFECT_CONSTANT || made) {
			*ret = (struct pointer){ .step = UINT32_MAX, .is_constant = true,
						 .offset = (int64_t)(made ?: (uint64_t)effect->value) + ret->offset };
			return true;
		}
		if (effect->kind == EFFECT_COPY) {
			operand.reg = effect->from;
		} else if (operands.kind == OPERANDS_ADDRESS && operands.b.kind == OPERAND_MEMORY) {
			operand.reg = operands.b.reg;
			ret->offset += operands.b.value;
		} else {
			ret->step = written.step;
			return true;
		}
		step = written.step;
	}
	return false;
}

/* The address that the instruction loaded which wrote a pointer. */
static bool find_loaded_from(const struct operand_way *way, const struct pointer *pointer, struct pointer *ret)
{
	struct insn_operands operands;
	const struct operand *from = &operands.b;

	if (pointer->is_constant || pointer->step == UINT32_MAX || pointer->offset ||
	    code_operands(way->reader, way->path->steps.data[pointer->step].addr, &operands) ||
	    operands.kind != OPERANDS_COPY || from->size != 8 || operands.a.kind != OPERAND_REGISTER ||
	    operands.a.reg != pointer->reg)
		return false;
	if (from->kind == OPERAND_VARIABLE) {
		*ret = (struct pointer){ .step = UINT32_MAX, .is_constant = true, .offset = from->value };
		return true;
	}
	if (from->kind != OPERAND_MEMORY || operand_may_be_on_stack(way, from, pointer->step) ||
	    !find_pointer(way, from->reg, pointer->step, ret))
		return false;
	ret->offset += from->value;
	return true;
}

/* Whether @entry was found by following the list from @head on, and how many entries were before it. */
static bool is_followed(const struct operand_way *way, struct pointer entry, const struct pointer *head,
			uint32_t *ret_before)
{
	struct pointer from;

	for (*ret_before = 0; *ret_before < MAX_ENTRIES; ++*ret_before) {
		if (!find_loaded_from(way, &entry, &from))
			return false;
		if (same_pointer(&from, head))
			return true;
		entry = from;
	}
	return false;
}

/* Of a member with another name, it is not known that a list is followed. */
static bool may_be_next(const struct decision_operand *operand)
{
	return !operand->is_named || !operand->is_typed || operand->begins_list || endswith(operand->name, "next");
}

/* The pointers that are compared. */
static bool find_pointers(const struct operand_way *way, uint32_t at, const struct decision_condition *condition,
			  struct pointer pointers[2])
{
	const struct decision_operand *const sides[] = { &condition->a, &condition->b };

	if (condition->kind != OPERANDS_COMPARE)
		return false;
	for (int i = 0; i < 2; i++) {
		const struct operand *operand = &sides[i]->operand;

		if (operand->kind == OPERAND_CONSTANT && sides[i]->value)
			pointers[i] = (struct pointer){ .step = UINT32_MAX, .is_constant = true,
							.offset = sides[i]->value };
		else if (operand->kind != OPERAND_REGISTER || operand->size != 8 ||
			 !find_pointer(way, operand->reg, at, &pointers[i]))
			return false;
	}
	return true;
}

/* "&css->children" for "css->children.next", "list" for "list->next"; NULL: it has another name, or no memory. */
static char *head_of(const struct decision_operand *first)
{
	static const char member[] = ".next", own[] = "->next";
	size_t len = strlen(first->name);

	if (endswith(first->name, member))
		return strf("&%.*s", (int)(len - strlen(member)), first->name);
	return endswith(first->name, own) ? strf("%.*s", (int)(len - strlen(own)), first->name) : NULL;
}

/* The address at which a compared pointer is, or was loaded from. */
static bool find_address(const struct operand_way *way, const struct operand *operand, uint32_t at,
			 struct pointer *ret)
{
	struct pointer pointer;

	if (operand->size != 8)
		return false;
	if (operand->kind == OPERAND_REGISTER)
		return find_pointer(way, operand->reg, at, &pointer) && find_loaded_from(way, &pointer, ret);
	if (operand->kind != OPERAND_MEMORY || operand_may_be_on_stack(way, operand, at) ||
	    !find_pointer(way, operand->reg, at, ret))
		return false;
	ret->offset += operand->value;
	return true;
}

/*
 * list_empty() of a list with a name: what is compared was loaded from the head's `next`, with the address of the
 * head.
 */
void condition_name_list(const struct operand_way *way, uint32_t at, struct decision_condition *condition)
{
	struct decision_operand *const sides[] = { &condition->a, &condition->b };

	if (condition->kind != OPERANDS_COMPARE ||
	    (condition->condition != CONDITION_EQUAL && condition->condition != CONDITION_NOT_EQUAL))
		return;
	for (int i = 0; i < 2; i++) {
		struct decision_operand *first = sides[i], *head = sides[1 - i];
		struct pointer from, to;
		char *name;

		if (!first->is_named || !(first->is_list || first->is_packet) || head->operand.kind != OPERAND_REGISTER ||
		    head->operand.size != 8 || !find_address(way, &first->operand, at, &from) ||
		    !find_pointer(way, head->operand.reg, at, &to) || !same_pointer(&from, &to))
			continue;
		name = head_of(first);
		if (!name)
			continue;
		free(head->name);
		head->name = name;
		head->is_named = true;
		if (i) {
			const struct decision_operand other = *head;

			*head = *first;
			*first = other;
		}
		condition->is_list_empty = true;
		return;
	}
}

/* Whether a register has n ^ (n - 1), where another one has n - 1. */
static bool is_mixed_with(const struct operand_way *way, uint32_t at, const struct operand *mixed,
			  const struct operand *less)
{
	const struct written written = value_written(way, mixed, at);
	struct pointer less_one, n, of[2];
	struct insn_arithmetic made;

	if (written.by != WRITTEN_HERE ||
	    !code_arithmetic(way->reader, way->path->steps.data[written.step].addr, &made) || *made.operator != '^' ||
	    made.to.reg != mixed->reg || made.b.kind != OPERAND_REGISTER || made.shift ||
	    !find_pointer(way, less->reg, at, &less_one) || !find_pointer(way, made.a.reg, written.step, &of[0]) ||
	    !find_pointer(way, made.b.reg, written.step, &of[1]))
		return false;
	n = less_one;
	n.offset++;
	return (same_pointer(&of[0], &n) && same_pointer(&of[1], &less_one)) ||
	       (same_pointer(&of[1], &n) && same_pointer(&of[0], &less_one));
}

void condition_take_power(const struct operand_way *way, uint32_t at, struct decision_condition *condition)
{
	static const char less_one[] = " - 1";
	struct decision_operand *a = &condition->a, *b = &condition->b, other;
	const bool is_below = condition->condition == CONDITION_BELOW || condition->condition == CONDITION_ABOVE_EQUAL;

	if (condition->kind != OPERANDS_COMPARE || !condition_is_unsigned(condition->condition) ||
	    a->operand.kind != OPERAND_REGISTER || b->operand.kind != OPERAND_REGISTER)
		return;
	if (!is_mixed_with(way, at, is_below ? &b->operand : &a->operand, is_below ? &a->operand : &b->operand))
		return;
	if (!endswith(is_below ? a->name : b->name, less_one))
		return;
	if (!is_below) {
		other = *a;
		*a = *b;
		*b = other;
		condition->condition = condition->condition == CONDITION_ABOVE ? CONDITION_BELOW : CONDITION_ABOVE_EQUAL;
	}
	a->name[strlen(a->name) - strlen(less_one)] = '\0';
	a->addend = -1;
	condition->is_power = true;
}

/*
 * Whether a pointer that was moved by a constant is compared with an address of the kernel that is a constant: the end
 * of an array that a loop goes through.
 */
static bool is_array_end(const struct operand_way *way, uint32_t at, const struct decision_condition *condition)
{
	const struct operand *end = &condition->b.operand, *moved = &condition->a.operand;
	const struct insn_effect *effect;
	struct pointer pointer;

	if (condition->kind != OPERANDS_COMPARE || end->kind != OPERAND_CONSTANT ||
	    !((int64_t)condition->b.value < 0 || data_symbol_is_near(condition->b.value, way->function->addr)) ||
	    moved->kind != OPERAND_REGISTER || moved->size != 8 || !find_pointer(way, moved->reg, at, &pointer) ||
	    pointer.is_constant || pointer.step == UINT32_MAX)
		return false;
	effect = code_effect(way->reader, way->path->steps.data[pointer.step].addr);
	return effect && effect->kind == EFFECT_OTHER && effect->computes == COMPUTES_SUM && effect->to == pointer.reg &&
	       effect->from == pointer.reg && effect->value >= (int64_t)sizeof(void *) &&
	       effect->value <= MAX_ELEMENT;
}

void condition_take_array_end(const struct operand_way *way, uint32_t at, struct decision_condition *condition)
{
	if (!condition->b.name || !is_array_end(way, at, condition))
		return;
	free(condition->b.name);
	condition->b.name = NULL;
}

const char *condition_list_note(const struct operand_way *way, uint32_t at, const struct decision_condition *condition)
{
	const struct decision_operand *const sides[] = { &condition->a, &condition->b };
	struct pointer pointers[2];
	uint32_t before;

	if (condition->condition != CONDITION_EQUAL)
		return NULL;
	if (is_array_end(way, at, condition))
		return "the array ended";
	if (!find_pointers(way, at, condition, pointers))
		return NULL;
	for (int i = 0; i < 2; i++) {
		const struct pointer *head = &pointers[1 - i];

		/* A pointer at the beginning of an object to that object is no list, unless its type says so. */
		if (!is_followed(way, pointers[i], head, &before) || !may_be_next(sides[i]) ||
		    (!before && !head->is_constant && !head->offset && !sides[1 - i]->begins_list))
			continue;
		return before ? "the list ended" : "the list is empty";
	}
	return NULL;
}
