// SPDX-License-Identifier: BSD-2-Clause
/* From a comparison and a branch to the condition that held. */
#include "util/explain/condition_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/strbuf.h"
#include "util/base/text/errnames.h"
#include "util/explain/flow/result_flow.h"
#include "util/explain/function/constant_name.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/operand.h"
#include "util/kernel/symbols/data_symbols.h"
#include "util/kernel/types/btf_types.h"

/* Larger offsets may be something else. */
#define MAX_MEMBER_OFFSET 4096
/* The most values in a row that are joined. */
#define MAX_PARTS 4

void decision_operand_release(struct decision_operand *operand)
{
	free(operand->name);
	free(operand->object);
	free(operand->owner.name);
	free(operand->owner.object);
	*operand = (struct decision_operand){};
}

void condition_release(struct decision_condition *condition)
{
	for (int i = 0; condition->either && i < NR_EITHER; i++)
		condition_release(&condition->either[i]);
	free(condition->either);
	free(condition->text);
	free(condition->after);
	free(condition->origin);
	decision_operand_release(&condition->a);
	decision_operand_release(&condition->b);
	*condition = (struct decision_condition){};
}

/* "rdi" as a register, "*(u32 *)(rdi + 0x18)" as memory. */
static char *name_by_register(const struct operand *operand)
{
	const char *reg = code_register_name(operand->reg);

	if (!reg)
		return NULL;
	if (operand->kind == OPERAND_REGISTER)
		return operand->size == 8 ? strf("%s", reg) :
					    strf("(u%d)%s", operand->size * 8, reg);
	if (!operand->value)
		return strf("*(u%d *)%s", operand->size * 8, reg);
	if (operand->value < 0)
		return strf("*(u%d *)(%s - 0x%" PRIx64 ")", operand->size * 8, reg,
			    -operand->value);
	return strf("*(u%d *)(%s + 0x%" PRIx64 ")", operand->size * 8, reg, operand->value);
}

static int64_t size_of_type(const struct expression *expression)
{
	return expression->type ? btf_size_of(expression->btf, expression->type) : 0;
}

/* How many bytes of a value are where it was found, if they are more than those tested; else 0. */
static uint8_t whole_size(const struct operand *operand, const struct expression *expression)
{
	int64_t size = size_of_type(expression);

	if (!expression->text.len || expression->shift || expression->is_masked || size < 0 || size > 8)
		return 0;
	if (operand_is_on_stack(operand))
		return expression->slot_bytes;
	if (operand->kind != OPERAND_MEMORY && (!size || size > expression->bytes))
		size = expression->bytes;
	return size > operand->size ? size : 0;
}

/* Whether a register was loaded with a part of a number in memory. */
static bool has_part(const struct operand *operand, const struct expression *expression)
{
	return operand->kind == OPERAND_REGISTER && !expression->shift && !expression->is_masked &&
	       expression->bytes && expression->bytes < size_of_type(expression) && expression->bytes <= operand->size;
}

/* How many bytes the member has of which a part was found in memory; 0: all was, or it is elsewhere, or too large. */
static uint8_t member_size(const struct operand *operand, const struct expression *expression)
{
	int64_t size = expression->shift ? size_of_type(expression) : 0;

	return operand->kind == OPERAND_MEMORY && !operand_is_on_stack(operand) && size > 0 && size <= 8 ? size : 0;
}

/* Of an enum, nobody knows. A smaller number may have been extended as a signed one. */
static bool has_no_sign(const struct operand *operand, const struct expression *expression)
{
	const struct btf_type *type =
		expression->type ? btf_underneath(expression->btf, expression->type) : NULL;

	return type && btf_is_int(type) && !expression_is_signed(expression) &&
	       !expression_is_bool(expression) &&
	       btf_size_of(expression->btf, expression->type) >= operand->size;
}

/* Whether all of a number was computed with: no bits of it were cut off. */
static bool has_own_size(const struct operand *operand, const struct expression *expression)
{
	int64_t size = size_of_type(expression);

	return operand->kind == OPERAND_REGISTER && size > 0 && size <= operand->size && !expression->shift &&
	       !expression->is_masked && !expression->is_negated && !expression->is_computed;
}

