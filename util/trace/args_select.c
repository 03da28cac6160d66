// SPDX-License-Identifier: BSD-2-Clause
/* Which arguments, and what they lead to: --args. */
#include "util/trace/args_select.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/nearest.h"
#include "util/base/report.h"
#include "util/base/strbuf.h"
#include "util/kernel/btf_types.h"
#include "util/trace/args_internal.h"
#include "util/trace/plan.h"

#define MAX_PARTS 32

/* A walk through what the user wrote. */
struct scanner {
	const char *text, *at;
};

/* Where @at stands, as an editor counts it: the bytes that go on a character are none. */
static int column(const struct scanner *s, const char *at)
{
	int n = 1;

	for (const char *c = s->text; c < at; c++)
		n += ((unsigned char)*c & 0xc0) != 0x80;
	return n;
}

static int complain(const struct scanner *s, const char *what)
{
	return report(-EINVAL, "--args: %s at column %d of '%s'", what, column(s, s->at), s->text);
}

static void skip_blanks(struct scanner *s)
{
	while (isspace((unsigned char)*s->at))
		s->at++;
}

static bool take(struct scanner *s, const char *token)
{
	skip_blanks(s);
	if (strncmp(s->at, token, strlen(token)))
		return false;
	s->at += strlen(token);
	return true;
}

static char *trimmed(const char *start, const char *end)
{
	while (start < end && isspace((unsigned char)*start))
		start++;
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	return strndup(start, end - start);
}

static int scan_name(struct scanner *s, const char *missing, char **ret_name, int *ret_column)
{
	const char *start;

	skip_blanks(s);
	start = s->at;
	if (!isalpha((unsigned char)*start) && *start != '_')
		return complain(s, missing);
	while (isalnum((unsigned char)*s->at) || *s->at == '_')
		s->at++;
	*ret_name = strndup(start, s->at - start);
	if (!*ret_name)
		return report_oom();
	*ret_column = column(s, start);
	return 0;
}

static int scan_index(struct scanner *s, struct arg_part *part)
{
	unsigned long n;
	char *end;

	skip_blanks(s);
	part->column = column(s, s->at);
	if (!isdigit((unsigned char)*s->at))
		return complain(s, "'[' wants a number");
	errno = 0;
	n = strtoul(s->at, &end, 0);
	if (errno || n > UINT16_MAX)
		return complain(s, "an index beyond 65535");
	if (isalnum((unsigned char)*end) || *end == '_')
		return complain(s, "not a number");
	s->at = end;
	part->index = n;
	if (!take(s, "]"))
		return complain(s, "']' is missing");
	return 0;
}

/* One more of "->name", ".name", "[1]". Its kind is left alone when there is none. */
static int scan_part(struct scanner *s, struct arg_part *part, bool *ret_found)
{
	*ret_found = true;
	if (take(s, "->")) {
		part->kind = ARG_PART_ARROW;
		return scan_name(s, "the name of a member is missing", &part->name, &part->column);
	}
	if (take(s, ".")) {
		part->kind = ARG_PART_DOT;
		return scan_name(s, "the name of a member is missing", &part->name, &part->column);
	}
	if (take(s, "[")) {
		part->kind = ARG_PART_INDEX;
		return scan_index(s, part);
	}
	*ret_found = false;
	return 0;
}

static void path_release(struct arg_path *path)
{
	vec_foreach(part, &path->parts)
		free(part->name);
	vec_release(&path->parts);
	free(path->text);
	free(path->name);
}

static int scan_path(struct scanner *s, struct arg_path *path)
{
	const char *start;
	int err;

	skip_blanks(s);
	start = s->at;
	while (take(s, "*")) {
		if (++path->stars > ARGS_MAX_STEPS)
			return complain(s, "too many pointers to follow");
	}
	err = scan_name(s, "the name of an argument is missing", &path->name, &path->column);
	while (!err) {
		struct arg_part part = {};
		bool found;

		err = scan_part(s, &part, &found);
		if (err || !found) {
			free(part.name);
			break;
		}
		if (path->parts.len == MAX_PARTS) {
			free(part.name);
			return complain(s, "too long a way");
		}
		if (vec_push(&path->parts, part)) {
			free(part.name);
			return report_oom();
		}
	}
	if (err)
		return err;
	path->text = trimmed(start, s->at);
	return path->text ? 0 : report_oom();
}

