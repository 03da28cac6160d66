// SPDX-License-Identifier: BSD-2-Clause
/* Where a function's arguments are when it is entered. */
#include "util/kernel/types/arg_layout.h"

#include <errno.h>

#include "util/kernel/arch/arch.h"
#include "util/kernel/types/btf_types.h"

#define IN_REGISTERS 16	/* the largest, in bytes, that goes there */

/* A walk along the parameters. */
struct walk {
	const struct btf *btf;
	const struct arch *arch;
	uint32_t registers;	/* taken */
	uint32_t stack;		/* slots taken */
	uint32_t context;	/* slots of a trampoline's taken */
	bool lost;		/* this argument could be anywhere, and so can the ones after it */
};

static uint32_t slots_of(uint32_t size)
{
	return size / 8 + (size % 8 != 0);
}

/* Whether it is a struct that is passed and returned in memory. */
static bool is_large(const struct btf *btf, uint32_t id, const struct arg_rules *rules)
{
	const struct btf_type *type = btf_underneath(btf, id);

	return type && btf_is_composite(type) &&
	       (type->size > IN_REGISTERS || (rules->unaligned_as_large && btf_has_unaligned(btf, id)));
}

static bool on_stack(struct walk *walk, struct arg_place *place, uint32_t slots, bool aligned)
{
	if (aligned)
		walk->stack += walk->stack % 2;
	/* Arguments are never kilobytes; a slot's number has 8 bits. */
	if (walk->stack + slots > UINT8_MAX) {
		walk->lost = true;
		return false;
	}
	place->where = ARG_ON_STACK;
	place->index = walk->stack;
	walk->stack += slots;
	return true;
}

static void in_registers(struct walk *walk, struct arg_place *place, uint32_t slots)
{
	place->where = ARG_IN_REGISTERS;
	place->index = walk->registers;
	walk->registers += slots;
}

static void place_one(struct walk *walk, struct arg_place *place, bool aligned)
{
	const struct arg_rules *rules = &walk->arch->arg_rules;
	uint32_t slots = slots_of(place->size), left;

	if (is_large(walk->btf, place->type, rules)) {
		if (!rules->large_by_address) {
			on_stack(walk, place, slots, aligned);
			return;
		}
		place->indirect = true;
		slots = 1;
		aligned = false;
	}
	if (aligned && rules->pairs_begin_even)
		walk->registers += walk->registers % 2;
	left = walk->arch->nr_arg_registers - walk->registers;
	if (slots <= left) {
		in_registers(walk, place, slots);
	} else if (left && rules->may_be_split) { /* the second half, alone */
		walk->registers += left;
		walk->stack += slots - left;
	} else {
		if (rules->stack_ends_registers)
			walk->registers += left;
		on_stack(walk, place, slots, aligned);
	}
}

static struct arg_place place_next(struct walk *walk, uint32_t id)
{
	struct arg_place place = { .type = id, .context_slot = walk->context };
	const struct btf_type *type = btf_underneath(walk->btf, id);
	int64_t size = btf_size_of(walk->btf, id);
	bool composite = type && btf_is_composite(type), aligned;

	if (size < 0 || (!composite && size > IN_REGISTERS) || btf_is_array(type)) {
		walk->lost = true;
		return place;
	}
	place.size = size;
	walk->context += size > IN_REGISTERS ? 1 : slots_of(size);
	if (walk->context > UINT8_MAX)
		walk->lost = true;
	if (btf_has_float(walk->btf, id)) {
		walk->lost |= composite;
		return place;
	}
	/* An empty struct is not passed at all. */
	if (walk->lost || !size)
		return place;
	aligned = btf_natural_align(walk->btf, id) == 16;
	place_one(walk, &place, aligned);
	return place;
}

int arg_layout(const struct btf *btf, uint32_t id, const struct arch *arch,
	       struct arg_layout *ret_layout)
{
	const struct btf_type *proto = btf__type_by_id(btf, id);
	struct arg_layout layout = {};
	struct walk walk = { .btf = btf, .arch = arch };

	if (proto && btf_is_func(proto))
		proto = btf__type_by_id(btf, proto->type);
	if (!proto || !btf_is_func_proto(proto))
		return -EINVAL;
	layout.nr = btf_vlen(proto);
	if (layout.nr && !btf_params(proto)[layout.nr - 1].type) {
		layout.variadic = true;
		layout.nr--;
	}
	/* The address for the result. */
	if (arch->arg_rules.result_by_argument && is_large(btf, proto->type, &arch->arg_rules))
		walk.registers = 1;
	for (uint32_t i = 0; i < layout.nr && i < ARG_LAYOUT_MAX; i++)
		layout.places[i] = place_next(&walk, btf_params(proto)[i].type);
	layout.more_known = layout.variadic && !walk.lost && layout.nr <= ARG_LAYOUT_MAX;
	layout.more_register = walk.registers;
	layout.more_slot = walk.stack;
	*ret_layout = layout;
	return 0;
}
