// SPDX-License-Identifier: BSD-2-Clause
/* Which parts of functions' arguments are captured. */
#include "util/plan/args/args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/ask/args_selection.h"
#include "util/base/macros.h"
#include "util/base/report.h"
#include "util/kernel/arch/arch.h"
#include "util/kernel/types/btf.h"
#include "util/kernel/types/btf_types.h"
#include "util/plan/args/args_internal.h"

/* No call has more; the rest of the buffer is undefined. */
#define MAX_BYTES (ARGS_MAX_BYTES - 16)

static uint32_t padded_size(uint32_t size)
{
	return (size + 7) & ~7u;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* The registers, where more is not known. */
static void params_of_registers(const struct arch *arch, struct params *params)
{
	params->nr = arch->nr_arg_registers;
	for (uint32_t i = 0; i < params->nr; i++) {
		params->v[i] = (struct param){
			.name = arch_arg_register(arch, i),
			.number_size = 8,
			.place = { .where = ARG_IN_REGISTERS,
				   .index = i,
				   .context_slot = i,
				   .size = 8 },
		};
	}
}

/* A parameter without a name, as people number them. */
static const char *param_number_name(uint32_t i)
{
	static const char *const names[ARG_LAYOUT_MAX] = {
		"arg0",	 "arg1",  "arg2",  "arg3",  "arg4",  "arg5",  "arg6",  "arg7",
		"arg8",	 "arg9",  "arg10", "arg11", "arg12", "arg13", "arg14", "arg15",
		"arg16", "arg17", "arg18", "arg19", "arg20", "arg21", "arg22", "arg23",
		"arg24", "arg25", "arg26", "arg27", "arg28", "arg29", "arg30", "arg31",
	};

	return names[i];
}

bool params_of_btf(struct kernel_btf *btf, int module, uint32_t id, const struct arch *arch,
		   struct params *params)
{
	const struct btf *types = kernel_btf_types(btf, module);
	const struct btf_type *names;
	uint32_t types_id, names_id;
	struct arg_layout layout;

	if (!kernel_btf_protos(btf, module, id, &types_id, &names_id) ||
	    arg_layout(types, types_id, arch, &layout))
		return false;
	names = btf__type_by_id(types, names_id);
	params->nr = smaller(layout.nr, ARG_LAYOUT_MAX);
	params->variadic = layout.variadic || layout.nr > ARG_LAYOUT_MAX;
	params->more_known = layout.more_known;
	params->more_register = layout.more_register;
	params->more_slot = layout.more_slot;
	for (uint32_t i = 0; i < params->nr; i++) {
		const char *name = "";

		if (i < btf_vlen(names))
			name = btf_name(types, btf_params(names)[i].name_off);
		params->v[i] = (struct param){
			.name = *name ? name : param_number_name(i),
			.btf = types,
			.type = layout.places[i].type,
			.place = layout.places[i],
		};
	}
	return true;
}

void params_of_func(struct kernel_btf *btf, const struct args_func *func,
		    const struct syscall_params *syscall, const struct arch *arch,
		    struct params *ret_params)
{
	struct params *params = ret_params;

	*params = (struct params){};
	if (args_syscall_name(func->name)) {
		params_of_syscall(btf, func, syscall, arch, params);
		return;
	}
	if (!btf || !func->btf_id ||
	    !params_of_btf(btf, func->btf_module, func->btf_id, arch, params))
		params_of_registers(arch, params);
	params_inside_syscall(func, params);
}

int func_args_reserve(struct func_args *args, uint32_t nr)
{
	args->args = nr ? calloc(nr, sizeof(*args->args)) : NULL;
	return nr && !args->args ? report_oom() : 0;
}

struct arg_item item_at(const struct arg_place *place)
{
	return (struct arg_item){
		.source = place->where == ARG_ON_STACK ? ARG_STACK : ARG_REGISTER,
		.index = place->index,
		.slot = place->context_slot,
	};
}

uint32_t args_size_of(const struct btf *btf, uint32_t type, uint32_t max, bool *ret_cut)
{
	int64_t size = btf_size_of(btf, type);

	max = smaller(max, MAX_BYTES);
	*ret_cut = size > max;
	if (size <= 0)
		return 0;
	return size > max ? max : size;
}

bool args_may_be_text(const struct btf *btf, uint32_t type)
{
	return btf_is_char(btf, type) || btf_is_unsigned_char(btf, type);
}

uint32_t args_string_size(const struct args_options *options)
{
	return options->max_str ? smaller(options->max_str, MAX_BYTES - 1) + 1 : 0;
}

/* Room for an item; its size may become less. Its index, or -1. */
static int add_item(struct func_args *args, const struct args_options *options,
		    struct arg_item item)
{
	struct arg_items *items = &args->items;
	uint32_t limit = smaller(options->max_total, MAX_BYTES);
	uint32_t left = limit > items->max_bytes ? (limit - items->max_bytes) & ~7u : 0;

	if (items->nr == ARGS_MAX_ITEMS)
		return -1;
	if (padded_size(item.size) > left) {
		/* Half a number is worse than none, and names are not counted. */
		if ((item.kind == ARG_VALUE && item.size <= 16) || item.kind == ARG_PATH)
			return -1;
		item.size = left;
	}
	if (!item.size)
		return -1;
	items->items[items->nr] = item;
	items->max_bytes += padded_size(item.size);
	return items->nr++;
}

bool func_args_add(struct func_args *args, const struct args_options *options,
		   const struct arg_item *item, const struct arg *arg)
{
	struct arg *added = &args->args[args->nr++];

	*added = *arg;
	added->item = item->size ? add_item(args, options, *item) : -1;
	if (added->item < 0)
		return false;
	added->cut |= args->items.items[added->item].size < item->size;
	return true;
}

/* Whether a pointer to it is one to a string. */
static bool is_text(const struct param *param, uint32_t pointee)
{
	if (param->pointers_to)
		return param->pointers_to == 1 && param->text;
	return args_may_be_text(param->btf, pointee);
}

/* struct sockaddr stands for larger ones; IPv6's is the largest that most are. */
#define SOCKET_ADDRESS_SIZE 28

static bool is_socket_address(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf_underneath(btf, id);

	return type && btf_is_struct(type) && !strcmp(btf_type_name(btf, type), "sockaddr");
}

/* Types that have a path, and the member that points to their directory entry. */
static const struct {
	const char *name;
	const char *members[2];
} with_path[] = {
	{ "dentry", {} },
	{ "path", { "dentry" } },
	{ "file", { "f_path", "dentry" } },
};

static bool add_step(const struct btf *btf, uint32_t *type, const char *name, uint32_t *offset)
{
	struct btf_place place;

	if (!btf_find_member(btf, *type, name, &place))
		return false;
	*type = place.type;
	*offset += place.bit_offset / 8;
	return true;
}

/* Makes an item of the path of what a pointer leads to. False: it has none that can be found. */
static bool path_item(const struct btf *btf, uint32_t pointee, struct arg_item *item)
{
	const struct btf_type *type = btf ? btf_underneath(btf, pointee) : NULL;
	uint32_t entry = pointee, step = 0, name = 0, parent = 0, of;
	size_t i = 0;

	if (!type || !btf_is_struct(type))
		return false;
	while (strcmp(btf_type_name(btf, type), with_path[i].name)) {
		if (++i == ARRAY_SIZE(with_path))
			return false;
	}
	for (int m = 0; m < 2 && with_path[i].members[m]; m++) {
		if (!add_step(btf, &entry, with_path[i].members[m], &step))
			return false;
	}
	if (i)
		entry = btf_pointee(btf, entry);
	of = entry;
	if (!add_step(btf, &of, "d_name", &name) || !add_step(btf, &of, "name", &name) ||
	    !add_step(btf, &entry, "d_parent", &parent) || step > UINT16_MAX ||
	    name > UINT16_MAX || parent > UINT16_MAX)
		return false;
	item->kind = ARG_PATH;
	item->flags = 0;
	item->size = ARGS_PATH_NAMES * ARGS_PATH_NAME + 1;
	item->nr_steps = i > 0;
	item->steps[0] = step;
	item->steps[PATH_STEP_NAME] = name;
	item->steps[PATH_STEP_PARENT] = parent;
	return true;
}

/* A pointer's value, and the object that it points to, if that can be shown. */
static void add_pointer(struct func_args *args, const struct args_options *options,
			const struct param *param, struct arg_item item, struct arg arg,
			uint32_t pointee)
{
	struct arg_item pointer = item;
	bool text = is_text(param, pointee), path = false;

	pointer.kind = ARG_VALUE;
	pointer.size = 8;
	if (param->btf && btf_has_tag(param->btf, pointee, "user"))
		item.flags |= ARG_USER;
	if (text) {
		item.kind = ARG_STRING;
		item.size = args_string_size(options);
	} else if (options->max_str && !options->members && !item.nr_steps &&
		   path_item(param->btf, pointee, &item)) {
		path = true;
	} else {
		item.kind = ARG_MEMORY;
		item.size = args_size_of(param->btf, pointee, options->max_sized, &arg.cut);
		if (is_socket_address(param->btf, pointee))
			item.size = smaller(SOCKET_ADDRESS_SIZE, options->max_sized);
	}
	if (!item.size) {
		func_args_add(args, options, &pointer, &arg);
		return;
	}
	if (options->raw_ptrs) {
		if (!func_args_add(args, options, &pointer, &arg))
			return;
		/* The argument is one, whatever its items are. */
		args->nr--;
		arg.raw = true;
	}
	arg.form = text ? ARG_AS_STRING : path ? ARG_AS_PATH : ARG_AS_POINTEE;
	arg.type = pointee;
	if (!func_args_add(args, options, &item, &arg) && options->raw_ptrs) {
		struct arg *added = &args->args[args->nr - 1];

		*added = (struct arg){ .name = arg.name, .form = ARG_AS_POINTER,
				       .item = args->items.nr - 1 };
	}
}

/* Whether the object that a pointer points to is worth reading. */
static bool is_followed(const struct param *param, uint32_t pointee)
{
	const struct btf_type *type;

	if (param->pointers_to && is_text(param, pointee))
		return param->constant || param->input;
	type = pointee ? btf_underneath(param->btf, pointee) : NULL;
	if (!type || btf_is_ptr(type) || btf_has_tag(param->btf, pointee, "percpu") || param->output)
		return false;
	/* A buffer that a system call is to fill, or a number it is to leave somewhere. */
	if (param->user && !btf_is_composite(type))
		return param->input || (param->pointers_to ? param->constant :
					btf_is_constant(param->btf, pointee));
	return true;
}

void func_args_add_param(struct func_args *args, const struct args_options *options,
			 const struct param *param)
{
	struct arg_item item = item_at(&param->place);
	struct arg arg = {
		.name = param->name,
		.btf = param->btf,
		.type = param->type,
		.form = ARG_AS_VALUE,
		.size = param->number_size,
		.is_signed = param->is_signed,
	};
	const struct btf_type *type;
	uint32_t pointee = 0;

	if (param->place.where == ARG_NOWHERE) {
		func_args_add(args, options, &item, &arg);
		return;
	}
	item.flags = param->user ? ARG_USER : 0;
	item.nr_steps = param->nr_steps;
	item.steps[0] = param->step;
	type = param->type ? btf_underneath(param->btf, param->type) : NULL;
	if (param->pointers_to) {
		arg.form = ARG_AS_POINTER;
		arg.type = 0;
		pointee = param->pointers_to == 1 ? param->type : 0;
	} else if (type && btf_is_ptr(type)) {
		pointee = type->type;
	}
	if ((pointee || param->pointers_to) && is_followed(param, pointee)) {
		add_pointer(args, options, param, item, arg, pointee);
		return;
	}
	/* The value itself stands in the kernel's memory, wherever it leads. */
	item.flags = 0;
	item.kind = ARG_VALUE;
	item.size = 8;
	if (param->place.indirect) {
		item.kind = ARG_MEMORY;
		item.size = args_size_of(param->btf, param->type, options->max_sized, &arg.cut);
	} else if (!arg.type) {
		item.size = param->pointers_to ? 8 : param->number_size;
	} else if (param->nr_steps) {
		item.size = args_size_of(param->btf, param->type, 8, &arg.cut);
	} else {
		item.size = args_size_of(param->btf, param->type,
					 param->place.where == ARG_ON_STACK ? options->max_sized :
									      16, &arg.cut);
	}
	func_args_add(args, options, &item, &arg);
}

/* Words of "..." on the stack, and bytes of a string that one leads to. */
#define MORE_SLOTS 6
#define MORE_TEXT 64

/* Up to two words in registers, or some on the stack. False: there was no room. */
static bool add_words(struct func_args *args, const struct args_options *options,
		      enum arg_source source, uint32_t index, uint32_t nr)
{
	struct args_more *more = &args->more;
	struct arg_item item = {
		.kind = ARG_VALUE,
		.source = source,
		.index = index,
		.slot = index,
		.size = 8 * nr,
	};
	int added;

	if (more->nr + nr > ARRAY_SIZE(more->words))
		return false;
	/* It must not shrink: how many words there are is said beside it. */
	if (padded_size(item.size) + args->items.max_bytes > smaller(options->max_total, MAX_BYTES))
		return false;
	added = add_item(args, options, item);
	for (uint32_t i = 0; added >= 0 && i < nr; i++) {
		more->words[more->nr].item = added;
		more->words[more->nr].skip = 8 * i;
		more->words[more->nr++].text = -1;
	}
	return added >= 0;
}

/* The string that a word leads to, if it is the address of one in the kernel. */
static bool add_word_text(struct func_args *args, const struct args_options *options, uint32_t i)
{
	const struct arg_item *words = &args->items.items[args->more.words[i].item];
	struct arg_item item = {
		.kind = ARG_STRING,
		.source = words->source,
		.index = words->index + args->more.words[i].skip / 8,
		.flags = ARG_KERNEL,
		.size = smaller(options->max_str, MORE_TEXT) + 1,
	};

	item.slot = item.index;
	args->more.words[i].text = add_item(args, options, item);
	return args->more.words[i].text >= 0;
}

/* What "..." stands for, where the argument before it is a format. */
static void add_more(struct func_args *args, const struct args_options *options,
		     const struct params *params, const struct arch *arch)
{
	uint32_t end = arch->nr_arg_registers, nr;
	const struct arg *format;
	bool room = true;

	if (!params->nr || !params->more_known)
		return;
	args->more.format = params->nr - 1;
	format = &args->args[args->more.format];
	if (format->form != ARG_AS_STRING || format->item < 0 ||
	    !btf_is_char(format->btf, format->type))
		return;
	for (uint32_t i = params->more_register; room && i < end; i += nr) {
		nr = smaller(end - i, 2);
		room = add_words(args, options, ARG_REGISTER, i, nr);
	}
	if (room && params->more_slot + MORE_SLOTS <= UINT8_MAX)
		add_words(args, options, ARG_STACK, params->more_slot, MORE_SLOTS);
	room = true;
	for (uint32_t i = 0; room && i < args->more.nr; i++)
		room = add_word_text(args, options, i);
}

int args_of_func(struct kernel_btf *btf, const struct args_func *func,
		 const struct syscall_params *syscall, const struct args_options *options,
		 const struct arch *arch, struct func_args *ret_args)
{
	struct func_args args = {};
	struct params params;

	params_of_func(btf, func, syscall, arch, &params);
	if (func_args_reserve(&args, params.nr))
		return -ENOMEM;
	for (uint32_t i = 0; i < params.nr; i++)
		func_args_add_param(&args, options, &params.v[i]);
	args.variadic = params.variadic;
	add_more(&args, options, &params, arch);
	args.items.max_bytes = (args.items.max_bytes + 15) & ~15u;
	*ret_args = args;
	return 0;
}

void func_args_release(struct func_args *args)
{
	free(args->args);
	*args = (struct func_args){};
}

/* Bytes of the names that a path is made of, with the empty one after them. */
static size_t names_size(const uint8_t *data, size_t left)
{
	size_t size = 0, len = 1;

	/* The innermost may have no name, either. */
	for (int i = 0; i <= ARGS_PATH_NAMES && size < left && (len || i < 2); i++) {
		len = strnlen((const char *)data + size, left - size);
		size += len < left - size ? len + 1 : len;
	}
	return size;
}

void args_decode(const struct arg_items *items, uint64_t value, const void *data, size_t len,
		 struct arg_data ret_data[ARGS_MAX_ITEMS])
{
	uint32_t nr = smaller(items->nr, ARGS_MAX_ITEMS);
	size_t left = len < ARGS_SIZE(value) ? len : ARGS_SIZE(value);
	const uint8_t *at = data;

	memset(ret_data, 0, ARGS_MAX_ITEMS * sizeof(ret_data[0]));
	for (uint32_t i = 0; i < nr && left; i++) {
		const struct arg_item *item = &items->items[i];
		struct arg_data *part = &ret_data[i];
		size_t size = item->size, taken;

		part->unread = ARGS_UNREAD(value) >> i & 1;
		if (part->unread)
			size = sizeof(uint64_t);
		part->data = at;
		part->cut = size > left;
		part->len = part->cut ? left : size;
		taken = part->len;
		if (item->kind == ARG_PATH && !part->unread) {
			part->len = names_size(at, part->len);
			part->cut = false;
			taken = part->len;
		} else if (item->kind == ARG_STRING && !part->unread) {
			part->len = strnlen((const char *)at, part->len);
			part->cut = part->len == taken;
			taken = part->len < taken ? part->len + 1 : taken;
			/*
			 * Text that fills its buffer may be longer; without its last character it
			 * is.
			 */
			if (part->len + 1 >= size && size > 1) {
				part->len = size - 2;
				part->cut = true;
			}
		}
		at += taken;
		left -= taken;
	}
}

uint32_t args_captured_bytes(const struct arg_items *items, uint64_t value, const void *data,
			     size_t len)
{
	struct arg_data parts[ARGS_MAX_ITEMS];
	uint32_t bytes = 0;

	args_decode(items, value, data, len, parts);
	for (uint32_t i = 0; i < ARGS_MAX_ITEMS; i++) {
		const struct arg_item *item = &items->items[i];

		if (!parts[i].data)
			continue;
		if (parts[i].unread)
			bytes += sizeof(uint64_t);
		else if (item->kind == ARG_STRING)
			bytes += parts[i].len + 1 + parts[i].cut;
		else
			bytes += parts[i].len;
	}
	return bytes;
}
