/* SPDX-License-Identifier: BSD-2-Clause */
/* Modules that are installed for the running kernel, loaded or not. */
#ifndef RETSNOOP_KERNEL_SYMBOLS_MODULES_H
#define RETSNOOP_KERNEL_SYMBOLS_MODULES_H

#include <stdbool.h>

/*
 * The file of a module ("ext4", '-' and '_' being the same), from modules.dep. NULL: there is
 * none. free() it.
 */
char *module_file(const char *module);

/*
 * A module that defines the function @name, from the symbol tables of all installed files; NULL:
 * none, or they are compressed, which would take too long. free() it.
 */
char *module_defining(const char *name);

/* Built into the running kernel, from modules.builtin. */
bool module_is_builtin(const char *module);

#endif
