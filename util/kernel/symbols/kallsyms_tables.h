/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's own symbols, from the tables that /proc/kallsyms is made of, in the kernel's memory. */
#ifndef RETSNOOP_KERNEL_SYMBOLS_KALLSYMS_TABLES_H
#define RETSNOOP_KERNEL_SYMBOLS_KALLSYMS_TABLES_H

#include "util/kernel/symbols/code_source.h"
#include "util/kernel/symbols/symbols_internal.h"

/**
 * Tell of each symbol that is built into the kernel, in the order of /proc/kallsyms. The form of the tables
 * is proved before the first is told: by the places of every 256th name, which the kernel has too, and by
 * the address of _stext.
 *
 * @vmcoreinfo	has the tables' addresses (Linux 6.0 and later)
 * @return	0; -ENOENT it has not; -EBADMSG the tables are in another form; -EFAULT, -EPERM and others
 *		memory cannot be read; or as @tell returns. Nothing is reported.
 */
int kallsyms_tables_tell(const struct code_source *memory, const char *vmcoreinfo, symbol_teller tell,
			 void *arg);

/* "SYMBOL(name)=" of a VMCOREINFO. 0; -ENOENT. */
int vmcoreinfo_symbol(const char *vmcoreinfo, const char *name, uint64_t *ret_addr);

#endif
