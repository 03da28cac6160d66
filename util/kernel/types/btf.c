// SPDX-License-Identifier: BSD-2-Clause
/* Reading BTF, and the index of functions by name. */
#include "util/kernel/types/btf.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/base/cleanup.h"
#include "util/base/report.h"
#include "util/base/strmap.h"
#include "util/base/vec.h"
#include "util/kernel/types/btf_check.h"
#include "util/kernel/types/btf_types.h"
#include "util/kernel/types/symbol_variant.h"

#define SYSFS_BTF "/sys/kernel/btf"

/* In a name's entry of the index: other FUNCs have that name, too. Ids stay below 2^31. */
#define AMBIGUOUS 0x80000000u

struct twin {
	uint32_t first, id;
};

struct loaded {
	struct kernel_btf_module pub;
	char *name;		/* the string that pub.name points to */
	uint32_t first_id;	/* below that, types are vmlinux's */
	struct strmap funcs;	/* name to id of its first FUNC, | AMBIGUOUS */
	VEC(struct twin) twins;	/* FUNCs with the name of an earlier one */
	uint64_t twin_bits[16];	/* hash of the firsts, to rule out nearly all others */
	bool indexed;
	struct btf_dump *dump;	/* made on first use */
};

struct kernel_btf {
	VEC(struct loaded *) loaded;	/* [0] is vmlinux; pointers, since pub is handed out */
	struct strmap by_name;		/* module to index in loaded, or NO_BTF */
	VEC(char *) without;		/* names of modules without BTF, keys of by_name */
	bool live;
	bool has_ids;
	struct strbuf *dump_to;
};

#define NO_BTF UINT32_MAX
#define STALE (UINT32_MAX - 1)	/* loaded again since; to be read again */

static void loaded_free(struct loaded *l)
{
	if (l->dump)
		btf_dump__free(l->dump);
	strmap_release(&l->funcs);
	vec_release(&l->twins);
	btf__free(l->pub.btf);
	free(l->name);
	free(l);
}

int kernel_btf_add_module(struct kernel_btf *btf, const char *name, struct btf *types)
{
	struct loaded *l = calloc(1, sizeof(*l));
	uint32_t *place;

	if (!l)
		return -ENOMEM;
	l->first_id = 1;
	if (name) {
		l->name = strdup(name);
		if (!l->name)
			goto oom;
		l->first_id = btf__type_cnt(btf->loaded.data[0]->pub.btf);
	}
	l->pub.name = l->name;
	if (vec_push(&btf->loaded, l))
		goto oom;
	if (name) {
		place = strmap_put(&btf->by_name, l->name, 0);
		if (!place) {
			btf->loaded.len--;
			goto oom;
		}
		*place = btf->loaded.len - 1;
	}
	l->pub.btf = types;
	btf->has_ids = false;
	return btf->loaded.len - 1;
oom:
	loaded_free(l);
	return -ENOMEM;
}

int kernel_btf_from(struct btf *vmlinux, struct kernel_btf **ret_btf)
{
	struct kernel_btf *btf = calloc(1, sizeof(*btf));
	int err;

	if (!btf)
		return -ENOMEM;
	err = kernel_btf_add_module(btf, NULL, vmlinux);
	if (err < 0) {
		kernel_btf_free(btf);
		return err;
	}
	*ret_btf = btf;
	return 0;
}

void kernel_btf_free(struct kernel_btf *btf)
{
	if (!btf)
		return;
	/* Modules first: they are split on top of vmlinux's. */
	for (size_t i = btf->loaded.len; i-- > 0;)
		loaded_free(btf->loaded.data[i]);
	vec_release(&btf->loaded);
	vec_foreach(name, &btf->without)
		free(*name);
	vec_release(&btf->without);
	strmap_release(&btf->by_name);
	free(btf);
}

static int load_btf(const char *path, bool live, struct kernel_btf **ret_btf)
{
	struct btf *types = btf__parse(path, NULL);
	int err;

	if (!types)
		return -errno;
	/* The running kernel's is trusted; checking would delay each run. */
	err = (live ? 0 : btf_check(types)) ?: kernel_btf_from(types, ret_btf);
	if (err) {
		btf__free(types);
		return err;
	}
	(*ret_btf)->live = live;
	return 0;
}

int kernel_btf_load_live(struct kernel_btf **ret_btf)
{
	return load_btf(SYSFS_BTF "/vmlinux", true, ret_btf);
}

int kernel_btf_load_file(const char *path, struct kernel_btf **ret_btf)
{
	int err = load_btf(path, false, ret_btf);

	/* libbpf has EPROTO for an ELF file without the section; to callers it is the same. */
	return err == -EPROTO || err == -ENODATA ? -ENOENT : err;
}