static int scan_paths(struct scanner *s, struct args_selection *selection)
{
	do {
		struct arg_path path = {};
		int err = scan_path(s, &path);

		if (!err && selection->paths.len == ARGS_MAX_ITEMS)
			err = report(-EINVAL, "--args: no more than %d of a function at column %d "
				     "of '%s'", ARGS_MAX_ITEMS, path.column, s->text);
		if (!err && vec_push(&selection->paths, path))
			err = report_oom();
		if (err) {
			path_release(&path);
			return err;
		}
	} while (take(s, ","));
	return *s->at ? complain(s, "this makes no sense") : 0;
}

/* The colon behind the glob: the last one, which does not begin a source path. */
static const char *find_colon(const char *text)
{
	const char *colon = strrchr(text, ':');

	return colon && colon > text + strspn(text, " \t") ? colon : NULL;
}

static int parse_glob(const char *text, const char *colon, struct spec_list *funcs)
{
	_cleanup_(free_p) char *glob = trimmed(text, colon);

	if (!glob)
		return report_oom();
	if (*glob == '@')
		return report(-EINVAL, "--args takes one GLOB and no list of them: '%s'", glob);
	return spec_list_add(funcs, glob);
}

int args_selection_parse(const char *text, struct args_selection *ret_selection)
{
	const char *colon = find_colon(text);
	struct args_selection selection = {};
	struct scanner s = { text, text };
	int err;

	if (!colon)
		return report(-EINVAL, "--args: '%s' is not of the form 'GLOB: a, b->c, *d'", text);
	s.at = colon + 1;
	selection.text = strdup(text);
	err = selection.text ? scan_paths(&s, &selection) : report_oom();
	err = err ?: parse_glob(text, colon, &selection.funcs);
	if (err)
		args_selection_release(&selection);
	else
		*ret_selection = selection;
	return err;
}

void args_selection_release(struct args_selection *selection)
{
	vec_foreach(path, &selection->paths)
		path_release(path);
	vec_release(&selection->paths);
	spec_list_release(&selection->funcs);
	free(selection->text);
	selection->text = NULL;
}

/* Something on the way from an argument. */
struct object {
	const struct args_selection *selection;
	bool strict;
	const struct btf *btf;
	uint32_t type;
	uint8_t pointers_to;	/* as struct param has it */
	bool user;		/* pointers lead to user memory */
	bool in_memory;		/* a step leads to it, or an address of it was passed */
	bool in_user;		/* that is user memory */
	struct arg_item item;
	uint64_t offset;	/* of it, from the last step or from where the argument begins */
	uint8_t bit_offset, bits;
};

#define COMPLAIN(o, column, fmt, ...)                                                              \
	((o)->strict ? report(-EINVAL, "--args: " fmt " at column %d of '%s'", ##__VA_ARGS__,      \
			      (column), (o)->selection->text) : -EINVAL)

/* Puts where the object is by now into the item, but for the bytes of a register before it. */
static int settle(struct object *o, uint8_t *skip, const char *name, int column)
{
	if (o->in_memory) {
		if (o->offset > UINT16_MAX)
			return COMPLAIN(o, column, "'%s' is too far into what it is in", name);
		o->item.steps[o->item.nr_steps - 1] = o->offset;
		return 0;
	}
	if (o->item.index + o->offset / 8 > UINT8_MAX || o->item.slot + o->offset / 8 > UINT8_MAX)
		return COMPLAIN(o, column, "'%s' is too far into what it is in", name);
	o->item.index += o->offset / 8;
	o->item.slot += o->offset / 8;
	*skip = o->offset % 8;
	return 0;
}

/* Follow the pointer that the object is, of which @name is what the user calls it. */
static int follow(struct object *o, const char *name, int column)
{
	uint32_t pointee = o->pointers_to ? o->type : o->btf ? btf_pointee(o->btf, o->type) : 0;
	uint8_t skip = 0;
	int err;

	if (!o->pointers_to &&
	    (!o->btf || !btf_underneath(o->btf, o->type) ||
	     !btf_is_ptr(btf_underneath(o->btf, o->type))))
		return COMPLAIN(o, column, "'%s' is no pointer", name);
	if (pointee && btf_has_tag(o->btf, pointee, "percpu"))
		return COMPLAIN(o, column, "'%s' leads to memory of each CPU's own", name);
	if (o->in_user)
		return COMPLAIN(o, column,
				"'%s' is in user memory, where pointers are not followed", name);
	if (o->bits || o->item.nr_steps == ARGS_MAX_STEPS)
		return COMPLAIN(o, column, "'%s' is one pointer more than the %d that are followed",
				name, ARGS_MAX_STEPS);
	err = settle(o, &skip, name, column);
	if (err)
		return err;
	if (skip)
		return COMPLAIN(o, column, "'%s' does not begin where a register does", name);
	o->item.nr_steps++;
	o->offset = 0;
	o->in_memory = true;
	o->in_user = o->user || (pointee && btf_has_tag(o->btf, pointee, "user"));
	o->type = pointee;
	/* Of what is then left, if that is none, BTF has the type. */
	if (o->pointers_to)
		o->pointers_to--;
	return 0;
}

