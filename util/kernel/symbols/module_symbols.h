/* SPDX-License-Identifier: BSD-2-Clause */
/* The symbols of modules, from the kernel's memory. */
#ifndef RETSNOOP_KERNEL_SYMBOLS_MODULE_SYMBOLS_H
#define RETSNOOP_KERNEL_SYMBOLS_MODULE_SYMBOLS_H

#include "util/kernel/symbols/code_source.h"
#include "util/kernel/symbols/modules.h"
#include "util/kernel/symbols/symbols_internal.h"

struct btf;

/**
 * Tell of the symbols of all modules that are loaded.
 *
 * @types	the kernel's BTF; NULL will do if there are no modules
 * @list	address of the list's head, the variable `modules`
 * @live	modules that must be among them
 * @return	0; -ENOENT @types lacks what it takes; -EBADMSG there is no such list at @list, or it lacks
 *		one of @live; -EFAULT and others memory cannot be read; or as @tell returns. Nothing is
 *		reported, and some symbols may have been told.
 */
int module_symbols_tell(const struct btf *types, const struct code_source *memory, uint64_t list,
			const struct loaded_modules *live, symbol_teller tell, void *arg);

#endif
