// SPDX-License-Identifier: BSD-2-Clause
/* Paths from an argument through pointers and members. */
#include "util/plan/args/args_object.h"

#include <errno.h>
#include <string.h>

#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/base/text/nearest.h"
#include "util/kernel/types/btf_types.h"
#include "util/plan/args/args_internal.h"

#define COMPLAIN(o, column, fmt, ...)                                                              \
	((o)->origin->strict ? report(-EINVAL, "%s: " fmt " at column %d of '%s'",                 \
				      (o)->origin->option, ##__VA_ARGS__, (column),                \
				      (o)->origin->text) :                                         \
			       -EINVAL)

/* Puts where the object is by now into the item, but for the bytes of a register before it. */
int arg_object_settle(struct arg_object *o, uint8_t *ret_skip, const char *name, int column)
{
	if (o->in_memory) {
		if (o->offset > UINT16_MAX)
			return COMPLAIN(o, column, "'%s' is too far from the beginning of its struct or array", name);
		o->item.steps[o->item.nr_steps - 1] = o->offset;
		return 0;
	}
	if (o->item.index + o->offset / 8 > UINT8_MAX || o->item.slot + o->offset / 8 > UINT8_MAX)
		return COMPLAIN(o, column, "'%s' is too far from the beginning of its struct or array", name);
	o->item.index += o->offset / 8;
	o->item.slot += o->offset / 8;
	*ret_skip = o->offset % 8;
	return 0;
}

/* The kind of the object, for messages. */
static const char *what_it_is(const struct arg_object *o)
{
	const struct btf_type *type = o->btf && !o->pointers_to ? btf_underneath(o->btf, o->type) :
								  NULL;

	if (o->pointers_to || (type && btf_is_ptr(type)))
		return "a pointer";
	if (!type)
		return "of no known type";
	if (btf_is_any_enum(type))
		return "an enum";
	if (btf_is_array(type))
		return "an array";
	if (btf_is_struct(type))
		return "a struct";
	if (btf_is_union(type))
		return "a union";
	if (btf_is_func_proto(type))
		return "a function";
	return btf_is_int(type) && (btf_int_encoding(type) & BTF_INT_BOOL) ? "a bool" : "a number";
}

static bool is_pointer(const struct arg_object *o)
{
	const struct btf_type *type;

	if (o->pointers_to)
		return true;
	type = o->btf ? btf_underneath(o->btf, o->type) : NULL;
	return type && btf_is_ptr(type);
}

/* Follow the pointer that the object is, of which @name is what the user calls it. */
static int follow_pointer(struct arg_object *o, const char *name, int column)
{
	uint32_t pointee = o->pointers_to ? o->type : o->btf ? btf_pointee(o->btf, o->type) : 0;
	uint8_t skip = 0;
	int err;

	if (!is_pointer(o))
		return COMPLAIN(o, column, "'%s' is %s and leads nowhere", name, what_it_is(o));
	if (pointee && btf_has_tag(o->btf, pointee, "percpu"))
		return COMPLAIN(o, column, "'%s' leads to memory of each CPU's own", name);
	if (o->in_user)
		return COMPLAIN(o, column,
				"'%s' is in user memory, where pointers are not followed", name);
	if (o->bits || o->item.nr_steps == ARGS_MAX_STEPS)
		return COMPLAIN(o, column, "'%s' is one pointer more than the %d that are followed",
				name, ARGS_MAX_STEPS);
	err = arg_object_settle(o, &skip, name, column);
	if (err)
		return err;
	if (skip)
		return COMPLAIN(o, column, "'%s' does not begin where a register does", name);
	o->item.nr_steps++;
	o->offset = 0;
	o->in_memory = true;
	o->in_user = o->user || (pointee && btf_has_tag(o->btf, pointee, "user"));
	o->type = pointee;
	/* At 0 the type that BTF has is reached. */
	if (o->pointers_to)
		o->pointers_to--;
	return 0;
}

static void offer_name(void *arg, const char *name)
{
	nearest_offer(arg, name);
}

/* The first few names, for when nothing is near. */
struct some_names {
	struct strbuf text;
	int nr;
};

#define SOME_NAMES 6

static void add_name(void *arg, const char *name)
{
	struct some_names *some = arg;

	if (some->nr++ < SOME_NAMES)
		strbuf_addf(&some->text, "%s%s", some->nr > 1 ? ", " : "", name);
	else if (some->nr == SOME_NAMES + 1)
		strbuf_addstr(&some->text, ", ...");
}

