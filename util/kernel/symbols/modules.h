/* SPDX-License-Identifier: BSD-2-Clause */
/* Modules of the running kernel: which are loaded, and those that are installed, loaded or not. */
#ifndef RETSNOOP_KERNEL_SYMBOLS_MODULES_H
#define RETSNOOP_KERNEL_SYMBOLS_MODULES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "util/base/vec.h"

struct loaded_module {
	char name[64];
	uint64_t address;	/* 0 without CAP_SYSLOG */
	bool loading;		/* its init function runs */
};

struct loaded_modules {
	VEC(struct loaded_module) v;
};

/* Append the modules that are loaded now, or are being loaded. 0; -errno (not reported): not all of them. */
int modules_list(struct loaded_modules *modules);
/* The same from a file like /proc/modules. */
int modules_parse(FILE *list, struct loaded_modules *modules);
/*
 * Whether it is among them; loaded again at another address it is another module. An address that is not
 * known (kernel.kptr_restrict) is no other one. One that is loading is not yet the one that is live.
 */
bool modules_have(const struct loaded_modules *modules, const struct loaded_module *wanted);

/* Append those of @a that @b does not have. 0; -ENOMEM (not reported). */
int modules_subtract(const struct loaded_modules *a, const struct loaded_modules *b,
		     struct loaded_modules *ret);

/* The file of a module ("ext4"; '-' and '_' are equal), from modules.dep. NULL: none. free() it. */
char *module_file(const char *module);

/*
 * A module that defines the function @name, from the symbol tables of all installed files; NULL:
 * none, or the files are compressed, which would take too long. free() it.
 */
char *module_defining(const char *name);

#endif