/* A number that something was added to is no value of the enum: "kind - 1". */
static bool is_whole_enum(const struct decision_operand *to, const struct expression *expression)
{
	const struct btf_type *type = expression->type ? btf_underneath(expression->btf, expression->type) : NULL;

	return type && btf_is_enum(type) && to->operand.size == type->size && !expression->shift && !to->is_masked &&
	       !to->is_negated && !to->is_computed && !to->is_result && !condition_has_operator(to->name);
}

/*
 * Whether a pointer less a small constant is tested, and that is kept, as container_of() compiles: no pointer has
 * the constant itself.
 */
static bool is_container(const struct operand_way *way, uint32_t at, const struct decision_condition *condition)
{
	const struct insn_effect *effect = code_effect(way->reader, way->path->steps.data[at].addr);
	const struct decision_operand *a = &condition->a, *b = &condition->b;

	return effect && condition->kind == OPERANDS_COMPARE && a->is_pointer && a->operand.size == 8 &&
	       a->operand.kind == OPERAND_REGISTER && effect->writes & REG_BIT(a->operand.reg) &&
	       b->operand.kind == OPERAND_CONSTANT && !b->name && b->value && b->value < MAX_MEMBER_OFFSET &&
	       b->value % sizeof(void *) == 0 &&
	       (condition->condition == CONDITION_EQUAL || condition->condition == CONDITION_NOT_EQUAL);
}

int condition_fill_operand(const struct operand_way *way, const struct operand *operand, uint32_t step,
			   uint32_t *ret_shift, struct decision_operand *to)
{
	_cleanup_(expression_release) struct expression expression = {};
	int err;

	*to = (struct decision_operand){ .operand = *operand };
	*ret_shift = 0;
	if (operand->kind == OPERAND_CONSTANT) {
		to->value = operand->value;
		to->has_value = true;
		return 0;
	}
	err = operand_expression(way, operand, step, &expression);
	if (err)
		return err;
	if (expression.is_constant) {
		to->operand.kind = OPERAND_CONSTANT;
		to->value = expression.value;
		to->has_value = true;
		return 0;
	}
	to->is_named = expression.text.len;
	to->is_negated = expression.is_negated;
	to->is_masked = expression.is_masked;
	to->name = expression.is_negated ? strf("~%s", strbuf_str(&expression.text)) :
		   expression.is_masked ? strf("(%s)", strbuf_str(&expression.text)) :
		   to->is_named		? strdup(strbuf_str(&expression.text)) :
					  name_by_register(operand);
	if (!to->name)
		return code_register_name(operand->reg) ? -ENOMEM : -ENOENT;
	to->is_pointer = to->is_named && expression_is_pointer(&expression);
	to->is_typed = expression.type;
	to->is_signed = expression_is_signed(&expression);
	to->is_unsigned = has_no_sign(operand, &expression);
	to->is_bit = expression.is_bit;
	to->is_bool = expression_is_bool(&expression) || to->is_bit;
	condition_take_list(&expression, to);
	to->is_result = expression.called || expression.is_by_pointer;
	to->called = expression.called;
	to->is_variable = expression.is_variable;
	to->is_computed = expression.is_computed;
	/* A number that something was added to is no text: "c - 48". */
	to->is_char = expression.type && btf_is_char(expression.btf, expression.type) && !to->is_masked &&
		      !to->is_negated && !to->is_computed && !condition_has_operator(to->name);
	to->is_host_number = expression.type && !to->is_char && condition_has_host_order(&expression);
	if (is_whole_enum(to, &expression)) {
		to->types = expression.btf;
		to->enum_type = expression.type;
	}
	to->whole = whole_size(operand, &expression);
	to->member = member_size(operand, &expression);
	to->has_part = has_part(operand, &expression);
	if (expression.addend && has_own_size(operand, &expression)) {
		to->addend = expression.addend;
		to->addend_len = expression.addend_len;
	}
	to->numbers = condition_numbers(way, to);
	to->is_new_request = to->is_named && condition_has_new_request(way->function->name, to->name);
	to->is_socket_state = to->is_named && !to->is_result && !expression.shift &&
			      condition_has_socket_state(way->function->name, to->name);
	err = to->is_masked && !expression.is_of_variable ? condition_name_mask(way, to) : 0;
	if (err)
		return err;
	if (to->is_pointer && operand->size == 8 && !expression.shift)
		to->name_at = object_name_find(expression.btf,
					       btf_pointee(expression.btf, expression.type));
	*ret_shift = expression.shift;
	return condition_take_owner(way, &expression, step, to);
}

