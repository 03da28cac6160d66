/* SPDX-License-Identifier: BSD-2-Clause */
/* Modules of the running kernel: which are loaded, and those that are installed, loaded or not. */
#ifndef RETSNOOP_KERNEL_SYMBOLS_MODULES_H
#define RETSNOOP_KERNEL_SYMBOLS_MODULES_H

#include <stdint.h>

/* A number that changes when a module is loaded or unloaded. */
uint64_t modules_digest(void);

/* The file of a module ("ext4"; '-' and '_' are equal), from modules.dep. NULL: none. free() it. */
char *module_file(const char *module);

/*
 * A module that defines the function @name, from the symbol tables of all installed files; NULL:
 * none, or the files are compressed, which would take too long. free() it.
 */
char *module_defining(const char *name);

#endif
