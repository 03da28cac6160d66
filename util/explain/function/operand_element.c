// SPDX-License-Identifier: BSD-2-Clause
/* Follows a value to the array that it is an element of: "ns->ucount_max[type]", "nht->hash_buckets[...].first". */
#include <bpf/btf.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/explain/function/constant_name.h"
#include "util/explain/function/function_code.h"
#include "util/explain/function/operand_internal.h"
#include "util/kernel/types/btf_types.h"
#include "util/kernel/types/member_at.h"

/* Instructions that an index goes through: multiples, constants that are added. */
#define MAX_STEPS 4
/* Longer indexes hide the array. */
#define MAX_INDEX 32

/* Larger elements are none. */
#define MAX_ELEMENT (1 << 20)

/* A register that has a number times @factor, plus @addend. */
struct multiple {
	uint8_t reg;
	uint8_t size; /* bytes used of it */
	struct position at; /* the number is in `reg` there */
	int64_t factor, addend;
};

/* Go back over one instruction. False: what it computes is the number itself. */
static bool go_back(const struct operand_way *way, struct multiple *multiple)
{
	const struct operand value = { .kind = OPERAND_REGISTER, .reg = multiple->reg, .size = 8 };
	struct insn_element element;
	struct insn_operands operands;
	struct written written;
	uint64_t addr;

	/* A number that is extended here is the index itself. */
	if (!multiple->at.on_way || multiple->size != 8 || multiple->factor > MAX_ELEMENT)
		return false;
	written = value_written(way, &value, multiple->at.step);
	if (written.by != WRITTEN_HERE)
		return false;
	addr = way->path->steps.data[written.step].addr;
	if (code_element(way->reader, addr, &element)) {
		if (!element.is_address || element.has_base || element.to.size != 8 ||
		    element.to.reg != multiple->reg || multiple->factor * element.scale > MAX_ELEMENT)
			return false;
		multiple->addend += multiple->factor * element.displacement;
		multiple->factor *= element.scale;
		multiple->reg = element.index;
		multiple->size = element.index_size;
	} else {
		if (code_operands(way->reader, addr, &operands) || operands.kind != OPERANDS_ADDRESS ||
		    operands.a.kind != OPERAND_REGISTER || operands.a.reg != multiple->reg || operands.a.size != 8 ||
		    operands.b.kind != OPERAND_MEMORY || operand_is_on_stack(&operands.b))
			return false;
		multiple->addend += multiple->factor * operands.b.value;
		multiple->reg = operands.b.reg;
	}
	multiple->at = (struct position){ true, written.step, addr };
	return true;
}

/* Name the index, or write "..." for it. */
static int add_index(const struct follower *f, const struct multiple *multiple, struct expression *to)
{
	const struct follower like = {
		.way = f->way, .nesting = f->nesting, .size = 8, .used = multiple->size, .in_call = true, .is_short = true,
		.by_variables = f->by_variables,
	};
	const struct operand value = { .kind = OPERAND_REGISTER, .reg = multiple->reg, .size = 8 };
	_cleanup_(expression_release) struct expression own = {};
	int err = follow_best(&like, &value, multiple->at, &own);

	if (err)
		return err;
	/* Where lower bytes alone were loaded, "hash & 0xff" is the index, in the source or by its type. */
	if (own.bytes && own.bytes < 8 && expression_is_number(&own) && own.bytes < btf_size_of(own.btf, own.type))
		expression_mask(&own, (1ULL << (own.bytes * 8)) - 1);
	if (expression_is_number(&own) && !own.is_negated && !own.offset && own.text.len <= MAX_INDEX)
		strbuf_addstr(&to->index, own.text.s);
	else
		strbuf_addstr(&to->index, "...");
	to->stride = multiple->factor;
	to->offset += multiple->addend;
	return 0;
}

/*
 * The name of a variable that may be an array of elements of this size: no other one begins after the first element, as
 * one does if "arr[i - 1]" is read relative to what is before the array.
 */
static void name_table(const struct operand_way *way, uint64_t addr, uint8_t size, struct strbuf *name)
{
	_cleanup_(strbuf_release) struct strbuf next = {};

	variable_add(way->reader, addr + size, &next);
	if (!next.len)
		variable_add(way->reader, addr, name);
}

/* An element of an array of numbers or pointers that is a variable of the kernel: "net_families[family]". */
static int follow_table(struct follower *f, uint64_t table, uint8_t size, const struct multiple *index)
{
	_cleanup_(expression_release) struct expression own = {};
	struct multiple multiple = *index;
	int err;

	expression_forget(f->to);
	/* To the address of a variable of each CPU, what is added is no index of bytes. */
	if (size < 4)
		return 0;
	for (int i = 0; i < MAX_STEPS && go_back(f->way, &multiple); i++)
		;
	if (multiple.factor != size || multiple.addend)
		return 0;
	name_table(f->way, table, size, &f->to->text);
	if (!f->to->text.len)
		return 0;
	err = add_index(f, &multiple, &own);
	strbuf_addf(&f->to->text, "[%s]", strbuf_str(&own.index));
	f->to->bytes = size;
	return err;
}