static const char *kind_name(const struct btf_type *type)
{
	return btf_is_union(type) ? "union" : "struct";
}

static int report_no_member(const struct arg_object *o, const struct btf_type *type,
			    const struct arg_part *part)
{
	struct nearest near = nearest_start(part->name);
	struct some_names some = { .text = STRBUF_INIT };
	const char *name = btf_type_name(o->btf, type);
	int err;

	if (!o->origin->strict)
		return -EINVAL;
	btf_each_member(o->btf, o->type, offer_name, &near);
	strbuf_addstr(&some.text, "it has ");
	btf_each_member(o->btf, o->type, add_name, &some);
	err = nearest_report(&near, some.nr ? strbuf_str(&some.text) : "it has none at all",
			     "%s: %s%s%s has no member '%s' at column %d of '%s'",
			     o->origin->option,
			     kind_name(type), *name ? " " : "", name, part->name, part->column,
			     o->origin->text);
	strbuf_release(&some.text);
	return err;
}

/* @pointed: @name is what leads to it, not the object itself */
static int report_no_members(const struct arg_object *o, const char *name, bool pointed,
			     const struct arg_part *part)
{
	const struct btf_type *type = o->btf && !o->pointers_to ? btf_underneath(o->btf, o->type) :
								  NULL;

	if (type && btf_is_array(type)) {
		type = btf_underneath(o->btf, btf_array(type)->type);
		if (type && (btf_is_composite(type) || btf_is_ptr(type)) && !pointed)
			return COMPLAIN(o, part->column, "'%s' is an array, write '%s[0]%s%s'",
					name, name, btf_is_ptr(type) ? "->" : ".", part->name);
	}
	if (pointed)
		return COMPLAIN(o, part->column, "what '%s' leads to is %s and has no members",
				name, what_it_is(o));
	return COMPLAIN(o, part->column, "'%s' is %s and has no members", name, what_it_is(o));
}

static int go_to_member(struct arg_object *o, const char *name, bool pointed,
			const struct arg_part *part)
{
	const struct btf_type *type = o->pointers_to || !o->btf ? NULL :
				      btf_underneath(o->btf, o->type);
	struct btf_place place;

	if (type && (btf_is_fwd(type) || (btf_is_composite(type) && !btf_vlen(type))))
		return COMPLAIN(o, part->column, "BTF does not have what is in %s %s, where '%s' "
				"would be", kind_name(type), btf_type_name(o->btf, type),
				part->name);
	if (!type || !btf_is_composite(type))
		return report_no_members(o, name, pointed, part);
	if (!btf_find_member(o->btf, o->type, part->name, &place))
		return report_no_member(o, type, part);
	o->offset += place.bit_offset / 8;
	o->bit_offset = place.bits ? place.bit_offset % 8 : 0;
	o->bits = place.bits > 64 ? 64 : place.bits;
	o->type = place.type;
	return 0;
}

static int go_to_element(struct arg_object *o, const char *name, const struct arg_part *part)
{
	const struct btf_type *type = o->btf && !o->pointers_to ? btf_underneath(o->btf, o->type) :
								  NULL;
	int64_t size;
	int err;

	if (type && btf_is_array(type)) {
		uint32_t nr = btf_array(type)->nelems;

		if (nr && part->index >= nr)
			return COMPLAIN(o, part->column, "[%u] is outside the array of %u",
					part->index, nr);
		o->type = btf_array(type)->type;
	} else if (!is_pointer(o)) {
		return COMPLAIN(o, part->column, "'%s' is %s and has no elements", name,
				what_it_is(o));
	} else {
		err = follow_pointer(o, name, part->column);
		if (err)
			return err;
	}
	size = o->pointers_to ? 8 : btf_size_of(o->btf, o->type);
	if (size <= 0)
		return COMPLAIN(o, part->column, "[%u] of something whose size is not known",
				part->index);
	o->offset += size * part->index;
	return 0;
}

static bool is_composite(const struct arg_object *o)
{
	const struct btf_type *type = o->btf && !o->pointers_to ? btf_underneath(o->btf, o->type) :
								  NULL;

	return type && (btf_is_composite(type) || btf_is_fwd(type));
}