int kernel_btf_find_module(struct kernel_btf *btf, const char *name)
{
	char path[256];
	struct btf *types = NULL;
	uint32_t *known;
	char *copy;
	int index;

	if (!name || !strcmp(name, "vmlinux"))
		return 0;
	known = strmap_get(&btf->by_name, name);
	if (known && *known != STALE)
		return *known == NO_BTF ? -ENOENT : (int)*known;

	if (btf->live && (size_t)snprintf(path, sizeof(path), SYSFS_BTF "/%s", name) < sizeof(path))
		types = btf__parse_split(path, btf->loaded.data[0]->pub.btf);
	if (types) {
		index = kernel_btf_add_module(btf, name, types);
		if (index < 0)
			btf__free(types);
		return index;
	}
	if (known) {
		*known = NO_BTF;
		return -ENOENT;
	}
	copy = strdup(name);
	if (copy && !vec_push(&btf->without, copy))
		strmap_put(&btf->by_name, copy, NO_BTF);
	else
		free(copy);
	return -ENOENT;
}

void kernel_btf_forget_module(struct kernel_btf *btf, const char *name)
{
	uint32_t *known = strmap_get(&btf->by_name, name);

	if (known)
		*known = STALE;
}

/* Ask the kernel for all its BTF objects, and note the ids of those that are loaded here. */
static void find_ids(struct kernel_btf *btf)
{
	uint32_t id = 0;

	while (!bpf_btf_get_next_id(id, &id)) {
		_cleanup_(close_fd) int fd = bpf_btf_get_fd_by_id(id);
		struct bpf_btf_info info = { 0 };
		uint32_t len = sizeof(info);
		char name[64] = "";
		uint32_t *index;

		info.name = (uintptr_t)name;
		info.name_len = sizeof(name);
		if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &len) || !info.kernel_btf)
			continue;
		if (!strcmp(name, "vmlinux")) {
			btf->loaded.data[0]->pub.id = id;
			continue;
		}
		index = strmap_get(&btf->by_name, name);
		if (index && *index < btf->loaded.len)
			btf->loaded.data[*index]->pub.id = id;
	}
}

const struct kernel_btf_module *kernel_btf_module(struct kernel_btf *btf, int index)
{
	if (index < 0 || (size_t)index >= btf->loaded.len)
		return NULL;
	if (btf->live && !btf->has_ids)
		find_ids(btf);
	btf->has_ids = true;
	return &btf->loaded.data[index]->pub;
}

bool kernel_btf_is_live(const struct kernel_btf *btf)
{
	return btf->live;
}

const struct btf *kernel_btf_types(const struct kernel_btf *btf, int index)
{
	return btf->loaded.data[index]->pub.btf;
}

bool kernel_btf_has_modules(const struct kernel_btf *btf)
{
	return btf->loaded.len > 1;
}

static const struct btf_type *prototype_of(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	if (type && btf_is_func(type))
		type = btf__type_by_id(btf, type->type);
	return type && btf_is_func_proto(type) ? type : NULL;
}

/* Whether two FUNCs take and return the same, whatever the names of their parameters. */
static bool same_prototype(const struct btf *btf, uint32_t id_a, uint32_t id_b)
{
	const struct btf_type *a = prototype_of(btf, id_a), *b = prototype_of(btf, id_b);

	if (!a || !b || a->type != b->type || btf_vlen(a) != btf_vlen(b))
		return false;
	for (int i = 0; i < btf_vlen(a); i++) {
		if (btf_params(a)[i].type != btf_params(b)[i].type)
			return false;
	}
	return true;
}

static void set_twin_bit(struct loaded *l, uint32_t id)
{
	l->twin_bits[id / 64 % 16] |= 1ull << id % 64;
}

static bool has_twin_bit(const struct loaded *l, uint32_t id)
{
	return l->twin_bits[id / 64 % 16] >> id % 64 & 1;
}

static int make_index(struct loaded *l)
{
	uint32_t end = btf__type_cnt(l->pub.btf);

	if (l->indexed)
		return 0;
	/* About half of a kernel's types are functions. */
	if (strmap_reserve(&l->funcs, (end - l->first_id) / 2))
		return report_oom();
	for (uint32_t id = l->first_id; id < end; id++) {
		const struct btf_type *type = btf__type_by_id(l->pub.btf, id);
		uint32_t *known;

		if (!btf_is_func(type))
			continue;
		known = strmap_put(&l->funcs, btf__name_by_offset(l->pub.btf, type->name_off), id);
		if (!known)
			return report_oom();
		if (*known == id)
			continue;
		/*
		 * All have one prototype: any of them will do. System calls up to 6.1 are like
		 * that: the function, and its weak version for kernels without it.
		 */
		if (same_prototype(l->pub.btf, *known & ~AMBIGUOUS, id))
			continue;
		*known |= AMBIGUOUS;
		set_twin_bit(l, *known & ~AMBIGUOUS);
		if (vec_push(&l->twins, (struct twin){ *known & ~AMBIGUOUS, id }))
			return report_oom();
	}
	l->indexed = true;
	return 0;
}