/* A register tested with itself is compared with 0. */
static bool is_with_zero(const struct insn_operands *operands)
{
	return (operands->kind == OPERANDS_MASK || operands->kind == OPERANDS_EITHER) &&
	       operands->a.kind == OPERAND_REGISTER && operands->b.kind == OPERAND_REGISTER &&
	       operands->a.reg == operands->b.reg;
}

/* Move a constant to the right side, as in most sources. */
static void put_constant_right(struct decision_condition *condition)
{
	static const uint8_t mirrored[NR_CONDITIONS] = {
		[CONDITION_EQUAL] = CONDITION_EQUAL,
		[CONDITION_NOT_EQUAL] = CONDITION_NOT_EQUAL,
		[CONDITION_LESS] = CONDITION_GREATER,
		[CONDITION_LESS_EQUAL] = CONDITION_GREATER_EQUAL,
		[CONDITION_GREATER] = CONDITION_LESS,
		[CONDITION_GREATER_EQUAL] = CONDITION_LESS_EQUAL,
		[CONDITION_BELOW] = CONDITION_ABOVE,
		[CONDITION_BELOW_EQUAL] = CONDITION_ABOVE_EQUAL,
		[CONDITION_ABOVE] = CONDITION_BELOW,
		[CONDITION_ABOVE_EQUAL] = CONDITION_BELOW_EQUAL,
	};
	struct decision_operand a = condition->a;

	if (a.operand.kind != OPERAND_CONSTANT)
		return;
	condition->a = condition->b;
	condition->b = a;
	condition->condition = mirrored[condition->condition];
}

/*
 * If only a part of a member is read, it can be named only when its bits are tested: shift the
 * mask to the whole member.
 */
static int align_mask(struct decision_condition *condition, uint32_t shift_a, uint32_t shift_b)
{
	struct decision_operand *a = &condition->a;

	if (!shift_a && !shift_b)
		return 0;
	if (condition->kind != OPERANDS_MASK || condition->b.operand.kind != OPERAND_CONSTANT ||
	    shift_b || shift_a + condition->b.operand.size * 8 > 64)
		return -ENOENT;
	condition->b.value = zero_extend(condition->b.value, condition->b.operand.size) << shift_a;
	condition->b.operand.size = 8;
	/* The part that a probe can read does not begin where the mask begins. */
	if (!a->member || shift_a % 8) {
		condition->compared_at = 0;
		return 0;
	}
	a->operand.value -= shift_a / 8;
	a->operand.size = condition->b.operand.size = a->member;
	return 0;
}

/*
 * Whether only a part of a number is tested. What calls returned, and signed numbers, are tested as an
 * int where the source has one.
 */
static bool is_part(const struct decision_operand *operand)
{
	return operand->whole &&
	       (operand->operand.size < 4 || (!operand->is_result && !operand->is_signed));
}

/* Of a part of a larger number, its name says too much. */
static int unname_part(struct decision_operand *operand, bool as_signed)
{
	char *name;

	if (!is_part(operand) && !operand->has_part)
		return 0;
	name = operand->operand.size < 4 ? name_by_register(&operand->operand) :
					   strf("(%c32)%s", as_signed ? 's' : 'u', operand->name);
	free(operand->name);
	operand->name = name;
	operand->is_named &= operand->operand.size >= 4;
	operand->is_typed = operand->is_result = false;
	operand->is_pointer = operand->is_signed = operand->is_unsigned = operand->is_bool = false;
	operand->is_char = false;
	operand->types = NULL;
	operand->numbers = NULL;
	operand->called = 0;
	operand->has_part = false;
	operand->whole = 0;
	return name ? 0 : -ENOMEM;
}

/* Add "arg3 | arg4 | arg5" of a register that several instructions put bits into. 0; -ENOENT one has no name; -ENOMEM. */
static int add_parts(const struct operand_way *way, const struct operand *operand, uint32_t step, int depth,
		     struct strbuf *text)
{
	struct written written = value_written(way, operand, step);
	struct insn_operands operands = {};
	struct decision_operand part;
	uint32_t shift;
	int err;