static void offer(void *arg, const char *name)
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
		strbuf_addstr(&some->text, ", …");
}

static const char *kind_name(const struct btf_type *type)
{
	return btf_is_union(type) ? "union" : "struct";
}

static int report_no_member(const struct object *o, const struct btf_type *type,
			    const struct arg_part *part)
{
	struct nearest near = nearest_start(part->name);
	struct some_names some = { .text = STRBUF_INIT };
	const char *name = btf_type_name(o->btf, type);
	int err;

	if (!o->strict)
		return -EINVAL;
	btf_each_member(o->btf, o->type, offer, &near);
	strbuf_addstr(&some.text, "it has ");
	btf_each_member(o->btf, o->type, add_name, &some);
	err = nearest_report(&near, some.nr ? strbuf_str(&some.text) : "it has none at all",
			     "--args: %s%s%s has no member '%s' at column %d of '%s'",
			     kind_name(type), *name ? " " : "", name, part->name, part->column,
			     o->selection->text);
	strbuf_release(&some.text);
	return err;
}

static int go_to_member(struct object *o, const struct arg_part *part)
{
	const struct btf_type *type = o->pointers_to || !o->btf ? NULL :
				      btf_underneath(o->btf, o->type);
	struct btf_place place;

	if (type && (btf_is_fwd(type) || (btf_is_composite(type) && !btf_vlen(type))))
		return COMPLAIN(o, part->column, "BTF does not have what is in %s %s, where '%s' "
				"would be", kind_name(type), btf_type_name(o->btf, type),
				part->name);
	if (!type || !btf_is_composite(type))
		return COMPLAIN(o, part->column, "'%s' would be a member of what has no members",
				part->name);
	if (!btf_find_member(o->btf, o->type, part->name, &place))
		return report_no_member(o, type, part);
	o->offset += place.bit_offset / 8;
	o->bit_offset = place.bits ? place.bit_offset % 8 : 0;
	o->bits = place.bits > 64 ? 64 : place.bits;
	o->type = place.type;
	return 0;
}