int kernel_btf_find_func(struct kernel_btf *btf, const char *name, const char *module,
			 uint32_t *ret_id, int *ret_module)
{
	int index = kernel_btf_find_module(btf, module);
	const uint32_t *id;

	if (index < 0 || make_index(btf->loaded.data[index]))
		return -ENOENT;
	id = strmap_get(&btf->loaded.data[index]->funcs, name);
	if (!id)
		return -ENOENT;
	*ret_id = *id & ~AMBIGUOUS;
	*ret_module = index;
	return *id & AMBIGUOUS ? 1 : 0;
}

uint32_t kernel_btf_func_id(struct kernel_btf *btf, const char *name)
{
	uint32_t id;
	int module;

	return kernel_btf_find_func(btf, name, NULL, &id, &module) ? 0 : id;
}

static bool is_u64(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const char *name;

	if (!type || !btf_is_typedef(type))
		return false;
	name = btf__name_by_offset(btf, type->name_off);
	return !strcmp(name, "u64") || !strcmp(name, "__u64");
}

/* BPF_CALL_n() gives all helpers one prototype, which no other function has. */
static bool is_bpf_helper(const struct btf *btf, const struct btf_type *proto)
{
	const struct btf_param *param = btf_params(proto);

	if (btf_vlen(proto) != 5 || !is_u64(btf, proto->type))
		return false;
	for (int i = 0; i < 5; i++) {
		if (!is_u64(btf, param[i].type))
			return false;
	}
	return true;
}

static enum return_kind kind_of_int(uint32_t size, bool is_signed)
{
	if (size == 1)
		return is_signed ? RETURN_INT8 : RETURN_UNSIGNED8;
	if (size == 2)
		return is_signed ? RETURN_INT16 : RETURN_UNSIGNED16;
	if (size == 4)
		return is_signed ? RETURN_INT32 : RETURN_UNSIGNED32;
	if (size == 8)
		return is_signed ? RETURN_INT64 : RETURN_UNSIGNED64;
	return RETURN_STRUCT;
}

static enum return_kind kind_of(const struct btf_type *type)
{
	switch (type ? btf_kind(type) : BTF_KIND_UNKN) {
	case BTF_KIND_UNKN:
		return RETURN_VOID;
	case BTF_KIND_PTR:
		return RETURN_POINTER;
	case BTF_KIND_INT:
		if (btf_int_encoding(type) & BTF_INT_BOOL)
			return RETURN_BOOL;
		return kind_of_int(type->size, btf_int_encoding(type) & BTF_INT_SIGNED);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		/* Functions that return an enum hand out errnos in it, whatever its sign. */
		return type->size < 4 ? RETURN_NARROW : kind_of_int(type->size, true);
	default:
		return RETURN_STRUCT;
	}
}

static enum return_kind return_kind(const struct btf *types, uint32_t id)
{
	const struct btf_type *proto = prototype_of(types, id);

	if (!proto)
		return RETURN_UNKNOWN;
	if (is_bpf_helper(types, proto))
		return bpf_helper_return_kind(
			btf__name_by_offset(types, btf__type_by_id(types, id)->name_off));
	return kind_of(btf_underneath(types, proto->type));
}

enum return_kind kernel_btf_return_kind(const struct kernel_btf *btf, int module, uint32_t id)
{
	const struct loaded *l = btf->loaded.data[module];
	enum return_kind kind = return_kind(l->pub.btf, id);

	/* Several functions have this name, and any may be meant: they must agree. */
	if (!has_twin_bit(l, id))
		return kind;
	return vec_find(twin, &l->twins,
			twin->first == id && return_kind(l->pub.btf, twin->id) != kind) ?
		       RETURN_UNKNOWN :
		       kind;
}

enum return_kind kernel_btf_return_kind_of_clone(struct kernel_btf *btf, const char *name,
						 const char *module)
{
	enum symbol_variant variant = symbol_variant(name);
	_cleanup_(free_p) char *base = strndup(name, strcspn(name, "."));
	uint32_t id;
	int index;

	if (!base || (variant != VARIANT_CLONE && variant != VARIANT_RENAMED) ||
	    kernel_btf_find_func(btf, base, module, &id, &index) < 0)
		return RETURN_UNKNOWN;
	return kernel_btf_return_kind(btf, index, id);
}