	if (written.by == WRITTEN_HERE)
		(void)code_operands(way->reader, way->path->steps.data[written.step].addr, &operands);
	if (operands.kind == OPERANDS_EITHER && operands.a.size == operand->size && depth < MAX_PARTS) {
		err = add_parts(way, &operands.a, written.step, depth + 1, text);
		strbuf_addstr(text, " | ");
		return err ?: add_parts(way, &operands.b, written.step, depth + 1, text);
	}
	err = condition_fill_operand(way, operand, step, &shift, &part);
	if (!err && (!part.is_named || shift || part.whole))
		err = -ENOENT;
	if (!err)
		strbuf_addstr(text, part.name);
	decision_operand_release(&part);
	return err;
}

/* Name an operand that has no name, but is made of values that have. 0; -ENOMEM. */
static int name_parts(const struct operand_way *way, const struct operand *operand, uint32_t step,
		      struct decision_operand *to)
{
	_cleanup_(strbuf_release) struct strbuf text = {};
	char *name;
	int err;

	if (to->is_named || operand->kind != OPERAND_REGISTER || !to->name)
		return 0;
	err = add_parts(way, operand, step, 0, &text);
	if (err)
		return err == -ENOMEM ? err : 0;
	name = strf("(%s)", strbuf_str(&text));
	if (!name)
		return -ENOMEM;
	free(to->name);
	to->name = name;
	to->is_named = true;
	return 0;
}

/* Of two numbers, one is a constant: the other one is compared with 0. */
static int take_zero(struct decision_condition *condition)
{
	if (condition->kind != OPERANDS_EITHER || condition->b.operand.kind != OPERAND_CONSTANT)
		return 0;
	condition->kind = OPERANDS_COMPARE;
	return condition->b.value ? -ENOENT : 0;
}

/*
 * A test of a part's bits is one of the whole. A comparison of the lowest bytes with 0 asks for bits,
 * too: "flags & 0x80" may be compiled as a test of that byte's sign.
 */
static int take_part(struct decision_condition *condition)
{
	struct decision_operand *a = &condition->a, *b = &condition->b;
	bool of_part = is_part(a) && b->operand.kind == OPERAND_CONSTANT;
	uint64_t sign = of_part ? 1ull << (a->operand.size * 8 - 1) : 0;

	if (condition->kind == OPERANDS_COMPARE && of_part && !b->value) {
		bool any = condition->condition == CONDITION_NOT_EQUAL;

		if (any || condition->condition == CONDITION_EQUAL)
			b->value = sign | (sign - 1);
		else if (condition->condition == CONDITION_LESS ||
			 condition->condition == CONDITION_GREATER_EQUAL)
			b->value = sign;
		if (b->value) {
			any |= condition->condition == CONDITION_LESS;
			condition->condition = any ? CONDITION_NOT_EQUAL : CONDITION_EQUAL;
			condition->kind = OPERANDS_MASK;
		}
	}
	if (condition->kind != OPERANDS_MASK) {
		bool as_signed = condition_is_signed(condition->condition);
		int err = unname_part(a, as_signed) ?: unname_part(b, as_signed);

		a->whole = b->whole = 0;
		return err;
	}
	if (a->whole && a->operand.kind == OPERAND_MEMORY && b->operand.kind == OPERAND_CONSTANT) {
		b->value = zero_extend(b->value, a->operand.size);
		a->operand.size = b->operand.size = a->whole;
	}
	if (a->operand.kind == OPERAND_MEMORY)
		a->whole = 0;
	b->whole = 0;
	return 0;
}

/* A pointer compared with the address of a variable: "ns == &init_user_ns". */
static int name_variable(const struct operand_way *way, struct decision_condition *condition)
{
	_cleanup_(strbuf_release) struct strbuf text = {};
	struct decision_operand *a = &condition->a, *b = &condition->b;

	if (condition->kind != OPERANDS_COMPARE || b->operand.kind != OPERAND_CONSTANT || b->name ||
	    !(a->is_pointer || (!a->is_typed && data_symbol_is_near(b->value, way->function->addr))) ||
	    a->operand.size != 8 || !b->value ||
	    condition_errno(condition, a, b->value) ||
	    !constant_address_add(way->reader, b->value, false, &text))
		return 0;
	b->name = strdup(strbuf_str(&text));
	return b->name ? 0 : -ENOMEM;
}