/* Of a pointer. */
static bool leads_to_composite(const struct arg_object *o)
{
	struct arg_object to = *o;

	to.pointers_to = o->pointers_to > 1 ? o->pointers_to - 1 : 0;
	if (!o->pointers_to)
		to.type = btf_pointee(o->btf, o->type);
	return is_composite(&to);
}

static int go_on(struct arg_object *o, const char *name, const struct arg_part *part)
{
	int err = 0;

	if (o->bits)
		return COMPLAIN(o, part->column, "'%s' is a bitfield, and nothing is in it", name);
	switch (part->kind) {
	case ARG_PART_ARROW:
		if (!is_pointer(o) && !is_composite(o))
			return report_no_members(o, name, false, part);
		if (!is_pointer(o))
			return COMPLAIN(o, part->column, "'%s' is no pointer, write '%s.%s'", name,
					name, part->name);
		err = follow_pointer(o, name, part->column);
		return err ?: go_to_member(o, name, true, part);
	case ARG_PART_DOT:
		if (is_pointer(o) && leads_to_composite(o))
			return COMPLAIN(o, part->column, "'%s' is a pointer, write '%s->%s'", name,
					name, part->name);
		return go_to_member(o, name, false, part);
	case ARG_PART_INDEX:
		return go_to_element(o, name, part);
	}
	return -EINVAL;
}

static int report_no_argument(const struct arg_path *path, const struct arg_origin *origin,
			      const char *func, const struct params *params)
{
	struct nearest near = nearest_start(path->name);
	struct some_names some = { .text = STRBUF_INIT };
	int err;

	if (!origin->strict)
		return -EINVAL;
	strbuf_addstr(&some.text, "it has ");
	for (uint32_t i = 0; i < params->nr; i++) {
		nearest_offer(&near, params->v[i].name);
		add_name(&some, params->v[i].name);
	}
	err = nearest_report(&near, some.nr ? strbuf_str(&some.text) : "it has none",
			     "%s: %s() has no argument '%s' at column %d of '%s'", origin->option,
			     func, path->name, path->column, origin->text);
	strbuf_release(&some.text);
	return err;
}

static const struct param *find_param(const struct params *params, const char *name)
{
	for (uint32_t i = 0; i < params->nr; i++) {
		if (!strcmp(params->v[i].name, name))
			return &params->v[i];
	}
	return NULL;
}

int arg_path_param(const struct arg_path *path, const struct arg_origin *origin, const char *func,
		   const struct params *params, const struct param **ret_param)
{
	const struct param *param = find_param(params, path->name);

	if (!param)
		return report_no_argument(path, origin, func, params);
	if (param->place.where == ARG_NOWHERE) {
		struct arg_object o = { .origin = origin };

		return COMPLAIN(&o, path->column, "it is not known where '%s' is passed",
				path->name);
	}
	*ret_param = param;
	return 0;
}

static struct arg_object object_of(const struct arg_origin *origin, const struct param *param)
{
	struct arg_object o = {
		.origin = origin,
		.btf = param->btf,
		.type = param->type,
		.pointers_to = param->pointers_to,
		.text = param->text,
		.user = param->user,
		.in_memory = param->nr_steps || param->place.indirect,
		.item = item_at(&param->place),
		.offset = param->nr_steps ? param->step : 0,
	};

	o.item.nr_steps = o.in_memory;
	return o;
}

int arg_path_follow(const struct arg_path *path, const struct arg_origin *origin,
		    const struct param *param, struct arg_object *ret_object)
{
	struct arg_object o = object_of(origin, param);
	const char *name = path->name;
	int err = 0;

	if ((path->parts.len || path->stars) && !param->type && !param->pointers_to)
		return COMPLAIN(&o, path->column, "BTF does not have the type of '%s'", path->name);
	vec_foreach(part, &path->parts) {
		err = go_on(&o, name, part);
		if (err)
			return err;
		if (part->name)
			name = part->name;
	}
	for (uint32_t i = 0; !err && i < path->stars; i++)
		err = follow_pointer(&o, name, path->column);
	if (!err)
		*ret_object = o;
	return err;
}

void arg_object_members(const struct arg_object *object, struct strbuf *sb)
{
	struct some_names some = { .text = STRBUF_INIT };

	btf_each_member(object->btf, object->type, add_name, &some);
	strbuf_addstr(sb, strbuf_str(&some.text));
	strbuf_release(&some.text);
}