static int go_to_element(struct object *o, const char *name, const struct arg_part *part)
{
	const struct btf_type *type = o->btf && !o->pointers_to ? btf_underneath(o->btf, o->type) :
								  NULL;
	int64_t size;
	int err;

	if (type && btf_is_array(type)) {
		uint32_t nr = btf_array(type)->nelems;

		if (nr && part->index >= nr)
			return COMPLAIN(o, part->column, "there is no [%u] in an array of %u",
					part->index, nr);
		o->type = btf_array(type)->type;
	} else {
		err = follow(o, name, part->column);
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

static bool is_pointer(const struct object *o)
{
	const struct btf_type *type;

	if (o->pointers_to)
		return true;
	type = o->btf ? btf_underneath(o->btf, o->type) : NULL;
	return type && btf_is_ptr(type);
}

static int go_on(struct object *o, const char *name, const struct arg_part *part)
{
	int err = 0;

	if (o->bits)
		return COMPLAIN(o, part->column, "'%s' is a bitfield, and nothing is in it", name);
	switch (part->kind) {
	case ARG_PART_ARROW:
		if (!is_pointer(o))
			return COMPLAIN(o, part->column, "'%s' is no pointer, write '%s.%s'", name,
					name, part->name);
		err = follow(o, name, part->column);
		return err ?: go_to_member(o, part);
	case ARG_PART_DOT:
		if (is_pointer(o))
			return COMPLAIN(o, part->column, "'%s' is a pointer, write '%s->%s'", name,
					name, part->name);
		return go_to_member(o, part);
	case ARG_PART_INDEX:
		return go_to_element(o, name, part);
	}
	return -EINVAL;
}

static int report_no_argument(const struct args_selection *selection, bool strict,
			      const char *func, const struct params *params,
			      const struct arg_path *path)
{
	struct nearest near = nearest_start(path->name);
	struct some_names some = { .text = STRBUF_INIT };
	int err;

	if (!strict)
		return -EINVAL;
	strbuf_addstr(&some.text, "it has ");
	for (uint32_t i = 0; i < params->nr; i++) {
		nearest_offer(&near, params->v[i].name);
		add_name(&some, params->v[i].name);
	}
	err = nearest_report(&near, some.nr ? strbuf_str(&some.text) : "it has none",
			     "--args: %s() has no argument '%s' at column %d of '%s'", func,
			     path->name, path->column, selection->text);
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

static struct object object_of(const struct args_selection *selection, bool strict,
			       const struct param *param)
{
	struct object o = {
		.selection = selection,
		.strict = strict,
		.btf = param->btf,
		.type = param->type,
		.pointers_to = param->pointers_to,
		.user = param->user,
		.in_memory = param->nr_steps || param->place.indirect,
		.item = item_at(&param->place),
		.offset = param->nr_steps ? param->step : 0,
	};

	o.item.nr_steps = o.in_memory;
	return o;
}

/* The item for an object that was gone to. */
static int add_object(struct func_args *args, const struct args_options *options,
		      struct object *o, const struct arg_path *path)
{
	struct arg arg = { .name = path->text, .btf = o->btf, .type = o->type };
	bool in_memory = o->in_memory || o->item.source == ARG_STACK;
	uint32_t pointee, max = in_memory ? options->max_sized : 16;
	int err = settle(o, &arg.skip, path->text, path->column);

	if (err)
		return err;
	if (o->in_user)
		o->item.flags |= ARG_USER;
	o->item.kind = ARG_VALUE;
	pointee = o->btf && !o->pointers_to ? btf_pointee(o->btf, o->type) : 0;
	if (o->pointers_to) {
		arg.form = ARG_AS_POINTER;
		arg.type = 0;
		o->item.size = 8;
	} else if (o->bits) {
		arg.bits = o->bits;
		arg.bit_offset = o->bit_offset;
		o->item.size = arg.skip + (o->bit_offset + o->bits + 7) / 8;
	} else if (pointee && btf_is_char(o->btf, pointee) && !o->in_user && !arg.skip &&
		   options->max_str) {
		if (o->user || btf_has_tag(o->btf, pointee, "user"))
			o->item.flags |= ARG_USER;
		o->item.kind = ARG_STRING;
		o->item.size = options->max_str < ARGS_MAX_BYTES ? options->max_str :
								   ARGS_MAX_BYTES;
		arg.form = ARG_AS_STRING;
		arg.type = pointee;
	} else {
		if (o->btf)
			o->item.size = args_size_of(o->btf, o->type, max, &arg.cut);
		if (!o->item.size)
			return COMPLAIN(o, path->column, "'%s' is of a type without a size",
					path->text);
		if (!o->in_memory)
			o->item.size += arg.skip;
	}
	if (!func_args_add(args, options, &o->item, &arg) && o->strict)
		return report(-EINVAL, "--args: no room for '%s' in the %u bytes of "
			      "args.max-total-args-size at column %d of '%s'", path->text,
			      options->max_total, path->column, o->selection->text);
	return 0;
}

static int select_path(struct func_args *args, const struct args_options *options,
		       const struct args_selection *selection, bool strict, const char *func,
		       const struct params *params, const struct arg_path *path)
{
	const struct param *param = find_param(params, path->name);
	const char *name = path->name;
	struct object o;
	int err = 0;

	if (!param)
		return report_no_argument(selection, strict, func, params, path);
	o = object_of(selection, strict, param);
	if (param->place.where == ARG_NOWHERE)
		return COMPLAIN(&o, path->column, "it is not known where '%s' is passed",
				path->name);
	if (!path->stars && !path->parts.len) {
		struct param renamed = *param;

		renamed.name = path->text;
		func_args_add_param(args, options, &renamed);
		return 0;
	}
	if (!param->type && !param->pointers_to)
		return COMPLAIN(&o, path->column, "BTF does not have the type of '%s'", path->name);
	vec_foreach(part, &path->parts) {
		err = go_on(&o, name, part);
		if (err)
			return err;
		if (part->name)
			name = part->name;
	}
	for (uint32_t i = 0; !err && i < path->stars; i++)
		err = follow(&o, name, path->column);
	return err ?: add_object(args, options, &o, path);
}

int args_select(const struct args_selection *selection, bool strict,
		struct kernel_btf *btf, const struct plan_func *func,
		const struct syscall_params *syscall, const struct args_options *options,
		enum arg_abi abi, struct func_args *ret_args)
{
	struct func_args args = { .selected = true };
	struct params params;
	int err;

	params_of_func(btf, func, syscall, abi, &params);
	err = func_args_reserve(&args, selection->paths.len);
	if (err)
		return err;
	vec_foreach(path, &selection->paths) {
		err = select_path(&args, options, selection, strict, func->name, &params, path);
		if (err && strict) {
			func_args_release(&args);
			return err;
		}
	}
	if (!args.nr) {
		func_args_release(&args);
		return -EINVAL;
	}
	args.items.max_bytes = (args.items.max_bytes + 15) & ~15u;
	*ret_args = args;
	return 0;
}
