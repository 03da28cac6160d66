// SPDX-License-Identifier: BSD-2-Clause
/* Names of constants in conditions: flags, options and requests of system calls, and variables of the source. */
#include <bpf/btf.h>
#include <ctype.h>
#include <errno.h>
#include <linux/ioctl.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/macros.h"
#include "util/base/strbuf.h"
#include "util/explain/condition_internal.h"
#include "util/explain/function/constant_name.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/local_variable.h"
#include "util/explain/function/operand.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/numbers/argument_names.h"
#include "util/kernel/numbers/number_text.h"
#include "util/kernel/symbols/syscall_name.h"
#include "util/kernel/types/btf_types.h"

/* Longer lists of flags hide the condition. */
#define MAX_NAMES 72

/*
 * "dup3" for __x64_sys_dup3(), __do_sys_dup3() and ksys_dup3(), "fcntl" for do_fcntl(): what is called "flags" or "cmd"
 * there is the call's argument.
 */
static const char *own_syscall(const char *func)
{
	static const char *const typed[] = { "__do_sys_", "__se_sys_", "ksys_", "__sys_", "do_", "vfs_" };

	if (!func || strstr(func, "compat_sys_") || startswith(func, "__ia32_"))
		return NULL;
	return syscall_of_entry(func) ?: name_after(func, typed, ARRAY_SIZE(typed));
}

static bool is_identifier(const char *name)
{
	while (isalnum((unsigned char)*name) || *name == '_')
		name++;
	return !*name;
}

const struct number_names *condition_numbers(const struct operand_way *way, const struct decision_operand *operand)
{
	const char *syscall = own_syscall(way->function->name);
	const struct number_names *names = NULL;

	/* What options of sockets mean depends on another argument. */
	if (!operand->is_named || operand->is_pointer || operand->is_result || operand->is_masked || operand->is_negated ||
	    operand->is_computed || operand->has_part || !is_identifier(operand->name) ||
	    !strcmp(operand->name, "optname"))
		return NULL;
	/* A variable may be of an inlined function. */
	if (syscall && !operand->is_variable)
		names = number_names_find(arch_native, syscall, operand->name, 0, 0);
	return names || strcmp(operand->name, "cmd") ? names : number_names_find(arch_native, "ioctl", "cmd", 0, 0);
}

int condition_name_mask(const struct operand_way *way, struct decision_operand *operand)
{
	static const char sign[] = " & 0x";
	const char *mask = strstr(operand->name, sign);
	_cleanup_(strbuf_release) struct strbuf names = STRBUF_INIT;
	struct decision_operand whole = { .is_named = true };
	const struct number_names *numbers;
	uint64_t bits;
	bool is_flags;
	char *name;

	if (*operand->name != '(' || !mask)
		return 0;
	whole.name = strndup(operand->name + 1, mask - operand->name - 1);
	if (!whole.name)
		return -ENOMEM;
	numbers = condition_numbers(way, &whole);
	/* Of a mode, the bits of a file's type are one number. */
	bits = strtoull(mask + strlen(sign), NULL, 16);
	whole.is_new_request = operand->is_new_request;
	is_flags = numbers && numbers->kind == NAMED_BITS && number_add_flags(&names, numbers, bits);
	if ((is_flags || condition_add_flag(&names, &whole, bits)) && names.len <= MAX_NAMES) {
		name = strf(is_flags && strchr(strbuf_str(&names), ' ') ? "(%s & (%s))" : "(%s & %s)", whole.name,
			    strbuf_str(&names));
		free(whole.name);
		if (!name)
			return -ENOMEM;
		free(operand->name);
		operand->name = name;
		return 0;
	}
	free(whole.name);
	return 0;
}

/* A mask, or what flags are compared with. */
static bool add_flags(struct strbuf *text, const struct decision_operand *like, uint64_t flags, bool is_complement)
{
	_cleanup_(strbuf_release) struct strbuf names = STRBUF_INIT;

	if (!number_add_flags(&names, like->numbers, flags) || names.len > MAX_NAMES)
		return false;
	strbuf_addstr(text, is_complement ? "~" : "");
	strbuf_addf(text, strchr(strbuf_str(&names), ' ') ? "(%s)" : "%s", strbuf_str(&names));
	return true;
}

bool condition_add_number(struct strbuf *text, const struct decision_condition *condition,
			  const struct decision_operand *like, uint64_t value, bool is_complement)
{
	bool is_equality = condition->condition == CONDITION_EQUAL || condition->condition == CONDITION_NOT_EQUAL;

	if (!like->numbers || !is_equality)
		return false;
	switch (like->numbers->kind) {
	case NAMED_WHOLE:
	case NAMED_LIMIT:
		return condition->kind == OPERANDS_COMPARE && number_add(text, like->numbers, value);
	case NAMED_IOCTL:
		/* Old requests have no direction: small numbers, of which each may be of several devices. */
		return condition->kind == OPERANDS_COMPARE && _IOC_DIR(value) &&
		       number_add_name(text, like->numbers, value);
	case NAMED_BITS:
	case NAMED_BITS_AND_MODE:
	case NAMED_BITS_AND_SIGNAL:
		return add_flags(text, like, value, is_complement);
	default:
		return false;
	}
}

int condition_name_enum(struct decision_condition *condition)
{
	const struct decision_operand *a = &condition->a;
	struct decision_operand *b = &condition->b;
	const char *name;

	if (condition->kind != OPERANDS_COMPARE || !a->types || b->operand.kind != OPERAND_CONSTANT || b->name ||
	    (condition->condition != CONDITION_EQUAL && condition->condition != CONDITION_NOT_EQUAL))
		return 0;
	name = enum_value_name(a->types, a->enum_type, b->value);
	b->name = name ? strdup(name) : NULL;
	return name && !b->name ? -ENOMEM : 0;
}

bool condition_has_host_order(const struct expression *expression)
{
	const struct btf_type *type = btf__type_by_id(expression->btf, expression->type);

	for (; type && btf_is_typedef(type); type = btf__type_by_id(expression->btf, type->type)) {
		if (startswith(btf_type_name(expression->btf, type), "__be") ||
		    startswith(btf_type_name(expression->btf, type), "__le"))
			return false;
	}
	return true;
}

int condition_name_constant(const struct operand_way *way, const struct operand *place, uint32_t step,
			    struct decision_operand *to)
{
	const struct path_step *steps = way->path->steps.data;
	_cleanup_(expression_release) struct expression variable = {};
	struct insn_operands load;
	struct written written;
	int err;

	if (place->kind != OPERAND_REGISTER && place->kind != OPERAND_MEMORY)
		return 0;
	err = local_variable_add(way, place, steps[step].addr, &variable);
	if (!err && !variable.text.len && place->kind == OPERAND_REGISTER) {
		/* It may have been loaded from the variable. */
		written = value_written(way, place, step);
		if (written.by == WRITTEN_HERE && !code_operands(way->reader, steps[written.step].addr, &load) &&
		    load.kind == OPERANDS_COPY && load.b.kind == OPERAND_MEMORY)
			err = local_variable_add(way, &load.b, steps[written.step].addr, &variable);
	}
	if (err || !variable.text.len || variable.offset)
		return err;
	to->name = strdup(strbuf_str(&variable.text));
	to->operand = *place;
	to->is_named = to->is_variable = true;
	return to->name ? 0 : -ENOMEM;
}
