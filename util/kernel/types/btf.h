/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The BTF of a kernel and of its modules: results and parameters of functions.
 *
 * A module's BTF is read when one of its functions is first looked up. Modules have indexes in
 * that order, and vmlinux has 0; they stay valid as long as the kernel_btf.
 */
#ifndef RETSNOOP_KERNEL_TYPES_BTF_H
#define RETSNOOP_KERNEL_TYPES_BTF_H

#include <stdbool.h>
#include <stdint.h>

#include "util/base/strbuf.h"
#include "util/kernel/types/return_kind_name.h"

struct btf;
struct kernel_btf;

struct kernel_btf_module {
	const char *name;	/* NULL for vmlinux; owned by the kernel_btf */
	struct btf *btf;	/* split on top of vmlinux's; owned by the kernel_btf */
	uint32_t id;		/* BTF object id in the running kernel; 0 not known (not allowed, offline) */
};

/**
 * @return	0; -ENOENT there is no BTF; -errno it cannot be read. Nothing is reported: the
 *		caller knows what is missing.
 */
int kernel_btf_load_live(struct kernel_btf **ret_btf);

/* The .BTF section of a vmlinux file, or a file of bare BTF. Errors as above. */
int kernel_btf_load_file(const char *path, struct kernel_btf **ret_btf);

/* Whether the running kernel has it itself, and so knows its ids. */
bool kernel_btf_is_live(const struct kernel_btf *btf);

/* Use existing BTF, which it takes over (on success only). 0; -ENOMEM. */
int kernel_btf_from(struct btf *vmlinux, struct kernel_btf **ret_btf);

/*
 * Add a module's BTF, split on top of vmlinux's; takes over @module on success. Its index, or
 * -ENOMEM.
 */
int kernel_btf_add_module(struct kernel_btf *btf, const char *name, struct btf *module);

void kernel_btf_free(struct kernel_btf *btf);

/*
 * The BTF with this index; NULL after the last. The first call asks the kernel for the ids of its
 * BTF objects. Borrowed.
 */
const struct kernel_btf_module *kernel_btf_module(struct kernel_btf *btf, int index);

/* The BTF for type ids of module @index. Does not ask the kernel. */
const struct btf *kernel_btf_types(const struct kernel_btf *btf, int index);

/* Whether that of any module was read. */
bool kernel_btf_has_modules(const struct kernel_btf *btf);

/* The index of a module's BTF, which is loaded if necessary; NULL: vmlinux. -ENOENT: no BTF. */
int kernel_btf_find_module(struct kernel_btf *btf, const char *module);

/*
 * The module was loaded again, or is another one with that name: its BTF is read again when it is asked
 * for, and gets another index.
 */
void kernel_btf_forget_module(struct kernel_btf *btf, const char *module);

/**
 * Find a function by name.
 *
 * @module	the function's module; NULL for vmlinux
 * @ret_id	id of its FUNC
 * @ret_module	index of the BTF that has it
 * @return	0; 1 several FUNCs have that name (the first is returned, good for reading but not
 *		for attaching); -ENOENT none
 */
int kernel_btf_find_func(struct kernel_btf *btf, const char *name, const char *module,
			 uint32_t *ret_id, int *ret_module);

/* The id of the one function of vmlinux that has a name; 0: there is none, or there are several. */
uint32_t kernel_btf_func_id(struct kernel_btf *btf, const char *name);

/* The kind of the function's result. Knows the BPF helpers, which return u64 according to BTF. */
enum return_kind kernel_btf_return_kind(const struct kernel_btf *btf, int module, uint32_t id);

/*
 * The same for a clone that the compiler made (`foo.constprop.0`) and BTF does not have, from the
 * function's BTF: RETURN_UNKNOWN if the clone may return something else (`foo.isra.0`,
 * `foo.part.0`).
 */
enum return_kind kernel_btf_return_kind_of_clone(struct kernel_btf *btf, const char *name,
						 const char *module);

/* Facts about a function that matter for trampolines. */
struct btf_shape {
	int params;
	int arg_slots;		/* 8-byte slots that its arguments need */
	bool struct_args;	/* has structs passed by value: 6.1+ */
	/* Variadic, returns a struct by value, or has an argument wider than 16 bytes: no
	 * trampoline takes it.
	 */
	bool untypable;
};

void kernel_btf_shape(const struct kernel_btf *btf, int module, uint32_t id,
		      struct btf_shape *ret_shape);

/*
 * Append the declaration: `int array_map_alloc_check(union bpf_attr *attr)`. For BPF helpers,
 * which have only u64 in BTF, their original declaration. Appends nothing if it is not known.
 *
 * @id	of a FUNC, or of a FUNC_PROTO, which needs a name
 * @name	the name to print, one of its aliases; NULL for the name in BTF
 */
void kernel_btf_prototype(struct kernel_btf *btf, int module, uint32_t id, const char *name,
			  struct strbuf *sb);

/*
 * The FUNC_PROTOs of a function: one has its parameters' types, the other, most often the same
 * one, their names. They differ for BPF helpers, whose types are elsewhere in BTF. False: none,
 * or several functions have that name and different prototypes.
 */
bool kernel_btf_protos(const struct kernel_btf *btf, int module, uint32_t id, uint32_t *ret_types,
		       uint32_t *ret_names);

#endif