static bool is_zero(const struct operand *operand)
{
	return operand->kind == OPERAND_CONSTANT && !operand->value;
}

/*
 * Whether a register that is compared with 0 has an or of two others, which arm64 makes before the comparison. Returns
 * the step that made it, or @at.
 */
static uint32_t take_either(const struct operand_way *way, uint32_t at, struct insn_operands *operands)
{
	struct insn_arithmetic made;
	struct written written;

	if (operands->kind != OPERANDS_COMPARE || operands->a.kind != OPERAND_REGISTER || operands->a.size < 4 ||
	    !is_zero(&operands->b))
		return at;
	written = value_written(way, &operands->a, at);
	if (written.by != WRITTEN_HERE ||
	    !code_arithmetic(way->reader, way->path->steps.data[written.step].addr, &made) || *made.operator != '|' ||
	    made.to.reg != operands->a.reg || made.to.size != operands->a.size || made.shift || made.addend ||
	    made.a.kind != OPERAND_REGISTER || made.b.kind != OPERAND_REGISTER)
		return at;
	*operands = (struct insn_operands){ .kind = OPERANDS_EITHER, .a = made.a, .b = made.b };
	return written.step;
}

/* The condition of a branch by what was compared at the step @at. */
int condition_of_comparison(const struct operand_way *way, uint32_t branch, bool taken, uint32_t at,
			    struct insn_operands operands, struct decision_condition *condition)
{
	const struct path *path = way->path;
	struct operand_way way_of_a = *way;
	uint32_t flag = UINT32_MAX, shift_a, shift_b = 0;
	_cleanup_(strbuf_release) struct strbuf text = {};
	const char *note;
	int err;

	if (operands.kind == OPERANDS_OTHER || operands.kind == OPERANDS_COPY || operands.kind == OPERANDS_ADDRESS)
		return -ENOENT;
	condition->condition = code_condition(way->reader, path->steps.data[branch].addr, &operands);
	if (condition->condition == CONDITION_UNKNOWN)
		return -ENOENT;
	if (!taken)
		condition->condition = condition_not(condition->condition);
	condition_take_known_bit(&operands);
	condition->kind = operands.kind;
	if (is_with_zero(&operands)) {
		condition->kind = OPERANDS_COMPARE;
		operands.b = (struct operand){ .kind = OPERAND_CONSTANT, .size = operands.a.size };
	} else if (operands.kind == OPERANDS_MASK &&
		   condition->condition != CONDITION_EQUAL &&
		   condition->condition != CONDITION_NOT_EQUAL) {
		return -ENOENT;
	}
	if (operands.a.kind == OPERAND_NONE || operands.b.kind == OPERAND_NONE)
		return -ENOENT;
	if (condition->condition == CONDITION_EQUAL || condition->condition == CONDITION_NOT_EQUAL)
		at = take_either(way, at, &operands);
	if (operands.kind == OPERANDS_EITHER)
		condition->kind = operands.kind;
	if (operands.kind == OPERANDS_EITHER) {
		err = condition_of_flags(way, branch, taken, at, &operands, condition);
		if (err != -ENOENT)
			return err;
	}
	if (condition->kind == OPERANDS_COMPARE && is_zero(&operands.b) &&
	    (condition->condition == CONDITION_EQUAL || condition->condition == CONDITION_NOT_EQUAL))
		flag = flag_written(way, operands.a, at);
	if (flag != UINT32_MAX)
		return condition_of_branch(way, flag, condition->condition == CONDITION_NOT_EQUAL, condition);
	if (condition->condition == CONDITION_EQUAL || condition->condition == CONDITION_NOT_EQUAL)
		at = condition_take_shifted_bit(way, at, &operands);
	condition->kind = operands.kind == OPERANDS_BIT ? OPERANDS_BIT : condition->kind;
	condition->compared_at = path->steps.data[at].addr;
	condition->compared_again = path_times_again(path, at);
	condition_note_tested_bit(&operands, condition->condition, &way_of_a);
	way_of_a.is_error = operands.kind == OPERANDS_COMPARE && operands.a.size == 4 &&
			    operands.b.kind == OPERAND_CONSTANT && is_error(operands.b.value);
	err = condition_fill_operand(&way_of_a, &operands.a, at, &shift_a, &condition->a) ?:
	      condition_fill_loaded_bit(way, &operands, condition->condition, at, &condition->a);
	err = err ?: condition_fill_operand(way, &operands.b, at, &shift_b, &condition->b);
	if (!err && operands.kind == OPERANDS_EITHER)
		err = name_parts(way, &operands.a, at, &condition->a) ?:
		      name_parts(way, &operands.b, at, &condition->b);
	if (!err)
		condition_take_sign_bit(condition);
	err = err ?: align_mask(condition, shift_a, shift_b);
	/* Both are constants on this way: without a variable such a condition explains nothing. */
	if (!err && !condition->a.name && !condition->b.name)
		err = condition_name_constant(way, &operands.a, at, &condition->a);
	if (!err && !condition->a.name && !condition->b.name)
		err = -ENOENT;
	if (err)
		return err;
	if (condition->kind != OPERANDS_BIT)
		put_constant_right(condition);
	err = take_zero(condition) ?: take_part(condition) ?: name_variable(way, condition);
	if (err)
		return err;
	condition_take_array_end(way, at, condition);
	condition_simplify(condition);
	err = condition_name_enum(condition);
	if (err)
		return err;
	condition_take_range(condition);
	condition_take_power(way, at, condition);
	condition->a.is_container = is_container(way, at, condition);
	condition_name_list(way, at, condition);
	condition_add_text(&text, condition);
	note = condition->is_list_empty ? NULL : condition_note(way, condition) ?: condition_list_note(way, at, condition);
	if (note)
		strbuf_addf(&text, " (%s)", note);
	condition->text = strdup(strbuf_str(&text));
	return condition->text ? 0 : -ENOMEM;
}