/* Size in bytes of an argument or result as the kernel models it; -1 it can't. */
static int modelled_size(const struct btf_type *type)
{
	if (!type)
		return -1;
	if (btf_is_ptr(type))
		return sizeof(uint64_t);
	if (btf_is_int(type) || btf_is_any_enum(type) || btf_is_composite(type))
		return type->size;
	return -1;
}

void kernel_btf_shape(const struct kernel_btf *btf, int module, uint32_t id,
		      struct btf_shape *ret_shape)
{
	const struct btf *types = kernel_btf_types(btf, module);
	const struct btf_type *proto = prototype_of(types, id), *type;
	struct btf_shape shape = { 0 };

	if (!proto) {
		ret_shape->untypable = true;
		return;
	}
	type = btf_underneath(types, proto->type);
	if (type && (btf_is_composite(type) || modelled_size(type) < 0 || type->size > 8) &&
	    !btf_is_ptr(type))
		shape.untypable = true;
	shape.params = btf_vlen(proto);
	for (int i = 0; i < shape.params; i++) {
		int size;

		/* Type 0 is the "..." of a variadic function. */
		type = btf_underneath(types, btf_params(proto)[i].type);
		size = modelled_size(type);
		if (size <= 0 || size > 16) {
			shape.untypable = true;
			size = 8;
		} else if (btf_is_composite(type)) {
			shape.struct_args = true;
		}
		shape.arg_slots += (size + 7) / 8;
	}
	*ret_shape = shape;
}

/* The true parameters of a helper that BPF_CALL_n() keeps: u64 (*btf_NAME)(...). 0: none. */
static uint32_t declared_proto(const struct btf *btf, const struct btf_type *func)
{
	const struct btf_type *ptr;
	char declaration[256];
	int declared;

	snprintf(declaration, sizeof(declaration), "btf_%s",
		 btf__name_by_offset(btf, func->name_off));
	declared = btf__find_by_name_kind(btf, declaration, BTF_KIND_TYPEDEF);
	ptr = declared > 0 ? btf_underneath(btf, declared) : NULL;
	return ptr && btf_is_ptr(ptr) && prototype_of(btf, ptr->type) ? ptr->type : 0;
}

bool kernel_btf_protos(const struct kernel_btf *btf, int module, uint32_t id, uint32_t *ret_types,
		       uint32_t *ret_names)
{
	const struct loaded *l = btf->loaded.data[module];
	const struct btf_type *proto = prototype_of(l->pub.btf, id), *func;
	uint32_t declared = 0;

	if (!proto)
		return false;
	if (has_twin_bit(l, id)) {
		if (vec_find(twin, &l->twins,
			     twin->first == id && !same_prototype(l->pub.btf, id, twin->id)))
			return false;
	}
	func = btf__type_by_id(l->pub.btf, id);
	*ret_names = btf_is_func(func) ? func->type : id;
	if (btf_is_func(func) && is_bpf_helper(l->pub.btf, proto))
		declared = declared_proto(l->pub.btf, func);
	*ret_types = declared ?: *ret_names;
	return true;
}

static void dump_line(void *arg, const char *fmt, va_list args)
{
	struct kernel_btf *btf = arg;

	if (btf->dump_to)
		strbuf_vaddf(btf->dump_to, fmt, args);
}

void kernel_btf_prototype(struct kernel_btf *btf, int module, uint32_t id, const char *name,
			  struct strbuf *sb)
{
	struct loaded *l = btf->loaded.data[module];
	const struct btf_type *func = btf__type_by_id(l->pub.btf, id);
	LIBBPF_OPTS(btf_dump_emit_type_decl_opts, opts);
	const struct btf_type *proto = prototype_of(l->pub.btf, id);
	uint32_t type;

	if (!proto)
		return;
	opts.field_name = name ?: btf__name_by_offset(l->pub.btf, func->name_off);
	type = btf_is_func(func) ? func->type : id;
	if (btf_is_func(func) && is_bpf_helper(l->pub.btf, proto))
		type = declared_proto(l->pub.btf, func) ?: type;
	if (!l->dump)
		l->dump = btf_dump__new(l->pub.btf, dump_line, btf, NULL);
	if (!l->dump)
		return;
	btf->dump_to = sb;
	btf_dump__emit_type_decl(l->dump, type, &opts);
	btf->dump_to = NULL;
	/* libbpf writes empty parentheses, which in C mean unknown parameters. */
	if (sb->len >= 2 && !strcmp(sb->s + sb->len - 2, "()")) {
		sb->s[--sb->len] = '\0';
		strbuf_addstr(sb, "void)");
	}
}