/*
 * Follow a pointer, and what was added to it: it has a stride then. If it is an array of the kernel's, follow its
 * element. Nothing is known afterwards if it is neither.
 */
static int follow_base(struct follower *f, const struct insn_element *element, uint8_t base,
		       const struct multiple *index, struct position at)
{
	struct multiple multiple = *index;
	struct expression *to = f->to;
	int err = follow_register(f, base, at);

	if (err)
		return err;
	if (expression_is_address(to) && !element->is_address)
		return follow_table(f, to->value + to->offset + element->displacement, element->size, index);
	if (!expression_is_pointer(to) || to->shift || to->is_constant || to->is_masked || to->is_negated ||
	    to->stride) {
		expression_forget(to);
		return 0;
	}
	for (int i = 0; i < MAX_STEPS && go_back(f->way, &multiple); i++)
		;
	return add_index(f, &multiple, to);
}

int follow_element(struct follower *f, uint8_t reg, struct position at)
{
	struct follower first = *f;
	struct insn_element element;
	struct multiple index;
	struct operand memory;
	int err;

	if (!code_element(f->way->reader, at.addr, &element) || element.to.reg != reg || element.to.size < 4 ||
	    (element.is_address && element.to.size != 8))
		return 0;
	f->used = f->size = 8;
	index = (struct multiple){ element.index, element.index_size, at, element.scale, 0 };
	/* A positive one is a place in the data of each CPU. */
	if (!element.has_base)
		return element.is_address || element.displacement >= 0 ? 0 :
			follow_table(f, element.displacement, element.size, &index);
	err = follow_base(f, &element, element.base, &index, at);
	/* Which one of two registers is the pointer, the instruction does not tell. */
	if (!err && !expression_is_known(f->to) && element.scale == 1 && element.index_size == 8) {
		f->nesting = first.nesting;
		index.reg = element.base;
		err = follow_base(f, &element, element.index, &index, at);
	}
	if (err || !expression_is_known(f->to) || !f->to->stride)
		return err;
	if (element.is_address) {
		f->to->offset += element.displacement;
		return 0;
	}
	memory = (struct operand){ OPERAND_MEMORY, 0, element.size, element.displacement };
	follow_pointer(f, &memory);
	f->to->owner.len = 0;
	return 0;
}

/*
 * The place of an index in the path to an element, between "[" and "]": the paths to the element and to the next
 * one differ only there. -1: they do not.
 */
static int index_in(const char *path, const char *next)
{
	size_t at = 0;

	while (path[at] && path[at] == next[at])
		at++;
	if (!at || path[at - 1] != '[' || path[at] != '0' || next[at] != '1' || strcmp(path + at + 1, next + at + 1))
		return -1;
	return path[at + 1] == ']' ? (int)at : -1;
}

/* An element of an array in the struct. */
static bool add_of_member(struct expression *to, uint32_t pointee, int64_t offset, uint8_t size)
{
	_cleanup_(strbuf_release) struct strbuf path = {}, next = {}, whole = {};
	uint32_t type, shift, next_type, next_shift;
	int at;

	if (btf_member_at(to->btf, pointee, offset, size, NULL, &path, &type, &shift) ||
	    btf_member_at(to->btf, pointee, offset + to->stride, size, NULL, &next, &next_type, &next_shift) ||
	    type != next_type || shift || next_shift)
		return false;
	at = index_in(strbuf_str(&path), strbuf_str(&next));
	if (at < 0)
		return false;
	strbuf_addf(&whole, "%.*s%s%s", at, path.s, to->index.s, path.s + at + 1);
	expression_add_member(to, strbuf_str(&whole));
	to->type = type;
	return true;
}

/* An element that is pointed to, or a member of it. */
static bool add_of_pointee(struct expression *to, uint32_t pointee, int64_t offset, uint8_t size)
{
	_cleanup_(strbuf_release) struct strbuf path = {};
	uint32_t type, shift;

	if (strpbrk(strbuf_str(&to->text), "* ") ||
	    btf_member_at(to->btf, pointee, offset, size, NULL, &path, &type, &shift) || shift)
		return false;
	strbuf_addf(&to->text, "[%s]%s", to->index.s, strbuf_str(&path));
	to->type = type;
	return true;
}

bool element_add(struct expression *to, int64_t offset, uint8_t size)
{
	uint32_t pointee = to->type ? btf_whole_type(to->btf, btf_pointee(to->btf, to->type)) : 0;
	bool is_whole = pointee && btf_size_of(to->btf, pointee) == to->stride;

	if (!pointee || offset < 0 || to->stride <= 0 ||
	    !(is_whole ? add_of_pointee(to, pointee, offset, size) : add_of_member(to, pointee, offset, size)))
		return false;
	to->bytes = size;
	to->offset = to->stride = 0;
	strbuf_reset(&to->index);
	to->entries = NULL;
	return true;
}