/*
 * The condition of a branch that asks whether the sum which was computed at the step @at is 0, as compilers have it for
 * "if (a + b)". Read after the addition.
 */
static int condition_of_sum(const struct operand_way *way, uint32_t branch, bool taken, uint32_t at,
			    struct decision_condition *condition)
{
	const struct path_step *steps = way->path->steps.data;
	struct insn_operands operands = { .kind = OPERANDS_COMPARE };
	struct insn_arithmetic made;
	enum condition asked;
	int err;

	if (at >= branch || !code_arithmetic(way->reader, steps[at].addr, &made) || *made.operator != '+')
		return -ENOENT;
	operands.a = made.to;
	operands.b = (struct operand){ .kind = OPERAND_CONSTANT, .size = made.to.size };
	/* An order of the sum and 0 is another one if the sum overflows. */
	asked = code_condition(way->reader, steps[branch].addr, &operands);
	if (asked != CONDITION_EQUAL && asked != CONDITION_NOT_EQUAL)
		return -ENOENT;
	err = condition_of_comparison(way, branch, taken, at + 1, operands, condition);
	return err ?: condition->a.is_named ? 0 : -ENOENT;
}

int condition_of_branch(const struct operand_way *way, uint32_t branch, bool taken,
			struct decision_condition *condition)
{
	const struct path_step *steps = way->path->steps.data;
	uint32_t at = flow_comparison(way->reader, way->path, branch);
	struct insn_operands operands;
	bool otherwise = false;
	int err;

	if (at == UINT32_MAX)
		return -ENOENT;
	if (code_compared_if(way->reader, steps[at].addr, steps[branch].addr, &operands, &otherwise))
		return condition_of_second(way, branch, taken, at, &operands, otherwise, condition);
	if (code_operands(way->reader, steps[at].addr, &operands))
		return -ENOENT;
	if (operands.kind == OPERANDS_OTHER)
		return condition_of_sum(way, branch, taken, at, condition);
	err = condition_of_members(way, branch, taken, at, &operands, condition);
	return err != -ENOENT ? err : condition_of_comparison(way, branch, taken, at, operands, condition);
}

int condition_fill(const struct operand_way *way, uint32_t branch, bool taken,
		   struct decision_condition *condition)
{
	int err;

	condition_release(condition);
	err = condition_of_branch(way, branch, taken, condition);
	if (err)
		condition_release(condition);
	return err == -ENOENT ? 0 : err;
}
